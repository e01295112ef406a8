// Exercise 30, a wrong answer: only the stream of the kernel returns its error.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "check.hpp"

const std::string answers[] = {
    // 1: a kernel will store to an address that is not aligned; what does its launch return?
    "0",
    // 2: and then cuCtxSynchronize?
    "716",
    // 3: and cuCtxSynchronize once more?
    "716",
    // 4: a kernel in stream `left` traps, `right` waits for it; what does cuStreamSynchronize(right) return?
    "0",
    // 5: what does cuMemFree return then, for memory that no kernel has used?
    "0",
    // 6: an assert in a kernel is false; what does cuCtxSynchronize return?
    "710",
    // 7: and then cuCtxDestroy?
    "0",
    // 8: and then cuCtxCreate?
    "710",
    // 9: what does the launch of a block of 2048 threads return?
    "1",
    // 10: and then cuCtxSynchronize?
    "0",
    // 11: a kernel checks its null pointer and prints a line instead; what does cuCtxSynchronize return?
    "0",
};
constexpr std::size_t kAnswers = sizeof answers / sizeof *answers;

int* facts = nullptr;  // in memory that all processes share
std::size_t noted = 0;
CUcontext context = nullptr;
CUfunction kernel = nullptr;
CUdeviceptr memory = 0;

void note(CUresult result) {
  facts[noted++] = static_cast<int>(result);
}

void start(const char* name) {
  CUmodule module = nullptr;
  check(cuInit(0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&kernel, module, name));
  check(cuMemAlloc(&memory, 16));
}

CUresult launch(CUdeviceptr to, CUstream stream = nullptr, unsigned threads = 1) {
  int value = 7;
  void* parameters[] = {&to, &value};
  return cuLaunchKernel(kernel, 1, 1, 1, threads, 1, 1, 0, stream, parameters, nullptr);
}

// Calls `work` in a worker, which notes `count` facts.
void in_a_worker(std::size_t count, void (*work)()) {
  std::fflush(stdout);
  const pid_t worker = fork();
  if (worker == 0) {
    work();
    if (context != nullptr) check(cuCtxDestroy(context));
    std::fflush(stdout);
    _exit(0);
  }
  int status = -1;
  waitpid(worker, &status, 0);
  if (status != 0) lesson::end_here();
  noted += count;
}

int main() {
  facts = static_cast<int*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  in_a_worker(3, [] {
    start("store");
    note(launch(memory + 1));
    note(cuCtxSynchronize());
    note(cuCtxSynchronize());
  });
  in_a_worker(2, [] {
    CUstream left = nullptr, right = nullptr;
    CUevent event = nullptr;
    start("store_or_trap");
    for (CUstream* one : {&left, &right}) check(cuStreamCreate(one, CU_STREAM_NON_BLOCKING));
    check(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    check(cuLaunchHostFunc(left, [](void*) { usleep(100000); }, nullptr));  // the kernel starts after it
    check(launch(0, left));
    check(cuEventRecord(event, left));
    check(cuStreamWaitEvent(right, event, CU_EVENT_WAIT_DEFAULT));
    note(cuStreamSynchronize(right));
    note(cuMemFree(memory));
  });
  in_a_worker(3, [] {
    start("store_or_assert");
    check(launch(0));
    note(cuCtxSynchronize());
    note(cuCtxDestroy(context));
    context = nullptr;
    note(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  });
  in_a_worker(3, [] {
    start("store_or_print");
    note(launch(memory, nullptr, 2048));
    note(cuCtxSynchronize());
    check(launch(0));
    note(cuCtxSynchronize());
  });

  for (std::size_t i = 0; i < kAnswers; ++i) {
    const std::string fact = std::to_string(facts[i]);
    if (answers[i] == fact) continue;
    std::printf("question %zu: you wrote %s; it is %s\n", i + 1, answers[i].c_str(), fact.c_str());
    return 1;
  }
  std::printf("all %zu answers are right\n", kAnswers);
}
