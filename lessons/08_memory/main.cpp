// Lesson 08: device memory. How a program allocates, copies, fills and queries it; what the driver checks and
// what it does not; which context owns it; and what happens to memory that the program did not free.
#include <array>
#include <numeric>

#include "check.hpp"

constexpr std::size_t kLarge = 64 * lesson::MiB;
using Numbers = std::array<std::uint32_t, 250>;  // 1000 bytes

int main() {
  CUcontext a = nullptr, b = nullptr, owner = nullptr;
  CUdevice device = 0;
  std::size_t before = 0, after = 0, total = 0, size = 0;
  CUdeviceptr first = 0, second = 0, base = 0, large = 0;
  Numbers numbers = {}, back = {};
  std::iota(numbers.begin(), numbers.end(), 0U);

  // step: start
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&a, CU_CTX_SCHED_AUTO, device));  // stack: A

  // step: allocate
  // A CUdeviceptr is a number: an address on the device. Sizes are in bytes, and must not be 0.
  check(cuMemAlloc(&first, sizeof numbers));
  check(cuMemAlloc(&second, sizeof numbers));
  claim("both addresses are multiples of 256", first % 256 == 0 && second % 256 == 0);
  expect(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&base, 0));

  // step: copy
  // The destination is the first argument. HtoD in a name means: from host to device.
  check(cuMemcpyHtoD(first, numbers.data(), sizeof numbers));
  check(cuMemcpyDtoD(second, first, sizeof numbers));
  check(cuMemcpyDtoH(back.data(), second, sizeof back));
  claim("the numbers came back unchanged", back == numbers);

  // step: bounds
  // The driver knows how large each allocation is. A copy that is one byte too long returns an error.
  expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(back.data(), first + 1, sizeof back));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD(second, first, sizeof numbers + 1));

  // step: fill
  // The last argument counts elements, not bytes. The address must be a multiple of the element's size.
  check(cuMemsetD32(first, 7, numbers.size()));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(first, 7, sizeof numbers));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(first + 1, 7, 1));
  check(cuMemcpyDtoH(back.data(), first, sizeof back));
  claim("every number is 7", back.front() == 7 && back.back() == 7);

  // step: query
  // From any address inside an allocation, the driver finds the allocation and its owner.
  check(cuMemGetAddressRange(&base, &size, first + 500));
  claim("it returns the first byte, and a size of 1000", base == first && size == sizeof numbers);
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, first + 500));
  claim("A owns it", owner == a);
  expect(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &size, first + sizeof numbers));

  // step: another_context
  // B can write to A's memory, and can even free it. Any context may use memory; it ends with its owner.
  check(create_context(&b, CU_CTX_SCHED_AUTO, device));  // stack: A, B
  check(cuMemsetD32(first, 8, numbers.size()));
  check(cuCtxSynchronize());
  check(cuMemcpyDtoH(back.data(), first, sizeof back));
  claim("B has written to A's memory", back.back() == 8);
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, first));
  claim("A still owns it", owner == a);
  check(cuMemFree(second));

  // step: free
  // Free an allocation once, and with the address that cuMemAlloc returned. Freeing 0 is allowed.
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFree(first + 8));
  check(cuMemFree(first));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFree(first));
  check(cuMemFree(0));

  // step: how_much
  // The free memory of the whole device. Any other program may change it, so it is printed, but not claimed.
  check(cuMemGetInfo(&before, &total));
  check(cuMemAlloc(&large, kLarge));
  check(cuMemGetInfo(&after, &total));
  std::printf("64 MiB allocated: free memory changed by %+lld MiB\n", lesson::change_in_mib(before, after));
  expect(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&base, std::size_t{1} << 50));
  check(cuMemsetD8(large, 1, kLarge));  // the failed call has changed nothing

  // step: leak
  // The only copy of an address is overwritten. The program can no longer free this memory.
  large = 0;
  check(cuMemFree(large));
  check(cuMemGetInfo(&after, &total));
  std::printf("after the leak: free memory changed by %+lld MiB\n", lesson::change_in_mib(before, after));

  // step: owner_destroyed
  // B owned this memory, so destroying B frees it. The change is again counted from before the allocation.
  check(cuCtxDestroy(b));  // stack: A
  check(cuMemGetInfo(&after, &total));
  std::printf("B destroyed: free memory changed by %+lld MiB\n", lesson::change_in_mib(before, after));
  check(cuCtxDestroy(a));
}
