// SPDX-License-Identifier: MIT
// What is changed in a whole module once its text has been read without a mistake.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "ptx/module.hpp"

namespace ptx {

// Lets the threads of a warp meet at volatile stores to shared memory (warp_speech.cpp).
void separate_volatile_stores(Module& module);
// Products and sums that may be rounded once (contract.cpp).
void contract_products(Module& module);
// Inserts instructions before those with the given numbers; a branch to one of these goes to the first
// inserted one.
void put_before(Function& function, std::map<std::uint32_t, std::vector<Instruction>> what);

}  // namespace ptx
