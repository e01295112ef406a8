// SPDX-License-Identifier: MIT
// Memory in the order of a stream and the pools that it comes from: when an address is valid, whose the memory is, which
// memory is used again and for whom, what a pool reserves, access, sharing. At most some 10 MiB of device memory.
#include "probe.h"

CUresult make(CUcontext* c, int device) { return make_ctx(c, 0, device); }
constexpr std::size_t kBytes = 4096;
constexpr unsigned kUntil = CU_STREAM_WAIT_VALUE_EQ;

struct Lab {  // a context, two streams that were used once, a gate and a place for results
  CUcontext a = nullptr;
  CUstream first = nullptr, second = nullptr;
  CUevent event = nullptr;
  CUdeviceptr plain = 0;
  volatile unsigned* gate = nullptr;
  volatile unsigned char* result = nullptr;
  Lab() {
    cuInit(0), make(&a, 0), cuMemAlloc(&plain, kBytes);
    void* p = nullptr;
    cuMemAllocHost(&p, 64), gate = static_cast<volatile unsigned*>(p);
    cuMemAllocHost(&p, kBytes), result = static_cast<volatile unsigned char*>(p);
    for (CUstream* s : {&first, &second}) {
      cuStreamCreate(s, CU_STREAM_NON_BLOCKING), cuMemsetD8Async(plain, 0, kBytes, *s);
      cuMemcpyDtoHAsync(p, plain, kBytes, *s);
    }
    cuCtxSynchronize(), cuEventCreate(&event, CU_EVENT_DISABLE_TIMING);
  }
  void close(CUstream s) { *gate = 0, C(cuStreamWaitValue32(s, reinterpret_cast<CUdeviceptr>(gate), 1, kUntil)); }
  void open() { *gate = 1; }
  CUresult bring(CUdeviceptr p, CUstream s) { return cuMemcpyDtoHAsync(const_cast<unsigned char*>(result), p, kBytes, s); }
};
CUmemPoolProps props(bool shared = false) {
  CUmemPoolProps p{};
  p.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  if (shared) p.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  return p;
}
long long number(CUmemoryPool q, CUmemPool_attribute a) {
  cuuint64_t v = 0;
  const CUresult error = cuMemPoolGetAttribute(q, a, &v);
  return error ? -static_cast<long long>(error) : static_cast<long long>(v);
}
void counts(CUmemoryPool q) {
  note("used", number(q, CU_MEMPOOL_ATTR_USED_MEM_CURRENT)), note("used high", number(q, CU_MEMPOOL_ATTR_USED_MEM_HIGH));
  note("reserved", number(q, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)), note("reserved high", number(q, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH));
}
CUresult set(CUmemoryPool q, CUmemPool_attribute a, cuuint64_t value) { return cuMemPoolSetAttribute(q, a, &value); }
CUresult set_int(CUmemoryPool q, CUmemPool_attribute a, int value) { return cuMemPoolSetAttribute(q, a, &value); }

