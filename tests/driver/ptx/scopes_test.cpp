// SPDX-License-Identifier: MIT
// Names of a module, of the braces in a function, and those that nothing declared: without a text.
#include "scopes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

ptx::Variable variable(const std::string& name, ptx::Type type = ptx::Type::U32) {
  ptx::Variable made;
  made.name = name;
  made.type = type;
  made.size = 4;
  return made;
}

ptx::Function function(const std::string& name, bool external) {
  ptx::Function made;
  made.name = name;
  made.external = external;
  return made;
}

std::vector<std::string> messages(const ptx::Errors& errors) {
  std::vector<std::string> list;
  for (const ptx::ParseError& error : errors.sorted()) list.push_back(error.message);
  return list;
}

TEST(ModuleNames, a_variable_is_found_under_its_name) {
  ptx::Module module;
  ptx::ModuleNames names(module);
  ptx::Errors errors;
  names.add(variable("a"), 1, errors);
  ASSERT_NE(names.find_variable("a"), nullptr);
  EXPECT_EQ(names.find_variable("a"), &module.variables[0]);
  ASSERT_NE(names.find("a"), nullptr);
  EXPECT_FALSE(names.find("a")->function);
  EXPECT_EQ(names.find("b"), nullptr);
  EXPECT_EQ(names.find_variable("b"), nullptr);
  EXPECT_EQ(errors.count(), 0u);
}

TEST(ModuleNames, a_definition_takes_the_place_of_a_declaration) {
  ptx::Module module;
  ptx::ModuleNames names(module);
  ptx::Errors errors;
  ptx::Variable declared = variable("a");
  declared.external = true;
  names.add(declared, 1, errors);
  names.add(variable("a"), 2, errors);
  ASSERT_EQ(module.variables.size(), 1u);
  EXPECT_FALSE(module.variables[0].external);
  EXPECT_EQ(errors.count(), 0u);
}

TEST(ModuleNames, two_definitions_and_two_types_of_a_variable_are_mistakes) {
  ptx::Module module;
  ptx::ModuleNames names(module);
  ptx::Errors errors;
  names.add(variable("a"), 1, errors);
  names.add(variable("a", ptx::Type::S64), 2, errors);
  EXPECT_EQ(messages(errors), (std::vector<std::string>{"Inconsistent redefinition of variable 'a'",
                                                        "Duplicate definition of variable 'a'"}));
}

TEST(ModuleNames, a_variable_cannot_have_the_name_of_a_function) {
  ptx::Module module;
  ptx::ModuleNames names(module);
  ptx::Errors errors;
  names.add(function("f", false));
  names.add(variable("f"), 3, errors);
  EXPECT_EQ(messages(errors), (std::vector<std::string>{"Inconsistent redefinition of variable 'f'"}));
  EXPECT_TRUE(module.variables.empty());
}

TEST(ModuleNames, the_definition_of_a_function_comes_before_its_declarations) {
  ptx::Module module;
  ptx::ModuleNames names(module);
  names.add(function("f", true));
  EXPECT_TRUE(names.find_function("f")->external);
  const std::size_t place = names.add(function("f", true));
  names.replace(place, function("f", false));
  EXPECT_EQ(names.find_function("f"), &module.functions[1]);
  EXPECT_EQ(names.functions_named("f"), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(names.find_function("g"), nullptr);
}

TEST(ModuleNames, an_alias_leads_to_its_function_and_not_in_a_circle) {
  ptx::Module module;
  ptx::ModuleNames names(module);
  names.add(function("f", false));
  module.aliases = {{"g", "f"}, {"h", "h"}};
  EXPECT_EQ(names.find_function("g"), &module.functions[0]);
  EXPECT_EQ(names.find_function("h"), nullptr);
}

class InAFunction : public testing::Test {
 protected:
  InAFunction() { scopes.begin_function(); }

  ptx::Module module;
  ptx::ModuleNames names{module};
  ptx::Scopes scopes{names};
};

TEST_F(InAFunction, inner_braces_hide_outer_ones_until_they_close) {
  scopes.innermost().registers["r"] = 1;
  scopes.open();
  std::uint32_t found = 0;
  EXPECT_TRUE(scopes.find_register("r", found));
  EXPECT_EQ(found, 1u);
  scopes.innermost().registers["r"] = 2;
  EXPECT_TRUE(scopes.find_register("r", found));
  EXPECT_EQ(found, 2u);
  scopes.close();
  EXPECT_TRUE(scopes.find_register("r", found));
  EXPECT_EQ(found, 1u);
  scopes.close();
  EXPECT_FALSE(scopes.inside());
  EXPECT_FALSE(scopes.find_register("r", found));
}

TEST_F(InAFunction, names_of_the_module_are_seen_unless_braces_hide_them) {
  ptx::Errors errors;
  names.add(variable("v"), 1, errors);
  EXPECT_EQ(scopes.find_symbol("v"), names.find("v"));
  scopes.innermost().symbols["v"] = ptx::Symbol{"f$v$0", ptx::Space::Local};
  EXPECT_EQ(scopes.find_symbol("v")->name, "f$v$0");
  EXPECT_EQ(scopes.find_in_tree("f$v$0"), scopes.find_symbol("v"));
  EXPECT_EQ(scopes.find_in_tree("v"), nullptr);
  scopes.end_function();
  EXPECT_EQ(scopes.find_symbol("v"), names.find("v"));
}

TEST_F(InAFunction, a_group_has_as_many_registers_as_it_was_declared_with) {
  scopes.innermost().groups["%r"] = {10, 12};
  std::uint32_t found = 0;
  EXPECT_TRUE(scopes.find_register("%r11", found));
  EXPECT_EQ(found, 21u);
  EXPECT_FALSE(scopes.find_register("%r12", found));
  EXPECT_FALSE(scopes.find_register("%r01", found));
  EXPECT_FALSE(scopes.find_register("%r", found));
}

TEST_F(InAFunction, a_vector_is_its_registers_in_order) {
  ptx::Braces& braces = scopes.innermost();
  braces.vectors["v"] = 2;
  braces.registers = {{"v.x", 4}, {"v.y", 5}};
  EXPECT_EQ(scopes.find_vector("v"), (std::vector<std::uint32_t>{4, 5}));
  EXPECT_TRUE(scopes.find_vector("w").empty());
}

TEST_F(InAFunction, labels_of_closed_braces_are_found_from_inside_them_only) {
  scopes.open();
  const int inner = scopes.number();
  scopes.innermost().labels["L"] = 7;
  scopes.innermost().branch_targets["T"] = {"L"};
  scopes.close();
  const int outer = scopes.number();
  std::uint32_t found = 0;
  EXPECT_TRUE(scopes.find_label(inner, "L", found));
  EXPECT_EQ(found, 7u);
  EXPECT_FALSE(scopes.find_label(outer, "L", found));
  EXPECT_NE(scopes.find_targets(inner, "T"), nullptr);
  EXPECT_EQ(scopes.find_targets(outer, "T"), nullptr);
}

TEST(UnknownNames, are_told_once_each_in_their_order_and_then_forgotten) {
  ptx::UnknownNames unknown;
  ptx::Errors errors;
  unknown.add("b");
  unknown.add("a");
  unknown.add("b");
  EXPECT_TRUE(unknown.has("a"));
  EXPECT_FALSE(unknown.has("c"));
  unknown.tell(5, errors);
  EXPECT_EQ(messages(errors), (std::vector<std::string>{"Unknown symbol 'b'", "Unknown symbol 'a'"}));
  EXPECT_TRUE(unknown.empty());
}

}  // namespace
