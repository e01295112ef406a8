// SPDX-License-Identifier: MIT
// The messages that the user has not dismissed. The parts of the workbench report to it, and withdraw a
// message once what it says is no longer true.
//
// No problem is in the list twice; the newest is last. Owned by the thread that draws.
#pragma once
#include <chrono>
#include <utility>
#include <vector>

#include "lab/text.hpp"

namespace lab {

// After this time the lab tries again to write what could not be written.
inline constexpr auto kTryAgain = std::chrono::seconds(20);

class ProblemList {
 public:
  void report(Problem problem) {  // a repeated problem becomes the newest
    withdraw(problem);
    all_.push_back(std::move(problem));
  }
  void withdraw(const Problem& problem) { std::erase(all_, problem); }
  void clear() { all_.clear(); }
  const std::vector<Problem>& all() const { return all_; }

 private:
  std::vector<Problem> all_;
};

}  // namespace lab
