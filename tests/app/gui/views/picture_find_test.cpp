// SPDX-License-Identifier: MIT
// Finding by name, address and line; and that what only looks alike is not found.
#include "picture_find.hpp"

#include "picture_maker.hpp"

namespace gui::picture {
namespace {

struct Found : testing::Test {
  Maker m = lesson_moment();
  PlaceOf place = [](std::uint64_t event) { return "main.cpp:" + std::to_string(event + 20); };

  std::vector<std::string> find(const std::string& words) {
    std::vector<std::string> names;
    for (const lab::ObjectId id : find_in(m.state, words, place)) names.push_back(m.state.name_of(id));
    return names;
  }
};
using Names = std::vector<std::string>;

TEST_F(Found, a_context_by_its_name_in_either_case) {
  EXPECT_EQ(find("B"), Names{"B"});
  EXPECT_EQ(find("b"), Names{"B"});
}

TEST_F(Found, nothing_by_no_words_and_by_words_that_nothing_has) {
  EXPECT_TRUE(find("").empty());
  EXPECT_TRUE(find("  ").empty());
  EXPECT_TRUE(find("nobody").empty());
}

TEST_F(Found, an_allocation_by_its_number_and_not_by_the_beginning_of_it) {
  for (int i = 0; i < 12; ++i) m.allocate(2, 64);
  EXPECT_EQ(find("#1"), Names{"#1"});
  EXPECT_EQ(find("#12"), Names{"#12"});
}

TEST_F(Found, a_function_by_its_own_name_and_by_a_part_of_it) {
  const lab::ObjectId module = m.object(lab::ObjectKind::Module, 2);
  m.object(lab::ObjectKind::Function, 2, module, "vecAdd");
  EXPECT_EQ(find("vecAdd"), Names{"M1.vecAdd"});
  EXPECT_EQ(find("cadd"), Names{"M1.vecAdd"});
  EXPECT_EQ(find("M1"), (Names{"M1", "M1.vecAdd"}));
}

TEST_F(Found, memory_by_any_address_that_it_holds) {
  EXPECT_EQ(find("0x700000000000"), Names{"#1"});
  EXPECT_EQ(find("0x700000000010"), Names{"#1"});
  EXPECT_TRUE(find("0x600000000000").empty());
  EXPECT_TRUE(find("0xnothing").empty());
}

TEST_F(Found, what_a_line_made) {
  m.allocate(2, 64);
  m.state.allocations.back().created_at = 14;
  EXPECT_EQ(find(":34"), Names{"#3"});
  EXPECT_EQ(find("main.cpp:34"), Names{"#3"});
  EXPECT_EQ(find("34"), Names{"#3"});
  EXPECT_TRUE(find(":4").empty());  // not the end of 34
  EXPECT_TRUE(find("in.cpp:34").empty());
}

}  // namespace
}  // namespace gui::picture
