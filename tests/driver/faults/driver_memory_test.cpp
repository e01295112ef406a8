// SPDX-License-Identifier: MIT
// Memory of every kind, where the program has none: made or not, and given back or still there.
#include "driver_memory.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace without_memory {
namespace {

TEST_F(WithoutMemory, memory_is_allocated_or_not) {
  for (const std::size_t size : {std::size_t{256}, std::size_t{1} << 20, std::size_t{5} << 20}) {
    CUdeviceptr memory = 0;
    fails_once({.call = [&] { return cuMemAlloc(&memory, size); }, .undo = [&] { ok(cuMemFree(memory)); }});
  }
}

TEST_F(WithoutMemory, memory_is_freed_or_still_there) {
  for (const std::size_t size : {std::size_t{256}, std::size_t{1} << 20, std::size_t{5} << 20}) {
    CUdeviceptr first = 0;
    CUdeviceptr memory = 0;
    CUdeviceptr last = 0;
    const auto rest = [&] {
      ok(cuMemFree(first));
      ok(cuMemFree(last));
    };
    fails_once({.before =
                    [&] {
                      ok(cuMemAlloc(&first, size));
                      ok(cuMemAlloc(&memory, size));
                      ok(cuMemAlloc(&last, size));
                      // Something is on its way, which freeing waits for.
                      ok(cuLaunchHostFunc(nullptr, [](void*) {}, nullptr));
                    },
                .call = [&] { return cuMemFree(memory); },
                .undo = rest,
                .had_failed =
                    [&] {
                      ok(cuMemFree(memory));
                      rest();
                    }});
  }
}

// Every second piece, so that each leaves a gap that has to be noted.
TEST_F(WithoutMemory, thousands_of_pieces_are_freed_while_there_is_no_memory_or_afterwards) {
  std::vector<CUdeviceptr> pieces(4000);
  for (CUdeviceptr& piece : pieces) ok(cuMemAlloc(&piece, 512));
  std::size_t freed = 0;
  CUresult result = CUDA_SUCCESS;
  call_with(
      {.all_from_it = true},
      [&] {
        for (std::size_t i = 0; i < pieces.size(); i += 2) {
          if (const CUresult error = cuMemFree(pieces[i])) return error;
          pieces[i] = 0;
          ++freed;
        }
        return CUDA_SUCCESS;
      },
      result);
  EXPECT_GT(freed, 50U);
  EXPECT_STREQ("CUDA_ERROR_OUT_OF_MEMORY", name(result));
  usual_->works();
  for (const CUdeviceptr piece : pieces) ok(cuMemFree(piece));
  usual_->works();
}

TEST_F(WithoutMemory, host_memory_is_allocated_or_not_and_freed_or_still_there) {
  void* memory = nullptr;
  const auto allocate_it = [&] { ok(cuMemHostAlloc(&memory, 5000, 0)); };
  const auto free_it = [&] { ok(cuMemFreeHost(memory)); };
  fails_once({.call = [&] { return cuMemHostAlloc(&memory, 5000, 0); }, .undo = free_it});
  fails_once({.before =
                  [&] {
                    allocate_it();
                    ok(cuLaunchHostFunc(nullptr, [](void*) {}, nullptr));
                  },
              .call = [&] { return cuMemFreeHost(memory); },
              .had_failed = free_it,
              .needs_memory = false});
}

TEST_F(WithoutMemory, managed_memory_is_allocated_or_not) {
  CUdeviceptr memory = 0;
  fails_once({.call = [&] { return cuMemAllocManaged(&memory, 5000, CU_MEM_ATTACH_GLOBAL); },
              .undo = [&] { ok(cuMemFree(memory)); }});
}

TEST_F(WithoutMemory, advice_for_a_part_is_kept_or_not) {
  constexpr std::size_t page = 4096;
  const CUmemLocation device{CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUdeviceptr memory = 0;
  const auto is = [&](int expected) {
    int value = 99;
    ok(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory + page, page));
    EXPECT_EQ(expected, value);
  };
  fails_once({.before = [&] { ok(cuMemAllocManaged(&memory, 3 * page, CU_MEM_ATTACH_GLOBAL)); },
              .call = [&] { return cuMemAdvise(memory + page, page, CU_MEM_ADVISE_SET_READ_MOSTLY, device); },
              .undo =
                  [&] {
                    is(1);
                    ok(cuMemFree(memory));
                  },
              .had_failed =
                  [&] {
                    is(0);
                    ok(cuMemFree(memory));
                  }});
}

TEST_F(WithoutMemory, the_programs_memory_is_registered_or_not) {
  alignas(4096) static char bytes[3 * 4096];
  fails_once({.call = [&] { return cuMemHostRegister(bytes + 100, 2 * 4096, 0); },
              .undo = [&] { ok(cuMemHostUnregister(bytes + 100)); }});
}

TEST_F(WithoutMemory, memory_comes_from_and_goes_to_a_pool) {
  CUdeviceptr memory = 0;
  CUmemoryPool pool = nullptr;
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  fails_once({.call = [&] { return cuMemAllocAsync(&memory, 3 << 20, nullptr); },
              .undo = [&] { ok(cuMemFree(memory)); }});
  fails_once({.before = [&] { ok(cuMemAllocAsync(&memory, 3 << 20, nullptr)); },
              .call = [&] { return cuMemFreeAsync(memory, nullptr); },
              .had_failed = [&] { ok(cuMemFreeAsync(memory, nullptr)); }});
  // Several of the pool's chunks, while something is on its way that could use them.
  fails_once({.before =
                  [&] {
                    ok(cuMemAllocAsync(&memory, 80 << 20, nullptr));
                    ok(cuLaunchHostFunc(nullptr, [](void*) {}, nullptr));
                  },
              .call = [&] { return cuMemFree(memory); },
              .had_failed = [&] { ok(cuMemFree(memory)); }});
  fails_once({.call = [&] { return cuMemPoolCreate(&pool, &properties); },
              .undo = [&] { ok(cuMemPoolDestroy(pool)); }});
}

TEST_F(WithoutMemory, virtual_memory_is_made_mapped_and_given_back) {
  constexpr std::size_t size = 2 << 20;
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  const CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CUmemGenericAllocationHandle handle = 0;
  CUdeviceptr address = 0;
  fails_once({.call = [&] { return cuMemCreate(&handle, size, &properties, 0); },
              .undo = [&] { ok(cuMemRelease(handle)); }});
  fails_once({.call = [&] { return cuMemAddressReserve(&address, size, 0, 0, 0); },
              .undo = [&] { ok(cuMemAddressFree(address, size)); }});
  ok(cuMemCreate(&handle, size, &properties, 0));
  ok(cuMemAddressReserve(&address, size, 0, 0, 0));
  const auto unmap = [&] { ok(cuMemUnmap(address, size)); };
  const auto map = [&] { ok(cuMemMap(address, size, 0, handle, 0)); };
  fails_once({.call = [&] { return cuMemMap(address, size, 0, handle, 0); }, .undo = unmap});
  fails_once({.before = map,
              .call = [&] { return cuMemSetAccess(address, size, &access, 1); },
              .undo = unmap,
              .had_failed = unmap});
  fails_once({.before =
                  [&] {
                    map();
                    ok(cuMemSetAccess(address, size, &access, 1));
                    ok(cuLaunchHostFunc(nullptr, [](void*) {}, nullptr));
                  },
              .call = [&] { return cuMemUnmap(address, size); },
              .had_failed = unmap,
              .needs_memory = false});
  ok(cuMemAddressFree(address, size));
  ok(cuMemRelease(handle));
}

// One call for two mappings with a gap between them.
TEST_F(WithoutMemory, several_mappings_get_access_and_are_removed) {
  constexpr std::size_t size = 2 << 20;
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  const CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CUmemGenericAllocationHandle handle = 0;
  CUdeviceptr address = 0;
  ok(cuMemCreate(&handle, size, &properties, 0));
  ok(cuMemAddressReserve(&address, 3 * size, 0, 0, 0));
  const auto map = [&] {
    ok(cuMemMap(address, size, 0, handle, 0));
    ok(cuMemMap(address + 2 * size, size, 0, handle, 0));
  };
  const auto set_access = [&] { return cuMemSetAccess(address, 3 * size, &access, 1); };
  const auto unmap = [&] { ok(cuMemUnmap(address, 3 * size)); };
  const auto use = [&] {
    std::uint32_t value = 0;
    ok(cuMemsetD32(address, 9, 1));
    ok(cuMemcpyDtoH(&value, address + 2 * size, sizeof value));
    EXPECT_EQ(9U, value);
    unmap();
  };
  fails_once({.before = map, .call = set_access, .undo = use, .had_failed = [&] {
                ok(set_access());
                use();
              }});
  fails_once({.before =
                  [&] {
                    map();
                    ok(set_access());
                    ok(cuLaunchHostFunc(nullptr, [](void*) {}, nullptr));
                  },
              .call = [&] { return cuMemUnmap(address, 3 * size); },
              .had_failed = unmap,
              .needs_memory = false});
  ok(cuMemAddressFree(address, 3 * size));
  ok(cuMemRelease(handle));
}

TEST_F(WithoutMemory, virtual_memory_is_shared_or_not) {
  constexpr CUmemAllocationHandleType by_file = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  properties.requestedHandleTypes = by_file;
  CUmemGenericAllocationHandle handle = 0;
  CUmemGenericAllocationHandle imported = 0;
  int descriptor = -1;
  fails_once({.call = [&] { return cuMemCreate(&handle, 2 << 20, &properties, 0); },
              .undo = [&] { ok(cuMemRelease(handle)); }});
  ok(cuMemCreate(&handle, 2 << 20, &properties, 0));
  fails_once({.call = [&] { return cuMemExportToShareableHandle(&descriptor, handle, by_file, 0); },
              .undo = [&] { EXPECT_EQ(0, close(descriptor)); },
              .needs_memory = false});
  ok(cuMemExportToShareableHandle(&descriptor, handle, by_file, 0));
  void* const shareable = reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor));
  fails_once({.call = [&] { return cuMemImportFromShareableHandle(&imported, shareable, by_file); },
              .undo = [&] { ok(cuMemRelease(imported)); }});
  EXPECT_EQ(0, close(descriptor));
  ok(cuMemRelease(handle));
}

