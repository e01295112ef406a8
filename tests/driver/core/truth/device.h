// The few words of CUDA C++ that kernels.cu, math.cu and twice.cu use, for compiling them with clang alone:
// no toolkit, none of NVIDIA's headers. Included on the command line by make_ptx.sh; uses only PTX builtins.
#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))  // clang has no such word: make_ptx.sh marks the variable in the PTX

struct float4 {
  float x, y, z, w;
} __attribute__((aligned(16)));

struct Index {
  int x;
};
#define threadIdx (Index{static_cast<int>(__nvvm_read_ptx_sreg_tid_x())})
#define blockIdx (Index{static_cast<int>(__nvvm_read_ptx_sreg_ctaid_x())})
#define blockDim (Index{static_cast<int>(__nvvm_read_ptx_sreg_ntid_x())})

extern "C" __device__ int printf(const char*, ...);
static __device__ inline int atomicAdd(int* address, int value) { return __nvvm_atom_add_gen_i(address, value); }
static __device__ inline long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
static __device__ inline void __trap() { asm volatile("trap;"); }
