// SPDX-License-Identifier: MIT
// Stream-ordered allocation, pools, and virtual memory.
// Must not know kernels beyond one that stores.
#include "support.hpp"

namespace conformance {
namespace {

CUmemLocation device_location(int device = 0) {
  CUmemLocation location{};
  location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  location.id = device;
  return location;
}

CUmemPoolProps pool_properties() {
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = device_location();
  return properties;
}

TEST(pool, a_device_has_a_default_one_that_stays) {
  const Context context;
  CUmemoryPool by_default = nullptr, now = nullptr;
  SUCCEEDS(cuDeviceGetDefaultMemPool(&by_default, 0));
  SUCCEEDS(cuDeviceGetMemPool(&now, 0));
  HOLDS(by_default == now && now != nullptr);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemPoolDestroy(by_default));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetDefaultMemPool(&by_default, 99));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDeviceGetMemPool(&by_default, 99));
}

TEST(pool, allocating_and_freeing_are_work_of_a_stream) {
  const Context context;
  const Module module;
  CUstream const stream = make_stream();
  CUdeviceptr p = 0;
  SUCCEEDS(cuMemAllocAsync(&p, 1000, stream));
  SUCCEEDS(launch(module.function("fill"), {.threads = 250, .stream = stream}, p, 8U, 250U));
  void* host = nullptr;
  NEEDS(cuMemAllocHost(&host, 4));
  SUCCEEDS(cuMemcpyDtoHAsync(host, p + 996, 4, stream));
  SUCCEEDS(cuMemFreeAsync(p, stream));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(p, stream));
  SUCCEEDS(cuStreamSynchronize(stream));
  EQUAL(8, *static_cast<int*>(host));
  SUCCEEDS(cuMemAllocAsync(&p, 1000, stream));
  SUCCEEDS(cuStreamSynchronize(stream));
  SUCCEEDS(cuMemFree(p));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAllocAsync(nullptr, 1000, stream));
}

TEST(pool, counts_what_is_used_and_reserved) {
  const Context context;
  CUstream const stream = make_stream();
  CUmemPoolProps properties = pool_properties();
  CUmemoryPool pool = nullptr;
  CUdeviceptr p = 0;
  cuuint64_t value = 9;
  SUCCEEDS(cuMemPoolCreate(&pool, &properties));
  SUCCEEDS(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value));
  EQUAL(0, value);
  SUCCEEDS(cuMemAllocFromPoolAsync(&p, 4096, pool, stream));
  SUCCEEDS(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value));
  EQUAL(4096, value);
  SUCCEEDS(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &value));
  HOLDS(value >= 4096);
  SUCCEEDS(cuMemFreeAsync(p, stream));
  SUCCEEDS(cuStreamSynchronize(stream));
  SUCCEEDS(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value));
  EQUAL(0, value);
  SUCCEEDS(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &value));
  EQUAL(4096, value);
  value = 1 << 20;
  SUCCEEDS(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value));
  value = 0;
  SUCCEEDS(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value));
  EQUAL(1 << 20, value);
  SUCCEEDS(cuMemPoolTrimTo(pool, 0));
  SUCCEEDS(cuMemPoolDestroy(pool));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAllocFromPoolAsync(&p, 4096, nullptr, stream));
}

TEST(pool, can_be_made_the_current_one) {
  const Context context;
  CUstream const stream = make_stream();
  CUmemPoolProps properties = pool_properties();
  CUmemoryPool pool = nullptr, before = nullptr, now = nullptr, owner = nullptr;
  NEEDS(cuDeviceGetMemPool(&before, 0));
  SUCCEEDS(cuMemPoolCreate(&pool, &properties));
  SUCCEEDS(cuDeviceSetMemPool(0, pool));
  SUCCEEDS(cuDeviceGetMemPool(&now, 0));
  HOLDS(now == pool);
  CUdeviceptr p = 0;
  SUCCEEDS(cuMemAllocAsync(&p, 64, stream));
  SUCCEEDS(cuPointerGetAttribute(static_cast<void*>(&owner), CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, p));
  HOLDS(owner == pool);
  SUCCEEDS(cuMemFreeAsync(p, stream));
  SUCCEEDS(cuStreamSynchronize(stream));
  SUCCEEDS(cuDeviceSetMemPool(0, before));
  SUCCEEDS(cuMemPoolDestroy(pool));
}

CUmemAllocationProp allocation_properties() {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = device_location();
  return properties;
}

CUmemAccessDesc access_of(CUmemAccess_flags flags) {
  CUmemAccessDesc access{};
  access.location = device_location();
  access.flags = flags;
  return access;
}

