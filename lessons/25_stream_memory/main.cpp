// Lesson 25: cuMemAllocAsync returns an address at once, and the memory is the program's in the order of the
// stream, from the allocation to the free. It comes from a pool, which keeps, counts and shares memory.
#include "check.hpp"

constexpr std::size_t kBytes = 4096;
constexpr auto kDescriptor = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
constexpr unsigned kOpen = 1, kUntil = CU_STREAM_WAIT_VALUE_EQ;

// One of the numbers of bytes that a pool counts.
cuuint64_t bytes(CUmemoryPool pool, CUmemPool_attribute attribute) {
  cuuint64_t number = 0;
  check(cuMemPoolGetAttribute(pool, attribute, &number));
  return number;
}

int main() {
  CUcontext context = nullptr, owner = nullptr;
  CUmemoryPool usual = nullptr, found = nullptr, pool = nullptr, imported = nullptr;
  CUdeviceptr plain = 0, ordered = 0, one = 0, two = 0;
  CUstream first = nullptr, second = nullptr;
  CUevent event = nullptr;
  void *for_gate = nullptr, *for_result = nullptr;

  // step: start
  check(cuInit(0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  check(cuMemAlloc(&plain, kBytes));
  for (void** pinned : {&for_gate, &for_result}) check(cuMemAllocHost(pinned, kBytes));
  auto* const gate = static_cast<volatile unsigned*>(for_gate);  // as in lesson 19
  auto* const result = static_cast<volatile unsigned char*>(for_result);
  for (CUstream* stream : {&first, &second}) {
    check(cuStreamCreate(stream, CU_STREAM_NON_BLOCKING));
    check(cuMemsetD8Async(plain, 0, kBytes, *stream));
    check(cuMemcpyDtoHAsync(for_result, plain, kBytes, *stream));
  }
  check(cuCtxSynchronize());
  check(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));

  // step: in_order
  // The gate is closed, so the stream does nothing yet. The address is there, and is invalid after the free.
  *gate = 0;
  check(cuStreamWaitValue32(first, reinterpret_cast<CUdeviceptr>(for_gate), kOpen, kUntil));
  check(cuMemAllocAsync(&one, kBytes, first));
  claim("the call has returned an address", one != 0);
  check(cuMemsetD8Async(one, 1, kBytes, first));
  check(cuMemFreeAsync(one, first));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(one, first));

  // step: reuse
  // The second allocation comes after the free, so it may have the same memory.
  check(cuMemAllocAsync(&two, kBytes, first));
  claim("it has the address of the first one", two == one);

  // step: no_wait
  // The mistake: the second stream uses the second allocation and waits for nothing.
  check(cuMemsetD8Async(two, 9, kBytes, second));
  check(cuStreamSynchronize(second));
  *gate = kOpen;
  check(cuMemcpyDtoHAsync(for_result, two, kBytes, first));
  check(cuStreamSynchronize(first));
  claim("the 9 is lost: the fill of the freed allocation came after it", *result == 1);

  // step: wait_event
  // The same again, but the second stream waits for an event that is recorded after the allocation.
  *gate = 0;
  check(cuStreamWaitValue32(first, reinterpret_cast<CUdeviceptr>(for_gate), kOpen, kUntil));
  check(cuMemsetD8Async(two, 1, kBytes, first));
  check(cuMemFreeAsync(two, first));
  check(cuMemAllocAsync(&one, kBytes, first));
  check(cuEventRecord(event, first));
  check(cuStreamWaitEvent(second, event, CU_EVENT_WAIT_DEFAULT));
  check(cuMemsetD8Async(one, 9, kBytes, second));
  check(cuMemcpyDtoHAsync(for_result, one, kBytes, second));
  check(cuMemFreeAsync(one, second));
  *gate = kOpen;
  check(cuStreamSynchronize(second));
  claim("the copy has read the 9", *result == 9);

  // step: owner
  check(cuDeviceGetDefaultMemPool(&usual, 0));
  check(cuDeviceGetMemPool(&found, 0));
  claim("the current pool of the device is its default pool", found == usual);
  check(cuMemAllocAsync(&ordered, kBytes, first));
  check(cuPointerGetAttribute(&found, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, ordered));
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, ordered));
  claim("the memory belongs to this pool and to no context", found == usual && owner == nullptr);

  // step: own_pool
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, properties.handleTypes = kDescriptor;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE, properties.location.id = 0;
  check(cuMemPoolCreate(&pool, &properties));
  check(cuMemAllocFromPoolAsync(&one, kBytes, pool, first));
  claim("4096 bytes are used", bytes(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == kBytes);
  CUmemAccess_flags access = {};
  CUmemAccessDesc none = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_NONE};
  check(cuMemPoolGetAccess(&access, pool, &properties.location));
  claim("the pool's device may read and write", access == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  expect(CUDA_ERROR_INVALID_DEVICE, cuMemPoolSetAccess(pool, &none, 1));

  // step: keep
  // The release threshold is 0: when the program waits, the pool returns its free memory to the device.
  check(cuMemFreeAsync(one, first));
  claim("the pool has the freed memory", bytes(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) >= kBytes);
  check(cuStreamSynchronize(first));
  claim("nothing is reserved any more", bytes(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == 0);
  cuuint64_t threshold = UINT64_MAX, mark = 0;
  check(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  check(cuMemAllocFromPoolAsync(&one, kBytes, pool, first));
  check(cuMemFreeAsync(one, first));
  check(cuStreamSynchronize(first));
  claim("now the pool keeps memory", bytes(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) >= kBytes);

  // step: trim
  check(cuMemPoolTrimTo(pool, 0));
  claim("trimmed, it keeps none", bytes(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == 0);
  claim("the most that was used is 4096", bytes(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH) == kBytes);
  check(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &mark));
  claim("and is counted anew", bytes(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH) == 0);

  // step: share
  // A descriptor stands for the pool. Another process would import it; here the same one does.
  int descriptor = -1;
  CUmemPoolPtrExportData data = {};
  check(cuMemPoolExportToShareableHandle(&descriptor, pool, kDescriptor, 0));
  void* const handle = reinterpret_cast<void*>(std::intptr_t{descriptor});
  check(cuMemPoolImportFromShareableHandle(&imported, handle, kDescriptor, 0));
  close(descriptor);
  check(cuMemAllocFromPoolAsync(&one, kBytes, pool, first));
  check(cuMemPoolExportPointer(&data, one));
  check(cuMemPoolImportPointer(&two, imported, &data));
  check(cuMemsetD8Async(two, 7, kBytes, first));
  check(cuMemcpyDtoHAsync(for_result, one, kBytes, first));
  check(cuStreamSynchronize(first));
  claim("two addresses of the same bytes", two != one && *result == 7);
  check(cuMemFree(two));
  check(cuMemPoolDestroy(imported));

  // step: end
  // The pool is destroyed, and its memory is still there. Each kind of free takes both kinds of allocation.
  check(cuMemPoolDestroy(pool));
  check(cuMemsetD8Async(one, 8, kBytes, first));
  for (CUdeviceptr each : {one, plain}) check(cuMemFreeAsync(each, first));
  check(cuMemFree(ordered));
  check(cuEventDestroy(event));
  for (CUstream stream : {first, second}) check(cuStreamDestroy(stream));
  for (void* pinned : {for_gate, for_result}) check(cuMemFreeHost(pinned));
  check(cuCtxDestroy(context));
}
