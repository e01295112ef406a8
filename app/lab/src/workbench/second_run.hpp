// SPDX-License-Identifier: MIT
// The run beside the shown one: the run before, which is kept when the next one begins, or a recording; and
// the comparison of the two. A part of the workbench.
//
// A comparison is made in a separate thread once both runs are complete, with models of its own, and it owns
// what it reads: either run may be replaced meanwhile. pair() is of the two runs that are shown now, or null.
#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "course/source_calls.hpp"
#include "lab/workbench.hpp"
#include "workbench/problem_list.hpp"
#include "workbench/replay_job.hpp"
#include "workbench/wake.hpp"

namespace lab {

class SecondRun {
 public:
  // What a comparison needs to know of the shown run.
  struct Shown {
    std::shared_ptr<const void> owner;  // of the store
    const trace::Store& store;
    std::size_t moments = 0;  // that its model has followed
    bool growing = false;     // more events may come
    bool recording = false;
  };

  SecondRun(ProblemList& problems, std::shared_ptr<Wake> wake);
  ~SecondRun();

  // The run that was shown until now becomes the run before. The model follows the session's store.
  void keep(std::shared_ptr<Session> session, std::unique_ptr<Model> model);
  bool has_run_before() const { return before_.model != nullptr; }
  void choose_run_before();
  void choose_recording(const std::filesystem::path& recording,
                        Workbench::Beside as = Workbench::Beside::AnotherRun);
  void clear();  // nothing is beside, and there is no run before

  bool poll(const Shown& shown);  // reads and compares on; true if anything changed
  std::optional<Workbench::Other> other() const;
  const RunPair* pair(const trace::Store& shown) const;
  const Ghost* ghost(const trace::Store& shown) const;  // null also where both are the same
  bool expected_failure(std::size_t event);
  std::string variable(const trace::Event& call, std::size_t argument) const;

 private:
  enum class Choice { Nothing, Before, Recording };
  struct Kept {
    std::shared_ptr<Session> session;
    std::unique_ptr<Model> model;
    void clear() { model.reset(), session.reset(); }  // the reader before what it reads
  };
  struct PairJob;

  bool is_run_before() const { return choice_ == Choice::Before || as_ == Workbench::Beside::RunBefore; }
  const PairJob* done_job(const trace::Store& shown) const;
  void drop_pair();
  bool take_recording();  // false: nothing of it can be shown
  bool compare(const Shown& shown);
  Model* model() const;
  const trace::Store& store() const;
  const Sources& sources() const;  // once the run is read

  ProblemList& problems_;
  std::shared_ptr<Wake> wake_;
  Choice choice_ = Choice::Nothing;
  Workbench::Beside as_ = Workbench::Beside::AnotherRun;  // of a recording
  Kept before_;
  std::shared_ptr<ReplayJob> recording_;
  std::unique_ptr<Model> recording_model_;
  std::unique_ptr<PairJob> pair_job_;
  std::vector<std::unique_ptr<PairJob>> abandoned_;  // they end by themselves
  ExpectedFailures expected_;
};

}  // namespace lab
