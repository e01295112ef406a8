// SPDX-License-Identifier: MIT
// sm_20_intrinsics.h, for sources that include it: ptxcc has everything of it in its prelude.
#pragma once
#include "prelude.h"
