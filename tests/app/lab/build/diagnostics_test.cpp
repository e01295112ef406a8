// SPDX-License-Identifier: MIT
// What compilers and linkers say, as they say it (gcc 12, clang 19, GNU ld, lld, mold).
#include "fixture.hpp"

using lab::Diagnostic;
using Severity = lab::Diagnostic::Severity;

namespace {

std::vector<Diagnostic> parse(const std::string& text) {
  return lab::parse_diagnostics(text, "/home/a/source");
}

void expect_one(const std::string& text, Severity severity, const std::string& file, int line, int column,
                const std::string& message) {
  const auto found = parse(text);
  ASSERT_EQ(found.size(), 1u) << text;
  EXPECT_EQ(found[0].severity, severity);
  EXPECT_EQ(found[0].file, file);
  EXPECT_EQ(found[0].line, line);
  EXPECT_EQ(found[0].column, column);
  EXPECT_EQ(found[0].message, message);
}

}  // namespace

TEST(Diagnostics, an_error_has_its_place) {
  expect_one(
      "main.cpp:12:5: error: expected ';' after expression\n   12 | x\n      | ^\n1 error generated.\n",
      Severity::Error, "main.cpp", 12, 5, "expected ';' after expression");
}
TEST(Diagnostics, a_warning_and_its_note) {
  const auto found =
      parse("./main.cpp:3:7: warning: unused variable 'x' [-Wunused]\nmain.cpp:2:1: note: here\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].severity, Severity::Warning);
  EXPECT_EQ(found[0].file, "main.cpp");
  EXPECT_EQ(found[1].severity, Severity::Note);
}
TEST(Diagnostics, a_fatal_error_is_an_error) {
  expect_one("main.cpp:1:10: fatal error: nowhere.hpp: No such file or directory\ncompilation terminated.\n",
             Severity::Error, "main.cpp", 1, 10, "nowhere.hpp: No such file or directory");
}
TEST(Diagnostics, a_file_inside_the_folder_is_named_relative_to_it) {
  expect_one("/home/a/source/sub/b.hpp:4:1: error: x\n", Severity::Error, "sub/b.hpp", 4, 1, "x");
}
TEST(Diagnostics, a_file_outside_keeps_its_path) {
  expect_one("/home/a/source2/b.hpp:4:1: error: x\n", Severity::Error, "/home/a/source2/b.hpp", 4, 1, "x");
}
TEST(Diagnostics, a_windows_like_name_with_colons_keeps_its_numbers_apart) {
  expect_one("a:b.cpp:4:1: error: x: y: z\n", Severity::Error, "a:b.cpp", 4, 1, "x: y: z");
}
TEST(Diagnostics, gnu_ld_names_the_line) {
  expect_one(
      "/usr/bin/ld: /tmp/cc1.o: in function `main':\n/usr/bin/ld: /home/a/source/main.cpp:5: undefined "
      "reference to `f()'\ncollect2: error: ld returned 1 exit status\n",
      Severity::Error, "main.cpp", 5, 0, "undefined reference to `f()'");
}
TEST(Diagnostics, lld_names_the_line_afterwards) {
  expect_one(
      "ld.lld: error: undefined symbol: f()\n>>> referenced by main.cpp:5\n>>>               "
      "/tmp/m.o:(main)\n"
      "clang: error: linker command failed with exit code 1 (use -v to see invocation)\n",
      Severity::Error, "main.cpp", 5, 0, "undefined symbol: f()");
}
TEST(Diagnostics, mold_names_the_line_afterwards) {
  expect_one(
      "mold: error: undefined symbol: f()\n>>> referenced by main.cpp\n>>>               /tmp/m.o:(main)\n"
      "collect2: error: ld returned 1 exit status\n",
      Severity::Error, "", 0, 0, "undefined symbol: f()");
}
TEST(Diagnostics, a_failed_link_with_nothing_else_is_still_said) {
  expect_one("clang: error: linker command failed with exit code 1\n", Severity::Error, "", 0, 0,
             "linker command failed with exit code 1");
}
TEST(Diagnostics, ordinary_output_is_no_diagnostic) {
  EXPECT_TRUE(parse("In file included from main.cpp:1:\nhello\n\n:::\n").empty());
  EXPECT_TRUE(parse("").empty());
}
TEST(Diagnostics, numbers_that_are_none_do_not_become_places) {
  expect_one("main.cpp:99999999999:1: error: x\n", Severity::Error, "main.cpp:99999999999", 1, 0, "x");
}

TEST(Diagnostics, nvccs_line_in_parentheses_is_found) {
  const auto found = lab::parse_diagnostics(
      "main.cu(7): error: identifier \"x\" is undefined\n"
      "/lesson/part.cu(9): warning #177-D: variable \"y\" was declared but never referenced\n",
      "/lesson");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].file, "main.cu");
  EXPECT_EQ(found[0].line, 7);
  EXPECT_EQ(found[0].severity, lab::Diagnostic::Severity::Error);
  EXPECT_EQ(found[1].file, "part.cu");
  EXPECT_EQ(found[1].line, 9);
  EXPECT_EQ(found[1].severity, lab::Diagnostic::Severity::Warning);
}

TEST(Diagnostics, what_ptxcc_says_itself_is_listed) {
  const auto found = lab::parse_diagnostics(
      "ptxcc: scale.cu:7: clang 19 crashed here; write this place in another way\n"
      "cuda++: clang 19 is needed, and there is no clang++-19 in PATH\n",
      "/source");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].file, "scale.cu");
  EXPECT_EQ(found[0].line, 7);
  EXPECT_EQ(found[0].message, "clang 19 crashed here; write this place in another way");
  EXPECT_EQ(found[1].line, 0);
  EXPECT_EQ(found[1].message, "clang 19 is needed, and there is no clang++-19 in PATH");
}

TEST(Diagnostics, parentheses_without_a_number_are_no_place) {
  const auto found = lab::parse_diagnostics("tool (x): error: went wrong\n", "/lesson");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].line, 0);
}
