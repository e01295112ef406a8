// SPDX-License-Identifier: MIT
// What is said about the last call of a run; "" if nothing is.
#pragma once
#include <string>

#include "lab/explain.hpp"
#include "world.hpp"

namespace lab_model_test {

inline std::string why_failed(World& run, lab::Language language = lab::Language::English) {
  trace::Store store;
  run.into(store);
  lab::Model model(store);
  model.follow();
  std::size_t last = store.size() - 1;
  while (store.kind_at(last) != trace::EventKind::Call) --last;
  const auto told = lab::explain(model, store, last);
  return told ? told->sentence.in(language) : std::string();
}

#define EXPECT_TELLS(sentence, words) EXPECT_NE((sentence).find(words), std::string::npos) << (sentence)

}  // namespace lab_model_test
