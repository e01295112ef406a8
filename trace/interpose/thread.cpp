// SPDX-License-Identifier: MIT
// See thread.hpp. Runs in any program, perhaps before main: no exceptions, no lock that a fork could
// leave locked, no descriptor kept open, errno untouched.
#include "thread.hpp"

#include <link.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cstdio>

#include "back_end.hpp"

namespace trace::interpose {

thread_local constinit Thread this_thread __attribute__((tls_model("initial-exec"))){};

namespace {
constinit std::uint32_t never = 0;
}
// Beside each other, because every call reads all three.
#define READ_TOGETHER __attribute__((section(".data.driverlab_read_together")))
alignas(64) READ_TOGETHER std::uint32_t* process_epoch = &never;
READ_TOGETHER wire::Header* header = nullptr;
READ_TOGETHER wire::Clock clock_kind = wire::Clock::Monotonic;
#undef READ_TOGETHER

namespace {

constexpr std::uint32_t kJoining = 0xffffffffu;
constexpr std::size_t kModulesAtFirst = 512;
constexpr std::uint64_t kMarkShare =
    1000;  // of the time, at most one part of so many goes into notes of output
pthread_key_t thread_end_key;
bool has_key = false;
std::atomic<std::uint32_t> modules_lock{0};
std::uint64_t image = 0;  // of this program; see wire::Slot
// By address. Never freed when there is a larger list: a thread that the fork did not copy may have been
// reading it.
Range first_modules[kModulesAtFirst];
Range* known_modules = first_modules;
std::size_t known_module_count = 0, known_module_room = kModulesAtFirst;

// Runs when a thread ends, after its C++ thread_local objects are gone.
void end_thread(void*) {
  Thread& thread = this_thread;
  thread.over = true;
  thread.ready = Thread::kNotReady;
  if (!thread.producer.attached() || thread.epoch != *process_epoch) return;  // of the parent, before fork
  if (thread.started) write_plain(wire::RecordKind::ThreadEnd, 0, nullptr, 0);
  wire::Slot& slot = thread.producer.slot();
  thread.producer.detach();
  slot.state.store(wire::SlotState::Ended, std::memory_order_release);
}

void write_process_start() {
  char line[wire::kSideBytes];
  std::size_t length = 0;
  const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    const ssize_t got = read(file, line, sizeof line);
    close(file);
    if (got > 0) length = static_cast<std::size_t>(got);
  }
  while (length > 0 && line[length - 1] == '\0') --length;
  for (std::size_t i = 0; i < length; ++i) {
    if (line[i] == '\0') line[i] = ' ';
  }
  write_plain(wire::RecordKind::ProcessStart, static_cast<std::uint64_t>(getpid()), line, length);
}

// 1 where the reader's ids of processes are others than ours. A forked child may be in a space of its own.
std::uint32_t other_space() {
  struct stat about = {};
  return stat("/proc/self/ns/pid", &about) == 0 && about.st_ino == header->pid_space ? 0 : 1;
}

// Gives this process its number, once: true for the thread that did. Several threads of a forked child may
// get here together.
bool join_process() {
  std::atomic_ref<std::uint32_t> epoch(*process_epoch);
  std::uint32_t seen = 0;
  if (epoch.compare_exchange_strong(seen, kJoining)) {
    modules_lock.store(0);  // may be held by a thread that the fork did not copy
    // The program may have overwritten the count: the number must be none of the values that mean something
    // else, here and in Thread::ready.
    const std::uint32_t number = header->processes.fetch_add(1) % (Thread::kNotReady - 1);
    epoch.store(number + 1, std::memory_order_release);
    return true;
  }
  while (epoch.load(std::memory_order_acquire) == kJoining) sched_yield();
  return false;
}

// Notes which files stdout and stderr of the first process are; marks of anything else mean nothing.
void identify_output() {
  for (int i = 0; i < 2; ++i) {
    struct stat about = {};
    if (fstat(i + 1, &about) != 0 || !S_ISREG(about.st_mode)) continue;
    header->output_device[i].store(about.st_dev);
    header->output_inode[i].store(about.st_ino);
  }
}

bool map_memory(const char* path) {
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  struct stat about = {};
  void* memory = MAP_FAILED;
  std::size_t bytes = 0;
  if (fstat(file, &about) == 0 && static_cast<std::size_t>(about.st_size) >= wire::kRingsOffset) {
    bytes = static_cast<std::size_t>(about.st_size);
    memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  }
  close(file);
  if (memory == MAP_FAILED) return false;
  auto* candidate = static_cast<wire::Header*>(memory);
  if (candidate->magic != wire::kMagic || candidate->version != wire::kWireVersion ||
      candidate->total_bytes != bytes || candidate->slots > wire::kSlots ||
      wire::ring_offset(candidate->slots, candidate->ring_bytes) != bytes) {
    munmap(memory, bytes);
    return false;
  }
  header = candidate;
  clock_kind = candidate->clock;
  return true;
}

// After exec, the threads of the former program are gone without having freed their slots.
void identify_image() {
  const unsigned long random = getauxval(AT_RANDOM);  // 16 bytes that the kernel draws for each exec
  if (random != 0) std::memcpy(&image, std::bit_cast<const void*>(random), sizeof image);
  const auto process = static_cast<std::uint32_t>(getpid());
  const std::size_t used = std::min<std::size_t>(header->slots_used.load(), header->slots);
  for (std::size_t i = 0; i < used; ++i) {
    wire::Slot& slot = wire::slots_of(header)[i];
    wire::SlotState claimed = wire::SlotState::Claimed;
    if (slot.state.load(std::memory_order_acquire) == claimed && slot.process == process &&
        slot.image != image && slot.other_space == other_space())
      slot.state.compare_exchange_strong(claimed, wire::SlotState::Ended);
  }
}

__attribute__((constructor)) void attach_process() {
  const char* path = getenv("DRIVERLAB_TRACE");
  if (path == nullptr || *path == '\0') return;
  const int saved = errno;
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED && madvise(page, 4096, MADV_WIPEONFORK) == 0 && map_memory(path)) {
    has_key = pthread_key_create(&thread_end_key, end_thread) == 0;
    process_epoch = static_cast<std::uint32_t*>(page);
    if (header->mark_output.load(std::memory_order_relaxed) != 0) {
      setvbuf(stdout, nullptr, _IOLBF, 0);
      if (header->processes.load() == 0) identify_output();
    }
    identify_image();
    attach_thread();
  } else {
    fprintf(stderr, "driverlab: cannot join the trace at %s; this program runs untraced\n", path);
  }
  errno = saved;
}

