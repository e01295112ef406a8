// SPDX-License-Identifier: MIT
// A program with kernels, for runner_test.py, which makes calls fail in the process that runs them:
//
//   faults_kernels works           all that a kernel can need: memory, a barrier, local memory, malloc,
//   printf faults_kernels modules COUNT   loads, launches and unloads one after the other faults_kernels held
//   COUNT      keeps all loaded and launches each again faults_kernels memory COUNT    allocates so much and
//   uses the first; with "last" behind it, the last, too
//
// Prints "right" and ends with 0; or prints the call that failed and its error, and ends with 3. A wrong
// result ends with 4.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr const char* code = R"(
.version 7.0
.target sm_52
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.extern .func (.param .b64 r) malloc (.param .b64 n);
.extern .func free (.param .b64 p);
.global .align 1 .b8 text[7] = {104, 101, 108, 108, 111, 10, 0};
.visible .entry store(.param .u64 p, .param .u32 v) {
  .reg .b64 %rd<2>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [v]; st.global.u32 [%rd1], %r1; ret;
}
.visible .entry much(.param .u64 p) {
  .local .align 4 .b8 own[256];
  .shared .align 4 .b8 all[256];
  .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  mov.u64 %rd3, all;
  add.s64 %rd3, %rd3, %rd2;
  st.shared.u32 [%rd3], %r1;
  mov.u64 %rd4, own;
  add.s64 %rd4, %rd4, %rd2;
  st.local.u32 [%rd4], 5;
  bar.sync 0;
  ld.local.u32 %r2, [%rd4];
  xor.b32 %r3, %r1, 63;
  mul.wide.u32 %rd5, %r3, 4;
  mov.u64 %rd6, all;
  add.s64 %rd6, %rd6, %rd5;
  ld.shared.u32 %r4, [%rd6];
  add.u32 %r5, %r4, %r2;
  add.s64 %rd7, %rd1, %rd2;
  st.global.u32 [%rd7], %r5;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra DONE;
  {
    .param .b64 n; .param .b64 got;
    st.param.b64 [n], 64;
    call.uni (got), malloc, (n);
    ld.param.b64 %rd8, [got];
  }
  setp.eq.u64 %p2, %rd8, 0;
  @%p2 bra DONE;
  {
    .param .b64 given;
    st.param.b64 [given], %rd8;
    call.uni free, (given);
  }
  {
    .param .b64 f; .param .b64 a; .param .b32 printed;
    cvta.global.u64 %rd8, text;
    st.param.b64 [f], %rd8;
    st.param.b64 [a], 0;
    call.uni (printed), vprintf, (f, a);
  }
DONE:
  ret;
}
)";

constexpr std::size_t large = 2 << 20;

void check(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  const char* name = "no error of this driver";
  cuGetErrorName(result, &name);
  std::fflush(stdout);
  std::printf("%s: %s\n", call, name);
  std::fflush(stdout);
  std::_Exit(3);
}
#define CHECK(call) check(call, #call)

void hold(bool right, const char* what) {
  if (right) return;
  std::printf("wrong: %s\n", what);
  std::fflush(stdout);
  std::_Exit(4);
}

class Code {
 public:
  Code() { CHECK(cuModuleLoadData(&module_, code)); }
  void unload() { CHECK(cuModuleUnload(module_)); }

  void stores(CUdeviceptr memory, unsigned value) {
    unsigned now = 0;
    void* arguments[] = {&memory, &value};
    CHECK(cuModuleGetFunction(&function_, module_, "store"));
    CHECK(cuLaunchKernel(function_, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemcpyDtoH(&now, memory, sizeof now));
    hold(now == value, "what the kernel stored");
  }
  void does_much(CUdeviceptr memory) {
    unsigned values[64] = {};
    void* arguments[] = {&memory};
    CHECK(cuModuleGetFunction(&function_, module_, "much"));
    CHECK(cuLaunchKernel(function_, 4, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemcpyDtoH(values, memory, sizeof values));
    for (unsigned i = 0; i < 64; ++i) hold(values[i] == (i ^ 63) + 5, "what threads told each other");
  }

 private:
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
};

CUdeviceptr allocated() {
  CUdeviceptr memory = 0;
  CHECK(cuMemAlloc(&memory, large));
  return memory;
}

void works() {
  Code first;
  Code second;
  const CUdeviceptr memory = allocated();
  first.stores(memory, 7);
  first.does_much(memory);
  const CUdeviceptr more = allocated();
  second.stores(more, 8);
  second.does_much(more);
  CHECK(cuMemFree(memory));
  first.stores(allocated(), 9);
}

void use(std::string_view what, unsigned count, bool last) {
  const CUdeviceptr memory = allocated();
  if (what == "modules") {
    for (unsigned i = 0; i < count; ++i) {
      Code module;
      module.stores(memory, i);
      module.unload();
    }
  } else if (what == "held") {
    std::vector<Code> modules(count);
    for (unsigned round = 0; round < 2; ++round)
      for (unsigned i = 0; i < count; ++i) modules[i].stores(memory, round + i);
  } else {
    Code module;
    module.stores(memory, 0);  // what a worker needs for itself it has now
    std::vector<CUdeviceptr> pieces(count);
    for (CUdeviceptr& piece : pieces) piece = allocated();
    module.stores(memory, 1);
    if (last) module.stores(pieces.back(), 2);
    module.stores(memory, 3);
    for (const CUdeviceptr piece : pieces) CHECK(cuMemFree(piece));
    // What is freed makes room.
    module.stores(allocated(), 4);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CUcontext context = nullptr;
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, nullptr, 0, 0));
  if (argc < 3)
    works();
  else
    use(argv[1], static_cast<unsigned>(std::atoi(argv[2])), argc > 3);
  CHECK(cuCtxDestroy(context));
  std::puts("right");
}
