// SPDX-License-Identifier: MIT
// Memory: allocating and freeing, ranges, one-dimensional copies and fills, host memory, attributes of
// addresses. Must not depend on kernels.
#include <sys/mman.h>

#include <cstdlib>
#include <memory>
#include <thread>

#include "support.hpp"

namespace conformance {
namespace {

TEST(memory, allocations_are_aligned_apart_and_freed_once) {
  const Context context;
  CUdeviceptr previous = 0;
  std::vector<CUdeviceptr> made;
  for (const std::size_t size : {1, 4, 100, 512, 513, 4096, 1 << 20, 5 << 20}) {
    const CUdeviceptr address = allocate(size);
    EQUAL(0, address % 256);
    HOLDS(address != previous);
    previous = address;
    made.push_back(address);
  }
  for (const CUdeviceptr address : made) SUCCEEDS(cuMemFree(address));
  for (const CUdeviceptr address : made) ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFree(address));
}

TEST(memory, bad_sizes_and_bad_addresses_are_refused) {
  const Context context;
  CUdeviceptr address = 0;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&address, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(nullptr, 16));
  ANSWERS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&address, 1ULL << 50));
  ANSWERS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&address, ~std::size_t{0}));
  SUCCEEDS(cuMemFree(0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFree(0x1000));
  const CUdeviceptr good = allocate(64);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFree(good + 8));
  SUCCEEDS(cuMemFree(good));
}

TEST(memory, being_out_of_memory_is_no_lasting_error) {
  const Context context;
  std::size_t free = 0, total = 0;
  NEEDS(cuMemGetInfo(&free, &total));
  CUdeviceptr address = 0;
  ANSWERS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&address, total + 1));
  address = zeros(1024);
  EQUAL(0, read<int>(address));
  SUCCEEDS(cuCtxSynchronize());
}

TEST(memory, what_is_free_shrinks_and_grows) {
  const Context context;
  std::size_t before = 0, during = 0, after = 0, total = 0;
  NEEDS(cuMemGetInfo(&before, &total));
  const CUdeviceptr address = allocate(64 << 20);
  NEEDS(cuMemGetInfo(&during, &total));
  NEEDS(cuMemFree(address));
  NEEDS(cuMemGetInfo(&after, &total));
  HOLDS(before - during >= (64U << 20));
  HOLDS(after > during);
  SUCCEEDS(cuMemGetInfo(nullptr, &total));
}

TEST(memory, a_range_is_found_from_any_byte_in_it) {
  const Context context;
  const CUdeviceptr address = allocate(1000);
  CUdeviceptr base = 0;
  std::size_t size = 0;
  for (const CUdeviceptr offset : {0, 1, 500, 999}) {
    base = 0;
    size = 0;
    SUCCEEDS(cuMemGetAddressRange(&base, &size, address + offset));
    EQUAL(true, base == address);
    EQUAL(1000, size);
  }
  SUCCEEDS(cuMemGetAddressRange(&base, nullptr, address));
  SUCCEEDS(cuMemGetAddressRange(nullptr, &size, address));
  ANSWERS(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &size, address + 1000));
  ANSWERS(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &size, 0x1000));
}

TEST(memory, copies_stay_within_their_allocation) {
  const Context context;
  const CUdeviceptr p = zeros(1000), q = zeros(1000);
  std::vector<char> host(4096);
  SUCCEEDS(cuMemcpyHtoD(p, host.data(), 1000));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(p, host.data(), 1001));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(p + 500, host.data(), 501));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(p, nullptr, 10));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(0, host.data(), 10));
  SUCCEEDS(cuMemcpyHtoD(p, host.data(), 0));
  SUCCEEDS(cuMemcpyDtoH(host.data(), p + 999, 1));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(host.data(), p + 999, 2));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(nullptr, p, 10));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(host.data(), 0xdeadbeef000, 10));
  SUCCEEDS(cuMemcpyDtoD(q, p, 1000));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD(q, p, 1001));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD(q + 1, p, 1000));
}

