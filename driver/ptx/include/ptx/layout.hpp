// SPDX-License-Identifier: MIT
// The places of variables: those of a function in its frame, shared ones in the block's memory. All in bytes.
//
// The interpreter and the compiler both use this, so they agree. Nothing is kept: a layout belongs to the
// caller.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "ptx/module.hpp"

namespace ptx {

// `align` is not 0.
inline std::uint64_t align_up(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

struct Layout {
  std::map<std::string, std::uint64_t> offsets;  // by name; names are unique within a layout
  std::uint64_t bytes = 0;                       // up to the end of the last one
  std::uint64_t used = 0;                        // of shared variables: the same, not rounded up
  void add(const std::string& name, std::uint64_t size, std::uint64_t align) {
    bytes = align_up(bytes, align);
    offsets[name] = bytes;
    bytes += size;
  }
};

// Parameters, results and .local and .param variables of a function, from the start of its frame.
Layout frame_layout(const Function& function);
// First the static shared variables that the kernel can use; all extern (dynamic) ones begin after them.
Layout shared_layout(const Module& module, const Function& kernel);

}  // namespace ptx
