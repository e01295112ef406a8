// SPDX-License-Identifier: MIT
// Coming up, going down, forking, and the devices that are there. What must happen in a fresh process happens
// in a death test, which starts this program anew.
#include <sys/resource.h>

#include "support.hpp"

namespace {

class Initialization : public DriverTest {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  void TearDown() override {}
};

void end_with_device_count(const char* wanted) {
  setenv("DRIVERLAB_DEVICES", wanted, 1);
  int count = 0;
  if (cuInit(0) != CUDA_SUCCESS || cuDeviceGetCount(&count) != CUDA_SUCCESS) _exit(99);
  _exit(count);
}

TEST_F(Initialization, the_environment_sets_the_number_of_devices) {
  ONLY_ON_THE_EMBEDDED_DRIVER();
  EXPECT_EXIT(end_with_device_count("1"), ::testing::ExitedWithCode(1), "");
  EXPECT_EXIT(end_with_device_count("8"), ::testing::ExitedWithCode(8), "");
}

TEST_F(Initialization, a_number_of_devices_that_makes_no_sense_is_two_and_said) {
  ONLY_ON_THE_EMBEDDED_DRIVER();
  for (const char* const wanted : {"0", "9", "-1", "two", " 3", "3x", "12"}) {
    EXPECT_EXIT(
        end_with_device_count(wanted), ::testing::ExitedWithCode(2),
        "^driverlab: DRIVERLAB_DEVICES is \"" + std::string(wanted) +
            "\", which means nothing; there are 2 devices. Set it to a number from 1 to 8, or unset it.\n$")
        << wanted;
  }
  EXPECT_EXIT(end_with_device_count("\033[31m"), ::testing::ExitedWithCode(2), "is \"\\?\\[31m\"");
}

TEST_F(Initialization, nothing_is_said_of_settings_that_are_understood_or_empty) {
  ONLY_ON_THE_EMBEDDED_DRIVER();
  EXPECT_EXIT(end_with_device_count(""), ::testing::ExitedWithCode(2), "^$");
  EXPECT_EXIT(end_with_device_count("3"), ::testing::ExitedWithCode(3), "^$");
  for (const char* const way : {"", "compiled", "interpreted"}) {
    setenv("DRIVERLAB_KERNELS", way, 1);
    EXPECT_EXIT(end_with_device_count("1"), ::testing::ExitedWithCode(1), "^$") << way;
  }
  unsetenv("DRIVERLAB_KERNELS");
}

TEST_F(Initialization, a_way_to_run_kernels_that_is_unknown_is_said) {
  ONLY_ON_THE_EMBEDDED_DRIVER();
  setenv("DRIVERLAB_KERNELS", "interpreter", 1);
  EXPECT_EXIT(
      end_with_device_count("1"), ::testing::ExitedWithCode(1),
      "^driverlab: DRIVERLAB_KERNELS is \"interpreter\", which means nothing; .*compiled or interpreted");
  unsetenv("DRIVERLAB_KERNELS");
}

// The results in the child, as bits: a call that does not return 3 sets its bit.
int other_answers_than_not_initialized() {
  int count = 0;
  CUcontext context = nullptr;
  CUdeviceptr address = 0;
  unsigned flags = 0;
  int active = 0;
  const CUresult answers[] = {cuInit(0),
                              cuDeviceGetCount(&count),
                              cuCtxGetCurrent(&context),
                              cuCtxCreate(&context, nullptr, 0, 0),
                              cuCtxSynchronize(),
                              cuMemAlloc(&address, 16),
                              cuDevicePrimaryCtxGetState(0, &flags, &active)};
  int others = 0;
  for (std::size_t i = 0; i < std::size(answers); ++i) {
    if (answers[i] != CUDA_ERROR_NOT_INITIALIZED) others |= 1 << i;
  }
  return others;
}

TEST_F(Initialization, the_child_of_fork_gets_not_initialized_from_everything_and_the_parent_goes_on) {
  ASSERT_OK(cuInit(0));
  CUcontext context = nullptr;
  ASSERT_OK(cuCtxCreate(&context, nullptr, 0, 0));
  CUdeviceptr address = 0;
  ASSERT_OK(cuMemAlloc(&address, 16));
  const pid_t child = fork();
  if (child == 0) _exit(other_answers_than_not_initialized());
  int status = 0;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(0, WEXITSTATUS(status));
  EXPECT_OK(cuMemsetD8(address, 1, 16));
  EXPECT_OK(cuCtxDestroy(context));
}

// Between test programs and their children: the parent has not initialised, so the child may.
void initialise_in_a_child() {
  const pid_t child = fork();
  if (child == 0) _exit(cuInit(0));
  int status = 0;
  waitpid(child, &status, 0);
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 99);
}

TEST_F(Initialization, forking_before_cuInit_leaves_the_child_free_to_initialise) {
  EXPECT_EXIT(initialise_in_a_child(), ::testing::ExitedWithCode(0), "");
}

struct AtTheEnd {
  ~AtTheEnd() {
    int count = 0;
    std::fprintf(stderr, "%s at the end", result_name(cuDeviceGetCount(&count)).c_str());
  }
};

void end_after_initialising() {
  static AtTheEnd made_before_initialising;
  cuInit(0);
  std::exit(0);
}

// Not even the name of the error is to be had then (truth teardown).
TEST_F(Initialization, what_is_destroyed_after_the_driver_finds_it_shut_down) {
  EXPECT_EXIT(end_after_initialising(), ::testing::ExitedWithCode(0), "no result: 4 at the end");
}

