// What a driver returns for managed memory: attributes, advice, prefetch, attachment, owners. As run on an H100. At most
// 12 MiB of memory. Needs CUDA 12.2 or later.
#include "probe.h"

#undef C
#define C(...) rec(#__VA_ARGS__, (__VA_ARGS__))

static CUresult make_context(CUcontext* context, int device) {
#if CUDA_VERSION >= 13000
  return cuCtxCreate(context, nullptr, 0, device);
#else
  return cuCtxCreate(context, 0, device);
#endif
}
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

// All range attributes, in one note each; 77 where the call wrote nothing.
static void ranges(CUdeviceptr p, size_t size = kBytes) {
  int mostly = 77, preferred = 77, by[3] = {77, 77, 77}, last = 77;
  rec("READ_MOSTLY", cuMemRangeGetAttribute(&mostly, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p, size));
  note("read mostly", mostly);
  rec("PREFERRED_LOCATION", cuMemRangeGetAttribute(&preferred, 4, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, p, size));
  note("preferred", preferred);
  rec("ACCESSED_BY", cuMemRangeGetAttribute(by, 12, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, p, size));
  note("accessed by", std::to_string(by[0]) + " " + std::to_string(by[1]) + " " + std::to_string(by[2]));
  rec("LAST_PREFETCH_LOCATION", cuMemRangeGetAttribute(&last, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, p, size));
  note("last prefetch", last);
}
static int last_prefetch(CUdeviceptr p) {
  int last = 77;
  cuMemRangeGetAttribute(&last, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, p, kBytes);
  return last;
}

// Attributes of a pointer: a note for each, 77 where the call wrote nothing.
static void attributes(CUdeviceptr p, CUcontext a, CUcontext b) {
  int managed = 77, ordinal = 77;
  unsigned type = 77;
  void* back = nullptr;
  CUdeviceptr device = 0;
  CUcontext owner = nullptr;
  rec("IS_MANAGED", cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p));
  note("managed", managed);
  rec("MEMORY_TYPE", cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
  note("type", type);
  rec("HOST_POINTER", cuPointerGetAttribute(&back, CU_POINTER_ATTRIBUTE_HOST_POINTER, p));
  note("host pointer", back == nullptr ? "null" : reinterpret_cast<CUdeviceptr>(back) == p ? "same" : "other");
  rec("DEVICE_POINTER", cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, p));
  note("device pointer", device == 0 ? "null" : device == p ? "same" : "other");
  rec("DEVICE_ORDINAL", cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p));
  note("ordinal", ordinal);
  rec("CONTEXT", cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, p));
  note("context", owner == nullptr ? "null" : owner == a ? "a" : owner == b ? "b" : "other");
}

