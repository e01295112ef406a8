// SPDX-License-Identifier: MIT
// Opens the driver behind the tracer and finds its functions; see back_end.hpp.
//
// Runs in other people's programs at any moment: nothing here throws or locks. If two threads do the same
// work at the same time, both get the same result. Only names are needed here, no signatures.
#include "back_end.hpp"

#include <dlfcn.h>
#include <link.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "named.hpp"
#include "thread.hpp"

namespace trace::interpose {
namespace {

constexpr int kStubLibrary = 34;    // CUDA_ERROR_STUB_LIBRARY
constexpr int kNotSupported = 801;  // CUDA_ERROR_NOT_SUPPORTED

// Replace a driver that cannot be opened, and a function that it does not have. They do not look at the
// arguments; both calling conventions that we build for allow that.
int no_driver() {
  return kStubLibrary;
}
int no_function() {
  return kNotSupported;
}

std::atomic<void*> library{nullptr};
constinit const api::WorkTimesWaiting none_waiting{0};
std::atomic<api::TakeWorkTimes*> take_times{nullptr};
std::atomic<bool> failed{false};

// As long as it lives, the thread's signals wait, but for those of its own instructions. The program may call
// the driver in a handler; without a tracer the driver is open by then, so no handler may run while dlopen
// or dlsym have the allocator or the loader in their hands.
class SignalsWait {
 public:
  SignalsWait() {
    sigset_t others;
    sigfillset(&others);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT}) sigdelset(&others, own);
    pthread_sigmask(SIG_BLOCK, &others, &before_);
  }
  ~SignalsWait() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  sigset_t before_;
};

// A back end's own calls of cu* must find the back end and not us: RTLD_DEEPBIND. Sanitizer runtimes refuse
// that flag; under them the guard in thread.hpp alone keeps such calls out of the trace.
int open_flags() {
  const bool sanitized =
      dlsym(RTLD_DEFAULT, "__asan_init") != nullptr || dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr;
  return RTLD_LAZY | RTLD_LOCAL | (sanitized ? 0 : RTLD_DEEPBIND);
}

// Where a library lies, from its first byte to its last.
struct Place {
  std::uintptr_t low = 0, end = 0;
  bool holds(std::uintptr_t address) const { return address - low < end - low; }
};
Place driver_place, tracer_place;

struct PlaceSearch {
  std::uintptr_t address;
  Place found;
};
int match_place(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<PlaceSearch*>(data);
  Place place{~std::uintptr_t{0}, 0};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    place.low = std::min<std::uintptr_t>(place.low, info->dlpi_addr + part.p_vaddr);
    place.end = std::max<std::uintptr_t>(place.end, info->dlpi_addr + part.p_vaddr + part.p_memsz);
  }
  if (place.end == 0 || !place.holds(search.address)) return 0;
  search.found = place;
  return 1;
}

Place place_of(const void* code) {
  PlaceSearch search{reinterpret_cast<std::uintptr_t>(code), {}};
  dl_iterate_phdr(match_place, &search);
  return search.found;
}

// Only where it is recorded: from the first call on, the driver notes times.
void find_work_times(void* opened) {
  if (header == nullptr) return;
  auto* const take = reinterpret_cast<api::TakeWorkTimes*>(dlsym(opened, api::kTakeWorkTimes));
  const void* const waiting = dlsym(opened, api::kWorkTimesWaiting);
  if (take == nullptr || waiting == nullptr) return;
  take(nullptr, 0);
  take_times.store(take, std::memory_order_release);
  work_times_waiting = static_cast<const api::WorkTimesWaiting*>(waiting);
}

void* open_library() {
  void* opened = library.load(std::memory_order_acquire);
  if (opened != nullptr || failed.load(std::memory_order_acquire)) return opened;
  const char* path = std::getenv("DRIVERLAB_BACKEND");
  const char* reason = "DRIVERLAB_BACKEND is not set";
  if (path != nullptr && *path == '/') {
    opened = dlopen(path, open_flags());
    if (opened == nullptr) {
      reason = dlerror();
    } else if (dlsym(opened, "driverlab_outer_calls") != nullptr) {
      opened = nullptr;  // every call would be forwarded to itself
      reason = "DRIVERLAB_BACKEND names the tracer itself";
    }
  } else if (path != nullptr) {
    reason = "DRIVERLAB_BACKEND is not an absolute path";
  }
  if (opened == nullptr) {
    if (!failed.exchange(true)) {
      std::fprintf(
          stderr,
          "driverlab: no CUDA driver behind the tracer: %s. Every call returns "
          "CUDA_ERROR_STUB_LIBRARY. Set DRIVERLAB_BACKEND to the absolute path of a libcuda.so.1, or "
          "start the program with `driverlab trace`.\n",
          reason != nullptr ? reason : "unknown");
    }
    return nullptr;
  }
  find_work_times(opened);
  driver_place = place_of(dlsym(opened, "cuInit"));
  tracer_place = place_of(reinterpret_cast<const void*>(&comes_from_driver));
  library.store(opened, std::memory_order_release);  // a second thread got the same handle
  return opened;
}

