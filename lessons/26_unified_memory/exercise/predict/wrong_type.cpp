// Exercise 26, a wrong answer: the host can use the pointer, so it counts as host memory.
#include <string>
#include <vector>

#include "check.hpp"

// Change this table only. Each answer is a number: a result, a type, a place, or 1 for yes and 0 for no.
const std::string answers[] = {
    // 1: what does cuMemAllocManaged return if its flags are 0?
    "1",
    // 2: it allocates with CU_MEM_ATTACH_GLOBAL; of which memory type is the pointer?
    "1",
    // 3: what is the place of the last prefetch then?
    "-2",
    // 4: device 0 becomes the preferred place; what is the place of the last prefetch?
    "-2",
    // 5: the memory is prefetched to the host; what is the preferred place?
    "0",
    // 6: and the place of the last prefetch?
    "-1",
    // 7: device 0 fills all of the memory; what is the place of the last prefetch?
    "-1",
    // 8: the memory is advised to be read mostly, and the host writes; is it still read mostly?
    "1",
    // 9: what does cuMemAdvise return for memory of cuMemAlloc?
    "1",
    // 10: what does a prefetch to a device return that does not exist?
    "101",
};

int main() {
  constexpr std::size_t kBytes = 2 * lesson::MiB;
  std::vector<std::string> facts;
  const auto note = [&](int fact) { facts.push_back(std::to_string(fact)); };
  CUcontext context = nullptr;
  CUdeviceptr memory = 0, plain = 0;
  CUmemLocation host{CU_MEM_LOCATION_TYPE_HOST, 0}, device{CU_MEM_LOCATION_TYPE_DEVICE, 0};
  unsigned type = 0;
  const auto note_kept = [&](CUmem_range_attribute what) {
    int value = 0;
    check(cuMemRangeGetAttribute(&value, sizeof value, what, memory, kBytes));
    note(value);
  };
  check(cuInit(0));
  check(create_context(&context, 0, 0));

  note(cuMemAllocManaged(&memory, kBytes, 0));
  check(cuMemAllocManaged(&memory, kBytes, CU_MEM_ATTACH_GLOBAL));
  check(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
  note(static_cast<int>(type));
  note_kept(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION);

  check(cuMemAdvise_v2(memory, kBytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device));
  note_kept(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION);
  check(cuMemPrefetchAsync_v2(memory, kBytes, host, 0, nullptr));
  check(cuCtxSynchronize());
  note_kept(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION);
  note_kept(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION);
  check(cuMemsetD8(memory, 9, kBytes));
  check(cuCtxSynchronize());
  note_kept(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION);

  check(cuMemAdvise_v2(memory, kBytes, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
  *reinterpret_cast<int*>(memory) = 8;
  note_kept(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY);

  check(cuMemAlloc(&plain, kBytes));
  note(cuMemAdvise_v2(plain, kBytes, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
  check(cuDeviceGetCount(&device.id));
  note(cuMemPrefetchAsync_v2(memory, kBytes, device, 0, nullptr));
  for (CUdeviceptr address : {memory, plain}) check(cuMemFree(address));
  check(cuCtxDestroy(context));

  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (answers[i] == facts[i]) continue;
    std::printf("question %zu: you wrote %s; it is %s\n", i + 1, answers[i].c_str(), facts[i].c_str());
    return 1;
  }
  std::printf("all %zu answers are right\n", facts.size());
}
