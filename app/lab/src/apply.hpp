// The inside of the fold: one handler for each call that changes what the lab shows, one file for each noun
// of the API. A handler sees only calls that succeeded, in the program's own process.
//
// Rules are written once, against a Ledger of allocations: State's own list for a single moment, an indexed
// one for the whole run (model.cpp). Handlers know nothing of keyframes, of windows, or of words.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "lab/state.hpp"
#include "trace/event.hpp"

namespace lab {

// The allocations that are alive, wherever they are kept.
class Ledger {
 public:
  virtual ~Ledger() = default;
  virtual void add(const Allocation& allocation) = 0;
  virtual void remove(std::uint32_t number) = 0;
  virtual std::optional<Allocation> starting_at(std::uint64_t address) const = 0;
  virtual std::optional<Allocation> holding(std::uint64_t address) const = 0;
  virtual std::vector<std::uint32_t> owned_by(std::uint32_t context) const = 0;
  virtual void give(std::uint32_t from_context, std::uint32_t to_context) = 0;
};

// The one inside the State itself. A single event is looked up by scanning; whoever takes a state through
// many events keeps the ledger, which then makes itself an index.
class StateLedger : public Ledger {
 public:
  explicit StateLedger(State& state) : state_(state) {}
  void forget();  // the state's allocations were replaced
  void add(const Allocation& allocation) override;
  void remove(std::uint32_t number) override;
  std::optional<Allocation> starting_at(std::uint64_t address) const override;
  std::optional<Allocation> holding(std::uint64_t address) const override;
  std::vector<std::uint32_t> owned_by(std::uint32_t context) const override;
  void give(std::uint32_t from_context, std::uint32_t to_context) override;

 private:
  static constexpr unsigned kScansBeforeIndex = 16;
  std::vector<Allocation>::iterator numbered(std::uint32_t number) const;
  bool indexed() const;  // makes the index once scanning has become a habit

  State& state_;
  mutable std::map<std::uint64_t, std::uint32_t> index_;  // start address -> number
  mutable unsigned scans_ = 0;
};

// One event on its way into a state.
struct Step {
  State& state;
  Ledger& ledger;
  const trace::Event& event;
  std::size_t thread_index = 0;  // of State::threads
  bool lasting = false;          // anything but allocations and `changes` is different now

  Thread& thread() { return state.threads[thread_index]; }
  std::uint32_t top() { return thread().stack.empty() ? kNone : thread().stack.back(); }
  const trace::Argument* argument(std::string_view name) const;
  std::uint64_t passed(std::string_view name) const;                  // 0 when there is no such argument
  std::optional<std::uint64_t> written(std::string_view name) const;  // what an output received
  void note(Change::Kind kind, std::uint32_t context = kNone, std::uint32_t allocation = 0);

  // The device with this ordinal and its primary context, made when first heard of; nullptr for an ordinal
  // that no machine has, as a damaged recording may hold.
  Device* device(std::uint64_t ordinal);
  // The context behind a handle; one that nobody saw being made is taken in under its handle.
  std::uint32_t known(std::uint64_t handle);
  void push(std::uint32_t context);
  void pop();
  void replace_top(std::uint32_t context);
  void free_owned_by(std::uint32_t context);
};

// Does what a successful call of this name does. Each says whether the name was one of its own.
bool apply_context(Step& step);
bool apply_primary(Step& step);
bool apply_device(Step& step);
bool apply_memory(Step& step);

// "A", "B", … "Z", "AA", "AB", …
std::string letter_name(std::uint32_t number);

// The whole step, whatever the event. True when anything but allocations and `changes` changed.
bool apply_event(State& state, Ledger& ledger, const trace::Event& event);

}  // namespace lab
