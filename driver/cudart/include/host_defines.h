// SPDX-License-Identifier: MIT
// The words that mark functions and variables of CUDA C++, for whichever compiler reads the runtime's
// headers.
//
// clang, as used by cuda++, gets them from the kernel compiler's headers, where they mean something; a plain
// C or C++ compiler sees host code only, for which they mean nothing. Must not include anything else.
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#ifdef __DRIVERLAB_PTXCC__
#include "ptxcc/qualifiers.h"
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif

#ifndef CUDARTAPI
#define CUDARTAPI
#endif
#ifndef CUDART_CB
#define CUDART_CB
#endif

#endif  // __HOST_DEFINES_H__
