// SPDX-License-Identifier: MIT
// The inside of the fold: one handler for each call that changes what the lab shows, one file for each noun
// of the API. A handler sees only calls that succeeded, in the program's own process.
//
// Rules are written once, against a Ledger of allocations and objects: State's own lists for a single moment,
// an indexed one for the whole run (model.cpp). Handlers do not depend on keyframes, windows or words.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "api/objects.hpp"
#include "lab/state.hpp"
#include "trace/event.hpp"

namespace lab {

using trace::Function;

// The allocations and objects that are alive, wherever they are kept.
class Ledger {
 public:
  virtual ~Ledger() = default;
  // Allocations
  virtual void add(const Allocation& allocation) = 0;
  virtual void remove(std::uint32_t number) = 0;
  virtual std::optional<Allocation> starting_at(std::uint64_t address) const = 0;
  virtual std::optional<Allocation> holding(std::uint64_t address) const = 0;
  virtual std::vector<std::uint32_t> owned_by(std::uint32_t context) const = 0;
  // By address: those that begin in [from, from + bytes).
  virtual std::vector<Allocation> between(std::uint64_t from, std::uint64_t bytes) const = 0;
  virtual void change(const Allocation& now) = 0;  // by its number; address and size stay
  // Objects
  virtual void add(const Object& object) = 0;
  virtual void end(ObjectId id) = 0;
  virtual void change(const Object& now) = 0;  // by its id
  virtual std::optional<Object> object(ObjectId id) const = 0;
  virtual std::optional<Object> object_of(ObjectKind kind, std::uint64_t handle) const = 0;
  virtual std::vector<ObjectId> objects_of(std::uint32_t context) const = 0;
  virtual std::vector<ObjectId> given_by(ObjectId owner) const = 0;  // what ends with it
  // The work in streams, and the nodes of graphs
  virtual const Work& work() const = 0;
  virtual void change(const WorkChange& change) = 0;
  virtual const Graphs& graphs() const = 0;
  virtual void change(const GraphChange& change) = 0;
  // Host memory that no call made
  virtual const HostMemory& host() const = 0;
  virtual void change(const HostChange& change) = 0;
  virtual bool variable_holding(std::uint64_t address) const = 0;  // or a range of addresses
  // All of them
  virtual void give(std::uint32_t from_context, std::uint32_t to_context) = 0;
};

// One event while it is applied to a state.
struct Step {
  State& state;
  Ledger& ledger;
  const trace::Event& event;
  Touched* touched = nullptr;    // if given, lists contexts and threads before they are changed
  std::size_t thread_index = 0;  // of State::threads
  bool lasting = false;          // something besides allocations, objects and `changes` has changed

  Thread& thread() { return state.threads[thread_index]; }
  Context& change_context(std::uint32_t index);
  std::uint32_t add_context(Context context);  // returns its index
  // To be called before the stack is changed, except for a push: so many contexts at its bottom stay.
  void keep_of_stack(const Thread& of, std::size_t same);
  std::uint32_t top() { return thread().stack.empty() ? kNone : thread().stack.back(); }
  // Which context gets what is made now: the current one, or the primary context if that is a green one's.
  std::uint32_t owner();
  const trace::Argument* argument(std::string_view name) const { return event.argument(name); }
  std::uint64_t passed(std::string_view name) const { return event.passed(name); }  // 0: no such argument
  std::optional<std::uint64_t> written(std::string_view name) const;                // what an output received
  std::uint64_t value(std::string_view name) const;  // the one or the other, by the argument's role; or 0
  void note(Change::Kind kind, std::uint32_t context = kNone, std::uint32_t allocation = 0);
  void note(Change::Kind kind, const Object& object);

  // The device with this ordinal and its primary context; both are added when they first occur. nullptr for
  // an ordinal that no machine has, which a damaged recording may contain.
  Device* device(std::uint64_t ordinal);
  // The context of a handle. If no recorded call made it, it is added under its handle.
  std::uint32_t known(std::uint64_t handle);
  void push(std::uint32_t context);
  void pop();
  void replace_top(std::uint32_t context);
  void free_owned_by(std::uint32_t context);
  // Adds a new object: numbers it, and ends an older one with the same handle, whose end was not recorded.
  ObjectId add(Object object);
  void end(ObjectId id);  // with everything that ends with it
};

// What a successful call does.
struct Rule {
  Function call = Function::None;
  std::function<void(Step&)> apply;
};
// One table for each noun of the API, in the file apply_NOUN.cpp, with the calls that do more than the
// description says; no call is in two of them.
std::vector<Rule> context_rules();
std::vector<Rule> primary_rules();
std::vector<Rule> device_rules();
std::vector<Rule> memory_rules();
std::vector<Rule> library_rules();
// The rules that follow from the description, for calls that make, end or write something and have no rule in
// `own`.
std::vector<Rule> described_rules(const std::vector<Rule>& own);
std::vector<Rule> all_rules();
// What calls put into streams, and which calls prove it done; a call may also have one of the rules above,
// which is then applied first. The same holds of the next two.
std::vector<Rule> work_rules();
// Which multiprocessors a device and its green contexts have.
std::vector<Rule> resource_rules();
// Which pools are a device's own.
std::vector<Rule> pool_rules();
// Its streams or events have ended: what is known of their work is not of interest any more.
void forget_work_of_context(Step& step, std::uint32_t context);
void forget_work_of_thread(Step& step);
void forget_work_of(Step& step, const Object& ended);
void forget_graph(Step& step, const Object& ended);
void end_capture(Step& step);  // also a call that failed to make a graph of it

void allocate(Step& step, const api::MakesDescription& made);
void release(Step& step, const api::EndsDescription& ended);
void note_write(Step& step);        // into the memory that is the target of a copy or fill
void name_host_memory(Step& step);  // by a copy
void note_host_memory(Step& step);  // the call made or pinned some

// A green context retains the primary context of its device, and releases it when it is destroyed.
void retain_by_green(Step& step, std::uint64_t green, std::uint64_t ordinal);
void release_by_green(Step& step, std::uint64_t green);

// The context that a library above the driver made current; if the handle is new, the primary context of the
// thread's device.
std::uint32_t context_by_library(Step& step, std::uint64_t handle);

// The device in a CUmemLocation, or in a struct that has one as `location`; or kHost. Nothing if it contains
// neither.
std::optional<std::uint32_t> location_in(const trace::Argument& properties);

// "A", "B", … "Z", "AA", "AB", …
std::string letter_name(std::uint32_t number);

// The whole step, for any event. True if something besides allocations, objects and `changes` has changed.
// Contexts and threads that may have changed are listed in `touched`; the rest of it is the ledger's.
bool apply_event(State& state, Ledger& ledger, const trace::Event& event, Touched* touched = nullptr);

}  // namespace lab
