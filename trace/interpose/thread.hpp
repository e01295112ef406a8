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
