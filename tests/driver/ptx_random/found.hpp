// SPDX-License-Identifier: MIT
// A kernel of operands that were found to matter, beside those that chance brings.
#pragma once

#include <functional>
#include <vector>

#include "kernel.hpp"

namespace ptx_random {

struct FoundKernel {
  Kernel kernel;
  std::vector<u64> inputs;  // of each input's slot, for every thread
};

// Of those that are wanted. Ends the program if one is not among all: nothing is left out unseen.
FoundKernel make_found_kernel(const std::vector<Operation>& all,
                              const std::function<bool(const Operation&)>& wanted);

}  // namespace ptx_random
