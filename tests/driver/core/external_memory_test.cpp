// SPDX-License-Identifier: MIT
// Memory of cuMemCreate that is imported as external memory: wrong uses at which an H200 crashes, what ends
// with a context, and memory of another process. What an H200 returned otherwise is in truth/.
#include <fcntl.h>

#include <array>
#include <cstdint>

#include "support.hpp"

namespace {

constexpr std::size_t unit = std::size_t{2} << 20;

CUmemGenericAllocationHandle make_memory(std::size_t size) {
  CUmemAllocationProp said{};
  said.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  said.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  said.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  CUmemGenericAllocationHandle handle = 0;
  EXPECT_OK(cuMemCreate(&handle, size, &said, 0));
  return handle;
}

int descriptor_of(CUmemGenericAllocationHandle handle) {
  int descriptor = -1;
  EXPECT_OK(cuMemExportToShareableHandle(&descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  return descriptor;
}

CUresult import_file(CUexternalMemory* memory, int descriptor, std::size_t size) {
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC said{};
  said.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
  said.size = size;
  said.handle.fd = descriptor;
  return cuImportExternalMemory(memory, &said);
}

CUresult map_buffer(CUdeviceptr* address, CUexternalMemory memory, std::size_t offset, std::size_t size) {
  CUDA_EXTERNAL_MEMORY_BUFFER_DESC said{};
  said.offset = offset;
  said.size = size;
  return cuExternalMemoryGetMappedBuffer(address, memory, &said);
}

CUresult map_array(CUmipmappedArray* array, CUexternalMemory memory) {
  CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC said{};
  said.arrayDesc.Width = said.arrayDesc.Height = 64;
  said.arrayDesc.Format = CU_AD_FORMAT_UNSIGNED_INT32;
  said.arrayDesc.NumChannels = said.numLevels = 1;
  return cuExternalMemoryGetMappedMipmappedArray(array, memory, &said);
}

class ExternalMemory : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    make_context();
    handle_ = make_memory(2 * unit);
    ASSERT_OK(import_file(&memory_, descriptor_of(handle_), 2 * unit));
  }
  void TearDown() override {
    EXPECT_OK(cuMemRelease(handle_));
    DriverTest::TearDown();
  }

  CUmemGenericAllocationHandle handle_ = 0;
  CUexternalMemory memory_ = nullptr;
  CUdeviceptr buffer_ = 0;
};

TEST_F(ExternalMemory, a_destroyed_one_is_an_invalid_handle) {
  CUmipmappedArray array = nullptr;
  EXPECT_OK(cuDestroyExternalMemory(memory_));
  EXPECT_RESULT(CUDA_ERROR_INVALID_HANDLE, cuDestroyExternalMemory(memory_));
  EXPECT_RESULT(CUDA_ERROR_INVALID_HANDLE, map_buffer(&buffer_, memory_, 0, unit));
  EXPECT_RESULT(CUDA_ERROR_INVALID_HANDLE, map_array(&array, memory_));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuDestroyExternalMemory(nullptr));
  EXPECT_EQ(0U, buffer_);
}

TEST_F(ExternalMemory, no_array_is_mapped_from_it) {
  CUmipmappedArray array = nullptr;
  EXPECT_RESULT(CUDA_ERROR_NOT_SUPPORTED, map_array(&array, memory_));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, map_array(nullptr, memory_));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, map_array(&array, nullptr));
  EXPECT_EQ(nullptr, array);
  EXPECT_OK(cuDestroyExternalMemory(memory_));
}

TEST_F(ExternalMemory, it_and_its_buffers_end_with_the_context_that_imported_it) {
  CUcontext importer = current();
  ASSERT_OK(map_buffer(&buffer_, memory_, 0, unit));
  std::size_t held = 0, free = 0, total = 0;
  make_context();
  ASSERT_OK(cuMemGetInfo(&held, &total));
  ASSERT_OK(cuCtxDestroy(importer));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(buffer_, 0, 1));
  EXPECT_RESULT(CUDA_ERROR_INVALID_HANDLE, map_buffer(&buffer_, memory_, 0, unit));
  EXPECT_RESULT(CUDA_ERROR_INVALID_HANDLE, cuDestroyExternalMemory(memory_));
  ASSERT_OK(cuMemGetInfo(&free, &total));
  EXPECT_EQ(held, free);
}

TEST_F(ExternalMemory, the_memory_is_given_back_when_the_last_buffer_is_freed) {
  std::size_t before = 0, now = 0, total = 0;
  ASSERT_OK(cuMemGetInfo(&before, &total));
  const CUmemGenericAllocationHandle other = make_memory(4 * unit);
  CUexternalMemory memory = nullptr;
  ASSERT_OK(import_file(&memory, descriptor_of(other), 4 * unit));
  ASSERT_OK(map_buffer(&buffer_, memory, unit, unit));
  ASSERT_OK(cuMemRelease(other));
  ASSERT_OK(cuDestroyExternalMemory(memory));
  ASSERT_OK(cuMemsetD32(buffer_, 5, unit / 4));
  ASSERT_OK(cuMemGetInfo(&now, &total));
  EXPECT_EQ(before - 4 * unit, now);
  ASSERT_OK(cuMemFree(buffer_));
  ASSERT_OK(cuMemGetInfo(&now, &total));
  EXPECT_EQ(before, now);
  EXPECT_OK(cuDestroyExternalMemory(memory_));
}

// A program may close descriptors that it does not know.
TEST_F(ExternalMemory, no_buffer_is_mapped_when_the_program_has_closed_the_file_of_the_driver) {
  for (int descriptor = 3; descriptor < 200; ++descriptor) {
    std::array<char, 100> target{};
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    if (readlink(link.c_str(), target.data(), target.size() - 1) > 0 &&
        std::string(target.data()).find("embedded-gpu-shared") != std::string::npos)
      close(descriptor);
  }
  EXPECT_RESULT(CUDA_ERROR_OPERATING_SYSTEM, map_buffer(&buffer_, memory_, 0, unit));
  EXPECT_EQ(0U, buffer_);
  EXPECT_OK(cuDestroyExternalMemory(memory_));
}

}  // namespace
