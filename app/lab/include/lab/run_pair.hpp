// SPDX-License-Identifier: MIT
// Two runs compared: their first difference, and which call of one corresponds to which call of the other, so
// that both can be shown at the same place.
//
// A value, made once from two complete runs. Nothing here depends on windows, or on how the runs were made.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lab/difference.hpp"

namespace lab {

enum class Side : std::uint8_t { First, Second };

class RunPair {
 public:
  // Both models must have followed their stores to the end. Takes a second or two for a million calls, so it
  // should be made in another thread than the one that draws, with separate models.
  RunPair(const ComparedRun& first, const ComparedRun& second, const CompareOptions& options = {});

  const Comparison& comparison() const { return comparison_; }
  // After `calls` calls of the run on this side: how many calls the other run has made at the same place.
  // Calls correspond if the same thread makes them in the same order. A call that only one run has is at the
  // same place as the call before it.
  std::size_t calls_beside(Side side, std::size_t calls) const;
  // The call of the other run that corresponds to this call; nothing if only this run has it.
  std::optional<std::size_t> partner(Side side, std::size_t call) const;

 private:
  Comparison comparison_;
  std::vector<std::uint32_t> partner_[2];  // by the number of calls that this side has made: 0, 1, …
};

}  // namespace lab
