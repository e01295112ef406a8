// Lesson 12: a kernel in one PTX file calls a function in another. The driver links them, and the program
// chooses what with. What is said when a function is missing, or is there twice, and which call says it.
#include <cstring>

#include "check.hpp"

// The linker writes into these buffers until its state is destroyed, so they have to last as long.
struct Log {
  char text[4096] = "";
  CUjit_option names[2] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[2] = {text, reinterpret_cast<void*>(sizeof text)};
  bool says(const char* words) const { return std::strstr(text, words) != nullptr; }
};

CUresult add_file(CUlinkState linker, const char* name) {
  return cuLinkAddFile(linker, CU_JIT_INPUT_PTX, lesson::beside_program(name).c_str(), 0, nullptr, nullptr);
}

// Runs apply on the number and returns what became of it.
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
  // One input from memory, with a name for the logs and the zero counted in its length; one from a file.
  std::string twice = lesson::text_of(lesson::beside_program("twice.ptx"));
  check(
      cuLinkAddData(linker, CU_JIT_INPUT_PTX, twice.data(), twice.size() + 1, "twice", 0, nullptr, nullptr));
  check(add_file(linker, "apply.ptx"));

  // step: complete
  // The image belongs to the linker, and goes with it: so it is loaded before that.
  check(cuLinkComplete(linker, &image, &size));
  claim("there is an image", image != nullptr && size > 0);
  claim("and no complaint", log.text[0] == 0);
  check(cuModuleLoadData(&module, image));
  check(cuLinkDestroy(linker));

  // step: run
  CUfunction doubles = nullptr, squares = nullptr;
  check(cuModuleGetFunction(&doubles, module, "apply"));
  claim("21 became 42", applied(doubles, memory, 21) == 42);

  // step: another
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
  // Adding is fine. Only who completes learns that something is missing.
  Log missing;
  check(cuLinkCreate(2, missing.names, missing.values, &linker));
  check(add_file(linker, "apply.ptx"));
  expect(CUDA_ERROR_INVALID_SOURCE, cuLinkComplete(linker, &image, &size));
  std::puts(missing.text);
  claim("the log names the function", missing.says("'change'"));
  check(cuLinkDestroy(linker));

  // step: duplicate
  // Two of one name: the second is refused, and what was begun is of no use any more.
  Log doubled;
  check(cuLinkCreate(2, doubled.names, doubled.values, &linker));
  check(add_file(linker, "twice.ptx"));
  expect(CUDA_ERROR_INVALID_SOURCE, add_file(linker, "square.ptx"));
  expect(CUDA_ERROR_INVALID_SOURCE, cuLinkComplete(linker, &image, &size));
  std::puts(doubled.text);
  claim("the log names the function again", doubled.says("'change'"));
  check(cuLinkDestroy(linker));

  // step: alone
  // The kernel calls change(), and nobody says what that is.
  expect(CUDA_ERROR_INVALID_PTX, cuModuleLoad(&module, lesson::beside_program("apply.ptx").c_str()));

  // step: end
  check(cuMemFree(memory));
  check(cuCtxDestroy(context));
}
