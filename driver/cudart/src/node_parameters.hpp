// SPDX-License-Identifier: MIT
// Nodes of graphs of any kind, described in one struct: the runtime's, in the driver's words.
//
// Knows no calls.
#pragma once

#include "code.hpp"

namespace cudart {

// Needs a current context. Errors: InvalidValue, InvalidDeviceFunction, NotSupported for kinds that there are
// not here.
CUresult drivers_form(const cudaGraphNodeParams* given, CUgraphNodeParams& parameters);

// Memory that a node allocates is told through its description.
void tell_address(const CUgraphNodeParams& parameters, cudaGraphNodeParams& given);

}  // namespace cudart
