// What a driver returns for managed memory that is attached to a stream, each wrong use in a process of its own (one of them
// ends with a signal on an H100), for places of advice and prefetch on the host's nodes, and for the functions without _v2.
// At most 12 MiB of memory. Needs CUDA 12.2 or later.
#include "probe.h"

#undef C
#define C(...) rec(#__VA_ARGS__, (__VA_ARGS__))
#define make_context(c, d) make_ctx(c, 0, d)

static CUmemLocation at(int type, int id) {
  CUmemLocation place{};
  place.type = static_cast<CUmemLocationType>(type);
  place.id = id;
  return place;
}
static const CUmemLocation device0 = at(CU_MEM_LOCATION_TYPE_DEVICE, 0), host = at(CU_MEM_LOCATION_TYPE_HOST, 0);
constexpr size_t kBytes = 4 << 20, kHalf = kBytes / 2;

// Adds 1 to each of n numbers.
static const char* kPtx = R"(.version 7.0
.target sm_52
.address_size 64
.visible .entry add(.param .u64 p, .param .u32 n) {
  .reg .pred %q; .reg .b32 %r<8>; .reg .b64 %d<4>;
  ld.param.u64 %d1, [p]; ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %q, %r5, %r1;
  @%q ret;
  mul.wide.u32 %d2, %r5, 4; add.s64 %d3, %d1, %d2;
  ld.global.u32 %r6, [%d3]; add.s32 %r7, %r6, 1; st.global.u32 [%d3], %r7;
  ret;
}
)";

struct Lab {
  CUcontext a = nullptr;
  CUmodule module = nullptr;
  CUfunction add = nullptr;
  CUstream first = nullptr, second = nullptr;
  int devices = 0;
  Lab() {
    cuInit(0);
    cuDeviceGetCount(&devices);
    make_context(&a, 0);
    cuModuleLoadData(&module, kPtx);
    cuModuleGetFunction(&add, module, "add");
    cuStreamCreate(&first, CU_STREAM_NON_BLOCKING);
    cuStreamCreate(&second, CU_STREAM_NON_BLOCKING);
    CUdeviceptr warm = 0;  // the kernel is loaded before a stream waits
    cuMemAlloc(&warm, 4096);
    launch(warm, first, 16);
    launch(warm, second, 16);
    cuCtxSynchronize();
    cuMemFree(warm);
  }
  CUresult launch(CUdeviceptr p, CUstream s, unsigned n = kBytes / 4) {
    void* args[] = {&p, &n};
    return cuLaunchKernel(add, (n + 255) / 256, 1, 1, 256, 1, 1, 0, s, args, nullptr);
  }
};

static void fill(CUdeviceptr p, int value) {
  for (size_t i = 0; i < kBytes / 4; ++i) reinterpret_cast<int*>(p)[i] = value;
}
static int first_of(CUdeviceptr p) { return reinterpret_cast<volatile int*>(p)[0]; }
static int last_of(CUdeviceptr p) { return reinterpret_cast<volatile int*>(p)[kBytes / 4 - 1]; }

static int last_prefetch(CUdeviceptr p) {
  int last = 77;
  cuMemRangeGetAttribute(&last, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, p, kBytes);
  return last;
}


struct Attached : Lab {
  CUdeviceptr mine = 0, numbers = 0, plain = 0;
  void* pinned = nullptr;
  Attached() {
    cuMemAllocManaged(&numbers, kBytes, CU_MEM_ATTACH_GLOBAL);
    cuMemAllocManaged(&mine, kBytes, CU_MEM_ATTACH_HOST);
    cuMemAlloc(&plain, kBytes);
    cuMemAllocHost(&pinned, 4096);
    fill(mine, 1);
    fill(numbers, 1);
  }
};

