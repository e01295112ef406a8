// SPDX-License-Identifier: MIT
// How long cuModuleLoadData and cuModuleUnload take for texts of many functions, kernels and variables.
//
// Ten times as much should take ten times as long: it prints the time for one, in microseconds, at two sizes,
// and their ratio. Uses only cuda.h.
#include <cuda.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void check(CUresult result) {
  if (result == CUDA_SUCCESS) return;
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  std::fprintf(stderr, "large_texts: %s\n", name != nullptr ? name : "no result");
  std::exit(1);
}

std::string function(const std::string& number) {
  return ".func (.param .b32 r) f" + number +
         "(.param .b32 a) {\n.reg .b32 %r<3>;\nld.param.b32 %r1, [a];\nadd.s32 %r2, %r1, " + number +
         ";\nst.param.b32 [r], %r2;\nret;\n}\n";
}
std::string kernel(const std::string& number) {
  return ".visible .entry k" + number + "() { ret; }\n";
}
std::string variable(const std::string& number) {
  return ".visible .global .align 4 .u32 v" + number + " = " + number + ";\n";
}

double microseconds_for_one(std::string (*part)(const std::string&), int count) {
  std::string text = ".version 8.0\n.target sm_52\n.address_size 64\n";
  for (int i = 0; i < count; ++i) text += part(std::to_string(i));
  const auto begin = std::chrono::steady_clock::now();
  CUmodule module = nullptr;
  check(cuModuleLoadData(&module, text.c_str()));
  check(cuModuleUnload(module));
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() / count;
}

void tell(const char* what, std::string (*part)(const std::string&)) {
  const double few = microseconds_for_one(part, 10000), many = microseconds_for_one(part, 100000);
  std::printf("%-9s  %6.1f us each of 10,000  %6.1f us each of 100,000  (%.1f times)\n", what, few, many,
              many / few);
}

}  // namespace

int main() {
  CUcontext context = nullptr;
  check(cuInit(0));
  check(cuCtxCreate(&context, nullptr, 0, 0));
  tell("functions", function);
  tell("kernels", kernel);
  tell("variables", variable);
}
