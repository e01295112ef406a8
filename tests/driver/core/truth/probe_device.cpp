// SPDX-License-Identifier: MIT
// What an H200 says of itself: every attribute, property and limit, occupancy of four kernels, shared memory
// beyond 48 KiB, and memory beyond the total. A scenario is a process of its own. Run with DRIVERLAB_DEVICE=h200.
#include <cuda.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

static const char* scenario = "";
static int step = 0;

static const char* name_of(CUresult r) {
  const char* n = nullptr;
  cuGetErrorName(r, &n);
  return n != nullptr ? n : "?";
}
static CUresult rec(const char* call, CUresult r) {
  std::string text;
  for (const char* c = call; *c; ++c) {
    if (*c == '"' || *c == '\\') text += '\\';
    text += *c;
  }
  printf("{\"scenario\":\"%s\",\"step\":%d,\"call\":\"%s\",\"result\":\"%s\",\"code\":%d}\n", scenario, ++step,
         text.c_str(), name_of(r), (int)r);
  fflush(stdout);
  return r;
}
static void note(const std::string& what, const std::string& value) {
  printf("{\"scenario\":\"%s\",\"step\":%d,\"note\":\"%s\",\"value\":\"%s\"}\n", scenario, ++step, what.c_str(),
         value.c_str());
  fflush(stdout);
}
static void note(const std::string& what, long long v) { note(what, std::to_string(v)); }
#define C(call) rec(#call, (call))

template <typename F>
static void run(const char* name, F body) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    scenario = name;
    alarm(10);
    body();
    fflush(stdout);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    printf("{\"scenario\":\"%s\",\"step\":999,\"note\":\"process\",\"value\":\"signal %d\"}\n", name, WTERMSIG(status));
    fflush(stdout);
  }
}

static const char* const ptx = R"(.version 7.8
.target sm_75
.address_size 64
.extern .shared .align 16 .b8 dynamic[];
.visible .entry small(.param .u64 p)
{
  .reg .b64 %rd<3>;
  .reg .b32 %r<3>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  ret;
}
.visible .entry bounded(.param .u64 p)
.maxntid 256, 1, 1
{
  ret;
}
.visible .entry with_static(.param .u64 p)
{
  .shared .align 4 .b8 own[1024];
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  mov.u32 %r1, 7;
  mov.u64 %rd1, own;
  st.volatile.shared.u32 [own], %r1;
  ret;
}
.visible .entry wide_static(.param .u64 p)
{
  .shared .align 4 .b8 much[40960];
  .reg .b32 %r<3>;
  mov.u32 %r1, 7;
  st.volatile.shared.u32 [much], %r1;
  ret;
}
)";

static CUmodule module_;
static CUfunction small_, bounded_, with_static_, wide_static_;

static void begin() {
  C(cuInit(0));
  CUcontext c = nullptr;
  C(cuDevicePrimaryCtxRetain(&c, 0));
  C(cuCtxSetCurrent(c));
  C(cuModuleLoadData(&module_, ptx));
  C(cuModuleGetFunction(&small_, module_, "small"));
  C(cuModuleGetFunction(&bounded_, module_, "bounded"));
  C(cuModuleGetFunction(&with_static_, module_, "with_static"));
  C(cuModuleGetFunction(&wide_static_, module_, "wide_static"));
}

static std::size_t dynamic_of(int threads) { return (std::size_t)threads * 64; }
static std::size_t CUDA_CB callback(int threads) { return dynamic_of(threads); }

