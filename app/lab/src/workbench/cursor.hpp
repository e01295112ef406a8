// SPDX-License-Identifier: MIT
// The models of the shown run, and the moment and the process of it that are shown. A part of the workbench.
//
// The cursor follows the run while it is at the newest moment. When the user goes back, the run goes on
// without being shown; going forward to its end makes the cursor follow it again. at() is never beyond
// moments(), and process() is one of processes(). Owned by the thread that draws.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "lab/process_models.hpp"
#include "lab/workbench.hpp"
#include "workbench/wake.hpp"

namespace lab {

class Cursor {
 public:
  Cursor(const trace::Store& store, std::shared_ptr<Wake> wake);
  // Another run, which is followed from its start. The store must live until the next show().
  void show(const trace::Store& store);
  // Another run, which is shown at its first moment with something to be seen: a context, memory or another
  // object; without one, at its end.
  void show_from_first_sight(const trace::Store& store);
  // The model, for who keeps the run when another one is shown; show() has to come next.
  std::unique_ptr<Model> give_model() { return std::move(model_); }

  bool fold();                                    // new events, for some milliseconds; true if there were any
  const Model& model() const { return *model_; }  // of the run's first process
  const Model& shown_model() const;               // of the process that is shown
  const ProcessModels& models() const { return *models_; }
  std::size_t moments() const { return model_->moments(); }
  std::size_t known_calls() const { return calls_at(moments()); }
  std::uint32_t process() const { return process_; }
  void show_process(std::uint32_t process);  // ignored if the run has none of this number
  void show_process_of_last_call();          // before the cursor

  std::size_t at() const { return at_; }
  bool at_end() const { return at_ == moments(); }
  bool following() const { return following_; }
  std::size_t calls() const { return calls_at(at_); }  // before the cursor
  Workbench::Place place_of_call(std::size_t call) const;
  void go_to(std::size_t moment);  // clamped
  void go_to_end() { go_to(moments()); }
  void go_to_call(std::size_t call);     // to just after it; clamped
  bool go_to_line(Direction direction);  // see Workbench::jump_line()
  void back();                           // to just after the previous call
  // The first call from one of these lines after the cursor's next call; nothing if there is none.
  std::optional<std::size_t> next_stop(const std::set<Breakpoint>& stops) const;
  // To the moment after so many calls, once the model has followed the run to there.
  void return_to(std::size_t calls);
  // A call by its thread: the n-th of this thread, from 1.
  struct Spot {
    std::uint32_t thread = 0;
    std::size_t nth = 0;
    trace::Function function = trace::Function::None;
  };
  std::optional<Spot> spot() const;  // the call before the cursor; nothing at the end of the run
  // To the moment after this call, once the run has come there. Where the thread's n-th call is another one,
  // the cursor follows the run, as without it.
  void return_to(const Spot& spot);
  bool return_to_moment();  // true when it came there just now

 private:
  std::size_t calls_at(std::size_t moment) const;
  void stay_at(std::size_t moment);  // go_to() without following the run from there

  std::shared_ptr<Wake> wake_;
  const trace::Store* store_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<ProcessModels> models_;  // declared after the first of them
  std::uint32_t process_ = 0;
  std::size_t at_ = 0;
  bool following_ = true;
  std::optional<std::size_t> returning_to_;
  bool looks_for_sight_ = false;
  std::optional<Spot> spot_;   // the call that is waited for: nth counts down
  std::size_t spot_seen_ = 0;  // events that were looked at for it
};

}  // namespace lab
