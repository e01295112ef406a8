// SPDX-License-Identifier: MIT
// What a host process and its runner share: launches, changes of memory, faults, output of kernels, code.
//
// The layout of one memory file that both map. A kernel may overwrite anything in the runner, so the host
// checks every value here before it uses it: a wrong value can cause a wrong result, but never a crash. Both
// sides are always built together; the only version is `magic`. Does not depend on the classes of either
// side.
#pragma once

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <ctime>

namespace runner {

inline constexpr std::uint64_t kMagic = 0x31524e5552424c44;  // "DLBRUNR1"
inline constexpr unsigned kSlotCount = 256;
inline constexpr unsigned kChangeCount = 4096;
inline constexpr unsigned kMostSources = 16;
inline constexpr std::size_t kMostParameterBytes = 32764;
inline constexpr std::size_t kWindowBytes = std::size_t{256} << 10;
inline constexpr int kControlDescriptor = 3;      // in the runner
inline constexpr int kFirstSourceDescriptor = 4;  // in the runner

// A memory file of which the runner may map parts, and the addresses that are reserved for it.
struct Source {
  std::uint64_t base = 0;
  std::uint64_t size = 0;
};

enum class ChangeKind : std::uint32_t { Map, MapReadOnly, Unmap };

struct Change {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;  // in the source's file
  std::uint64_t file = 0;    // not 0: the number of a file that is the host's descriptor `source`
  std::uint32_t source = 0;
  ChangeKind kind = ChangeKind::Map;
};

// A launch. Tickets count up; ticket t lives in slot t % kSlotCount until `done` is t or more.
struct Slot {
  // The low half of the last ticket that ended here; a waiting host sleeps on this word.
  std::atomic<std::uint32_t> done;
  std::atomic<std::uint32_t> waiters;
  // Written by the host before it changes `posted`.
  std::uint64_t ticket;
  std::uint64_t after;    // a ticket that must have ended before; 0 for none
  std::uint64_t changes;  // how many changes of memory must be applied before
  std::uint64_t kernel;   // the number that a message gave it
  std::uint32_t grid[3];
  std::uint32_t block[3];
  std::uint32_t cluster[3];  // blocks of a cluster; the grid is a multiple of it
  std::uint32_t dynamic_shared;
  std::uint32_t parameter_bytes;
  std::uint64_t stack_bytes;      // CU_LIMIT_STACK_SIZE, of a thread
  std::uint32_t processors;       // of the device
  std::uint8_t explicit_cluster;  // 0 or 1, as the next three
  std::uint8_t cooperative;
  std::uint8_t restricted;                      // to own_processors; else the launch may use all
  std::uint8_t timed;                           // the runner writes `began` and `ended`
  std::array<std::uint64_t, 4> own_processors;  // a bit each; written for a restricted launch only
  std::uint64_t began, ended;                   // ns of CLOCK_MONOTONIC; complete when `done` says so
  // Zero when a cooperative launch begins, whose blocks use it to wait for each other; else anything.
  alignas(64) std::byte workspace[64];
  alignas(64) std::byte parameters[kMostParameterBytes + 4];
};

// A launch with many threads is work for several cores, so more than one worker is woken for it at once.
inline bool is_wide(const Slot& slot) {
  constexpr std::uint64_t kLeast = 8192;
  const std::uint64_t blocks = std::uint64_t{slot.grid[0]} * slot.grid[1] * slot.grid[2];
  return blocks > 1 && blocks * slot.block[0] * slot.block[1] * slot.block[2] >= kLeast;
}

// Clusters of a launch. The blocks of one run together, on one worker. Without clusters, each block is one.
inline std::uint64_t clusters_of(const Slot& slot) {
  std::uint64_t clusters = 1;
  for (int i = 0; i < 3; ++i) clusters *= slot.grid[i] / (slot.cluster[i] != 0 ? slot.cluster[i] : 1);
  return clusters;
}

// %smid, by the number of the worker that runs the block; in a cooperative launch by that of the cluster.
inline std::uint32_t processor_of(const Slot& slot, unsigned index) {
  if (slot.restricted == 0) return slot.processors == 0 ? 0 : index % slot.processors;
  unsigned count = 0;
  for (const std::uint64_t word : slot.own_processors) count += static_cast<unsigned>(std::popcount(word));
  if (count == 0) return 0;
  unsigned before = index % count;
  for (std::uint32_t number = 0;; ++number) {
    const bool own = ((slot.own_processors[number / 64] >> (number % 64)) & 1) != 0;
    if (own && before-- == 0) return number;
  }
}

// The values of %envreg for a launch: in a cooperative one, 1 and 2 are the high and low half of the address
// of its workspace, where code of CUDA's compilers expects it (cooperative groups, grid.sync).
inline std::array<std::uint32_t, 32> environment_of(const Slot& slot) {
  std::array<std::uint32_t, 32> registers = {};
  if (slot.cooperative == 0) return registers;
  const auto address = reinterpret_cast<std::uint64_t>(slot.workspace);
  registers[1] = static_cast<std::uint32_t>(address >> 32);
  registers[2] = static_cast<std::uint32_t>(address);
  return registers;
}

enum State : std::uint32_t { Starting, Running, Failed };

// Text from kernels for the host's stdout or stderr: a ring of records.
struct Output {
  std::atomic<std::uint32_t> lock;  // held for a moment; ignored when the runner is dead
  std::uint64_t size;               // of the ring, in bytes
  std::uint64_t head, tail;         // all bytes ever written and read
};
enum class OutputKind : std::uint32_t { Stdout = 1, Stderr = 2 };
struct OutputRecord {
  std::uint32_t bytes;
  OutputKind kind;
};

// A piece of a message from the host: code that the runner does not have yet.
struct Window {
  std::atomic<std::uint32_t> full;  // futex: 1 while the runner has not taken the piece
  std::uint32_t bytes;
  std::uint32_t last;  // whether the message ends here
  std::byte data[kWindowBytes];
};

struct Control {
  std::uint64_t magic;
  std::uint64_t bytes;  // of the whole file
  std::uint64_t host;   // its process id
  // In the runner: a file of the host's memory, which can be read as long as the host runs the program that
  // started the runner; 0: there is none.
  std::int32_t host_image_descriptor;
  std::uint64_t heap_bytes;  // CU_LIMIT_MALLOC_HEAP_SIZE
  std::uint32_t source_count;
  std::uint32_t worker_count;  // 0: as many as there are cores
  Source sources[kMostSources];

