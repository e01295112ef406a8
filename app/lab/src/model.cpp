// SPDX-License-Identifier: MIT
// The run as moments. Three things are kept: the lives of allocations and objects (RunLedger), copies of
// everything else at keyframes, and one bit for each event that says whether it changed anything else. A
// moment is then a keyframe, the marked events after it, and the rolls of allocations and objects; its last
// event is applied in full, for its changes.
#include "lab/model.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include <fmt/format.h>

#include "apply.hpp"
#include "describe.hpp"
#include "rank_bits.hpp"
#include "run_ledger.hpp"
#include "state_ledger.hpp"
#include "use_log.hpp"
#include "uses.hpp"

namespace lab {
namespace {

constexpr std::size_t kLeastBetweenKeyframes = 256;  // marked events
constexpr std::size_t kKeyframeBytesPerEvent = 48;   // a keyframe waits until the events before it pay for it
constexpr std::size_t kStepsBeforeRebuild = 32;      // going on event by event beats a fresh start up to here
constexpr std::size_t kMostRows = 4096;

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
  void give(std::uint32_t, std::uint32_t) override {}
};

std::size_t text_bytes(const std::string& text) {
  return text.capacity() > 15 ? text.capacity() + 1 : 0;  // shorter ones lie inside the object
}

std::size_t state_bytes(const State& state) {
  std::size_t total = sizeof(State) + state.devices.capacity() * sizeof(Device) +
                      state.contexts.capacity() * sizeof(Context) +
                      state.threads.capacity() * sizeof(Thread) +
                      state.allocations.capacity() * sizeof(Allocation) +
                      state.changes.capacity() * sizeof(Change) + state.objects.capacity() * sizeof(Object);
  for (const Thread& thread : state.threads)
    total += thread.stack.capacity() * sizeof(std::uint32_t) + text_bytes(thread.name);
  for (const Context& context : state.contexts) total += text_bytes(context.name);
  for (const Device& device : state.devices) total += text_bytes(device.name);
  return total;
}

struct Keyframe {
  std::size_t number = 0;
  State state;
};

// A moment that somebody looks at, and that moves on from event to event.
struct Moment {
  std::size_t number = ~std::size_t{0};
  State state;
  StateLedger ledger{state};
};

struct Row {
  std::string text;
  std::vector<std::string> stack;
  std::string current;
  bool agrees = true;
};

}  // namespace

struct Model::Impl {
  Impl(const trace::Store& s, std::uint32_t process) : store(s) {
    core.process = process;
    keyframes.push_back({0, core});
    for (Moment* moment : {&shown, &told, &newest}) moment->state.process = process;
  }

  void fold_one();
  bool marked(std::size_t event) const { return (marks[event / 64] >> (event % 64) & 1) != 0; }
  void go_to(Moment& moment, std::size_t number) const;
  void rebuild(Moment& moment, std::size_t number) const;
  const Row& row(const Model& model, std::size_t event) const;
  void mark(const trace::Event& event);
  std::optional<RunLedger::Span> span(ObjectId id) const;
  std::optional<std::size_t> scan_for_change(ObjectId id, std::size_t from, std::size_t to,
                                             Direction direction) const;

  const trace::Store& store;
  State core;  // latest, without its allocations and objects
  RunLedger ledger;
  std::size_t folded = 0;
  std::vector<std::uint64_t> marks;
  std::vector<Keyframe> keyframes;
  std::size_t marked_since = 0, keyframe_bytes = 0;
  UseLog uses;
  Uses finder;
  std::array<RankBits, kMarks> scrubber;

  mutable Moment shown, told, newest;  // for at(), for words, for latest()
  mutable std::unordered_map<std::size_t, Row> rows;
};

