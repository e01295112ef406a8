// SPDX-License-Identifier: MIT
// Stream-ordered allocation, pools, and virtual memory. Must not depend on kernels beyond one that stores.
#include <fcntl.h>
#include <unistd.h>

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

cuuint64_t of_graphs(CUgraphMem_attribute attribute) {
  cuuint64_t value = 9;
  SUCCEEDS(cuDeviceGetGraphMemAttribute(0, attribute, &value));
  return value;
}

TEST(pool, memory_of_graphs_is_kept_for_their_next_launches_until_it_is_trimmed) {
  const Context context;
  constexpr cuuint64_t size = cuuint64_t{64} << 20;
  cuuint64_t zero = 0, one = 1;
  SUCCEEDS(cuDeviceGraphMemTrim(0));
  SUCCEEDS(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &zero));
  SUCCEEDS(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, &zero));
  EQUAL(0, of_graphs(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT));
  EQUAL(0, of_graphs(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT));
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  CUgraphExec executable = nullptr;
  NEEDS(cuGraphCreate(&graph, 0));
  CUDA_MEM_ALLOC_NODE_PARAMS allocation{};
  allocation.poolProps = pool_properties();
  allocation.bytesize = size;
  NEEDS(cuGraphAddMemAllocNode(&node, graph, nullptr, 0, &allocation));
  NEEDS(cuGraphInstantiate(&executable, graph, 0));
  EQUAL(0, of_graphs(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT));
  SUCCEEDS(cuGraphLaunch(executable, nullptr));
  SUCCEEDS(cuStreamSynchronize(nullptr));
  EQUAL(size, of_graphs(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT));
  EQUAL(size, of_graphs(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT));
  SUCCEEDS(cuMemFree(allocation.dptr));
  EQUAL(size, of_graphs(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT));
  EQUAL(size, of_graphs(CU_GRAPH_MEM_ATTR_USED_MEM_HIGH));
  EQUAL(size, of_graphs(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT));
  SUCCEEDS(cuDeviceGraphMemTrim(0));
  EQUAL(0, of_graphs(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT));
  EQUAL(size, of_graphs(CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &one));
  SUCCEEDS(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &zero));
  SUCCEEDS(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, &zero));
  EQUAL(0, of_graphs(CU_GRAPH_MEM_ATTR_USED_MEM_HIGH));
  EQUAL(0, of_graphs(CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH));
  ANSWERS(CUDA_ERROR_INVALID_VALUE,
          cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &zero));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGraphMemTrim(99));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE,
          cuDeviceGetGraphMemAttribute(99, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &zero));
  PROBABLY_ANSWERS(CUDA_ERROR_INVALID_VALUE,
                   cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, nullptr));
  SUCCEEDS(cuGraphExecDestroy(executable));
  SUCCEEDS(cuGraphDestroy(graph));
}

TEST(pool, mapped_memory_says_its_reserved_addresses_as_its_range) {
  const Context context;
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = device_location();
  size_t unit = 0;
  NEEDS(cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUdeviceptr reserved = 0, start = 0;
  CUmemGenericAllocationHandle memory = 0;
  size_t range = 0, mapping = 0;
  NEEDS(cuMemAddressReserve(&reserved, 8 * unit, 0, 0, 0));
  NEEDS(cuMemCreate(&memory, 2 * unit, &properties, 0));
  NEEDS(cuMemMap(reserved + unit, 2 * unit, 0, memory, 0));
  const CUdeviceptr inside = reserved + unit + 100;
  SUCCEEDS(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, inside));
  SUCCEEDS(cuPointerGetAttribute(&range, CU_POINTER_ATTRIBUTE_RANGE_SIZE, inside));
  SUCCEEDS(cuPointerGetAttribute(&mapping, CU_POINTER_ATTRIBUTE_MAPPING_SIZE, inside));
  HOLDS(start == reserved);
  EQUAL(8 * unit, range);
  EQUAL(2 * unit, mapping);
  SUCCEEDS(cuMemUnmap(reserved + unit, 2 * unit));
  SUCCEEDS(cuMemRelease(memory));
  SUCCEEDS(cuMemAddressFree(reserved, 8 * unit));
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

TEST(pool, returns_what_it_keeps_when_the_program_waits) {
  const Context context;
  CUstream const stream = make_stream();
  CUmemPoolProps properties = pool_properties();
  CUmemoryPool pool = nullptr;
  CUdeviceptr p = 0;
  cuuint64_t value = 9;
  NEEDS(cuMemPoolCreate(&pool, &properties));
  NEEDS(cuMemAllocFromPoolAsync(&p, 4096, pool, stream));
  SUCCEEDS(cuMemFreeAsync(p, stream));
  SUCCEEDS(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value));
  EQUAL(0, value);
  SUCCEEDS(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &value));
  HOLDS(value >= 4096);
  SUCCEEDS(cuStreamSynchronize(stream));
  SUCCEEDS(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &value));
  EQUAL(0, value);
  value = UINT64_MAX;
  SUCCEEDS(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value));
  NEEDS(cuMemAllocFromPoolAsync(&p, 4096, pool, stream));
  SUCCEEDS(cuMemFreeAsync(p, stream));
  SUCCEEDS(cuStreamSynchronize(stream));
  SUCCEEDS(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &value));
  HOLDS(value >= 4096);
  SUCCEEDS(cuMemPoolTrimTo(pool, 0));
  SUCCEEDS(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &value));
  EQUAL(0, value);
  SUCCEEDS(cuMemPoolDestroy(pool));
}

