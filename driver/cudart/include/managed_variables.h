// SPDX-License-Identifier: MIT
// What cuda++ includes after cuda_runtime.h for the host's half of a file with __managed__ variables.
//
// clang knows such variables in HIP only, where it makes a pointer of each and follows it wherever the
// program uses the variable. So this half is compiled as HIP, and the functions that clang calls for that
// call the runtime here, under its names for CUDA. Included by no other header.
#ifndef DRIVERLAB_MANAGED_VARIABLES_H
#define DRIVERLAB_MANAGED_VARIABLES_H

#undef __managed__
#define __managed__ __attribute__((managed))

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int thread_limit,
                            uint3* thread, uint3* block, dim3* block_size, dim3* grid_size, int* warp_size);
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int is_extern, size_t size,
                       int is_constant, int is_global);
void __cudaRegisterManagedVar(void** handle, void** host, char* device, const char* name, int is_extern,
                              size_t size, int is_constant, int is_global);
void __cudaLoadManagedVars(void** handle);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream);

// One of each in a program, wherever clang has called it from.
#define DRIVERLAB_CALLED_BY_CLANG __attribute__((used, weak, visibility("hidden")))

struct DriverlabFatBinary {
  unsigned int magic, version;
  const void* data;
  void* unused;
};

DRIVERLAB_CALLED_BY_CLANG void** __hipRegisterFatBinary(DriverlabFatBinary* wrapper) {
  // Never freed: the runtime keeps it as long as the program lives.
  auto* const own = static_cast<DriverlabFatBinary*>(__builtin_malloc(sizeof(DriverlabFatBinary)));
  if (own == nullptr) return nullptr;
  *own = *wrapper;
  own->magic = 0x466243b1;
  return __cudaRegisterFatBinary(own);
}
DRIVERLAB_CALLED_BY_CLANG void __hipUnregisterFatBinary(void** handle) {
  __cudaUnregisterFatBinary(handle);
}
DRIVERLAB_CALLED_BY_CLANG int __hipRegisterFunction(void** handle, const char* host, char* device,
                                                    const char* name, int thread_limit, uint3* thread,
                                                    uint3* block, dim3* block_size, dim3* grid_size,
                                                    int* warp_size) {
  __cudaRegisterFunction(handle, host, device, name, thread_limit, thread, block, block_size, grid_size,
                         warp_size);
  return 0;
}
DRIVERLAB_CALLED_BY_CLANG void __hipRegisterVar(void** handle, char* host, char* device, const char* name,
                                                int is_extern, size_t size, int is_constant, int is_global) {
  __cudaRegisterVar(handle, host, device, name, is_extern, size, is_constant, is_global);
}
// Where there is no driver, the host finds at least the value that the program has given.
DRIVERLAB_CALLED_BY_CLANG void __hipRegisterManagedVar(void** handle, void** host, void* value,
                                                       const char* name, size_t size, unsigned int) {
  *host = value;
  __cudaRegisterManagedVar(handle, host, const_cast<char*>(name), name, 0, size, 0, 0);
  __cudaLoadManagedVars(handle);
}

DRIVERLAB_CALLED_BY_CLANG unsigned int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                                  struct CUstream_st* stream = 0) {
  return __cudaPushCallConfiguration(grid, block, shared, stream);
}
DRIVERLAB_CALLED_BY_CLANG cudaError_t __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* shared,
                                                                void* stream) {
  return __cudaPopCallConfiguration(grid, block, shared, stream);
}
DRIVERLAB_CALLED_BY_CLANG cudaError_t hipLaunchKernel(const void* kernel, dim3 grid, dim3 block,
                                                      void** arguments, size_t shared,
                                                      struct CUstream_st* stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

#undef DRIVERLAB_CALLED_BY_CLANG

}  // extern "C"

#endif  // DRIVERLAB_MANAGED_VARIABLES_H
