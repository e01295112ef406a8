// SPDX-License-Identifier: MIT
// Nodes of graphs of any kind, described in one struct: the runtime's struct translated to the driver's.
//
// Does not depend on the calls that use it.
#pragma once

#include "code.hpp"

namespace cudart {

// Needs a current context. Errors: InvalidValue, InvalidDeviceFunction, NotSupported for kinds that there are
// not here.
CUresult drivers_form(const cudaGraphNodeParams* given, CUgraphNodeParams& parameters);

// The part about a kernel, for any version of both structs. Errors: InvalidDeviceFunction.
template <class From, class To>
CUresult take_kernel(const From& given, To& kernel) {
  CUkernel handle = nullptr;
  if (const CUresult error = find_kernel(given.func, handle)) return error;
  kernel = {.func = nullptr,
            .gridDimX = given.gridDim.x,
            .gridDimY = given.gridDim.y,
            .gridDimZ = given.gridDim.z,
            .blockDimX = given.blockDim.x,
            .blockDimY = given.blockDim.y,
            .blockDimZ = given.blockDim.z,
            .sharedMemBytes = given.sharedMemBytes,
            .kernelParams = given.kernelParams,
            .extra = given.extra,
            .kern = handle,
            .ctx = nullptr};
  return CUDA_SUCCESS;
}

// Writes the address of memory that a node allocates into its description.
void tell_address(const CUgraphNodeParams& parameters, cudaGraphNodeParams& given);

}  // namespace cudart
