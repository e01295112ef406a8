// SPDX-License-Identifier: MIT
// Functions for hardware that no device here has: what they return follows from the device's attributes and
// from the manual.
#include "support.hpp"

namespace {

using AbsentHardware = DriverTest;

const char* const plain_ptx =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }\n";

int figure_of(CUdevice_attribute attribute) {
  int value = -1;
  EXPECT_OK(cuDeviceGetAttribute(&value, attribute, 0));
  return value;
}

TEST_F(AbsentHardware, no_device_has_pointers_to_functions_for_the_host) {
  make_context();
  ASSERT_EQ(0, figure_of(CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS));
  CUlibrary library = nullptr;
  ASSERT_OK(cuLibraryLoadData(&library, plain_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  int nothing = 0;
  void* pointer = &nothing;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLibraryGetUnifiedFunction(&pointer, library, "nothing"));
  EXPECT_EQ(&nothing, pointer);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLibraryGetUnifiedFunction(nullptr, library, "nothing"));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLibraryGetUnifiedFunction(&pointer, library, nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE,
            cuLibraryGetUnifiedFunction(&pointer, reinterpret_cast<CUlibrary>(&nothing), "nothing"));
  EXPECT_OK(cuLibraryUnload(library));
}

TEST_F(AbsentHardware, no_device_supports_multicast) {
  ASSERT_EQ(0, figure_of(CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED));
  CUmulticastObjectProp wanted{};
  wanted.numDevices = 2;
  wanted.size = std::size_t{2} << 20;
  CUmemGenericAllocationHandle handle = 0x55;
  std::size_t size = 0x55;
  EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, cuMulticastCreate(&handle, &wanted));
  EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED,
            cuMulticastGetGranularity(&size, &wanted, CU_MULTICAST_GRANULARITY_RECOMMENDED));
  EXPECT_EQ(0x55U, handle);
  EXPECT_EQ(0x55U, size);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMulticastCreate(nullptr, &wanted));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMulticastCreate(&handle, nullptr));
  wanted.numDevices = 0;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMulticastCreate(&handle, &wanted));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            cuMulticastGetGranularity(&size, &wanted, CU_MULTICAST_GRANULARITY_MINIMUM));
}

TEST_F(AbsentHardware, a_function_has_no_texture_reference_of_its_module) {
  make_context();
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUtexref reference = nullptr;
  ASSERT_OK(cuModuleLoadData(&module, plain_ptx));
  ASSERT_OK(cuModuleGetFunction(&function, module, "nothing"));
  ASSERT_OK(cuTexRefCreate(&reference));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuParamSetTexRef(function, CU_PARAM_TR_DEFAULT, reference));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuParamSetTexRef(function, CU_PARAM_TR_DEFAULT, nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuParamSetTexRef(nullptr, CU_PARAM_TR_DEFAULT, reference));
  EXPECT_OK(cuTexRefDestroy(reference));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuParamSetTexRef(function, CU_PARAM_TR_DEFAULT, reference));
}

}  // namespace
