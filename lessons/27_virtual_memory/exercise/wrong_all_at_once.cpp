// Exercise 27, a wrong answer: all four units are taken at once, which the array may never need.
#include "check.hpp"

constexpr std::size_t kRange = std::size_t{1} << 30, kInt = sizeof(int);

struct Array {
  CUdeviceptr address = 0;
  std::size_t unit = 0;
  std::size_t size = 0;  // bytes that can be used
};

namespace growing {  // change this namespace only

// Maps one more unit behind the array. Its address stays, and its contents stay.
void grow(Array& array) {
  CUmemAllocationProp properties = {};
  CUmemAccessDesc access = {};
  CUmemGenericAllocationHandle memory = 0;
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  if (array.size == 0) {
    check(cuMemCreate(&memory, 4 * array.unit, &properties, 0));
    check(cuMemMap(array.address, 4 * array.unit, 0, memory, 0));
    check(cuMemRelease(memory));
    check(cuMemSetAccess(array.address, 4 * array.unit, &access, 1));
  }
  array.size += array.unit;
}

}  // namespace growing

int main() {
  CUcontext context = nullptr;
  CUmemAllocationProp properties = {};
  Array array;
  int number = 0;
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  check(cuInit(0));
  check(create_context(&context, 0, 0));
  check(cuMemGetAllocationGranularity(&array.unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  check(cuMemAddressReserve(&array.address, kRange, 0, 0, 0));
  const CUdeviceptr address = array.address;

  growing::grow(array);
  check(cuMemsetD32(array.address, 1, array.size / kInt));
  for (int i = 0; i < 3; ++i) growing::grow(array);
  claim("the array is four units long, at the same address",
        array.address == address && array.size == 4 * array.unit);
  check(cuMemcpyDtoH(&number, array.address, kInt));
  claim("its first number is still 1", number == 1);
  check(cuMemsetD32(array.address, 2, array.size / kInt));
  check(cuMemcpyDtoH(&number, array.address + array.size - kInt, kInt));
  claim("one fill has reached its last number", number == 2);

  check(cuMemUnmap(array.address, array.size));
  check(cuMemAddressFree(array.address, kRange));
  check(cuCtxDestroy(context));
}
