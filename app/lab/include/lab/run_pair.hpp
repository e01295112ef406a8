// SPDX-License-Identifier: MIT
// Two runs compared: where they part, and which call of one belongs to which of the other, so that both can
// be shown at the same place.
//
// A value, made once from two whole runs. Knows nothing of windows or of how the runs came about.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lab/difference.hpp"

namespace lab {

enum class Side : std::uint8_t { First, Second };

class RunPair {
 public:
  // Both models must have followed their stores to the end. A second or two for a million calls, so that it
  // is best made away from the thread that draws, with models of its own.
  RunPair(const ComparedRun& first, const ComparedRun& second, const CompareOptions& options = {});

  const Comparison& comparison() const { return comparison_; }
  // After `calls` calls of the run on this side: how many of the other run's have been made at the same
  // place. Calls belong together that the same thread makes in the same order; those that only one run has
  // stay beside the call before them.
  std::size_t calls_beside(Side side, std::size_t calls) const;

 private:
  Comparison comparison_;
  std::vector<std::uint32_t> partner_[2];  // by calls made: 0, 1, … of that side
};

}  // namespace lab
