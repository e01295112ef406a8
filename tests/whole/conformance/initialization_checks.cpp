// SPDX-License-Identifier: MIT
// Before cuInit, cuInit itself, names of errors, and what a child of fork may do. Alone in their processes,
// because a driver is started once. Must not depend on any context.
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "support.hpp"

namespace conformance {
namespace {

TEST_ALONE(initialization, before_cuInit_nearly_everything_answers_that_it_is_missing) {
  int number = 0, active = 0;
  unsigned flags = 0;
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUdeviceptr address = 0;
  CUlibrary library = nullptr;
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&number));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGet(&device, 0));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuCtxGetCurrent(&context));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuCtxSetCurrent(nullptr));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuCtxPushCurrent(nullptr));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuCtxPopCurrent(&context));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, create_context(&context, 0, 0));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuMemAlloc(&address, 16));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuDevicePrimaryCtxRetain(&context, 0));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuDevicePrimaryCtxGetState(0, &flags, &active));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED,
          cuLibraryLoadData(&library, kDeviceCode, nullptr, nullptr, 0, nullptr, nullptr, 0));
}

TEST_ALONE(initialization, before_cuInit_the_manual_promises_the_same_error_for_these) {
  char name[64];
  std::size_t size = 0, total = 0;
  int number = 0;
  CUcontext context = nullptr;
  CUdevice device = 0;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUmodule module = nullptr;
  CUgraph graph = nullptr;
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetName(name, sizeof name, 0));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuDeviceTotalMem(&size, 0));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetAttribute(&number, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuCtxGetDevice(&device));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuCtxDestroy(context));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuCtxSynchronize());
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuMemFree(0));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuMemGetInfo(&size, &total));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuModuleLoadData(&module, kDeviceCode));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuStreamCreate(&stream, 0));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuEventCreate(&event, 0));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuGraphCreate(&graph, 0));
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuDeviceCanAccessPeer(&number, 0, 0));
}

TEST_ALONE(initialization, the_version_can_be_asked_before_cuInit) {
  int version = 0;
  SUCCEEDS(cuDriverGetVersion(&version));
  HOLDS(version >= 12000);
  EQUAL(0, version % 10);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDriverGetVersion(nullptr));
}

TEST_ALONE(initialization, flags_must_be_zero) {
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuInit(1));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuInit(~0U));
  int count = 0;
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
  SUCCEEDS(cuInit(0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuInit(1));
  SUCCEEDS(cuDeviceGetCount(&count));
  HOLDS(count > 0);
}

TEST_ALONE(initialization, many_calls_and_many_threads_start_it_once) {
  std::array<CUresult, 8> results{};
  std::vector<std::thread> threads;
  threads.reserve(results.size());
  for (CUresult& result : results) threads.emplace_back([&result] { result = cuInit(0); });
  for (std::thread& thread : threads) thread.join();
  for (const CUresult result : results) SUCCEEDS(result);
  SUCCEEDS(cuInit(0));
  CUcontext context = reinterpret_cast<CUcontext>(1);
  SUCCEEDS(cuCtxGetCurrent(&context));
  EQUAL(true, context == nullptr);
}

