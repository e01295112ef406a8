// SPDX-License-Identifier: MIT
// math_functions.h, for sources that include it: ptxcc has everything of it in its prelude.
#pragma once
#include "prelude.h"
