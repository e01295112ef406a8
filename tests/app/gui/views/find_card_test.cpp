// SPDX-License-Identifier: MIT
// What the search card knows of the text, and where it puts the caret. Its keys and its looks are tested in
// the window.
#include "editor/find_card.hpp"

#include <gtest/gtest.h>

namespace gui::editor {
namespace {

TEST(find_card, what_is_selected_is_searched_and_the_caret_goes_to_the_next_place) {
  Editing text("push pop\npush\npop");
  text.caret = {{0, 5}, {0, 8}};
  FindCard card;
  card.open(text, false);
  card.update(text);
  EXPECT_EQ(card.places(), (std::vector<Position>{{0, 5}, {2, 0}}));
  EXPECT_EQ(card.length(), 3);
  EXPECT_EQ(text.selected(), "pop");
  EXPECT_TRUE(card.take_moved());
  EXPECT_FALSE(card.take_moved()) << "it is said once";
}

TEST(find_card, an_edit_is_noticed_and_leaves_the_caret_where_it_is) {
  Editing text("pop pop");
  text.caret = {{0, 0}, {0, 3}};
  FindCard card;
  card.open(text, false);
  card.update(text);
  ASSERT_EQ(card.places().size(), 2u);
  (void)card.take_moved();
  text.caret = caret_at({0, 0});
  text.type("pop ");
  card.update(text);
  EXPECT_EQ(card.places().size(), 3u);
  EXPECT_EQ(text.caret.head, (Position{0, 4}));
  EXPECT_FALSE(card.take_moved());
}

TEST(find_card, a_closed_one_searches_nothing) {
  Editing text("pop");
  text.caret = {{0, 0}, {0, 3}};
  FindCard card;
  card.update(text);
  EXPECT_TRUE(card.places().empty());
  card.open(text, false);
  card.close();
  card.update(text);
  EXPECT_TRUE(card.places().empty());
  EXPECT_FALSE(card.is_open());
}

TEST(find_card, a_selection_of_several_lines_is_not_what_is_searched) {
  Editing text("push\npop");
  text.caret = {{0, 0}, {1, 3}};
  FindCard card;
  card.open(text, false);
  card.update(text);
  EXPECT_TRUE(card.places().empty());
}

}  // namespace
}  // namespace gui::editor
