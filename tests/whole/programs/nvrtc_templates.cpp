// Kernels that are templates: found by the names that were announced before compiling. Variables too.
#include "sample.hpp"

namespace {

const char* const source = R"(
template <typename T> struct Pair { T first, second; };
namespace maths {
template <typename T, int Times> __global__ void multiply(T* values) { values[threadIdx.x] *= T(Times); }
__global__ void swap(Pair<int>* pair) {
  const int first = pair->first;
  pair->first = pair->second;
  pair->second = first;
}
__constant__ int offset = 3;
}
)";

struct Names {
  CUmodule module = nullptr;
  std::string ints, doubles, swap, offset;
};

Names compile_with_names() {
  nvrtcProgram program = nullptr;
  CHECK(nvrtcCreateProgram(&program, source, "templates.cu", 0, nullptr, nullptr));
  const char* const expressions[] = {"maths::multiply<int, 3>", "&maths::multiply<double, 5>", "maths::swap",
                                     "&maths::offset"};
  for (const char* const expression : expressions) CHECK(nvrtcAddNameExpression(program, expression));
  const char* const options[] = {"--gpu-architecture=compute_75", "-std=c++17"};
  CHECK(nvrtcCompileProgram(program, 2, options));
  Names names;
  std::string* const found[] = {&names.ints, &names.doubles, &names.swap, &names.offset};
  for (int i = 0; i < 4; ++i) {
    const char* lowered = nullptr;
    CHECK(nvrtcGetLoweredName(program, expressions[i], &lowered));
    *found[i] = lowered;
  }
  const char* lowered = nullptr;
  std::printf("one that was not announced: %s\n",
              nvrtcGetErrorString(nvrtcGetLoweredName(program, "maths::multiply<char, 2>", &lowered)));
  std::size_t size = 0;
  CHECK(nvrtcGetPTXSize(program, &size));
  std::string ptx(size, '\0');
  CHECK(nvrtcGetPTX(program, ptx.data()));
  CHECK(cuModuleLoadData(&names.module, ptx.c_str()));
  CHECK(nvrtcDestroyProgram(&program));
  return names;
}

}  // namespace

int main() {
  const sample::Device device;
  const Names names = compile_with_names();
  std::printf("%s\n%s\n", names.ints.c_str(), names.swap.c_str());
  const sample::Values<int> ints(std::vector<int>{1, 2, 3, 4});
  const sample::Values<double> doubles(std::vector<double>{0.5, 1.5});
  CUdeviceptr address = ints.address();
  sample::launch(sample::kernel(names.module, names.ints.c_str()), 1, 4, nullptr, &address);
  sample::launch(sample::kernel(names.module, names.swap.c_str()), 1, 1, nullptr, &address);
  address = doubles.address();
  sample::launch(sample::kernel(names.module, names.doubles.c_str()), 1, 2, nullptr, &address);
  CHECK(cuCtxSynchronize());
  for (const int value : ints.read()) std::printf("%d ", value);
  for (const double value : doubles.read()) std::printf("%g ", value);
  CUdeviceptr offset = 0;
  std::size_t size = 0;
  CHECK(cuModuleGetGlobal(&offset, &size, names.module, names.offset.c_str()));
  int value = 0;
  CHECK(cuMemcpyDtoH(&value, offset, sizeof value));
  std::printf("\nthe variable has %zu bytes and holds %d\n", size, value);
}
