// SPDX-License-Identifier: MIT
// Waits for values in memory and writes of them, as one operation of a stream: what cuStreamBatchMemOp
// enqueues, and what a node of a graph does.
//
// Waiting polls in the stream's thread, never in the caller's, and ends if a kernel has failed. Does not
// depend on entry points.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/operation.hpp"

namespace driver {

// Reads and writes one word.
class WordStep {
 public:
  virtual ~WordStep() = default;
  virtual void take() = 0;
};

class WordOperation : public Operation {
 public:
  // Which operations, flags and alignments there are: what a node and a captured stream check, too. Errors:
  // INVALID_VALUE, NOT_SUPPORTED.
  static CUresult check(const CUstreamBatchMemOpParams* said, std::size_t count);
  // Finds the words in memory, of what has been checked. Driver's lock has to be held. Errors: INVALID_VALUE.
  static CUresult create(const std::vector<CUstreamBatchMemOpParams>& said,
                         std::shared_ptr<WordOperation>& made);
  // What only becomes a node: its addresses are looked at when the graph is launched (truth words_captured).
  static std::shared_ptr<WordOperation> to_capture(std::vector<CUstreamBatchMemOpParams> said);
  // What is said in more than this many words at once is refused (truth words_node_params, step 34).
  static constexpr unsigned kMost = 255;

  Started start() override;
  Weight weight() const override { return waits_ ? Weight::HostCode : Weight::Instant; }
  const std::vector<CUstreamBatchMemOpParams>& said() const { return said_; }

 private:
  std::vector<CUstreamBatchMemOpParams> said_;
  std::vector<std::unique_ptr<WordStep>> words_;
  bool waits_ = false;
};

}  // namespace driver
