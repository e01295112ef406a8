// SPDX-License-Identifier: MIT
// A run as moments: State is a fold over events, with keyframes, so that any moment is a look-up.
//
// Owned by one thread (the one that draws). follow() takes in what a Store gained; at() answers for any
// moment. Moment n is the state after the first n events; moment 0 is before everything.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/state.hpp"
#include "trace/store.hpp"

namespace lab {

// The fold's one step: what `event` makes of `state`. Pure; every rule about calls is below this.
void apply(State& state, const trace::Event& event);

// What happened to one object. Events are indices of the store.
struct Life {
  ObjectId object;
  std::string name;
  std::optional<std::size_t> created;  // nothing: it was there before, or nobody saw it being made
  std::optional<std::size_t> ended;    // nothing: it still lives
  bool ended_with_owner = false;       // the call that ended it was about what it belonged to
  struct Use {
    std::size_t event = 0;
    bool changed = false;  // the call did something to it (wrote, pushed, moved), not only with it
  };
  std::vector<Use> uses;  // between created and ended, ascending
};

enum class Direction : std::uint8_t { Forward, Back };

// What a scrubber marks.
enum class Mark : std::uint8_t {
  Failed,  // a call returned an error, or never returned
  Stack,   // a context stack changed
  Launch,  // a kernel or a graph was launched
};
inline constexpr std::size_t kMarks = 3;
// A program that pushes and never pops has a stack as deep as it has calls: of a deep one its top is told.
inline constexpr std::size_t kMostStackNames = 256;

class Model {
 public:
  // Of one process of the run; events of the others change nothing in it, and count as moments all the same.
  // `own`: the events that can change it, ascending, where somebody knows them; it may grow, and is complete
  // as far as the model follows. Then the others cost nothing.
  explicit Model(const trace::Store& store, std::uint32_t process = 0,
                 const std::vector<std::uint32_t>* own = nullptr);
  ~Model();
  std::uint32_t process() const;
  void follow();  // folds events that the store gained; cheap when none
  // The same for at most this many events, so that a window can take in a long run between frames. True when
  // the store holds more.
  bool follow_some(std::size_t most);
  std::size_t moments() const;  // events folded
  // A keyframe and a bounded number of events after it. The reference lives until the next call of at() or
  // follow(); describe() and its kin leave it alone.
  const State& at(std::size_t moment) const;
  const State& latest() const;
  // The same as at(), for a second reader: what at() gave lives on. Its reference lives until the next call
  // of anything here but bytes() and moments().
  const State& aside(std::size_t moment) const;
  std::size_t bytes() const;  // memory of keyframes

  // "cuCtxCreate(&pctx = B, ctxCreateParams=null, flags=0, dev=0)" with the model's names, as of after it.
  std::string describe(std::size_t event) const;
  // A call that has not returned: what it was passed.
  std::string describe(const trace::Event& pending) const;
  // The stack of its thread after it, bottom first: the topmost kMostStackNames, and how many lie below them.
  std::vector<std::string> stack_names(std::size_t event) const;
  std::size_t stack_below(std::size_t event) const;
  std::string current_name(std::size_t event) const;  // "A", "null", or "" when not known
  bool agrees(std::size_t event) const;
  // The words behind describe(): "A", "null" or "0x…" for a context; "#3", "#3+16" or "0x…" for an address.
  std::string context_word(std::size_t event, std::uint64_t handle) const;
  std::string address_word(std::size_t event, std::uint64_t address) const;
  // "M1", "M1.vecAdd", "S2", "CU_STREAM_LEGACY", "null"; also for what is dead by then; "0x…" when unknown.
  std::string handle_word(std::size_t event, ObjectKind kind, std::uint64_t handle) const;

  // Of the whole run, alive or not: names never change. "" or nullptr for what never was.
  std::string name_of(ObjectId id) const;
  const Object* object(ObjectId id) const;                   // as last known; until the next follow()
  const Allocation* allocation(std::uint32_t number) const;  // the same
  ObjectId object_named(const std::string& name) const;      // "B", "#3", "M1.vecAdd"; None when never made
  std::vector<Change> changes(std::size_t event) const;      // what it did
  // Scans what was noted while folding: some milliseconds for a million calls.
  Life life_of(ObjectId id) const;
  // The event nearest to the moment, on the side asked for, that made, changed or ended the object: before it
  // lie the events [0, moment), after it the others.
  std::optional<std::size_t> next_change_of(ObjectId id, std::size_t moment, Direction direction) const;
  // How many events in [from, to) carry the mark; two look-ups, however many events.
  std::size_t marks(Mark mark, std::size_t from, std::size_t to) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The line of `--events` for this event: one JSON object, no newline.
std::string event_json(const Model& model, const trace::Store& store, std::size_t event);

}  // namespace lab
