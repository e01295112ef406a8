// Exercise 27, a wrong answer: the addresses of the reader are never unmapped, which keeps the memory.
#include "check.hpp"

constexpr std::size_t kInt = sizeof(int);

struct Ring {
  CUdeviceptr write = 0;  // the address for the writer
  CUdeviceptr read = 0;   // the address for the reader
  std::size_t size = 0;   // bytes of memory
};

namespace ring {

// Maps the memory twice in succession, at new addresses.
CUdeviceptr mapped_twice(CUmemGenericAllocationHandle memory, std::size_t size, CUmemAccess_flags flags) {
  CUdeviceptr address = 0;
  CUmemAccessDesc access = {};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.flags = flags;
  check(cuMemAddressReserve(&address, 2 * size, 0, 0, 0));
  for (const std::size_t offset : {std::size_t{0}, size})
    check(cuMemMap(address + offset, size, 0, memory, 0));
  check(cuMemSetAccess(address, 2 * size, &access, 1));
  return address;
}

Ring open() {
  Ring made;
  CUmemAllocationProp properties = {};
  CUmemGenericAllocationHandle memory = 0;
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  check(cuMemGetAllocationGranularity(&made.size, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  check(cuMemCreate(&memory, made.size, &properties, 0));
  made.write = mapped_twice(memory, made.size, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  made.read = mapped_twice(memory, made.size, CU_MEM_ACCESS_FLAGS_PROT_READ);
  check(cuMemRelease(memory));
  return made;
}

void close(const Ring& made) {
  check(cuMemUnmap(made.write, 2 * made.size));
  check(cuMemAddressFree(made.write, 2 * made.size));
}

}  // namespace ring

int main() {
  CUcontext context = nullptr;
  const int numbers[4] = {1, 2, 3, 4};
  int back[4] = {};
  check(cuInit(0));
  check(create_context(&context, 0, 0));
  const Ring made = ring::open();
  claim("there is a ring", made.size != 0);

  check(cuMemcpyHtoD(made.write + made.size - 2 * kInt, numbers, sizeof numbers));
  check(cuMemcpyDtoH(back, made.write, 2 * kInt));
  claim("the copy has run across the end: 3 and 4 are at the beginning", back[0] == 3 && back[1] == 4);
  check(cuMemcpyDtoH(back, made.read + made.size - 2 * kInt, sizeof back));
  claim("the reader reads 1, 2, 3 and 4 by one copy",
        back[0] == 1 && back[1] == 2 && back[2] == 3 && back[3] == 4);
  for (const CUdeviceptr address : {made.read, made.read + made.size})
    expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(address, numbers, kInt));

  ring::close(made);
  check(cuCtxDestroy(context));
}
