// SPDX-License-Identifier: MIT
// Numbers, constant expressions and the names of types, apart from everything that they stand in.
#include "constants.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

namespace {

std::int64_t value_of(std::string_view written) {
  ptx::Cursor text(written);
  ptx::Errors errors;
  const std::int64_t value = ptx::constant(text, errors);
  EXPECT_TRUE(text.at_end()) << written;
  EXPECT_EQ(errors.count(), 0u) << written;
  return value;
}

TEST(Constants, operators_bind_as_in_c) {
  EXPECT_EQ(value_of("1 + 2 * 3"), 7);
  EXPECT_EQ(value_of("(1 + 2) * 3"), 9);
  EXPECT_EQ(value_of("10 - 4 - 3"), 3);
  EXPECT_EQ(value_of("1 << 2 + 1"), 8);
  EXPECT_EQ(value_of("6 & 3 == 3"), 0);
  EXPECT_EQ(value_of("1 | 6 ^ 2"), 5);
  EXPECT_EQ(value_of("0 || 2 && 3"), 1);
  EXPECT_EQ(value_of("2 > 1 ? 5 : 6"), 5);
}

TEST(Constants, signs_and_complements_stand_before_their_number) {
  EXPECT_EQ(value_of("-3"), -3);
  EXPECT_EQ(value_of("~0"), -1);
  EXPECT_EQ(value_of("!7"), 0);
  EXPECT_EQ(value_of("(.s64) 4"), 4);
}

TEST(Constants, nothing_that_can_be_written_is_undefined) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(value_of("5 / 0"), 0);
  EXPECT_EQ(value_of("5 % 0"), 0);
  EXPECT_EQ(value_of("0x8000000000000000 / -1"), least);
  EXPECT_EQ(value_of("0x8000000000000000 % -1"), 0);
  EXPECT_EQ(value_of("1 << 64"), 0);
  EXPECT_EQ(value_of("-8 >> 100"), -1);
  EXPECT_EQ(value_of("0x7fffffffffffffff + 1"), least);
}

TEST(Constants, the_text_is_read_up_to_what_belongs_to_the_expression) {
  ptx::Cursor text("3 + 4, 5");
  ptx::Errors errors;
  EXPECT_EQ(ptx::constant(text, errors), 7);
  EXPECT_TRUE(text.at(","));
}

TEST(Constants, an_integer_begins_with_a_whole_number) {
  ptx::Errors errors;
  ptx::Cursor whole("4 * 2"), real("4.0"), name("x");
  EXPECT_EQ(ptx::integer(whole, errors), 8u);
  EXPECT_THROW(ptx::integer(real, errors), ptx::Failure);
  EXPECT_THROW(ptx::integer(name, errors), ptx::Failure);
}

TEST(Constants, a_literal_keeps_the_bits_of_a_float_and_its_sign) {
  ptx::Errors errors;
  ptx::Cursor wide("-1.5"), narrow("-0f3f800000"), whole("-2");
  const ptx::Operand of_64 = ptx::literal(wide, errors);
  EXPECT_TRUE(of_64.float_literal);
  EXPECT_EQ(std::bit_cast<double>(of_64.bits), -1.5);
  const ptx::Operand of_32 = ptx::literal(narrow, errors);
  EXPECT_TRUE(of_32.single_literal);
  EXPECT_EQ(of_32.bits, 0xbf800000u);
  const ptx::Operand integer = ptx::literal(whole, errors);
  EXPECT_FALSE(integer.float_literal || integer.single_literal);
  EXPECT_EQ(integer.bits, ~std::uint64_t{1});
}

TEST(Constants, types_have_names_with_and_without_a_dot) {
  EXPECT_EQ(ptx::type_of_word(".s32"), ptx::Type::S32);
  EXPECT_EQ(ptx::type_of_word("bf16x2"), ptx::Type::Bf16x2);
  EXPECT_EQ(ptx::type_of_word(".v4"), ptx::Type::None);
  ptx::Cursor type(".f64"), none("f64");
  EXPECT_EQ(ptx::type_word(type), ptx::Type::F64);
  EXPECT_THROW(ptx::type_word(none), ptx::Failure);
}

}  // namespace
