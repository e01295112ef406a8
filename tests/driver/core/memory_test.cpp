// SPDX-License-Identifier: MIT
// Device memory: what is allocated, where, how much; and that the host cannot touch it.
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <sstream>

#include "support.hpp"

namespace {

class DeviceMemory : public DriverTest {
 protected:
  static std::size_t free_bytes() {
    std::size_t free = 0;
    std::size_t total = 0;
    EXPECT_OK(cuMemGetInfo(&free, &total));
    return free;
  }
};

// It locked all memory that the devices could ever allocate.
TEST_F(DeviceMemory, a_program_that_locks_its_memory_locks_only_what_was_allocated) {
  const auto can_be_touched = [] {
    std::ifstream maps("/proc/self/maps");
    std::uint64_t bytes = 0;
    for (std::string line; std::getline(maps, line);) {
      if (line.find("embedded-gpu") == std::string::npos || line.find(" ---") != std::string::npos) continue;
      std::uint64_t from = 0, to = 0;
      char dash = 0;
      std::istringstream(line) >> std::hex >> from >> dash >> to;
      bytes += to - from;
    }
    return bytes;
  };
  const auto status = [](const char* name) {
    std::ifstream file("/proc/self/status");
    std::uint64_t kib = 0;
    for (std::string word; file >> word;)
      if (word == name) file >> kib;
    return kib << 10;
  };
  const auto resident = [&] { return status("RssShmem:"); };
  make_context();
  const CUdeviceptr address = allocate(256u << 20);
  ASSERT_LT(can_be_touched(), 512u << 20);  // or the machine would be out of memory now
  ASSERT_GE(can_be_touched(), 256u << 20);
  if (mlockall(MCL_CURRENT) != 0) GTEST_SKIP() << "nothing may be locked here";
  if (status("VmLck:") == 0) GTEST_SKIP() << "a sanitizer locks nothing";
  EXPECT_LT(resident(), 512u << 20);
  EXPECT_OK(cuMemsetD8(address, 7, 256u << 20));
  EXPECT_GE(resident(), 256u << 20);
  EXPECT_OK(cuMemFree(address));
  EXPECT_LT(resident(), 128u << 20) << "what was freed stays locked";
  munlockall();
}

TEST_F(DeviceMemory, reading_it_on_the_host_crashes) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        CUcontext context = nullptr;
        CUdeviceptr address = 0;
        cuInit(0);
        cuCtxCreate(&context, nullptr, 0, 0);
        if (cuMemAlloc(&address, 64) != CUDA_SUCCESS || cuMemsetD8(address, 1, 64) != CUDA_SUCCESS) _exit(0);
        std::fprintf(stderr, "%d", *reinterpret_cast<volatile int*>(address));
        _exit(0);
      },
      "");
}

TEST_F(DeviceMemory, what_is_written_comes_back) {
  make_context();
  std::vector<unsigned char> bytes(3 << 20);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 7 + i / 256);
  const CUdeviceptr address = allocate(bytes.size());
  ASSERT_OK(cuMemcpyHtoD(address, bytes.data(), bytes.size()));
  EXPECT_EQ(bytes, read(address, bytes.size()));
}

TEST_F(DeviceMemory, allocations_never_overlap_and_are_aligned) {
  make_context();
  std::set<std::pair<CUdeviceptr, std::size_t>> taken;
  for (std::size_t i = 0; i < 3000; ++i) {
    const std::size_t size = i % 50 == 0 ? 1500000 + i : 1 + i * 37 % 9000;
    const CUdeviceptr address = allocate(size);
    EXPECT_EQ(0U, address % 512);
    taken.emplace(address, size);
  }
  CUdeviceptr end = 0;
  for (const auto& [address, size] : taken) {
    ASSERT_GE(address, end);
    end = address + size;
  }
  for (const auto& [address, size] : taken) EXPECT_OK(cuMemFree(address));
}

TEST_F(DeviceMemory, freeing_gives_the_memory_back) {
  make_context();
  const std::size_t before = free_bytes();
  std::vector<CUdeviceptr> addresses;
  for (const std::size_t size :
       {std::size_t{100}, std::size_t{5000}, std::size_t{3} << 20, std::size_t{64} << 20}) {
    addresses.push_back(allocate(size));
  }
  EXPECT_LE(free_bytes(), before - (std::size_t{67} << 20));
  for (const CUdeviceptr address : addresses) EXPECT_OK(cuMemFree(address));
  EXPECT_EQ(before, free_bytes());
}

TEST_F(DeviceMemory, the_last_byte_can_be_had_and_no_more) {
  ONLY_ON_THE_EMBEDDED_DRIVER();
  make_context();
  CUdeviceptr more = 0;
  const std::size_t all = free_bytes();
  const CUdeviceptr address = allocate(all);
  EXPECT_EQ(0U, free_bytes());
  EXPECT_RESULT(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&more, 1));
  EXPECT_OK(cuMemFree(address));
  EXPECT_OK(cuMemAlloc(&more, 1));
}

TEST_F(DeviceMemory, small_memory_that_is_kept_for_later_does_not_stand_in_the_way) {
  make_context();
  const std::size_t all = free_bytes();
  EXPECT_OK(cuMemFree(allocate(100)));
  const CUdeviceptr address = allocate(all);
  EXPECT_OK(cuMemFree(address));
}

