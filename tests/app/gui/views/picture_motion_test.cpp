// SPDX-License-Identifier: MIT
// The way from one scene to the next.
#include "picture_motion.hpp"

#include <gtest/gtest.h>

namespace gui::picture {
namespace {

Box box(std::uint64_t id, BoxKind kind, Rect rect) {
  Box made;
  made.id = id, made.kind = kind, made.rect = rect;
  return made;
}

Scene scene(std::vector<Box> boxes) {
  Scene made;
  made.boxes = std::move(boxes);
  return made;
}

TEST(motion, at_the_end_exactly_the_new_scene_is_left) {
  const Scene from = scene({box(1, BoxKind::Card, {0, 0, 10, 10}), box(2, BoxKind::Context, {0, 0, 10, 10})});
  const Scene to = scene({box(2, BoxKind::Context, {5, 5, 20, 20}), box(3, BoxKind::Card, {9, 9, 10, 10})});
  const std::vector<Sprite> sprites = between(from, to, 1, 1);
  ASSERT_EQ(sprites.size(), to.boxes.size());
  for (std::size_t i = 0; i < sprites.size(); ++i) {
    EXPECT_EQ(sprites[i].box.rect, to.boxes[i].rect);
    EXPECT_EQ(sprites[i].alpha, 1);
    EXPECT_FALSE(sprites[i].leaving);
  }
}

TEST(motion, a_pushed_card_comes_from_above_and_a_popped_one_goes_up) {
  const Scene without = scene({}), with = scene({box(1, BoxKind::Card, {0, 100, 10, 10})});
  const Sprite coming = between(without, with, 0.2f, 1).at(0);
  EXPECT_LT(coming.box.rect.y, 100);
  EXPECT_LT(coming.alpha, 1);
  const Sprite going = between(with, without, 0.2f, 1).at(0);
  EXPECT_TRUE(going.leaving);
  EXPECT_LT(going.box.rect.y, 100);
}

TEST(motion, an_allocation_grows_from_its_left_edge) {
  const Scene to = scene({box(1, BoxKind::Allocation, {7, 0, 100, 10})});
  float before = 0;
  for (const float progress : {0.1f, 0.3f, 0.6f, 1.0f}) {
    const Sprite sprite = between(scene({}), to, progress, 1).at(0);
    EXPECT_GT(sprite.box.share, before);
    EXPECT_EQ(sprite.box.rect.x, 7);
    before = sprite.box.share;
  }
  EXPECT_EQ(before, 1);
}

TEST(motion, what_was_destroyed_fades_where_it_stands) {
  Scene from = scene({box(1, BoxKind::Context, {0, 0, 10, 10})}), to = from;
  to.boxes[0].dead = 1;
  const float half = between(from, to, 0.5f, 1).at(0).box.dead;
  EXPECT_GT(half, 0);
  EXPECT_LT(half, 1);
}

TEST(motion, the_new_scene_stands_last_and_in_its_own_order) {
  const Scene from = scene({box(1, BoxKind::Card, {0, 0, 1, 1}), box(2, BoxKind::Card, {0, 0, 1, 1})});
  const Scene to = scene({box(3, BoxKind::Card, {0, 0, 1, 1}), box(2, BoxKind::Card, {0, 0, 1, 1})});
  const std::vector<Sprite> sprites = between(from, to, 0.5f, 1);
  ASSERT_EQ(sprites.size(), 3u);
  EXPECT_EQ(sprites[0].box.id, 1u);
  EXPECT_EQ(sprites[1].box.id, 3u);
  EXPECT_EQ(sprites[2].box.id, 2u);
}

TEST(motion, eases_from_nothing_to_all_without_turning_back) {
  EXPECT_EQ(ease_out(0), 0);
  EXPECT_EQ(ease_out(1), 1);
  EXPECT_EQ(ease_out(7), 1);
  for (float t = 0; t < 1; t += 0.05f) EXPECT_LT(ease_out(t), ease_out(t + 0.05f));
}

}  // namespace
}  // namespace gui::picture