int main() {
  run("managed_attached", [] {
    Attached l;
    volatile unsigned* gate = static_cast<volatile unsigned*>(l.pinned);
    C(cuStreamAttachMemAsync(l.first, l.mine, kBytes, CU_MEM_ATTACH_SINGLE));
    C(cuStreamAttachMemAsync(l.first, l.mine, 0, CU_MEM_ATTACH_SINGLE));
    C(cuStreamSynchronize(l.first));
    *gate = 0;
    C(cuStreamWaitValue32(l.second, reinterpret_cast<CUdeviceptr>(l.pinned), 1, CU_STREAM_WAIT_VALUE_EQ));
    rec("launch in second", l.launch(l.numbers, l.second));
    rec("launch in first", l.launch(l.mine, l.first));
    C(cuStreamSynchronize(l.first));
    C(cuStreamQuery(l.second));
    note("the host reads mine", first_of(l.mine));
    *gate = 1;
    C(cuStreamSynchronize(l.second));
    note("the host reads numbers", first_of(l.numbers));
    // Used in the other stream all the same, and after its stream is gone.
    rec("mine in second", l.launch(l.mine, l.second));
    C(cuStreamSynchronize(l.second));
    note("the host reads mine", first_of(l.mine));
    C(cuStreamDestroy(l.first));
    rec("mine in second", l.launch(l.mine, l.second));
    C(cuStreamSynchronize(l.second));
    note("the host reads mine", first_of(l.mine));
    C(cuStreamAttachMemAsync(l.second, l.mine, 0, CU_MEM_ATTACH_GLOBAL));
    C(cuStreamAttachMemAsync(l.second, l.mine, 0, CU_MEM_ATTACH_HOST));
    C(cuStreamSynchronize(l.second));
  });
  run("managed_attach_after_a_closed_gate", [] {  // it is work of the stream, and returns at once
    Attached l;
    volatile unsigned* gate = static_cast<volatile unsigned*>(l.pinned);
    *gate = 0;
    C(cuStreamWaitValue32(l.first, reinterpret_cast<CUdeviceptr>(l.pinned), 1, CU_STREAM_WAIT_VALUE_EQ));
    C(cuStreamAttachMemAsync(l.first, l.mine, 0, CU_MEM_ATTACH_SINGLE));
    C(cuStreamQuery(l.first));
    *gate = 1;
    C(cuStreamSynchronize(l.first));
  });
  run("managed_attach_flags_0", [] {
    Attached l;
    C(cuStreamAttachMemAsync(l.first, l.mine, 0, 0));
  });
  run("managed_attach_flags_3", [] {
    Attached l;
    C(cuStreamAttachMemAsync(l.first, l.mine, 0, CU_MEM_ATTACH_GLOBAL | CU_MEM_ATTACH_HOST));
  });
  run("managed_attach_flags_7", [] {
    Attached l;
    C(cuStreamAttachMemAsync(l.first, l.mine, 0, 7));
  });
  run("managed_attach_flags_8", [] {
    Attached l;
    C(cuStreamAttachMemAsync(l.first, l.mine, 0, 8));
  });
  run("managed_attach_device_memory", [] {
    Attached l;
    C(cuStreamAttachMemAsync(l.first, l.plain, 0, CU_MEM_ATTACH_SINGLE));
  });
  run("managed_attach_pinned_memory", [] {
    Attached l;
    rec("pinned memory", cuStreamAttachMemAsync(l.first, reinterpret_cast<CUdeviceptr>(l.pinned), 0, CU_MEM_ATTACH_SINGLE));
  });
  run("managed_attach_pageable_memory", [] {
    Attached l;
    std::vector<char> own(kBytes);
    rec("pageable memory", cuStreamAttachMemAsync(l.first, reinterpret_cast<CUdeviceptr>(own.data()), 0, CU_MEM_ATTACH_SINGLE));
  });
  run("managed_attach_null", [] {
    Attached l;
    C(cuStreamAttachMemAsync(l.first, 0, 0, CU_MEM_ATTACH_SINGLE));
  });
  run("managed_attach_freed", [] {
    Attached l;
    C(cuMemFree(l.mine));
    C(cuStreamAttachMemAsync(l.first, l.mine, 0, CU_MEM_ATTACH_SINGLE));
  });
  run("managed_places", [] {
    Lab l;
    CUdeviceptr p = 0;
    int value = 77;
    cuMemAllocManaged(&p, kBytes, CU_MEM_ATTACH_GLOBAL);
    fill(p, 1);
    const CUmemLocation none = at(CU_MEM_LOCATION_TYPE_DEVICE, l.devices), node0 = at(CU_MEM_LOCATION_TYPE_HOST_NUMA, 0),
                        node99 = at(CU_MEM_LOCATION_TYPE_HOST_NUMA, 99),
                        current = at(CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 0), host5 = at(CU_MEM_LOCATION_TYPE_HOST, 5);
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, node99));
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, node0));
    C(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, p, kBytes));
    note("preferred", value);
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, current));
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host5));
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, none));
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_SET_ACCESSED_BY, current));
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_SET_ACCESSED_BY, host5));
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_UNSET_ACCESSED_BY, none));
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_UNSET_ACCESSED_BY, node0));
    C(cuMemPrefetchAsync_v2(p, kBytes, node99, 0, l.first));
    C(cuMemPrefetchAsync_v2(p, kBytes, current, 0, l.first));
    C(cuMemPrefetchAsync_v2(p, kBytes, host5, 0, l.first));
    C(cuStreamSynchronize(l.first));
    note("last prefetch", last_prefetch(p));
    C(cuMemRangeGetAttribute(&value, 4, static_cast<CUmem_range_attribute>(99), p, kBytes));
    C(cuMemRangeGetAttribute(nullptr, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p, kBytes));
  });
  run("managed_without_v2", [] {
    Lab l;
    CUdeviceptr p = 0;
    void *advise = nullptr, *prefetch = nullptr;
    cuMemAllocManaged(&p, kBytes, CU_MEM_ATTACH_GLOBAL);
    fill(p, 1);
    C(cuGetProcAddress("cuMemAdvise", &advise, 8000, 0, nullptr));
    C(cuGetProcAddress("cuMemPrefetchAsync", &prefetch, 8000, 0, nullptr));
    if (advise == nullptr || prefetch == nullptr) return;
    const auto advise_device = reinterpret_cast<CUresult (*)(CUdeviceptr, size_t, CUmem_advise, CUdevice)>(advise);
    const auto prefetch_device = reinterpret_cast<CUresult (*)(CUdeviceptr, size_t, CUdevice, CUstream)>(prefetch);
    C(advise_device(p, kBytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 99));
    C(advise_device(p, kBytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, CU_DEVICE_CPU));
    C(advise_device(p, kBytes, CU_MEM_ADVISE_SET_ACCESSED_BY, 99));
    C(advise_device(p, kBytes, CU_MEM_ADVISE_SET_READ_MOSTLY, 99));
    C(prefetch_device(p, kBytes, 99, l.first));
    C(prefetch_device(p, kBytes, CU_DEVICE_CPU, l.first));
    C(cuStreamSynchronize(l.first));
    note("last prefetch", last_prefetch(p));
  });
  return 0;
}
