// SPDX-License-Identifier: MIT
// Memory and events of another process, where the program has no memory: opened or not, and no descriptor is
// lost.
#include "driver_memory.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <iterator>

namespace without_memory {
namespace {

struct Handles {
  CUipcMemHandle memory;
  CUipcEventHandle event;
};

bool start_driver() {
  CUcontext context = nullptr;
  return cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, nullptr, 0, 0) == CUDA_SUCCESS;
}

// Lends until it is killed.
[[noreturn]] void lend(int out) {
  CUdeviceptr memory = 0;
  CUevent event = nullptr;
  Handles handles{};
  CUresult first = CUDA_SUCCESS;
  const bool lent =
      start_driver() && cuMemAlloc(&memory, 4) == CUDA_SUCCESS &&
      call_with(
          {.what = What::Mapping}, [&] { return cuIpcGetMemHandle(&handles.memory, memory); }, first) &&
      first != CUDA_SUCCESS && cuMemsetD32(memory, 7, 1) == CUDA_SUCCESS &&
      cuIpcGetMemHandle(&handles.memory, memory) == CUDA_SUCCESS &&
      cuEventCreate(&event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING) == CUDA_SUCCESS &&
      cuIpcGetEventHandle(&handles.event, event) == CUDA_SUCCESS &&
      write(out, &handles, sizeof handles) == static_cast<ssize_t>(sizeof handles);
  if (!lent) _exit(1);
  for (;;) pause();
}

auto open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

CUresult use_memory(const Handles& handles) {
  CUdeviceptr memory = 0;
  std::uint32_t value = 0;
  if (const CUresult error = cuIpcOpenMemHandle(&memory, handles.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS))
    return error;
  ok(cuMemcpyDtoH(&value, memory, sizeof value));
  EXPECT_EQ(7U, value);
  return cuIpcCloseMemHandle(memory);
}

CUresult use_event(const Handles& handles) {
  CUevent event = nullptr;
  if (const CUresult error = cuIpcOpenEventHandle(&event, handles.event)) return error;
  return cuEventDestroy(event);
}

void each_fails(What what, CUresult (*use)(const Handles&), const Handles& handles) {
  const auto before = open_descriptors();
  for (Failure failure{.what = what}; failure.at < 5000; ++failure.at) {
    CUresult result = CUDA_SUCCESS;
    const bool reached = call_with(failure, [&] { return use(handles); }, result);
    EXPECT_TRUE(result == CUDA_SUCCESS || is_right(failure, result)) << name(result);
    EXPECT_EQ(before, open_descriptors())
        << (what == What::Mapping ? "mapping " : "allocation ") << failure.at;
    ok(use(handles));  // what failed once is tried again
    if (::testing::Test::HasFailure()) return;
    if (!reached) {
      EXPECT_TRUE(failure.at > 1 || what == What::Mapping);
      return;
    }
  }
}

// Both are children, so that the tests that follow start the driver in this process themselves.
TEST(WithoutMemoryAtFirst, what_another_process_lends_is_opened_or_not) {
  int ends[2];
  ASSERT_EQ(0, pipe(ends));
  const pid_t parent = getpid();
  const pid_t lender = fork();
  if (lender == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    lend(ends[1]);
  }
  close(ends[1]);
  Handles handles{};
  const bool lent = read(ends[0], &handles, sizeof handles) == static_cast<ssize_t>(sizeof handles);
  close(ends[0]);
  const pid_t borrower = lent ? fork() : -1;
  if (borrower == 0) {
    if (!start_driver()) _exit(1);
    for (const What what : {What::Mapping, What::Allocation}) {
      each_fails(what, use_memory, handles);
      each_fails(what, use_event, handles);
    }
    _exit(HasFailure() ? 1 : 0);
  }
  int status = -1;
  if (borrower > 0) waitpid(borrower, &status, 0);
  kill(lender, SIGKILL);
  waitpid(lender, nullptr, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(0, WEXITSTATUS(status));
}

}  // namespace
}  // namespace without_memory
