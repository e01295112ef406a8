// SPDX-License-Identifier: MIT
// threadIdx, blockIdx, blockDim, gridDim and warpSize: objects whose members read PTX's special registers.
//
// Properties instead of variables, because they are not in memory; they convert to uint3 and dim3, so
// that they can be passed on. Needs only the vector types.
#pragma once
#include "vectors.h"

#define __PTXCC_INDEX(type, reg)                                                           \
  struct __ptxcc_##reg {                                                                   \
    __declspec(property(get = __get_x)) unsigned int x;                                    \
    __declspec(property(get = __get_y)) unsigned int y;                                    \
    __declspec(property(get = __get_z)) unsigned int z;                                    \
    __PTXCC_DEVICE__ unsigned int __get_x(void) {                                          \
      return __nvvm_read_ptx_sreg_##reg##_x();                                             \
    }                                                                                      \
    __PTXCC_DEVICE__ unsigned int __get_y(void) {                                          \
      return __nvvm_read_ptx_sreg_##reg##_y();                                             \
    }                                                                                      \
    __PTXCC_DEVICE__ unsigned int __get_z(void) {                                          \
      return __nvvm_read_ptx_sreg_##reg##_z();                                             \
    }                                                                                      \
    __attribute__((device)) operator uint3() const {                                       \
      return {__get_x(), __get_y(), __get_z()};                                            \
    }                                                                                      \
    __attribute__((device)) operator dim3() const {                                        \
      return {__get_x(), __get_y(), __get_z()};                                            \
    }                                                                                      \
    __attribute__((device)) __ptxcc_##reg* operator&() const = delete;                     \
    __attribute__((device)) __ptxcc_##reg& operator=(const __ptxcc_##reg&) const = delete; \
  };                                                                                       \
  extern const __attribute__((device, weak)) __ptxcc_##reg type;

__PTXCC_INDEX(threadIdx, tid)
__PTXCC_INDEX(blockIdx, ctaid)
__PTXCC_INDEX(blockDim, ntid)
__PTXCC_INDEX(gridDim, nctaid)
#undef __PTXCC_INDEX

static constexpr __attribute__((unused)) int warpSize = 32;
