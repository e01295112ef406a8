// SPDX-License-Identifier: MIT
// RunnerProcess: shared memory, a process that the program does not see, and its end.
//
// The runner is a child of init. It watches its host by a descriptor of the process, and by one of the
// process's memory, which changes at exec.
#include "core/runner_process.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <string>

#include "core/arena.hpp"
#include "core/driver.hpp"
#include "core/settings.hpp"
#include "process/hidden_process.hpp"

namespace driver {
namespace {

// driverlab-runner lies beside the library: lib/libcuda.so.1, libexec/driverlab-runner.
std::string runner_path() {
  if (const char* const given = secure_getenv("DRIVERLAB_RUNNER")) return given;
  Dl_info info = {};
  static const int here = 0;
  if (dladdr(&here, &info) == 0 || info.dli_fname == nullptr) return "";
  char* const real = realpath(info.dli_fname, nullptr);
  if (real == nullptr) return "";
  std::string path = real;
  std::free(real);
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash) + "/../libexec/driverlab-runner";
}

}  // namespace

std::unique_ptr<RunnerProcess> RunnerProcess::start(Context& context) {
  std::unique_ptr<RunnerProcess> process(new RunnerProcess);
  if (!process->share_memory(context) || !process->spawn() || !process->wait_until_running()) return nullptr;
  return process;
}

RunnerProcess::~RunnerProcess() {
  if (process_ > 0) {
    // As long as it is alive, no other process can have its number.
    if (alive()) kill(process_, SIGKILL);
  }
  if (control_ != nullptr) munmap(control_, bytes_);
  if (descriptor_ >= 0) close(descriptor_);
}

bool RunnerProcess::share_memory(Context& context) {
  output_size_ = context.limit(CU_LIMIT_PRINTF_FIFO_SIZE);
  bytes_ = (runner::kOutputOffset + output_size_ + 4095) / 4096 * 4096;
  descriptor_ = create_memory_file("embedded-gpu-runner", bytes_);
  if (descriptor_ < 0) return false;
  void* const memory =
      mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor_, 0);
  if (memory == MAP_FAILED) return false;
  madvise(memory, bytes_, MADV_DONTFORK);
  madvise(memory, bytes_, MADV_DONTDUMP);
  control_ = static_cast<runner::Control*>(memory);  // zeros are what everything begins as
  control_->magic = runner::kMagic;
  control_->bytes = bytes_;
  control_->host = static_cast<std::uint64_t>(getpid());
  control_->heap_bytes = context.limit(CU_LIMIT_MALLOC_HEAP_SIZE);
  control_->output.size = output_size_;
  static_assert(kMostDevices + 1 <= runner::kMostSources,
                "each device has a memory file, and so has the host");
  for (const Arena* const arena : Driver::get().memory().arenas())
    control_->sources[control_->source_count++] = {arena->base(), arena->size()};
  return true;
}

bool RunnerProcess::spawn() {
  process::HiddenProcess wanted;
  wanted.path = runner_path();
  // Names the host, for people who look at the list of processes: the runner is a child of init, and other
  // users see nothing else of it.
  wanted.arguments = {"driverlab-runner", "--host=" + std::to_string(getpid())};
  // What says how kernels are run and where they are kept, nothing else.
  wanted.kept_variables = {"HOME=",          "XDG_CACHE_HOME=", "CUDA_CACHE_",  "DRIVERLAB_KERNELS=",
                           "DRIVERLAB_DUMP", "ASAN_OPTIONS=",   "TSAN_OPTIONS="};
  static_assert(runner::kControlDescriptor == 3 && runner::kFirstSourceDescriptor == 4);
  wanted.descriptors.push_back(descriptor_);
  for (const Arena* const arena : Driver::get().memory().arenas()) {
    // A program may have closed every descriptor it did not know, and opened files of its own since.
    if (!arena->descriptor_intact()) return false;
    wanted.descriptors.push_back(arena->descriptor());
  }
  // Of this memory, not of the process: behind an exec nothing is left to read. Says nothing of what is in
  // it.
  const int image = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (image >= 0) {
    control_->host_image_descriptor =
        runner::kControlDescriptor + static_cast<int>(wanted.descriptors.size());
    wanted.descriptors.push_back(image);
  }
  wanted.begins_at_root = true;
  // With this process's layout a host address could be valid there, and a library could lie where a device's
  // memory has to be: of large devices it fills the places where the system puts libraries, too.
  wanted.layout_apart = true;
  process_ = process::start(wanted);
  if (image >= 0) close(image);
  if (process_ <= 0) return false;
  // Both have what they need: nothing more goes this way.
  close(descriptor_);
  descriptor_ = -1;
  return true;
}

bool RunnerProcess::wait_until_running() {
  while (control_->state.load(std::memory_order_acquire) == runner::State::Starting) {
    const timespec moment{0, 20'000'000};
    runner::futex_wait(control_->state, runner::State::Starting, &moment);
    if (kill(process_, 0) != 0 && errno == ESRCH) break;
  }
  return control_->state.load(std::memory_order_acquire) == runner::State::Running;
}

bool RunnerProcess::alive() {
  const int result = pthread_mutex_trylock(&control_->alive);
  if (result == EBUSY) return true;
  if (result == EOWNERDEAD || result == 0) pthread_mutex_unlock(&control_->alive);
  return false;
}

}  // namespace driver
