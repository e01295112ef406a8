// SPDX-License-Identifier: MIT
// The run as moments. Three things are kept: the lives of allocations and objects and the work in streams
// (RunLedger), copies of
// everything else at keyframes, and one bit for each event that says whether it changed anything else. A
// moment is made from a keyframe, the marked events after it, and the lists of live allocations and objects.
// Its last event is applied in full, to find its changes.
#include "lab/model.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/apply.hpp"
#include "model/describe.hpp"
#include "model/functions.hpp"
#include "model/rank_bits.hpp"
#include "model/run_ledger.hpp"
#include "model/state_ledger.hpp"
#include "model/use_log.hpp"
#include "model/uses.hpp"

namespace lab {
namespace {

constexpr std::size_t kLeastBetweenKeyframes = 256;  // marked events
constexpr std::size_t kKeyframeBytesPerEvent = 48;   // a large keyframe needs more events before the next one
constexpr std::size_t kStepsBeforeRebuild = 256;  // up to here, going event by event is faster than a rebuild
constexpr std::size_t kMostRowBytes = 8 << 20;    // of words for rows that were shown

// Takes part in the fold of everything but allocations and objects.
class NoLedger : public Ledger {
 public:
  void add(const Allocation&) override {}
  void remove(std::uint32_t) override {}
  std::optional<Allocation> starting_at(std::uint64_t) const override { return std::nullopt; }
  std::optional<Allocation> holding(std::uint64_t) const override { return std::nullopt; }
  std::vector<std::uint32_t> owned_by(std::uint32_t) const override { return {}; }
  std::vector<Allocation> between(std::uint64_t, std::uint64_t) const override { return {}; }
  void change(const Allocation&) override {}
  void add(const Object&) override {}
  void end(ObjectId) override {}
  void change(const Object&) override {}
  std::optional<Object> object(ObjectId) const override { return std::nullopt; }
  std::optional<Object> object_of(ObjectKind, std::uint64_t) const override { return std::nullopt; }
  std::vector<ObjectId> objects_of(std::uint32_t) const override { return {}; }
  std::vector<ObjectId> given_by(ObjectId) const override { return {}; }
  const Work& work() const override { return none_; }
  void change(const WorkChange&) override {}
  const Graphs& graphs() const override { return no_graphs_; }
  void change(const GraphChange&) override {}
  const HostMemory& host() const override { return no_host_; }
  void change(const HostChange&) override {}
  bool variable_holding(std::uint64_t) const override { return false; }
  void give(std::uint32_t, std::uint32_t) override {}

 private:
  const Work none_;
  const Graphs no_graphs_;
  const HostMemory no_host_;
};

std::size_t text_bytes(const std::string& text) {
  return text.capacity() > 15 ? text.capacity() + 1 : 0;  // shorter ones are stored inside the object
}

std::size_t state_bytes(const State& state) {
  std::size_t total = sizeof(State) + state.devices.capacity() * sizeof(Device) +
                      state.contexts.capacity() * sizeof(Context) + state.handles.bytes() +
                      state.threads.capacity() * sizeof(Thread) + state.allocations.bytes() +
                      state.changes.capacity() * sizeof(Change) + state.objects.bytes() + state.work.bytes() +
                      state.graphs.bytes() + state.host.bytes() +
                      (state.described_multiprocessors.size() + state.green_devices.size()) * 48;
  for (const Thread& thread : state.threads)
    total += thread.stack.capacity() * sizeof(std::uint32_t) + text_bytes(thread.name);
  for (const Context& context : state.contexts) total += text_bytes(context.name);
  for (const Device& device : state.devices) total += text_bytes(device.name);
  return total;
}

constexpr std::size_t kNoMoment = ~std::size_t{0};

struct Keyframe {
  std::size_t number = 0;  // of steps
  State state;
};

// A moment that is shown, and that moves on from event to event.
struct Moment {
  std::size_t number = kNoMoment;  // events
  std::size_t steps = 0;           // of them
  State state;
  Touched touched;  // since it last moved
  StateLedger ledger{state, &touched};
};

// The thread of an event, and the state after it that the thread is in; nullptr where the event is of no
// thread.
struct ThreadThen {
  const State* state = nullptr;
  const Thread* thread = nullptr;
};

struct Row {
  std::string text, current;
};

// The top of one thread's stack, with the event from which on it was there.
class Tops {
 public:
  void note(std::size_t event, const std::vector<std::uint32_t>& stack) {
    const std::uint32_t top = stack.empty() ? kNone : stack.back();
    if (top != (changes_.empty() ? kNone : changes_.back().second)) changes_.emplace_back(event, top);
  }
  std::uint32_t after(std::size_t event) const {
    const auto next = std::upper_bound(changes_.begin(), changes_.end(), event,
                                       [](std::size_t at, const auto& change) { return at < change.first; });
    return next == changes_.begin() ? kNone : std::prev(next)->second;
  }
  std::size_t bytes() const { return changes_.capacity() * sizeof(changes_[0]); }

