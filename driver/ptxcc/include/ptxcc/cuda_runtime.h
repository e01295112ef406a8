// SPDX-License-Identifier: MIT
// cuda_runtime.h, for sources that include it: ptxcc has everything of it in its prelude.
#pragma once
#include "prelude.h"
