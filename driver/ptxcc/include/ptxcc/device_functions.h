// SPDX-License-Identifier: MIT
// device_functions.h, for sources that include it: ptxcc has everything of it in its prelude.
#pragma once
#include "prelude.h"
