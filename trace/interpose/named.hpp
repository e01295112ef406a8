// SPDX-License-Identifier: MIT
// Functions that api/ does not describe, recorded by their names. cuGetProcAddress may hand out any function,
// so an entry is taken for each when it is first asked for; named.S says how such an entry calls on without
// knowing the parameters.
#pragma once
#include "forwarded.hpp"

namespace trace::interpose {

// An entry that records calls of `function` under `name` and goes on to it; `function` itself where there are
// no entries left. The same answer for the same function.
void* entry_for(const char* name, void* function);

}  // namespace trace::interpose
