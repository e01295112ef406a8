// SPDX-License-Identifier: MIT
// vector_types.h, for sources that include it: ptxcc has everything of it in its prelude.
#pragma once
#include "prelude.h"