struct Search {
  std::uintptr_t address;
  Range range;
  std::uint64_t bias;
  char path[1024];
};

int match_module(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    const std::uintptr_t low = info->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || search.address - low >= part.p_memsz) continue;
    search.range = {low, part.p_memsz};
    search.bias = info->dlpi_addr;
    std::strncpy(search.path, info->dlpi_name, sizeof search.path - 1);
    return 1;
  }
  return 0;
}

// A slot for the calling thread; kSlots when so many threads live. Those of threads and processes that have
// ended are free once the reader has seen it: it is asked to look, and that is waited for, as for room in a
// ring, but not again after the reader has failed to react.
std::size_t find_slot(bool patient) {
  static std::atomic<bool> reader_stands{false};
  const std::uint64_t begin = wire::monotonic_ns();
  std::uint32_t wish = 0;
  for (bool looked = false;;) {
    const std::size_t index = wire::claim_slot(header);
    if (index != wire::kSlots) {
      reader_stands.store(false, std::memory_order_relaxed);
      return index;
    }
    if (!patient || looked || reader_stands.load(std::memory_order_relaxed)) return wire::kSlots;
    if (wish == 0) wish = header->slots_wanted.fetch_add(1) + 1;
    looked = static_cast<std::int32_t>(header->slots_looked.load() - wish) >= 0;
    if (looked) continue;  // once more
    if (wire::monotonic_ns() - begin > header->standstill_ns || !wire::reader_alive(*header))
      reader_stands.store(true, std::memory_order_relaxed);
    usleep(500);
  }
}

}  // namespace

void write_plain(wire::RecordKind kind, std::uint64_t value, const char* text, std::size_t text_bytes) {
  wire::Producer& producer = this_thread.producer;
  const std::size_t bytes = sizeof(wire::PlainRecord) + wire::round_up(text_bytes);
  std::byte* at = producer.reserve(bytes);
  if (at == nullptr) return producer.lost_no_call();
  wire::PlainRecord record{};
  record.head.units = static_cast<std::uint16_t>(bytes / 8);
  record.head.kind = kind;
  record.head.ticks = wire::ticks(clock_kind);
  record.value = value;
  record.text_bytes = text_bytes;
  std::memcpy(at, &record, sizeof record);
  if (text_bytes != 0) std::memcpy(at + sizeof record, text, text_bytes);
  producer.publish(bytes);
}

void attach_thread(bool patient) {
  const int saved = errno;
  Thread& thread = this_thread;
  std::atomic_ref<std::uint32_t> epoch(*process_epoch);
  const bool new_process = join_process();
  thread.producer.detach();
  thread.started = false;
  thread.epoch = epoch.load(std::memory_order_acquire);
  thread.module = thread.other_module = {};
  if (!thread.over) {
    thread.slots_freed = header->slots_freed.load();
    if (const std::size_t index = find_slot(patient); index != wire::kSlots) {
      wire::Slot& slot = wire::slots_of(header)[index];
      slot.process_number = thread.epoch - 1;
      slot.process = static_cast<std::uint32_t>(getpid());
      slot.thread = static_cast<std::uint32_t>(syscall(SYS_gettid));
      slot.image = image;
      slot.other_space = other_space();
      thread.producer.attach(header, index, header->ring_bytes);
      if (has_key) pthread_setspecific(thread_end_key, header);
      if (new_process) write_process_start();
    }
  }
  errno = saved;
}

