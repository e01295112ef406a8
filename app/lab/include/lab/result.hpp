// SPDX-License-Identifier: MIT
// Result<T>: a value, or the Problem that says why there is none. Functions of the lab that can fail return
// it.
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
