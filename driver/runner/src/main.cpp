// SPDX-License-Identifier: MIT
// driverlab-runner: the process that runs the kernels of one context.
//
// Started by the driver at the first launch. Its descriptors are the shared memory and the devices' memory,
// and nothing else of the host's. It ends when its host ends, in any way. Not meant to be started by hand.
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>

#include "code_store.hpp"
#include "device_memory.hpp"
#include "process.hpp"
#include "workers.hpp"

using namespace runner;

#ifdef __SANITIZE_ADDRESS__
// LLVM, which is linked as its distribution built it, gives back with free what it took with new.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer's name for it
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "alloc_dealloc_mismatch=0";
}
#endif

namespace {

constexpr int kLookIntervalMs = 50;
constexpr int kIdleIntervalMs = 250;

Control* map_control() {
  struct stat status = {};
  if (fstat(kControlDescriptor, &status) != 0) return nullptr;
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size < sizeof(Control)) return nullptr;
  void* const memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, kControlDescriptor, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* const found = static_cast<Control*>(memory);
  return found->magic == kMagic && found->bytes == size ? found : nullptr;
}

void hold_life_line() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&control->alive, &attributes);
  pthread_mutex_lock(&control->alive);
}

bool start_taking_messages() {
  pthread_t thread = {};
  const auto body = [](void*) -> void* {
    take_messages();
    return nullptr;
  };
  return pthread_create(&thread, nullptr, body, nullptr) == 0;
}

void tell(State state) {
  control->process.store(static_cast<std::uint32_t>(getpid()));
  control->state.store(state, std::memory_order_release);
  futex_wake(control->state, 1 << 30);
}

// Whether the host's process runs another program now. The contexts of the one before are gone with it.
bool host_became_another() {
  const int image = control->host_image_descriptor;
  std::uint64_t page = 0;
  return image != 0 && pread(image, &page, sizeof page, 0) == 0;
}

// Returns when the host has ended. The descriptor of a process becomes readable when the process ends; only
// the kernel is needed for that, and the host cannot close it.
void outlive_nobody(int host_descriptor) {
  const auto host = static_cast<pid_t>(control->host);
  int interval = kLookIntervalMs;
  for (;;) {
    pollfd host_ends{host_descriptor, POLLIN, 0};
    if (host_descriptor >= 0) {
      if (poll(&host_ends, 1, interval) > 0) return;
    } else {
      usleep(static_cast<useconds_t>(interval) * 1000);
      if (kill(host, 0) != 0) return;
    }
    if (host_became_another()) return;
    interval = relieve_starved_launches() ? kLookIntervalMs : kIdleIntervalMs;
  }
}

}  // namespace

int main() {
  prctl(PR_SET_DUMPABLE, 0);
  control = map_control();
  if (control == nullptr) {
    std::fputs("driverlab-runner is started by the embedded driver; it does nothing by itself.\n", stderr);
    return 2;
  }
  const int host = static_cast<int>(syscall(SYS_pidfd_open, static_cast<pid_t>(control->host), 0));
  hold_life_line();
  catch_faults();
  end_without_memory();
  use_signal_stack();
  if (!set_ranges_aside() || !start_taking_messages() || !start_workers()) {
    tell(State::Failed);
    return 1;
  }
  tell(State::Running);
  outlive_nobody(host);
  _exit(0);
}