TEST(memory, bytes_come_back_as_they_went) {
  const Context context;
  for (const std::size_t size : {std::size_t{1}, std::size_t{3}, std::size_t{4096}, std::size_t{3} << 20}) {
    std::vector<unsigned char> there(size), back(size);
    for (std::size_t at = 0; at < size; ++at) there[at] = static_cast<unsigned char>(at * 31 + size);
    const CUdeviceptr p = allocate(size), q = allocate(size);
    SUCCEEDS(cuMemcpyHtoD(p, there.data(), size));
    SUCCEEDS(cuMemcpyDtoD(q, p, size));
    SUCCEEDS(cuMemcpyDtoH(back.data(), q, size));
    HOLDS(there == back);
  }
}

TEST(memory, the_generic_copy_finds_out_where_the_bytes_are) {
  const Context context;
  const CUdeviceptr p = allocate(64), q = allocate(64);
  std::array<unsigned char, 64> there{}, back{};
  there.fill(9);
  SUCCEEDS(cuMemcpy(p, reinterpret_cast<CUdeviceptr>(there.data()), 64));
  SUCCEEDS(cuMemcpy(q, p, 64));
  SUCCEEDS(cuMemcpy(reinterpret_cast<CUdeviceptr>(back.data()), q, 64));
  HOLDS(there == back);
}

TEST(memory, fills_count_elements_and_want_alignment) {
  const Context context;
  const CUdeviceptr p = zeros(1000);
  SUCCEEDS(cuMemsetD8(p, 0xab, 1000));
  EQUAL(0xabababab, read<unsigned>(p + 996));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(p, 1, 1001));
  SUCCEEDS(cuMemsetD16(p + 2, 0x1234, 2));
  EQUAL(0x1234abab, read<unsigned>(p));
  EQUAL(0xabab1234, read<unsigned>(p + 4));
  SUCCEEDS(cuMemsetD32(p, 0x01020304, 250));
  EQUAL(0x01020304, read<unsigned>(p + 996));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(p, 1, 251));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(p + 1, 1, 10));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemsetD16(p + 1, 1, 10));
  ANSWERS(CUDA_SUCCESS, cuMemsetD8(p, 1, 0));
}

TEST(memory, another_context_of_the_device_reaches_it) {
  const Context a;
  const CUdeviceptr p = zeros(4096);
  NEEDS(cuMemsetD32(p, 11, 1024));
  const Context b;
  EQUAL(11, read<int>(p));
  SUCCEEDS(cuMemsetD32(p, 12, 1024));
  const CUdeviceptr q = allocate(4096);
  SUCCEEDS(cuMemcpyDtoD(q, p, 4096));
  EQUAL(12, read<int>(q));
  CUcontext owner = nullptr;
  SUCCEEDS(cuPointerGetAttribute(static_cast<void*>(&owner), CU_POINTER_ATTRIBUTE_CONTEXT, p));
  HOLDS(owner == a);
  SUCCEEDS(cuPointerGetAttribute(static_cast<void*>(&owner), CU_POINTER_ATTRIBUTE_CONTEXT, q));
  HOLDS(owner == b);
  SUCCEEDS(cuMemFree(p));
}

TEST(memory, a_context_takes_its_memory_along) {
  Context a;
  const CUdeviceptr p = allocate(64 << 20);
  const Context b;
  std::size_t before = 0, after = 0, total = 0;
  NEEDS(cuMemGetInfo(&before, &total));
  a.destroy();
  NEEDS(cuMemGetInfo(&after, &total));
  HOLDS(after - before >= (64U << 20));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(p, 0, 16));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFree(p));
}

TEST(memory, devices_have_addresses_of_their_own_and_copies_cross) {
  needs_two_devices();
  const Context a(0);
  const CUdeviceptr p = zeros(4096);
  NEEDS(cuMemsetD32(p, 11, 1024));
  const Context b(1);
  const CUdeviceptr q = zeros(4096);
  HOLDS(p != q);
  EQUAL(11, read<int>(p));
  SUCCEEDS(cuMemcpyDtoD(q, p, 4096));
  EQUAL(11, read<int>(q));
  // Copies cross; filling is the work of a device, which does not reach the other's memory.
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(p, 12, 1024));
  SUCCEEDS(cuMemsetD32(q, 0, 1024));
  SUCCEEDS(cuMemcpyPeer(q, b, p, a, 4096));
  EQUAL(11, read<int>(q + 4092));
  int ordinal = 9;
  SUCCEEDS(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p));
  EQUAL(0, ordinal);
  SUCCEEDS(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, q));
  EQUAL(1, ordinal);
}