int main() {
  run("sm_attributes", [] {
    Lab l;
    for (auto a : {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES,
                   CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED}) {
      int v = -1;
      cuDeviceGetAttribute(&v, a, 0), note("attribute", a), note("is", v);
    }
    CUmemoryPool q = nullptr, d = nullptr;
    CUmemPoolProps p = props();
    C(cuDeviceGetDefaultMemPool(&d, 0));
    counts(d), note("threshold", number(d, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD));
    C(cuMemPoolCreate(&q, &p));
    counts(q);
    for (auto a : {CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES}) {
      int v = -1;
      C(cuMemPoolGetAttribute(q, a, &v)), note("reuse", v);
    }
  });
  run("sm_address_at_once", [] {  // lesson: allocate, free
    Lab l;
    CUdeviceptr p = 0;
    l.close(l.first);
    C(cuMemAllocAsync(&p, kBytes, l.first)), note("an address", p != 0);
    C(cuMemsetD8Async(p, 1, kBytes, l.first)), C(l.bring(p, l.first));
    C(cuStreamQuery(l.first));
    C(cuMemFreeAsync(p, l.first)), C(cuMemFreeAsync(p, l.first));
    C(cuMemsetD8Async(p, 2, kBytes, l.first)), C(l.bring(p, l.first)), C(cuMemFree(p));
    CUcontext c = l.a;
    CUmemoryPool q = nullptr;
    CUdeviceptr base = 0;
    std::size_t size = 0;
    C(cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, p)), C(cuPointerGetAttribute(&q, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, p));
    C(cuMemGetAddressRange(&base, &size, p));
    C(cuStreamQuery(l.first));
    l.open();
    C(cuStreamSynchronize(l.first)), note("result", *l.result);
    C(cuMemsetD8Async(p, 2, kBytes, l.first)), C(cuMemFree(p));
  });
  run("sm_owner", [] {
    Lab l;
    CUdeviceptr p = 0, base = 0;
    std::size_t size = 0;
    CUcontext b = nullptr, c = l.a;
    CUmemoryPool q = nullptr, d = nullptr;
    C(cuDeviceGetDefaultMemPool(&d, 0));
    C(cuMemAllocAsync(&p, kBytes, l.first)), C(cuMemsetD8Async(p, 5, kBytes, l.first)), C(cuStreamSynchronize(l.first));
    C(cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, p)), note("no context", c == nullptr);
    C(cuPointerGetAttribute(&q, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, p)), note("the default pool", q == d);
    C(cuMemGetAddressRange(&base, &size, p)), note("base", base == p), note("size", size);
    C(make(&b, 0));
    CUstream of_b = nullptr;
    C(cuStreamCreate(&of_b, CU_STREAM_NON_BLOCKING));
    C(cuMemsetD8Async(p, 6, kBytes, of_b)), C(cuStreamSynchronize(of_b));
    unsigned char v = 0;
    C(cuMemcpyDtoH(&v, p, 1)), note("value", v);
    C(cuCtxDestroy(l.a));  // allocated in a stream of A, which is gone now
    C(cuMemcpyDtoH(&v, p, 1)), note("value", v);
    C(cuMemsetD8(p, 7, kBytes)), C(cuMemcpyDtoH(&v, p, 1)), note("value", v);
    C(cuPointerGetAttribute(&q, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, p)), note("the default pool", q == d);
    note("used", number(d, CU_MEMPOOL_ATTR_USED_MEM_CURRENT));
    C(cuMemFreeAsync(p, of_b)), C(cuStreamSynchronize(of_b));
    note("used", number(d, CU_MEMPOOL_ATTR_USED_MEM_CURRENT));
    C(cuCtxDestroy(b));
    C(cuDeviceGetDefaultMemPool(&q, 0)), note("the same pool", q == d);
  });
  run("sm_owner_alone", [] {  // the only context of the device ends, another one comes
    Lab l;
    CUdeviceptr p = 0;
    CUmemoryPool d = nullptr;
    CUcontext b = nullptr;
    C(cuDeviceGetDefaultMemPool(&d, 0));
    C(cuMemAllocAsync(&p, kBytes, l.first)), C(cuMemsetD8Async(p, 5, kBytes, l.first)), C(cuStreamSynchronize(l.first));
    C(cuCtxDestroy(l.a));
    note("used", number(d, CU_MEMPOOL_ATTR_USED_MEM_CURRENT));
    C(make(&b, 0));
    unsigned char v = 0;
    C(cuMemcpyDtoH(&v, p, 1)), note("value", v), C(cuMemFree(p));
  });
  run("sm_reuse_same_stream", [] {  // lesson: reuse, no_wait
    Lab l;
    CUdeviceptr p = 0, q = 0;
    C(cuMemAllocAsync(&p, kBytes, l.first)), C(cuMemsetD8Async(p, 1, kBytes, l.first));
    l.close(l.first);
    C(l.bring(p, l.first)), C(cuMemFreeAsync(p, l.first)), C(cuMemAllocAsync(&q, kBytes, l.first)), note("the same address", q == p);
    C(cuMemsetD8Async(q, 9, kBytes, l.second)), C(cuStreamSynchronize(l.second)), C(cuStreamQuery(l.first));
    l.open();
    C(cuStreamSynchronize(l.first)), note("result", *l.result);
    C(cuMemsetD8Async(q, 1, kBytes, l.first));
    l.close(l.first);
    C(l.bring(q, l.first)), C(cuMemFreeAsync(q, l.first)), C(cuMemAllocAsync(&p, kBytes, l.first)), note("the same address", q == p);
    C(cuEventRecord(l.event, l.first)), C(cuStreamWaitEvent(l.second, l.event, 0)), C(cuMemsetD8Async(p, 9, kBytes, l.second));
    C(cuStreamQuery(l.second));
    C(cuMemFreeAsync(p, l.second));
    l.open();
    C(cuStreamSynchronize(l.second)), note("result", *l.result);
  });
  for (const bool internal : {true, false})
    run(internal ? "sm_across_internal" : "sm_across", [internal] {
      Lab l;
      CUmemoryPool pool = nullptr;
      CUmemPoolProps pp = props();
      CUdeviceptr p = 0, q = 0, r = 0, s = 0;
      C(cuMemPoolCreate(&pool, &pp)), C(set(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, UINT64_MAX));
      if (!internal) C(set_int(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, 0));
      C(cuMemAllocFromPoolAsync(&p, kBytes, pool, l.first)), C(cuStreamSynchronize(l.first));
      l.close(l.first);
      C(cuMemFreeAsync(p, l.first));
      C(cuMemAllocFromPoolAsync(&q, kBytes, pool, l.second)), note("no order: the same address", q == p);
      C(cuStreamQuery(l.second));  // 600 if a hidden dependency was made
      C(cuEventRecord(l.event, l.first)), C(cuStreamWaitEvent(l.second, l.event, 0));
      C(cuMemAllocFromPoolAsync(&r, kBytes, pool, l.second)), note("ordered by an event: the same address", r == p);
      l.open();
      C(cuStreamSynchronize(l.first)), C(cuStreamSynchronize(l.second));
      C(cuMemFreeAsync(q, l.second)), C(cuMemFreeAsync(r, l.second)), C(cuStreamSynchronize(l.second));
      C(cuMemAllocFromPoolAsync(&s, kBytes, pool, l.first)), note("done: one of the addresses", s == p || s == q || s == r);
      counts(pool);
    });
  run("sm_across_done", [] {  // lesson: across
    Lab l;
    CUmemoryPool pool = nullptr;
    CUmemPoolProps pp = props();
    CUdeviceptr p = 0, q = 0, r = 0;
    C(cuMemPoolCreate(&pool, &pp)), C(set(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, UINT64_MAX));
    C(set_int(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, 0));
    C(cuMemAllocFromPoolAsync(&p, kBytes, pool, l.first)), C(cuStreamSynchronize(l.first));
    l.close(l.first);
    C(cuMemFreeAsync(p, l.first));
    C(cuMemAllocFromPoolAsync(&q, kBytes, pool, l.second)), note("no order: the same address", q == p), C(cuStreamSynchronize(l.second));
    l.open();
    C(cuStreamSynchronize(l.first));
    C(cuMemAllocFromPoolAsync(&r, kBytes, pool, l.second)), note("done: the same address", r == p);
    C(set_int(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, 0));
    C(cuMemFreeAsync(r, l.second)), C(cuStreamSynchronize(l.second));
    C(cuMemAllocFromPoolAsync(&p, kBytes, pool, l.first)), note("done, none allowed: the same address", r == p);
    counts(pool);
  });
  for (const std::size_t size : {kBytes, std::size_t{4} << 20})
    run(size == kBytes ? "sm_reserved_small" : "sm_reserved_large", [size] {  // lesson: own_pool, threshold
      Lab l;
      CUmemoryPool pool = nullptr;
      CUmemPoolProps pp = props();
      CUdeviceptr p = 0;
      C(cuMemPoolCreate(&pool, &pp)), note("threshold", number(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD));
      C(cuMemAllocFromPoolAsync(&p, size, pool, l.first)), counts(pool);
      C(cuStreamSynchronize(l.first)), counts(pool);
      C(cuMemFreeAsync(p, l.first)), counts(pool);
      C(cuStreamSynchronize(l.first)), counts(pool);
      note("with work before the free", 0);
      C(cuMemAllocFromPoolAsync(&p, size, pool, l.first));
      l.close(l.first);
      C(cuMemFreeAsync(p, l.first)), counts(pool);
      C(cuMemPoolTrimTo(pool, 0)), counts(pool);
      C(cuStreamSynchronize(l.second)), counts(pool);
      l.open();
      C(cuStreamSynchronize(l.first)), counts(pool);
      note("all is kept", 0);
      C(set(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, UINT64_MAX)), note("threshold", number(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD));
      C(cuMemAllocFromPoolAsync(&p, size, pool, l.first)), C(cuMemFreeAsync(p, l.first)), C(cuStreamSynchronize(l.first)), counts(pool);
      C(cuMemPoolTrimTo(pool, 0)), counts(pool);
      C(set(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, 1)), C(set(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 1));
      C(set(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, 0));
      C(set(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, 0)), C(set(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 0)), counts(pool);
      C(cuMemAllocFromPoolAsync(&p, size, pool, l.first)), C(cuMemPoolTrimTo(pool, 0)), counts(pool);
      C(cuMemFreeAsync(p, l.first)), C(cuEventRecord(l.event, l.first)), C(cuEventSynchronize(l.event)), counts(pool);
      C(cuMemPoolDestroy(pool));
    });
  run("sm_access", [] {
    Lab l;
    int devices = 0;
    cuDeviceGetCount(&devices), note("devices", devices);
    CUmemoryPool pool = nullptr, d = nullptr;
    CUmemPoolProps pp = props();
    CUdeviceptr p = 0;
    C(cuMemPoolCreate(&pool, &pp)), cuDeviceGetDefaultMemPool(&d, 0);
    C(cuMemAllocFromPoolAsync(&p, kBytes, pool, l.first)), C(cuStreamSynchronize(l.first));
    CUmemAccessDesc desc{};
    desc.location = pp.location;
    for (int device = 0; device < devices && device < 2; ++device) {
      desc.location.id = device, note("device", device);
      for (const CUmemoryPool each : {pool, d}) {
        CUmemAccess_flags flags{};
        C(cuMemPoolGetAccess(&flags, each, &desc.location)), note("access", flags);
        desc.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE, C(cuMemPoolSetAccess(each, &desc, 1));
        desc.flags = CU_MEM_ACCESS_FLAGS_PROT_READ, C(cuMemPoolSetAccess(each, &desc, 1));
        C(cuMemPoolGetAccess(&flags, each, &desc.location)), note("access", flags);
        desc.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        if (device == 0) C(cuMemPoolSetAccess(each, &desc, 1));
      }
    }
    desc.location.id = 99, desc.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE, C(cuMemPoolSetAccess(pool, &desc, 1));
    if (devices < 2) return;
    CUcontext other = nullptr;
    C(make(&other, 1));
    unsigned char v = 0;
    C(cuMemsetD8(p, 3, 16)), C(cuMemcpyDtoH(&v, p, 1)), note("value", v);
    desc.location.id = 1, C(cuMemPoolSetAccess(pool, &desc, 1));
    CUmemAccess_flags flags{};
    C(cuMemPoolGetAccess(&flags, pool, &desc.location)), note("access", flags);
    C(cuMemsetD8(p, 4, 16)), C(cuMemcpyDtoH(&v, p, 1)), note("value", v);
    CUstream there = nullptr;
    C(cuStreamCreate(&there, CU_STREAM_NON_BLOCKING)), C(cuMemsetD8Async(p, 5, 16, there)), C(cuStreamSynchronize(there));
    C(cuMemcpyDtoH(&v, p, 1)), note("value", v);
    desc.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE, C(cuMemPoolSetAccess(pool, &desc, 1));
    C(cuMemPoolGetAccess(&flags, pool, &desc.location)), note("access", flags);
  });
  run("sm_share", [] {  // lesson: share, destroyed
    Lab l;
    CUmemoryPool pool = nullptr, got = nullptr, d = nullptr;
    CUmemPoolProps pp = props(true);
    CUdeviceptr p = 0, q = 0, w = 0;
    CUmemPoolPtrExportData data{};
    int fd = -1;
    cuuint64_t u = 0;
    cuDeviceGetDefaultMemPool(&d, 0);
    C(cuMemPoolCreate(&pool, &pp));
    C(cuMemAllocFromPoolAsync(&p, kBytes, pool, l.first)), C(cuMemsetD8Async(p, 7, kBytes, l.first)), C(cuStreamSynchronize(l.first));
    C(cuMemPoolExportToShareableHandle(&fd, d, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    C(cuMemPoolExportToShareableHandle(&fd, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    C(cuMemPoolImportFromShareableHandle(&got, reinterpret_cast<void*>(static_cast<std::intptr_t>(fd)), CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    close(fd), note("another pool", got != pool);
    C(cuMemAllocFromPoolAsync(&w, kBytes, got, l.first)), C(cuMemPoolGetAttribute(got, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &u)), C(cuMemPoolTrimTo(got, 0));
    C(cuMemPoolExportPointer(&data, p)), C(cuMemPoolImportPointer(&q, got, &data)), note("another address", q != p);
    C(cuMemsetD8(q, 8, kBytes));
    unsigned char v = 0;
    C(cuMemcpyDtoH(&v, p, 1)), note("value", v);
    CUmemoryPool owner = nullptr;
    C(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, q)), note("of the imported pool", owner == got);
    C(cuMemPoolDestroy(got));
    C(cuMemFreeAsync(q, l.first)), C(cuStreamSynchronize(l.first));
    C(cuMemPoolDestroy(got));
    C(cuMemPoolDestroy(pool));
    C(cuMemcpyDtoH(&v, p, 1)), note("value", v);
    C(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, p)), note("still of the destroyed pool", owner == pool);
    C(cuMemFreeAsync(p, l.first)), C(cuStreamSynchronize(l.first)), C(cuMemcpyDtoH(&v, p, 1));
  });
  run("sm_destroy_current", [] {
    Lab l;
    CUmemoryPool pool = nullptr, d = nullptr, now = nullptr;
    CUmemPoolProps pp = props();
    CUdeviceptr p = 0;
    cuDeviceGetDefaultMemPool(&d, 0);
    C(cuMemPoolCreate(&pool, &pp)), C(cuDeviceSetMemPool(0, pool)), C(cuMemAllocAsync(&p, kBytes, l.first)), C(cuMemPoolDestroy(pool));
    C(cuDeviceGetMemPool(&now, 0)), note("the default pool", now == d);
    C(cuMemFreeAsync(p, l.first)), C(cuStreamSynchronize(l.first));
  });
}
