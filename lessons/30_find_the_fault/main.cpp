// Lesson 30: where an error appears is often not where it was made. Each fault is made in a worker, a process
// of its own, and found by the driver's log, by waits, by assertions and by what a kernel prints.
#include <atomic>
#include <functional>

#include "check.hpp"

// In worker.cpp. A worker calls `work` and destroys its context. What it has written to stderr is returned.
std::string in_a_worker(const std::function<void()>& work);
CUcontext prepare(const char* name, CUfunction* kernel, CUdeviceptr* memory);  // makes a context
void gate(void* open);

// The driver's log, since CUDA 12.9. Older headers lack these functions, so their types are written here.
struct Log {
  CUresult (*cuLogsRegisterCallback)(void (*)(void*, int, char*, std::size_t), void*, void**) = nullptr;
  CUresult (*cuLogsUnregisterCallback)(void*) = nullptr;
};

// Finds the function of that name, if the driver is of CUDA 12.9 or later. Otherwise the pointer stays null.
template <typename Function>
void find(const char* name, Function& function) {
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
  cuGetProcAddress(name, reinterpret_cast<void**>(&function), 12090, 0, &status);
}

int main() {
  CUfunction kernel = nullptr;
  CUdeviceptr memory = 0, nowhere = 0, unaligned = 0;
  int value = 42;
  void *good[] = {&memory, &value}, *bad[] = {&nowhere, &value}, *odd[] = {&unaligned, &value};

  in_a_worker([&] {
    // step: start
    Log log;
    check(cuInit(0));
    prepare("store", &kernel, &memory);
    find("cuLogsRegisterCallback", log.cuLogsRegisterCallback);
    find("cuLogsUnregisterCallback", log.cuLogsUnregisterCallback);

    // step: log
    // Three mistakes, and three times the same number. The log has the reasons: the driver calls `hear`.
    std::string heard;
    void* ear = nullptr;
    const auto hear = [](void* all, int, char* message, std::size_t length) {
      static_cast<std::string*>(all)->append(message, length).append("\n");
    };
    if (log.cuLogsRegisterCallback) check(log.cuLogsRegisterCallback(hear, &heard, &ear));
    expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(kernel, 0, 1, 1, 1, 1, 1, 0, nullptr, good, nullptr));
    expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(kernel, 1, 1, 1, 2048, 1, 1, 0, nullptr, good, nullptr));
    expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    if (ear != nullptr) check(log.cuLogsUnregisterCallback(ear));
    std::printf("%s", heard.c_str());
    claim("the log names the call that failed", ear == nullptr || heard.find("cuLaunchKernel") != heard.npos);
  });

  const std::string log = in_a_worker([&] {
    // step: queue
    // The mistake is in `left`, and `right` waits for it. Every call succeeds, because the gate is closed.
    CUstream left = nullptr, right = nullptr;
    CUevent event = nullptr;
    std::atomic<bool> open = false;
    setenv("CUDA_LOG_FILE", "stderr", 1);
    check(cuInit(0));
    prepare("store", &kernel, &memory);
    for (CUstream* one : {&left, &right}) check(cuStreamCreate(one, CU_STREAM_NON_BLOCKING));
    for (CUstream one : {left, right}) check(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, one, good, nullptr));
    check(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    check(cuLaunchHostFunc(left, gate, &open));
    check(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, left, bad, nullptr));
    check(cuEventRecord(event, left));
    check(cuStreamWaitEvent(right, event, CU_EVENT_WAIT_DEFAULT));
    check(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, right, good, nullptr));
    open = true;

    // step: innocent
    expect(CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamSynchronize(right));

    // step: repeats
    expect(CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamSynchronize(left));
    expect(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemAlloc(&memory, 16));
  });
  claim("the log has this call too", log.empty() || log.find("cuMemAlloc") != log.npos);

  in_a_worker([&] {
    // step: each_launch
    // Wait after each launch, before the next one is queued. Then only one launch can have made the error.
    check(cuInit(0));
    prepare("store", &kernel, &memory);
    void** const jobs[] = {good, bad, good};
    int job = 0;
    do check(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, jobs[job], nullptr));
    while (cuCtxSynchronize() == CUDA_SUCCESS && ++job < 3);
    claim("job 1 is the wrong one", job == 1);
  });

  in_a_worker([&] {
    // step: misaligned
    check(cuInit(0));
    prepare("store", &kernel, &memory);
    unaligned = memory + 1;
    check(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, odd, nullptr));
    expect(CUDA_ERROR_MISALIGNED_ADDRESS, cuCtxSynchronize());
  });
  in_a_worker([&] {
    // step: trap
    check(cuInit(0));
    prepare("store_or_trap", &kernel, &memory);
    check(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, bad, nullptr));
    expect(CUDA_ERROR_LAUNCH_FAILED, cuCtxSynchronize());
  });
  const std::string said = in_a_worker([&] {
    // step: assertion
    check(cuInit(0));
    prepare("store_or_assert", &kernel, &memory);
    check(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, bad, nullptr));
    expect(CUDA_ERROR_ASSERT, cuCtxSynchronize());
  });
  claim("the message names the condition", said.find("Assertion `to != nullptr` failed") != said.npos);

  in_a_worker([&] {
    // step: settings
    // A core dump keeps the state in which a kernel failed. What the environment has set, no call can change.
    setenv("CUDA_COREDUMP_FILE", "gpu_core", 1);
    setenv("CUDA_COREDUMP_GENERATION_FLAGS", "skip_abort,skip_nonrelocated_elf_images", 1);
    char file[1024] = "";
    std::size_t length = sizeof file, size = sizeof(bool);
    check(cuInit(0));
    check(cuCoredumpGetAttributeGlobal(CU_COREDUMP_FILE, file, &length));
    claim("the variable has set the name", std::string(file) == std::getenv("CUDA_COREDUMP_FILE"));
    expect(CUDA_ERROR_INVALID_VALUE, cuCoredumpSetAttributeGlobal(CU_COREDUMP_FILE, file, &length));

    // step: takes_over
    // A new context takes over what the process has set. Here core dumps are off again before a kernel runs.
    bool on = true, taken = false, off = false;
    check(cuCoredumpSetAttributeGlobal(CU_COREDUMP_ENABLE_ON_EXCEPTION, &on, &size));
    prepare("store", &kernel, &memory);
    check(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &taken, &size));
    claim("the context has taken over the setting", taken);
    check(cuCoredumpSetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &off, &size));
  });

  // step: print
  // This process has called no function of the driver so far, and the workers' faults do not concern it.
  check(cuInit(0));
  const CUcontext context = prepare("store_or_print", &kernel, &memory);
  check(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, bad, nullptr));
  check(cuCtxSynchronize());
  check(cuCtxDestroy(context));
}
