// SPDX-License-Identifier: MIT
// The sharing of a run (lab/share.hpp), one at a time: how far it is, and what became of it. A part of the
// workbench.
#pragma once
#include <memory>
#include <optional>

#include "lab/share.hpp"
#include "lab/workbench.hpp"
#include "workbench/problem_list.hpp"

namespace lab {

class Sharing {
 public:
  explicit Sharing(ProblemList& problems) : problems_(problems) {}
  bool busy() const { return job_ && !job_->done(); }
  void start(ShareRequest request);  // only if it is not busy
  void cancel() { job_->cancel(); }  // only if it is busy
  std::optional<Workbench::Work> work() const;
  std::optional<Problem> take();  // once after each success; failures are reported

 private:
  ProblemList& problems_;
  std::unique_ptr<ShareJob> job_;
};

}  // namespace lab
