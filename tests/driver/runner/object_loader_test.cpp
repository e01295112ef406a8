// SPDX-License-Identifier: MIT
// The loader of compiled kernels: what it places runs, and what somebody damaged is refused, not followed.
#include "object_loader.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

namespace {

int outside(int value) {
  return value * 100;
}
int elsewhere = 7;

const void* resolve(std::string_view name) {
  if (name == "outside") return reinterpret_cast<const void*>(outside);
  if (name == "elsewhere") return &elsewhere;
  return nullptr;
}

std::vector<std::byte> object() {
  std::ifstream file(RUNNER_TEST_OBJECT, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<std::byte> result(bytes.size());
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

template <typename Function>
Function* function(const runner::LoadedObject& loaded, const char* name) {
  return reinterpret_cast<Function*>(const_cast<void*>(loaded.find(name)));
}

TEST(ObjectLoader, code_that_was_placed_runs) {
  std::string why;
  const auto loaded = runner::LoadedObject::load(object(), resolve, why);
  ASSERT_NE(nullptr, loaded) << why;
  EXPECT_EQ(9, function<int(int)>(*loaded, "square_of")(3));
  EXPECT_EQ(41, function<int()>(*loaded, "count")());
  EXPECT_EQ(42, function<int()>(*loaded, "count")());
  EXPECT_EQ(507, function<int(int)>(*loaded, "ask_outside")(5));
  EXPECT_EQ(300, function<int(int, int)>(*loaded, "ask_by_table")(3, 1));
}

TEST(ObjectLoader, two_copies_have_variables_of_their_own) {
  std::string why;
  const auto first = runner::LoadedObject::load(object(), resolve, why);
  const auto second = runner::LoadedObject::load(object(), resolve, why);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(41, function<int()>(*first, "count")());
  EXPECT_EQ(41, function<int()>(*second, "count")());
}

TEST(ObjectLoader, a_name_that_nothing_has_is_found_to_be_missing) {
  std::string why;
  const auto loaded = runner::LoadedObject::load(object(), resolve, why);
  ASSERT_NE(nullptr, loaded);
  EXPECT_EQ(nullptr, loaded->find("squares"));
  EXPECT_EQ(nullptr, loaded->find("outside"));
}

TEST(ObjectLoader, what_an_object_needs_and_nobody_has_is_named) {
  std::string why;
  EXPECT_EQ(nullptr, runner::LoadedObject::load(object(), [](std::string_view) { return nullptr; }, why));
  EXPECT_EQ(0U, why.find("nothing is called ")) << why;
}

TEST(ObjectLoader, an_object_cut_anywhere_does_no_harm) {
  const std::vector<std::byte> whole = object();
  ASSERT_GT(whole.size(), 500U);
  unsigned refused = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::string why;
    // A copy of exactly this size, so that a sanitizer sees a step beyond it.
    const std::vector<std::byte> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    if (runner::LoadedObject::load(part, resolve, why) == nullptr) {
      ++refused;
      EXPECT_FALSE(why.empty());
    }
  }
  EXPECT_EQ(whole.size(), refused);  // the table of sections is the last thing in the file
}

TEST(ObjectLoader, any_byte_may_be_wrong) {
  const std::vector<std::byte> whole = object();
  std::mt19937 random(7);
  unsigned refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> damaged = whole;
    for (auto changes = 1 + random() % 3; changes > 0; --changes)
      damaged[random() % damaged.size()] = static_cast<std::byte>(random());
    std::string why;
    refused += runner::LoadedObject::load(damaged, resolve, why) == nullptr ? 1 : 0;
  }
  EXPECT_GT(refused, 1000U);
}

}  // namespace
