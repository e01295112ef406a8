// SPDX-License-Identifier: MIT
// "What will happen?": a question about the next call, made from the world as it is, before the call runs.
//
// The wrong choices are what people believe (a destroyed context leaves every stack, setting pushes, what is
// popped is freed …). The right one is never computed here: it is what the driver then did. So a question can
// be asked of any program, and is never marked wrong by a mistake of ours.
//
// Pure values, no window; sentences are Problems, put into words when they are shown.
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
  Result,    // what will the call answer?
  Survival,  // what becomes of what a context owns?
  Stack,     // how will the thread's stack look?
  Owner      // to whom will it belong?
};

struct Question {
  struct Choice {
    Problem words;
    std::string value;  // what is compared with the outcome; "" for "something else", which is the last one
  };
  QuestionKind kind = QuestionKind::Result;
  std::uint32_t thread = 0;
  std::uint32_t context = kNone;  // Survival: whose things
  Problem words;
  std::vector<Choice> choices;  // at least three, in an order that gives nothing away, the same every time
};

// Nothing for calls of which nothing is to be learnt: most of them. `call` is one that has not run, or an
// event of the past, of which only the arguments passed are read. `before` is the moment before it.
std::optional<Question> question_before(const State& before, const trace::Event& call);

// What the driver did about a question, in words, and why: a rule of the driver that this very outcome bears
// out, or nothing where none is known.
struct Outcome {
  std::size_t choice = 0;  // the one that the driver made true
  Problem fact;
  std::optional<Problem> why;
};
// Once the call has returned; `after` is the moment after it. Nothing when the outcome cannot be seen: the
// call never returned, or, but for Result, it failed. For a failed call lab::explain() knows the reason
// better.
std::optional<Outcome> outcome_of(const Question& question, const State& before, const State& after,
                                  const trace::Event& call);

// A question that was answered.
struct Prediction {
  Question question;
  std::string call;  // its name
  std::size_t chosen = 0;
  bool known = false;              // the call came to its end, or never will
  std::optional<Outcome> outcome;  // nothing although known: it failed or never returned, and does not count
  bool right() const { return outcome && outcome->choice == chosen; }
};

struct Score {
  std::size_t asked = 0, right = 0;
  std::size_t streak = 0, best_streak = 0;  // right ones in a row
  void add(bool was_right);
  bool operator==(const Score&) const = default;
};

}  // namespace lab
