// SPDX-License-Identifier: MIT
// User objects (cuUserObjectCreate): a program's objects that are destroyed when no graph needs them any
// more. These two functions are for graphs, which hold references; they are defined with the entry points, in
// driver/src/graph.cpp.
#pragma once

#include "core/api.hpp"

namespace driver {

// False for an invalid handle, or if there are fewer references. When the last reference is released, the
// program's destructor is called; it must not call the driver.
bool retain_user_object(CUuserObject object, unsigned count);
bool release_user_object(CUuserObject object, unsigned count);

}  // namespace driver