void Model::Impl::fold_one() {
  const std::size_t event = folded;
  const trace::Event decoded = store.at(event);
  ledger.begin(event);
  finder.before(decoded, ledger, core);
  const bool lasting = apply_event(core, ledger, decoded);
  ledger.end();
  finder.after(decoded, ledger, core);
  uses.add(finder.all());
  mark(decoded);
  core.changes.clear();
  if (marks.size() <= event / 64) marks.push_back(0);
  if (lasting) {
    marks[event / 64] |= std::uint64_t{1} << (event % 64);
    ++marked_since;
  }
  ++folded;
  if (marked_since < kLeastBetweenKeyframes) return;
  if (marked_since * kKeyframeBytesPerEvent < state_bytes(core)) return;
  keyframes.push_back({folded, core});
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
  const bool launched = event.kind == trace::EventKind::Call && event.process == core.process &&
                        event.returned && event.result == 0 &&
                        (event.name.starts_with("cuLaunch") || event.name == "cuGraphLaunch");
  set[static_cast<std::size_t>(Mark::Launch)] = launched && event.name != "cuLaunchHostFunc";
  for (std::size_t i = 0; i < kMarks; ++i) scrubber[i].push(set[i]);
}

void Model::Impl::rebuild(Moment& moment, std::size_t number) const {
  const auto after = std::partition_point(keyframes.begin(), keyframes.end(),
                                          [number](const Keyframe& frame) { return frame.number < number; });
  // The last event has to be applied in full, so the keyframe must lie before it; moment 0 has no last event.
  const Keyframe& frame = after == keyframes.begin() ? keyframes.front() : *std::prev(after);
  moment.state = frame.state;
  moment.ledger.forget();
  if (number > 0) {
    NoLedger none;
    for (std::size_t event = frame.number; event + 1 < number; ++event) {
      if (marks[event / 64] >> (event % 64) == 0) {  // nothing marked in the rest of this word
        event |= 63;
        continue;
      }
      if (marked(event)) apply_event(moment.state, none, store.at(event));
    }
    ledger.fill(moment.state, number - 1);
    moment.state.events = number - 1;
    apply_event(moment.state, moment.ledger, store.at(number - 1));
  }
  moment.number = number;
}

void Model::Impl::go_to(Moment& moment, std::size_t number) const {
  if (moment.number == number) return;
  if (moment.number > number || number - moment.number > kStepsBeforeRebuild) return rebuild(moment, number);
  for (; moment.number < number; ++moment.number)
    apply_event(moment.state, moment.ledger, store.at(moment.number));
}

const Row& Model::Impl::row(const Model& model, std::size_t event) const {
  if (const auto found = rows.find(event); found != rows.end()) return found->second;
  if (rows.size() >= kMostRows) rows.clear();
  const trace::Event decoded = store.at(event);
  go_to(told, event + 1);
  Row row;
  row.text = describe_event(model, event, decoded);
  if (const Thread* thread = decoded.process == core.process ? told.state.thread(decoded.thread) : nullptr) {
    for (const std::uint32_t context : thread->stack) row.stack.push_back(told.state.contexts[context].name);
    row.agrees = thread->agree;
    if (thread->driver_asked)
      row.current =
          thread->driver_current == kNone ? "null" : told.state.contexts[thread->driver_current].name;
  }
  return rows.emplace(event, std::move(row)).first->second;
}

Model::Model(const trace::Store& store, std::uint32_t process)
    : impl_(std::make_unique<Impl>(store, process)) {}
Model::~Model() = default;

std::uint32_t Model::process() const {
  return impl_->core.process;
}

void Model::follow() {
  follow_some(~std::size_t{0});
}

bool Model::follow_some(std::size_t most) {
  const std::size_t size = impl_->store.size();
  for (; most > 0 && impl_->folded < size; --most) impl_->fold_one();
  return impl_->folded < size;
}

std::size_t Model::moments() const {
  return impl_->folded;
}

const State& Model::at(std::size_t moment) const {
  impl_->go_to(impl_->shown, std::min(moment, impl_->folded));
  return impl_->shown.state;
}

const State& Model::latest() const {
  impl_->go_to(impl_->newest, impl_->folded);
  return impl_->newest.state;
}

const State& Model::aside(std::size_t moment) const {
  impl_->go_to(impl_->told, std::min(moment, impl_->folded));
  return impl_->told.state;
}

std::size_t Model::bytes() const {
  std::size_t bits = 0;
  for (const RankBits& bit : impl_->scrubber) bits += bit.bytes();
  return impl_->keyframe_bytes + impl_->ledger.bytes() + impl_->uses.bytes() + bits +
         impl_->marks.capacity() * sizeof(std::uint64_t) + state_bytes(impl_->core) +
         state_bytes(impl_->shown.state) + state_bytes(impl_->told.state) + state_bytes(impl_->newest.state);
}

