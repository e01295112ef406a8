// SPDX-License-Identifier: MIT
// Which default stream a call means that names none. A function that can mean both is exported twice, and the
// program chooses when it is compiled.
#pragma once
#include <string_view>

namespace trace {

// The entry point uses the calling thread's own default stream, and not the legacy one.
bool means_per_thread_stream(std::string_view symbol);

}  // namespace trace
