// Lesson 20: the driver's functions can be fetched by name and version while the program runs. What a version
// chooses, what is said when there is nothing to fetch, and why the answer has to be looked at twice.
#include <cudaTypedefs.h>

#include <algorithm>

#include "check_runtime.hpp"

// What a name stands for at a version, and what the driver says to the question.
struct Found {
  void* function = nullptr;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
};

int main() {
  // step: start
  // cuGetProcAddress has to come from somewhere itself: from the library that the program is linked with.
  int driver = 0;
  check(cuInit(0));
  check(cuDriverGetVersion(&driver));
  const int version = std::min(driver, CUDA_VERSION);  // known to this header, and to this driver

  // step: newest
  Found alloc, alloc_of_3020, alloc_of_2000;
  check(cuGetProcAddress("cuMemAlloc", &alloc.function, version, 0, &alloc.status));
  check(cuGetProcAddress("cuMemAlloc", &alloc_of_3020.function, 3020, 0, &alloc_of_3020.status));
  claim("found", alloc.function != nullptr && alloc.status == CU_GET_PROC_ADDRESS_SUCCESS);
  claim("unchanged since CUDA 3.2", alloc.function == alloc_of_3020.function);

  // step: older
  // Before 3.2 sizes and addresses had 32 bits. That function is still there, and is another one.
  check(cuGetProcAddress("cuMemAlloc", &alloc_of_2000.function, 2000, 0, &alloc_of_2000.status));
  claim("found as well", alloc_of_2000.function != nullptr);
  claim("but it is not the same", alloc_of_2000.function != alloc.function);

  // step: exact
  // One name, two signatures: the version says which one comes.
  Found begin_of_10000, begin_of_10010;
  check(cuGetProcAddress("cuStreamBeginCapture", &begin_of_10000.function, 10000, 0, &begin_of_10000.status));
  check(cuGetProcAddress("cuStreamBeginCapture", &begin_of_10010.function, 10010, 0, &begin_of_10010.status));
  claim("with a mode since 10.1, without before", begin_of_10000.function != begin_of_10010.function);

  // step: too_early
  // cuLibraryLoadData came with 12.0. Success, and nothing found.
  Found library;
  check(cuGetProcAddress("cuLibraryLoadData", &library.function, 11080, 0, &library.status));
  claim("success, and yet a null pointer", library.function == nullptr);
  claim("the status tells why", library.status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);

  // step: unknown
  Found nothing, suffixed;
  check(cuGetProcAddress("cuFoo", &nothing.function, version, 0, &nothing.status));
  check(cuGetProcAddress("cuMemAlloc_v2", &suffixed.function, version, 0, &suffixed.status));
  claim("no such name: a null pointer", nothing.function == nullptr);
  claim("and another status", nothing.status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  claim("a suffix belongs to no name", suffixed.status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);

  // step: beyond
  // The one question that is answered with an error: about a CUDA that this driver has never heard of.
  expect(CUDA_ERROR_INVALID_VALUE, cuGetProcAddress("cuInit", &nothing.function, 99000, 0, &nothing.status));

  // step: call
  // The types of cudaTypedefs.h have the version in their names. Asked for with 3020 and called by the type
  // of 3020, it is the cuCtxCreate of then, whatever header this is.
  Found create;
  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  check(cuGetProcAddress("cuCtxCreate", &create.function, 3020, 0, &create.status));
  check(reinterpret_cast<PFN_cuCtxCreate_v3020>(create.function)(&context, 0, 0));
  check(reinterpret_cast<PFN_cuMemAlloc_v3020>(alloc_of_3020.function)(&memory, 64));

  // step: runtime
  // The same question, asked through the runtime: then not even libcuda has to be linked.
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