TEST(virtual_memory, is_reserved_mapped_opened_and_taken_down) {
  const Context context;
  const CUmemAllocationProp properties = allocation_properties();
  std::size_t step = 0;
  CUmemGenericAllocationHandle handle = 0;
  CUdeviceptr address = 0;
  SUCCEEDS(cuMemGetAllocationGranularity(&step, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  EQUAL(2 << 20, step);
  NEEDS(cuMemCreate(&handle, step, &properties, 0));
  NEEDS(cuMemAddressReserve(&address, step, 0, 0, 0));
  EQUAL(0, address % step);
  SUCCEEDS(cuMemMap(address, step, 0, handle, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(address, 1, 16));
  const CUmemAccessDesc access = access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  SUCCEEDS(cuMemSetAccess(address, step, &access, 1));
  SUCCEEDS(cuMemsetD32(address, 21, 4));
  const Module module;
  SUCCEEDS(launch(module.function("multiply"), {}, address, 2U));
  EQUAL(42, read<int>(address));
  SUCCEEDS(cuMemUnmap(address, step));
  int value = 0;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(&value, address, 4));
  SUCCEEDS(cuMemAddressFree(address, step));
  SUCCEEDS(cuMemRelease(handle));
}

TEST(virtual_memory, two_mappings_of_one_allocation_are_the_same_bytes) {
  const Context context;
  const CUmemAllocationProp properties = allocation_properties();
  const std::size_t step = 2 << 20;
  CUmemGenericAllocationHandle handle = 0;
  CUdeviceptr first = 0, second = 0;
  NEEDS(cuMemCreate(&handle, step, &properties, 0));
  NEEDS(cuMemAddressReserve(&first, step, 0, 0, 0));
  NEEDS(cuMemAddressReserve(&second, step, 0, 0, 0));
  NEEDS(cuMemMap(first, step, 0, handle, 0));
  NEEDS(cuMemMap(second, step, 0, handle, 0));
  const CUmemAccessDesc access = access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  NEEDS(cuMemSetAccess(first, step, &access, 1));
  NEEDS(cuMemSetAccess(second, step, &access, 1));
  write(first + 100, 77);
  EQUAL(77, read<int>(second + 100));
  SUCCEEDS(cuMemUnmap(first, step));
  EQUAL(77, read<int>(second + 100));
  SUCCEEDS(cuMemUnmap(second, step));
  SUCCEEDS(cuMemAddressFree(first, step));
  SUCCEEDS(cuMemAddressFree(second, step));
  SUCCEEDS(cuMemRelease(handle));
}

TEST(virtual_memory, sizes_and_places_are_checked) {
  const Context context;
  const CUmemAllocationProp properties = allocation_properties();
  const std::size_t step = 2 << 20;
  CUmemGenericAllocationHandle handle = 0, again = 0;
  CUdeviceptr address = 0, other = 0;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, 100, &properties, 0));
  NEEDS(cuMemCreate(&handle, 2 * step, &properties, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&other, 100, 0, 0, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&other, step, 3, 0, 0));
  NEEDS(cuMemAddressReserve(&address, 4 * step, 0, 0, 0));
  ANSWERS(CUDA_ERROR_NOT_SUPPORTED, cuMemMap(address, step, 0, handle, 0));
  SUCCEEDS(cuMemMap(address, 2 * step, 0, handle, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemMap(address, 2 * step, 0, handle, 0));
  const CUmemAccessDesc access = access_of(CU_MEM_ACCESS_FLAGS_PROT_READ);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(address, 4 * step, &access, 1));
  SUCCEEDS(cuMemSetAccess(address, 2 * step, &access, 1));
  unsigned long long flags = 0;
  const CUmemLocation here = device_location();
  SUCCEEDS(cuMemGetAccess(&flags, &here, address));
  EQUAL(CU_MEM_ACCESS_FLAGS_PROT_READ, flags);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemGetAccess(&flags, &here, address + 2 * step));
  int value = 4;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(address, &value, 4));
  SUCCEEDS(cuMemRetainAllocationHandle(&again, reinterpret_cast<void*>(address)));
  EQUAL(true, handle == again);
  SUCCEEDS(cuMemRelease(again));
  SUCCEEDS(cuMemRelease(handle));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(address, step));
  SUCCEEDS(cuMemUnmap(address, 2 * step));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemRelease(handle));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(address, step));
  SUCCEEDS(cuMemAddressFree(address, 4 * step));
}

TEST(virtual_memory, a_handle_knows_its_properties) {
  const Context context;
  const CUmemAllocationProp properties = allocation_properties();
  CUmemGenericAllocationHandle handle = 0;
  CUmemAllocationProp back{};
  NEEDS(cuMemCreate(&handle, 2 << 20, &properties, 0));
  SUCCEEDS(cuMemGetAllocationPropertiesFromHandle(&back, handle));
  EQUAL(CU_MEM_ALLOCATION_TYPE_PINNED, back.type);
  EQUAL(CU_MEM_LOCATION_TYPE_DEVICE, back.location.type);
  EQUAL(0, back.location.id);
  SUCCEEDS(cuMemRelease(handle));
}

}  // namespace
}  // namespace conformance
