// Lesson 13: a kernel in one PTX file calls a function in another. The driver links the files that the
// program chooses. Which call returns an error if a function is missing or is defined twice.
#include <cstring>

#include "check.hpp"

// The linker writes to these buffers until cuLinkDestroy, so they have to exist until then.
struct Log {
  char text[4096] = "";
  CUjit_option names[2] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[2] = {text, reinterpret_cast<void*>(sizeof text)};
  bool says(const char* words) const { return std::strstr(text, words) != nullptr; }
};

CUresult add_file(CUlinkState linker, const char* name) {
  return cuLinkAddFile(linker, CU_JIT_INPUT_PTX, lesson::beside_program(name).c_str(), 0, nullptr, nullptr);
}

// Runs the kernel apply on the number and returns the new number.
int applied(CUfunction apply, CUdeviceptr memory, int number) {
  void* arguments[] = {&memory};
  check(cuMemcpyHtoD(memory, &number, sizeof number));
  check(cuLaunchKernel(apply, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  check(cuMemcpyDtoH(&number, memory, sizeof number));
  return number;
}

int main() {
  CUcontext context = nullptr;
  CUdevice device = 0;
  CUmodule module = nullptr, other = nullptr;
  CUdeviceptr memory = 0;
  void* image = nullptr;
  std::size_t size = 0;

  // step: start
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, device));
  check(cuMemAlloc(&memory, sizeof(int)));

  // step: create
  Log log;
  CUlinkState linker = nullptr;
  check(cuLinkCreate(2, log.names, log.values, &linker));

  // step: add
  // One input is in memory: it gets a name for the logs, and its length counts the zero. The other is a file.
  std::string twice = lesson::text_of(lesson::beside_program("twice.ptx"));
  check(
      cuLinkAddData(linker, CU_JIT_INPUT_PTX, twice.data(), twice.size() + 1, "twice", 0, nullptr, nullptr));
  check(add_file(linker, "apply.ptx"));

  // step: complete
  // The image belongs to the linker and is freed with it, so the program loads it first.
  check(cuLinkComplete(linker, &image, &size));
  claim("there is an image", image != nullptr && size > 0);
  claim("and the log is empty", log.text[0] == 0);
  check(cuModuleLoadData(&module, image));
  check(cuLinkDestroy(linker));

  // step: run
  CUfunction doubles = nullptr, squares = nullptr;
  check(cuModuleGetFunction(&doubles, module, "apply"));
  claim("21 became 42", applied(doubles, memory, 21) == 42);

  // step: other_function
  // The same kernel with another function, chosen while the program runs.
  check(cuLinkCreate(0, nullptr, nullptr, &linker));
  check(add_file(linker, "apply.ptx"));
  check(add_file(linker, "square.ptx"));
  check(cuLinkComplete(linker, &image, &size));
  check(cuModuleLoadData(&other, image));
  check(cuLinkDestroy(linker));
  check(cuModuleGetFunction(&squares, other, "apply"));
  claim("21 became 441", applied(squares, memory, 21) == 441);
  claim("the first module still doubles", applied(doubles, memory, 21) == 42);
  check(cuModuleUnload(other));
  check(cuModuleUnload(module));

  // step: undefined
  // Adding the file succeeds. Only cuLinkComplete reports that a function is missing.
  Log missing;
  check(cuLinkCreate(2, missing.names, missing.values, &linker));
  check(add_file(linker, "apply.ptx"));
  expect(CUDA_ERROR_INVALID_SOURCE, cuLinkComplete(linker, &image, &size));
  std::puts(missing.text);
  claim("the log names the function", missing.says("'change'"));
  check(cuLinkDestroy(linker));

  // step: duplicate
  // Two functions have the same name: adding the second fails, and so does completing the link.
  Log doubled;
  check(cuLinkCreate(2, doubled.names, doubled.values, &linker));
  check(add_file(linker, "twice.ptx"));
  expect(CUDA_ERROR_INVALID_SOURCE, add_file(linker, "square.ptx"));
  expect(CUDA_ERROR_INVALID_SOURCE, cuLinkComplete(linker, &image, &size));
  std::puts(doubled.text);
  claim("the log names the function again", doubled.says("'change'"));
  check(cuLinkDestroy(linker));

  // step: without_linker
  // The kernel calls change(), and no other input defines this function.
  expect(CUDA_ERROR_INVALID_PTX, cuModuleLoad(&module, lesson::beside_program("apply.ptx").c_str()));

  // step: end
  check(cuMemFree(memory));
  check(cuCtxDestroy(context));
}