void start_thread() {
  const int saved = errno;
  this_thread.started = true;
  char name[16] = {};
  const bool main_thread = getpid() == syscall(SYS_gettid);
  // A main thread has the name of its program unless the program renamed it; that name is of no use.
  if (main_thread || pthread_getname_np(pthread_self(), name, sizeof name) != 0) name[0] = '\0';
  write_plain(wire::RecordKind::ThreadStart, 0, name, std::strlen(name));
  errno = saved;
}

std::byte* lost_end(Thread& thread) {
  thread.producer.lost_no_call();
  return nullptr;
}

bool make_ready(std::uintptr_t address) {
  Thread& thread = this_thread;
  if (header == nullptr) return false;
  if (thread.ready == Thread::kInside) {
    if (!comes_from_driver(address)) header->lost.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  thread.step_inside();
  if (thread.epoch != *process_epoch)
    attach_thread();
  else if (!thread.producer.attached() && !thread.over && thread.slots_freed != header->slots_freed.load())
    attach_thread(false);
  if (!thread.producer.attached()) {
    thread.ready = Thread::kNotReady;
    header->lost.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  if (!thread.started) start_thread();
  thread.ready = thread.epoch;
  return true;
}

namespace {

// Needs the lock. The first module that begins after the address.
Range* module_behind(std::uintptr_t address) {
  return std::upper_bound(known_modules, known_modules + known_module_count, address,
                          [](std::uintptr_t one, const Range& range) { return one < range.low; });
}

bool is_known_module(std::uintptr_t address, Thread& thread) {
  while (modules_lock.exchange(1, std::memory_order_acquire) != 0) sched_yield();
  const Range* const behind = module_behind(address);
  const bool known = behind != known_modules && behind[-1].holds(address);
  if (known) thread.remember_module(behind[-1]);
  modules_lock.store(0, std::memory_order_release);
  return known;
}

// Needs the lock. If there is no memory for a larger list, a module without a place in it is reported again.
void know_module(Range range) {
  if (known_module_count == known_module_room) {
    const std::size_t bytes = 2 * known_module_room * sizeof(Range);
    void* const larger = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (larger == MAP_FAILED) return;
    known_modules =
        std::copy(known_modules, known_modules + known_module_count, static_cast<Range*>(larger)) -
        known_module_count;
    known_module_room *= 2;
  }
  Range* const place = module_behind(range.low);
  std::copy_backward(place, known_modules + known_module_count, known_modules + known_module_count + 1);
  *place = range;
  ++known_module_count;
}

}  // namespace

void note_module(std::uintptr_t address) {
  Thread& thread = this_thread;
  if (is_known_module(address, thread)) return;  // a program with many libraries alternates between some
  const int saved = errno;
  Search search{};
  search.address = address;
  if (dl_iterate_phdr(match_module, &search) == 0) {
    thread.remember_module({address & ~std::uintptr_t{4095}, 4096});  // made at run time: not asked for again
    errno = saved;
    return;
  }
  thread.remember_module(search.range);
  while (modules_lock.exchange(1, std::memory_order_acquire) != 0) sched_yield();
  const Range* const behind = module_behind(search.range.low);
  const bool known = behind != known_modules && behind[-1].low == search.range.low;
  if (!known) know_module(search.range);
  modules_lock.store(0, std::memory_order_release);
  if (!known) {
    if (search.path[0] == '\0' && readlink("/proc/self/exe", search.path, sizeof search.path - 1) < 0) {
      search.path[0] = '\0';
    }
    write_plain(wire::RecordKind::Module, search.bias, search.path, std::strlen(search.path));
  }
  errno = saved;
}

void read_marks(Thread& thread, std::uint64_t (&marks)[2]) {
  const int saved = errno;
  const std::uint64_t begun = wire::early_ticks(clock_kind);
  for (int i = 0; i < 2; ++i) {
    struct stat about = {};
    marks[i] = wire::kUnknownMark;
    if (fstat(i + 1, &about) != 0) continue;
    if (about.st_dev != header->output_device[i].load(std::memory_order_relaxed) ||
        about.st_ino != header->output_inode[i].load(std::memory_order_relaxed)) {
      continue;  // closed and opened again as something else
    }
    marks[i] = static_cast<std::uint64_t>(about.st_size);
  }
  // If it took longer than an interval, that was not the note itself: another thread ran in between.
  const std::uint64_t interval = header->mark_interval;
  const std::uint64_t pause = (wire::early_ticks(clock_kind) - begun) * kMarkShare;
  thread.next_mark += std::clamp(pause, interval, interval * kMarkShare);
  errno = saved;
}

}  // namespace trace::interpose
