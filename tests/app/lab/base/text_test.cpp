// SPDX-License-Identifier: MIT
// Sentences and their values, and which language an environment asks for.
#include "lab/text.hpp"

#include "fixture.hpp"

using lab::Language;
using lab::Text;

TEST(Text, every_key_has_both_languages) {
  for (std::size_t i = 0; i < lab::kTextCount; ++i)
    for (const Language language : {Language::English, Language::Chinese})
      EXPECT_FALSE(lab::text(static_cast<Text>(i), language).empty()) << i;
}

TEST(Text, values_stand_where_the_sentence_wants_them) {
  EXPECT_EQ(lab::text(Text::EndExit, Language::English, {"3"}), "ended with exit status 3");
  EXPECT_THAT(lab::text(Text::EndExit, Language::Chinese, {"3"}), testing::HasSubstr("3"));
}

TEST(Text, a_missing_value_shows_as_its_placeholder) {
  EXPECT_EQ(lab::text(Text::EndExit, Language::English, {}), "ended with exit status {0}");
}

TEST(Text, a_value_is_not_read_for_placeholders) {
  EXPECT_EQ(lab::text(Text::EndExit, Language::English, {"{0}"}), "ended with exit status {0}");
}

TEST(Text, a_list_of_names_has_the_sign_between_them_that_the_language_has) {
  const std::string names = lab::list_of({"cuInit", "cuDeviceGet", "A"});
  EXPECT_EQ(lab::text(Text::EndExit, Language::English, {names}),
            "ended with exit status cuInit, cuDeviceGet, A");
  EXPECT_THAT(lab::text(Text::EndExit, Language::Chinese, {names}),
              testing::HasSubstr("cuInit、cuDeviceGet、A"));
  EXPECT_EQ(lab::text(Text::EndExit, Language::English, {lab::list_of({"A"})}), "ended with exit status A");
  EXPECT_EQ(lab::list_of({}), "");
}

TEST(Text, the_first_set_variable_decides_the_language) {
  const lab_test::Variable lang("LANG", "zh_CN.UTF-8"), messages("LC_MESSAGES", ""), all("LC_ALL", "");
  EXPECT_EQ(lab::language_from_environment(), Language::Chinese);
  const lab_test::Variable english("LC_ALL", "en_US.UTF-8");
  EXPECT_EQ(lab::language_from_environment(), Language::English);
}

TEST(Text, only_en_and_zh_are_languages) {
  EXPECT_EQ(lab::parse_language("en"), Language::English);
  EXPECT_EQ(lab::parse_language("zh"), Language::Chinese);
  EXPECT_FALSE(lab::parse_language("ZH"));
  EXPECT_FALSE(lab::parse_language(""));
}
