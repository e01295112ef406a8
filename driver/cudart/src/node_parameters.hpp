// SPDX-License-Identifier: MIT
// Nodes of graphs of any kind, described in one struct: the runtime's struct translated to the driver's.
//
// Does not depend on the calls that use it.
#pragma once

#include "code.hpp"

namespace cudart {

// Needs a current context. Errors: InvalidValue, InvalidDeviceFunction, NotSupported for kinds that there are
// not here.
CUresult drivers_form(const cudaGraphNodeParams* given, CUgraphNodeParams& parameters);

// Writes the address of memory that a node allocates into its description.
void tell_address(const CUgraphNodeParams& parameters, cudaGraphNodeParams& given);

}  // namespace cudart
