// SPDX-License-Identifier: MIT
// Numbers carry units, sizes are binary and honest, and what a program prints cannot break the console.
#include "formatting.hpp"

#include <gtest/gtest.h>

namespace gui {
namespace {

TEST(Formatting, durations_have_the_digits_a_reader_uses) {
  EXPECT_EQ(duration_words(0), "0 ns");
  EXPECT_EQ(duration_words(120), "120 ns");
  EXPECT_EQ(duration_words(3'140), "3.1 µs");
  EXPECT_EQ(duration_words(65'400), "65 µs");
  EXPECT_EQ(duration_words(1'500'000), "1.5 ms");
  EXPECT_EQ(duration_words(165'000'000), "165 ms");
  EXPECT_EQ(duration_words(2'000'000'000), "2.0 s");
}

TEST(Formatting, sizes_are_binary_and_say_so) {
  EXPECT_EQ(size_words(0), "0 bytes");
  EXPECT_EQ(size_words(1), "1 byte");
  EXPECT_EQ(size_words(1000), "1000 bytes");
  EXPECT_EQ(size_words(1000, lab::Language::Chinese), "1000 字节");
  EXPECT_EQ(size_words(4096, lab::Language::Chinese), "4 KiB");
  EXPECT_EQ(size_words(4096), "4 KiB");
  EXPECT_EQ(size_words(64u << 20), "64 MiB");
  EXPECT_EQ(size_words(std::uint64_t{3} << 29), "1.5 GiB");
}

TEST(Formatting, results_are_named_without_their_prefix) {
  EXPECT_EQ(result_words(0), "SUCCESS");
  EXPECT_EQ(result_words(201), "201 INVALID_CONTEXT");
  EXPECT_EQ(result_words(31337), "31337");
}

TEST(Printable, plain_text_and_chinese_stay_as_they_are) {
  EXPECT_EQ(printable("A = 0x55d0\n上下文\n"), "A = 0x55d0\n上下文\n");
}

TEST(Printable, escape_sequences_and_bells_are_taken_out) {
  EXPECT_EQ(printable("\x1b[31mred\x1b[0m\a\r\n"), "red\n");
  EXPECT_EQ(printable("\x1b"), "");
  EXPECT_EQ(printable("\x1b[12"), "");
}

TEST(Printable, broken_utf8_becomes_a_dot_and_the_rest_stays) {
  EXPECT_EQ(printable("a\xff"
                      "b"),
            "a·b");
  EXPECT_EQ(printable("a\xe6\xa0"), "a··");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "ab");
}

TEST(Printable, a_tab_is_four_blanks) {
  EXPECT_EQ(printable("\tx"), "    x");
}

float letters(std::string_view text) {
  float count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
  return count;
}

TEST(WithoutMiddle, the_end_of_a_path_stays_and_so_does_its_start) {
  EXPECT_EQ(without_middle("/home/me/run.trace", 18, letters), "/home/me/run.trace");
  EXPECT_EQ(without_middle("/home/somebody/recordings/run.trace", 19, letters), "/home/…gs/run.trace");
}

TEST(WithoutMiddle, letters_of_several_bytes_are_not_cut) {
  const std::string cut = without_middle("/家/某人/录制的运行/第一次运行.trace", 13, letters);
  EXPECT_LE(letters(cut), 13);
  EXPECT_TRUE(cut.ends_with("运行.trace")) << cut;
  EXPECT_TRUE(cut.starts_with("/家/某")) << cut;
}

TEST(WithoutMiddle, where_nothing_fits_only_the_sign_is_left) {
  EXPECT_EQ(without_middle("/home/me", 1, letters), "…");
}

}  // namespace
}  // namespace gui