TEST_F(Initialization, threads_may_initialise_at_once) {
  std::vector<std::thread> threads;
  std::vector<CUresult> results(8, CUDA_ERROR_UNKNOWN);
  for (CUresult& result : results) threads.emplace_back([&result] { result = cuInit(0); });
  for (std::thread& thread : threads) thread.join();
  for (const CUresult result : results) EXPECT_OK(result);
}

// The lab runs programs under such limits; truncating a file past RLIMIT_FSIZE would kill with SIGXFSZ.
void use_memory_under(int resource, rlim_t soft, rlim_t hard) {
  const rlimit limit{soft, hard};
  setrlimit(static_cast<__rlimit_resource>(resource), &limit);
  CUcontext context = nullptr;
  CUdeviceptr address = 0;
  int value = 0;
  if (cuInit(0) != CUDA_SUCCESS) _exit(1);
  if (cuCtxCreate(&context, nullptr, 0, 0) != CUDA_SUCCESS) _exit(2);
  if (cuMemAlloc(&address, 4 << 20) != CUDA_SUCCESS) _exit(3);
  if (cuMemsetD32(address, 77, 1 << 20) != CUDA_SUCCESS) _exit(4);
  if (cuMemcpyDtoH(&value, address + (4 << 20) - 4, 4) != CUDA_SUCCESS || value != 77) _exit(5);
  rlimit after{};
  getrlimit(static_cast<__rlimit_resource>(resource), &after);
  _exit(after.rlim_cur == soft ? 42 : 6);
}

TEST_F(Initialization, the_driver_works_where_files_and_address_space_are_limited) {
  ONLY_ON_THE_EMBEDDED_DRIVER();
  EXPECT_EXIT(use_memory_under(RLIMIT_FSIZE, 1 << 20, RLIM_INFINITY), ::testing::ExitedWithCode(42), "");
  EXPECT_EXIT(use_memory_under(RLIMIT_FSIZE, 1 << 20, 1 << 20), ::testing::ExitedWithCode(42), "");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_EXIT(use_memory_under(RLIMIT_AS, rlim_t{2} << 30, rlim_t{2} << 30), ::testing::ExitedWithCode(42),
              "");
#endif
}

class Devices : public DriverTest {};

TEST_F(Devices, every_attribute_has_an_answer) {
  for (int attribute = 1; attribute < CU_DEVICE_ATTRIBUTE_MAX; ++attribute) {
    int value = 0;
    EXPECT_OK(cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(attribute), 0)) << attribute;
  }
}

TEST_F(Devices, the_figures_agree_with_each_other) {
  const auto figure = [](CUdevice_attribute attribute) {
    int value = 0;
    EXPECT_OK(cuDeviceGetAttribute(&value, attribute, 0));
    return value;
  };
  int major = 0;
  int minor = 0;
  ASSERT_OK(cuDeviceComputeCapability(&major, &minor, 0));
  EXPECT_EQ(major, figure(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR));
  EXPECT_EQ(minor, figure(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  CUdevprop properties{};
  ASSERT_OK(cuDeviceGetProperties(&properties, 0));
  EXPECT_EQ(properties.SIMDWidth, figure(CU_DEVICE_ATTRIBUTE_WARP_SIZE));
  EXPECT_EQ(properties.maxThreadsDim[2], figure(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z));
  EXPECT_LE(figure(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
            figure(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  EXPECT_EQ(
      0, figure(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) % figure(CU_DEVICE_ATTRIBUTE_WARP_SIZE));
}

TEST_F(Devices, a_bus_id_finds_its_device_and_another_finds_none) {
  for (int device = 0; device < device_count(); ++device) {
    char text[32] = "";
    ASSERT_OK(cuDeviceGetPCIBusId(text, sizeof text, device));
    CUdevice found = -1;
    EXPECT_OK(cuDeviceGetByPCIBusId(&found, text));
    EXPECT_EQ(device, found);
  }
  CUdevice found = -1;
  EXPECT_RESULT(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetByPCIBusId(&found, "0000:FE:1F.7"));
  EXPECT_EQ(-1, found);
}

TEST_F(Devices, two_devices_differ_in_uuid_and_name) {
  if (device_count() < 2) GTEST_SKIP() << "one device";
  CUuuid first{};
  CUuuid second{};
  ASSERT_OK(cuDeviceGetUuid(&first, 0));
  ASSERT_OK(cuDeviceGetUuid(&second, 1));
  EXPECT_NE(0, std::memcmp(&first, &second, sizeof first));
}

TEST_F(Devices, no_way_to_limit_multiprocessors_is_supported_and_an_unknown_one_is_no_error) {
  ONLY_ON_THE_EMBEDDED_DRIVER();
  for (const int type : {0, 1, 77}) {
    int supported = -1;
    EXPECT_OK(cuDeviceGetExecAffinitySupport(&supported, made_up<CUexecAffinityType>(type), 0));
    EXPECT_EQ(0, supported);
  }
}

TEST_F(Devices, a_name_of_no_length_is_refused) {
  ONLY_ON_THE_EMBEDDED_DRIVER();
  char name[1] = {'x'};
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuDeviceGetName(name, 0, 0));
  EXPECT_EQ('x', name[0]);
}

TEST_F(Devices, private_tables_are_never_handed_out) {
  ONLY_ON_THE_EMBEDDED_DRIVER();
  const void* table = &table;
  const CUuuid id{};
  EXPECT_RESULT(CUDA_ERROR_NOT_FOUND, cuGetExportTable(&table, &id));
  EXPECT_EQ(nullptr, table);
}

}  // namespace
