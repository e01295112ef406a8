// SPDX-License-Identifier: MIT
// Functions that api/ does not describe, recorded by their names. cuGetProcAddress may return any function,
// so each gets an entry when it is first asked for. named.S describes how such an entry calls the function
// without knowing its parameters.
#pragma once
#include "forwarded.hpp"

namespace trace::interpose {

// An entry that records calls of `function` under `name` and then calls it; `function` itself if there are no
// entries left. The result for one function is always the same.
void* entry_for(const char* name, void* function);

}  // namespace trace::interpose
