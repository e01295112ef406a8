// SPDX-License-Identifier: MIT
// The runtime's headers beside the driver's, whatever the language: none may warn, and what both declare may not clash.
#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