int main() {
  run("managed_device", [] {
    int value = 77;
    Lab l;
    for (auto [name, attribute] : {std::pair{"MANAGED_MEMORY", CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY},
                                   {"CONCURRENT_MANAGED_ACCESS", CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS},
                                   {"PAGEABLE_MEMORY_ACCESS", CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS},
                                   {"USES_HOST_PAGE_TABLES", CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES},
                                   {"DIRECT_FROM_HOST", CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST}}) {
      rec(name, cuDeviceGetAttribute(&value, attribute, 0));
      note("value", value);
    }
  });
  run("managed_pointer", [] {
    Lab l;
    CUdeviceptr global = 0, for_host = 0, plain = 0;
    void* pinned = nullptr;
    C(cuMemAllocManaged(&global, kBytes, CU_MEM_ATTACH_GLOBAL));
    attributes(global, l.a, nullptr);
    C(cuMemAllocManaged(&for_host, kBytes, CU_MEM_ATTACH_HOST));
    attributes(for_host, l.a, nullptr);
    C(cuMemAlloc(&plain, kBytes));
    attributes(plain, l.a, nullptr);
    C(cuMemAllocHost(&pinned, 4096));
    attributes(reinterpret_cast<CUdeviceptr>(pinned), l.a, nullptr);
    C(cuMemAllocManaged(&plain, kBytes, CU_MEM_ATTACH_SINGLE));
    C(cuMemAllocManaged(&plain, kBytes, CU_MEM_ATTACH_GLOBAL | CU_MEM_ATTACH_HOST));
  });
  run("managed_kernel", [] {
    Lab l;
    CUdeviceptr global = 0, for_host = 0;
    C(cuMemAllocManaged(&global, kBytes, CU_MEM_ATTACH_GLOBAL));
    C(cuMemAllocManaged(&for_host, kBytes, CU_MEM_ATTACH_HOST));
    fill(global, 100);
    fill(for_host, 100);
    rec("launch on GLOBAL", l.launch(global, l.first));
    C(cuStreamSynchronize(l.first));
    note("first and last", std::to_string(first_of(global)) + " " + std::to_string(last_of(global)));
    rec("launch on HOST, never attached", l.launch(for_host, l.first));
    C(cuStreamSynchronize(l.first));
    note("first and last", std::to_string(first_of(for_host)) + " " + std::to_string(last_of(for_host)));
    // Copies and fills take the address too.
    int word = 0;
    C(cuMemcpyDtoH(&word, global, 4));
    note("copied", word);
    C(cuMemsetD32(global, 7, kBytes / 4));
    C(cuCtxSynchronize());
    note("last", last_of(global));
  });
  run("managed_gate", [] {
    Lab l;
    CUdeviceptr p = 0;
    void* pinned = nullptr;
    cuMemAllocManaged(&p, kBytes, CU_MEM_ATTACH_GLOBAL);
    cuMemAllocHost(&pinned, 64);
    volatile unsigned* gate = static_cast<volatile unsigned*>(pinned);
    fill(p, 1);
    rec("launch", l.launch(p, l.first));
    C(cuStreamSynchronize(l.first));
    *gate = 0;
    C(cuStreamWaitValue32(l.first, reinterpret_cast<CUdeviceptr>(pinned), 1, CU_STREAM_WAIT_VALUE_EQ));
    rec("launch behind the gate", l.launch(p, l.first));
    C(cuStreamQuery(l.first));
    note("the host reads meanwhile", first_of(p));
    reinterpret_cast<volatile int*>(p)[0] = 50;  // and writes
    // A prefetch that waits: what do the attributes say?
    note("last prefetch before", last_prefetch(p));
    C(cuMemPrefetchAsync_v2(p, kBytes, device0, 0, l.first));
    C(cuStreamQuery(l.first));
    note("last prefetch while the stream waits", last_prefetch(p));
    *gate = 1;
    C(cuStreamSynchronize(l.first));
    note("first and last", std::to_string(first_of(p)) + " " + std::to_string(last_of(p)));
    note("last prefetch", last_prefetch(p));
  });
  run("managed_attach", [] {
    Lab l;
    CUdeviceptr mine = 0, numbers = 0, plain = 0;
    void* pinned = nullptr;
    C(cuMemAllocManaged(&numbers, kBytes, CU_MEM_ATTACH_GLOBAL));
    C(cuMemAllocManaged(&mine, kBytes, CU_MEM_ATTACH_HOST));
    C(cuMemAlloc(&plain, kBytes));
    C(cuMemAllocHost(&pinned, 4096));
    volatile unsigned* gate = static_cast<volatile unsigned*>(pinned);
    fill(mine, 1);
    fill(numbers, 1);
    C(cuStreamAttachMemAsync(nullptr, mine, 0, CU_MEM_ATTACH_SINGLE));
    C(cuStreamAttachMemAsync(CU_STREAM_LEGACY, mine, 0, CU_MEM_ATTACH_SINGLE));
    C(cuStreamAttachMemAsync(CU_STREAM_PER_THREAD, mine, 0, CU_MEM_ATTACH_SINGLE));
    C(cuStreamAttachMemAsync(nullptr, mine, 0, CU_MEM_ATTACH_GLOBAL));
    C(cuStreamAttachMemAsync(nullptr, mine, 0, CU_MEM_ATTACH_HOST));
    C(cuStreamAttachMemAsync(l.first, mine, kHalf, CU_MEM_ATTACH_SINGLE));
    C(cuStreamAttachMemAsync(l.first, mine + kHalf, 0, CU_MEM_ATTACH_SINGLE));
    C(cuStreamAttachMemAsync(l.first, mine, 2 * kBytes, CU_MEM_ATTACH_SINGLE));
    C(cuStreamAttachMemAsync(l.first, mine, 0, 0));
    C(cuStreamAttachMemAsync(l.first, mine, 0, 7));
    C(cuStreamAttachMemAsync(l.first, plain, 0, CU_MEM_ATTACH_SINGLE));
    rec("pinned memory", cuStreamAttachMemAsync(l.first, reinterpret_cast<CUdeviceptr>(pinned), 0, CU_MEM_ATTACH_SINGLE));
    C(cuStreamAttachMemAsync(l.first, 0, 0, CU_MEM_ATTACH_SINGLE));
    C(cuStreamAttachMemAsync(l.first, mine, kBytes, CU_MEM_ATTACH_SINGLE));
    C(cuStreamAttachMemAsync(l.first, mine, 0, CU_MEM_ATTACH_SINGLE));
    C(cuStreamSynchronize(l.first));
    *gate = 0;
    C(cuStreamWaitValue32(l.second, reinterpret_cast<CUdeviceptr>(pinned), 1, CU_STREAM_WAIT_VALUE_EQ));
    rec("launch in second", l.launch(numbers, l.second));
    rec("launch in first", l.launch(mine, l.first));
    C(cuStreamSynchronize(l.first));
    C(cuStreamQuery(l.second));
    note("the host reads mine", first_of(mine));
    *gate = 1;
    C(cuStreamSynchronize(l.second));
    note("the host reads numbers", first_of(numbers));
    // Used in the other stream all the same, and after its stream is gone.
    rec("mine in second", l.launch(mine, l.second));
    C(cuStreamSynchronize(l.second));
    note("the host reads mine", first_of(mine));
    C(cuStreamDestroy(l.first));
    rec("mine in second", l.launch(mine, l.second));
    C(cuStreamSynchronize(l.second));
    note("the host reads mine", first_of(mine));
    C(cuStreamAttachMemAsync(l.second, mine, 0, CU_MEM_ATTACH_GLOBAL));
    C(cuStreamAttachMemAsync(l.second, mine, 0, CU_MEM_ATTACH_HOST));
    C(cuStreamSynchronize(l.second));
  });
  run("managed_advice", [] {
    Lab l;
    CUdeviceptr p = 0;
    C(cuMemAllocManaged(&p, kBytes, CU_MEM_ATTACH_GLOBAL));
    ranges(p);
    fill(p, 1);
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_SET_READ_MOSTLY, device0));
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_SET_ACCESSED_BY, device0));
    ranges(p);
    // All numbers are written, by the host and by a kernel.
    fill(p, 5);
    rec("launch", l.launch(p, l.first));
    C(cuStreamSynchronize(l.first));
    note("first and last", std::to_string(first_of(p)) + " " + std::to_string(last_of(p)));
    ranges(p);
    // Prefetched to a place that is not the preferred one.
    C(cuMemPrefetchAsync_v2(p, kBytes, device0, 0, l.first));
    C(cuStreamSynchronize(l.first));
    ranges(p);
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device0));
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_SET_ACCESSED_BY, host));
    ranges(p);
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_UNSET_READ_MOSTLY, device0));
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, device0));
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_UNSET_ACCESSED_BY, device0));
    ranges(p);
    // Several attributes at once, and a wrong size.
    int mostly = 77, last = 77, by[2] = {77, 77};
    void* data[] = {&mostly, &last, by};
    size_t sizes[] = {4, 4, 8}, wrong[] = {4, 8, 8};
    CUmem_range_attribute which[] = {CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION,
                                     CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY};
    C(cuMemRangeGetAttributes(data, sizes, which, 3, p, kBytes));
    note("values", std::to_string(mostly) + " " + std::to_string(last) + " " + std::to_string(by[0]) + " " + std::to_string(by[1]));
    C(cuMemRangeGetAttributes(data, wrong, which, 3, p, kBytes));
    C(cuMemRangeGetAttributes(data, sizes, which, 0, p, kBytes));
    C(cuMemRangeGetAttribute(&last, 8, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, p, kBytes));
    C(cuMemRangeGetAttribute(by, 6, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, p, kBytes));
    C(cuMemRangeGetAttribute(&last, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, p, 2 * kBytes));
    C(cuMemRangeGetAttribute(&last, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, p, 0));
  });
  run("managed_advice_of_a_part", [] {
    Lab l;
    CUdeviceptr p = 0;
    C(cuMemAllocManaged(&p, kBytes, CU_MEM_ATTACH_GLOBAL));
    fill(p, 1);
    C(cuMemAdvise_v2(p, kHalf, CU_MEM_ADVISE_SET_READ_MOSTLY, device0));
    C(cuMemAdvise_v2(p, kHalf, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device0));
    C(cuMemAdvise_v2(p, kHalf, CU_MEM_ADVISE_SET_ACCESSED_BY, device0));
    C(cuMemPrefetchAsync_v2(p, kHalf, device0, 0, l.first));
    C(cuStreamSynchronize(l.first));
    note("the first half", "");
    ranges(p, kHalf);
    note("the second half", "");
    ranges(p + kHalf, kHalf);
    note("the whole", "");
    ranges(p);
    C(cuMemPrefetchAsync_v2(p + kHalf, kHalf, host, 0, l.first));
    C(cuStreamSynchronize(l.first));
    note("the whole, prefetched to two places", "");
    ranges(p);
    note("one byte of the second half", "");
    ranges(p + kHalf + 5, 1);
  });
  run("managed_prefetch", [] {
    Lab l;
    CUdeviceptr p = 0;
    C(cuMemAllocManaged(&p, kBytes, CU_MEM_ATTACH_GLOBAL));
    fill(p, 1);
    note("last prefetch", last_prefetch(p));
    C(cuMemPrefetchAsync_v2(p, kBytes, device0, 0, l.first));
    C(cuStreamSynchronize(l.first));
    note("last prefetch", last_prefetch(p));
    fill(p, 3);  // the host takes every page back
    note("last prefetch after the host wrote", last_prefetch(p));
    C(cuMemPrefetchAsync_v2(p, kBytes, host, 0, l.first));
    C(cuStreamSynchronize(l.first));
    note("last prefetch", last_prefetch(p));
    rec("launch", l.launch(p, l.first));
    C(cuStreamSynchronize(l.first));
    note("last prefetch after a kernel wrote", last_prefetch(p));
    note("first and last", std::to_string(first_of(p)) + " " + std::to_string(last_of(p)));
    C(cuMemPrefetchAsync_v2(p, kBytes, device0, 0, nullptr));
    C(cuCtxSynchronize());
    note("last prefetch", last_prefetch(p));
#if CUDA_VERSION < 13000
    C(cuMemPrefetchAsync(p, kBytes, CU_DEVICE_CPU, l.first));
    note("last prefetch", last_prefetch(p));
#endif
  });
  run("managed_refused", [] {
    Lab l;
    CUdeviceptr p = 0, plain = 0;
    void* pinned = nullptr;
    int last = 77;
    std::vector<int> own(kBytes / 4, 1);
    const CUdeviceptr pageable = reinterpret_cast<CUdeviceptr>(own.data());
    C(cuMemAllocManaged(&p, kBytes, CU_MEM_ATTACH_GLOBAL));
    C(cuMemAlloc(&plain, kBytes));
    C(cuMemAllocHost(&pinned, kBytes));
    const CUdeviceptr page_locked = reinterpret_cast<CUdeviceptr>(pinned);
    const CUmemLocation none = at(CU_MEM_LOCATION_TYPE_DEVICE, l.devices), minus_1 = at(CU_MEM_LOCATION_TYPE_DEVICE, -1),
                        no_type = at(CU_MEM_LOCATION_TYPE_INVALID, 0);
    note("device memory", "");
    C(cuMemAdvise_v2(plain, kBytes, CU_MEM_ADVISE_SET_READ_MOSTLY, device0));
    C(cuMemAdvise_v2(plain, kBytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device0));
    C(cuMemPrefetchAsync_v2(plain, kBytes, device0, 0, l.first));
    C(cuMemRangeGetAttribute(&last, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, plain, kBytes));
    note("value", last);
    note("pinned memory", "");
    C(cuMemAdvise_v2(page_locked, kBytes, CU_MEM_ADVISE_SET_READ_MOSTLY, device0));
    C(cuMemPrefetchAsync_v2(page_locked, kBytes, device0, 0, l.first));
    C(cuMemRangeGetAttribute(&last, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, page_locked, kBytes));
    note("pageable memory", "");
    C(cuMemAdvise_v2(pageable, kBytes, CU_MEM_ADVISE_SET_READ_MOSTLY, device0));
    C(cuMemPrefetchAsync_v2(pageable, kBytes, device0, 0, l.first));
    C(cuMemRangeGetAttribute(&last, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, pageable, kBytes));
    note("places", "");
    C(cuMemPrefetchAsync_v2(p, kBytes, none, 0, l.first));
    C(cuMemPrefetchAsync_v2(p, kBytes, minus_1, 0, l.first));
    C(cuMemPrefetchAsync_v2(p, kBytes, no_type, 0, l.first));
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, none));
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, minus_1));
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, no_type));
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_SET_ACCESSED_BY, none));
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_SET_ACCESSED_BY, at(CU_MEM_LOCATION_TYPE_HOST_NUMA, 0)));
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_SET_READ_MOSTLY, none));
    C(cuMemAdvise_v2(p, kBytes, static_cast<CUmem_advise>(99), device0));
    ranges(p);
    note("arguments", "");
    C(cuMemPrefetchAsync_v2(p, kBytes, device0, 1, l.first));
    C(cuMemPrefetchAsync_v2(p, 0, device0, 0, l.first));
    C(cuMemPrefetchAsync_v2(p, 2 * kBytes, device0, 0, l.first));
    C(cuMemAdvise_v2(p, 0, CU_MEM_ADVISE_SET_READ_MOSTLY, device0));
    C(cuMemAdvise_v2(p, 2 * kBytes, CU_MEM_ADVISE_SET_READ_MOSTLY, device0));
    C(cuMemPrefetchAsync_v2(p + 5, 100, device0, 0, l.first));
    C(cuMemAdvise_v2(p + 5, 100, CU_MEM_ADVISE_SET_READ_MOSTLY, device0));
    C(cuStreamWriteValue32(l.first, p, 1, CU_STREAM_WRITE_VALUE_DEFAULT));
    C(cuStreamWaitValue32(l.first, p, 1, CU_STREAM_WAIT_VALUE_EQ));
    C(cuStreamSynchronize(l.first));
    C(cuMemFree(p));
    C(cuMemAdvise_v2(p, kBytes, CU_MEM_ADVISE_SET_READ_MOSTLY, device0));
    C(cuMemPrefetchAsync_v2(p, kBytes, device0, 0, l.first));
    C(cuMemRangeGetAttribute(&last, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, p, kBytes));
    C(cuMemFree(p));
  });
  run("managed_owner", [] {
    Lab l;
    CUcontext b = nullptr;
    CUdeviceptr of_a = 0, of_b = 0;
    int managed = 77;
    C(cuMemAllocManaged(&of_a, kBytes, CU_MEM_ATTACH_GLOBAL));
    fill(of_a, 5);
    C(make_context(&b, 0));
    C(cuMemAllocManaged(&of_b, kBytes, CU_MEM_ATTACH_GLOBAL));
    fill(of_b, 6);
    attributes(of_a, l.a, b);
    attributes(of_b, l.a, b);
    C(cuMemFree(of_a));  // from the other context
    C(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, of_a));
    C(cuCtxDestroy(b));
    managed = 77;
    C(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, of_b));
    note("managed", managed);
    attributes(of_b, l.a, b);
    C(cuMemFree(of_b));
  });
  run("managed_owner_read", [] {  // may end with a signal: the host reads what the destroyed context had
    Lab l;
    CUcontext b = nullptr;
    CUdeviceptr of_b = 0;
    C(make_context(&b, 0));
    C(cuMemAllocManaged(&of_b, kBytes, CU_MEM_ATTACH_GLOBAL));
    fill(of_b, 6);
    C(cuCtxDestroy(b));
    note("the host reads", first_of(of_b));
  });
  run("managed_other_context_kernel", [] {  // a kernel of one context, memory of another
    Lab l;
    CUcontext b = nullptr;
    CUdeviceptr of_b = 0;
    C(make_context(&b, l.devices - 1));
    C(cuMemAllocManaged(&of_b, kBytes, CU_MEM_ATTACH_GLOBAL));
    fill(of_b, 6);
    C(cuCtxSetCurrent(l.a));
    rec("launch in a", l.launch(of_b, l.first));
    C(cuStreamSynchronize(l.first));
    note("first and last", std::to_string(first_of(of_b)) + " " + std::to_string(last_of(of_b)));
    C(cuMemPrefetchAsync_v2(of_b, kBytes, at(CU_MEM_LOCATION_TYPE_DEVICE, l.devices - 1), 0, l.first));
    C(cuStreamSynchronize(l.first));
    note("last prefetch is the last device", last_prefetch(of_b) == l.devices - 1 ? 1 : 0);
    C(cuMemAdvise_v2(of_b, kBytes, CU_MEM_ADVISE_SET_ACCESSED_BY, at(CU_MEM_LOCATION_TYPE_DEVICE, l.devices - 1)));
    C(cuMemFree(of_b));
    C(cuCtxDestroy(b));
  });
  return 0;
}
