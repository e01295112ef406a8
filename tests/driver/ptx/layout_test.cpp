// SPDX-License-Identifier: MIT
// What shared memory a kernel is said to need: its own variables and those that it can reach, no others.
#include <gtest/gtest.h>

#include <string>

#include "ptx/interpret.hpp"
#include "ptx/parse.hpp"

namespace {

std::uint64_t needed(const std::string& code) {
  const ptx::ParseResult parsed = ptx::parse(
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".shared .align 4 .b8 tile[1024];\n.shared .align 4 .b8 other[4096];\n" +
      code);
  EXPECT_FALSE(parsed.error) << parsed.error->line << ": " << parsed.error->message;
  if (!parsed.module) return 0;
  return ptx::shared_bytes(*parsed.module, *parsed.module->find("f"));
}

const char* const uses_tile =
    ".func g()\n{\n.reg .b32 %r1;\n.shared .align 4 .b8 own[32];\n"
    "mov.u32 %r1, tile;\nst.shared.u32 [own], %r1;\nret;\n}\n";

TEST(SharedBytes, count_no_variable_that_only_others_use) {
  EXPECT_EQ(0U, needed(".visible .entry f()\n{\nret;\n}\n"));
  EXPECT_EQ(1024U, needed(".visible .entry h()\n{\n.reg .b32 %r1;\nld.shared.u32 %r1, [other];\nret;\n}\n"
                          ".visible .entry f()\n{\n.reg .b32 %r1;\nld.shared.u32 %r1, [tile+8];\nret;\n}\n"));
}

TEST(SharedBytes, count_what_called_functions_use) {
  EXPECT_EQ(1024U + 32U, needed(std::string(uses_tile) + ".func k()\n{\ncall g, ();\nret;\n}\n"
                                                         ".visible .entry f()\n{\ncall k, ();\nret;\n}\n"));
  EXPECT_EQ(16U, needed(std::string(uses_tile) +
                        ".visible .entry f()\n{\n.shared .align 4 .b8 mine[16];\nret;\n}\n"));
}

TEST(SharedBytes, count_what_may_be_called_by_its_address) {
  EXPECT_EQ(1024U + 32U,
            needed(std::string(uses_tile) +
                   ".visible .entry f(.param .u64 p)\n{\n.reg .b64 %d1;\nld.param.u64 %d1, [p];\n"
                   "prototype : .callprototype _ ();\ncall %d1, (), prototype;\nret;\n}\n"));
}

TEST(SharedBytes, count_variables_of_one_name_in_several_functions) {
  const auto function = [](const std::string& head, const std::string& bytes, const std::string& call) {
    return head + "()\n{\n.reg .b32 %r1;\n.shared .align 4 .b8 own[" + bytes +
           "];\nld.shared.u32 %r1, [own];\n" + call + "ret;\n}\n";
  };
  EXPECT_EQ(64U + 128U + 256U,
            needed(function(".func g", "64", "") + function(".func h", "128", "call g, ();\n") +
                   function(".visible .entry f", "256", "call h, ();\n")));
}

TEST(SharedBytes, count_both_halves_of_a_vector) {
  EXPECT_EQ(1024U + 4096U, needed(".visible .entry f()\n{\n.reg .b32 %r<3>;\n.reg .b64 %d1;\n"
                                  "mov.u32 %r1, tile;\nmov.u32 %r2, other;\nmov.b64 %d1, {%r1, %r2};\n"
                                  "ret;\n}\n"));
}

}  // namespace
