// SPDX-License-Identifier: MIT
// Device printf: the format string and the argument buffer that a kernel passed to vprintf, put into text.
//
// Both are a kernel's and may be anything: nothing is read but through `read`, text of any length ends at a
// limit, and what is no conversion stands in the text as it is. Knows no memory. Safe to use from several
// threads at once.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "ptx/interpret.hpp"

namespace ptx {

// The host's view of `size` bytes of a generic address, good until the next call; null for a bad address.
using ReadGeneric = std::function<const std::byte*(std::uint64_t address, std::uint64_t size)>;
// `format` and `arguments` are generic addresses; arguments lie there as C's variable arguments do, 4 or 8
// bytes each, aligned. `count` becomes how many of them the format asked for. False when an address is bad.
bool format_printf(const ReadGeneric& read, std::uint64_t format, std::uint64_t arguments, std::string& text,
                   unsigned& count);

}  // namespace ptx
