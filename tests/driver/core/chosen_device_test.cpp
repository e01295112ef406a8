// SPDX-License-Identifier: MIT
// DRIVERLAB_DEVICE: each device that can be chosen, what differs on it for a program, and words that name
// none. A device is chosen for a process, so each test runs its program in a child.
#include <sys/mman.h>

#include <functional>
#include <map>

#include "api/devices.hpp"
#include "support.hpp"

namespace {

const char* const chosen_kernels = R"(
.version 7.0
.target sm_70
.address_size 64
.extern .shared .align 4 .b8 dynamic[];
.visible .entry nothing() { ret; }
.visible .entry last_word(.param .u64 result, .param .u32 bytes)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<5>;
  ld.param.u64 %rd1, [result];
  ld.param.u32 %r1, [bytes];
  mov.u32 %r2, dynamic;
  add.u32 %r2, %r2, %r1;
  st.shared.u32 [%r2+-4], %r1;
  ld.shared.u32 %r3, [%r2+-4];
  st.global.u32 [%rd1], %r3;
  ret;
}
)";

// What a program in a child finds out: numbers, and the lines that it prints on stderr.
struct Report {
  std::vector<long long> numbers;
  std::string said;
};
using Numbers = std::vector<long long>;

Report report_of(const char* word, const std::function<Numbers()>& program) {
  int numbers[2], words[2];
  EXPECT_EQ(0, pipe(numbers));
  EXPECT_EQ(0, pipe(words));
  const pid_t child = fork();
  if (child == 0) {
    dup2(words[1], STDERR_FILENO);
    setenv("DRIVERLAB_DEVICE", word, 1);
    const Numbers found = program();
    const std::size_t size = found.size() * sizeof found[0];
    _exit(write(numbers[1], found.data(), size) == static_cast<ssize_t>(size) ? 0 : 1);
  }
  close(numbers[1]);
  close(words[1]);
  Report report;
  long long number = 0;
  while (read(numbers[0], &number, sizeof number) == sizeof number) report.numbers.push_back(number);
  char c = 0;
  while (read(words[0], &c, 1) == 1) report.said += c;
  close(numbers[0]);
  close(words[0]);
  int status = 0;
  EXPECT_EQ(child, waitpid(child, &status, 0));
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << word;
  return report;
}

// A context of device 0 and its functions. A child that cannot make them ends.
struct ChosenProgram {
  CUmodule module = nullptr;
  CUfunction nothing = nullptr, last_word = nullptr;

  ChosenProgram() {
    CUcontext context = nullptr;
    if (cuInit(0) != CUDA_SUCCESS || cuCtxCreate(&context, nullptr, 0, 0) != CUDA_SUCCESS ||
        cuModuleLoadData(&module, chosen_kernels) != CUDA_SUCCESS ||
        cuModuleGetFunction(&nothing, module, "nothing") != CUDA_SUCCESS ||
        cuModuleGetFunction(&last_word, module, "last_word") != CUDA_SUCCESS)
      _exit(99);
  }
};

int figure(CUdevice_attribute attribute, CUdevice device = 0) {
  int value = -1;
  return cuDeviceGetAttribute(&value, attribute, device) == CUDA_SUCCESS ? value : -99;
}

// By number, for every device.
Numbers all_attributes() {
  Numbers values;
  if (cuInit(0) != CUDA_SUCCESS) return values;
  for (int device = 0; device < 2; ++device)
    for (int attribute = 1; attribute < CU_DEVICE_ATTRIBUTE_MAX; ++attribute)
      values.push_back(figure(static_cast<CUdevice_attribute>(attribute), device));
  return values;
}

// The name as numbers, then the memory of both devices.
Numbers name_and_memory() {
  Numbers values;
  char name[100] = "";
  std::size_t first = 0, second = 0;
  if (cuInit(0) != CUDA_SUCCESS || cuDeviceGetName(name, sizeof name, 1) != CUDA_SUCCESS ||
      cuDeviceTotalMem(&first, 0) != CUDA_SUCCESS || cuDeviceTotalMem(&second, 1) != CUDA_SUCCESS)
    return values;
  values = {static_cast<long long>(first), static_cast<long long>(second)};
  for (const char* c = name; *c != '\0'; ++c) values.push_back(*c);
  return values;
}

Numbers expected_name_and_memory(std::string_view name, std::uint64_t memory) {
  Numbers values(2, static_cast<long long>(memory));
  values.insert(values.end(), name.begin(), name.end());
  return values;
}

