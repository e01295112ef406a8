// Lesson 08: device memory. How it is allocated, copied, filled and asked about; what the driver checks and
// what it does not; who owns it; and what becomes of the memory that nobody freed.
#include <array>
#include <numeric>

#include "check.hpp"

constexpr std::size_t kLarge = 64 * lesson::MiB;
using Numbers = std::array<std::uint32_t, 250>;  // 1000 bytes

int main() {
  CUcontext a = nullptr, b = nullptr, owner = nullptr;
  std::size_t before = 0, after = 0, total = 0, size = 0;
  CUdeviceptr first = 0, second = 0, base = 0, large = 0;
  Numbers numbers = {}, back = {};
  std::iota(numbers.begin(), numbers.end(), 0U);

  // step: start
  check(cuInit(0));
  check(create_context(&a, CU_CTX_SCHED_AUTO, 0));  // stack: A

  // step: allocate
  // A CUdeviceptr is a number: an address on the device. Sizes are in bytes, and 0 is none.
  check(cuMemAlloc(&first, sizeof numbers));
  check(cuMemAlloc(&second, sizeof numbers));
  claim("the addresses suit every type", first % 256 == 0 && second % 256 == 0);
  expect(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&base, 0));

  // step: copy
  // Destination first. The name of the call says which side is where.
  check(cuMemcpyHtoD(first, numbers.data(), sizeof numbers));
  check(cuMemcpyDtoD(second, first, sizeof numbers));
  check(cuMemcpyDtoH(back.data(), second, sizeof back));
  claim("the numbers went there and back", back == numbers);

  // step: bounds
  // The driver knows how large each allocation is and refuses a copy that leaves it, by so much as a byte.
  expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(back.data(), first + 1, sizeof back));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD(second, first, sizeof numbers + 1));

  // step: fill
  // The last argument counts elements, not bytes; and an element of four bytes wants an address it divides.
  check(cuMemsetD32(first, 7, numbers.size()));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(first, 7, sizeof numbers));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(first + 1, 7, 1));
  check(cuMemcpyDtoH(back.data(), first, sizeof back));
  claim("every number is 7", back.front() == 7 && back.back() == 7);

  // step: ask
  // From an address inside, the driver finds the allocation and its owner.
  check(cuMemGetAddressRange(&base, &size, first + 500));
  claim("it begins at the first byte and has 1000", base == first && size == sizeof numbers);
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, first + 500));
  claim("A owns it", owner == a);
  expect(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &size, first + sizeof numbers));

  // step: another_context
  // B can write what A owns, and can even free it. Owning is about the end, not about access.
  check(create_context(&b, CU_CTX_SCHED_AUTO, 0));  // stack: A, B
  check(cuMemsetD32(first, 8, numbers.size()));
  check(cuCtxSynchronize());
  check(cuMemcpyDtoH(back.data(), first, sizeof back));
  claim("B has written into A's memory", back.back() == 8);
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, first));
  claim("A owns it as before", owner == a);
  check(cuMemFree(second));

  // step: free
  // Once, with the address that the allocation gave, and without harm if there is none.
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFree(first + 8));
  check(cuMemFree(first));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFree(first));
  check(cuMemFree(0));

  // step: how_much
  // Free on the whole device, for every context and every process. A hint: it is printed, and not claimed.
  check(cuMemGetInfo(&before, &total));
  check(cuMemAlloc(&large, kLarge));
  check(cuMemGetInfo(&after, &total));
  std::printf("free memory after the allocation: %+lld MiB\n", lesson::change_in_mib(before, after));
  expect(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&base, std::size_t{1} << 50));
  check(cuMemsetD8(large, 1, kLarge));  // being refused has broken nothing

  // step: leak
  // The only copy of an address is overwritten. Nobody can free this memory any more.
  large = 0;
  check(cuMemFree(large));
  check(cuMemGetInfo(&after, &total));
  std::printf("free memory after the leak: %+lld MiB\n", lesson::change_in_mib(before, after));

  // step: owner_dies
  // B owned them. With B they go, and A, which owned nothing of it, can tell.
  check(cuCtxDestroy(b));  // stack: A
  check(cuMemGetInfo(&after, &total));
  std::printf("free memory after B: %+lld MiB\n", lesson::change_in_mib(before, after));
  check(cuCtxDestroy(a));
}
