// Lesson 27: addresses and memory are two things. This program reserves addresses, creates memory, maps it
// and gives access to it. An array grows without a copy. A second process (second.cpp) uses the same memory.
#include <unistd.h>

#include "check.hpp"

constexpr std::size_t kRange = std::size_t{1} << 30, kInt = sizeof(int);
constexpr CUmemAllocationHandleType kByFile = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
const CUmemLocation kDevice0 = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
const CUmemAccessDesc kRead = {kDevice0, CU_MEM_ACCESS_FLAGS_PROT_READ};
const CUmemAccessDesc kReadWrite = {kDevice0, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};

// In second.cpp: how the second process is started, until it has ended; and what it does.
int run_second_process(int descriptor, const CUipcMemHandle& handle);
int in_second_process();

int number_at(CUdeviceptr address) {
  int number = 0;
  check(cuMemcpyDtoH(&number, address, kInt));
  return number;
}

int main(int count, char**) {
  if (count > 1) return in_second_process();
  CUcontext context = nullptr, owner = nullptr;
  CUmemAllocationProp properties = {CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_HANDLE_TYPE_NONE, kDevice0, {}, {}};
  CUmemAllocationProp found = {};
  CUmemGenericAllocationHandle first = 0, second = 0, same = 0, shared = 0;
  CUdeviceptr array = 0, window = 0, mapped = 0, plain = 0, opened = 0;
  std::size_t unit = 0, range = 0, mapping = 0;
  int number = 42, by_file = 0, descriptor = -1, older_way = -1;
  CUipcMemHandle handle = {}, none = {};

  // step: reserve
  // 1 GiB of addresses without memory. All sizes are multiples of the granularity.
  check(cuInit(0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  check(cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&array, 100, 0, 0, 0));
  check(cuMemAddressReserve(&array, kRange, 0, 0, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(&number, array, kInt));

  // step: map
  // Memory without addresses. It is mapped as a whole, at addresses that are not taken yet.
  expect(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&first, 100, &properties, 0));
  check(cuMemCreate(&first, unit, &properties, 0));
  expect(CUDA_ERROR_NOT_SUPPORTED, cuMemMap(array, unit / 2, 0, first, 0));
  check(cuMemMap(array, unit, 0, first, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemMap(array, unit, 0, first, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(array, 1, 16));

  // step: access
  // The last call says which device may do what. All of the addresses must be mapped.
  expect(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(array, 2 * unit, &kReadWrite, 1));
  check(cuMemSetAccess(array, unit, &kRead, 1));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(array, &number, kInt));
  check(cuMemSetAccess(array, unit, &kReadWrite, 1));
  check(cuMemcpyHtoD(array, &number, kInt));

  // step: grow
  // A second piece directly after the first: the array is twice as long, and nothing was copied.
  check(cuMemCreate(&second, unit, &properties, 0));
  check(cuMemMap(array + unit, unit, 0, second, 0));
  check(cuMemSetAccess(array + unit, unit, &kReadWrite, 1));
  claim("the 42 is still there, at the same address", number_at(array) == 42);
  check(cuMemsetD32(array + unit - kInt, 7, 2));
  claim("one fill has written to both pieces",
        number_at(array + unit - kInt) == 7 && number_at(array + unit) == 7);

  // step: attributes
  // What the driver says about an address of the array. cuMemFree is not for such memory.
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, array));
  check(cuPointerGetAttribute(&range, CU_POINTER_ATTRIBUTE_RANGE_SIZE, array));
  check(cuPointerGetAttribute(&mapping, CU_POINTER_ATTRIBUTE_MAPPING_SIZE, array));
  claim("no context owns the memory", owner == nullptr);
  claim("the range is what was reserved, the mapping is one piece", range == kRange && mapping == unit);
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFree(array));

  // step: twice
  // The second piece also at other addresses, for reading only: access belongs to a mapping.
  check(cuMemAddressReserve(&window, unit, 0, 0, 0));
  check(cuMemMap(window, unit, 0, second, 0));
  check(cuMemSetAccess(window, unit, &kRead, 1));
  check(cuMemsetD32(array + unit, 8, 1));
  claim("what is written at one address is read at the other", number_at(window) == 8);

  // step: release
  // A mapping keeps the memory, with or without a handle.
  check(cuMemRelease(first));
  claim("its handle is released, and the 42 is still there", number_at(array) == 42);
  check(cuMemRetainAllocationHandle(&same, reinterpret_cast<void*>(array)));
  check(cuMemGetAllocationPropertiesFromHandle(&found, same));
  claim("it is the same handle, of memory of device 0", same == first && found.location.id == 0);
  for (CUmemGenericAllocationHandle one : {same, second}) check(cuMemRelease(one));

  // step: unmap
  // Only whole mappings, as many as lie one after the other. The window keeps the second piece.
  expect(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(array, unit / 2));
  check(cuMemUnmap(array, 2 * unit));
  claim("the window still shows the 8", number_at(window) == 8);
  check(cuMemUnmap(window, unit));
  check(cuMemAddressFree(window, unit));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(array, unit));
  check(cuMemAddressFree(array, kRange));

  // step: ipc_handle
  // The older way of sharing is for memory of cuMemAlloc. This process itself cannot open the handle.
  check(cuMemAlloc(&plain, kInt));
  check(cuMemcpyHtoD(plain, &number, kInt));
  check(cuIpcGetMemHandle(&handle, plain));
  expect(CUDA_ERROR_INVALID_CONTEXT, cuIpcOpenMemHandle(&opened, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));

  // step: descriptor
  // Memory of cuMemCreate can be shared by a file descriptor, if it was created for that.
  check(cuDeviceGetAttribute(&by_file, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 0));
  if (by_file == 0) {
    std::printf("this device shares no memory by a file descriptor: the program ends here\n");
    check(cuMemFree(plain));
    check(cuCtxDestroy(context));
    return 0;
  }
  properties.requestedHandleTypes = kByFile;
  check(cuMemCreate(&shared, unit, &properties, 0));
  check(cuMemExportToShareableHandle(&descriptor, shared, kByFile, 0));
  check(cuMemAddressReserve(&mapped, unit, 0, 0, 0));
  check(cuMemMap(mapped, unit, 0, shared, 0));
  check(cuMemSetAccess(mapped, unit, &kReadWrite, 1));
  check(cuMemsetD32(mapped, 52, 1));
  check(cuPointerGetAttribute(&older_way, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, mapped));
  claim("the older way of sharing is not for this memory", older_way == 0);
  expect(CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(&none, mapped));

  // step: second_process
  // The second process runs the steps of second.cpp while this one waits.
  check(cuCtxSynchronize());
  claim("the second process has ended without an error", run_second_process(descriptor, handle) == 0);
  claim("it has written 43 to the memory of cuMemAlloc", number_at(plain) == 43);
  claim("and 53 to the mapped memory", number_at(mapped) == 53);
  close(descriptor);
  check(cuMemUnmap(mapped, unit));
  check(cuMemRelease(shared));
  check(cuMemAddressFree(mapped, unit));
  check(cuMemFree(plain));
  check(cuCtxDestroy(context));
}