TEST(ChosenDevice, each_has_its_own_name_memory_and_figures_and_else_those_of_the_embedded_one) {
  const Numbers own = report_of("", all_attributes).numbers;
  ASSERT_EQ(2 * std::size_t{CU_DEVICE_ATTRIBUTE_MAX - 1}, own.size());
  ASSERT_FALSE(api::devices().empty());
  for (const api::DeviceDescription& device : api::devices()) {
    Numbers expected = own;
    for (const api::DeviceFigure& one : device.figures)
      for (const int before : {0, CU_DEVICE_ATTRIBUTE_MAX - 1})
        expected[static_cast<std::size_t>(before + one.attribute - 1)] = one.value;
    const std::string word(device.word);
    const Report report = report_of(word.c_str(), all_attributes);
    EXPECT_EQ(expected, report.numbers) << word;
    EXPECT_NE(own, report.numbers) << word;
    EXPECT_EQ("", report.said) << word;
    EXPECT_EQ(expected_name_and_memory(device.name, device.memory),
              report_of(word.c_str(), name_and_memory).numbers)
        << word;
  }
}

TEST(ChosenDevice, without_a_choice_it_is_the_embedded_one) {
  for (const char* const word : {"", "h2000", "H100", "a100 ", "0"}) {
    EXPECT_EQ(expected_name_and_memory("Embedded GPU 1", std::uint64_t{8} << 30),
              report_of(word, name_and_memory).numbers)
        << word;
    const Numbers own = report_of(word, all_attributes).numbers;
    const std::map<int, long long> known = {{CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 8},
                                            {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 9},
                                            {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 24},
                                            {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 2370000},
                                            {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 33554432},
                                            {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 101376},
                                            {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 1536}};
    for (const auto& [attribute, value] : known)
      EXPECT_EQ(value, own.at(static_cast<std::size_t>(attribute - 1))) << word << " " << attribute;
  }
}

TEST(ChosenDevice, a_word_that_names_none_is_said_with_the_words_that_there_are) {
  for (const char* const word : {"h2000", "H100", "a100 ", "0"})
    EXPECT_EQ("driverlab: DRIVERLAB_DEVICE is \"" + std::string(word) +
                  "\", which means nothing; the devices are the embedded driver's own. Set it to one of " +
                  api::device_words() + ", or unset it.\n",
              report_of(word, all_attributes).said);
  EXPECT_EQ("", report_of("", all_attributes).said);
}