TEST(memory, rows_have_a_pitch) {
  const Context context;
  CUdeviceptr address = 0;
  std::size_t pitch = 0;
  SUCCEEDS(cuMemAllocPitch(&address, &pitch, 100, 10, 4));
  HOLDS(pitch >= 100 && pitch % 4 == 0);
  SUCCEEDS(cuMemsetD8(address, 1, pitch * 9 + 100));
  SUCCEEDS(cuMemFree(address));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&address, &pitch, 100, 10, 3));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&address, &pitch, 0, 10, 4));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&address, &pitch, 100, 0, 4));
}

TEST(host_memory, is_page_locked_visible_and_freed_once) {
  const Context context;
  void* host = nullptr;
  CUdeviceptr device = 0;
  unsigned flags = 99;
  SUCCEEDS(cuMemAllocHost(&host, 100));
  SUCCEEDS(cuMemHostGetDevicePointer(&device, host, 0));
  EQUAL(true, device == reinterpret_cast<CUdeviceptr>(host));
  SUCCEEDS(cuMemHostGetFlags(&flags, host));
  EQUAL(CU_MEMHOSTALLOC_DEVICEMAP, flags);
  static_cast<char*>(host)[99] = 7;
  EQUAL(7, read<char>(device + 99));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(static_cast<char*>(host) + 1));
  SUCCEEDS(cuMemFreeHost(host));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(host));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAllocHost(nullptr, 100));
  SUCCEEDS(cuMemAllocHost(&host, 0));
}

TEST(host_memory, remembers_its_flags) {
  const Context context;
  for (const unsigned asked : {0U, 1U, 2U, 4U, 7U}) {
    void* host = nullptr;
    unsigned flags = 99;
    SUCCEEDS(cuMemHostAlloc(&host, 100, asked));
    SUCCEEDS(cuMemHostGetFlags(&flags, host));
    EQUAL(asked | CU_MEMHOSTALLOC_DEVICEMAP, flags);
    SUCCEEDS(cuMemFreeHost(host));
  }
  void* host = nullptr;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemHostAlloc(&host, 100, 8));
}

TEST(host_memory, that_is_registered_is_used_by_kernels) {
  const Context context;
  const Module module;
  // At an address that no system gives by itself, since the process that runs the kernels may have something
  // of its own at any other: a sanitizer puts heaps to the same place in every process, and chance does so
  // seldom.
  void* const pages = mmap(reinterpret_cast<void*>(0x3100'0000'0000), 8192, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  HOLDS(pages != MAP_FAILED);
  auto* const words = static_cast<unsigned*>(pages);
  words[0] = 4;
  words[2047] = 1;
  NEEDS(cuMemHostRegister(words, 8192, CU_MEMHOSTREGISTER_DEVICEMAP));
  CUdeviceptr device = 0;
  NEEDS(cuMemHostGetDevicePointer(&device, words, 0));
  SUCCEEDS(launch(module.function("add"), {}, device, 38U));
  SUCCEEDS(launch(module.function("add"), {}, device + 8188, 1U));
  SUCCEEDS(cuCtxSynchronize());
  EQUAL(42U, words[0]);
  EQUAL(2U, words[2047]);
  SUCCEEDS(cuMemHostUnregister(words));
  munmap(pages, 8192);
}

TEST(host_memory, can_be_registered_once) {
  const Context context;
  const std::unique_ptr<void, decltype(&std::free)> pages(std::aligned_alloc(4096, 8192), &std::free);
  auto* const bytes = static_cast<char*>(pages.get());
  unsigned flags = 99;
  SUCCEEDS(cuMemHostRegister(bytes, 8192, 0));
  ANSWERS(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(bytes, 8192, 0));
  ANSWERS(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(bytes + 4096, 4096, 0));
  SUCCEEDS(cuMemHostGetFlags(&flags, bytes));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(bytes));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemHostUnregister(bytes + 8));
  SUCCEEDS(cuMemHostUnregister(bytes));
  ANSWERS(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(bytes));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister(nullptr, 16, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister(bytes, 0, 0));
}