TEST_F(WithoutMemory, external_memory_is_imported_and_mapped_or_not) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  CUmemGenericAllocationHandle handle = 0;
  ok(cuMemCreate(&handle, 2 << 20, &properties, 0));
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC file{};
  file.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
  file.size = 2 << 20;
  CUDA_EXTERNAL_MEMORY_BUFFER_DESC part{};
  part.size = 4096;
  CUexternalMemory memory = nullptr;
  CUdeviceptr address = 0;
  const auto export_it = [&] {
    ok(cuMemExportToShareableHandle(&file.handle.fd, handle, properties.requestedHandleTypes, 0));
  };
  const auto destroy = [&] { ok(cuDestroyExternalMemory(memory)); };
  // The descriptor is the program's where the import has failed.
  fails_once({.before = export_it,
              .call = [&] { return cuImportExternalMemory(&memory, &file); },
              .undo = destroy,
              .had_failed = [&] { EXPECT_EQ(0, close(file.handle.fd)); }});
  export_it();
  ok(cuImportExternalMemory(&memory, &file));
  const auto map = [&] { return cuExternalMemoryGetMappedBuffer(&address, memory, &part); };
  fails_once({.call = map, .undo = [&] { ok(cuMemFree(address)); }});
  fails_once({.before = [&] { ok(map()); },
              .call = [&] { return cuMemFree(address); },
              .had_failed = [&] { ok(cuMemFree(address)); },
              .needs_memory = false});
  destroy();
  ok(cuMemRelease(handle));
}

TEST_F(WithoutMemory, an_array_is_made_or_not) {
  CUarray array = nullptr;
  const CUDA_ARRAY_DESCRIPTOR shape{64, 64, CU_AD_FORMAT_FLOAT, 1};
  fails_once(
      {.call = [&] { return cuArrayCreate(&array, &shape); }, .undo = [&] { ok(cuArrayDestroy(array)); }});
}

TEST_F(WithoutMemory, memory_is_lent_or_not) {
  CUdeviceptr memory = 0;
  CUipcMemHandle handle;
  fails_once({.before = [&] { ok(cuMemAlloc(&memory, 100)); },
              .call =
                  [&] {
                    if (const CUresult error = cuIpcGetMemHandle(&handle, memory)) return error;
                    return cuMemFree(memory);
                  },
              .had_failed = [&] { ok(cuMemFree(memory)); }});
}

}  // namespace
}  // namespace without_memory
