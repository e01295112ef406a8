// Exercise 03, a wrong answer: "the result is copied, so its memory is freed". The two inputs are left to the
// context.
#include <vector>

#include "check.hpp"

// The numbers that a device has to add: 10,000 of each, other ones for each device. Leave these three
// functions and main() as they are.
constexpr std::size_t kElements = 10'000;
std::vector<float> first_numbers(CUdevice device) {
  return std::vector<float>(kElements, static_cast<float>(device + 1));
}
std::vector<float> second_numbers(CUdevice device) {
  std::vector<float> numbers(kElements);
  for (std::size_t i = 0; i < kElements; ++i) numbers[i] = static_cast<float>(i) + static_cast<float>(device);
  return numbers;
}

// Hand in the sums of a device here, once for each device.
int handed_in = 0;
void hand_in(CUdevice device, const std::vector<float>& sums) {
  std::vector<float> right = first_numbers(device);
  const std::vector<float> second = second_numbers(device);
  for (std::size_t i = 0; i < kElements; ++i) right[i] += second[i];
  std::printf("device %d: ", device);
  claim("every sum is right", sums == right);
  ++handed_in;
}

int attribute(CUdevice device, CUdevice_attribute which) {
  int value = 0;
  check(cuDeviceGetAttribute(&value, which, device));
  return value;
}

void print_properties(CUdevice device) {
  char name[100] = {};
  std::size_t bytes = 0;
  check(cuDeviceGetName(name, sizeof name, device));
  check(cuDeviceTotalMem(&bytes, device));
  std::printf("device %d: %s, %zu MiB, compute capability %d.%d, %d multiprocessors\n", device, name,
              bytes / lesson::MiB, attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
              attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
              attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
}

std::vector<float> sums_of(CUdevice device) {
  const std::vector<float> a = first_numbers(device), b = second_numbers(device);
  const std::size_t bytes = kElements * sizeof(float);
  std::vector<float> sums(kElements);
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction vec_add = nullptr;
  check(create_context(&context, 0, device));
  check(cuModuleLoad(&module, lesson::beside_program("vec_add.ptx").c_str()));
  check(cuModuleGetFunction(&vec_add, module, "VecAdd"));

  CUdeviceptr on_device_a = 0, on_device_b = 0, on_device_sums = 0;
  for (CUdeviceptr* vector : {&on_device_a, &on_device_b, &on_device_sums}) check(cuMemAlloc(vector, bytes));
  check(cuMemcpyHtoD(on_device_a, a.data(), bytes));
  check(cuMemcpyHtoD(on_device_b, b.data(), bytes));
  int n = static_cast<int>(kElements);
  void* parameters[] = {&on_device_a, &on_device_b, &on_device_sums, &n};
  const auto blocks = static_cast<unsigned>((kElements + 255) / 256);
  check(cuLaunchKernel(vec_add, blocks, 1, 1, 256, 1, 1, 0, nullptr, parameters, nullptr));
  check(cuMemcpyDtoH(sums.data(), on_device_sums, bytes));

  check(cuMemFree(on_device_sums));
  check(cuModuleUnload(module));
  check(cuCtxDestroy(context));
  return sums;
}

void report_every_device() {
  int count = 0;
  check(cuInit(0));
  check(cuDeviceGetCount(&count));
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    CUdevice device = 0;
    check(cuDeviceGet(&device, ordinal));
    print_properties(device);
    hand_in(device, sums_of(device));
  }
}

int main() {
  report_every_device();
  int count = 0;
  CUcontext current = nullptr;
  check(cuDeviceGetCount(&count));
  claim("every device has handed in its sums", handed_in == count);
  check(cuCtxGetCurrent(&current));
  claim("no context is left", current == nullptr);
}
