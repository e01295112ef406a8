// Exercise 08, to write: three functions that are given an address somewhere in an allocation, and must not
// go past its end. The driver knows where that is.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "check.hpp"

using Numbers = std::vector<std::uint32_t>;

// Returns how many numbers of 4 bytes there are from `address` to the end of its allocation; 0 if the address
// belongs to no allocation.
std::size_t room_at([[maybe_unused]] CUdeviceptr address) {
  return 0;  // write this function
}

// Writes `value` to `count` numbers from `address` on, or only to those up to the end of the allocation.
// Returns how many numbers it has written.
std::size_t fill_from([[maybe_unused]] CUdeviceptr address, [[maybe_unused]] std::uint32_t value,
                      [[maybe_unused]] std::size_t count) {
  return 0;  // and this one
}

// Returns all numbers from `address` to the end of its allocation.
Numbers numbers_from([[maybe_unused]] CUdeviceptr address) {
  return {};  // and this one
}

// Do not change anything below.
int main() {
  CUcontext context = nullptr;
  CUdevice device = 0;
  CUdeviceptr first = 0, second = 0;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, device));
  check(cuMemAlloc(&first, 1000));  // 250 numbers
  check(cuMemAlloc(&second, 400));  // 100 numbers

  claim("there are 250 numbers in all", room_at(first) == 250);
  claim("and 100 from byte 600 on", room_at(first + 600) == 100);
  claim("and none after the last byte", room_at(first + 1000) == 0);

  claim("all 250 are filled with 1", fill_from(first, 1, 250) == 250);
  claim("and the 100 of the second allocation with 2", fill_from(second, 2, 100) == 100);
  claim("10 numbers from byte 40 on are filled with 3", fill_from(first + 40, 3, 10) == 10);
  claim("of 150 numbers from byte 600 on, 100 are filled", fill_from(first + 600, 4, 150) == 100);
  claim("after the last byte none is filled", fill_from(first + 1000, 5, 1) == 0);

  Numbers expected(250, 1);
  std::fill_n(expected.begin() + 10, 10, 3);
  std::fill_n(expected.begin() + 150, 100, 4);
  claim("each number has its value", numbers_from(first) == expected);
  claim("the last 10 are read from byte 960 on", numbers_from(first + 960) == Numbers(10, 4));
  claim("the second allocation is still all 2", numbers_from(second) == Numbers(100, 2));

  check(cuMemFree(second));
  check(cuMemFree(first));
  check(cuCtxDestroy(context));
}