// Shared memory in use, in pages: what a device's memory is on the embedded driver.
std::size_t resident_pages() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::size_t kilobytes = 0;
    if (word == "RssShmem:" && status >> kilobytes) return kilobytes / 4;
  }
  ADD_FAILURE() << "no RssShmem in /proc/self/status";
  return 0;
}

TEST_F(DeviceMemory, memory_that_is_not_touched_costs_nothing) {
  make_context();
  const std::size_t before = resident_pages();
  const CUdeviceptr address = allocate(std::size_t{4} << 30);
  ASSERT_OK(cuMemsetD8(address + (std::size_t{2} << 30), 1, 1));
  EXPECT_LT(resident_pages(), before + 1000);
}

TEST_F(DeviceMemory, memory_that_is_freed_goes_back_to_the_system) {
  ONLY_ON_THE_EMBEDDED_DRIVER();
  make_context();
  const std::size_t before = resident_pages();
  const std::size_t size = std::size_t{64} << 20;
  const CUdeviceptr address = allocate(size);
  ASSERT_OK(cuMemsetD8(address, 1, size));
  ASSERT_OK(cuCtxSynchronize());
  EXPECT_GT(resident_pages(), before + size / 4096 / 2);
  ASSERT_OK(cuMemFree(address));
  EXPECT_LT(resident_pages(), before + 1000);
}

TEST_F(DeviceMemory, it_dies_with_its_context_whoever_is_current) {
  const CUcontext a = make_context();
  const CUdeviceptr address = allocate(100);
  make_context();
  EXPECT_OK(cuMemsetD8(address, 1, 100));
  destroy(a);
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(address, 1, 100));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemFree(address));
}

TEST_F(DeviceMemory, rows_are_as_far_apart_as_the_pitch_says) {
  make_context();
  CUdeviceptr address = 0;
  std::size_t pitch = 0;
  ASSERT_OK(cuMemAllocPitch(&address, &pitch, 100, 7, 4));
  EXPECT_GE(pitch, 100U);
  ASSERT_OK(cuMemsetD8(address, 0, pitch * 7));
  ASSERT_OK(cuMemsetD2D8(address, pitch, 9, 100, 7));
  const auto bytes = read(address, pitch * 7);
  for (std::size_t i = 0; i < bytes.size(); ++i) ASSERT_EQ(i % pitch < 100 ? 9 : 0, bytes[i]) << i;
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&address, &pitch, 100, 7, 3));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&address, &pitch, 0, 7, 4));
  EXPECT_RESULT(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocPitch(&address, &pitch, ~0ULL / 2, ~0ULL / 2, 4));
}

class HostMemory : public DriverTest {};

TEST_F(HostMemory, pinned_memory_has_one_address_for_both_sides) {
  make_context();
  void* host = nullptr;
  ASSERT_OK(cuMemHostAlloc(&host, 4096, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE));
  std::memset(host, 5, 4096);
  CUdeviceptr device = 0;
  ASSERT_OK(cuMemHostGetDevicePointer(&device, host, 0));
  EXPECT_EQ(reinterpret_cast<CUdeviceptr>(host), device);
  const CUdeviceptr address = allocate(4096);
  ASSERT_OK(cuMemcpyDtoD(address, device, 4096));
  EXPECT_EQ(std::vector<unsigned char>(4096, 5), read(address, 4096));
  unsigned flags = 0;
  ASSERT_OK(cuMemHostGetFlags(&flags, host));
  EXPECT_EQ(static_cast<unsigned>(CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE), flags);
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemFree(device));
  EXPECT_OK(cuMemFreeHost(host));
}

TEST_F(HostMemory, unknown_flags_and_what_is_too_large_are_refused) {
  make_context();
  void* host = nullptr;
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemHostAlloc(&host, 16, 8));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemHostAlloc(nullptr, 16, 0));
  EXPECT_RESULT(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocHost(&host, std::size_t{1} << 50));
}

// Truth nulls, steps 4 to 7.
TEST_F(HostMemory, of_no_bytes_is_no_address_and_no_error) {
  make_context();
  int something = 0;
  void* host = &something;
  EXPECT_OK(cuMemHostAlloc(&host, 0, 0));
  EXPECT_EQ(host, nullptr);
}

TEST_F(HostMemory, registering_what_is_partly_registered_or_not_there_fails) {
  make_context();
  std::vector<char> memory(16384);
  ASSERT_OK(cuMemHostRegister(memory.data() + 4096, 4096, CU_MEMHOSTREGISTER_PORTABLE));
  EXPECT_RESULT(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(memory.data() + 5000, 4096, 0));
  EXPECT_RESULT(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(memory.data(), 16384, 0));
  EXPECT_RESULT(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(memory.data()));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister(reinterpret_cast<void*>(4096), 4096, 0));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister(memory.data(), 0, 0));
  EXPECT_OK(cuMemHostUnregister(memory.data() + 4096));
}

TEST_F(HostMemory, managed_memory_is_read_and_written_from_both_sides) {
  make_context();
  CUdeviceptr managed = 0;
  ASSERT_OK(cuMemAllocManaged(&managed, 1000, CU_MEM_ATTACH_GLOBAL));
  ASSERT_OK(cuMemsetD8(managed, 3, 1000));
  auto* const bytes = reinterpret_cast<unsigned char*>(managed);
  EXPECT_EQ(3, bytes[999]);
  bytes[0] = 4;
  EXPECT_EQ(4, read(managed, 1)[0]);
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(managed, 3, 1001));
  EXPECT_OK(cuMemFree(managed));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemFree(managed));
}

}  // namespace
