// SPDX-License-Identifier: MIT
// PTX text to tree: what is read, what is refused, and in which words.
#include "ptx/parse.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace {

const std::string kHeader = ".version 8.0\n.target sm_75\n.address_size 64\n";

ptx::Module parsed(const std::string& text) {
  ptx::ParseResult result = ptx::parse(text);
  EXPECT_FALSE(result.error) << result.error->line << ": " << result.error->message;
  return result.module.value_or(ptx::Module{});
}

ptx::ParseError refused(const std::string& text) {
  const ptx::ParseResult result = ptx::parse(text);
  EXPECT_TRUE(result.error) << "accepted: " << text;
  return result.error.value_or(ptx::ParseError{});
}

TEST(Parse, version_and_target_are_read) {
  const ptx::Module module = parsed(kHeader);
  EXPECT_EQ(module.version_major, 8);
  EXPECT_EQ(module.version_minor, 0);
  EXPECT_EQ(module.target_number, 75);
}

TEST(Parse, text_without_a_version_is_refused_at_its_first_line) {
  const ptx::ParseError error = refused("some PTX code");
  EXPECT_EQ(error.line, 1);
  EXPECT_NE(error.message.find(".version"), std::string::npos);
}

TEST(Parse, parameters_are_laid_out_with_their_alignment) {
  const ptx::Module module =
      parsed(kHeader +
             ".visible .entry f(.param .u8 a, .param .align 16 .b8 b[16], .param .u16 c, "
             ".param .align 8 .b8 d[16], .param .u64 e)\n{\nret;\n}\n");
  const ptx::Function* f = module.find("f");
  ASSERT_NE(f, nullptr);
  std::vector<std::uint32_t> offsets;
  for (const ptx::Parameter& parameter : f->parameters) offsets.push_back(parameter.offset);
  // Measured on an H200 with cuFuncGetParamInfo: 0, 16, 32, 40, 56.
  EXPECT_EQ(offsets, (std::vector<std::uint32_t>{0, 16, 32, 40, 56}));
  EXPECT_EQ(f->parameter_bytes, 64u);
}

TEST(Parse, managed_variables_are_told_from_plain_ones) {
  const ptx::Module module =
      parsed(kHeader + ".global .attribute(.managed) .align 4 .u32 m = 7;\n.global .u32 d = 5;\n");
  EXPECT_TRUE(module.find_variable("m")->managed);
  EXPECT_FALSE(module.find_variable("d")->managed);
  EXPECT_EQ(module.find_variable("d")->values.at(0).bits, 5u);
}

TEST(Parse, the_dialects_of_both_nvidia_back_ends_are_read) {
  parsed(kHeader +
         ".entry a(.param .u64 .ptr .align 1 p)\n{\n.reg .b32 %f<3>;\nadd.f32 %f1, %f2, %f2;\nret;\n}\n");
  parsed(kHeader + ".entry a(.param .u64 p)\n{\n.reg .f32 %f<3>;\nadd.f32 %f1, %f2, %f2;\nret;\n}\n");
}

TEST(Parse, an_unknown_register_is_named_with_its_line) {
  const ptx::ParseResult result = ptx::parse(kHeader + ".entry a()\n{\nmov.u32 %r1, 1;\nret;\n}\n");
  ASSERT_EQ(result.errors.size(), 2U);
  EXPECT_EQ(result.errors[1].line, 6);
  EXPECT_EQ(result.errors[1].message, "Unknown symbol '%r1'");
  EXPECT_FALSE(result.errors[1].unsupported);
}

TEST(Parse, a_misspelled_instruction_is_unknown_and_a_texture_fetch_is_unsupported) {
  EXPECT_FALSE(refused(kHeader + ".entry a()\n{\nfrobnicate;\n}\n").unsupported);
  EXPECT_TRUE(refused(kHeader +
                      ".entry a()\n{\n.reg .f32 %f<9>;\ntex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, "
                      "{%f5}];\n}\n")
                  .unsupported);
}

// Each text has the messages that ptxas of CUDA 13.0 prints for it (wrong_texts.txt).
TEST(Parse, mistakes_are_told_in_the_words_of_the_assembler) {
  std::ifstream file(WRONG_TEXTS);
  std::string line, text;
  std::vector<std::string> expected;
  int texts = 0;
  const auto compare = [&] {
    if (text.empty()) return;
    ++texts;
    std::vector<std::string> told;
    for (const ptx::ParseError& error : ptx::parse(text).errors) {
      told.push_back(std::to_string(error.line) + (error.fatal ? " fatal " : " error ") + error.message);
    }
    EXPECT_EQ(told, expected) << text;
  };
  while (std::getline(file, line)) {
    if (line.substr(0, 4) == "====") {
      compare();
      text.clear();
      expected.clear();
    } else if (line.substr(0, 4) == ">>> ") {
      expected.push_back(line.substr(4));
    } else {
      text += line + "\n";
    }
  }
  compare();
  EXPECT_GE(texts, 200);
}

