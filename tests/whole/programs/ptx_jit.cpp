// Loads PTX that was written by hand, with a log; and PTX with a mistake, which is refused.
#include "sample.hpp"

namespace {

const char* const good = R"(.version 7.5
.target sm_75
.address_size 64
.visible .entry twice(.param .u64 values)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [values];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.u32 %r2, [%rd4];
  add.u32 %r3, %r2, %r2;
  st.global.u32 [%rd4], %r3;
  ret;
})";

}  // namespace

int main() {
  const sample::Device device;
  char log[4096] = {};
  CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  CUmodule module = nullptr;
  CHECK(cuModuleLoadDataEx(&module, good, 2, names, values));
  sample::Values<int> numbers(std::vector<int>{1, 2, 3, 4});
  sample::launch(sample::kernel(module, "twice"), 1, 4, nullptr, numbers.argument());
  for (const int number : numbers.read()) std::printf("%d ", number);
  std::string bad = good;
  bad.replace(bad.find("add.u32"), 7, "sum.u32");
  values[1] = reinterpret_cast<void*>(sizeof log);
  const CUresult result = cuModuleLoadDataEx(&module, bad.c_str(), 2, names, values);
  std::printf("\nwith a mistake: %d, %s\n", static_cast<int>(result),
              log[0] == '\0' ? "no word" : "and a word about it");
}
