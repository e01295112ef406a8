// SPDX-License-Identifier: MIT
// What a program's text says of its calls: failures that it asks for, and what it passes.
#include "course/source_calls.hpp"

#include <gtest/gtest.h>

using lab::arguments_at;
using lab::expectations_in;
using Words = std::vector<std::string>;

TEST(expectations, are_found_with_their_error_and_their_lines) {
  const auto found = expectations_in(
      "int main() {\n  expect(CUDA_ERROR_INVALID_VALUE, cuInit(1));\n"
      "  expect (CUDA_ERROR_NOT_FOUND,\n          cuGet(\n  &a));\n}\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].error, "CUDA_ERROR_INVALID_VALUE");
  EXPECT_EQ(found[0].first_line, 2);
  EXPECT_EQ(found[0].last_line, 2);
  EXPECT_EQ(found[1].error, "CUDA_ERROR_NOT_FOUND");
  EXPECT_EQ(found[1].first_line, 3);
  EXPECT_EQ(found[1].last_line, 5);
}

TEST(expected_failures, are_what_the_text_of_the_run_asks_for_and_nothing_else) {
  const lab::Sources sources{{"src/main.cpp", "expect(CUDA_ERROR_INVALID_VALUE, cuInit(1));\ncuInit(2);\n"}};
  lab::ExpectedFailures expected;
  trace::Event call;
  call.name = "cuInit", call.file = "src/main.cpp", call.line = 1, call.returned = true, call.result = 1;
  EXPECT_TRUE(expected.asks_for(call, sources));
  call.file = "/elsewhere/main.cpp";
  EXPECT_TRUE(expected.asks_for(call, sources)) << "the same file by another path";
  call.line = 2;
  EXPECT_FALSE(expected.asks_for(call, sources)) << "nothing asks for it on that line";
  call.line = 1, call.result = 201;
  EXPECT_FALSE(expected.asks_for(call, sources)) << "it returned another error";
  call.result = 0;
  EXPECT_FALSE(expected.asks_for(call, sources)) << "it did not fail";
  call.result = 1, call.returned = false;
  EXPECT_FALSE(expected.asks_for(call, sources)) << "it never returned";
  call.returned = true, call.file = "other.cpp";
  EXPECT_FALSE(expected.asks_for(call, sources)) << "its text is not known";
}

TEST(expectations, are_not_seen_in_comments_strings_and_other_names) {
  EXPECT_TRUE(expectations_in("// expect(CUDA_ERROR_X, cuInit(0));\n/* expect(A, b)\n expect(A, b) */\n"
                              "puts(\"expect(A, b)\"); unexpect(A, b); expected(A, b); expect(A);\n"
                              "char c = '\"'; expect")
                  .empty());
}

TEST(expectations, are_what_a_claim_compares_a_result_with) {
  const auto found = expectations_in(
      "claim(\"gone: x == CUDA_ERROR_UNKNOWN\", cuStreamQuery(s) != CUDA_SUCCESS);\n"
      "claim(\"busy\",\n      cuStreamQuery(s) == CUDA_ERROR_NOT_READY);\n"
      "claim(\"idle\", cuStreamQuery(s) == CUDA_SUCCESS);\nclaim(\"no call\", error != "
      "CUDA_ERROR_UNKNOWN);\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].error, "") << "any";
  EXPECT_EQ(found[1].error, "CUDA_ERROR_NOT_READY");
  EXPECT_EQ(found[1].first_line, 2);
  EXPECT_EQ(found[1].last_line, 3);
  EXPECT_EQ(found[2].error, "CUDA_SUCCESS") << "which is no failure";
}

TEST(expected_failures, of_a_claim_are_of_any_error_if_it_names_none) {
  const lab::Sources sources{
      {"main.cpp", "claim(\"gone\", cuStreamQuery(s) != CUDA_SUCCESS);\ncuInit(2);\n"}};
  lab::ExpectedFailures expected;
  trace::Event call;
  call.name = "cuStreamQuery", call.file = "main.cpp", call.line = 1, call.returned = true, call.result = 709;
  EXPECT_TRUE(expected.asks_for(call, sources));
  call.line = 2;
  EXPECT_FALSE(expected.asks_for(call, sources)) << "no claim is on that line";
}

TEST(expectations, of_a_loop_are_the_error_at_which_it_ends_or_goes_on) {
  const auto found = expectations_in(
      "while (cuCtxSynchronize() == CUDA_SUCCESS && ++job < 3) {}\n"
      "while (cuStreamQuery(s) == CUDA_ERROR_NOT_READY) {}\n"
      "while (cuStreamQuery(s) != CUDA_SUCCESS) {}\nwhile (job < 3) {}\n");
  ASSERT_EQ(found.size(), 2u) << "a loop that tries again after any error asks for none";
  EXPECT_EQ(found[0].error, "") << "any";
  EXPECT_EQ(found[0].first_line, 1);
  EXPECT_EQ(found[1].error, "CUDA_ERROR_NOT_READY");
  EXPECT_EQ(found[1].last_line, 2);
}

TEST(expected_failures, of_a_function_are_those_of_the_calls_in_it) {
  const lab::Sources sources{{"main.cpp",
                              "expect(CUDA_ERROR_NOT_FOUND,\n       hold(stream, 1));\n"
                              "const auto load = [&](int n) {\n  return cuModuleLoad(m, n);\n};\n"
                              "expect(CUDA_ERROR_FILE_NOT_FOUND, load(3));\n"},
                             {"library.c",
                              "CUresult hold(CUstream s, int n) {\n  return cuA(s);\n}\n"
                              "CUresult behold(CUstream s) {\n  hold(s, 2);\n  return cuB(s);\n}\n"}};
  lab::ExpectedFailures expected;
  trace::Event call;
  call.name = "cuA", call.returned = true, call.result = 500;
  const auto asked = [&](const char* file, std::uint32_t line) {
    call.file = file, call.line = line;
    return expected.asks_for(call, sources);
  };
  EXPECT_TRUE(asked("library.c", 2));
  EXPECT_FALSE(asked("library.c", 6)) << "in another function";
  EXPECT_FALSE(asked("main.cpp", 4)) << "a function of which another error is expected";
  call.result = 301;
  EXPECT_TRUE(asked("main.cpp", 4)) << "a lambda";
  EXPECT_FALSE(asked("library.c", 2)) << "another error";
}

TEST(bodies, are_not_those_of_calls_declarations_and_other_names) {
  EXPECT_TRUE(
      lab::bodies_of("int f(int); int g() { return f(1); } int ff() { }\n// int f() { }\nf", "f").empty());
  EXPECT_TRUE(lab::bodies_of("int f(", "f").empty());
  EXPECT_TRUE(lab::bodies_of("int f() {", "f").empty());
  const auto found = lab::bodies_of("int f()\n{\n  return 1;\n}\n", "f");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].first, 2);
  EXPECT_EQ(found[0].last, 4);
}