TEST(pointer, attributes_say_whose_and_what_kind) {
  const Context context;
  const CUdeviceptr device = allocate(64);
  void* host = nullptr;
  NEEDS(cuMemAllocHost(&host, 64));
  CUmemorytype kind{};
  CUcontext owner = nullptr;
  int number = 9;
  CUdeviceptr start = 0;
  std::size_t size = 0;
  SUCCEEDS(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device));
  EQUAL(CU_MEMORYTYPE_DEVICE, kind);
  SUCCEEDS(
      cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(host)));
  EQUAL(CU_MEMORYTYPE_HOST, kind);
  SUCCEEDS(cuPointerGetAttribute(static_cast<void*>(&owner), CU_POINTER_ATTRIBUTE_CONTEXT, device));
  HOLDS(owner == context);
  SUCCEEDS(cuPointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, device));
  EQUAL(0, number);
  SUCCEEDS(cuPointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_IS_MANAGED, device));
  EQUAL(0, number);
  SUCCEEDS(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, device + 10));
  EQUAL(true, start == device);
  SUCCEEDS(cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, device + 10));
  EQUAL(64, size);
  void* back = nullptr;
  SUCCEEDS(cuPointerGetAttribute(static_cast<void*>(&back), CU_POINTER_ATTRIBUTE_HOST_POINTER,
                                 reinterpret_cast<CUdeviceptr>(host)));
  EQUAL(true, back == host);
}

TEST(pointer, ids_are_never_used_twice) {
  const Context context;
  unsigned long long first = 0, second = 0;
  CUdeviceptr address = allocate(1 << 20);
  SUCCEEDS(cuPointerGetAttribute(&first, CU_POINTER_ATTRIBUTE_BUFFER_ID, address));
  SUCCEEDS(cuMemFree(address));
  address = allocate(1 << 20);
  SUCCEEDS(cuPointerGetAttribute(&second, CU_POINTER_ATTRIBUTE_BUFFER_ID, address));
  HOLDS(first != second);
}

TEST(pointer, what_nobody_allocated_has_no_attributes) {
  const Context context;
  int host = 0, number = 77;
  unsigned kind = 99;
  const auto unknown = reinterpret_cast<CUdeviceptr>(&host);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, unknown));
  CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
  void* into[] = {&number, &kind};
  SUCCEEDS(cuPointerGetAttributes(2, which, into, unknown));
  EQUAL(-2, number);
  EQUAL(0, kind);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttributes(0, which, into, unknown));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttributes(1, nullptr, into, unknown));
  ANSWERS(CUDA_ERROR_INVALID_VALUE,
          cuPointerGetAttribute(nullptr, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, allocate(16)));
  ANSWERS(CUDA_ERROR_INVALID_VALUE,
          cuPointerGetAttribute(&kind, made_up<CUpointer_attribute>(999), allocate(16)));
}

TEST(managed, the_host_and_copies_see_the_same_bytes) {
  const Context context;
  CUdeviceptr address = 0;
  SUCCEEDS(cuMemAllocManaged(&address, 4096, CU_MEM_ATTACH_GLOBAL));
  auto* const words = reinterpret_cast<int*>(address);
  words[3] = 42;
  EQUAL(42, read<int>(address + 12));
  SUCCEEDS(cuMemsetD32(address, 7, 1024));
  SUCCEEDS(cuCtxSynchronize());
  EQUAL(7, words[1023]);
  int managed = 0;
  SUCCEEDS(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address));
  EQUAL(1, managed);
  SUCCEEDS(cuMemFree(address));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(&address, 0, CU_MEM_ATTACH_GLOBAL));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(&address, 16, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(&address, 16, 77));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(nullptr, 16, CU_MEM_ATTACH_GLOBAL));
}