TEST_ALONE(initialization, a_child_of_fork_gets_nothing_from_a_started_driver) {
  NEEDS(cuInit(0));
  const pid_t child = fork();
  if (child == 0) {
    int count = 0;
    const bool refused = cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED &&
                         cuInit(0) == CUDA_ERROR_NOT_INITIALIZED &&
                         cuMemFree(0) == CUDA_ERROR_NOT_INITIALIZED;
    _exit(refused ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EQUAL(0, status);
  int count = 0;
  SUCCEEDS(cuDeviceGetCount(&count));
}

TEST_ALONE(initialization, a_child_of_fork_may_start_what_its_parent_did_not) {
  const pid_t child = fork();
  if (child == 0) {
    int count = 0;
    _exit(cuInit(0) == CUDA_SUCCESS && cuDeviceGetCount(&count) == CUDA_SUCCESS ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EQUAL(0, status);
}

struct Named {
  CUresult result;
  const char* name;
  const char* words;
};

// The driver's own words; truth/h200_error_table.
constexpr Named kNames[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {CUDA_ERROR_DEINITIALIZED, "CUDA_ERROR_DEINITIALIZED", "driver shutting down"},
    {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {CUDA_ERROR_CONTEXT_IS_DESTROYED, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
    {CUDA_ERROR_ASSERT, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    {CUDA_ERROR_MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {CUDA_ERROR_NOT_PERMITTED, "CUDA_ERROR_NOT_PERMITTED", "operation not permitted"},
    {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

TEST_ALONE(initialization, errors_have_names_and_words_before_cuInit_too) {
  for (const Named& named : kNames) {
    const char* name = nullptr;
    const char* words = nullptr;
    SUCCEEDS(cuGetErrorName(named.result, &name));
    SUCCEEDS(cuGetErrorString(named.result, &words));
    EQUAL(named.name, name);
    EQUAL(named.words, words);
  }
}

TEST_ALONE(initialization, a_number_that_is_no_error_has_neither) {
  const char* words = "before";
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGetErrorName(made_up<CUresult>(12345), &words));
  EQUAL(true, words == nullptr);
  words = "before";
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGetErrorString(made_up<CUresult>(12345), &words));
  EQUAL(true, words == nullptr);
}

// The results of a process for which only the devices in `visible` are visible.
struct Seen {
  int result = 0, count = 0, again = 0;
  char first[16] = {}, second[16] = {};
};

Seen seen_with(const char* visible) {
  int ends[2];
  NEEDS(pipe(ends) == 0 ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM);
  const pid_t child = fork();
  if (child == 0) {
    Seen seen;
    if (visible != nullptr)
      setenv("CUDA_VISIBLE_DEVICES", visible, 1);
    else
      unsetenv("CUDA_VISIBLE_DEVICES");
    seen.result = cuInit(0);
    seen.again = cuInit(0);
    if (seen.result != 0) seen.count = -cuDeviceGetCount(&seen.count);
    if (seen.result == 0) cuDeviceGetCount(&seen.count);
    if (seen.count > 0) cuDeviceGetPCIBusId(seen.first, sizeof seen.first, 0);
    if (seen.count > 1) cuDeviceGetPCIBusId(seen.second, sizeof seen.second, 1);
    _exit(::write(ends[1], &seen, sizeof seen) == sizeof seen ? 0 : 1);
  }
  Seen seen;
  close(ends[1]);
  EQUAL(sizeof seen, ::read(ends[0], &seen, sizeof seen));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return seen;
}

// The UUID of the first device as CUDA_VISIBLE_DEVICES takes it.
std::string uuid_of_first() {
  int ends[2];
  NEEDS(pipe(ends) == 0 ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM);
  const pid_t child = fork();
  CUuuid uuid{};
  if (child == 0) {
    unsetenv("CUDA_VISIBLE_DEVICES");
    const bool known = cuInit(0) == CUDA_SUCCESS && cuDeviceGetUuid(&uuid, 0) == CUDA_SUCCESS;
    _exit(known && ::write(ends[1], &uuid, sizeof uuid) == sizeof uuid ? 0 : 1);
  }
  close(ends[1]);
  EQUAL(sizeof uuid, ::read(ends[0], &uuid, sizeof uuid));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  std::string text = "GPU";
  for (int i = 0; i < 16; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits;
  }
  return text;
}

TEST_ALONE(initialization, finds_the_devices_that_the_environment_lets_it_see) {
  const Seen all = seen_with(nullptr);
  EQUAL(CUDA_SUCCESS, all.result);
  const auto sees_first_alone = [&all](const std::string& visible) {
    const Seen seen = seen_with(visible.c_str());
    EQUAL(CUDA_SUCCESS, seen.result);
    EQUAL(1, seen.count);
    EQUAL(std::string(all.first), std::string(seen.first));
  };
  for (const char* const visible : {"0", "0,-1", " 0", "0 ", "0abc", "0x0", "+0", "-0", "00", "0,abc", "0;1",
                                    "0,", "0,,", "0.5", "\t0", "0,99"}) {
    sees_first_alone(visible);
  }
  const std::string uuid = uuid_of_first();
  std::string capitals = uuid;
  for (char& letter : capitals) letter = static_cast<char>(std::toupper(letter));
  for (const std::string& visible :
       {uuid, capitals, uuid + "x", uuid + ",0", "0," + uuid, uuid + ",GPU-ffffffff"}) {
    sees_first_alone(visible);
  }
  // A UUID without "GPU-" is a number if it begins with a digit, so here it begins with a letter.
  for (const std::string& visible :
       {std::string(), std::string("-1"), std::string("-1,0"), std::string("abc"), std::string("abc,0"),
        std::string(",0"), std::string("NoDevFiles"), std::string("all"), std::string("none"),
        std::string("99999999999"), std::string("MIG-123"), std::string("GPU"), "a" + uuid.substr(5),
        " " + uuid, std::string("GPU-ffffffff"), std::string("GPU-ffffffff,0")}) {
    const Seen seen = seen_with(visible.c_str());
    EQUAL(CUDA_ERROR_NO_DEVICE, seen.result);
    EQUAL(CUDA_ERROR_NO_DEVICE, seen.again);
    EQUAL(-CUDA_ERROR_NOT_INITIALIZED, seen.count);
  }
  for (const std::string& visible : {std::string("0,0"), std::string("0, 0"), uuid + "," + uuid}) {
    EQUAL(CUDA_ERROR_INVALID_DEVICE, seen_with(visible.c_str()).result);
  }
  if (all.count < 2) skip("the rest needs two devices");
  const Seen second = seen_with("1");
  EQUAL(1, second.count);
  EQUAL(std::string(all.second), std::string(second.first));
  const Seen turned = seen_with("1,0");
  EQUAL(2, turned.count);
  EQUAL(std::string(all.second), std::string(turned.first));
  EQUAL(std::string(all.first), std::string(turned.second));
}

TEST_ALONE(initialization, too_late_for_the_environment_to_change_what_is_seen) {
  unsetenv("CUDA_VISIBLE_DEVICES");
  NEEDS(cuInit(0));
  const int before = device_count();
  setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
  SUCCEEDS(cuInit(0));
  EQUAL(before, device_count());
}

TEST_ALONE(initialization, leaves_the_context_current_for_functions_of_atexit) {
  const pid_t child = fork();
  if (child == 0) {
    static CUcontext primary = nullptr;
    if (cuInit(0) != CUDA_SUCCESS || cuDevicePrimaryCtxRetain(&primary, 0) != CUDA_SUCCESS) _exit(1);
    if (cuCtxSetCurrent(primary) != CUDA_SUCCESS) _exit(2);
    CUstream stream = nullptr;
    if (cuStreamCreate(&stream, 0) != CUDA_SUCCESS || cuStreamQuery(CU_STREAM_PER_THREAD) != CUDA_SUCCESS)
      _exit(3);
    std::atexit([] {
      CUcontext now = nullptr;
      CUdeviceptr address = 0;
      if (cuCtxGetCurrent(&now) != CUDA_SUCCESS || now != primary) _exit(4);
      if (cuMemAlloc(&address, 4096) != CUDA_SUCCESS) _exit(5);
      if (cuStreamSynchronize(CU_STREAM_PER_THREAD) != CUDA_SUCCESS) _exit(6);
      if (cuDevicePrimaryCtxRelease(0) != CUDA_SUCCESS) _exit(7);
      _exit(0);
    });
    std::exit(8);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EQUAL(0, WIFEXITED(status) ? WEXITSTATUS(status) : 99);
}

// By its name: headers before CUDA 12.8 do not have it.
TEST_ALONE(initialization, the_thread_that_restores_this_process_is_another_one_and_stays_the_same) {
  using Restorer = CUresult (*)(int, int*);
  NEEDS(cuInit(0));
  void* found = nullptr;
  CUdriverProcAddressQueryResult status{};
  if (cuGetProcAddress("cuCheckpointProcessGetRestoreThreadId", &found, 12080, CU_GET_PROC_ADDRESS_DEFAULT,
                       &status) != CUDA_SUCCESS ||
      found == nullptr)
    skip("needs a driver of CUDA 12.8");
  const auto restorer = reinterpret_cast<Restorer>(found);
  int first = 0, second = 0;
  SUCCEEDS(restorer(getpid(), &first));
  SUCCEEDS(restorer(getpid(), &second));
  EQUAL(first, second);
  HOLDS(first > 0 && first != getpid());  // the main thread, which asks, has the number of the process
  ANSWERS(CUDA_ERROR_INVALID_VALUE, restorer(getpid(), nullptr));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, restorer(0, nullptr));
  ANSWERS(CUDA_ERROR_OPERATING_SYSTEM, restorer(0, &first));
  ANSWERS(CUDA_ERROR_OPERATING_SYSTEM, restorer(-1, &first));
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, restorer(child, &first));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace conformance
