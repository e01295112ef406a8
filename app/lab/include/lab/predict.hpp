// SPDX-License-Identifier: MIT
// "What will happen?": a question about the next call, made from the state before the call runs.
//
// The wrong choices are what people believe (a destroyed context is removed from every stack, setting a
// context pushes it, popping it frees it …). The right choice is not computed here: it is what the driver
// then does. So questions can be asked about any program, and a mistake of ours never makes a right answer
// wrong.
//
// Pure values, no window; sentences are Problems, which are put into words when they are shown.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/state.hpp"
#include "lab/text.hpp"
#include "trace/event.hpp"

namespace lab {

enum class QuestionKind : std::uint8_t {
  Result,    // what will the call return?
  Survival,  // what will happen to the objects of a context?
  Stack,     // how will the thread's stack look?
  Owner      // what will the new object belong to?
};

struct Question {
  struct Choice {
    Problem words;
    std::string value;  // compared with the outcome; "" for "something else", which is the last choice
  };
  QuestionKind kind = QuestionKind::Result;
  std::uint32_t thread = 0;
  std::uint32_t context = kNone;  // Survival: the context that owns the objects
  Problem words;
  std::vector<Choice> choices;  // at least three, in an order that is always the same and gives no hint
};

// Nothing for most calls, because they are not worth a question. `call` has not run yet, or is an event of
// the past, of which only the passed arguments are read. `before` is the state before it.
std::optional<Question> question_before(const State& before, const trace::Event& call);

// What the driver did, in words, and why: the rule of the driver that this outcome shows, or nothing if no
// rule is known.
struct Outcome {
  std::size_t choice = 0;  // the right one
  Problem fact;
  std::optional<Problem> why;
};
// To be called when the call has returned; `after` is the state after it. Nothing if the outcome cannot be
// seen: the call never returned, or it failed and the question is not of the kind Result. lab::explain()
// gives the reason of a failed call.
std::optional<Outcome> outcome_of(const Question& question, const State& before, const State& after,
                                  const trace::Event& call);

// A question that was answered.
struct Prediction {
  Question question;
  std::string call;  // its name
  std::size_t chosen = 0;
  bool known = false;              // the call has returned, or never will
  std::optional<Outcome> outcome;  // if `known` but empty: it failed or never returned, and does not count
  bool right() const { return outcome && outcome->choice == chosen; }
};

struct Score {
  std::size_t asked = 0, right = 0;
  std::size_t streak = 0, best_streak = 0;  // right answers in a row
  void add(bool was_right);
  bool operator==(const Score&) const = default;
};

}  // namespace lab
