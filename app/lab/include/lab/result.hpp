// SPDX-License-Identifier: MIT
// A value or the Problem that kept it from existing. Fallible construction returns this.
#pragma once
#include <tl/expected.hpp>

#include "lab/text.hpp"

namespace lab {
template <class T>
using Result = tl::expected<T, Problem>;
inline tl::unexpected<Problem> problem(Text key, std::vector<std::string> values = {}) {
  return tl::unexpected<Problem>(Problem{key, std::move(values)});
}
}  // namespace lab
