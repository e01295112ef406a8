// SPDX-License-Identifier: MIT
// Turns the parameters of a node into the work that the node keeps, and back. Every form of the parameters
// (one struct for each kind, several versions) is first converted to CUgraphNodeParams, so that there is one
// check for each kind. Implemented in core/graph_node.cpp. Does not depend on entry points.
#pragma once

#include "core/graph.hpp"

namespace driver {

// Takes Driver's lock; no lock may be held. A node that allocates memory does so now, and writes the address
// into the parameters. Errors: INVALID_VALUE, for a kernel those of a launch, OUT_OF_MEMORY, NOT_SUPPORTED
// for kinds that this driver does not have.
CUresult work_of(CUgraphNodeParams& parameters, Work& work);

// The reverse, for the kinds that can be read; `parameters.type` is the expected kind. INVALID_VALUE for a
// node of another kind. The locks of a graph call have to be held.
CUresult parameters_of(Node& node, CUgraphNodeParams& parameters);

// The whole of a call that adds or changes a node, in a graph or in an executable made of it. Implemented
// beside cuGraphAddKernelNode and its like.
CUresult add_node(CUgraphNode* handle, CUgraph graph, const CUgraphNode* dependencies, std::size_t count,
                  CUgraphNodeParams& parameters);
CUresult set_node(CUgraphNode handle, CUgraphNodeParams& parameters);
CUresult set_node_in(CUgraphExec executable, CUgraphNode handle, CUgraphNodeParams& parameters);

// The function that a captured launch was made with; null when its module is gone.
CUfunction find_function(const KernelLaunch& launch);

}  // namespace driver
