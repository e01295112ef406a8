// SPDX-License-Identifier: MIT
// The code in a program: the images that its compiler registered, and their contents.
//
// Nothing is loaded before it is used. An image becomes a library of the driver, so that its kernels and
// variables can be used in every context. Does not depend on launches or copies.
#pragma once

#include <cstddef>

#include "runtime.hpp"

namespace cudart {

// No CUresult has these numbers.
constexpr auto kInvalidDeviceFunction = static_cast<CUresult>(cudaErrorInvalidDeviceFunction);
constexpr auto kInvalidSymbol = static_cast<CUresult>(cudaErrorInvalidSymbol);
constexpr auto kInvalidCopyDirection = static_cast<CUresult>(cudaErrorInvalidMemcpyDirection);

struct Image;

// `wrapper` is what compilers put into a program's data: a number, a version, and the address of a fatbin.
Image* register_image(const void* wrapper);
void unregister_image(Image* image);
void register_kernel(Image* image, const void* host, const char* name);
void register_variable(Image* image, const void* host, const char* name, std::size_t size);
// The host reads `*host` wherever the program says the variable's name.
void register_managed(Image* image, void** host, const char* name, std::size_t size);
// Gives the managed variables of an image their addresses. Needs a context.
CUresult load_managed(Image* image);

// A kernel that did not come from the program's own images, so that it can be launched like one.
void know_kernel(CUkernel kernel);

// By its address in the program, or a valid CUkernel.
CUresult find_kernel(const void* host, CUkernel& kernel);
bool is_registered(const void* host);                            // as a kernel; null counts as one
const void* host_of(CUkernel kernel);                            // null if it is not known
CUresult find_function(const void* host, CUfunction& function);  // in the current context
CUresult find_variable(const void* host, CUdeviceptr& address, std::size_t& size);
// A part of a variable; its end must not be after the variable's.
CUresult find_part(const void* symbol, std::size_t size, std::size_t offset, void*& part);

}  // namespace cudart