 private:
  std::vector<std::pair<std::size_t, std::uint32_t>> changes_;  // context's index, or kNone
};

}  // namespace

struct Model::Impl {
  Impl(const trace::Store& s, std::uint32_t process, const std::vector<std::uint32_t>* events)
      : store(s), own(events) {
    core.process = process;
    keyframes.push_back({0, core});
    for (Moment* moment : {&shown, &asides[0], &asides[1], &newest}) moment->state.process = process;
  }

  void fold_one();
  bool marked(std::size_t step) const { return (marks[step / 64] >> (step % 64) & 1) != 0; }
  // Steps are the events that can change the model, counted from 0: all of them, or its own.
  std::size_t event_of(std::size_t step) const { return own == nullptr ? step : (*own)[step]; }
  std::size_t steps_before(std::size_t event) const {
    if (own == nullptr) return event;
    const auto found = std::lower_bound(own->begin(), own->end(), event);
    return static_cast<std::size_t>(found - own->begin());
  }
  bool is_step(std::size_t event) const {
    return own == nullptr || std::binary_search(own->begin(), own->end(), event);
  }
  std::size_t marks_before(Mark mark, std::size_t event) const {
    return scrubber[static_cast<std::size_t>(mark)].count_before(steps_before(event));
  }
  void scan_uses(std::size_t from, std::size_t to,
                 const std::function<bool(std::size_t event, const Use&)>& visit) const {
    uses.scan(steps_before(from), steps_before(to),
              [&](std::size_t step, const Use& use) { return visit(event_of(step), use); });
  }
  void go_to(Moment& moment, std::size_t number) const;
  void rebuild(Moment& moment, std::size_t number) const;
  const Row& row(const Model& model, std::size_t event) const;
  // For words and questions, which are about moments beside the one that is shown. Valid until the next call.
  const Moment& aside(std::size_t number) const;
  ThreadThen thread_after(std::size_t event) const;
  void mark(const trace::Event& event);
  std::optional<RunLedger::Span> span(ObjectId id) const;
  std::optional<std::size_t> scan_for_change(ObjectId id, std::size_t from, std::size_t to,
                                             Direction direction) const;

  const trace::Store& store;
  const std::vector<std::uint32_t>* const own;
  State core;  // latest, without its allocations and objects
  RunLedger ledger;
  std::size_t folded = 0, steps = 0;  // events, and those of them that are steps
  std::vector<std::uint64_t> marks;
  std::vector<Keyframe> keyframes;
  std::size_t marked_since = 0, keyframe_due = kLeastBetweenKeyframes, keyframe_bytes = 0;
  UseLog uses;
  Uses finder;
  std::array<RankBits, kMarks> scrubber;
  std::map<std::uint32_t, Tops> tops;  // by the thread's number
  RankBits disagreed;                  // the driver reported another context than the stack's top

