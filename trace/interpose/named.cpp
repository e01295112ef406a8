// SPDX-License-Identifier: MIT
// Records calls of functions that api/ does not describe; see named.hpp. The assembly in named.S calls these
// functions after it has saved the arguments and before it passes them on. Only names and results are known.
#include "named.hpp"

#include <sched.h>
#include <unwind.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "back_end.hpp"
#include "call.hpp"

extern "C" {
extern char driverlab_spare_entries[] __attribute__((visibility("hidden")));
extern char driverlab_spare_entries_end[] __attribute__((visibility("hidden")));
}

namespace trace::interpose {
namespace {

constexpr std::size_t kSpares = 128, kFirstSpare = 0x1000, kLongestName = 96;

struct Spare {
  std::atomic<void*> function;
  char name[kLongestName];
};
Spare spares[kSpares];
std::atomic<std::uint32_t> spares_lock{0};

// Whether a name has the form of an entry point of the driver.
bool is_name(const char* name) {
  const std::size_t length = name != nullptr ? strnlen(name, kLongestName) : 0;
  if (length < 3 || length >= kLongestName || std::strncmp(name, "cu", 2) != 0) return false;
  for (std::size_t i = 0; i < length; ++i) {
    const char c = name[i];
    const bool letter =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!letter) return false;
  }
  return true;
}

struct Named {
  const char* name;
  void* function;
};

Named named(unsigned index) {
  if (index >= kFirstSpare)
    return {spares[index - kFirstSpare].name, spares[index - kFirstSpare].function.load()};
  void* function = __atomic_load_n(&driverlab_forwarded_functions[index], __ATOMIC_RELAXED);
  if (function == nullptr) function = driverlab_find_forwarded(index);
  return {driverlab_forwarded_names[index], function};
}

}  // namespace

void* entry_for(const char* name, void* function) {
  if (!is_name(name)) return function;
  for (std::size_t i = 0; driverlab_forwarded_names[i] != nullptr; ++i)
    if (std::strcmp(driverlab_forwarded_names[i], name) == 0) return driverlab_forwarded_entries[i];
  const auto stride =
      static_cast<std::size_t>(driverlab_spare_entries_end - driverlab_spare_entries) / kSpares;
  while (spares_lock.exchange(1, std::memory_order_acquire) != 0) sched_yield();
  void* entry = function;
  for (std::size_t i = 0; i < kSpares; ++i) {
    void* const taken = spares[i].function.load(std::memory_order_relaxed);
    if (taken != nullptr && taken != function) continue;
    if (taken == nullptr) {
      std::memcpy(spares[i].name, name, std::strlen(name) + 1);
      spares[i].function.store(function, std::memory_order_release);
    }
    entry = driverlab_spare_entries + i * stride;
    break;
  }
  spares_lock.store(0, std::memory_order_release);
  return entry;
}

}  // namespace trace::interpose

using trace::interpose::Thread;

struct EnteredNamed {
  void* function;
  std::uint64_t recorded;
};

extern "C" __attribute__((visibility("hidden"))) EnteredNamed driverlab_enter_named(unsigned index,
                                                                                    void* address) {
  namespace wire = trace::wire;
  const int saved = errno;
  const auto [name, function] = trace::interpose::named(index);
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  Thread* const thread = trace::interpose::this_call(place);
  bool recorded = false;
  if (thread != nullptr) {
    thread->step_inside();
    trace::interpose::CarefulSide side;
    side.value(wire::kNameItem, name, std::strlen(name));
    recorded = trace::interpose::write_enter(*thread, wire::kNamedFunction, place, nullptr, 0, &side);
    if (!recorded) thread->step_outside();
  }
  errno = saved;
  return {function, recorded ? 1u : 0u};
}

extern "C" __attribute__((visibility("hidden"))) void driverlab_leave_named(int result) {
  const int saved = errno;
  Thread& thread = trace::interpose::this_thread;
  // It is not known whether the function changes the current context, so the driver is asked.
  trace::interpose::write_leave(thread, result, true, trace::interpose::Side{});
  thread.step_outside();
  errno = saved;
}

// Called for named_call's frame when an exception, or the end of a thread, passes through it: in the second
// phase the frame is really left. All cleanup is done here, so there is no landing pad.
extern "C" __attribute__((visibility("hidden"))) _Unwind_Reason_Code driverlab_named_personality(
    int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*, _Unwind_Context*) {
  if ((actions & _UA_CLEANUP_PHASE) != 0) trace::interpose::this_thread.step_outside();
  return _URC_CONTINUE_UNWIND;
}