std::string Model::describe(std::size_t event) const {
  return event < impl_->folded ? impl_->row(*this, event).text : std::string();
}

std::vector<std::string> Model::stack_names(std::size_t event) const {
  return event < impl_->folded ? impl_->row(*this, event).stack : std::vector<std::string>();
}

std::string Model::current_name(std::size_t event) const {
  return event < impl_->folded ? impl_->row(*this, event).current : std::string();
}

bool Model::agrees(std::size_t event) const {
  return event >= impl_->folded || impl_->row(*this, event).agrees;
}

std::string Model::context_word(std::size_t event, std::uint64_t handle) const {
  if (handle == 0) return "null";
  if (event >= impl_->folded) return fmt::format("{:#x}", handle);
  impl_->go_to(impl_->told, event + 1);
  return impl_->told.state.context_name(handle);
}

std::string Model::address_word(std::size_t event, std::uint64_t address) const {
  if (address == 0) return "null";
  const auto word = [address](const Allocation& allocation) {
    const std::uint64_t offset = address - allocation.address;
    return offset == 0 ? fmt::format("#{}", allocation.number)
                       : fmt::format("#{}+{}", allocation.number, offset);
  };
  if (event < impl_->folded) {
    impl_->go_to(impl_->told, event + 1);
    const State& state = impl_->told.state;
    if (const auto found = impl_->told.ledger.holding(address)) return word(*found);
    for (const Change& change : state.changes) {  // what this very call freed
      const Allocation* freed =
          change.kind == Change::Kind::Freed ? impl_->ledger.numbered(change.allocation) : nullptr;
      if (freed && address >= freed->address && address - freed->address < freed->size) return word(*freed);
    }
  }
  if (event < impl_->folded) {
    // A variable's address is handed out by the very call that makes it known.
    for (const Change& change : impl_->told.state.changes)
      if (const Object* ended =
              change.kind == Change::Kind::ObjectEnded ? impl_->ledger.identified(change.object) : nullptr;
          ended && ended->id.kind == ObjectKind::AddressRange && ended->handle == address)
        return object_name(*ended);
    if (const Object* object = impl_->told.state.object_at(address)) {
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
    impl_->go_to(impl_->told, event + 1);
    const State& state = impl_->told.state;
    if (const Object* alive = state.object_of(kind, handle)) return object_name(*alive);
    if (kind == ObjectKind::Function)  // a kernel may be passed as the function that it becomes
      if (const Object* kernel = state.object_of(ObjectKind::Kernel, handle)) return object_name(*kernel);
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
  impl_->go_to(impl_->told, event + 1);
  return impl_->told.state.changes;
}

std::optional<RunLedger::Span> Model::Impl::span(ObjectId id) const {
  if (id.kind != ObjectKind::Context) return ledger.span(id);
  if (id.number >= core.contexts.size()) return std::nullopt;
  const Context& context = core.contexts[id.number];
  // A primary comes and goes, and is there all the time; so is one that nobody saw being made.
  if (context.primary) return RunLedger::Span{0, kNeverGone};
  return RunLedger::Span{context.created_at,
                         context.destroyed_at ? std::size_t{*context.destroyed_at} : kNeverGone};
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
            {event, run.scrubber[static_cast<std::size_t>(Mark::Stack)].count_before(event + 1) !=
                        run.scrubber[static_cast<std::size_t>(Mark::Stack)].count_before(event)});
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
  run.uses.scan(from, to, [&](std::size_t event, const Use& use) {
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
    return direction == Direction::Back;  // forward the first will do, back the last of the block
  };
  if (direction == Direction::Forward) {
    uses.scan(from, to, visit);
    return found;
  }
  while (to > from && !found) {
    const std::size_t begin = std::max(from, (to - 1) / UseLog::kBlock * UseLog::kBlock);
    uses.scan(begin, to, visit);
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
  // What went with its owner is not in the log of uses; its span has the event.
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
  const RankBits& bits = impl_->scrubber[static_cast<std::size_t>(mark)];
  return from >= to ? 0 : bits.count_before(to) - bits.count_before(from);
}

}  // namespace lab
