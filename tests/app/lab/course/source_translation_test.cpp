// SPDX-License-Identifier: MIT
// Sources in the other language: what is a unit, what stands in its place, and what an entry may not say.
#include "lab/source_translation.hpp"

#include "fixture.hpp"

namespace {

using Texts = std::vector<std::string>;

std::vector<Texts> units(std::string_view source) {
  std::vector<Texts> all;
  for (const lab::SourceUnit& unit : lab::units_in_source(source)) all.push_back(unit.texts());
  return all;
}

class SourceWords : public testing::Test {
 protected:
  lab::Result<lab::SourceWords> read(std::string_view text) {
    return lab::read_source_words(folder.write("words.zh.toml", text));
  }
  std::string chinese(std::string_view text, std::string_view source) {
    const auto words = read(text);
    EXPECT_TRUE(words) << words.error().in(lab::Language::English);
    return words ? words->chinese(source) : std::string();
  }
  void expect_refused(std::string_view text, lab::Text key, const std::string& line) {
    const auto words = read(text);
    ASSERT_FALSE(words) << text;
    EXPECT_EQ(words.error().key, key) << words.error().in(lab::Language::English);
    lab_test::expect_in_both(words.error(), "words.zh.toml");
    EXPECT_EQ(words.error().values.at(1), line);
  }
  lab_test::TemporaryFolder folder;
};

}  // namespace

TEST_F(SourceWords, a_block_of_comment_lines_is_one_unit_and_a_comment_behind_code_is_another) {
  EXPECT_EQ(units("// one\n//   two\nint a;  // three\n// four\n\n// five\n"),
            (std::vector<Texts>{{"one", "two"}, {"three"}, {"four"}, {"five"}}));
  EXPECT_EQ(units("/* one\n   two */ int a; /* three */"), (std::vector<Texts>{{"one", "two"}, {"three"}}));
}

TEST_F(SourceWords, a_mark_of_a_step_is_no_unit_and_ends_one) {
  EXPECT_EQ(units("// one\n// step: two\n// three\n"), (std::vector<Texts>{{"one"}, {"three"}}));
}

TEST_F(SourceWords, literals_that_follow_each_other_are_one_unit) {
  EXPECT_EQ(units("f(\"one \"\n  \"two\", \"three\");"), (std::vector<Texts>{{"one ", "two"}, {"three"}}));
  EXPECT_EQ(units(R"(f("a \"b\" // c");)"), (std::vector<Texts>{{R"(a \"b\" // c)"}}));
}

TEST_F(SourceWords, includes_characters_and_raw_strings_are_no_units) {
  EXPECT_EQ(units("#include \"one.hpp\"  // two\n  # include \"three\"\n"), (std::vector<Texts>{{"two"}}));
  EXPECT_EQ(units("c = '\"'; d = '\\''; n = 300'000; // 'one'\n"), std::vector<Texts>{{"'one'"}});
  EXPECT_EQ(units("R\"(one // \"two\")\" R\"x(\")\" // )x\" // three"), std::vector<Texts>{{"three"}});
}

TEST_F(SourceWords, what_does_not_end_is_read_to_its_end) {
  for (const char* source : {"\"one", "'", "/* one", "R\"x(one", "R\"", "//", "/*", "#", "\"\\"})
    (void)lab::units_in_source(source);
  EXPECT_EQ(units("/* one"), std::vector<Texts>{{"one"}});
  EXPECT_EQ(units("\"one\n// two"), std::vector<Texts>{{"two"}});
}

