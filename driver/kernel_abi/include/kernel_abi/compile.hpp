// SPDX-License-Identifier: MIT
// The back end: compiles a kernel of a PTX module into an object for the processor on which this runs.
//
// The library is loaded only when a kernel is not in the cache, so its interface is one C function. Compiles
// for one shape of block; another shape needs another compilation. Safe to use from several threads.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

struct driverlab_compile_request {
  const char* text;  // PTX that was checked before
  std::size_t text_bytes;
  const char* kernel;
  std::uint32_t shape[3];  // threads of a block, none of them 0
};

// Receives `bytes` bytes, which are valid only until it returns.
typedef void (*driverlab_take)(void* user, const void* data, std::size_t bytes);

// Returns 0 if it has passed a relocatable ELF object to `take`. Returns 1 if it has passed a text that says
// what is not supported, or what went wrong, and where.
__attribute__((visibility("default"))) int driverlab_compile(const driverlab_compile_request* request,
                                                             driverlab_take take, void* user);

// What objects depend on besides the request: the compiler's version and the processor, as text.
__attribute__((visibility("default"))) const char* driverlab_compiler_identity(void);
}
