// SPDX-License-Identifier: MIT
// Markdown read into blocks.
#include "markdown/document.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace gui::markdown {
namespace {

TEST(document, headings_paragraphs_and_styles) {
  const Document d = parse("# Pushing\n\nA **goes** on `top` *twice*.");
  ASSERT_EQ(d.blocks.size(), 2u);
  EXPECT_EQ(d.blocks[0].kind, BlockKind::Heading);
  EXPECT_EQ(d.blocks[0].level, 1);
  ASSERT_EQ(d.blocks[1].text.size(), 7u);
  EXPECT_TRUE(d.blocks[1].text[1].style.bold);
  EXPECT_TRUE(d.blocks[1].text[3].style.code);
  EXPECT_TRUE(d.blocks[1].text[5].style.italic);
  EXPECT_EQ(plain(d.blocks[1].text), "A goes on top twice.");
}

TEST(document, an_image_below_figures_is_a_figure_of_its_step) {
  const Document d = parse("A.\n\n![Three entries](figures/push.zh.svg)\n\nB.");
  ASSERT_EQ(d.blocks.size(), 3u);
  EXPECT_EQ(d.blocks[1].kind, BlockKind::Figure);
  EXPECT_EQ(d.blocks[1].figure, "push");
  EXPECT_EQ(plain(d.blocks[1].text), "Three entries");
  EXPECT_EQ(d.blocks[2].kind, BlockKind::Paragraph);
}

TEST(document, other_images_are_their_words) {
  const Document d = parse("![a picture](elsewhere/x.png)\n\nA ![small one](figures/x.svg) inside.");
  ASSERT_EQ(d.blocks.size(), 2u);
  EXPECT_EQ(d.blocks[0].kind, BlockKind::Paragraph);
  EXPECT_EQ(plain(d.blocks[0].text), "a picture");
  EXPECT_EQ(d.blocks[1].kind, BlockKind::Paragraph);
  EXPECT_EQ(plain(d.blocks[1].text), "A small one inside.");
}

TEST(document, step_comments_divide_the_blocks) {
  const Document d =
      parse("intro\n\n<!-- step: create -->\n## Creating\n\nA.\n\n<!-- step: push -->\nB.\n\nC.");
  EXPECT_EQ(d.steps, (std::vector<std::string>{"create", "push"}));
  ASSERT_EQ(d.blocks.size(), 5u);
  EXPECT_EQ(d.blocks[0].step, -1);
  EXPECT_EQ(d.blocks[1].step, 0);
  EXPECT_EQ(d.blocks[2].step, 0);
  EXPECT_EQ(d.blocks[3].step, 1);
  EXPECT_EQ(d.blocks[4].step, 1);
  EXPECT_EQ(d.step_title(0), "Creating");
  EXPECT_EQ(d.step_title(1), "push");
}

TEST(document, what_follows_the_end_of_steps_belongs_to_none) {
  const Document d = parse("<!-- step: one -->\nA.\n\n<!-- end of steps -->\n## Try it\n\nB.");
  EXPECT_EQ(d.steps, (std::vector<std::string>{"one"}));
  ASSERT_EQ(d.blocks.size(), 3u);
  EXPECT_EQ(d.blocks[0].step, 0);
  EXPECT_EQ(d.blocks[1].step, -1);
  EXPECT_EQ(d.blocks[2].step, -1);
}

TEST(document, other_comments_show_nothing) {
  const Document d = parse("a\n\n<!-- measured on an H200 -->\n\nb");
  EXPECT_TRUE(d.steps.empty());
  EXPECT_EQ(d.blocks.size(), 2u);
}

TEST(document, a_quote_that_begins_in_bold_is_a_claim) {
  const Document d =
      parse("> **What people believe** freed.\n>\n> **What the driver does** nothing.\n\n> plain");
  ASSERT_EQ(d.quotes.size(), 2u);
  EXPECT_TRUE(d.quotes[0].claim);
  EXPECT_FALSE(d.quotes[1].claim);
  EXPECT_EQ(d.blocks[0].quote, 0);
  EXPECT_EQ(d.blocks[1].quote, 0);
  EXPECT_EQ(d.blocks[2].quote, 1);
}

TEST(document, lists_keep_their_markers_and_depth) {
  const Document d = parse("3. three\n4. four\n   - inner\n");
  ASSERT_EQ(d.blocks.size(), 3u);
  EXPECT_EQ(d.blocks[0].marker, "3.");
  EXPECT_EQ(d.blocks[1].marker, "4.");
  EXPECT_EQ(d.blocks[2].marker, "•");
  EXPECT_EQ(d.blocks[2].indent, 2);
  EXPECT_EQ(plain(d.blocks[2].text), "inner");
}

TEST(document, tables_have_rows_and_alignment) {
  const Document d = parse("| call | result |\n| :-- | --: |\n| `cuInit` | 0 |\n| cuCtx | 201 |\n");
  ASSERT_EQ(d.blocks.size(), 1u);
  const Block& table = d.blocks[0];
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(plain(table.rows[1][0]), "cuInit");
  EXPECT_TRUE(table.rows[1][0][0].style.code);
  EXPECT_TRUE(table.rows[0][0][0].style.bold);
  EXPECT_EQ(table.columns[1], Align::Right);
}

TEST(document, code_blocks_keep_their_lines) {
  const Document d = parse("```cpp\nint a;\n\n<b>&amp;\n```\n");
  ASSERT_EQ(d.blocks.size(), 1u);
  EXPECT_EQ(d.blocks[0].kind, BlockKind::Code);
  EXPECT_EQ(d.blocks[0].language, "cpp");
  EXPECT_EQ(plain(d.blocks[0].text), "int a;\n\n<b>&amp;");
}

TEST(document, entities_are_decoded) {
  EXPECT_EQ(plain(parse("a &amp; b &lt; c &#x4e2d; &#8594; &unknown;").blocks.at(0).text),
            "a & b < c 中 → &unknown;");
  EXPECT_EQ(decode_entity("&#xD800;"), "\uFFFD");
  EXPECT_EQ(decode_entity("&#99999999999;"), "&#99999999999;");
}

TEST(document, links_are_kept_apart_from_their_words) {
  const Document d = parse("see [the manual](https://docs.nvidia.com/cuda/?a=1&amp;b=2) now");
  ASSERT_EQ(d.links.size(), 1u);
  EXPECT_EQ(d.links[0], "https://docs.nvidia.com/cuda/?a=1&b=2");
  EXPECT_EQ(d.blocks[0].text[1].style.link, 0);
}

TEST(document, a_chinese_line_break_is_not_a_space) {
  EXPECT_EQ(plain(parse("上下文\n压栈").blocks.at(0).text), "上下文压栈");
  EXPECT_EQ(plain(parse("one\ntwo").blocks.at(0).text), "one two");
}

TEST(document, what_is_cut_off_anywhere_is_still_read) {
  const std::string whole =
      "# H\n\n> **Claim** a\n> 1. x\n>    - y\n\n| a | b |\n|---|---|\n| `c` | [d](e) |\n\n<!-- step: s "
      "-->\n```\nz\n```\n中&amp;";
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const Document d = parse(std::string_view(whole).substr(0, size));
    for (const Block& block : d.blocks) {
      EXPECT_LT(block.step, static_cast<int>(d.steps.size()));
      EXPECT_LT(block.quote, static_cast<int>(d.quotes.size()));
    }
  }
}

// Both languages of a lesson have the same steps in the same order.
TEST(document, the_notes_of_each_lesson_name_the_same_steps_in_both_languages) {
  for (const char* lesson : {"01_hello_driver", "02_errors", "04_context", "05_context_stack"}) {
    const auto steps = [&](const char* file) {
      std::ifstream in(std::string(LESSONS_FOLDER "/") + lesson + "/" + file);
      std::ostringstream text;
      text << in.rdbuf();
      return parse(text.str()).steps;
    };
    EXPECT_FALSE(steps("notes.md").empty()) << lesson;
    EXPECT_EQ(steps("notes.md"), steps("notes.zh.md")) << lesson;
  }
}

}  // namespace
}  // namespace gui::markdown
