// Lesson 26: cuMemAllocManaged returns one pointer for the host and the devices. When each of them may use
// the memory, where its pages should be, what the driver tells about this, and what it refuses.
#include "check.hpp"

constexpr std::size_t kBytes = 2 * lesson::MiB;
constexpr int kHost = CU_DEVICE_CPU;
constexpr unsigned kOpen = 1, kUntil = CU_STREAM_WAIT_VALUE_EQ;

// The host can use a managed address directly. In each allocation the first number is used.
int& on_host(CUdeviceptr address) {
  return *reinterpret_cast<int*>(address);
}

void add_one(CUfunction function, CUdeviceptr number, CUstream stream) {
  void* parameters[] = {&number};
  check(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr));
}

// The gate of lesson 19: a stream that waits for it does no more work until the host writes 1.
CUdeviceptr closed(volatile unsigned* gate) {
  *gate = 0;
  return reinterpret_cast<CUdeviceptr>(gate);
}

// What the driver keeps of an allocation. A place is a device's number, kHost, or CU_DEVICE_INVALID.
int kept(CUdeviceptr address, CUmem_range_attribute what) {
  int value = 0;
  check(cuMemRangeGetAttribute(&value, sizeof value, what, address, kBytes));
  return value;
}

int main() {
  CUcontext a = nullptr, b = nullptr;
  CUmodule module = nullptr;
  CUfunction add = nullptr;
  CUstream first = nullptr, second = nullptr;
  CUdeviceptr managed = 0, for_first = 0, of_b = 0, plain = 0;
  void* for_gate = nullptr;
  int devices = 0, is_managed = 0, type = 0, concurrent = 0, pageable = 0;

  // step: start
  check(cuInit(0));
  check(cuDeviceGetCount(&devices));
  check(create_context(&a, CU_CTX_SCHED_AUTO, 0));
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&add, module, "add_one"));
  for (CUstream* stream : {&first, &second}) check(cuStreamCreate(stream, CU_STREAM_NON_BLOCKING));
  check(cuMemAllocHost(&for_gate, sizeof(unsigned)));
  check(cuMemAlloc(&plain, kBytes));
  auto* const gate = static_cast<volatile unsigned*>(for_gate);

  // step: allocate
  // The host writes, the kernel adds 1, and the host reads: one pointer, and no copy.
  expect(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(&managed, kBytes, 0));
  check(cuMemAllocManaged(&managed, kBytes, CU_MEM_ATTACH_GLOBAL));
  on_host(managed) = 100;
  add_one(add, managed, first);
  check(cuStreamSynchronize(first));
  claim("100 plus 1 is 101", on_host(managed) == 101);

  // step: pointer
  // The type of memory does not say whether the host may use it.
  check(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, managed));
  claim("the type is device memory, as of cuMemAlloc", type == CU_MEMORYTYPE_DEVICE);
  check(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
  claim("but it is managed", is_managed == 1);

  // step: concurrent
  // A kernel waits in the stream. Not every device lets the host use managed memory meanwhile.
  check(cuDeviceGetAttribute(&concurrent, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 0));
  check(cuStreamWaitValue32(first, closed(gate), kOpen, kUntil));
  add_one(add, managed, first);
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(first));
  if (concurrent == 0) std::printf("the host has to wait here, and no step on advice follows\n");
  if (concurrent == 1) claim("the host may read now, and reads the old 101", on_host(managed) == 101);
  *gate = kOpen;
  check(cuStreamSynchronize(first));
  claim("after the kernel it reads 102", on_host(managed) == 102);

  // step: attach
  // Attached to one stream: the host may use this memory when that stream is done, whatever others do.
  check(cuMemAllocManaged(&for_first, kBytes, CU_MEM_ATTACH_HOST));
  on_host(for_first) = 1;
  expect(CUDA_ERROR_INVALID_VALUE, cuStreamAttachMemAsync(nullptr, for_first, 0, CU_MEM_ATTACH_SINGLE));
  check(cuStreamAttachMemAsync(first, for_first, 0, CU_MEM_ATTACH_SINGLE));
  check(cuStreamWaitValue32(second, closed(gate), kOpen, kUntil));
  add_one(add, managed, second);
  add_one(add, for_first, first);
  check(cuStreamSynchronize(first));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(second));
  claim("the host reads 2, and the other stream still waits", on_host(for_first) == 2);
  *gate = kOpen;
  check(cuStreamSynchronize(second));

  // step: owner
  check(create_context(&b, CU_CTX_SCHED_AUTO, 0));  // stack: A, B
  check(cuMemAllocManaged(&of_b, kBytes, CU_MEM_ATTACH_GLOBAL));
  check(cuCtxDestroy(b));  // stack: A
  expect(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, of_b));

  // step: pageable
  check(cuDeviceGetAttribute(&pageable, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, 0));
  std::printf("may kernels use memory of malloc here? %s\n", pageable == 1 ? "yes" : "no");

  // CUDA 12 and 13 have the functions with _v2, which take a location. Without _v2, CUDA 12's take a number.
  CUmemLocation host{CU_MEM_LOCATION_TYPE_HOST, 0}, device{CU_MEM_LOCATION_TYPE_DEVICE, 0};
  if (concurrent == 1) {
    // step: advice
    check(cuMemAdvise_v2(managed, kBytes, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
    check(cuMemAdvise_v2(managed, kBytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
    check(cuMemAdvise_v2(managed, kBytes, CU_MEM_ADVISE_SET_ACCESSED_BY, device));
    claim("it is read mostly", kept(managed, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY) == 1);
    claim("preferred place: the host", kept(managed, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION) == kHost);
    claim("it is used by device 0", kept(managed, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY) == 0);

    // step: prefetch
    // Advice forbids nothing: the memory goes to device 0, and a kernel writes to it.
    check(cuMemPrefetchAsync_v2(managed, kBytes, device, 0, first));
    add_one(add, managed, first);
    check(cuStreamSynchronize(first));
    claim("103 plus 1 is 104", on_host(managed) == 104);
    claim("still preferred: the host", kept(managed, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION) == kHost);
    claim("last prefetch: device 0", kept(managed, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION) == 0);

    // step: last_prefetch
    // This prefetch waits for the gate, but the driver names its place already.
    check(cuStreamWaitValue32(first, closed(gate), kOpen, kUntil));
    check(cuMemPrefetchAsync_v2(managed, kBytes, host, 0, first));
    claim("last prefetch: the host", kept(managed, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION) == kHost);
    expect(CUDA_ERROR_NOT_READY, cuStreamQuery(first));
    *gate = kOpen;
    check(cuStreamSynchronize(first));

    // step: refused
    // Memory of cuMemAlloc takes no advice. A device must exist, and the host is no device -1.
    expect(CUDA_ERROR_INVALID_VALUE, cuMemAdvise_v2(plain, kBytes, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
    device.id = devices;
    expect(CUDA_ERROR_INVALID_DEVICE, cuMemPrefetchAsync_v2(managed, kBytes, device, 0, first));
    device.id = kHost;
    expect(CUDA_ERROR_INVALID_DEVICE, cuMemPrefetchAsync_v2(managed, kBytes, device, 0, first));
  }

  // step: end
  for (CUdeviceptr memory : {managed, for_first, plain}) check(cuMemFree(memory));
  check(cuMemFreeHost(for_gate));
  for (CUstream stream : {first, second}) check(cuStreamDestroy(stream));
  check(cuModuleUnload(module));
  check(cuCtxDestroy(a));
}
