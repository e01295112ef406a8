// Exercise 29, the project: machine code is compiled once, and kept in a file for the next start.
#include <fstream>
#include <functional>
#include <iterator>

#include "check.hpp"

namespace kept {  // change this namespace only

// Returns a module with the kernels of this PTX. It compiles the PTX with the driver's linker and keeps the
// machine code in the file; if the file holds the code of this PTX, for this device and this driver, it loads
// that.
CUmodule load(std::string& ptx, const std::string& file) {
  CUmodule module = nullptr;
  (void)file;
  check(cuModuleLoadData(&module, ptx.c_str()));
  return module;
}

}  // namespace kept

// Loads the text, runs its kernel, unloads it, and returns the number that the kernel stored.
int number_of(std::string ptx, const std::string& file) {
  CUmodule module = kept::load(ptx, file);
  CUfunction answer = nullptr;
  CUdeviceptr memory = 0;
  int number = 0;
  void* arguments[] = {&memory};
  check(cuMemAlloc(&memory, sizeof number));
  check(cuModuleGetFunction(&answer, module, "answer"));
  check(cuLaunchKernel(answer, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  check(cuMemcpyDtoH(&number, memory, sizeof number));
  check(cuMemFree(memory));
  check(cuModuleUnload(module));
  return number;
}

int main() {
  CUcontext context = nullptr;
  const std::string file = lesson::beside_program("kept.bin"),
                    text = lesson::text_of(lesson::beside_program("answer_75.ptx"));
  std::string another = lesson::text_of(lesson::beside_program("answer_80.ptx"));
  another.replace(another.find("sm_80"), 5, "sm_75");  // so that it runs on every device of this lesson
  std::remove(file.c_str());
  check(cuInit(0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  claim("the first start runs the kernel", number_of(text, file) == 75);
  claim("so does the second", number_of(text, file) == 75);
  claim("the file is not used for another text", number_of(another, file) == 80);
  std::fstream damaged(file, std::ios::in | std::ios::out | std::ios::binary);
  claim("the machine code is in the file", damaged.is_open());
  damaged.seekp(-8, std::ios::end);
  damaged << "damaged!";
  damaged.close();
  claim("nor if it is damaged", number_of(another, file) == 80);
  claim("and it is whole again", number_of(another, file) == 80);
  check(cuCtxDestroy(context));
  std::remove(file.c_str());
}
