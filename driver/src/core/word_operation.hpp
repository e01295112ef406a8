// SPDX-License-Identifier: MIT
// Waits for values in memory and writes of them, as one operation of a stream: what cuStreamBatchMemOp
// enqueues, and what a node of a graph does.
//
// Waiting polls in the stream's thread, never in the caller's, and ends if a kernel has failed. Does not
// depend on entry points.
#pragma once

#include <memory>
#include <vector>

#include "core/operation.hpp"
#include "core/transfer.hpp"

namespace driver {

// Reads and writes one word.
class WordStep {
 public:
  virtual ~WordStep() = default;
  virtual void take() = 0;
};

class WordOperation : public Operation {
 public:
  // All are checked before any is made; Driver's lock has to be held. Errors: INVALID_VALUE.
  static CUresult create(const std::vector<CUstreamBatchMemOpParams>& said, Dormant dormant,
                         std::shared_ptr<WordOperation>& made);
  // What is said in more than this many words at once is refused (the manual's limit).
  static constexpr unsigned most = 256;

  Started start() override;
  Weight weight() const override { return waits_ ? Weight::HostCode : Weight::Instant; }
  const std::vector<CUstreamBatchMemOpParams>& said() const { return said_; }

 private:
  std::vector<CUstreamBatchMemOpParams> said_;
  std::vector<std::unique_ptr<WordStep>> words_;
  bool waits_ = false;
};

}  // namespace driver
