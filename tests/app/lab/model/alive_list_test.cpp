// SPDX-License-Identifier: MIT
// A list of what is alive, against a plain vector from which the same is taken.
#include "lab/alive_list.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

using lab::AliveList;

namespace {

std::vector<int> all_of(const AliveList<int>& list) {
  return {list.begin(), list.end()};
}

}  // namespace

TEST(AliveLists, what_is_taken_out_anywhere_is_gone_and_the_rest_keeps_its_order) {
  std::mt19937 random(7);
  AliveList<int> list;
  std::vector<int> plain;
  for (int i = 0; i < 3000; ++i) {
    if (plain.empty() || random() % 5 < 3) {
      list.push_back(i);
      plain.push_back(i);
    } else {
      // The first, the last, or one between.
      const std::size_t choice = random() % 3;
      const std::size_t at = choice == 0 ? 0 : choice == 1 ? plain.size() - 1 : random() % plain.size();
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
      plain.erase(plain.begin() + static_cast<std::ptrdiff_t>(at));
    }
    ASSERT_EQ(all_of(list), plain) << i;
  }
}

TEST(AliveLists, copies_hold_the_same_things_and_no_empty_places) {
  AliveList<int> list;
  for (int i = 0; i < 10; ++i) list.push_back(i);
  for (int i = 0; i < 4; ++i) list.erase(list.begin());
  const AliveList<int> copy = list;
  AliveList<int> assigned;
  assigned = list;
  EXPECT_EQ(copy, list);
  EXPECT_EQ(assigned, list);
  EXPECT_LT(copy.bytes(), list.bytes());
  const AliveList<int> moved = std::move(list);
  EXPECT_EQ(moved, copy);
  EXPECT_EQ(moved.front(), 4);
  EXPECT_EQ(moved.back(), 9);
  EXPECT_EQ(moved[1], 5);
}

TEST(AliveLists, empty_places_in_front_are_given_back) {
  AliveList<int> list;
  std::size_t most = 0;
  for (int i = 0; i < 100'000; ++i) {
    list.push_back(i);
    if (list.size() > 10) list.erase(list.begin());
    most = std::max(most, list.bytes());
  }
  EXPECT_EQ(list.size(), 10u);
  EXPECT_LE(most, 64 * sizeof(int));
}