TEST(managed, a_kernel_writes_what_the_host_reads) {
  const Context context;
  const Module module;
  CUdeviceptr address = 0;
  NEEDS(cuMemAllocManaged(&address, 4096, CU_MEM_ATTACH_GLOBAL));
  auto* const words = reinterpret_cast<unsigned*>(address);
  words[0] = 20;
  SUCCEEDS(launch(module.function("add"), {}, address, 3U));
  SUCCEEDS(cuCtxSynchronize());
  EQUAL(23, words[0]);
  SUCCEEDS(launch(module.function("fill"), {.blocks = 8, .threads = 128}, address, 5U, 1024U));
  SUCCEEDS(cuCtxSynchronize());
  EQUAL(5, words[1023]);
}

TEST(managed, advice_and_ranges_can_be_asked_again) {
  const Context context;
  CUdeviceptr address = 0;
  NEEDS(cuMemAllocManaged(&address, 1 << 21, CU_MEM_ATTACH_GLOBAL));
  CUmemLocation location{};
  location.type = CU_MEM_LOCATION_TYPE_DEVICE;
#if CUDA_VERSION >= 13000
  SUCCEEDS(cuMemAdvise(address, 1 << 21, CU_MEM_ADVISE_SET_READ_MOSTLY, location));
#else
  SUCCEEDS(cuMemAdvise(address, 1 << 21, CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
#endif
  int mostly = 9;
  SUCCEEDS(
      cuMemRangeGetAttribute(&mostly, sizeof mostly, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, address, 1 << 21));
  EQUAL(1, mostly);
#if CUDA_VERSION >= 13000
  SUCCEEDS(cuMemPrefetchAsync(address, 1 << 21, location, 0, nullptr));
#else
  SUCCEEDS(cuMemPrefetchAsync(address, 1 << 21, 0, nullptr));
#endif
  SUCCEEDS(cuCtxSynchronize());
}

#if CUDA_VERSION >= 13000
TEST(managed, advice_and_prefetch_are_for_a_part) {
  const Context context;
  constexpr std::size_t size = 1 << 22, half = size / 2;
  const CUmemLocation device{CU_MEM_LOCATION_TYPE_DEVICE, 0}, host{CU_MEM_LOCATION_TYPE_HOST, 0};
  CUdeviceptr address = 0;
  NEEDS(cuMemAllocManaged(&address, size, CU_MEM_ATTACH_GLOBAL));
  const auto of = [&](CUmem_range_attribute what, std::size_t from, std::size_t bytes) {
    int value = 99;
    SUCCEEDS(cuMemRangeGetAttribute(&value, sizeof value, what, address + from, bytes));
    return value;
  };
  SUCCEEDS(cuMemAdvise(address, half, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
  EQUAL(1, of(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 0, half));
  EQUAL(0, of(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, half, half));
  EQUAL(0, of(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 0, size));
  SUCCEEDS(cuMemPrefetchAsync(address, half, device, 0, nullptr));
  SUCCEEDS(cuMemPrefetchAsync(address + half, half, host, 0, nullptr));
  SUCCEEDS(cuCtxSynchronize());
  EQUAL(0, of(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 0, half));
  EQUAL(CU_DEVICE_CPU, of(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, half + 5, 1));
  EQUAL(CU_DEVICE_INVALID, of(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 0, size));
  // A place that there is not: the two functions return different errors.
  const CUmemLocation none{CU_MEM_LOCATION_TYPE_DEVICE, CU_DEVICE_CPU};
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuMemPrefetchAsync(address, size, none, 0, nullptr));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAdvise(address, size, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, none));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAdvise(address, size, CU_MEM_ADVISE_SET_ACCESSED_BY, none));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAdvise(allocate(64), 64, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
  SUCCEEDS(cuMemFree(address));
}

TEST(managed, ranges_are_prefetched_and_discarded_together) {
  const Context context;
  CUstream const stream = make_stream();
  constexpr std::size_t size = 1 << 21;
  CUdeviceptr ranges[2] = {};
  for (CUdeviceptr& range : ranges) NEEDS(cuMemAllocManaged(&range, size, CU_MEM_ATTACH_GLOBAL));
  std::size_t sizes[] = {size, size}, first_ranges[] = {0, 1};
  CUmemLocation places[2]{};
  places[0].type = CU_MEM_LOCATION_TYPE_DEVICE;
  places[1].type = CU_MEM_LOCATION_TYPE_HOST;
  const auto last_place = [&](int range) {
    int place = 99;
    SUCCEEDS(cuMemRangeGetAttribute(&place, sizeof place, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION,
                                    ranges[range], size));
    return place;
  };
  SUCCEEDS(cuMemPrefetchBatchAsync(ranges, sizes, 2, places, first_ranges, 2, 0, stream));
  SUCCEEDS(cuStreamSynchronize(stream));
  EQUAL(0, last_place(0));
  EQUAL(CU_DEVICE_CPU, last_place(1));
  SUCCEEDS(cuMemDiscardAndPrefetchBatchAsync(ranges, sizes, 2, places, first_ranges, 1, 0, stream));
  SUCCEEDS(cuMemDiscardBatchAsync(ranges, sizes, 2, 0, stream));
  // What is written after that is there.
  SUCCEEDS(cuMemsetD8Async(ranges[0], 9, size, stream));
  SUCCEEDS(cuStreamSynchronize(stream));
  EQUAL(0, last_place(1));
  EQUAL(9, *reinterpret_cast<unsigned char*>(ranges[0]));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemDiscardBatchAsync(ranges, sizes, 2, 1, stream));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemDiscardBatchAsync(nullptr, sizes, 2, 0, stream));
}
#endif

