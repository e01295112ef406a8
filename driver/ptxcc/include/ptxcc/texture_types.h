// SPDX-License-Identifier: MIT
// Only the type of a texture, for signatures that name it. Its functions are not supported: using one is an
// error of unsupported.h.
#pragma once
#include "unsupported.h"