TEST(pool, gives_freed_memory_to_a_stream_that_waits_for_the_free) {
  const Context context;
  CUstream const first = make_stream();
  CUstream const second = make_stream();
  CUmemPoolProps properties = pool_properties();
  CUmemoryPool pool = nullptr;
  CUdeviceptr p = 0, q = 0, r = 0;
  CUevent event = nullptr;
  void* pinned = nullptr;
  cuuint64_t all = UINT64_MAX;
  NEEDS(cuMemAllocHost(&pinned, 64));
  auto* const gate = static_cast<volatile unsigned*>(pinned);
  *gate = 0;
  NEEDS(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  NEEDS(cuMemPoolCreate(&pool, &properties));
  NEEDS(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all));
  NEEDS(cuMemAllocFromPoolAsync(&p, 4096, pool, first));
  NEEDS(cuStreamSynchronize(first));
  NEEDS(cuStreamWaitValue32(first, reinterpret_cast<CUdeviceptr>(pinned), 1, CU_STREAM_WAIT_VALUE_EQ));
  SUCCEEDS(cuMemFreeAsync(p, first));
  SUCCEEDS(cuMemAllocFromPoolAsync(&q, 4096, pool, second));
  HOLDS(q != p);
  SUCCEEDS(cuStreamQuery(second));
  SUCCEEDS(cuEventRecord(event, first));
  SUCCEEDS(cuStreamWaitEvent(second, event, 0));
  SUCCEEDS(cuMemAllocFromPoolAsync(&r, 4096, pool, second));
  HOLDS(r == p);
  *gate = 1;
  SUCCEEDS(cuStreamSynchronize(second));
  SUCCEEDS(cuMemFreeAsync(q, second));
  SUCCEEDS(cuMemFreeAsync(r, second));
  SUCCEEDS(cuMemPoolDestroy(pool));
  SUCCEEDS(cuEventDestroy(event));
  SUCCEEDS(cuMemFreeHost(pinned));
}

