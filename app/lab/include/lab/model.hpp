// SPDX-License-Identifier: MIT
// A run as moments: State is a fold over events, with keyframes, so that any moment can be looked up.
//
// Owned by one thread (the one that draws). follow() takes in new events of the Store; at() returns the state
// at any moment. Moment n is the state after the first n events; moment 0 is before everything.
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

// One step of the fold: changes `state` as `event` does. Pure; every rule about calls is applied by it.
void apply(State& state, const trace::Event& event);

// The history of one object. Events are indices in the store.
struct Life {
  ObjectId object;
  std::string name;
  std::optional<std::size_t> created;  // nothing: it existed before, or no recorded call made it
  std::optional<std::size_t> ended;    // nothing: it still exists
  bool ended_with_owner = false;       // the call that ended it ended its owner
  struct Use {
    std::size_t event = 0;
    bool changed = false;  // the call changed it (wrote, pushed, moved), and did not only use it
  };
  std::vector<Use> uses;  // between created and ended, ascending
};

struct Lifetime {
  std::size_t made = 0;             // event
  std::optional<std::size_t> gone;  // nothing: it still exists
};

enum class Direction : std::uint8_t { Forward, Back };

// What a scrubber marks.
enum class Mark : std::uint8_t {
  Failed,  // a call returned an error, or never returned
  Stack,   // a context stack changed
  Launch,  // a kernel or a graph was launched
};
inline constexpr std::size_t kMarks = 3;
// A program that pushes and never pops has a stack as deep as it has calls: only this many names, from the
// top, are given.
inline constexpr std::size_t kMostStackNames = 256;

// One card of a stack.
struct StackEntry {
  std::string name;
  bool alive = true;
  bool operator==(const StackEntry&) const = default;
};

class Model {
 public:
  // The model of one process of the run. Events of other processes change nothing in it, but count as moments
  // all the same. `own`, if given, lists the events that can change it, ascending; it may grow, and must be
  // complete as far as the model follows. The other events then cost no time.
  explicit Model(const trace::Store& store, std::uint32_t process = 0,
                 const std::vector<std::uint32_t>* own = nullptr);
  ~Model();
  std::uint32_t process() const;
  void follow();  // folds new events of the store; cheap if there are none
  // The same for at most this many events, so that a window can take in a long run between frames. True if
  // the store has more.
  bool follow_some(std::size_t most);
  std::size_t moments() const;  // events folded
  // Made from a keyframe and a bounded number of events after it. The reference is valid until the next call
  // of at() or follow(); describe() and similar functions do not change it.
  const State& at(std::size_t moment) const;
  // What may differ between the state that at() returned and the one that it returned before.
  const Touched& touched() const;
  const State& latest() const;
  // The same as at(), for a second reader: the reference that at() returned stays valid. This one is valid
  // until the next call of any function here but bytes() and moments().
  const State& aside(std::size_t moment) const;
  std::size_t bytes() const;  // memory of keyframes

  // "cuCtxCreate(&pctx = B, ctxCreateParams=null, flags=0, dev=0)" with the model's names after the call.
  std::string describe(std::size_t event) const;
  // A call that has not returned: only the arguments that were passed.
  std::string describe(const trace::Event& pending) const;
  // The stack of its thread after it, bottom first: the topmost kMostStackNames, and how many are below them.
  std::vector<std::string> stack_names(std::size_t event) const;
  // The same, with whether each has not ended: a context that was destroyed may still be on a stack.
  std::vector<StackEntry> stack_after(std::size_t event) const;
  std::size_t stack_below(std::size_t event) const;
  // The top of that stack, without the work of going to that moment; nullptr if there is none. Valid until
  // the next follow().
  const Context* top_after(std::size_t event) const;
  std::string current_name(std::size_t event) const;  // "A", "null", or "" if not known
  bool agrees(std::size_t event) const;
  // The words in describe(): "A", "null" or "0x…" for a context; "#3", "#3+16" or "0x…" for an address.
  std::string context_word(std::size_t event, std::uint64_t handle) const;
  std::string address_word(std::size_t event, std::uint64_t address) const;
  // "M1", "M1.vecAdd", "S2", "CU_STREAM_LEGACY", "null"; also for ended objects; "0x…" if not known.
  std::string handle_word(std::size_t event, ObjectKind kind, std::uint64_t handle) const;

  // Objects of the whole run, alive or not: names never change. "" or nullptr if the object never existed.
  std::string name_of(ObjectId id) const;
  const Object* object(ObjectId id) const;                   // as last known; valid until the next follow()
  const Allocation* allocation(std::uint32_t number) const;  // the same
  ObjectId object_named(const std::string& name) const;      // "B", "#3", "M1.vecAdd"; None if never made
  std::vector<Change> changes(std::size_t event) const;      // the changes that the event made
  // Scans notes that were taken while folding: some milliseconds for a million calls.
  Life life_of(ObjectId id) const;
  // Only its begin and its end; nothing for a thread, a device, or what never existed.
  std::optional<Lifetime> lifetime(ObjectId id) const;
  // The nearest event before or after the moment that made, changed or ended the object. The events [0,
  // moment) are before the moment, the others after it.
  std::optional<std::size_t> next_change_of(ObjectId id, std::size_t moment, Direction direction) const;
  // How many events in [from, to) have the mark; two look-ups, whatever the number of events.
  std::size_t marks(Mark mark, std::size_t from, std::size_t to) const;
  // What happened to the work in streams, in the order of the events that made it known.
  struct DatedWork {
    std::size_t event = 0;
    WorkChange change;
  };
  std::size_t work_changes() const;
  DatedWork work_change(std::size_t index) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The line of `--events` for this event: one JSON object, no newline.
std::string event_json(const Model& model, const trace::Store& store, std::size_t event);

}  // namespace lab
