// SPDX-License-Identifier: MIT
// The tables of rules as a whole: what a call does is looked up by its name, so a name that is misspelt, or
// stands in two tables, would be passed over without a word.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "api/descriptions.hpp"
#include "apply.hpp"

TEST(rules, no_call_has_two) {
  std::map<std::string_view, int> times;
  for (const lab::Rule& rule : lab::all_rules()) EXPECT_EQ(++times[rule.call], 1) << rule.call;
  EXPECT_GT(times.size(), 100u);
}

TEST(rules, each_is_of_a_call_that_the_manual_has) {
  std::set<std::string_view> described;
  for (const api::FunctionDescription& function : api::functions()) described.insert(function.name);
  for (const lab::Rule& rule : lab::all_rules()) {
    EXPECT_TRUE(described.contains(rule.call)) << rule.call;
    EXPECT_TRUE(rule.apply) << rule.call;
  }
}

TEST(rules, each_call_that_copies_or_fills_has_one) {
  std::set<std::string_view> known;
  for (const lab::Rule& rule : lab::all_rules()) known.insert(rule.call);
  for (const api::FunctionDescription& function : api::functions()) {
    if (function.name.starts_with("cuMemcpy") || function.name.starts_with("cuMemset")) {
      EXPECT_TRUE(known.contains(function.name)) << function.name;
    }
  }
}

TEST(rules, each_call_of_which_the_description_says_that_it_makes_or_ends_something_has_one) {
  // User objects are counted by the driver for graphs; nothing of them is drawn.
  const std::set<std::string_view> not_drawn{"cuUserObjectCreate"};
  std::set<std::string_view> known;
  for (const lab::Rule& rule : lab::all_rules()) known.insert(rule.call);
  for (const api::FunctionDescription& function : api::functions()) {
    if (function.creates.empty() && function.destroys.empty()) continue;
    EXPECT_NE(known.contains(function.name), not_drawn.contains(function.name)) << function.name;
  }
}