TEST(managed, is_attached_to_a_stream_and_freed_with_its_context) {
  CUdeviceptr address = 0;
  int is_managed = 99;
  {
    const Context context;
    CUstream const stream = make_stream();
    NEEDS(cuMemAllocManaged(&address, 8192, CU_MEM_ATTACH_HOST));
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuStreamAttachMemAsync(nullptr, address, 0, CU_MEM_ATTACH_SINGLE));
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuStreamAttachMemAsync(stream, address, 4096, CU_MEM_ATTACH_SINGLE));
    ANSWERS(CUDA_ERROR_INVALID_VALUE,
            cuStreamAttachMemAsync(stream, address + 4096, 0, CU_MEM_ATTACH_SINGLE));
    SUCCEEDS(cuStreamAttachMemAsync(stream, address, 0, CU_MEM_ATTACH_SINGLE));
    SUCCEEDS(cuStreamSynchronize(stream));
    SUCCEEDS(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address));
    EQUAL(1, is_managed);
  }
  const Context other;
  ANSWERS(CUDA_ERROR_INVALID_VALUE,
          cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address));
}

TEST(managed, attaching_waits_for_its_stream_and_needs_managed_memory) {
  const Context context;
  CUstream const stream = make_stream();
  CUdeviceptr address = 0;
  void* pinned = nullptr;
  NEEDS(cuMemAllocManaged(&address, 8192, CU_MEM_ATTACH_HOST));
  SUCCEEDS(cuMemAllocHost(&pinned, 64));
  const auto pinned_address = reinterpret_cast<CUdeviceptr>(pinned);
  volatile unsigned* const gate = static_cast<unsigned*>(pinned);
  *gate = 0;
  SUCCEEDS(cuStreamWaitValue32(stream, pinned_address, 1, CU_STREAM_WAIT_VALUE_EQ));
  SUCCEEDS(cuStreamAttachMemAsync(stream, address, 0, CU_MEM_ATTACH_SINGLE));
  ANSWERS(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
  *gate = 1;
  SUCCEEDS(cuStreamSynchronize(stream));
  const unsigned both = CU_MEM_ATTACH_GLOBAL | CU_MEM_ATTACH_HOST;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuStreamAttachMemAsync(stream, address, 0, both));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuStreamAttachMemAsync(stream, address, 0, 8));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuStreamAttachMemAsync(stream, allocate(64), 0, CU_MEM_ATTACH_SINGLE));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuStreamAttachMemAsync(stream, pinned_address, 0, CU_MEM_ATTACH_SINGLE));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuStreamAttachMemAsync(stream, 0, 0, CU_MEM_ATTACH_SINGLE));
  SUCCEEDS(cuMemFree(address));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuStreamAttachMemAsync(stream, address, 0, CU_MEM_ATTACH_SINGLE));
  SUCCEEDS(cuMemFreeHost(pinned));
}