// Beyond 48 KiB a program has to ask for it; the kernel writes and reads the last word.
Numbers uses_all_the_shared_memory() {
  const ChosenProgram program;
  const int most = figure(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  CUdeviceptr result = 0;
  if (cuMemAlloc(&result, 4) != CUDA_SUCCESS) return {};
  unsigned bytes = 0;
  void* parameters[] = {&result, &bytes};
  const auto launch = [&](int size) -> long long {
    bytes = static_cast<unsigned>(size);
    return cuLaunchKernel(program.last_word, 1, 1, 1, 1, 1, 1, bytes, nullptr, parameters, nullptr);
  };
  const auto ask = [&](int size) -> long long {
    return cuFuncSetAttribute(program.last_word, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, size);
  };
  Numbers found = {launch(49152), launch(49153),    launch(most), ask(most + 1),
                   ask(most),     launch(most + 1), launch(most)};
  int last = 0;
  found.push_back(cuMemcpyDtoH(&last, result, 4));
  found.push_back(last);
  return found;
}

TEST(ChosenDevice, a_block_has_as_much_shared_memory_as_the_device_has_and_not_more) {
  const std::map<std::string, int> most = {{"", 101376},     {"v100", 98304}, {"t4", 65536},
                                           {"a100", 166912}, {"l4", 101376},  {"rtx4090", 101376},
                                           {"h100", 232448}, {"h200", 232448}};
  for (const auto& [word, bytes] : most)
    EXPECT_EQ((Numbers{0, 1, 1, 1, 0, 1, 0, 0, bytes}),
              report_of(word.c_str(), uses_all_the_shared_memory).numbers)
        << word;
}

Numbers best_blocks() {
  const ChosenProgram program;
  int grid = 0, block = 0, held = 0;
  if (cuOccupancyMaxPotentialBlockSize(&grid, &block, program.nothing, nullptr, 0, 0) != CUDA_SUCCESS ||
      cuOccupancyMaxActiveBlocksPerMultiprocessor(&held, program.nothing, 32, 0) != CUDA_SUCCESS)
    return {};
  return {grid, block, held};
}

TEST(ChosenDevice, the_best_block_fills_its_multiprocessors) {
  const std::map<std::string, Numbers> best = {{"", {48, 768, 24}},       {"v100", {160, 1024, 32}},
                                               {"t4", {40, 1024, 16}},    {"a100", {216, 1024, 32}},
                                               {"l4", {116, 768, 24}},    {"rtx4090", {256, 768, 24}},
                                               {"h100", {264, 1024, 32}}, {"h200", {264, 1024, 32}}};
  for (const auto& [word, numbers] : best)
    EXPECT_EQ(numbers, report_of(word.c_str(), best_blocks).numbers) << word;
}

// All but the last piece, which is smaller than a block of the driver's; and its last word can be used.
Numbers takes_all_the_memory() {
  const ChosenProgram program;
  constexpr std::size_t unit = std::size_t{2} << 20;
  std::size_t free = 0, total = 0;
  CUdeviceptr all = 0, more = 0, pitched = 0;
  std::size_t pitch = 0;
  if (cuMemGetInfo(&free, &total) != CUDA_SUCCESS) return {};
  const std::size_t size = total / unit * unit;
  Numbers found = {cuMemAlloc(&all, total + 1), cuMemAllocPitch(&pitched, &pitch, total, 2, 4),
                   cuMemAlloc(&all, size), cuMemAlloc(&more, unit), cuMemsetD32(all + size - 4, 77, 1)};
  unsigned last = 0;
  found.push_back(cuMemcpyDtoH(&last, all + size - 4, 4));
  found.push_back(last);
  found.push_back(cuMemFree(all));
  found.push_back(cuMemAlloc(&more, unit));
  return found;
}

TEST(ChosenDevice, memory_ends_where_the_device_ends) {
  for (const api::DeviceDescription& device : api::devices()) {
    const std::string word(device.word);
    EXPECT_EQ((Numbers{2, 2, 0, 2, 0, 0, 77, 0, 0}), report_of(word.c_str(), takes_all_the_memory).numbers)
        << word;
  }
}

TEST(ChosenDevice, eight_large_ones_have_all_their_memory) {
  const auto program = []() -> Numbers {
    setenv("DRIVERLAB_DEVICES", "8", 1);
    Numbers found;
    if (cuInit(0) != CUDA_SUCCESS) return found;
    for (CUdevice device = 0; device < 8; ++device) {
      std::size_t total = 0;
      CUcontext context = nullptr;
      CUdeviceptr address = 0;
      if (cuDeviceTotalMem(&total, device) != CUDA_SUCCESS ||
          cuCtxCreate(&context, nullptr, 0, device) != CUDA_SUCCESS)
        return found;
      found.push_back(static_cast<long long>(total));
      found.push_back(cuMemAlloc(&address, total / 2));
      found.push_back(cuMemsetD8(address + total / 2 - 1, 1, 1));
    }
    return found;
  };
  Numbers expected;
  for (int device = 0; device < 8; ++device)
    expected.insert(expected.end(), {static_cast<long long>(api::find_device("h200")->memory), 0, 0});
  EXPECT_EQ(expected, report_of("h200", program).numbers);
}

Numbers launch_on_all_devices() {
  setenv("DRIVERLAB_DEVICES", "8", 1);
  Numbers found;
  if (cuInit(0) != CUDA_SUCCESS) return found;
  for (CUdevice device = 0; device < 8; ++device) {
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    CUdeviceptr memory = 0;
    std::uint32_t bytes = 64, last = 0;
    void* arguments[] = {&memory, &bytes};
    if (cuCtxCreate(&context, nullptr, 0, device) != CUDA_SUCCESS ||
        cuModuleLoadData(&module, chosen_kernels) != CUDA_SUCCESS ||
        cuModuleGetFunction(&function, module, "last_word") != CUDA_SUCCESS ||
        cuMemAlloc(&memory, 4) != CUDA_SUCCESS)
      return found;
    found.push_back(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, bytes, nullptr, arguments, nullptr));
    found.push_back(cuMemcpyDtoH(&last, memory, sizeof last));
    found.push_back(last);
  }
  return found;
}

// Their memory fills the addresses where the system puts libraries, here and in the processes that run
// kernels.
TEST(ChosenDevice, eight_large_ones_run_kernels) {
  Numbers expected;
  for (int device = 0; device < 8; ++device) expected.insert(expected.end(), {0, 0, 64});
  for (int run = 0; run < 5; ++run)
    EXPECT_EQ(expected, report_of("h200", launch_on_all_devices).numbers) << run;
}

