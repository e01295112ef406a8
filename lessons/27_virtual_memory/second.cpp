// Lesson 27, the second process: how it is started, and what it does with the memory of the first one.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.hpp"

constexpr CUmemAllocationHandleType kByFile = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
constexpr int kInherited = 3;  // the descriptor's number in the second process

int run_second_process(int descriptor, const CUipcMemHandle& handle);
int in_second_process();

// Starts this program again, and returns its exit status. The new process inherits the descriptor, and reads
// the handle from its standard input.
int run_second_process(int descriptor, const CUipcMemHandle& handle) {
  int ends[2] = {-1, -1}, status = -1;
  pid_t child = 0;
  char name[] = "main", word[] = "second", *arguments[] = {name, word, nullptr};
  posix_spawn_file_actions_t actions;
  if (pipe(ends) != 0 || write(ends[1], &handle, sizeof handle) != sizeof handle) return -1;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, descriptor, kInherited);
  std::fflush(stdout);
  if (posix_spawn(&child, "/proc/self/exe", &actions, nullptr, arguments, environ) == 0)
    waitpid(child, &status, 0);
  posix_spawn_file_actions_destroy(&actions);
  for (const int end : ends) close(end);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int in_second_process() {
  CUcontext context = nullptr;
  CUmemAllocationProp properties = {};
  CUmemAccessDesc access = {};
  CUmemGenericAllocationHandle memory = 0;
  CUdeviceptr opened = 0, mapped = 0;
  CUipcMemHandle handle = {};
  std::size_t unit = 0;
  int number = 0;
  if (read(STDIN_FILENO, &handle, sizeof handle) != sizeof handle) return 1;

  // step: open
  // The memory belongs to the first process. It is closed here, not freed.
  check(cuInit(0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  check(cuIpcOpenMemHandle(&opened, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  check(cuMemcpyDtoH(&number, opened, sizeof number));
  claim("the second process reads 42 in the memory of cuMemAlloc", number == 42);
  ++number;
  check(cuMemcpyHtoD(opened, &number, sizeof number));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFree(opened));
  check(cuIpcCloseMemHandle(opened));

  // step: import
  // Imported memory has no address yet: this process maps it too, and sets the access for itself.
  check(cuMemImportFromShareableHandle(&memory, reinterpret_cast<void*>(std::intptr_t{kInherited}), kByFile));
  close(kInherited);
  check(cuMemGetAllocationPropertiesFromHandle(&properties, memory));
  check(cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  check(cuMemAddressReserve(&mapped, unit, 0, 0, 0));
  check(cuMemMap(mapped, unit, 0, memory, 0));
  check(cuMemRelease(memory));
  access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  check(cuMemSetAccess(mapped, unit, &access, 1));
  check(cuMemcpyDtoH(&number, mapped, sizeof number));
  claim("it reads 52 in the imported memory", number == 52);
  ++number;
  check(cuMemcpyHtoD(mapped, &number, sizeof number));
  check(cuCtxSynchronize());  // the copy must have ended before cuMemUnmap
  check(cuMemUnmap(mapped, unit));
  check(cuMemAddressFree(mapped, unit));
  check(cuCtxDestroy(context));
  return 0;
}
