// SPDX-License-Identifier: MIT
// The type alone, for signatures that name it; the functions are not there (unsupported.h).
#pragma once
#include "unsupported.h"
