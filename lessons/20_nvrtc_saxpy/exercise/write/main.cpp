// Exercise 20, to write: compile a kernel with an option, keep the
// log if that fails, and run the result. Write the two functions.
#include <string>

#include "check_nvrtc.hpp"

// It cannot be compiled until FACTOR is defined, and this text does not define it.
inline constexpr const char* kSource = R"(extern "C" __global__ void scale(int* values) {
  values[threadIdx.x] *= FACTOR;
}
)";

// Compiles kSource for compute_75, with `option` as one more option unless it is null. Returns whether it was
// compiled. `*ptx` receives the PTX, and `*log` what the compiler said.
bool compile([[maybe_unused]] const char* option, [[maybe_unused]] std::string* ptx,
             [[maybe_unused]] std::string* log) {
  // Write this function.
  return true;
}

// Loads the PTX, runs scale with 32 threads on 32 ints that are all `value`, and returns the last one. Leaves
// nothing behind.
int scaled([[maybe_unused]] const std::string& ptx, [[maybe_unused]] int value) {
  // Write this function.
  return 0;
}

int main() {
  std::string ptx, log;
  claim("without FACTOR there is an error, not PTX", !compile(nullptr, &ptx, &log));
  std::printf("%s\n", log.c_str());
  claim("the log names FACTOR", log.find("FACTOR") != std::string::npos);

  CUcontext context = nullptr;
  check(cuInit(0));
  check(create_context(&context, 0, 0));
  claim("with -DFACTOR=3 it is compiled", compile("-DFACTOR=3", &ptx, &log));
  claim("7 times 3 is 21", scaled(ptx, 7) == 21);
  claim("with -DFACTOR=-5 it is compiled, too", compile("-DFACTOR=-5", &ptx, &log));
  claim("7 times -5 is -35", scaled(ptx, 7) == -35);
  check(cuCtxDestroy(context));
}