TEST(Parse, a_branch_to_no_label_is_refused) {
  EXPECT_NE(refused(kHeader + ".entry a()\n{\nbra $nowhere;\n}\n").message.find("$nowhere"),
            std::string::npos);
}

TEST(Parse, too_large_a_variable_is_refused_rather_than_allocated) {
  refused(kHeader + ".global .b8 huge[99999999999999];\n");
  refused(kHeader + ".global .b64 huge[4294967296][4294967296];\n");
  refused(kHeader + ".entry a()\n{\n.reg .b32 %r<4000000000>;\n}\n");
}

std::string repeated(const std::string& text) {
  std::string result;
  for (int i = 0; i < 100'000; ++i) result += text;
  return result;
}

TEST(Parse, what_stands_in_itself_too_often_is_refused_rather_than_followed) {
  const std::string kernel = kHeader + ".entry a()\n{\n.reg .b64 %d<9>;\n.reg .b32 %r<9>;\n";
  refused(kHeader + ".global .u64 a = " + repeated("generic(") + "1" + repeated(")") + ";\n");
  refused(kHeader + ".global .u32 a" + repeated("[1]") + " = " + repeated("{") + "1" + repeated("}") + ";\n");
  refused(kernel + "ld.u32 %r1, " + repeated("[%d1,") + "1" + repeated("]") + ";\nret;\n}\n");
  refused(kernel + "mov.b64 " + repeated("%d1|") + "%d1, 1;\nret;\n}\n");
  refused(kernel + "mov.b64 %d1, " + repeated("{") + "%d1" + repeated("}") + ";\nret;\n}\n");
  refused(kernel + "mov.b64 %d1, " + repeated("1?") + "1" + repeated(":1") + ";\nret;\n}\n");
  refused(kernel + "mov.b64 %d1, " + repeated("-") + "1;\nret;\n}\n");
  refused(kernel + repeated("{") + repeated("}") + "ret;\n}\n");
}

TEST(Parse, only_the_first_dimension_may_be_open_and_every_one_has_braces) {
  const std::string variable = kHeader + ".global .align 4 .u32 n";
  EXPECT_EQ(refused(variable + "[][] = {1, 2};\n").message, "Parsing error near ']': syntax error");
  EXPECT_EQ(refused(variable + "[2][] = {1, 2};\n").message, "Parsing error near ']': syntax error");
  EXPECT_EQ(refused(variable + "[][0] = {1, 2};\n").message, "Array of incomplete type");
  EXPECT_EQ(refused(variable + "[2][0];\n").message, "Array of incomplete type");
  EXPECT_EQ(refused(variable + "[2][2] = {1, 2};\n").message, "Initial value type mismatch");
  EXPECT_EQ(refused(variable + "[2][2] = {1, 2, 3, 4};\n").message,
            "Greater number of elements in array initializer");
  EXPECT_EQ(refused(variable + "[] = {};\n").message, "Initial value type mismatch");
  const ptx::ParseResult result =
      ptx::parse(variable + "[][2] = {{1, 2}, {3}};\n" + ".global .u32 m[0] = {5, 6};\n");
  ASSERT_TRUE(result.module);
  EXPECT_EQ(result.module->variables.at(0).size, 16U);
  EXPECT_EQ(result.module->variables.at(0).values.at(2).bits, 3U);
  EXPECT_EQ(result.module->variables.at(1).size, 8U);
}

TEST(Parse, the_size_of_a_warp_is_a_number_in_initial_values) {
  const ptx::ParseResult result = ptx::parse(kHeader + ".global .u32 a[2] = {1, WARP_SZ};\n");
  ASSERT_TRUE(result.module);
  EXPECT_EQ(32U, result.module->variables.at(0).values.at(1).bits);
}

TEST(Parse, damaged_text_never_crashes) {
  const std::string text = kHeader +
                           ".global .align 4 .u32 d = 5;\n.visible .entry fill(.param .u64 p, .param .u32 "
                           "v)\n{\n.reg .b64 %rd<5>;\n"
                           ".reg .pred %p<2>;\nld.param.u64 %rd1, [p+0];\n$L:\n@%p1 bra $L;\n{\n.param .b64 "
                           "x;\ncall.uni vprintf, (x);\n}\nret;\n}\n";
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = text;
    for (int i = 0; i < 3; ++i) {
      const std::size_t at = random() % damaged.size();
      if (random() % 2 == 0)
        damaged[at] = static_cast<char>(random() % 256);
      else
        damaged.erase(at, random() % 8);
    }
    (void)ptx::parse(damaged);
    (void)ptx::parse(std::string_view(text).substr(0, random() % text.size()));
  }
}

}  // namespace