void* find(const char* symbol) {
  void* opened = open_library();
  if (opened == nullptr) return reinterpret_cast<void*>(&no_driver);
  void* function = dlsym(opened, symbol);
  return function != nullptr ? function : reinterpret_cast<void*>(&no_function);
}

struct Known {
  void* function;  // the driver's
  const EntryPoint* entry;
};
std::atomic<Known*> known_functions{nullptr};
std::size_t known_count = 0;

int by_function(const void* a, const void* b) {
  const auto x = reinterpret_cast<std::uintptr_t>(static_cast<const Known*>(a)->function);
  const auto y = reinterpret_cast<std::uintptr_t>(static_cast<const Known*>(b)->function);
  return x < y ? -1 : x > y ? 1 : 0;
}

// Every described function that the driver has, ordered by address. Made once; a race makes it twice.
Known* all_known() {
  Known* known = known_functions.load(std::memory_order_acquire);
  if (known != nullptr) return known;
  const SignalsWait wait;
  void* opened = open_library();
  if (opened == nullptr) return nullptr;
  known = static_cast<Known*>(std::calloc(entry_point_count + 1, sizeof(Known)));
  if (known == nullptr) return nullptr;
  std::size_t count = 0;
  for (std::size_t i = 0; i < entry_point_count; ++i) {
    void* function = dlsym(opened, entry_points[i].symbol);
    if (function != nullptr) known[count++] = {function, &entry_points[i]};
  }
  std::qsort(known, count, sizeof(Known), by_function);
  known_count = count;
  Known* expected = nullptr;
  if (known_functions.compare_exchange_strong(expected, known)) return known;
  std::free(known);
  return expected;
}

}  // namespace

const api::WorkTimesWaiting* work_times_waiting = &none_waiting;

std::size_t take_work_times(api::WorkTime* into, std::size_t most) {
  api::TakeWorkTimes* const take = take_times.load(std::memory_order_acquire);
  return take == nullptr ? 0 : take(into, most);
}

void* find_back_end(std::size_t index) {
  const SignalsWait wait;
  void* function = find(entry_points[index].symbol);
  __atomic_store_n(&back_end_functions[index], function, __ATOMIC_RELAXED);
  return function;
}

bool comes_from_driver(std::uintptr_t address) {
  return library.load(std::memory_order_acquire) != nullptr &&
         (driver_place.holds(address) || tracer_place.holds(address));
}

bool ask_current(std::uint64_t* context) {
  void* current = nullptr;
  const auto ask = reinterpret_cast<int (*)(void**)>(back_end(ctx_get_current));
  if (ask(&current) != 0) return false;
  *context = reinterpret_cast<std::uintptr_t>(current);
  return true;
}

void put_wrapper(const char* requested, void** function) {
  if (function == nullptr || *function == nullptr) return;
  const Known* known = all_known();
  if (known == nullptr) return;
  std::size_t low = 0, high = known_count;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (reinterpret_cast<std::uintptr_t>(known[middle].function) <
        reinterpret_cast<std::uintptr_t>(*function)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  // Several symbols may be one function in the driver; take the one that carries the requested name.
  const EntryPoint* best = nullptr;
  for (; low < known_count && known[low].function == *function; ++low) {
    const EntryPoint* entry = known[low].entry;
    const bool better = requested != nullptr && std::strcmp(entry->name, requested) == 0;
    if (best == nullptr || better) best = entry;
    if (better) break;
  }
  *function = best != nullptr ? best->wrapper : entry_for(requested, *function);
}

}  // namespace trace::interpose

// Called by the assembly in forwarded.S at the first call of a name that api/ does not describe.
extern "C" __attribute__((visibility("hidden"))) void* driverlab_find_forwarded(std::size_t index) {
  void* function = trace::interpose::find(driverlab_forwarded_names[index]);
  __atomic_store_n(&driverlab_forwarded_functions[index], function, __ATOMIC_RELAXED);
  return function;
}
