// SPDX-License-Identifier: MIT
// What characters the atlas is asked for: all that may be shown, nothing twice, nothing made of broken bytes.
#include "glyphs.hpp"

#include <gtest/gtest.h>

#include "fonts.hpp"

namespace gui {
namespace {

bool in_ranges(const std::vector<ImWchar>& ranges, unsigned code) {
  for (std::size_t i = 0; i + 1 < ranges.size(); i += 2)
    if (code >= ranges[i] && code <= ranges[i + 1]) return true;
  return false;
}

TEST(Glyphs, ascii_is_there_from_the_start_and_asks_for_no_rebuild) {
  GlyphSet set;
  EXPECT_FALSE(set.add("cuCtxPushCurrent(A) → 201 INVALID_CONTEXT, 3.1 µs"));
  EXPECT_TRUE(set.contains('a'));
  EXPECT_TRUE(set.contains(0x2192));
}

TEST(Glyphs, a_new_character_asks_once) {
  GlyphSet set;
  EXPECT_TRUE(set.add("上下文栈"));
  EXPECT_FALSE(set.add("栈上下文"));
  EXPECT_TRUE(set.contains(0x6808));
  EXPECT_FALSE(set.contains(0x8bbe));
}

TEST(Glyphs, ranges_hold_every_character_and_end_with_zero) {
  GlyphSet set;
  set.add("设备一二三");
  const auto ranges = set.ranges();
  ASSERT_EQ(ranges.size() % 2, 1u);
  EXPECT_EQ(ranges.back(), 0);
  for (const char32_t code : std::u32string(U"设备一二三 abc"))
    EXPECT_TRUE(in_ranges(ranges, code)) << static_cast<unsigned>(code);
  EXPECT_FALSE(in_ranges(ranges, 0x56db));
}

TEST(Glyphs, ranges_rise_and_do_not_touch) {
  GlyphSet set;
  set.add("甲乙丙丁戊己庚辛");
  const auto ranges = set.ranges();
  for (std::size_t i = 0; i + 1 < ranges.size(); i += 2) {
    EXPECT_LE(ranges[i], ranges[i + 1]);
    if (i > 0) {
      EXPECT_GT(ranges[i], ranges[i - 1] + 1);
    }
  }
}

TEST(Glyphs, a_part_of_the_set_can_be_asked_for) {
  GlyphSet set;
  set.add("栈");
  EXPECT_TRUE(in_ranges(set.ranges(0x2e80, 0xffff), 0x6808));
  EXPECT_FALSE(in_ranges(set.ranges(0x2e80, 0xffff), 'a'));
  EXPECT_FALSE(in_ranges(set.ranges(0x20, 0x2e7f), 0x6808));
}

TEST(Utf8, characters_of_every_length_are_read) {
  GlyphSet set;
  set.add("aĀ栈😀下");
  for (const char32_t code : std::u32string(U"aĀ栈下"))
    EXPECT_TRUE(set.contains(code)) << static_cast<unsigned>(code);
}

TEST(Utf8, broken_bytes_are_left_out_and_the_rest_is_read) {
  const std::size_t before = GlyphSet().size();
  for (const char* broken :
       {"\xff", "\xe6\xa0", "\xc0\xaf", "\xed\xa0\x80"}) {  // cut off, overlong, surrogate
    GlyphSet set;
    EXPECT_FALSE(set.add(broken));
    EXPECT_TRUE(set.add(std::string(broken) + "栈"));
    EXPECT_TRUE(set.contains(0x6808));
    EXPECT_EQ(set.size(), before + 1);
  }
}

TEST(Glyphs, characters_beyond_the_first_plane_change_nothing) {
  GlyphSet set;
  EXPECT_FALSE(set.add("😀"));
}

}  // namespace
}  // namespace gui
