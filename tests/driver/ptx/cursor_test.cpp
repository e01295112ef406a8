// SPDX-License-Identifier: MIT
// The cursor in a text, and the list of mistakes: what each does without the rest of the parser.
#include "cursor.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "errors.hpp"

namespace {

template <class Read>
std::optional<ptx::ParseError> failure_of(Read read) {
  try {
    read();
  } catch (const ptx::Failure& failure) {
    return failure.error;
  }
  return std::nullopt;
}

TEST(Cursor, stays_at_the_end_of_the_text) {
  ptx::Cursor text("ret;");
  EXPECT_EQ(text.take().text, "ret");
  EXPECT_EQ(text.take().text, ";");
  EXPECT_TRUE(text.at_end());
  text.take();
  text.take();
  EXPECT_TRUE(text.at_end());
  EXPECT_EQ(text.peek(100).kind, ptx::Token::Kind::End);
}

TEST(Cursor, accepts_what_is_there_and_stays_otherwise) {
  ptx::Cursor text("( name");
  EXPECT_FALSE(text.accept(")"));
  EXPECT_TRUE(text.accept("("));
  EXPECT_EQ(text.name().text, "name");
}

TEST(Cursor, what_is_expected_and_missing_is_a_syntax_error_on_the_line_of_what_is_there) {
  ptx::Cursor text("\n  7");
  const auto error = failure_of([&] { text.expect(";"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->line, 2);
  EXPECT_EQ(error->message, "Parsing error near '7': syntax error");
  EXPECT_TRUE(error->fatal);
  EXPECT_TRUE(failure_of([&] { text.name(); }));
}

TEST(Cursor, skips_to_the_end_of_a_statement_or_a_line) {
  ptx::Cursor text(".pragma \"nounroll\" ; .loc 1 2 3\nret");
  text.skip_statement();
  EXPECT_TRUE(text.at(".loc"));
  text.skip_line(1);
  EXPECT_TRUE(text.at("ret"));
}

TEST(Cursor, a_statement_without_an_end_is_a_syntax_error) {
  ptx::Cursor text(".pragma");
  EXPECT_TRUE(failure_of([&] { text.skip_statement(); }));
}

TEST(Cursor, nested_parts_are_counted_only_while_they_are_read) {
  ptx::Cursor text("x");
  for (int i = 0; i < 10'000; ++i) {
    const ptx::Cursor::Nested nested(text);
  }
  std::vector<std::unique_ptr<ptx::Cursor::Nested>> all;
  const auto error = failure_of([&] {
    for (int i = 0; i < 600; ++i) all.push_back(std::make_unique<ptx::Cursor::Nested>(text));
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "Expression is nested too deeply");
  EXPECT_EQ(all.size(), 512u);
}

TEST(Cursor, blocks_may_nest_as_deeply_as_256) {
  ptx::Cursor text("x");
  for (int i = 0; i < 256; ++i) text.open_block();
  text.close_block();
  text.open_block();
  const auto error = failure_of([&] { text.open_block(); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "Blocks are nested too deeply");
}

TEST(Errors, are_sorted_by_line_and_what_ended_the_parsing_comes_last) {
  ptx::Errors errors;
  errors.add(7, "later");
  errors.add(3, "first of two");
  errors.add(3, "second of two");
  const auto end = failure_of([] { ptx::fatal(1, "end"); });
  errors.add(ptx::Failure{end.value()});
  std::vector<std::string> messages;
  for (const ptx::ParseError& error : errors.sorted()) messages.push_back(error.message);
  EXPECT_EQ(messages, (std::vector<std::string>{"first of two", "second of two", "later", "end"}));
}

TEST(Errors, more_than_200_end_the_parsing) {
  ptx::Errors errors;
  for (int i = 0; i < 200; ++i) errors.add(i, "one");
  const auto end = failure_of([&] { errors.add(200, "one too many"); });
  ASSERT_TRUE(end);
  EXPECT_EQ(end->message, "Too many errors");
  EXPECT_EQ(end->line, 200);
}

}  // namespace