  std::atomic<std::uint32_t> state;  // futex
  std::atomic<std::uint32_t> process;
  pthread_mutex_t alive;  // robust; held by the runner as long as it lives

  // A CUresult, set once, by the side that notices the fault first.
  alignas(64) std::atomic<std::uint32_t> fault;
  std::atomic<std::uint64_t> fault_address;
  std::atomic<std::uint32_t> fault_has_address;  // 0: the fault has none, or it is not known
  std::atomic<std::uint64_t> fault_ticket;       // of the launch that has failed; 0: not known

  alignas(64) std::atomic<std::uint64_t> posted;  // tickets up to this one are in their slots
  std::atomic<std::uint32_t> bell;                // futex of the workers: something is posted
  std::atomic<std::uint32_t> help;                // counts requests of workers for help by those that spin
  std::atomic<std::uint32_t> sleepers;
  std::atomic<std::uint32_t> spinners;     // 1 while a worker spins: then no worker needs to be woken
  std::atomic<std::uint64_t> woken_for;    // the last ticket for which two workers are awake already
  std::atomic<std::int32_t> waiting_core;  // the core on which a thread of the host spins, plus 1; 0: none
  alignas(64) std::atomic<std::uint64_t> changes_posted;
  std::atomic<std::uint64_t> changes_applied;
  Change changes[kChangeCount];

  Window window;
  Output output;
  Slot slots[kSlotCount];
  // The ring of `output` follows, at kOutputOffset.
};

inline constexpr std::size_t kOutputOffset = (sizeof(Control) + 4095) / 4096 * 4096;

// Messages through the window. Numbers are little-endian words of 8 bytes, texts are a length and bytes.
//   Module: number, text, count, then that many of (name, address)
//   Kernel: number, number of its module, name
//   Changes: apply the posted changes, because their ring is full or kernels that run must see them
// Forget: modules that no launch will use any more, sent when all launches that used them have ended.
enum class Message : std::uint64_t { Module = 1, Kernel = 2, Changes = 3, Forget = 4 };

// Used between processes, so not the private kind of futex.
inline int futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t value,
                      const timespec* timeout = nullptr) {
  return static_cast<int>(syscall(SYS_futex, &word, FUTEX_WAIT, value, timeout, nullptr, 0));
}
// Returns how many were woken.
inline int futex_wake(std::atomic<std::uint32_t>& word, int how_many) {
  return static_cast<int>(syscall(SYS_futex, &word, FUTEX_WAKE, how_many, nullptr, nullptr, 0));
}

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace runner
