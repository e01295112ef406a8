// SPDX-License-Identifier: MIT
// The back end: a kernel of a PTX module made into an object for the processor that runs this.
//
// The library is loaded when a kernel is compiled that no cache holds, so its interface is one C function.
// Compiles for one shape of block; blocks of another shape are another compilation. Safe from several
// threads. Knows the runner only by kernel_abi.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

struct driverlab_compile_request {
  const char* text;  // PTX, checked before
  std::size_t text_bytes;
  const char* kernel;
  std::uint32_t shape[3];  // threads of a block, none of them 0
};

// Takes `bytes` bytes that are gone when it returns.
typedef void (*driverlab_take)(void* user, const void* data, std::size_t bytes);

// 0: `take` was given a relocatable ELF object. 1: it was given words that say what is not supported, or what
// went wrong, and where.
__attribute__((visibility("default"))) int driverlab_compile(const driverlab_compile_request* request,
                                                             driverlab_take take, void* user);

// What the objects depend on besides the request: the compiler's version and the processor, as text.
__attribute__((visibility("default"))) const char* driverlab_compiler_identity(void);
}