// Without _v2 the functions take the number of a device, and -1 is the host.
TEST(managed, the_functions_without_v2_return_101_for_a_device_that_is_not_there) {
  const Context context;
  constexpr std::size_t size = 1 << 21;
  CUdeviceptr address = 0;
  NEEDS(cuMemAllocManaged(&address, size, CU_MEM_ATTACH_GLOBAL));
  void *advise_entry = nullptr, *prefetch_entry = nullptr;
  CUdriverProcAddressQueryResult status{};
  NEEDS(cuGetProcAddress("cuMemAdvise", &advise_entry, 8000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  NEEDS(cuGetProcAddress("cuMemPrefetchAsync", &prefetch_entry, 8000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  const auto advise =
      reinterpret_cast<CUresult (*)(CUdeviceptr, std::size_t, CUmem_advise, CUdevice)>(advise_entry);
  const auto prefetch =
      reinterpret_cast<CUresult (*)(CUdeviceptr, std::size_t, CUdevice, CUstream)>(prefetch_entry);
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, advise(address, size, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 99));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, advise(address, size, CU_MEM_ADVISE_SET_ACCESSED_BY, 99));
  SUCCEEDS(advise(address, size, CU_MEM_ADVISE_SET_READ_MOSTLY, 99));
  SUCCEEDS(advise(address, size, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, CU_DEVICE_CPU));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, prefetch(address, size, 99, nullptr));
  SUCCEEDS(prefetch(address, size, CU_DEVICE_CPU, nullptr));
  SUCCEEDS(cuCtxSynchronize());
  SUCCEEDS(cuMemFree(address));
}

TEST(managed, a_variable_of_a_module_is_the_hosts_too) {
  const Context context;
  const Module module;
  auto* const counter = reinterpret_cast<unsigned*>(module.global("shared_counter"));
  EQUAL(7, *counter);
  *counter = 100;
  SUCCEEDS(launch(module.function("bump"), {.threads = 4}));
  SUCCEEDS(cuCtxSynchronize());
  EQUAL(104, *counter);
  EQUAL(9, read<unsigned>(module.global("counter")));
}

TEST(memory, of_a_stream_has_no_context_and_that_of_everybody_no_pool) {
  const Context context;
  CUdeviceptr ordered = 0;
  SUCCEEDS(cuMemAllocAsync(&ordered, 4096, nullptr));
  CUcontext owner = context;
  CUmemoryPool pool = nullptr;
  SUCCEEDS(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, ordered));
  HOLDS(owner == nullptr);
  SUCCEEDS(cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, ordered));
  HOLDS(pool != nullptr);
  const CUdeviceptr plain = allocate(4096);
  SUCCEEDS(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, plain));
  HOLDS(owner == static_cast<CUcontext>(context));
  SUCCEEDS(cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, plain));
  HOLDS(pool == nullptr);
}

TEST(memory, of_a_modules_variable_is_known_and_not_to_be_freed) {
  const Context context;
  const Module module(
      ".version 7.0\n.target sm_70\n.address_size 64\n.visible .global .align 4 .b8 plain[4096];\n"
      ".visible .const .align 4 .b8 constant[64];\n.visible .entry k() { ret; }\n");
  for (const char* const name : {"plain", "constant"}) {
    const CUdeviceptr address = module.global(name);
    const std::size_t size = std::strcmp(name, "plain") == 0 ? 4096 : 64;
    CUdeviceptr base = 0;
    std::size_t found = 0;
    unsigned type = 0;
    int lent = 99;
    CUipcMemHandle handle{};
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFree(address));
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFree(address + 4));
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(address, nullptr));
    SUCCEEDS(cuMemGetAddressRange(&base, &found, address + 4));
    HOLDS(base == address);
    EQUAL(size, found);
    SUCCEEDS(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address));
    EQUAL(CU_MEMORYTYPE_DEVICE, type);
    SUCCEEDS(cuPointerGetAttribute(&lent, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, address));
    EQUAL(0, lent);
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(&handle, address));
    SUCCEEDS(cuMemsetD8(address, 0, 16));
  }
}