// cuMemFree waits for nothing, so a fill that has not begun finds no memory: an error that stays.
TEST_ALONE(pool, takes_its_memory_from_a_fill_that_waits) {
  NEEDS(cuInit(0));
  const Context context;
  CUstream const stream = make_stream();
  CUdeviceptr address = 0;
  void* pinned = nullptr;
  NEEDS(cuMemAllocHost(&pinned, 64));
  auto* const gate = static_cast<volatile unsigned*>(pinned);
  *gate = 0;
  NEEDS(cuMemAllocAsync(&address, 4096, stream));
  NEEDS(cuStreamSynchronize(stream));
  NEEDS(cuStreamWaitValue32(stream, reinterpret_cast<CUdeviceptr>(pinned), 1, CU_STREAM_WAIT_VALUE_EQ));
  SUCCEEDS(cuMemsetD8Async(address, 1, 4096, stream));
  SUCCEEDS(cuMemFree(address));
  ANSWERS(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
  *gate = 1;
  ANSWERS(CUDA_ERROR_LAUNCH_FAILED, cuStreamSynchronize(stream));
  ANSWERS(CUDA_ERROR_LAUNCH_FAILED, cuCtxSynchronize());
}

TEST(pool, keeps_its_memory_when_the_context_of_the_stream_is_destroyed) {
  const Context other;
  CUdeviceptr p = 0;
  {
    const Context context;
    CUstream const stream = make_stream();
    NEEDS(cuMemAllocAsync(&p, 4096, stream));
    NEEDS(cuMemsetD8Async(p, 5, 4096, stream));
    SUCCEEDS(cuStreamSynchronize(stream));
  }
  EQUAL(5, read<unsigned char>(p));
  SUCCEEDS(cuMemFree(p));
}

TEST(pool, access_of_its_own_device_cannot_be_taken_away) {
  const Context context;
  CUmemPoolProps properties = pool_properties();
  CUmemoryPool pool = nullptr;
  CUmemAccessDesc access{};
  access.location = device_location();
  NEEDS(cuMemPoolCreate(&pool, &properties));
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuMemPoolSetAccess(pool, &access, 1));
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
  ANSWERS(CUDA_ERROR_NOT_SUPPORTED, cuMemPoolSetAccess(pool, &access, 1));
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  SUCCEEDS(cuMemPoolSetAccess(pool, &access, 1));
  access.location = device_location(99);
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuMemPoolSetAccess(pool, &access, 1));
  SUCCEEDS(cuMemPoolDestroy(pool));
}

TEST(pool, another_device_may_use_its_memory_while_it_has_access) {
  needs_two_devices();
  int can = 0;
  NEEDS(cuDeviceCanAccessPeer(&can, 1, 0));
  if (can == 0) skip("the devices are no peers");
  const Context home(0);
  CUstream const stream = make_stream();
  CUmemPoolProps properties = pool_properties();
  CUmemoryPool pool = nullptr;
  CUdeviceptr p = 0, at = 0;
  NEEDS(cuMemPoolCreate(&pool, &properties));
  NEEDS(cuMemAllocFromPoolAsync(&p, 64, pool, stream));
  SUCCEEDS(cuStreamSynchronize(stream));
  CUmemAccessDesc access{};
  access.location = device_location(1);
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
  ANSWERS(CUDA_ERROR_NOT_SUPPORTED, cuMemPoolSetAccess(pool, &access, 1));

  const Context other(1);
  const CUdeviceptr own = zeros(64);
  int word = 7;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(p, 1, 4));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(&word, p, 4));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD(own, p, 16));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&at, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, p));
  SUCCEEDS(cuMemcpyPeer(own, other, p, home, 16));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyPeer(own, other, p, other, 16));

  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  SUCCEEDS(cuMemPoolSetAccess(pool, &access, 1));
  CUmemAccess_flags flags{};
  SUCCEEDS(cuMemPoolGetAccess(&flags, pool, &access.location));
  EQUAL(CU_MEM_ACCESS_FLAGS_PROT_READWRITE, flags);
  const Module module;
  SUCCEEDS(launch(module.function("store"), {}, p, 33U));
  SUCCEEDS(cuCtxSynchronize());
  SUCCEEDS(cuMemcpyDtoH(&word, p, 4));
  EQUAL(33, word);
  SUCCEEDS(cuPointerGetAttribute(&at, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, p));
  EQUAL(p, at);

  access.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  SUCCEEDS(cuMemPoolSetAccess(pool, &access, 1));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(&word, p, 4));
  SUCCEEDS(cuMemFreeAsync(p, make_stream()));
  SUCCEEDS(cuMemPoolDestroy(pool));
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

