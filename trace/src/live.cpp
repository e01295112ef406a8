// SPDX-License-Identifier: MIT
// The reader of a running program; see live.hpp for what it promises.
//
// The layout of the shared memory is wire.hpp, reading one ring consumer.hpp, the order of events merge.hpp.
// Here they come together: whose records these are, what becomes of calls that never return, and holding.
#include "trace/live.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <unordered_map>
#include <utility>

#include "api/work_times.hpp"
#include "calibration.hpp"
#include "consumer.hpp"
#include "merge.hpp"
#include "producer.hpp"
#include "store_impl.hpp"

namespace trace {
namespace {

constexpr std::uint32_t kNoNumber = 0xffffffffu;
// Nanoseconds. No write to a file is done in the first; with the others noting output costs at most a
// hundredth of the time, in the long run, and a short program has each of its calls noted.
constexpr double kShortestWrite = 60, kMarkInterval = 30'000, kMarksAtOnce = 60'000;
constexpr double kBackToBackGap = 2'000;
// A program is busy where its calls follow each other in so many nanoseconds, for so long. See wire::Header.
constexpr std::uint64_t kBusyGap = 10'000, kBusyTime = 100'000;

constexpr std::size_t kFirstDeadLook = 64;

// Ticks by which a clock read without a fence may seem to go back; what is further back is made up.
constexpr std::uint64_t kEarly = 10'000;

// What the reader keeps of one slot; all of it private memory.
struct SlotReader {
  explicit SlotReader(Consumer c) : consumer(std::move(c)) {}
  Consumer consumer;
  std::shared_ptr<ThreadOwner> owner;  // once a record of it was seen
  bool ended = false;                  // was seen as ended before its head was read
  bool held = false;
  std::uint64_t lost = 0;
  std::uint64_t last_ticks = 0;  // a thread's own order is that of its records, whatever its clock says
  // The calls that were entered and not left, outermost first: one of a library above the driver may have
  // others inside.
  std::vector<std::unique_ptr<MergeItem>> open;
  std::string stack;  // of the call that is entered next
  std::uint64_t stack_addresses = 0;
};

std::size_t depth_of(const Record& record) {
  return record.head.flags >> wire::kDepthShift;
}

}  // namespace

struct Live::Impl {
  Options options;
  int file = -1;
  std::string
      memory_path;  // by which the program opens the same memory; also right when asked in a forked child
  wire::Header* header = nullptr;
  std::uint64_t total_bytes = 0, ring_bytes = 0, clock_start = 0;
  std::size_t slot_count = 0;
  std::size_t next_dead_look = kFirstDeadLook;  // slots in use at which those of the dead are looked for
  wire::Clock clock = wire::Clock::Monotonic;
  double ns_per_tick = 1;
  std::vector<SlotReader> slots;
  MergeQueue queue;
  std::uint32_t next_thread = 1;  // 0 is the main thread's
  // By the number that the program gave it and its id; see process_of().
  std::unordered_map<std::uint64_t, std::uint32_t> process_numbers;
  std::uint32_t next_process = 1;                                                   // 0 is the program itself
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> thread_numbers;  // by process, system's id
  bool first_process_seen = false;
  std::uint64_t header_lost = 0;
  std::uint64_t damaged = 0, dropped = 0;  // dropped: for want of memory
  std::uint64_t next_report = 1;           // of `dropped`: not at each of a million
  std::uint64_t last_marks[2] = {};
  std::uint32_t busy_looks = 0;
  std::uint64_t counted_since = 0, counted = 0;  // nanoseconds; calls since then
  OnModule on_module;
  Annotate annotate;
  Frames frames;
  struct Place {
    std::string_view file;
    std::uint32_t line = 0;
  };
  std::unordered_map<std::uint64_t, Place> places;

  ~Impl() {
    if (header != nullptr) munmap(header, total_bytes);
    if (file >= 0) close(file);
  }

