// SPDX-License-Identifier: MIT
// What is typed about a program of the user's own, made into a run; each mistake with its words.
#include "lab/own_program.hpp"

#include <gtest/gtest.h>

namespace {

std::string complaint(const lab::OwnProgram& program) {
  const auto request = lab::request_for(program);
  return request ? "" : request.error().in(lab::Language::English);
}

TEST(own_program, is_started_with_its_arguments_folder_and_variables) {
  const auto request = lab::request_for(lab::OwnProgram{"./a.out 'two words' 3", "/usr", "A=1 B='x y'"});
  ASSERT_TRUE(request) << request.error().in(lab::Language::English);
  EXPECT_EQ(request->command, (std::vector<std::string>{"/usr/a.out", "two words", "3"}));
  EXPECT_EQ(request->working_folder, "/usr");
  EXPECT_EQ(request->source_folder, "/usr");
  EXPECT_EQ(request->environment, (std::vector<std::string>{"A=1", "B=x y"}));
  EXPECT_EQ(request->limits.seconds, 0);
  EXPECT_TRUE(request->outlives);
}

TEST(own_program, a_name_without_a_folder_is_looked_for_on_the_path) {
  const auto request = lab::request_for(lab::OwnProgram{"python3 x.py", "/usr", ""});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->command.front(), "python3");
}

TEST(own_program, each_mistake_names_what_was_typed_and_what_to_do) {
  EXPECT_NE(complaint({"", "/usr", ""}).find("Type its path"), std::string::npos);
  EXPECT_NE(complaint({"a 'b", "/usr", ""}).find("a 'b"), std::string::npos);
  EXPECT_NE(complaint({"a", "/no/such/folder", ""}).find("/no/such/folder"), std::string::npos);
  EXPECT_NE(complaint({"a", "/usr", "A=1 B"}).find("“B”"), std::string::npos);
  EXPECT_NE(complaint({"a", "/usr", "=1"}).find("NAME=VALUE"), std::string::npos);
}

}  // namespace
