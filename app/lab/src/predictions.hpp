// SPDX-License-Identifier: MIT
// The questions of one run: which one stands before the cursor, what was answered, and how it came out.
//
// Works on a model and its store, for a run that goes on as for a recording. Owned by the thread that draws.
// Knows neither sessions nor the window: the workbench lets the call run once it is answered.
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

  // About the call that comes next at this moment: one of the past, or else the held call that runs next.
  // Nothing where there is nothing to learn, or where it was answered before. The pointer lives until the
  // next call of anything here.
  const Question* before(const Model& model, const trace::Store& store, std::size_t moment,
                         const std::vector<trace::Pending>& pending);
  // Of the question that before() gave last. True when its call is held; `thread` says where.
  struct Held {
    std::uint32_t thread = 0;
  };
  // The event that the question is about; nothing while its call is held.
  std::optional<std::size_t> event_asked() const { return next_ && question_ ? next_->event : std::nullopt; }
  std::optional<Held> answer(std::size_t choice, const Model& model, const trace::Store& store);
  // Takes in calls that returned; how many answers were right and how many were judged at all, just now.
  // `over`: nothing will come any more.
  std::vector<bool> follow(const Model& model, const trace::Store& store, bool over);
  // What was answered about the last call before this moment, or is being answered at its end.
  const Prediction* at(const trace::Store& store, std::size_t moment, std::size_t moments) const;

 private:
  struct Next {  // what is asked, and of which moment that is true
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
  // `asked`: the moment before the call, when what it calls itself had not run.
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
