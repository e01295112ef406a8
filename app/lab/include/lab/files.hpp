// SPDX-License-Identifier: MIT
// Reading and saving a whole file. Reads are bounded and take regular files only. Saves are atomic: after a
// full disk or a power cut there is the old file or the new one, whole.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "lab/result.hpp"

namespace lab {

// Used for everything that the lab writes.
Result<bool> write_file(const std::filesystem::path& path, std::string_view text);
Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t most_bytes = 64u << 20);

}  // namespace lab
