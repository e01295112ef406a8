// SPDX-License-Identifier: MIT
// The questions of one run: the one at the cursor, the answers that were given, and their outcomes.
//
// Works on a model and its store, for a running program and for a recording. Owned by the thread that draws.
// Nothing here depends on sessions or the window: the workbench lets a call run when its question is
// answered.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "lab/model.hpp"
#include "lab/predict.hpp"
#include "trace/live.hpp"

namespace lab {

class Predictions {
 public:
  void clear();  // another run

  // The question about the next call at this moment: a call of the past, or the held call that runs next.
  // Null if there is no question for it, or if it was already answered. The pointer is valid until the next
  // call of any function here.
  const Question* before(const Model& model, const trace::Store& store, std::size_t moment,
                         const std::vector<trace::Pending>& pending);
  // Answers the question that before() returned last. True if its call is held; `thread` is its thread.
  struct Held {
    std::uint32_t thread = 0;
  };
  // The event that the question is about; nothing while its call is held.
  std::optional<std::size_t> event_asked() const { return next_ && question_ ? next_->event : std::nullopt; }
  std::optional<Held> answer(std::size_t choice, const Model& model, const trace::Store& store);
  // Takes in calls that have returned; says how many answers were judged just now and how many of them were
  // right. `over`: no further calls will come.
  std::vector<bool> follow(const Model& model, const trace::Store& store, bool over);
  // The answer about the last call before this moment, or about a call that still runs at the end.
  const Prediction* at(const trace::Store& store, std::size_t moment, std::size_t moments) const;

 private:
  struct Next {  // the question, and the moment for which it is valid
    std::size_t moment = 0, calls = 0;
    bool held = false;
    std::uint32_t thread = 0, depth = 0;
    std::uint64_t t_ns = 0;
    std::optional<std::size_t> event;
    bool same(const Next& other) const {
      return moment == other.moment && calls == other.calls && held == other.held && thread == other.thread &&
             t_ns == other.t_ns && event == other.event;
    }
  };
  struct Waiting {  // for its call to return
    Next next;
    std::size_t asked = 0;  // moment
    std::size_t from = 0;   // events to look at from here on
    Prediction prediction;
  };
  // `asked`: the moment before the call, and before the calls that it makes itself.
  void judge(std::size_t event, std::size_t asked, Prediction prediction, const Model& model,
             const trace::Store& store);

  std::optional<Next> next_;
  std::optional<Question> question_;
  std::string call_;
  std::optional<Waiting> waiting_;
  std::map<std::size_t, Prediction> judged_;  // by event
  std::vector<bool> news_;
};

}  // namespace lab
