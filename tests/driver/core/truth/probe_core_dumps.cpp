// SPDX-License-Identifier: MIT
// A kernel that fails while core dumps are on, with and without a wait before the context is destroyed.
#define CORE_DUMPS
#include "probe_fault_finding.cpp"
