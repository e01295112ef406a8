// SPDX-License-Identifier: MIT
// The driver that every call is forwarded to: opened by absolute path at the first call, asked by name.
//
// The tables of names come from the generated recorders. Slots of the function table are filled when first
// used and live in .bss, which stays writable (a table in .data.rel.ro would not).
#pragma once
#include <cstddef>
#include <cstdint>

#include "api/work_times.hpp"

namespace trace::interpose {

struct EntryPoint {
  const char* symbol;  // "cuMemAlloc_v2"
  const char* name;    // "cuMemAlloc"
  void* wrapper;       // our function of that symbol
};
// Described functions, by index; defined in trace/generated/recorders.cpp.
extern const EntryPoint entry_points[];
extern const std::size_t entry_point_count;
extern const unsigned ctx_get_current;  // index of cuCtxGetCurrent
// The driver's functions, by the same index; nullptr until asked for.
extern void* back_end_functions[];

[[gnu::cold, gnu::noinline]] void* find_back_end(
    std::size_t index);  // asks the driver and keeps the result; never nullptr

inline void* back_end(std::size_t index) {
  void* function = __atomic_load_n(&back_end_functions[index], __ATOMIC_RELAXED);
  return function != nullptr ? function : find_back_end(index);
}

// Whether a call that returns to this address comes from the driver, or from the tracer for it, and not from
// the program. False as long as no driver is open.
bool comes_from_driver(std::uintptr_t address);

// The context that the driver reports as current on this thread; false if it returns an error.
bool ask_current(std::uint64_t* context);

// Hands over when work ran, if the driver notes that (api/work_times.hpp), and returns how many pieces.
std::size_t take_work_times(api::WorkTime* into, std::size_t most);
extern const api::WorkTimesWaiting* work_times_waiting;  // of the driver; a 0 if it notes nothing

// Replaces a driver's function that cuGetProcAddress returned by our wrapper. A function that is not
// described is replaced by an entry that records it by the name that was asked for.
void put_wrapper(const char* requested, void** function);

}  // namespace trace::interpose
