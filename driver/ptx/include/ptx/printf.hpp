// SPDX-License-Identifier: MIT
// Device printf: makes text from the format string and the argument buffer that a kernel passed to vprintf.
//
// Both come from a kernel and may be anything: they are read only through `read`, text of any length ends at
// a limit, and what is no conversion is copied as it is. Safe to use from several threads at once.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "ptx/interpret.hpp"

namespace ptx {

// The host's view of `size` bytes at a generic address, valid until the next call; null for a bad address.
using ReadGeneric = std::function<const std::byte*(std::uint64_t address, std::uint64_t size)>;
// `format` and `arguments` are generic addresses; the arguments are stored as C's variable arguments are, 4
// or 8 bytes each, aligned. `count` receives how many of them the format uses. False if an address is bad.
bool format_printf(const ReadGeneric& read, std::uint64_t format, std::uint64_t arguments, std::string& text,
                   unsigned& count);

}  // namespace ptx
