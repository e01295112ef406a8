// Exercise 27, the answers: whole units, whole mappings, whole reservations, and one step after the other.
#include <string>
#include <vector>

#include "check.hpp"

// Change this table only. Each answer is the number of a result: 0 for success, 1 and so on.
const std::string answers[] = {
    // 1: what does cuMemCreate return for 1000 bytes?
    "1",
    // 2: four units are reserved; what does a copy from their first bytes return?
    "1",
    // 3: there is memory of two units; what does cuMemMap of one unit of it return?
    "801",
    // 4: both units are mapped; what does cuMemsetD8 return?
    "1",
    // 5: what does cuMemSetAccess for all four units return?
    "1",
    // 6: the two units may be read; what does a copy to them return?
    "1",
    // 7: now they may be written too, and the handle is released; what does a copy from them return?
    "0",
    // 8: what does cuMemUnmap of the first unit return?
    "1",
    // 9: both units are unmapped; what does cuMemAddressFree of two units return?
    "1",
    // 10: what does a second cuMemRelease of the handle return?
    "1",
    // 11: what does cuIpcOpenMemHandle return in the process that made the handle?
    "201",
};

int main() {
  constexpr CUmemAccess_flags kRead = CU_MEM_ACCESS_FLAGS_PROT_READ,
                              kReadWrite = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  std::vector<std::string> facts;
  const auto note = [&](CUresult result) { facts.push_back(std::to_string(result)); };
  CUcontext context = nullptr;
  CUmemAllocationProp properties = {};
  CUmemAccessDesc access = {};
  CUmemGenericAllocationHandle memory = 0;
  CUdeviceptr address = 0, plain = 0, opened = 0;
  CUipcMemHandle handle = {};
  std::size_t unit = 0;
  int number = 0;
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  check(cuInit(0));
  check(create_context(&context, 0, 0));
  check(cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));

  note(cuMemCreate(&memory, 1000, &properties, 0));
  check(cuMemAddressReserve(&address, 4 * unit, 0, 0, 0));
  note(cuMemcpyDtoH(&number, address, sizeof number));

  check(cuMemCreate(&memory, 2 * unit, &properties, 0));
  note(cuMemMap(address, unit, 0, memory, 0));
  check(cuMemMap(address, 2 * unit, 0, memory, 0));
  note(cuMemsetD8(address, 1, 16));

  access.flags = kReadWrite;
  note(cuMemSetAccess(address, 4 * unit, &access, 1));
  access.flags = kRead;
  check(cuMemSetAccess(address, 2 * unit, &access, 1));
  note(cuMemcpyHtoD(address, &number, sizeof number));
  access.flags = kReadWrite;
  check(cuMemSetAccess(address, 2 * unit, &access, 1));

  check(cuMemRelease(memory));
  note(cuMemcpyDtoH(&number, address, sizeof number));
  note(cuMemUnmap(address, unit));
  check(cuMemUnmap(address, 2 * unit));
  note(cuMemAddressFree(address, 2 * unit));
  check(cuMemAddressFree(address, 4 * unit));
  note(cuMemRelease(memory));

  check(cuMemAlloc(&plain, sizeof number));
  check(cuIpcGetMemHandle(&handle, plain));
  note(cuIpcOpenMemHandle(&opened, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  check(cuMemFree(plain));
  check(cuCtxDestroy(context));

  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (answers[i] == facts[i]) continue;
    std::printf("question %zu: you wrote %s; it is %s\n", i + 1, answers[i].c_str(), facts[i].c_str());
    return 1;
  }
  std::printf("all %zu answers are right\n", facts.size());
}
