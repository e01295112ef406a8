// SPDX-License-Identifier: MIT
// The host's memory in the picture, and the arcs of copies.
#include "picture_host.hpp"

#include "picture_copies.hpp"
#include "picture_maker.hpp"

namespace gui::picture {
namespace {

constexpr std::uint64_t kNumbers = 0x7ffd00001000;

Maker with_copy(std::uint64_t bytes, CopyPhase phase = CopyPhase::Moves) {
  Maker m = lesson_moment();
  m.state.host.apply({kNumbers, bytes, 3});
  const lab::Allocation& target = m.state.allocations[1];  // 4 KiB
  m.copies = {{{{lab::CopyEnd::Side::Host, kNumbers, bytes},
                {lab::CopyEnd::Side::Device, target.address, bytes},
                bytes},
               phase,
               7}};
  return m;
}

const Arrow* copy_in(const Scene& scene) {
  for (const Arrow& arrow : scene.arrows)
    if (arrow.of_copy) return &arrow;
  return nullptr;
}

}  // namespace

TEST(picture_host, without_named_host_memory_there_is_no_column) {
  Maker m = lesson_moment();
  const Scene scene = m.scene();
  EXPECT_EQ(find(scene, BoxKind::HostMemory), nullptr);
  EXPECT_EQ(find(scene, BoxKind::Panel)->rect.x, 0);
}

TEST(picture_host, a_column_that_will_be_needed_keeps_the_devices_in_place) {
  Maker m = lesson_moment();
  m.host_ahead = true;
  const float before = find(m.scene(), BoxKind::Panel)->rect.x;
  EXPECT_GT(before, 0);
  m.state.host.apply({kNumbers, 64, 3});
  EXPECT_EQ(find(m.scene(), BoxKind::Panel)->rect.x, before);
}

TEST(picture_host, memory_has_its_name_its_size_and_its_kind) {
  Maker m = with_copy(1024);
  m.allocate(2, 4096, lab::MemoryKind::Host);
  const Scene scene = m.scene();
  expect_sound(scene);
  std::string words;
  for (const Box& box : scene.boxes)
    if (box.kind == BoxKind::HostMemory) words += words_of(box);
  EXPECT_NE(words.find("numbers|"), std::string::npos) << words;
  EXPECT_NE(words.find("1 KiB · pageable|"), std::string::npos) << words;
  EXPECT_NE(words.find("#3|"), std::string::npos) << words;
  EXPECT_NE(words.find("4 KiB · pinned|"), std::string::npos) << words;
}

TEST(picture_host, a_copy_is_an_arc_with_its_bytes_from_what_it_reads_to_what_it_writes) {
  const Maker m = with_copy(1024, CopyPhase::Waits);
  const Scene scene = m.scene();
  expect_sound(scene);
  const Arrow* const arrow = copy_in(scene);
  ASSERT_NE(arrow, nullptr);
  EXPECT_EQ(arrow->words, "1 KiB");
  EXPECT_EQ(arrow->copy, CopyPhase::Waits);
  const Box &from = scene.boxes[static_cast<std::size_t>(arrow->from)],
            &to = scene.boxes[static_cast<std::size_t>(arrow->to)];
  EXPECT_EQ(from.kind, BoxKind::HostMemory);
  EXPECT_EQ(to.allocation, 2u);
  EXPECT_FLOAT_EQ(to.copied_from, 0);
  EXPECT_FLOAT_EQ(to.copied_to, 0.25f);
  const CopyArc arc = copy_arc(*arrow, from, to, 1);
  EXPECT_EQ(arc.curve.from.x, from.rect.right());
  EXPECT_EQ(arc.curve.to.x, to.rect.x);
}

// The bytes touch neither the host's frame nor that of the devices, whatever is copied to where.
TEST(picture_host, the_bytes_of_a_copy_stand_free_between_the_host_and_the_devices) {
  for (const float scale : {1.0f, 1.5f, 2.0f})
    for (const bool within_device : {false, true}) {
      Maker m = with_copy(1000);
      m.scale = scale, m.width = 900 * scale;
      if (within_device)
        m.copies[0].copied.from = {lab::CopyEnd::Side::Device, m.state.allocations[0].address, 1000};
      const Scene scene = m.scene();
      const Arrow* const arrow = copy_in(scene);
      ASSERT_NE(arrow, nullptr);
      const CopyArc arc = copy_arc(*arrow, scene.boxes[static_cast<std::size_t>(arrow->from)],
                                   scene.boxes[static_cast<std::size_t>(arrow->to)], scale);
      const Box *const host = find(scene, BoxKind::Process), *const devices = find(scene, BoxKind::Panel);
      ASSERT_NE(host, nullptr);
      ASSERT_NE(devices, nullptr);
      EXPECT_GT(arc.words.x - arrow->words_width / 2, host->rect.right() + 2 * scale) << within_device;
      EXPECT_LT(arc.words.x + arrow->words_width / 2, devices->rect.x - 2 * scale) << within_device;
    }
}

TEST(picture_host, a_copy_out_of_bounds_goes_on_behind_the_end_of_the_bar) {
  const Maker m = with_copy(6144, CopyPhase::Failed);
  const Scene scene = m.scene();
  const Arrow* const arrow = copy_in(scene);
  ASSERT_NE(arrow, nullptr);
  EXPECT_FLOAT_EQ(scene.boxes[static_cast<std::size_t>(arrow->to)].copied_to, 1.5f);
}

TEST(picture_host, it_is_sound_at_all_widths_scales_and_in_both_languages) {
  for (const float width : {180.0f, 300.0f, 430.0f, 560.0f, 1200.0f})
    for (const float scale : {1.0f, 2.0f})
      for (const lab::Language language : {lab::Language::English, lab::Language::Chinese}) {
        Maker m = with_copy(1024);
        m.width = width * scale, m.scale = scale, m.language = language;
        for (int i = 0; i < 12; ++i) m.allocate(2, 4096, lab::MemoryKind::Registered);
        expect_sound(m.scene());
      }
}

}  // namespace gui::picture