TEST(memory, of_any_kind_can_be_told_to_be_synchronised) {
  const Context context;
  CUdeviceptr managed = 0, ordered = 0;
  void* pinned = nullptr;
  SUCCEEDS(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
  SUCCEEDS(cuMemAllocAsync(&ordered, 4096, nullptr));
  SUCCEEDS(cuMemAllocHost(&pinned, 4096));
  const unsigned yes = 1;
  for (const CUdeviceptr address : {managed, ordered, reinterpret_cast<CUdeviceptr>(pinned)}) {
    unsigned found = 0;
    SUCCEEDS(cuPointerSetAttribute(&yes, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, address));
    SUCCEEDS(cuPointerGetAttribute(&found, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, address));
    EQUAL(1, found);
  }
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuPointerSetAttribute(&yes, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, 0x1234));
}

TEST(memory, is_mapped_as_a_whole_or_not_at_all) {
  const Context context;
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  std::size_t unit = 0;
  NEEDS(cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUmemGenericAllocationHandle handle = 0;
  CUdeviceptr address = 0;
  NEEDS(cuMemCreate(&handle, 2 * unit, &properties, 0));
  NEEDS(cuMemAddressReserve(&address, 4 * unit, 0, 0, 0));
  for (const std::size_t size : {unit / 2, unit, unit + unit / 2, 3 * unit, std::size_t{1}}) {
    ANSWERS(CUDA_ERROR_NOT_SUPPORTED, cuMemMap(address, size, 0, handle, 0));
  }
  for (const std::size_t offset : {unit / 2, unit, 4 * unit}) {
    ANSWERS(CUDA_ERROR_NOT_SUPPORTED, cuMemMap(address, unit, offset, handle, 0));
  }
  ANSWERS(CUDA_ERROR_NOT_SUPPORTED, cuMemMap(address + unit / 2, unit / 2, 0, handle, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemMap(address + unit / 2, 2 * unit, 0, handle, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemMap(address, 0, 0, handle, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemMap(address, 2 * unit, 0, handle, 1));
  SUCCEEDS(cuMemMap(address, 2 * unit, 0, handle, 0));
  CUcontext owner = context;
  CUmemAccessDesc access{};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(address, unit / 2, &access, 1));
  SUCCEEDS(cuMemSetAccess(address, 2 * unit, &access, 1));
  unsigned type = 0;
  SUCCEEDS(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, address));
  HOLDS(owner == nullptr);
  SUCCEEDS(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address));
  EQUAL(CU_MEMORYTYPE_DEVICE, type);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(address, unit / 2));
  SUCCEEDS(cuMemUnmap(address, 2 * unit));
  SUCCEEDS(cuMemRelease(handle));
  SUCCEEDS(cuMemAddressFree(address, 4 * unit));
}

TEST(memory, between_contexts_that_are_not_named_is_the_current_ones) {
  const Context context;
  const CUdeviceptr to = zeros(64), from = zeros(64);
  write(from, 42);
  SUCCEEDS(cuMemcpyPeer(to, nullptr, from, nullptr, 4));
  EQUAL(42, read<int>(to));
  SUCCEEDS(cuMemcpyPeer(to, context, from, nullptr, 4));
  SUCCEEDS(cuMemcpyPeer(to, nullptr, from, context, 4));
  SUCCEEDS(cuMemcpyPeerAsync(to, nullptr, from, nullptr, 4, nullptr));
  CUDA_MEMCPY3D_PEER shape{};
  shape.srcMemoryType = shape.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  shape.srcDevice = from;
  shape.dstDevice = to;
  shape.WidthInBytes = 16;
  shape.Height = shape.Depth = 1;
  SUCCEEDS(cuMemcpy3DPeer(&shape));
  SUCCEEDS(cuMemcpy3DPeerAsync(&shape, nullptr));
  std::thread([&] {
    ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuMemcpyPeer(to, context, from, context, 4));
    ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuMemcpyPeer(to, nullptr, from, nullptr, 4));
  }).join();
}

}  // namespace
}  // namespace conformance
