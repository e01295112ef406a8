// SPDX-License-Identifier: MIT
// The parameters of a kernel, as far as a run shows them: from the PTX that was loaded, of which a recording
// keeps the beginning, or from the mangled name that a C++ compiler gave it. No driver is asked.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lab {

struct KernelParameters {
  std::size_t count = 0;
  std::optional<std::uint64_t> bytes;  // of all of them with the gaps between; not known from a name
};

// Of `.entry NAME (…)`; nothing if the text has no such kernel, or ends inside its parameters.
std::optional<KernelParameters> parameters_in_ptx(std::string_view ptx, std::string_view name);

// Of "_Z6vecAddPKfS0_Pfi"; nothing for a name that is not mangled, or does not contain the parameters.
std::optional<KernelParameters> parameters_in_name(const std::string& mangled);

}  // namespace lab
