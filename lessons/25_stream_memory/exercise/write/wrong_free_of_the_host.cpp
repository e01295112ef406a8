// Exercise 25, a wrong answer: cuMemFree is not work of the stream, and does not wait for the copy.
#include "check.hpp"

constexpr std::size_t kBytes = 4096;

namespace buffers {  // change this namespace only

// Makes a pool on device 0 that keeps its memory when the program waits.
CUmemoryPool open() {
  CUmemoryPool pool = nullptr;
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = 0;
  check(cuMemPoolCreate(&pool, &properties));
  cuuint64_t all = UINT64_MAX;
  check(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all));
  return pool;
}

// One round in the stream: allocates `size` bytes of the pool, fills them with the value, copies them to
// `to`, and frees them. Waits for nothing.
void round(CUmemoryPool pool, CUstream stream, std::size_t size, unsigned char value, void* to) {
  CUdeviceptr memory = 0;
  check(cuMemAllocFromPoolAsync(&memory, size, pool, stream));
  check(cuMemsetD8Async(memory, value, size, stream));
  check(cuMemcpyDtoHAsync(to, memory, size, stream));
  check(cuMemFree(memory));
}

// Returns the greatest number of bytes that were used at the same time since the last call of this function.
cuuint64_t most_used(CUmemoryPool pool) {
  cuuint64_t most = 0, zero = 0;
  check(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &most));
  check(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &zero));
  return most;
}

// Ends the pool.
void close(CUmemoryPool pool) {
  check(cuMemPoolDestroy(pool));
}

}  // namespace buffers

int main() {
  CUcontext context = nullptr;
  CUmemoryPool usual = nullptr;
  CUdeviceptr last = 0;
  CUstream stream = nullptr;
  void* pinned = nullptr;
  cuuint64_t reserved = 0;
  check(cuInit(0));
  check(create_context(&context, 0, 0));
  check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  check(cuMemAllocHost(&pinned, 2 * kBytes));
  auto* const result = static_cast<unsigned char*>(pinned);
  result[0] = 0;

  CUmemoryPool pool = buffers::open();
  check(cuDeviceGetDefaultMemPool(&usual, 0));
  claim("the rounds have a pool of their own", pool != nullptr && pool != usual);
  buffers::round(pool, stream, 2 * kBytes, 1, pinned);
  check(cuStreamSynchronize(stream));
  claim("the first round has brought its 1", result[0] == 1 && result[2 * kBytes - 1] == 1);
  claim("it used 8192 bytes", buffers::most_used(pool) == 2 * kBytes);
  buffers::round(pool, stream, kBytes, 2, pinned);
  check(cuStreamSynchronize(stream));
  claim("the second round has brought its 2", result[0] == 2 && result[kBytes - 1] == 2);
  claim("it used 4096 bytes", buffers::most_used(pool) == kBytes);

  check(cuMemAllocFromPoolAsync(&last, kBytes, pool, stream));
  check(cuMemFreeAsync(last, stream));
  check(cuStreamSynchronize(stream));
  check(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved));
  claim("all is free now, and the pool still keeps memory", reserved > 0);
  buffers::close(pool);

  check(cuMemFreeHost(pinned));
  check(cuStreamDestroy(stream));
  check(cuCtxDestroy(context));
}
