// SPDX-License-Identifier: MIT
// See predictions.hpp.
#include "model/predictions.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "lab/nesting.hpp"

namespace lab {

void Predictions::clear() {
  *this = Predictions();
}

const Question* Predictions::before(const Model& model, const trace::Store& store, std::size_t moment,
                                    const std::vector<trace::Pending>& pending) {
  Next next;
  next.moment = std::min(moment, model.moments());
  const std::size_t calls = store.calls_before(next.moment);
  next.calls = store.calls_before(model.moments());
  const trace::Pending* held = nullptr;
  if (calls < next.calls) {
    next.event = outermost(store, store.event_of_call(calls));
  } else {
    for (const trace::Pending& call : pending)
      if (call.held && (held == nullptr || call.call.t_ns < held->call.t_ns)) held = &call;
    if (held != nullptr) {
      next.held = true;
      next.thread = held->thread, next.t_ns = held->call.t_ns, next.depth = held->call.depth;
    }
  }
  if (!next_ || !next_->same(next)) {
    next_ = next;
    question_.reset();
    if (next.event || held) {
      const trace::Event call = next.event ? store.at(*next.event) : held->call;
      question_ = question_before(model.aside(next.moment), call);
      call_ = call.name;
    }
  }
  if (next.event && judged_.contains(*next.event)) return nullptr;
  if (waiting_ && next.held) return nullptr;  // it may run now, but the model has not seen that yet
  return question_ ? &*question_ : nullptr;
}

std::optional<Predictions::Held> Predictions::answer(std::size_t choice, const Model& model,
                                                     const trace::Store& store) {
  if (!next_ || !question_ || choice >= question_->choices.size() || waiting_) return std::nullopt;
  Prediction prediction{*question_, call_, choice, false, std::nullopt};
  if (next_->event) {
    if (!judged_.contains(*next_->event))
      judge(*next_->event, next_->moment, std::move(prediction), model, store);
    return std::nullopt;
  }
  if (!next_->held) return std::nullopt;
  waiting_ = Waiting{*next_, next_->moment, next_->moment, std::move(prediction)};
  return Held{next_->thread};
}

void Predictions::judge(std::size_t event, std::size_t asked, Prediction prediction, const Model& model,
                        const trace::Store& store) {
  // Other threads go on meanwhile, so a call that makes none itself is compared with the moment at its end.
  const trace::Event call = store.at(event);
  const bool of_library = call.layer() == trace::Layer::Runtime;
  const std::size_t from = of_library ? std::min(asked, event) : event;
  const auto before = std::make_unique<const State>(model.aside(from));  // the next aside() ends the first
  prediction.known = true;
  prediction.outcome = outcome_of(prediction.question, *before, model.aside(event + 1), call);
  if (prediction.outcome) news_.push_back(prediction.right());
  judged_[event] = std::move(prediction);
}

std::vector<bool> Predictions::follow(const Model& model, const trace::Store& store, bool over) {
  if (waiting_) {
    Waiting& waiting = *waiting_;
    for (; waiting_ && waiting.from < model.moments(); ++waiting.from) {
      if (store.kind_at(waiting.from) != trace::EventKind::Call) continue;
      const trace::Event call = store.at(waiting.from);
      if (call.process != 0 || call.thread != waiting.next.thread || call.depth != waiting.next.depth)
        continue;
      const std::size_t event = waiting.from, asked = waiting.asked;
      Prediction prediction = std::move(waiting.prediction);
      waiting_.reset();
      judge(event, asked, std::move(prediction), model, store);
      break;
    }
    if (waiting_ && over) waiting_.reset();
  }
  return std::exchange(news_, {});
}

const Prediction* Predictions::at(const trace::Store& store, std::size_t moment, std::size_t moments) const {
  if (waiting_ && moment == moments) return &waiting_->prediction;
  const std::size_t calls = store.calls_before(moment);
  if (calls == 0) return nullptr;
  const auto found = judged_.find(store.event_of_call(calls - 1));
  return found == judged_.end() ? nullptr : &found->second;
}

}  // namespace lab
