// Headers that lie in memory, a mistake in one of them and the place that the log names; options that are
// refused.
#include <cstring>

#include "sample.hpp"

namespace {

const char* const source = R"(#include "shape.h"
#include <depth/unit.h>
extern "C" __global__ void area(float* out) { *out = Shape{3, 4}.area() * unit + MORE; }
)";
const char* const shape = "struct Shape { float a, b; __device__ float area() const { return a * b; } };\n";
const char* const wrong_shape =
    "struct Shape {\n  float a, b;\n  __device__ float area() const { return a * d; }\n};\n";

nvrtcProgram make(const char* header) {
  const char* const texts[] = {header, "#pragma once\n__constant__ float unit = 2;\n"};
  const char* const names[] = {"shape.h", "depth/unit.h"};
  nvrtcProgram program = nullptr;
  CHECK(nvrtcCreateProgram(&program, source, "area.cu", 2, texts, names));
  return program;
}

std::string log_of(nvrtcProgram program) {
  std::size_t size = 0;
  CHECK(nvrtcGetProgramLogSize(program, &size));
  std::string log(size, '\0');
  CHECK(nvrtcGetProgramLog(program, log.data()));
  return log;
}

}  // namespace

int main() {
  const sample::Device device;
  nvrtcProgram program = make(shape);
  const char* const options[] = {"--gpu-architecture=compute_75", "-DMORE=0.5f"};
  CHECK(nvrtcCompileProgram(program, 2, options));
  std::size_t size = 0;
  CHECK(nvrtcGetPTXSize(program, &size));
  std::string ptx(size, '\0');
  CHECK(nvrtcGetPTX(program, ptx.data()));
  CUmodule module = nullptr;
  CHECK(cuModuleLoadData(&module, ptx.c_str()));
  const sample::Values<float> out(1);
  CUdeviceptr address = out.address();
  sample::launch(sample::kernel(module, "area"), 1, 1, nullptr, &address);
  CHECK(cuCtxSynchronize());
  std::printf("area %g\n", out.read()[0]);
  CHECK(nvrtcDestroyProgram(&program));

  program = make(wrong_shape);
  std::printf("with a mistake: %s\n", nvrtcGetErrorString(nvrtcCompileProgram(program, 2, options)));
  const std::string log = log_of(program);
  std::printf("the log names the header's line: %d, the word: %d, one error: %d\n",
              log.find("shape.h(3): error") != std::string::npos, log.find("\"d\"") != std::string::npos,
              log.find("1 error detected in the compilation of \"area.cu\".") != std::string::npos);
  std::printf("no PTX then: %s\n", nvrtcGetErrorString(nvrtcGetPTXSize(program, &size)));
  CHECK(nvrtcDestroyProgram(&program));

  program = make(shape);
  const char* const unknown[] = {"--no-such-option"};
  std::printf("an option: %s\n", nvrtcGetErrorString(nvrtcCompileProgram(program, 1, unknown)));
  std::printf("%s\n", log_of(program).c_str());
  CHECK(nvrtcDestroyProgram(&program));
}