// So that the system has to choose others, among its own.
TEST(ChosenDevice, devices_run_kernels_where_their_usual_addresses_are_taken) {
  const auto program = [] {
    constexpr std::uint64_t kStep = std::uint64_t{16} << 30;
    for (std::uint64_t place = 0x700000000000; place < 0x7ef000000000; place += kStep)
      mmap(reinterpret_cast<void*>(place), kStep, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    return launch_on_all_devices();
  };
  Numbers expected;
  for (int device = 0; device < 8; ++device) expected.insert(expected.end(), {0, 0, 64});
  for (const char* const word : {"h200", "t4"})
    for (int run = 0; run < 3; ++run)
      EXPECT_EQ(expected, report_of(word, program).numbers) << word << ' ' << run;
}

// The addresses of three devices reach to where those of virtual memory would begin.
TEST(ChosenDevice, virtual_memory_has_addresses_beside_large_devices) {
  for (const char* const count : {"1", "3", "8"}) {
    const auto program = [count]() -> Numbers {
      setenv("DRIVERLAB_DEVICES", count, 1);
      const ChosenProgram context;
      CUmemAllocationProp said{};
      said.type = CU_MEM_ALLOCATION_TYPE_PINNED;
      said.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
      said.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
      CUmemAccessDesc access{said.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
      const std::size_t size = std::size_t{2} << 20;
      CUmemGenericAllocationHandle handle = 0;
      CUdeviceptr address = 0;
      int value = 0;
      Numbers found = {cuMemCreate(&handle, size, &said, 0),  cuMemAddressReserve(&address, size, 0, 0, 0),
                       cuMemMap(address, size, 0, handle, 0), cuMemSetAccess(address, size, &access, 1),
                       cuMemsetD32(address, 42, 1),           cuMemcpyDtoH(&value, address, sizeof value)};
      found.push_back(value);
      return found;
    };
    EXPECT_EQ((Numbers{0, 0, 0, 0, 0, 0, 42}), report_of("h200", program).numbers) << count;
  }
}

Numbers launches_in_clusters() {
  const ChosenProgram program;
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  CUlaunchConfig config{};
  config.gridDimX = 4;
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = config.blockDimY = config.blockDimZ = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  Numbers found = {figure(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH)};
  for (const unsigned blocks : {1U, 2U}) {
    attribute.value.clusterDim = {blocks, 1, 1};
    found.push_back(cuLaunchKernelEx(&config, program.nothing, nullptr, nullptr));
  }
  return found;
}

TEST(ChosenDevice, blocks_come_in_clusters_from_compute_capability_9_on) {
  for (const api::DeviceDescription& device : api::devices()) {
    const std::string word(device.word);
    const auto capability = [] { return Numbers{figure(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)}; };
    const auto asked = [&] { return cuInit(0) == CUDA_SUCCESS ? capability() : Numbers{}; };
    const bool has = report_of(word.c_str(), asked).numbers.at(0) >= 9;
    EXPECT_EQ(
        has ? (Numbers{1, CUDA_SUCCESS, CUDA_SUCCESS}) : (Numbers{0, CUDA_SUCCESS, CUDA_ERROR_NOT_SUPPORTED}),
        report_of(word.c_str(), launches_in_clusters).numbers)
        << word;
  }
}

Numbers loads(const char* target) {
  const ChosenProgram program;
  const std::string text =
      ".version 8.0\n.target " + std::string(target) + "\n.address_size 64\n.visible .entry k() { ret; }\n";
  CUmodule module = nullptr;
  return {cuModuleLoadData(&module, text.c_str())};
}

TEST(ChosenDevice, ptx_that_was_written_for_a_newer_one_is_refused) {
  struct Case {
    const char *word, *fits, *too_new;
  };
  for (const Case& one :
       {Case{"v100", "sm_70", "sm_72"}, Case{"t4", "sm_75", "sm_80"}, Case{"a100", "sm_80", "sm_86"},
        Case{"rtx4090", "sm_89", "sm_90"}, Case{"", "sm_89", "sm_90"}}) {
    const auto load = [](const char* target) { return [target] { return loads(target); }; };
    EXPECT_EQ(Numbers{CUDA_SUCCESS}, report_of(one.word, load(one.fits)).numbers) << one.word;
    EXPECT_EQ(Numbers{CUDA_ERROR_INVALID_PTX}, report_of(one.word, load(one.too_new)).numbers) << one.word;
  }
  EXPECT_EQ(Numbers{CUDA_SUCCESS}, report_of("h100", [] { return loads("sm_90"); }).numbers);
}

}  // namespace
