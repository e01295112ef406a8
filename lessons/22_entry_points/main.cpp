// Lesson 22: a program can ask for the driver's functions by name and version while it runs. Which function a
// version selects, what the driver returns if there is none, and why a program checks result and pointer.
#include <cudaTypedefs.h>

#include <algorithm>

#include "check_runtime.hpp"

// The function for a name and a version, and the status of the query.
struct Found {
  void* function = nullptr;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
};

int main() {
  // step: start
  // cuGetProcAddress itself comes from the library that the program is linked with.
  int driver = 0;
  CUdevice device = 0;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(cuDriverGetVersion(&driver));
  const int version = std::min(driver, CUDA_VERSION);  // which both the header and the driver know

  // step: name_and_version
  Found alloc, alloc_of_3020, alloc_of_2000;
  check(cuGetProcAddress("cuMemAlloc", &alloc.function, version, 0, &alloc.status));
  check(cuGetProcAddress("cuMemAlloc", &alloc_of_3020.function, 3020, 0, &alloc_of_3020.status));
  claim("the function was found", alloc.function != nullptr && alloc.status == CU_GET_PROC_ADDRESS_SUCCESS);
  claim("unchanged since CUDA 3.2", alloc.function == alloc_of_3020.function);

  // step: old_function
  // Before 3.2 sizes and addresses had 32 bits. The driver still has the cuMemAlloc of that time.
  check(cuGetProcAddress("cuMemAlloc", &alloc_of_2000.function, 2000, 0, &alloc_of_2000.status));
  claim("the old function was found, too", alloc_of_2000.function != nullptr);
  claim("but it is another function", alloc_of_2000.function != alloc.function);

  // step: two_signatures
  // One name, two signatures: since CUDA 10.1 there is a parameter for a mode. The version selects one.
  Found begin_of_10000, begin_of_10010;
  check(cuGetProcAddress("cuStreamBeginCapture", &begin_of_10000.function, 10000, 0, &begin_of_10000.status));
  check(cuGetProcAddress("cuStreamBeginCapture", &begin_of_10010.function, 10010, 0, &begin_of_10010.status));
  claim("version 10.1 has another function than 10.0", begin_of_10000.function != begin_of_10010.function);

  // step: too_early
  // CUDA has cuLibraryLoadData since 12.0. A query with 11.8 succeeds, and finds no function.
  Found library;
  check(cuGetProcAddress("cuLibraryLoadData", &library.function, 11080, 0, &library.status));
  claim("success, but the pointer is null", library.function == nullptr);
  claim("the status gives the reason", library.status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);

  // step: unknown
  Found nothing, suffixed;
  check(cuGetProcAddress("cuFoo", &nothing.function, version, 0, &nothing.status));
  check(cuGetProcAddress("cuMemAlloc_v2", &suffixed.function, version, 0, &suffixed.status));
  claim("there is no such name: the pointer is null", nothing.function == nullptr);
  claim("and the status says so", nothing.status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  claim("a name with a suffix is not found, either", suffixed.status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);

  // step: too_new
  // For a version that is newer than the driver's, the query itself returns an error.
  expect(CUDA_ERROR_INVALID_VALUE, cuGetProcAddress("cuInit", &nothing.function, 99000, 0, &nothing.status));

  // step: call
  // The types of cudaTypedefs.h have the version in their names. The query and the type both say 3020, so
  // this is the cuCtxCreate of CUDA 3.2, whichever version the header has.
  Found create;
  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  check(cuGetProcAddress("cuCtxCreate", &create.function, 3020, 0, &create.status));
  check(reinterpret_cast<PFN_cuCtxCreate_v3020>(create.function)(&context, 0, device));
  check(reinterpret_cast<PFN_cuMemAlloc_v3020>(alloc_of_3020.function)(&memory, 64));

  // step: runtime
  // The same query through the runtime. With it a program does not even have to link libcuda.
  Found through_runtime;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
  check(cudaGetDriverEntryPointByVersion("cuMemFree", &through_runtime.function, 3020, cudaEnableDefault,
                                         &status));
#else
  check(cudaGetDriverEntryPoint("cuMemFree", &through_runtime.function, cudaEnableDefault, &status));
#endif
  claim("the runtime found it", status == cudaDriverEntryPointSuccess && through_runtime.function != nullptr);
  check(reinterpret_cast<PFN_cuMemFree_v3020>(through_runtime.function)(memory));

  // step: end
  check(cuCtxDestroy(context));
}