// A file descriptor stands for memory that was created for it; whoever imports it has a handle of their own.
TEST(virtual_memory, is_exported_as_a_descriptor_and_imported) {
  const Context context;
  constexpr CUmemAllocationHandleType kFile = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  CUmemAllocationProp properties = allocation_properties();
  const std::size_t step = 2 << 20;
  CUmemGenericAllocationHandle plain = 0, shared = 0, imported = 0;
  int descriptor = -1, supported = 0;
  SUCCEEDS(
      cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 0));
  EQUAL(1, supported);
  NEEDS(cuMemCreate(&plain, step, &properties, 0));
  properties.requestedHandleTypes = kFile;
  NEEDS(cuMemCreate(&shared, step, &properties, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemExportToShareableHandle(&descriptor, plain, kFile, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemExportToShareableHandle(nullptr, shared, kFile, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemExportToShareableHandle(&descriptor, shared, kFile, 1));
  NEEDS(cuMemExportToShareableHandle(&descriptor, shared, kFile, 0));
  void* const handle = reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemImportFromShareableHandle(nullptr, handle, kFile));
  NEEDS(cuMemImportFromShareableHandle(&imported, handle, kFile));
  int again = -1;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemExportToShareableHandle(&again, imported, kFile, 0));
  EQUAL(-1, again);
  CUdeviceptr first = 0, second = 0;
  const CUmemAccessDesc access = access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  NEEDS(cuMemAddressReserve(&first, 2 * step, 0, 0, 0));
  second = first + step;
  NEEDS(cuMemMap(first, step, 0, shared, 0));
  NEEDS(cuMemMap(second, step, 0, imported, 0));
  NEEDS(cuMemSetAccess(first, 2 * step, &access, 1));
  write(first + 100, 21);
  const Module module;
  SUCCEEDS(launch(module.function("multiply"), {}, second + 100, 2U));
  EQUAL(42, read<int>(first + 100));
  // Its mapping keeps what is imported.
  close(descriptor);
  SUCCEEDS(cuMemUnmap(first, step));
  SUCCEEDS(cuMemRelease(shared));
  SUCCEEDS(cuMemRelease(imported));
  EQUAL(42, read<int>(second + 100));
  SUCCEEDS(cuMemUnmap(second, step));
  SUCCEEDS(cuMemAddressFree(first, 2 * step));
  SUCCEEDS(cuMemRelease(plain));
}

// The import takes the descriptor over. A buffer may begin at any byte, stays when the external memory is
// destroyed, and is freed by cuMemFree and by nothing else.
TEST(virtual_memory, is_imported_as_external_memory_whose_buffers_outlive_it) {
  const Context context;
  CUmemAllocationProp properties = allocation_properties();
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  const std::size_t step = 2 << 20;
  CUmemGenericAllocationHandle handle = 0;
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC file{};
  CUDA_EXTERNAL_MEMORY_BUFFER_DESC part{};
  CUexternalMemory memory = nullptr;
  CUdeviceptr whole = 0, inside = 0, other = 0;
  std::size_t size = 0;
  NEEDS(cuMemCreate(&handle, step, &properties, 0));
  NEEDS(cuMemExportToShareableHandle(&file.handle.fd, handle, properties.requestedHandleTypes, 0));
  file.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuImportExternalMemory(&memory, &file));
  file.size = step;
  NEEDS(cuImportExternalMemory(&memory, &file));
  EQUAL(-1, fcntl(file.handle.fd, F_GETFD));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuExternalMemoryGetMappedBuffer(&whole, memory, &part));
  part.size = step + 1;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuExternalMemoryGetMappedBuffer(&whole, memory, &part));
  part.size = step;
  NEEDS(cuExternalMemoryGetMappedBuffer(&whole, memory, &part));
  part.offset = 100;
  part.size = 100;
  NEEDS(cuExternalMemoryGetMappedBuffer(&inside, memory, &part));
  SUCCEEDS(cuMemGetAddressRange(&other, &size, inside));
  EQUAL(inside, other);
  EQUAL(100, size);
  write(whole + 100, 21);
  const Module module;
  SUCCEEDS(launch(module.function("multiply"), {}, inside, 2U));
  EQUAL(42, read<int>(whole + 100));
  SUCCEEDS(cuDestroyExternalMemory(memory));
  SUCCEEDS(cuMemRelease(handle));
  EQUAL(42, read<int>(inside));
  ANSWERS(CUDA_ERROR_NOT_SUPPORTED, cuMemFreeAsync(inside, nullptr));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFree(inside + 4));
  SUCCEEDS(cuMemFree(inside));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFree(inside));
  EQUAL(42, read<int>(whole + 100));
  SUCCEEDS(cuMemFree(whole));
}

