// SPDX-License-Identifier: MIT
// The type of a texture alone, for signatures that name it. Its functions are not supported; unsupported.h
// says so to whoever uses one.
#pragma once
#include "unsupported.h"
