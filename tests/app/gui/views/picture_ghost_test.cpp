// SPDX-License-Identifier: MIT
// The run before in the picture: where its entries, its memory and its contexts lie, that they say whose they
// are, and that nothing of what there is now is hidden by them or looks like them.
#include "picture_maker.hpp"

namespace gui::picture {
namespace {

std::vector<const Box*> ghost_boxes(const Scene& scene) {
  std::vector<const Box*> found;
  for (const Box& box : scene.boxes)
    if (box.kind == BoxKind::Ghost) found.push_back(&box);
  return found;
}

std::vector<const Box*> stack_cards(const Scene& scene) {
  std::vector<const Box*> found;
  for (const Box& box : scene.boxes)
    if (box.kind == BoxKind::Card) found.push_back(&box);
  return found;
}

const Box* allocation_box(const Scene& scene, std::uint32_t allocation) {
  for (const Box& box : scene.boxes)
    if (box.kind == BoxKind::Allocation && box.allocation == allocation) return &box;
  return nullptr;
}

// A, B, A; in the run before C was between B and the upper A.
Maker with_an_entry_between() {
  Maker m = lesson_moment();
  m.ghost.emplace();
  m.ghost->stacks.push_back({0, {"C"}, 2, 2, 2});
  return m;
}

TEST(picture_ghost, a_ghost_without_anything_changes_nothing) {
  Maker without = lesson_moment(), with = lesson_moment();
  with.ghost.emplace();
  const Scene a = without.scene(), b = with.scene();
  ASSERT_EQ(a.boxes.size(), b.boxes.size());
  for (std::size_t i = 0; i < a.boxes.size(); ++i) {
    EXPECT_EQ(a.boxes[i].rect, b.boxes[i].rect);
    EXPECT_FALSE(b.boxes[i].fresh);
  }
}

TEST(picture_ghost, an_entry_of_the_run_before_lies_between_the_cards_and_says_so) {
  const Scene scene = with_an_entry_between().scene();
  expect_sound(scene);
  const auto found = ghost_boxes(scene);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(words_of(*found[0]), "C · run before|");
  const auto present = stack_cards(scene);
  ASSERT_EQ(present.size(), 3u);
  EXPECT_LT(found[0]->rect.bottom(), present[1]->rect.y);
  EXPECT_GT(found[0]->rect.y, present[2]->rect.bottom());
  EXPECT_LT(found[0]->rect.h, present[1]->rect.h);
  EXPECT_TRUE(present[2]->current);
  for (const Box* card : present) EXPECT_FALSE(card->fresh);
  EXPECT_FALSE(object_of(*found[0]));  // nothing of now is selected by it
}

TEST(picture_ghost, an_entry_that_only_this_run_has_is_marked_and_no_other) {
  Maker m = lesson_moment();
  m.ghost.emplace();
  m.ghost->stacks.push_back({0, {}, 3, 2, 3});
  const Scene scene = m.scene();
  EXPECT_TRUE(ghost_boxes(scene).empty());
  const auto present = stack_cards(scene);
  ASSERT_EQ(present.size(), 3u);
  EXPECT_FALSE(present[0]->fresh || present[1]->fresh);
  EXPECT_TRUE(present[2]->fresh);
}

TEST(picture_ghost, the_ghosts_of_an_empty_stack_lie_above_its_words) {
  Maker m = lesson_moment();
  m.state.threads[0].stack.clear();
  m.ghost.emplace();
  m.ghost->stacks.push_back({0, {"A", "B", "C"}, 0, 0, 0});
  const Scene scene = m.scene();
  expect_sound(scene);
  const auto found = ghost_boxes(scene);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(words_of(*found[2]), "C · run before|");
  EXPECT_LT(found[2]->rect.y, found[0]->rect.y);  // the top of the stack is at the top
  const Box* const stack = find(scene, BoxKind::Stack);
  for (const Label& label : stack->labels)
    EXPECT_GE(stack->rect.y + label.at.y, found[0]->rect.bottom()) << label.text;
}

TEST(picture_ghost, of_many_entries_the_uppermost_are_shown_and_the_others_counted) {
  Maker m = lesson_moment();
  m.ghost.emplace();
  m.ghost->stacks.push_back({0, {"C", "D", "E", "F", "G"}, 3, 3, 3});
  const Scene scene = m.scene();
  expect_sound(scene);
  const auto found = ghost_boxes(scene);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(words_of(*found[0]), "3 more · run before|");
  EXPECT_EQ(words_of(*found[2]), "G · run before|");
}

TEST(picture_ghost, memory_of_the_run_before_is_an_outline_to_the_same_scale_below_the_bars) {
  Maker m = lesson_moment();  // 64 MiB and 4 KiB in A
  m.ghost.emplace();
  m.ghost->memory.push_back({7, "A", 128ull << 20, lab::MemoryKind::Device});
  m.ghost->memory.push_back({8, "A", 32ull << 20, lab::MemoryKind::Device});
  const Scene scene = m.scene();
  expect_sound(scene);
  const auto found = ghost_boxes(scene);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(words_of(*found[0]), "128 MiB · run before|");
  EXPECT_FLOAT_EQ(found[0]->share, 1);
  EXPECT_FLOAT_EQ(found[1]->share, 0.25f);
  const Box* const now = allocation_box(scene, 1);
  ASSERT_NE(now, nullptr);
  EXPECT_FLOAT_EQ(now->share, 0.5f);
  EXPECT_GT(found[0]->rect.y, allocation_box(scene, 2)->rect.bottom());
  EXPECT_EQ(found[0]->parent, now->parent);
}

TEST(picture_ghost, memory_that_had_another_size_shows_both) {
  Maker m = lesson_moment();
  m.ghost.emplace();
  m.ghost->other_sizes[1] = 128ull << 20;
  m.ghost->new_memory.insert(2);
  const Scene scene = m.scene();
  expect_sound(scene);
  EXPECT_FLOAT_EQ(allocation_box(scene, 1)->share, 0.5f);
  EXPECT_FLOAT_EQ(allocation_box(scene, 1)->share_before, 1);
  EXPECT_NE(words_of(*allocation_box(scene, 1)).find("64 MiB  #1 (128 MiB · run before)"), std::string::npos);
  EXPECT_FALSE(allocation_box(scene, 1)->fresh);
  EXPECT_TRUE(allocation_box(scene, 2)->fresh);
  EXPECT_EQ(allocation_box(scene, 2)->share_before, 0);
}

TEST(picture_ghost, no_words_cross_the_end_of_what_memory_was_before) {
  for (const std::uint64_t before : {1ull << 20, 20ull << 20, 40ull << 20, 63ull << 20}) {
    Maker m = lesson_moment();
    m.ghost.emplace();
    m.ghost->other_sizes[1] = before;
    const Scene scene = m.scene();
    const Box& box = *allocation_box(scene, 1);
    const float end = box.share_before * box.rect.w;
    for (const Label& label : box.labels)
      EXPECT_TRUE(label.at.right() <= end || label.at.x >= end) << label.text << " at " << end;
  }
}

TEST(picture_ghost, much_memory_of_the_run_before_is_counted) {
  Maker m = lesson_moment();
  m.ghost.emplace();
  for (std::uint32_t i = 0; i < 10; ++i)
    m.ghost->memory.push_back({10 + i, "B", (i + 1) * 1024ull, lab::MemoryKind::Device});
  const Scene scene = m.scene();
  expect_sound(scene);
  const auto found = ghost_boxes(scene);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(words_of(*found[0]), "10 KiB · run before|");
  EXPECT_EQ(words_of(*found[2]), "8 more · run before|");
}

TEST(picture_ghost, a_context_that_was_never_made_is_an_outline_with_its_memory_beside_the_others) {
  Maker m = lesson_moment();
  m.ghost.emplace();
  m.ghost->contexts.push_back({"C", 0});
  m.ghost->memory.push_back({9, "C", 1024, lab::MemoryKind::Device});
  const Scene scene = m.scene();
  expect_sound(scene);
  const auto found = ghost_boxes(scene);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(words_of(*found[0]), "C · run before|");
  EXPECT_EQ(scene.boxes[static_cast<std::size_t>(found[1]->parent)].id, found[0]->id);
  EXPECT_EQ(found[0]->parent, find(scene, BoxKind::Context)->parent);
}

TEST(picture_ghost, a_context_that_only_this_run_has_is_marked) {
  Maker m = lesson_moment();
  m.ghost.emplace();
  m.ghost->new_contexts.insert(3);
  const Scene scene = m.scene();
  EXPECT_TRUE(find(scene, BoxKind::Context, 3)->fresh);
  EXPECT_FALSE(find(scene, BoxKind::Context, 2)->fresh);
}

TEST(picture_ghost, memory_that_is_filtered_out_has_no_ghost) {
  Maker m = lesson_moment();
  m.ghost.emplace();
  m.ghost->memory.push_back({7, "A", 128ull << 20, lab::MemoryKind::Device});
  m.filter.memory = false;
  EXPECT_TRUE(ghost_boxes(m.scene()).empty());
}

TEST(picture_ghost, nothing_overlaps_or_sticks_out_in_any_width_scale_and_language) {
  for (const lab::Language language : {lab::Language::English, lab::Language::Chinese})
    for (const float scale : {1.0f, 1.5f, 2.0f})
      for (const float width : {200.0f, 360.0f, 560.0f, 1100.0f}) {
        Maker m = with_an_entry_between();
        m.language = language, m.scale = scale, m.width = width * scale;
        m.thread("worker");
        m.ghost->stacks.push_back({1, {"A", "B"}, 0, 0, 0});
        m.ghost->contexts.push_back({"C", 1});
        m.ghost->memory.push_back({7, "A", 3000, lab::MemoryKind::Device});
        m.ghost->memory.push_back({8, "P1", 30'000'000'000, lab::MemoryKind::Device});
        m.ghost->memory.push_back({9, "", 5ull << 20, lab::MemoryKind::Managed});
        m.ghost->other_sizes[1] = 96ull << 20;
        expect_sound(m.scene());
      }
}

}  // namespace
}  // namespace gui::picture