TEST_F(SourceWords, the_chinese_stands_in_place_and_the_code_stays_as_it_is) {
  const char* const words = R"(
[[comment]]
en = ['One line.', 'And another.']
zh = ['一行。', '又一行。']
[[comment]]
en = 'behind'
zh = '后面'
[[string]]
en = ['the sum ', 'is %d\n']
zh = ['和', '是 %d\n']
)";
  EXPECT_EQ(chinese(words,
                    "  // One line.\n  // And another.\n  f(\"the sum \"\n    \"is %d\\n\", 3);  // behind\n"
                    "  // step: behind\n  // One line.\n  g(\"behind\");\n"),
            "  // 一行。\n  // 又一行。\n  f(\"和\"\n    \"是 %d\\n\", 3);  // 后面\n"
            "  // step: behind\n  // One line.\n  g(\"behind\");\n");
  EXPECT_EQ(chinese(words, "/* One line.\n   And another. */\n"), "/* 一行。\n   又一行。 */\n");
}

TEST_F(SourceWords, without_a_file_everything_stays_english) {
  const auto words = lab::read_source_words(folder.path() / "missing.toml");
  ASSERT_TRUE(words);
  EXPECT_EQ(words->chinese("// one\n"), "// one\n");
}

TEST_F(SourceWords, a_file_of_another_form_is_refused_with_its_line) {
  expect_refused("comment = [", lab::Text::LessonTomlSyntax, "1");
  expect_refused("\n[[note]]\nen = 'a'\n", lab::Text::LessonTomlUnknownKey, "2");
  expect_refused("comment = 3\n", lab::Text::LessonTomlWrongType, "1");
  expect_refused("[[comment]]\nen = 'a'\nzh = '一'\nja = 'a'\n", lab::Text::LessonTomlUnknownKey, "4");
  expect_refused("\n[[comment]]\nen = 'a'\n", lab::Text::LessonTomlMissingKey, "2");
  expect_refused("[[comment]]\nen = 'a'\nzh = 3\n", lab::Text::LessonTomlWrongType, "3");
  expect_refused("[[comment]]\nen = []\nzh = '一'\n", lab::Text::LessonTomlWrongType, "2");
  expect_refused("[[comment]]\nen = ['a', 1]\nzh = '一'\n", lab::Text::LessonTomlWrongType, "2");
}

TEST_F(SourceWords, an_entry_that_does_not_fit_its_english_is_refused) {
  expect_refused("[[comment]]\nen = ['a', 'b']\nzh = '一'\n", lab::Text::WordsOtherLines, "1");
  expect_refused("[[comment]]\nen = ['a', 'b']\nzh = ['一', ' ']\n", lab::Text::WordsEmpty, "1");
  expect_refused("[[comment]]\nen = 'a'\nzh = '一'\n[[comment]]\nen = 'a'\nzh = '二'\n",
                 lab::Text::WordsTwice, "4");
  expect_refused("[[string]]\nen = '%d of %s'\nzh = '%s 的 %d'\n", lab::Text::WordsConversions, "1");
  expect_refused("[[string]]\nen = 'one\\n'\nzh = '一'\n", lab::Text::WordsConversions, "1");
  EXPECT_TRUE(read("[[comment]]\nen = ['a', '']\nzh = ['一', '']\n"));
  EXPECT_TRUE(read("[[string]]\nen = '%-8s of %5.1f %%\\n'\nzh = '%-8s 的 %5.1f %%\\n'\n"));
  EXPECT_TRUE(read("[[string]]\nen = 'a'\nzh = '一'\n[[comment]]\nen = 'a'\nzh = '一'\n"));
}

TEST_F(SourceWords, an_entry_that_would_change_the_code_is_refused) {
  for (const char* zh : {"一 */ f();", "一 /* 二", "一\\", "step: 一", "一\t二"})
    expect_refused(std::string("[[comment]]\nen = 'a'\nzh = '") + zh + "'\n", lab::Text::WordsNoComment, "1");
  for (const char* zh : {"一\" + f() + \"", "一\\", "一\t二"})
    expect_refused(std::string("[[string]]\nen = 'a'\nzh = '") + zh + "'\n", lab::Text::WordsNoString, "1");
  expect_refused("[[string]]\nen = 'a'\nzh = \"一\\\\\\n二\"\n", lab::Text::WordsNoString, "1");
  EXPECT_TRUE(read("[[string]]\nen = 'a'\nzh = '\\\"一\\\"'\n"));
}
