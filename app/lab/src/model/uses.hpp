// SPDX-License-Identifier: MIT
// Finds the objects that a call names or changes, for the log of uses (use_log.hpp). It looks at a call
// twice: before it is applied, for the handles that it was given, and after, for those that it wrote.
#pragma once
#include <vector>

#include "model/run_ledger.hpp"
#include "model/use_log.hpp"
#include "trace/event.hpp"

namespace lab {

class Uses {
 public:
  void before(const trace::Event& event, const RunLedger& ledger, const State& core);
  void after(const trace::Event& event, const RunLedger& ledger, const State& core);
  const std::vector<Use>& all() const { return uses_; }

 private:
  void add(ObjectId object, bool changed = false);
  void handle(const trace::Argument& argument, std::uint64_t value, const RunLedger& ledger,
              const State& core);
  void address(std::uint64_t value, const RunLedger& ledger);
  std::vector<Use> uses_;
};

}  // namespace lab