int main() {
  run("attributes", [] {
    C(cuInit(0));
    for (int i = 0; i < 160; ++i) {
      int value = -12345;
      const CUresult r = cuDeviceGetAttribute(&value, (CUdevice_attribute)i, 0);
      note("attribute " + std::to_string(i), r ? std::string(name_of(r)) : std::to_string(value));
    }
  });
  run("properties", [] {
    C(cuInit(0));
    CUdevprop p;
    memset(&p, 0, sizeof p);
    C(cuDeviceGetProperties(&p, 0));
    note("maxThreadsPerBlock", p.maxThreadsPerBlock);
    for (int i = 0; i < 3; ++i) note("maxThreadsDim", p.maxThreadsDim[i]);
    for (int i = 0; i < 3; ++i) note("maxGridSize", p.maxGridSize[i]);
    note("sharedMemPerBlock", p.sharedMemPerBlock);
    note("totalConstantMemory", p.totalConstantMemory);
    note("SIMDWidth", p.SIMDWidth);
    note("memPitch", p.memPitch);
    note("regsPerBlock", p.regsPerBlock);
    note("clockRate", p.clockRate);
    note("textureAlign", p.textureAlign);
    char name[200] = "";
    C(cuDeviceGetName(name, sizeof name, 0));
    note("name", name);
    std::size_t total = 0;
    C(cuDeviceTotalMem(&total, 0));
    note("total", (long long)total);
    int major = 0, minor = 0;
    C(cuDeviceComputeCapability(&major, &minor, 0));
    note("capability", major * 10 + minor);
    char luid[16];
    unsigned mask = 0;
    C(cuDeviceGetLuid(luid, &mask, 0));
  });
  run("limits", [] {
    C(cuInit(0));
    CUcontext c = nullptr;
    C(cuDevicePrimaryCtxRetain(&c, 0));
    C(cuCtxSetCurrent(c));
    for (int i = -1; i <= 11; ++i) {
      std::size_t value = 0;
      const CUresult r = cuCtxGetLimit(&value, (CUlimit)i);
      note("limit " + std::to_string(i), std::string(name_of(r)) + " " + std::to_string(value));
    }
    for (int i = 0; i <= 9; ++i) {
      for (long long wanted : {0LL, 1LL, 3LL, 100LL, 1000LL, 3000LL, 100000LL, 600000LL, 40000000LL, 200000000LL}) {
        if (i == 2 && wanted > 100000000) continue;
        const CUresult set = cuCtxSetLimit((CUlimit)i, (std::size_t)wanted);
        std::size_t value = 0;
        const CUresult got = cuCtxGetLimit(&value, (CUlimit)i);
        note("limit " + std::to_string(i) + " set to " + std::to_string(wanted),
             std::string(name_of(set)) + " " + name_of(got) + " " + std::to_string(value));
      }
    }
    int least = -100, greatest = -100;
    C(cuCtxGetStreamPriorityRange(&least, &greatest));
    note("least", least);
    note("greatest", greatest);
  });
  run("occupancy", [] {
    begin();
    CUfunction all[] = {small_, bounded_, with_static_, wide_static_};
    const char* names[] = {"small", "bounded", "with_static", "wide_static"};
    for (int k = 0; k < 4; ++k) {
      const std::string n = names[k];
      int registers = 0;
      cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, all[k]);
      note(n + " registers", registers);
      for (int threads : {1, 32, 33, 64, 96, 128, 192, 256, 512, 768, 1024, 1025})
        for (std::size_t shared : {(std::size_t)0, (std::size_t)1024, (std::size_t)16384, (std::size_t)49152, (std::size_t)102400}) {
          int blocks = -1;
          const CUresult r = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, all[k], threads, shared);
          note(n + " blocks of " + std::to_string(threads) + " with " + std::to_string(shared),
               std::string(name_of(r)) + " " + std::to_string(blocks));
        }
      for (std::size_t shared : {(std::size_t)0, (std::size_t)1024, (std::size_t)16384, (std::size_t)49152, (std::size_t)102400})
        for (int limit : {0, 100, 640}) {
          int grid = -1, block = -1;
          const CUresult r = cuOccupancyMaxPotentialBlockSize(&grid, &block, all[k], nullptr, shared, limit);
          note(n + " best with " + std::to_string(shared) + " up to " + std::to_string(limit),
               std::string(name_of(r)) + " " + std::to_string(grid) + " " + std::to_string(block));
        }
      int grid = -1, block = -1;
      const CUresult r = cuOccupancyMaxPotentialBlockSize(&grid, &block, all[k], callback, 0, 0);
      note(n + " best by callback", std::string(name_of(r)) + " " + std::to_string(grid) + " " + std::to_string(block));
      for (int blocks : {1, 2, 4, 8, 16, 32, 33})
        for (int threads : {32, 256, 1024}) {
          std::size_t bytes = 1;
          const CUresult s = cuOccupancyAvailableDynamicSMemPerBlock(&bytes, all[k], blocks, threads);
          note(n + " dynamic for " + std::to_string(blocks) + " of " + std::to_string(threads),
               std::string(name_of(s)) + " " + std::to_string(bytes));
        }
    }
  });
  run("shared_memory", [] {
    begin();
    void* parameters[1];
    CUdeviceptr p = 0;
    parameters[0] = &p;
    int most = 0;
    C(cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0));
    note("most", most);
    C(cuLaunchKernel(small_, 1, 1, 1, 32, 1, 1, 49152, nullptr, parameters, nullptr));
    C(cuLaunchKernel(small_, 1, 1, 1, 32, 1, 1, 49153, nullptr, parameters, nullptr));
    C(cuLaunchKernel(with_static_, 1, 1, 1, 32, 1, 1, 48128, nullptr, parameters, nullptr));
    C(cuLaunchKernel(with_static_, 1, 1, 1, 32, 1, 1, 48129, nullptr, parameters, nullptr));
    C(cuFuncSetAttribute(small_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most + 1));
    C(cuFuncSetAttribute(small_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most));
    C(cuFuncSetAttribute(with_static_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most));
    C(cuFuncSetAttribute(with_static_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most - 1023));
    C(cuFuncSetAttribute(with_static_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most - 1024));
    C(cuLaunchKernel(small_, 1, 1, 1, 32, 1, 1, most, nullptr, parameters, nullptr));
    C(cuLaunchKernel(small_, 1, 1, 1, 32, 1, 1, most + 1, nullptr, parameters, nullptr));
    C(cuLaunchKernel(with_static_, 1, 1, 1, 32, 1, 1, most - 1024, nullptr, parameters, nullptr));
    C(cuLaunchKernel(with_static_, 1, 1, 1, 32, 1, 1, most - 1023, nullptr, parameters, nullptr));
    C(cuCtxSynchronize());
    for (CUfunction f : {small_, with_static_})
      for (int shared : {49152, 65536, 102400, 166912, 232448}) {
        int blocks = -1;
        const CUresult r = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 128, (std::size_t)shared);
        note("after opting in, 128 threads, " + std::to_string(shared),
             std::string(name_of(r)) + " " + std::to_string(blocks));
      }
    // How large a cooperative grid may be.
    int count = 0, blocks = 0;
    C(cuDeviceGetAttribute(&count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    C(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded_, 256, 0));
    C(cuLaunchCooperativeKernel(bounded_, count * blocks, 1, 1, 256, 1, 1, 0, nullptr, parameters));
    C(cuLaunchCooperativeKernel(bounded_, count * blocks + 1, 1, 1, 256, 1, 1, 0, nullptr, parameters));
    C(cuCtxSynchronize());
  });
  run("memory", [] {
    begin();
    std::size_t free = 0, total = 0, device_total = 0;
    C(cuMemGetInfo(&free, &total));
    C(cuDeviceTotalMem(&device_total, 0));
    note("total as of the device", total == device_total);
    note("free below total", free < total);
    CUdeviceptr p = 0;
    C(cuMemAlloc(&p, total));
    C(cuMemAlloc(&p, total + 1));
    C(cuMemAlloc(&p, total * 4));
    std::size_t pitch = 0;
    C(cuMemAllocPitch(&p, &pitch, total, 2, 4));
    C(cuMemAllocPitch(&p, &pitch, 1000, 3, 4));
    note("pitch", (long long)pitch);
    C(cuMemAllocManaged(&p, 1 << 20, CU_MEM_ATTACH_GLOBAL));
  });
  return 0;
}
