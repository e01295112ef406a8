// SPDX-License-Identifier: MIT
// Who may call whom, and names looked up in a text that has many.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "ptx/parse.hpp"

namespace {

using Names = std::set<std::string>;

ptx::Module module_of_text(const std::string& code) {
  ptx::ParseResult result = ptx::parse(".version 8.0\n.target sm_80\n.address_size 64\n" + code);
  EXPECT_FALSE(result.error) << result.error->line << ": " << result.error->message;
  return result.module.value_or(ptx::Module{});
}

std::string declared(const std::string& name) {
  return ".func " + name + "();\n";
}

std::string calling(const std::string& name, const std::string& body) {
  return ".func " + name + "()\n{\n" + body + "ret;\n}\n";
}

std::string call(const std::string& name) {
  return "call.uni " + name + ", ();\n";
}

Names recursive(const std::string& code) {
  return ptx::recursive_functions(module_of_text(code));
}

TEST(Calls, who_calls_itself_is_recursive_and_who_calls_it_is_not) {
  EXPECT_EQ((Names{"f"}), recursive(calling("f", call("f")) + calling("g", call("f"))));
  EXPECT_EQ(Names{},
            recursive(calling("a", "") + calling("b", call("a")) + calling("c", call("a") + call("b"))));
}

TEST(Calls, functions_that_call_each_other_are_all_recursive) {
  EXPECT_EQ((Names{"a", "b", "c"}),
            recursive(declared("a") + calling("c", call("a")) + calling("b", call("c")) +
                      calling("a", call("b")) + calling("outside", call("a"))));
  // Two circles that meet in one function.
  EXPECT_EQ((Names{"a", "b", "c"}), recursive(declared("a") + calling("b", call("a")) +
                                              calling("c", call("a")) + calling("a", call("b") + call("c"))));
}

TEST(Calls, a_call_by_an_address_may_be_of_every_function_that_has_one) {
  const std::string by_address =
      ".reg .b64 %rd1;\nmov.u64 %rd1, f;\nP: .callprototype _ ();\ncall %rd1, (), P;\n";
  EXPECT_EQ((Names{"f"}), recursive(calling("f", by_address)));
  EXPECT_EQ((Names{}), recursive(calling("f", "") + calling("g", by_address)));
}

TEST(Calls, a_function_that_calls_itself_by_its_other_name_is_recursive) {
  ptx::Module module = module_of_text(calling("f", call("f")));
  for (ptx::Function& function : module.functions)
    for (ptx::Instruction& instruction : function.body)
      if (instruction.callee == "f") instruction.callee = "other";
  EXPECT_EQ(Names{}, ptx::recursive_functions(module));
  module.aliases["other"] = "f";
  EXPECT_EQ((Names{"f"}), ptx::recursive_functions(module));
}

TEST(Calls, a_chain_of_a_hundred_thousand_calls_is_followed) {
  std::string code = calling("f0", "");
  constexpr int count = 100000;
  for (int i = 1; i < count; ++i) code += calling("f" + std::to_string(i), call("f" + std::to_string(i - 1)));
  const ptx::Module module = module_of_text(code);
  EXPECT_EQ(Names{}, ptx::recursive_functions(module));
  const ptx::FunctionNames names(module);
  EXPECT_EQ(&module.functions[77777], names.find("f77777"));
}

TEST(Calls, a_definition_is_found_before_its_declarations) {
  const ptx::Module module = module_of_text(declared("f") + calling("f", "") + declared("f") + declared("g"));
  const ptx::FunctionNames names(module);
  EXPECT_EQ(&module.functions[1], names.find("f"));
  EXPECT_EQ(module.find("f"), names.find("f"));
  EXPECT_EQ(module.find("g"), names.find("g"));
  EXPECT_EQ(nullptr, names.find("h"));
  EXPECT_EQ(ptx::kFunctionWindow + 1, names.address("f"));
  EXPECT_FALSE(names.address("g"));
}

}  // namespace