  mutable Moment shown, newest;  // for at(), for latest()
  mutable std::array<Moment, 2> asides;
  mutable std::size_t last_aside = 0;  // which of them was used last
  mutable std::unordered_map<std::size_t, Row> rows;
  mutable std::size_t row_bytes = 0;
};

void Model::Impl::fold_one() {
  const std::size_t step = steps, event = event_of(step);
  const trace::Event decoded = store.at(event);
  ledger.begin(event);
  finder.before(decoded, ledger, core);
  const bool lasting = apply_event(core, ledger, decoded);
  ledger.end();
  finder.after(decoded, ledger, core);
  uses.add(finder.all());
  mark(decoded);
  const Thread* const thread = decoded.process == core.process ? core.thread(decoded.thread) : nullptr;
  disagreed.push(thread != nullptr && !thread->agree);
  if (thread != nullptr) tops[thread->number].note(event, thread->stack);
  core.changes.clear();
  if (marks.size() <= step / 64) marks.push_back(0);
  if (lasting) {
    marks[step / 64] |= std::uint64_t{1} << (step % 64);
    ++marked_since;
  }
  ++steps;
  if (marked_since < keyframe_due) return;
  // Not at each event: counting the bytes of many contexts takes as long as copying them.
  const std::size_t paid_by = state_bytes(core) / kKeyframeBytesPerEvent;
  if (marked_since < paid_by) {
    keyframe_due = paid_by;
    return;
  }
  keyframe_due = kLeastBetweenKeyframes;
  keyframes.push_back({steps, core});
  keyframe_bytes += state_bytes(keyframes.back().state) + sizeof(Keyframe) - sizeof(State);
  marked_since = 0;
}

void Model::Impl::mark(const trace::Event& event) {
  std::array<bool, kMarks> set = {};
  for (const Change& change : core.changes) {
    switch (change.kind) {
      case Change::Kind::Failed:
        set[static_cast<std::size_t>(Mark::Failed)] = true;
        break;
      case Change::Kind::Pushed:
      case Change::Kind::Popped:
      case Change::Kind::CurrentReplaced:
        set[static_cast<std::size_t>(Mark::Stack)] = true;
        break;
      default:
        break;
    }
  }
  set[static_cast<std::size_t>(Mark::Launch)] =
      event.kind == trace::EventKind::Call && event.process == core.process && event.returned &&
      event.result == 0 && (launches_kernel(event.function) || event.function == Function::cuGraphLaunch);
  for (std::size_t i = 0; i < kMarks; ++i) scrubber[i].push(set[i]);
}

// Up to the last step before the moment.
void Model::Impl::rebuild(Moment& moment, std::size_t number) const {
  const auto after = std::partition_point(keyframes.begin(), keyframes.end(),
                                          [number](const Keyframe& frame) { return frame.number < number; });
  // The last event has to be applied in full, so the keyframe must be before it; moment 0 has no last event.
  const Keyframe& frame = after == keyframes.begin() ? keyframes.front() : *std::prev(after);
  // The ledger fills these, into the memory that they have.
  Work work = std::move(moment.state.work);
  Graphs graphs = std::move(moment.state.graphs);
  moment.state = frame.state;
  moment.state.work = std::move(work);
  moment.state.graphs = std::move(graphs);
  moment.ledger.forget();
  if (number == 0) {
    ledger.fill(moment.state, 0);
  } else {
    NoLedger none;
    for (std::size_t step = frame.number; step + 1 < number; ++step) {
      if (marks[step / 64] >> (step % 64) == 0) {  // nothing marked in the rest of this word
        step |= 63;
        continue;
      }
      if (marked(step)) apply_event(moment.state, none, store.at(event_of(step)));
    }
    ledger.fill(moment.state, event_of(number - 1));
    apply_event(moment.state, moment.ledger, store.at(event_of(number - 1)));
  }
  moment.steps = number;
}

void Model::Impl::go_to(Moment& moment, std::size_t number) const {
  Touched& touched = moment.touched;
  touched.since = moment.number;
  touched.all = false;
  touched.contexts.clear();
  touched.allocations.clear();
  touched.objects.clear();
  touched.threads.clear();
  if (moment.number == number) return;
  const std::size_t target = steps_before(number);
  // The changes of the last event are known only after it has been applied.
  const bool back = moment.number > number || moment.number == kNoMoment;
  if (back || target - moment.steps > kStepsBeforeRebuild) {
    rebuild(moment, target);
    touched.all = true;
  } else {
    for (; moment.steps < target; ++moment.steps)
      apply_event(moment.state, moment.ledger, store.at(event_of(moment.steps)), &touched);
  }
  if (number > 0 && !is_step(number - 1)) moment.state.changes.clear();
  moment.state.events = number;
  moment.number = number;
}

const Row& Model::Impl::row(const Model& model, std::size_t event) const {
  if (const auto found = rows.find(event); found != rows.end()) return found->second;
  if (row_bytes >= kMostRowBytes) {
    rows.clear();
    row_bytes = 0;
  }
  Row row;
  row.text = describe_event(model, event, store.at(event));
  if (const auto [state, thread] = thread_after(event); thread != nullptr && thread->driver_asked)
    row.current = thread->driver_current == kNone ? "null" : state->contexts[thread->driver_current].name;
  row_bytes += sizeof(Row) + 64 + text_bytes(row.text) + text_bytes(row.current);
  return rows.emplace(event, std::move(row)).first->second;
}

// A list of calls and a question are some events apart, and each of the two moments goes on from where it is:
// of a long run, a state costs as much as its live allocations where it has to be built anew.
const Moment& Model::Impl::aside(std::size_t number) const {
  const auto ahead = [&](std::size_t which) {
    const std::size_t from = asides[which].number;
    return from <= number ? number - from : kNoMoment;
  };
  std::size_t chosen = ahead(0) <= ahead(1) ? 0 : 1;
  if (ahead(chosen) > kStepsBeforeRebuild) chosen = 1 - last_aside;
  last_aside = chosen;
  go_to(asides[chosen], number);
  return asides[chosen];
}

ThreadThen Model::Impl::thread_after(std::size_t event) const {
  const trace::EventKind kind = store.kind_at(event);
  if (kind != trace::EventKind::Call && kind != trace::EventKind::ThreadStart &&
      kind != trace::EventKind::ThreadEnd)
    return {};
  const State& state = aside(event + 1).state;
  return {&state, state.thread(store.thread_at(event))};  // no two processes have one of the same number
}

Model::Model(const trace::Store& store, std::uint32_t process, const std::vector<std::uint32_t>* own)
    : impl_(std::make_unique<Impl>(store, process, own)) {}
Model::~Model() = default;

std::uint32_t Model::process() const {
  return impl_->core.process;
}

void Model::follow() {
  follow_some(~std::size_t{0});
}

bool Model::follow_some(std::size_t most) {
  const std::size_t size = impl_->store.size();
  Impl& run = *impl_;
  const std::size_t end = size - run.folded > most ? run.folded + most : size;
  const std::size_t steps = run.steps_before(end);
  while (run.steps < steps) run.fold_one();
  run.folded = end;
  return end < size;
}

std::size_t Model::moments() const {
  return impl_->folded;
}

const State& Model::at(std::size_t moment) const {
  impl_->go_to(impl_->shown, std::min(moment, impl_->folded));
  return impl_->shown.state;
}

const Touched& Model::touched() const {
  return impl_->shown.touched;
}

const State& Model::latest() const {
  impl_->go_to(impl_->newest, impl_->folded);
  return impl_->newest.state;
}

const State& Model::aside(std::size_t moment) const {
  return impl_->aside(std::min(moment, impl_->folded)).state;
}

std::size_t Model::bytes() const {
  std::size_t bits = impl_->disagreed.bytes();
  for (const RankBits& bit : impl_->scrubber) bits += bit.bytes();
  for (const auto& [thread, tops] : impl_->tops) bits += tops.bytes();
  return impl_->keyframe_bytes + impl_->ledger.bytes() + impl_->uses.bytes() + bits +
         impl_->marks.capacity() * sizeof(std::uint64_t) + state_bytes(impl_->core) +
         state_bytes(impl_->shown.state) + state_bytes(impl_->asides[0].state) +
         state_bytes(impl_->asides[1].state) + state_bytes(impl_->newest.state);
}

std::string Model::describe(const trace::Event& pending) const {
  return describe_event(*this, moments() == 0 ? 0 : moments() - 1, pending);
}

std::string Model::describe(std::size_t event) const {
  return event < impl_->folded ? impl_->row(*this, event).text : std::string();
}

std::vector<std::string> Model::stack_names(std::size_t event) const {
  std::vector<std::string> names;
  const auto [state, thread] = event < impl_->folded ? impl_->thread_after(event) : ThreadThen{};
  if (thread == nullptr) return names;
  const std::vector<std::uint32_t>& stack = thread->stack;
  names.reserve(std::min(stack.size(), kMostStackNames));
  for (std::size_t i = stack.size() - std::min(stack.size(), kMostStackNames); i < stack.size(); ++i)
    names.push_back(state->contexts[stack[i]].name);
  return names;
}

const Context* Model::top_after(std::size_t event) const {
  if (event >= impl_->folded) return nullptr;
  const auto thread = impl_->tops.find(impl_->store.thread_at(event));
  const std::uint32_t top = thread == impl_->tops.end() ? kNone : thread->second.after(event);
  return top == kNone ? nullptr : &impl_->core.contexts[top];
}

std::vector<StackEntry> Model::stack_after(std::size_t event) const {
  std::vector<StackEntry> entries;
  const auto [state, thread] = event < impl_->folded ? impl_->thread_after(event) : ThreadThen{};
  if (thread == nullptr) return entries;
  const std::vector<std::uint32_t>& stack = thread->stack;
  entries.reserve(std::min(stack.size(), kMostStackNames));
  for (std::size_t i = stack.size() - std::min(stack.size(), kMostStackNames); i < stack.size(); ++i) {
    const Context& context = state->contexts[stack[i]];
    const bool ended = !context.primary && context.destroyed_at && *context.destroyed_at <= event;
    entries.push_back({context.name, !ended});
  }
  return entries;
}

std::size_t Model::stack_below(std::size_t event) const {
  const auto [state, thread] = event < impl_->folded ? impl_->thread_after(event) : ThreadThen{};
  return thread == nullptr || thread->stack.size() <= kMostStackNames
             ? 0
             : thread->stack.size() - kMostStackNames;
}

std::string Model::current_name(std::size_t event) const {
  return event < impl_->folded ? impl_->row(*this, event).current : std::string();
}

bool Model::agrees(std::size_t event) const {
  const RankBits& bits = impl_->disagreed;
  if (event >= impl_->folded) return true;
  return bits.count_before(impl_->steps_before(event + 1)) == bits.count_before(impl_->steps_before(event));
}

std::string Model::context_word(std::size_t event, std::uint64_t handle) const {
  if (handle == 0) return "null";
  if (event >= impl_->folded) return fmt::format("{:#x}", handle);
  return impl_->aside(event + 1).state.context_name(handle);
}

std::string Model::address_word(std::size_t event, std::uint64_t address) const {
  if (address == 0) return "null";
  const auto word = [address](const Allocation& allocation) {
    const std::uint64_t offset = address - allocation.address;
    return offset == 0 ? fmt::format("#{}", allocation.number)
                       : fmt::format("#{}+{}", allocation.number, offset);
  };
  if (event < impl_->folded) {
    const Moment& then = impl_->aside(event + 1);
    const State& state = then.state;
    if (const auto found = then.ledger.holding(address)) return word(*found);
    for (const Change& change : state.changes) {  // what this very call freed
      const Allocation* freed =
          change.kind == Change::Kind::Freed ? impl_->ledger.numbered(change.allocation) : nullptr;
      if (freed && address >= freed->address &&
          address - freed->address < std::max<std::uint64_t>(freed->size, 1))
        return word(*freed);
    }
    // The call that returns a variable's address is the one that adds the variable.
    for (const Change& change : state.changes)
      if (const Object* ended =
              change.kind == Change::Kind::ObjectEnded ? impl_->ledger.identified(change.object) : nullptr;
          ended && ended->id.kind == ObjectKind::AddressRange && ended->handle == address)
        return object_name(*ended);
    if (const Object* object = state.object_at(address)) {
      const std::uint64_t offset = address - object->handle;
      return offset == 0 ? object_name(*object) : fmt::format("{}+{}", object_name(*object), offset);
    }
  }
  return fmt::format("{:#x}", address);
}

std::string Model::handle_word(std::size_t event, ObjectKind kind, std::uint64_t handle) const {
  if (kind == ObjectKind::Context) return context_word(event, handle);
  if (kind == ObjectKind::Stream) {  // the two that are always there
    if (handle == 1) return "CU_STREAM_LEGACY";
    if (handle == 2) return "CU_STREAM_PER_THREAD";
  }
  if (handle == 0) return "null";
  if (event < impl_->folded) {
    const StateLedger& there = impl_->aside(event + 1).ledger;
    if (const auto alive = there.object_of(kind, handle)) return object_name(*alive);
    if (kind == ObjectKind::Function)  // a kernel may be passed as the function that it becomes
      if (const auto kernel = there.object_of(ObjectKind::Kernel, handle)) return object_name(*kernel);
    if (const Object* dead = impl_->ledger.last_of(kind, handle, event + 1)) return object_name(*dead);
  }
  return fmt::format("{:#x}", handle);
}

std::string Model::name_of(ObjectId id) const {
  if (const Object* object = impl_->ledger.identified(id)) return object_name(*object);
  return impl_->core.name_of(id);
}

const Object* Model::object(ObjectId id) const {
  return impl_->ledger.identified(id);
}

const Allocation* Model::allocation(std::uint32_t number) const {
  return impl_->ledger.numbered(number);
}

ObjectId Model::object_named(const std::string& name) const {
  const Impl& run = *impl_;
  for (std::size_t i = 0; i < run.core.contexts.size(); ++i)
    if (run.core.contexts[i].name == name && !run.core.contexts[i].hidden)
      return {ObjectKind::Context, static_cast<std::uint32_t>(i)};
  for (std::size_t kind = static_cast<std::size_t>(ObjectKind::Allocation); kind < kObjectKinds; ++kind) {
    const auto of_kind = static_cast<ObjectKind>(kind);
    for (std::uint32_t number = 1; number <= run.ledger.numbers(of_kind); ++number)
      if (name_of({of_kind, number}) == name) return {of_kind, number};
  }
  return {};
}

std::vector<Change> Model::changes(std::size_t event) const {
  if (event >= impl_->folded) return {};
  return impl_->aside(event + 1).state.changes;
}

std::optional<RunLedger::Span> Model::Impl::span(ObjectId id) const {
  if (id.kind != ObjectKind::Context) return ledger.span(id);
  if (id.number >= core.contexts.size()) return std::nullopt;
  const Context& context = core.contexts[id.number];
  // A primary context is activated and deactivated, but exists all the time; so does one whose creation was
  // not recorded.
  if (context.primary) return RunLedger::Span{0, kNeverGone};
  return RunLedger::Span{context.created_at,
                         context.destroyed_at ? std::size_t{*context.destroyed_at} : kNeverGone};
}

std::optional<Lifetime> Model::lifetime(ObjectId id) const {
  const auto span = impl_->span(id);
  if (!span) return std::nullopt;
  Lifetime lifetime{span->made, std::nullopt};
  if (span->gone != kNeverGone) lifetime.gone = span->gone;
  return lifetime;
}

Life Model::life_of(ObjectId id) const {
  const Impl& run = *impl_;
  Life life;
  life.object = id;
  life.name = name_of(id);
  std::size_t from = 0, to = run.folded;
  if (id.kind == ObjectKind::Thread) {
    for (std::size_t event = 0; event < to; ++event) {
      if (run.store.thread_at(event) != id.number) continue;
      if (!life.created) life.created = event;
      if (run.store.kind_at(event) == trace::EventKind::ThreadEnd)
        life.ended = event;
      else if (event != life.created)
        life.uses.push_back(
            {event, run.marks_before(Mark::Stack, event + 1) != run.marks_before(Mark::Stack, event)});
    }
    return life;
  }
  const auto span = run.span(id);
  if (!span && id.kind != ObjectKind::Device) return life;
  if (span && !(id.kind == ObjectKind::Context && run.core.contexts[id.number].primary)) {
    life.created = from = span->made;
    if (span->gone != kNeverGone) {
      life.ended = span->gone;
      life.ended_with_owner = true;
    }
  }
  run.scan_uses(from, to, [&](std::size_t event, const Use& use) {
    if (use.object != id) return true;
    if (event == life.ended)
      life.ended_with_owner = false;  // the call named it
    else if (event != life.created)
      life.uses.push_back({event, use.changed});
    return true;
  });
  return life;
}

std::optional<std::size_t> Model::Impl::scan_for_change(ObjectId id, std::size_t from, std::size_t to,
                                                        Direction direction) const {
  std::optional<std::size_t> found;
  const auto visit = [&](std::size_t event, const Use& use) {
    if (use.object != id || !use.changed) return true;
    found = event;
    return direction == Direction::Back;  // forward: the first is enough; back: the last of the block
  };
  if (direction == Direction::Forward) {
    scan_uses(from, to, visit);
    return found;
  }
  from = steps_before(from);
  to = steps_before(to);
  while (to > from && !found) {
    const std::size_t begin = std::max(from, (to - 1) / UseLog::kBlock * UseLog::kBlock);
    uses.scan(begin, to, [&](std::size_t step, const Use& use) { return visit(event_of(step), use); });
    to = begin;
  }
  return found;
}

std::optional<std::size_t> Model::next_change_of(ObjectId id, std::size_t moment, Direction direction) const {
  const Impl& run = *impl_;
  moment = std::min(moment, run.folded);
  const bool forward = direction == Direction::Forward;
  std::optional<std::size_t> best = forward ? run.scan_for_change(id, moment, run.folded, direction)
                                            : run.scan_for_change(id, 0, moment, direction);
  // What ended with its owner is not in the log of uses; its span has the event.
  if (const auto span = run.span(id)) {
    for (const std::size_t event : {span->made, span->gone}) {
      if (event >= run.folded || (id.kind == ObjectKind::Context && run.core.contexts[id.number].primary))
        continue;
      if (forward ? event >= moment && (!best || event < *best) : event < moment && (!best || event > *best))
        best = event;
    }
  }
  return best;
}

std::size_t Model::marks(Mark mark, std::size_t from, std::size_t to) const {
  return from >= to ? 0 : impl_->marks_before(mark, to) - impl_->marks_before(mark, from);
}

std::size_t Model::work_changes() const {
  return impl_->ledger.work_history().size();
}

Model::DatedWork Model::work_change(std::size_t index) const {
  const auto& history = impl_->ledger.work_history();
  return {history.event_at(index), history.change_at(index)};
}

}  // namespace lab
