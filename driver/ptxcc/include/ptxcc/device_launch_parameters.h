// SPDX-License-Identifier: MIT
// device_launch_parameters.h, for sources that include it: ptxcc has everything of it in its prelude.
#pragma once
#include "prelude.h"
