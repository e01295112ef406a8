// SPDX-License-Identifier: MIT
// Functions that compilers call without the program's knowledge: before main to register its kernels and
// variables, and at each kernel<<<…>>>(…) to pass the configuration to the kernel's stub.
//
// In no manual; the names and parameters are those that clang and nvcc generate. Everything is only noted
// (code.hpp).
#include <vector>

#include "code.hpp"

using namespace cudart;

namespace {

struct Configuration {
  dim3 grid;
  dim3 block;
  size_t shared;
  cudaStream_t stream;
};

// A stack, because an argument of a launch may itself launch.
thread_local std::vector<Configuration> configurations;

Image* image_of(void** handle) {
  return reinterpret_cast<Image*>(handle);
}

}  // namespace

extern "C" {

void** CUDARTAPI __cudaRegisterFatBinary(void* wrapper);
void CUDARTAPI __cudaRegisterFatBinaryEnd(void** handle);
void CUDARTAPI __cudaUnregisterFatBinary(void** handle);
void CUDARTAPI __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name,
                                      int thread_limit, uint3* thread, uint3* block, dim3* block_size,
                                      dim3* grid_size, int* warp_size);
void CUDARTAPI __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int is_extern,
                                 size_t size, int is_constant, int is_global);
void CUDARTAPI __cudaRegisterManagedVar(void** handle, void** host, char* device, const char* name,
                                        int is_extern, size_t size, int is_constant, int is_global);
char CUDARTAPI __cudaInitModule(void** handle);
void CUDARTAPI __cudaLoadManagedVars(void** handle);
unsigned int CUDARTAPI __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream);
unsigned int CUDARTAPI __cudaPushCallConfiguration_ptsz(dim3 grid, dim3 block, size_t shared,
                                                        cudaStream_t stream);
cudaError_t CUDARTAPI __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream);
cudaError_t CUDARTAPI __cudaGetKernel(cudaKernel_t* kernel, const void* host);

void** __cudaRegisterFatBinary(void* wrapper) {
  return reinterpret_cast<void**>(register_image(wrapper));
}

void __cudaRegisterFatBinaryEnd(void** /*handle*/) {}

void __cudaUnregisterFatBinary(void** handle) {
  if (handle != nullptr) unregister_image(image_of(handle));
}

void __cudaRegisterFunction(void** handle, const char* host, char* /*device*/, const char* name,
                            int /*thread_limit*/, uint3* /*thread*/, uint3* /*block*/, dim3* /*block_size*/,
                            dim3* /*grid_size*/, int* /*warp_size*/) {
  register_kernel(image_of(handle), host, name);
}

void __cudaRegisterVar(void** handle, char* host, char* /*device*/, const char* name, int /*is_extern*/,
                       size_t size, int /*is_constant*/, int /*is_global*/) {
  register_variable(image_of(handle), host, name, size);
}

void __cudaRegisterManagedVar(void** handle, void** host, char* /*device*/, const char* name,
                              int /*is_extern*/, size_t size, int /*is_constant*/, int /*is_global*/) {
  register_managed(image_of(handle), host, name, size);
}

// nvcc calls it before the program's first look at a managed variable.
char __cudaInitModule(void** handle) {
  if (need_context() != CUDA_SUCCESS) return 0;
  return load_managed(image_of(handle)) == CUDA_SUCCESS ? 1 : 0;
}

// Our own header's, for programs that follow the pointer without asking (managed_variables.h): before main,
// so it makes no context.
void __cudaLoadManagedVars(void** handle) {
  if (handle != nullptr && cuInit(0) == CUDA_SUCCESS) load_managed(image_of(handle));
}

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  try {
    configurations.push_back({.grid = grid, .block = block, .shared = shared, .stream = stream});
  } catch (...) {
    return static_cast<unsigned>(remember(instead_of_exception()));  // nothing is launched then
  }
  return 0;
}

// Our own header's name for it with a default stream for each thread.
unsigned int __cudaPushCallConfiguration_ptsz(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  return __cudaPushCallConfiguration(grid, block, shared, stream == nullptr ? cudaStreamPerThread : stream);
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  if (configurations.empty()) return remember(cudaErrorMissingConfiguration);
  const Configuration last = configurations.back();
  configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared = last.shared;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  return cudaSuccess;
}

// nvcc 13 keeps the kernel's handle in the stub and ignores errors here. If there is no handle, the kernel's
// address is used instead, and the launch returns the error.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  const cudaError_t error = cudaGetKernel(kernel, host);
  if (error != cudaSuccess) *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(host));
  return error;
}

}  // extern "C"
