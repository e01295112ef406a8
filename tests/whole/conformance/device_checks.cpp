// SPDX-License-Identifier: MIT
// Devices: how many, their names and attributes, and numbers that are no device. Must not depend on which
// device it runs on; such values are compared with other values of the same device.
#include <cctype>
#include <set>

#include "support.hpp"

namespace conformance {
namespace {

TEST(device, there_is_one_and_ordinals_are_bounded) {
  const int count = device_count();
  HOLDS(count > 0);
  CUdevice device = -1;
  for (int at = 0; at < count; ++at) {
    SUCCEEDS(cuDeviceGet(&device, at));
    EQUAL(at, device);
  }
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, -1));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, count));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDeviceGet(nullptr, 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDeviceGetCount(nullptr));
}

TEST(device, a_name_is_cut_to_what_has_room) {
  char whole[128] = "";
  SUCCEEDS(cuDeviceGetName(whole, sizeof whole, 0));
  const std::size_t length = std::strlen(whole);
  HOLDS(length > 3);
  char cut[4] = "";
  SUCCEEDS(cuDeviceGetName(cut, sizeof cut, 0));
  EQUAL(std::string(whole, 3), cut);
  char one[1] = {'x'};
  ANSWERS(CUDA_SUCCESS, cuDeviceGetName(one, 1, 0));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetName(whole, sizeof whole, 99));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDeviceGetName(nullptr, 8, 0));
}

TEST(device, total_memory_is_more_than_is_free) {
  std::size_t total = 0, free = 0, all = 0;
  SUCCEEDS(cuDeviceTotalMem(&total, 0));
  const Context context;
  SUCCEEDS(cuMemGetInfo(&free, &all));
  EQUAL(total, all);
  HOLDS(free <= all);
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDeviceTotalMem(&total, 99));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDeviceTotalMem(&total, -1));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDeviceTotalMem(nullptr, 0));
}

TEST(device, attributes_that_every_device_shares) {
  EQUAL(1024, attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  EQUAL(1024, attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X));
  EQUAL(1024, attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y));
  EQUAL(64, attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z));
  EQUAL(2147483647, attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X));
  EQUAL(65535, attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y));
  EQUAL(65535, attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z));
  EQUAL(49152, attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK));
  EQUAL(65536, attribute(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY));
  EQUAL(32, attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE));
  EQUAL(1, attribute(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING));
  EQUAL(1, attribute(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY));
  EQUAL(1, attribute(CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY));
  EQUAL(1, attribute(CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED));
  EQUAL(65536, attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK));
  HOLDS(attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) > 0);
  HOLDS(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) >= 5);
  HOLDS(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) >= 49152);
  HOLDS(attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) >= 1024);
}

TEST(device, says_yes_to_what_programs_ask_before_they_use_it) {
  EQUAL(1, attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH));
  EQUAL(1, attribute(CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED));
  EQUAL(1, attribute(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED));
  EQUAL(1, attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED));
  EQUAL(1, attribute(CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS));
  EQUAL(1, attribute(CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR));
  EQUAL(1, attribute(CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED));
}

TEST(device, attributes_refuse_what_is_none) {
  int value = 0;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(&value, made_up<CUdevice_attribute>(9999), 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(&value, made_up<CUdevice_attribute>(0), 0));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(nullptr, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 99));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, -1));
}

TEST(device, a_bus_id_leads_back_to_its_device) {
  for (int at = 0; at < device_count(); ++at) {
    char bus[32] = "";
    CUdevice device = -1;
    SUCCEEDS(cuDeviceGetPCIBusId(bus, sizeof bus, at));
    SUCCEEDS(cuDeviceGetByPCIBusId(&device, bus));
    EQUAL(at, device);
    HOLDS(std::strlen(bus) >= 12 && std::isxdigit(static_cast<unsigned char>(bus[0])) != 0);
  }
  CUdevice device = -1;
  char bus[32] = "";
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDeviceGetByPCIBusId(&device, "zz"));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetByPCIBusId(&device, "ffff:ff:1f.0"));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDeviceGetPCIBusId(nullptr, 32, 0));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetPCIBusId(bus, sizeof bus, 99));
}

TEST(device, uuids_differ) {
  std::set<std::string> seen;
  for (int at = 0; at < device_count(); ++at) {
    CUuuid uuid{};
    SUCCEEDS(cuDeviceGetUuid(&uuid, at));
    seen.insert(std::string(uuid.bytes, sizeof uuid.bytes));
  }
  EQUAL(device_count(), seen.size());
  CUuuid uuid{};
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetUuid(&uuid, 99));
}

TEST(device, the_old_questions_agree_with_the_attributes) {
  int major = 0, minor = 0;
  SUCCEEDS(cuDeviceComputeCapability(&major, &minor, 0));
  EQUAL(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR), major);
  EQUAL(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR), minor);
  CUdevprop properties{};
  SUCCEEDS(cuDeviceGetProperties(&properties, 0));
  EQUAL(attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK), properties.maxThreadsPerBlock);
  EQUAL(attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z), properties.maxThreadsDim[2]);
  EQUAL(attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y), properties.maxGridSize[1]);
  EQUAL(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK), properties.sharedMemPerBlock);
  EQUAL(attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK), properties.regsPerBlock);
  EQUAL(attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE), properties.SIMDWidth);
  EQUAL(attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE), properties.clockRate);
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDeviceComputeCapability(&major, &minor, 99));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetProperties(&properties, 99));
}

TEST(device, no_device_is_its_own_peer) {
  int can = 9;
  SUCCEEDS(cuDeviceCanAccessPeer(&can, 0, 0));
  EQUAL(0, can);
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDeviceCanAccessPeer(&can, 0, 99));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDeviceCanAccessPeer(&can, 99, 0));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE,
          cuDeviceGetP2PAttribute(&can, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0));
}

TEST(device, two_devices_may_be_peers) {
  needs_two_devices();
  int can = 9, access = 9;
  SUCCEEDS(cuDeviceCanAccessPeer(&can, 0, 1));
  SUCCEEDS(cuDeviceGetP2PAttribute(&access, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
  EQUAL(can, access);
  ANSWERS(CUDA_ERROR_INVALID_VALUE,
          cuDeviceGetP2PAttribute(&access, made_up<CUdevice_P2PAttribute>(99), 0, 1));
}

TEST(device, bus_id_is_cut_and_refused_where_it_does_not_fit) {
  char text[32];
  for (const int length : {1, 3, 12}) {
    std::memset(text, 'x', sizeof text);
    ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDeviceGetPCIBusId(text, length, 0));
    EQUAL(length - 1, std::strlen(text));
  }
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuDeviceGetPCIBusId(text, 0, 0));
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetPCIBusId(text, 3, 99));
  SUCCEEDS(cuDeviceGetPCIBusId(text, 13, 0));
  EQUAL(12, std::strlen(text));
  SUCCEEDS(cuDeviceGetName(text, 3, 0));
}

}  // namespace
}  // namespace conformance
