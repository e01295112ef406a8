// SPDX-License-Identifier: MIT
// What a program left behind: everything that it made and did not end, by owner and by the call that made it.
// Pure; used by the verdict on an exercise.
#pragma once
#include <cstdint>
#include <vector>

#include "lab/model.hpp"
#include "lab/state.hpp"
#include "trace/store.hpp"

namespace lab {

struct Leak {
  ObjectId object;                // a context, an allocation, or an object that must be destroyed
  std::uint32_t context = kNone;  // the one that it belongs to; kNone: it belongs to the process
  std::uint64_t bytes = 0;        // of memory
  std::uint32_t retains = 0;      // for a primary context: how many releases are missing
  std::uint64_t made_at = 0;      // the seq of the event that made it, which has file and line
};
// Ordered by owner, those of the process first, then by the event that made them.
std::vector<Leak> leaks_in(const State& state);
// The moment at which to look for leaks: after the last call of the program itself. Later events are the ends
// of threads and of the process, which end everything.
std::size_t moment_after_last_call(const trace::Store& store);

}  // namespace lab
