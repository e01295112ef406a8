// What the steps of lesson 30 share. A worker is a process in which a kernel may fail.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>

#include "check.hpp"

// Calls `work` in a worker, which then destroys its context. This process may fork, because it has not called
// cuInit. Prints and returns what the worker has written to stderr.
std::string in_a_worker(const std::function<void()>& work) {
  std::FILE* const errors = std::tmpfile();
  if (errors == nullptr) lesson::end_here();
  std::fflush(stdout);
  const pid_t worker = fork();
  if (worker == 0) {
    dup2(fileno(errors), STDERR_FILENO);
    unsetenv("CUDA_LAUNCH_BLOCKING");  // with it, launches would wait, even for a closed gate
    work();
    CUcontext context = nullptr;
    check(cuCtxGetCurrent(&context));
    if (context != nullptr) check(cuCtxDestroy(context));
    std::fflush(stdout);
    _exit(0);
  }
  int status = -1;
  waitpid(worker, &status, 0);
  std::string said;
  if (std::fseek(errors, 0, SEEK_SET) != 0) lesson::end_here();
  for (int letter; (letter = std::fgetc(errors)) != EOF;) said += static_cast<char>(letter);
  std::fclose(errors);
  std::fputs(said.c_str(), stdout);
  if (status != 0) claim("the worker has come to its end", status == 0);
  return said;
}

// Makes a context, finds a kernel of kernels.cu, and allocates 16 bytes.
CUcontext prepare(const char* name, CUfunction* kernel, CUdeviceptr* memory) {
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  check(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(kernel, module, name));
  check(cuMemAlloc(memory, 16));
  return context;
}

// Holds a stream until the host opens the gate.
void gate(void* open) {
  while (!*static_cast<std::atomic<bool>*>(open)) usleep(1000);
}
