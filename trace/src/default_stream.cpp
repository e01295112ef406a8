// SPDX-License-Identifier: MIT
// See default_stream.hpp. The endings are those of `per_thread` in api/README.md.
#include "trace/default_stream.hpp"

namespace trace {

bool means_per_thread_stream(std::string_view symbol) {
  return symbol.ends_with("_ptds") || symbol.ends_with("_ptsz");
}

}  // namespace trace
