// Exercise 17, a wrong answer: "loaded once, so there is one variable". Each context has its own.
#include <string>
#include <vector>

#include "check.hpp"

// Change this table only: "yes" or "no", the name of a result, or a number.
const std::string answers[] = {
    // 1: no context exists; the result of cuLibraryLoadFromFile
    "CUDA_SUCCESS",
    // 2: cuKernelGetFunction is called in A and in B; does it write the same CUfunction?
    "no",
    // 3: A is current; the result of cuLaunchKernel with the CUfunction from A
    "CUDA_SUCCESS",
    // 4: B is current; the result of cuLaunchKernel with the same CUfunction
    "CUDA_ERROR_INVALID_HANDLE",
    // 5: B is current; the result of cuLaunchKernel with the CUkernel
    "CUDA_SUCCESS",
    // 6: has the variable `calls` the same address in A and in B?
    "yes",
    // 7: the value of `calls` in A now
    "3",
    // 8: the value of `calls` in B now
    "3",
    // 9: B is destroyed, C is created; the value of `calls` in C after one launch of the CUkernel
    "4",
    // 10: the library is unloaded and the file is loaded again; the value of `calls` in A before any launch
    "0",
};

std::string name_of(CUresult result) {
  const char* name = nullptr;
  check(cuGetErrorName(result, &name));
  return name;
}

CUresult launch(CUfunction function) {
  return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
}

CUdeviceptr address_of_calls(CUlibrary library) {
  CUdeviceptr address = 0;
  check(cuLibraryGetGlobal(&address, nullptr, library, "calls"));
  return address;
}

std::string calls_here(CUlibrary library) {
  int calls = 0;
  check(cuMemcpyDtoH(&calls, address_of_calls(library), sizeof calls));
  return std::to_string(calls);
}

int main() {
  std::vector<std::string> facts;
  const std::string code = lesson::beside_program("kernels.ptx");
  CUcontext a = nullptr, b = nullptr, c = nullptr;
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CUfunction in_a = nullptr, in_b = nullptr;
  check(cuInit(0));
  facts.push_back(
      name_of(cuLibraryLoadFromFile(&library, code.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0)));
  check(cuLibraryGetKernel(&kernel, library, "count_call"));
  const auto as_function = reinterpret_cast<CUfunction>(kernel);

  check(create_context(&a, 0, 0));  // stack: A
  check(cuKernelGetFunction(&in_a, kernel));
  const CUdeviceptr address_in_a = address_of_calls(library);
  check(create_context(&b, 0, 0));  // stack: A, B
  check(cuKernelGetFunction(&in_b, kernel));
  facts.emplace_back(in_a == in_b ? "yes" : "no");
  check(cuCtxPushCurrent(a));  // stack: A, B, A
  facts.push_back(name_of(launch(in_a)));
  check(cuCtxPopCurrent(nullptr));  // stack: A, B
  facts.push_back(name_of(launch(in_a)));
  facts.push_back(name_of(launch(as_function)));
  check(launch(as_function));
  facts.emplace_back(address_of_calls(library) == address_in_a ? "yes" : "no");
  check(cuCtxPushCurrent(a));  // stack: A, B, A
  facts.push_back(calls_here(library));
  check(cuCtxPopCurrent(nullptr));  // stack: A, B
  facts.push_back(calls_here(library));

  check(cuCtxDestroy(b));           // stack: A
  check(create_context(&c, 0, 0));  // stack: A, C
  check(launch(as_function));
  facts.push_back(calls_here(library));
  check(cuCtxDestroy(c));  // stack: A

  check(cuLibraryUnload(library));
  check(cuLibraryLoadFromFile(&library, code.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  facts.push_back(calls_here(library));
  check(cuLibraryUnload(library));
  check(cuCtxDestroy(a));

  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (answers[i] == facts[i]) continue;
    std::printf("question %zu: you wrote %s; it is %s\n", i + 1, answers[i].c_str(), facts[i].c_str());
    return 1;
  }
  std::printf("all %zu answers are right\n", facts.size());
}
