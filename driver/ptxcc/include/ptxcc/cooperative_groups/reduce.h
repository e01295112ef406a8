// SPDX-License-Identifier: MIT
// cooperative_groups/reduce.h, for sources that include it: reduce lies beside the groups.
#pragma once
#include "../cooperative_groups.h"
