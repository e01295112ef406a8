// What the interposed library keeps of the calling thread, and how a thread and its process join the trace.
//
// The hot path is this_call(): two loads and a compare. Everything that happens once per thread, process or
// module is in thread.cpp. It knows nothing of single driver functions.
#pragma once
#include <cstdint>

#include "producer.hpp"

namespace trace::interpose {

struct Thread {
  wire::Producer producer;
  std::uint32_t epoch;  // process in which `producer` was attached; 0: never
  bool inside;          // in a driver call already: what the driver itself calls is not traced
  bool started;         // ThreadStart is written
  bool over;            // the thread is being torn down
  std::uint8_t depth;   // calls of libraries above the driver that are under way
  std::uintptr_t module_low, module_bytes;  // module of the last caller
  std::uint64_t left;                       // ticks when the last call returned
  std::uint64_t next_mark;                  // ticks: when the next note of output is due, see wire::Header
};

// Static TLS: a few dozen bytes, and no function call to find them.
extern thread_local constinit Thread this_thread __attribute__((tls_model("initial-exec")));

// One word on a page that the kernel clears in a forked child: a child is noticed without a system call.
// 0 in an untraced process.
extern std::uint32_t* process_epoch;
extern wire::Header* header;  // shared memory; nullptr when not traced
extern wire::Clock clock_kind;

// Joins the trace for the calling thread (and its process, after a fork). Leaves it unattached on failure.
void attach_thread();
void start_thread();                       // writes ThreadStart
void note_module(std::uintptr_t address);  // writes Module where the caller's is not known yet
void write_plain(wire::RecordKind kind, std::uint64_t value, const char* text, std::size_t bytes);
// Writes a Stack: the frames from the program's call, which returns to `address`, outwards; and those of the
// Python interpreter where the thread may ask it. Some microseconds; see stack.cpp.
void write_stack(std::uintptr_t address);
void read_marks(std::uint64_t (&marks)[2]);  // sizes of stdout and stderr

// Whether they are to be noted at a call that begins `now`. A note costs two system calls, as much as some
// driver calls do; a program that calls without a pause must not pay it for each.
inline bool mark_is_due(Thread& thread, std::uint64_t now) {
  if (header->mark_output.load(std::memory_order_relaxed) == 0 || now - thread.left < header->mark_gap)
    return false;
  const std::uint64_t earliest = now - header->mark_burst;
  if (thread.next_mark < earliest || thread.next_mark - earliest > 2 * header->mark_burst)
    thread.next_mark = earliest;
  if (thread.next_mark > now) return false;
  thread.next_mark += header->mark_interval;
  return true;
}

// The calling thread, ready to record; nullptr when this call is not to be recorded.
inline Thread* this_call() {
  Thread& thread = this_thread;
  if (thread.inside) return nullptr;
  if (thread.epoch != *process_epoch) [[unlikely]]
    attach_thread();
  if (!thread.producer.attached()) return nullptr;
  if (!thread.started) [[unlikely]]
    start_thread();
  return &thread;
}

}  // namespace trace::interpose