TEST(virtual_memory, a_released_handle_is_good_while_the_memory_is_mapped) {
  const Context context;
  const CUmemAllocationProp properties = allocation_properties();
  const std::size_t step = 2 << 20;
  CUmemGenericAllocationHandle handle = 0;
  CUmemAllocationProp found{};
  CUdeviceptr address = 0;
  NEEDS(cuMemCreate(&handle, step, &properties, 0));
  NEEDS(cuMemAddressReserve(&address, 4 * step, 0, 0, 0));
  NEEDS(cuMemMap(address, step, 0, handle, 0));
  SUCCEEDS(cuMemRelease(handle));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemRelease(handle));
  SUCCEEDS(cuMemGetAllocationPropertiesFromHandle(&found, handle));
  SUCCEEDS(cuMemMap(address + step, step, 0, handle, 0));
  SUCCEEDS(cuMemUnmap(address + 2 * step, step));  // nothing is mapped there
  const CUmemAccessDesc access = access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  SUCCEEDS(cuMemSetAccess(address, 2 * step, &access, 1));
  write(address + 100, 77);
  EQUAL(77, read<int>(address + step + 100));
  SUCCEEDS(cuMemUnmap(address, 2 * step));
  SUCCEEDS(cuMemUnmap(address, 2 * step));  // not any more
  SUCCEEDS(cuMemAddressFree(address, 4 * step));
}

TEST(virtual_memory, without_access_an_address_has_no_range_to_use) {
  const Context context;
  const CUmemAllocationProp properties = allocation_properties();
  const std::size_t step = 2 << 20;
  CUmemGenericAllocationHandle handle = 0;
  CUdeviceptr address = 0, base = 9;
  std::size_t size = 9;
  unsigned flags = 9;
  NEEDS(cuMemCreate(&handle, step, &properties, 0));
  NEEDS(cuMemAddressReserve(&address, step, 0, 0, 0));
  ANSWERS(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &size, address));
  NEEDS(cuMemMap(address, step, 0, handle, 0));
  SUCCEEDS(cuPointerGetAttribute(&flags, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, address));
  EQUAL(CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE, flags);
  ANSWERS(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &size, address));
  EQUAL(0, base);
  EQUAL(0, size);
  const CUmemAccessDesc access = access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  NEEDS(cuMemSetAccess(address, step, &access, 1));
  SUCCEEDS(cuPointerGetAttribute(&flags, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, address));
  EQUAL(CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE, flags);
  SUCCEEDS(cuMemGetAddressRange(&base, &size, address + 100));
  HOLDS(base == address);
  EQUAL(step, size);
  SUCCEEDS(cuMemUnmap(address, step));
  SUCCEEDS(cuMemRelease(handle));
  SUCCEEDS(cuMemAddressFree(address, step));
}

TEST(virtual_memory, kernels_use_whatever_is_mapped_at_an_address_now) {
  const Context context;
  const std::size_t step = 2 << 20;
  const CUmemAccessDesc access = access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  const Module module;
  CUdeviceptr address = 0;
  NEEDS(cuMemAddressReserve(&address, step, 0, 0, 0));
  for (const CUmemAllocationHandleType type :
       {CU_MEM_HANDLE_TYPE_NONE, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, CU_MEM_HANDLE_TYPE_NONE}) {
    CUmemAllocationProp properties = allocation_properties();
    CUmemGenericAllocationHandle handle = 0;
    properties.requestedHandleTypes = type;
    NEEDS(cuMemCreate(&handle, step, &properties, 0));
    NEEDS(cuMemMap(address, step, 0, handle, 0));
    SUCCEEDS(cuMemRelease(handle));
    NEEDS(cuMemSetAccess(address, step, &access, 1));
    write(address, 21);
    SUCCEEDS(launch(module.function("multiply"), {}, address, 2U));
    SUCCEEDS(cuCtxSynchronize());
    EQUAL(42, read<int>(address));
    SUCCEEDS(cuMemUnmap(address, step));
  }
  SUCCEEDS(cuMemAddressFree(address, step));
}