TEST(expectations, survive_text_that_is_no_program) {
  for (const char* text : {"", "expect(", "expect(A, (b", "\"", "'", "/*", "expect(A, \"\\",
                           "claim(A, b == CUDA_", "claim(A, = CUDA_)"})
    EXPECT_TRUE(expectations_in(text).empty()) << text;
}

TEST(arguments, are_those_that_the_program_wrote) {
  const std::string source =
      "int n;\n  check(cuDeviceGetCount(&n));\n  check(cuDeviceGetName(name, sizeof name,\n"
      "      devices[f(1, 2)]));\n";
  EXPECT_EQ(arguments_at(source, 2, "cuDeviceGetCount"), (Words{"&n"}));
  EXPECT_EQ(arguments_at(source, 3, "cuDeviceGetName"), (Words{"name", "sizeof name", "devices[f(1, 2)]"}));
  EXPECT_EQ(arguments_at(source, 4, "cuDeviceGetName"), (Words{"name", "sizeof name", "devices[f(1, 2)]"}));
}

TEST(arguments, of_two_calls_on_one_line_or_of_none_are_not_guessed) {
  EXPECT_TRUE(arguments_at("cuInit(0); cuInit(1);", 1, "cuInit").empty());
  EXPECT_TRUE(arguments_at("cuInit(0);", 1, "cuCtxCreate").empty());
  EXPECT_TRUE(arguments_at("\ncuInit(0);", 1, "cuInit").empty());
  EXPECT_TRUE(arguments_at("// cuInit(0);", 1, "cuInit").empty());
}
