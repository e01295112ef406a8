// SPDX-License-Identifier: MIT
// What a program left behind: everything that it made and did not end, by owner and by the call that made it.
// Pure; the verdict on an exercise asks here.
#pragma once
#include <cstdint>
#include <vector>

#include "lab/model.hpp"
#include "lab/state.hpp"
#include "trace/store.hpp"

namespace lab {

struct Leak {
  ObjectId object;                // a context, an allocation, or an object that must be destroyed
  std::uint32_t context = kNone;  // that it belongs to; kNone: the process
  std::uint64_t bytes = 0;        // of memory
  std::uint32_t retains = 0;      // of a primary context: releases that are missing
  std::uint64_t made_at = 0;      // event seq; its file and line are the creator's
};
// Ordered by owner, those of the process first, then by the event that made them.
std::vector<Leak> leaks_in(const State& state);
// The moment to ask for: after the last call of the program itself. What comes later is the end of threads
// and of the process, which takes all with it.
std::size_t moment_after_last_call(const trace::Store& store);

}  // namespace lab