#if CUDA_VERSION >= 13000
TEST(pool, is_there_for_every_place_and_kind_of_memory) {
  const Context context;
  struct Case {
    CUmemLocationType type;
    int id;
    CUresult pinned, managed;
  };
  constexpr CUresult fine = CUDA_SUCCESS, wrong = CUDA_ERROR_INVALID_VALUE, never = CUDA_ERROR_NOT_SUPPORTED;
  for (const Case& each :
       {Case{CU_MEM_LOCATION_TYPE_INVALID, -1, wrong, fine}, Case{CU_MEM_LOCATION_TYPE_DEVICE, 0, fine, fine},
        Case{CU_MEM_LOCATION_TYPE_HOST, 0, fine, fine}, Case{CU_MEM_LOCATION_TYPE_HOST, 7, fine, fine},
        Case{CU_MEM_LOCATION_TYPE_HOST_NUMA, 0, fine, fine},
        Case{CU_MEM_LOCATION_TYPE_DEVICE, 99, wrong, wrong},
        Case{CU_MEM_LOCATION_TYPE_HOST_NUMA, 99, wrong, wrong},
        Case{CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 0, never, never}}) {
    CUmemLocation place{};
    place.type = each.type;
    place.id = each.id;
    for (const CUmemAllocationType type : {CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_ALLOCATION_TYPE_MANAGED}) {
      const CUresult expected = type == CU_MEM_ALLOCATION_TYPE_PINNED ? each.pinned : each.managed;
      CUmemoryPool current_one = nullptr, usual = nullptr;
      ANSWERS(expected, cuMemGetMemPool(&current_one, &place, type));
      ANSWERS(expected, cuMemGetDefaultMemPool(&usual, &place, type));
      HOLDS(current_one == usual && (current_one != nullptr) == (expected == fine));
    }
    CUmemoryPool none = nullptr;
    ANSWERS(each.type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT ? never : wrong,
            cuMemGetMemPool(&none, &place, CU_MEM_ALLOCATION_TYPE_INVALID));
  }
}

TEST(pool, of_the_host_and_of_managed_memory_gives_memory) {
  const Context context;
  CUstream const stream = make_stream();
  CUmemLocation place{};
  CUmemoryPool device_pool = nullptr;
  NEEDS(cuDeviceGetDefaultMemPool(&device_pool, 0));
  for (const bool managed : {false, true}) {
    place.type = managed ? CU_MEM_LOCATION_TYPE_DEVICE : CU_MEM_LOCATION_TYPE_HOST;
    const CUmemAllocationType type = managed ? CU_MEM_ALLOCATION_TYPE_MANAGED : CU_MEM_ALLOCATION_TYPE_PINNED;
    CUmemoryPool pool = nullptr, found = nullptr;
    NEEDS(cuMemGetMemPool(&pool, &place, type));
    HOLDS(pool != device_pool);
    CUdeviceptr address = 0;
    NEEDS(cuMemAllocFromPoolAsync(&address, 4096, pool, stream));
    SUCCEEDS(cuStreamSynchronize(stream));
    *reinterpret_cast<int*>(address) = 42;
    EQUAL(42, *reinterpret_cast<const int*>(address));
    unsigned memory_type = 0, is_managed = 99;
    CUcontext owner = context;
    SUCCEEDS(cuPointerGetAttribute(&memory_type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address));
    EQUAL(managed ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST, memory_type);
    SUCCEEDS(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address));
    EQUAL(managed ? 1 : 0, is_managed);
    SUCCEEDS(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, address));
    HOLDS(owner == nullptr);
    SUCCEEDS(cuPointerGetAttribute(&found, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, address));
    HOLDS(found == pool);
    SUCCEEDS(cuMemFreeAsync(address, stream));
    SUCCEEDS(cuStreamSynchronize(stream));
    SUCCEEDS(cuMemSetMemPool(&place, type, pool));
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemSetMemPool(&place, type, device_pool));
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemPoolDestroy(pool));
    CUmemPoolProps properties{};
    properties.allocType = type;
    properties.location = place;
    SUCCEEDS(cuMemPoolCreate(&found, &properties));
    SUCCEEDS(cuMemPoolDestroy(found));
  }
}
#endif

}  // namespace
}  // namespace conformance