  bool open_memory(std::string* error);
  wire::Slot& slot(std::size_t index) { return wire::slots_of(header)[index]; }
  void read_slot(std::size_t index, std::uint64_t sure, std::uint64_t end, std::uint64_t& bound);
  void take(std::size_t index, const Record& record);
  void take_enter(std::size_t index, const Record& record);
  void take_leave(SlotReader& reader, const Record& record);
  void take_plain(std::size_t index, const Record& record);
  void give_up_open(SlotReader& reader, std::size_t down_to = 0);
  void complete(SlotReader& reader);
  void take_new_slots();
  std::size_t free_dead_slots();
  void look_for_dead(std::uint32_t wanted);
  void note_look(std::size_t found);
  std::size_t emit_stack(Store& store, MergeItem& item);
  std::size_t emit(Store& store, MergeItem& item, const BeforeCall& before_call);
  bool has_room(const Store& store, const RawCall& call) const;
  std::uint64_t more_lost(std::uint64_t lost, std::uint64_t& seen) const;
  std::size_t report_lost(Store& store, bool last = false);
  void find_place(RawCall& call);
  std::uint32_t process_of(const wire::Slot& owned);
  std::uint32_t number_of(ThreadOwner& owner);
  void emit_work_times(Store& store, const MergeItem& item);
  void wake(std::size_t index);
  std::uint64_t ns_of(std::uint64_t ticks) const {
    if (ticks <= clock_start) return 0;
    return static_cast<std::uint64_t>(static_cast<double>(ticks - clock_start) * ns_per_tick);
  }
};

bool Live::Impl::open_memory(std::string* error) {
  const auto fail = [error] {
    if (error != nullptr) *error = std::strerror(errno);
    return false;
  };
  slot_count = std::clamp<std::size_t>(options.most_threads, 1, wire::kSlots);
  total_bytes = wire::ring_offset(slot_count, ring_bytes);
  // Without a name nothing is left behind however the lab ends; sealed, so that the program cannot make a
  // look at it end in SIGBUS by shrinking it. Pages come into being where they are touched.
  file = memfd_create("driverlab-trace", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return fail();
  memory_path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file);
  if (ftruncate(file, static_cast<off_t>(total_bytes)) != 0) return fail();
  if (fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) return fail();
  void* memory = mmap(nullptr, total_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (memory == MAP_FAILED) return fail();
  header = new (memory) wire::Header{};
  clock = wire::best_clock();
  ns_per_tick = nanoseconds_per_tick(clock);
  clock_start = wire::ticks(clock);
  header->magic = wire::kMagic;
  header->version = wire::kWireVersion;
  header->slots = static_cast<std::uint32_t>(slot_count);
  header->ring_bytes = ring_bytes;
  header->ring_offset = wire::kRingsOffset;
  header->total_bytes = total_bytes;
  header->clock = clock;
  header->clock_start = clock_start;
  header->reader_pid = static_cast<std::uint32_t>(getpid());
  header->reader_start = wire::process_start_time(header->reader_pid);
  struct stat space = {};
  header->pid_space = stat("/proc/self/ns/pid", &space) == 0 ? space.st_ino : 0;
  header->hold.store(options.hold ? 1 : 0);
  header->mark_output.store(options.mark_output ? 1 : 0);
  header->stacks.store(options.stacks ? 1 : 0);
  const auto ticks_of = [this](double ns) { return static_cast<std::uint64_t>(ns / ns_per_tick); };
  header->mark_gap = options.mark_output ? ticks_of(kShortestWrite) : ~std::uint64_t{0};
  header->mark_interval = ticks_of(kMarkInterval);
  header->back_to_back_gap = ticks_of(kBackToBackGap);
  header->mark_burst = ticks_of(kMarkInterval * kMarksAtOnce);
  return true;
}

Live::Live() : impl_(std::make_unique<Impl>()) {}
Live::~Live() {
  if (impl_->header != nullptr) hold_all(false);  // a program that outlives us must not wait for us
}

std::unique_ptr<Live> Live::create(const Options& options, std::string* error) {
  std::unique_ptr<Live> live(new Live);
  Impl& impl = *live->impl_;
  impl.options = options;
  impl.ring_bytes = 1 << 16;  // at least; records must fit well
  while (impl.ring_bytes < options.ring_bytes && impl.ring_bytes < (1u << 28)) impl.ring_bytes *= 2;
  if (!impl.open_memory(error)) return nullptr;
  return live;
}

std::vector<std::pair<std::string, std::string>> Live::environment() const {
  std::string path = impl_->options.tracer.string();
  for (const auto& folder : impl_->options.libraries) path += ":" + folder.string();
  const char* old = std::getenv("LD_LIBRARY_PATH");
  if (old != nullptr && *old != '\0') path += std::string(":") + old;
  std::string folders;
  for (const auto& folder : impl_->options.toolkit_path)
    folders += (folders.empty() ? "" : ":") + folder.string();
  std::vector<std::pair<std::string, std::string>> variables = {
      {"LD_LIBRARY_PATH", path},
      {"DRIVERLAB_BACKEND", impl_->options.backend.string()},
      {"DRIVERLAB_TOOLKIT", impl_->options.toolkit.string()},
      {"DRIVERLAB_TOOLKIT_PATH", folders},
      {"DRIVERLAB_TRACE", impl_->memory_path}};
  if (!impl_->options.preload) return variables;
  std::string preload = (impl_->options.tracer / "libcuda.so.1").string();
  for (const std::string& name : impl_->options.preload_names)
    preload += ":" + (impl_->options.tracer / name).string();
  preload += ":" + (impl_->options.tracer / "libdriverlab_preload.so").string();
  const char* before = std::getenv("LD_PRELOAD");
  if (before != nullptr && *before != '\0') preload += std::string(":") + before;
  variables.emplace_back("LD_PRELOAD", preload);
  return variables;
}

void Live::set_on_module(OnModule on_module) {
  impl_->on_module = std::move(on_module);
}
void Live::set_annotate(Annotate annotate) {
  impl_->annotate = std::move(annotate);
}

void Live::set_frames(Frames frames) {
  impl_->frames = std::move(frames);
}

void Live::Impl::take_enter(std::size_t index, const Record& record) {
  SlotReader& reader = slots[index];
  give_up_open(reader, depth_of(record));  // left without returning, by longjmp or an exception
  auto item = queue.make();
  item->owner = reader.owner;
  item->entered = record.head.ticks;
  item->call.function = record.head.function;
  if (reader.open.empty()) {
    item->text = std::exchange(reader.stack, {});
    item->number = reader.stack_addresses;
  }
  item->call.address = record.value;
  if (!reader.open.empty()) {
    const RawCall& around = reader.open.back()->call;
    item->call.depth = static_cast<std::uint8_t>(reader.open.size());
    item->call.around = around.function;
    item->call.address = around.address;  // the place in the program is that of what it called
  }
  item->marked = (record.head.flags & wire::kHasMarks) != 0;
  std::memcpy(item->marks, record.marks, sizeof item->marks);
  item->call.words.resize(record.words.size() / 8);
  if (!record.words.empty()) {
    std::memcpy(item->call.words.data(), record.words.data(), record.words.size());
  }
  item->before_bytes.assign(record.items.begin(), record.items.end());
  SideDataReader items(item->before_bytes);
  for (SideData side; items.next(side);) item->call.before.push_back(side);
  reader.open.push_back(std::move(item));
}

// The innermost open call is over.
void Live::Impl::complete(SlotReader& reader) {
  std::unique_ptr<MergeItem> item = std::move(reader.open.back());
  reader.open.pop_back();
  if (!reader.open.empty()) {
    std::uint64_t& last = reader.open.back()->last_inside;
    last = std::max(last, item->ticks);
  }
  queue.add(std::move(item));
}

void Live::Impl::take_leave(SlotReader& reader, const Record& record) {
  const std::size_t depth = depth_of(record);
  if (reader.open.size() <= depth) return;  // overwritten memory: a leave without its enter is ignored
  give_up_open(reader, depth + 1);
  MergeItem* const item = reader.open.back().get();
  item->ticks = record.head.ticks;
  item->call.result = static_cast<std::int32_t>(record.value);
  if ((record.head.flags & wire::kHasCurrent) != 0) item->call.current = record.current;
  item->after_bytes.assign(record.items.begin(), record.items.end());
  SideDataReader items(item->after_bytes);
  for (SideData side; items.next(side);) item->call.after.push_back(side);
  complete(reader);
}

void Live::Impl::take_plain(std::size_t index, const Record& record) {
  auto item = queue.make();
  item->owner = slots[index].owner;
  item->ticks = item->entered = record.head.ticks;
  item->text = record.text;
  item->number = record.value;
  switch (record.head.kind) {
    case wire::RecordKind::ThreadStart:
      item->kind = EventKind::ThreadStart;
      item->number = 0;
      break;
    case wire::RecordKind::ThreadEnd:
      item->kind = EventKind::ThreadEnd;
      item->number = 0;
      break;
    case wire::RecordKind::ProcessStart:
      item->kind = EventKind::ProcessStart;
      break;
    case wire::RecordKind::WorkTimes:
      item->kind = EventKind::Output;  // none of its own: it is no event
      item->work_times = true;
      break;
    default:
      item->kind = EventKind::ModuleMapped;
  }
  queue.add(std::move(item));
}

void Live::Impl::take(std::size_t index, const Record& record) {
  SlotReader& reader = slots[index];
  switch (record.head.kind) {
    case wire::RecordKind::Enter:
      return take_enter(index, record);
    case wire::RecordKind::Leave:
      return take_leave(reader, record);
    case wire::RecordKind::Resume:
      if (!reader.open.empty()) reader.open.back()->entered = record.head.ticks;
      return;
    case wire::RecordKind::Stack:
      reader.stack = record.text;
      reader.stack_addresses = std::min<std::uint64_t>(record.value, record.text.size() / 8);
      return;
    default:
      return take_plain(index, record);
  }
}

// Calls that never returned, as many as lie deeper than `down_to`.
void Live::Impl::give_up_open(SlotReader& reader, std::size_t down_to) {
  while (reader.open.size() > down_to) {
    MergeItem& item = *reader.open.back();
    item.call.returned = false;
    item.ticks = std::max(item.entered, item.last_inside);
    complete(reader);
  }
}

// Reads slot `index` up to `end`. Items at or before `sure` raise the bound up to which events may be
// emitted.
void Live::Impl::read_slot(std::size_t index, std::uint64_t sure, std::uint64_t end, std::uint64_t& bound) {
  SlotReader& reader = slots[index];
  if (reader.owner == nullptr && reader.consumer.taken() != end) {
    const wire::Slot& owned = slot(index);
    reader.owner =
        std::make_shared<ThreadOwner>(ThreadOwner{kNoNumber, process_of(owned), owned.process, owned.thread});
  }
  const std::uint64_t begin = reader.consumer.taken();
  Record record;
  for (;;) {
    const Consumer::Outcome outcome = reader.consumer.next(end, record);
    if (outcome == Consumer::Outcome::Empty) break;
    if (outcome == Consumer::Outcome::Damaged) {
      ++damaged;
      break;
    }
    if (reader.last_ticks - record.head.ticks < kEarly) record.head.ticks = reader.last_ticks;
    reader.last_ticks = record.head.ticks;
    take(index, record);
    if (reader.consumer.taken() - begin <= sure - begin) bound = std::max(bound, record.head.ticks);
  }
  // A thread that was given a permit is as good as running; see the order in Producer::wait_while_held.
  const bool may_run = slot(index).permits.load(std::memory_order_seq_cst) != 0;
  // Not before all of its events are emitted; those after the first look are not emitted yet.
  reader.held = end == sure && !reader.open.empty() && !may_run &&
                slot(index).held.load(std::memory_order_seq_cst) != 0;
  reader.consumer.release();
  if (!reader.ended) return;
  give_up_open(reader);
  reader.owner = nullptr;
  reader.ended = false;
  reader.last_ticks = 0;
  reader.consumer.restart();
  wire::Slot& freed = slot(index);
  freed.permits.store(0);
  freed.process = freed.thread = 0;  // without an owner, until the next one writes its own ids
  freed.state.store(wire::SlotState::Free, std::memory_order_release);
  std::uint32_t first = header->first_free.load();
  while (index < first &&
         !header->first_free.compare_exchange_weak(first, static_cast<std::uint32_t>(index))) {
  }
  header->slots_freed.fetch_add(1);
}

void Live::Impl::take_new_slots() {
  const std::size_t used = std::min<std::size_t>(header->slots_used.load(), slot_count);
  while (slots.size() < used) {
    const std::size_t i = slots.size();
    slots.emplace_back(
        Consumer(&slot(i), wire::ring_of(header, i, ring_bytes), wire::ring_bytes_of(i, ring_bytes)));
  }
}

// Marks slots of threads that did not report their end as ended: threads of ended processes (the end of a
// main thread is the end of its process), and threads that exec ended. Returns how many slots are then in
// use.
std::size_t Live::Impl::free_dead_slots() {
  if (access("/proc/self", F_OK) != 0) return slots.size();
  std::unordered_map<std::uint32_t, bool> processes;  // whether they live
  std::size_t taken = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    wire::Slot& one = slot(i);
    if (one.state.load(std::memory_order_acquire) != wire::SlotState::Claimed) continue;
    ++taken;
    const std::uint32_t process = one.process, thread = one.thread;
    if (process == 0 || thread == 0 || one.other_space != 0) continue;
    const std::string path = "/proc/" + std::to_string(process);
    const auto [lives, fresh] = processes.try_emplace(process, false);
    if (fresh) lives->second = access(path.c_str(), F_OK) == 0;
    if (lives->second && access((path + "/task/" + std::to_string(thread)).c_str(), F_OK) == 0) continue;
    // Only if it is still the one that was looked up: another may have claimed it since.
    wire::SlotState claimed = wire::SlotState::Claimed;
    if (one.process == process && one.thread == thread)
      one.state.compare_exchange_strong(claimed, wire::SlotState::Ended);
    --taken;
  }
  return taken;
}

// Where a thread waits for a slot, and each time that many more are in use.
void Live::Impl::look_for_dead(std::uint32_t wanted) {
  if (wanted == header->slots_looked.load() && slots.size() < next_dead_look) return;
  next_dead_look = std::max(slots.size(), 2 * free_dead_slots()) + kFirstDeadLook;
}

// The program counts its processes in memory that it can overwrite. So its numbers only tell processes apart,
// together with their ids, and events have the numbers in which the processes appear here.
std::uint32_t Live::Impl::process_of(const wire::Slot& owned) {
  const std::uint32_t given = owned.process_number, id = owned.process;
  const auto [place, fresh] = process_numbers.try_emplace(std::uint64_t{given} << 32 | id, 0);
  if (fresh && (given != 0 || std::exchange(first_process_seen, true))) place->second = next_process++;
  return place->second;
}

std::uint32_t Live::Impl::number_of(ThreadOwner& owner) {
  if (owner.number == kNoNumber) {
    const bool main_thread = owner.process == 0 && owner.thread_id == owner.process_id;
    owner.number = main_thread ? 0 : next_thread++;
    thread_numbers[{owner.process, owner.thread_id}] = owner.number;
  }
  return owner.number;
}

void Live::Impl::find_place(RawCall& call) {
  if (!annotate) return;
  const std::uint64_t key = call.address ^ (std::uint64_t{call.process} << 48);
  const auto [place, fresh] = places.try_emplace(key);
  if (fresh) {
    std::string name;
    annotate(call.address, name, place->second.line);
    place->second.file = intern(name);
  }
  call.file = place->second.file;
  call.line = place->second.line;
}

// The event directly before the call.
std::size_t Live::Impl::emit_stack(Store& store, MergeItem& item) {
  if (item.text.empty() || !frames) return 0;
  std::vector<std::uint64_t> addresses(item.number);
  std::memcpy(addresses.data(), item.text.data(), addresses.size() * 8);
  std::string source;
  std::uint32_t line = 0;
  Event event;
  event.kind = EventKind::Stack;
  event.process = item.call.process;
  event.thread = item.call.thread;
  event.t_ns = item.call.t_ns;
  event.text = frames(addresses, std::string_view(item.text).substr(addresses.size() * 8), source, line);
  store.append(event);
  if (source.empty()) return 1;
  item.call.file = intern(source);
  item.call.line = line;
  return 1;
}

// The record's own time, which both clocks know, ties the driver's clock to that of the calls.
void Live::Impl::emit_work_times(Store& store, const MergeItem& item) {
  const std::uint64_t here = ns_of(item.ticks);
  const auto at = [&](std::uint64_t driver_ns) {
    const std::uint64_t before = item.number - std::min(item.number, driver_ns);
    return here - std::min(here, before);
  };
  for (std::size_t place = 0; place + sizeof(api::WorkTime) <= item.text.size();
       place += sizeof(api::WorkTime)) {
    api::WorkTime seen;
    std::memcpy(&seen, item.text.data() + place, sizeof seen);
    const auto thread = thread_numbers.find({item.owner->process, static_cast<std::uint32_t>(seen.thread)});
    if (thread == thread_numbers.end()) continue;
    WorkTime time{thread->second, at(seen.enqueued), at(seen.began), at(seen.ended)};
    time.began = std::max(time.began, time.enqueued);
    time.ended = std::max(time.ended, time.began);
    store.append(time);
  }
}

std::size_t Live::Impl::emit(Store& store, MergeItem& item, const BeforeCall& before_call) {
  ThreadOwner& owner = *item.owner;
  if (item.work_times) return emit_work_times(store, item), 0;
  if (item.kind == EventKind::Call) {
    RawCall& call = item.call;
    call.thread = number_of(owner);
    call.process = owner.process;
    call.t_ns = ns_of(item.entered);
    const std::uint64_t left = ns_of(item.ticks);
    call.dur_ns = call.returned && left > call.t_ns ? left - call.t_ns : 0;
    if (!has_room(store, call)) {
      ++dropped;
      return 0;
    }
    find_place(call);
    if (item.marked && before_call) {
      for (int i = 0; i < 2; ++i) {
        if (item.marks[i] != wire::kUnknownMark) last_marks[i] = item.marks[i];
      }
      before_call(last_marks[0], last_marks[1]);
    }
    const std::size_t stacks = emit_stack(store, item);
    store.impl().append(call);
    return 1 + stacks;
  }
  Event event;
  event.kind = item.kind;
  event.process = owner.process;
  event.t_ns = ns_of(item.ticks);
  event.text = item.text;
  event.number = item.number;
  const bool of_thread = item.kind == EventKind::ThreadStart || item.kind == EventKind::ThreadEnd;
  if (of_thread) event.thread = number_of(owner);
  if (item.kind == EventKind::ModuleMapped) {
    places.clear();
    if (on_module) on_module(item.text, item.number);
  }
  store.append(event);
  return 1;
}

bool Live::Impl::has_room(const Store& store, const RawCall& call) const {
  if (options.most_bytes == 0) return true;
  // A store takes its first MiB with its first event: less than two would keep nothing at all.
  const std::size_t given = std::max(options.most_bytes, std::size_t{2} << 20);
  const std::size_t most = given + (call.current ? given / 4 : 0);
  return store.bytes() < most;
}

// By how much the program's count of lost calls has grown. The program may have overwritten it: a count that
// grows faster than by one a nanosecond is not real, and counts as one lost call.
std::uint64_t Live::Impl::more_lost(std::uint64_t lost, std::uint64_t& seen) const {
  const std::uint64_t more = lost - seen;
  if (more == ~std::uint64_t{0}) return 0;  // read before the program corrected it: it was not a call
  seen = lost;
  return more <= ns_of(wire::ticks(clock)) ? more : 1;
}

std::size_t Live::Impl::report_lost(Store& store, bool last) {
  std::uint64_t fresh = more_lost(header->lost.load(std::memory_order_relaxed), header_lost);
  for (std::size_t i = 0; i < slots.size(); ++i)
    fresh += more_lost(slot(i).lost.load(std::memory_order_relaxed), slots[i].lost);
  fresh += damaged;
  damaged = 0;
  if (dropped >= next_report || (last && dropped > 0)) {
    fresh += dropped;
    next_report = std::max<std::uint64_t>(next_report, dropped) * 2;
    dropped = 0;
  }
  if (fresh == 0) return 0;
  Event event;
  event.kind = EventKind::Lost;
  event.number = fresh;
  event.t_ns = ns_of(wire::ticks(clock));
  store.append(event);
  return 1;
}

std::size_t Live::poll(Store& store, const BeforeCall& before_call) {
  Impl& impl = *impl_;
  impl.take_new_slots();
  const std::uint32_t wanted = impl.header->slots_wanted.load();
  impl.look_for_dead(wanted);
  // What was published when the first look was taken may be emitted, and with it everything that completed
  // earlier: a cause is published before its effect, so a second look after the first one finds it.
  std::vector<std::uint64_t> sure(impl.slots.size());
  for (std::size_t i = 0; i < sure.size(); ++i) {
    impl.slots[i].ended |= impl.slot(i).state.load(std::memory_order_acquire) == wire::SlotState::Ended;
    sure[i] = impl.slots[i].consumer.published();
  }
  // The cause may be the first record of a thread that is newer than the first look: slots are looked for
  // again.
  impl.take_new_slots();
  while (sure.size() < impl.slots.size()) sure.push_back(impl.slots[sure.size()].consumer.taken());
  std::vector<std::uint64_t> end(impl.slots.size());
  for (std::size_t i = 0; i < end.size(); ++i) {
    end[i] = impl.slots[i].ended ? sure[i] : impl.slots[i].consumer.published();
  }
  std::uint64_t bound = 0;
  for (std::size_t i = 0; i < end.size(); ++i) impl.read_slot(i, sure[i], end[i], bound);
  std::size_t appended = 0;
  impl.queue.drain(bound, [&](MergeItem& item) { appended += impl.emit(store, item, before_call); });
  impl.note_look(appended);
  if (wanted != impl.header->slots_looked.load()) impl.header->slots_looked.store(wanted);
  return appended + impl.report_lost(store);
}

void Live::Impl::note_look(std::size_t found) {
  const std::uint64_t now = wire::monotonic_ns(), time = now - counted_since;
  counted += found;
  if (found != 0 && time < kBusyTime) return;  // after none, the next look may be far away
  const bool busy = found != 0 && counted * kBusyGap >= time && !options.hold;
  counted_since = now;
  counted = 0;
  if (busy && ++busy_looks == 0) busy_looks = 1;
  header->busy_look.store(busy ? busy_looks : 0, std::memory_order_relaxed);
}

std::vector<Pending> Live::pending() const {
  std::vector<Pending> all;
  for (SlotReader& reader : impl_->slots) {
    if (reader.open.empty()) continue;
    RawCall& call = reader.open.back()->call;
    call.returned = false;
    call.thread = impl_->number_of(*reader.owner);
    call.process = reader.owner->process;
    call.t_ns = impl_->ns_of(reader.open.back()->entered);
    impl_->find_place(call);
    Pending pending{call.thread, reader.held, {}};
    decode_frame(call, pending.call);
    decode_call(call, pending.call);
    call.returned = true;
    all.push_back(std::move(pending));
  }
  return all;
}

void Live::Impl::wake(std::size_t index) {
  slot(index).gate.fetch_add(1, std::memory_order_release);
  wire::futex_wake(slot(index).gate);
}

void Live::hold_all(bool hold) {
  for (std::size_t i = 0; i < impl_->slots.size(); ++i) impl_->slot(i).permits.store(0);
  impl_->options.hold = hold;
  if (hold) impl_->header->busy_look.store(0, std::memory_order_relaxed);
  impl_->header->hold.store(hold ? 1 : 0, std::memory_order_seq_cst);
  const std::size_t used = std::min<std::size_t>(impl_->header->slots_used.load(), impl_->slot_count);
  for (std::size_t i = 0; i < used; ++i) impl_->wake(i);
}

bool Live::holding() const {
  return impl_->options.hold;
}

void Live::step(std::uint32_t thread) {
  for (std::size_t i = 0; i < impl_->slots.size(); ++i) {
    SlotReader& reader = impl_->slots[i];
    if (reader.open.empty() || reader.owner->number != thread || impl_->slot(i).held.load() == 0) continue;
    reader.held = false;  // until the next poll says otherwise
    impl_->slot(i).permits.store(1);
    impl_->wake(i);
  }
}

std::size_t Live::finish(Store& store, const BeforeCall& before_call) {
  std::size_t appended = poll(store, before_call);
  const auto emit = [&](MergeItem& item) { appended += impl_->emit(store, item, before_call); };
  impl_->queue.drain(~std::uint64_t{0}, emit);
  for (SlotReader& reader : impl_->slots) impl_->give_up_open(reader);
  impl_->queue.drain(~std::uint64_t{0}, emit);
  return appended + impl_->report_lost(store, true);
}

}  // namespace trace
