// Device printf: the format string and the argument buffer that a kernel passed to vprintf, put into text.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "ptx/interpret.hpp"

namespace ptx {

// `read` gives the host view of `size` bytes of a generic address, or nullptr. False when an address is bad.
using ReadGeneric = std::function<const std::byte*(std::uint64_t address, std::uint64_t size)>;
// `count`: how many arguments the format asked for.
bool format_printf(const ReadGeneric& read, std::uint64_t format, std::uint64_t arguments, std::string& text,
                   unsigned& count);

}  // namespace ptx
