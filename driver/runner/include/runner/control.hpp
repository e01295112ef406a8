// SPDX-License-Identifier: MIT
// What a host process and its runner share: launches, changes of memory, faults, what kernels print, code.
//
// The layout of one memory file that both map. The runner may be destroyed by the kernel that it runs, so the
// host trusts nothing in here further than it can check: a lie costs a wrong answer, never a crash. Both are
// always built together; there is no version to negotiate beyond `magic`. Knows neither side's classes.
#pragma once

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>

namespace runner {

inline constexpr std::uint64_t magic = 0x31524e5552424c44;  // "DLBRUNR1"
inline constexpr unsigned slot_count = 256;
inline constexpr unsigned change_count = 4096;
inline constexpr unsigned most_sources = 16;
inline constexpr std::size_t most_parameter_bytes = 32764;
inline constexpr std::size_t window_bytes = std::size_t{256} << 10;
inline constexpr int control_descriptor = 3;       // in the runner
inline constexpr int first_source_descriptor = 4;  // in the runner

// A memory file that the runner may map parts of, and the addresses that are set aside for it.
struct Source {
  std::uint64_t base = 0;
  std::uint64_t size = 0;
};

enum class ChangeKind : std::uint32_t { Map, MapReadOnly, Unmap };

struct Change {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;  // in the source's file
  std::uint64_t file = 0;    // not 0: of the host's descriptor `source`, and this is the file's number
  std::uint32_t source = 0;
  ChangeKind kind = ChangeKind::Map;
};

// A launch. Tickets count up; ticket t lives in slot t % slot_count until `done` is t or more.
struct Slot {
  // The low half of the last ticket that ended here; what a waiting host sleeps on.
  std::atomic<std::uint32_t> done;
  std::atomic<std::uint32_t> waiters;
  // Written by the host before `posted` says so.
  std::uint64_t ticket;
  std::uint64_t after;    // a ticket that must have ended before; 0 for none
  std::uint64_t changes;  // how many changes of memory must have been applied
  std::uint64_t kernel;   // as named by a message
  std::uint32_t grid[3];
  std::uint32_t block[3];
  std::uint32_t dynamic_shared;
  std::uint64_t stack_bytes;  // CU_LIMIT_STACK_SIZE, of a thread
  std::uint32_t cooperative;
  std::uint32_t parameter_bytes;
  // Zero when a cooperative launch begins: what its blocks wait for each other by.
  alignas(64) std::byte workspace[64];
  alignas(64) std::byte parameters[most_parameter_bytes + 4];
};

// A launch of so many threads is work for several cores, so more than one worker is woken for it at once.
inline bool is_wide(const Slot& slot) {
  constexpr std::uint64_t least = 8192;
  const std::uint64_t blocks = std::uint64_t{slot.grid[0]} * slot.grid[1] * slot.grid[2];
  return blocks > 1 && blocks * slot.block[0] * slot.block[1] * slot.block[2] >= least;
}

// What a launch finds in %envreg: in a cooperative one, 1 and 2 are the high and low half of its workspace's
// address. CUDA's compilers read it there (cooperative groups, grid.sync).
inline std::array<std::uint32_t, 32> environment_of(const Slot& slot) {
  std::array<std::uint32_t, 32> registers = {};
  if (slot.cooperative == 0) return registers;
  const auto address = reinterpret_cast<std::uint64_t>(slot.workspace);
  registers[1] = static_cast<std::uint32_t>(address >> 32);
  registers[2] = static_cast<std::uint32_t>(address);
  return registers;
}

enum State : std::uint32_t { Starting, Running, Failed };

// Text on its way from a kernel to the host's stdout or stderr: a ring of records.
struct Output {
  std::atomic<std::uint32_t> lock;  // held for moments; whoever finds the runner dead may ignore it
  std::uint64_t size;               // of the ring, in bytes
  std::uint64_t head, tail;         // counted from the beginning of time
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
  std::byte data[window_bytes];
};

struct Control {
  std::uint64_t magic;
  std::uint64_t bytes;  // of the whole file
  std::uint64_t host;   // its process
  // In the runner: can be read as long as the host runs the program that started it, whose memory it is a
  // file of; 0: there is none.
  std::int32_t host_image_descriptor;
  std::uint64_t heap_bytes;  // CU_LIMIT_MALLOC_HEAP_SIZE
  std::uint32_t source_count;
  std::uint32_t worker_count;  // 0: as many as there are cores
  Source sources[most_sources];

  std::atomic<std::uint32_t> state;  // futex
  std::atomic<std::uint32_t> process;
  pthread_mutex_t alive;  // robust; held by the runner as long as it lives

  // A CUresult, set once, by whoever notices first.
  alignas(64) std::atomic<std::uint32_t> fault;
  std::atomic<std::uint64_t> fault_address;

  alignas(64) std::atomic<std::uint64_t> posted;  // tickets up to this one are in their slots
  std::atomic<std::uint32_t> bell;                // futex of the workers: something is posted
  std::atomic<std::uint32_t> help;                // counts calls of workers for others that spin
  std::atomic<std::uint32_t> sleepers;
  std::atomic<std::uint32_t> spinners;     // 1 while a worker looks by itself: nobody needs to be woken then
  std::atomic<std::uint64_t> woken_for;    // the last ticket for which two workers are awake by now
  std::atomic<std::int32_t> waiting_core;  // one more than that where a thread of the host spins; 0 for none
  alignas(64) std::atomic<std::uint64_t> changes_posted;
  std::atomic<std::uint64_t> changes_applied;
  Change changes[change_count];

  Window window;
  Output output;
  Slot slots[slot_count];
  // The ring of `output` follows, at output_offset.
};

inline constexpr std::size_t output_offset = (sizeof(Control) + 4095) / 4096 * 4096;

// Messages through the window. Numbers are little-endian words of 8 bytes, texts are a length and bytes.
//   Module: number, text, count, then that many of (name, address)
//   Kernel: number, number of its module, name
//   Changes: apply what has been posted of them, because their ring is full
// Forget: modules that no launch will name any more, told when all that named them are over.
enum class Message : std::uint64_t { Module = 1, Kernel = 2, Changes = 3, Forget = 4 };

// Between processes, so not the private kind.
inline int futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t value,
                      const timespec* timeout = nullptr) {
  return static_cast<int>(syscall(SYS_futex, &word, FUTEX_WAIT, value, timeout, nullptr, 0));
}
// How many there were.
inline int futex_wake(std::atomic<std::uint32_t>& word, int how_many) {
  return static_cast<int>(syscall(SYS_futex, &word, FUTEX_WAKE, how_many, nullptr, nullptr, 0));
}

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace runner
