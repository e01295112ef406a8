// SPDX-License-Identifier: MIT
// What the interposed library stores for the calling thread, and how a thread and its process join the trace.
//
// The hot path is this_call(): two loads and a compare. Everything that happens once per thread, process or
// module is in thread.cpp. Nothing here depends on a single driver function.
#pragma once
#include <cstdint>

#include "producer.hpp"

namespace trace::interpose {

// Where one module's code lies.
struct Range {
  std::uintptr_t low = 0, bytes = 0;
  bool holds(std::uintptr_t address) const { return address - low < bytes; }
};

// What a call touches lies in two lines of the cache.
struct alignas(64) Thread {
  // The number of the process where the next call can be recorded without a further look; else one of the
  // values below, which are no process's.
  std::uint32_t ready = kNotReady;
  std::uint32_t epoch = 0;  // process in which `producer` was attached; 0: never
  // Modules of the last callers: libraries above the driver call it alternately.
  Range module, other_module;
  std::uint64_t last = 0;       // ticks when the last call began or, if it is over, ended
  std::uint64_t next_mark = 0;  // ticks: when the next note of output is due, see wire::Header
  std::uint32_t look = 0;       // of the reader, when the clock was last read at the beginning of a call
  std::uint8_t depth = 0;       // calls of libraries above the driver that are under way
  bool back_to_back = false;    // the last call began shortly after the one before it had ended
  bool started = false;         // ThreadStart is written
  bool over = false;            // the thread is being torn down
  wire::Producer producer;
  std::uint32_t slots_freed = 0;  // of the header, when it was last looked for a slot in vain

  bool knows_module(std::uintptr_t address) const {
    // They alternate, which no processor predicts: one branch for both.
    unsigned known =
        static_cast<unsigned>(module.holds(address)) | static_cast<unsigned>(other_module.holds(address));
    asm("" : "+r"(known));
    return known != 0;
  }
  void remember_module(Range range) {
    other_module = module;
    module = range;
  }

  static constexpr std::uint32_t kNotReady = 0xfffffffd;
  // In a driver call, or in the tracer: what the driver calls then is not traced, and what a handler of a
  // signal calls is lost, because its record would fall into another.
  static constexpr std::uint32_t kInside = 0xfffffffe;
  void step_inside() { ready = kInside; }
  void step_outside() { ready = epoch; }
};

// Static TLS: a few dozen bytes, and no function call to find them.
extern thread_local constinit Thread this_thread __attribute__((tls_model("initial-exec")));

// One word on a page that the kernel clears in a forked child: a child is noticed without a system call.
// 0 in an untraced process.
extern std::uint32_t* process_epoch;
extern wire::Header* header;  // shared memory; nullptr when not traced
extern wire::Clock clock_kind;

// Joins the trace for the calling thread (and its process, after a fork). Leaves it unattached where there is
// no slot: `patient` waits for those of the dead. Each call of such a thread is counted as lost.
void attach_thread(bool patient = true);
void start_thread();                       // writes ThreadStart
void note_module(std::uintptr_t address);  // writes Module where the caller's is not known yet
void write_plain(wire::RecordKind kind, std::uint64_t value, const char* text, std::size_t bytes);
// Writes a Stack: the frames from the program's call, which returns to `address`, outwards; and those of the
// Python interpreter where the thread may ask it. Some microseconds; see stack.cpp.
void write_stack(std::uintptr_t address);
// Notes the sizes of stdout and stderr; delays the next note by the cost of this one.
void read_marks(Thread& thread, std::uint64_t (&marks)[2]);

// Whether they are to be noted at a call that begins `now`, header->mark_gap or more after the last one. A
// note costs two system calls, as much as some driver calls do; a program that calls without a pause must not
// pay it for each.
inline bool mark_is_due(Thread& thread, std::uint64_t now) {
  if (header->mark_output.load(std::memory_order_relaxed) == 0) return false;
  const std::uint64_t earliest = now - header->mark_burst;
  if (thread.next_mark < earliest || thread.next_mark - earliest > 2 * header->mark_burst)
    thread.next_mark = earliest;
  return thread.next_mark <= now;
}

// Whether they would have been noted when the thread did its last call.
inline bool mark_was_due(const Thread& thread) {
  return header->mark_output.load(std::memory_order_relaxed) != 0 && thread.next_mark <= thread.last;
}

// There was no room for the end of a call whose beginning is recorded: it will look as if it never returned.
[[gnu::cold, gnu::noinline]] std::byte* lost_end(Thread& thread);

// False: this call, which returns to `address`, is not to be recorded. If the program made it, it is counted
// as lost.
[[gnu::cold, gnu::noinline]] bool make_ready(std::uintptr_t address);

// The calling thread, ready to record; nullptr when this call is not to be recorded.
inline Thread* this_call(std::uintptr_t address) {
  Thread& thread = this_thread;
  if (thread.ready != *process_epoch && !make_ready(address)) [[unlikely]]
    return nullptr;
  return &thread;
}

}  // namespace trace::interpose
