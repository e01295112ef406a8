// SPDX-License-Identifier: MIT
// The readers of a text's parts, each on a text that holds only such a part.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "check.hpp"
#include "parse_function.hpp"

namespace {

// A place inside a function, with registers %r0 to %r3 of 32 bits, %d0 of 64, and the predicate p.
struct Place {
  explicit Place(std::string_view written) : text(written) {
    scopes.begin_function();
    scopes.innermost().groups["%r"] = {0, 4};
    scopes.innermost().registers = {{"%d0", 4}, {"p", 5}};
    for (int i = 0; i < 4; ++i) ptx::add_register(function, "%r" + std::to_string(i), ptx::Type::B32, 0);
    ptx::add_register(function, "%d0", ptx::Type::B64, 0);
    ptx::add_register(function, "p", ptx::Type::Pred, 0);
  }
  void declare(const std::string& name, std::uint64_t size, std::uint64_t element) {
    ptx::Symbol symbol{name, ptx::Space::Global, size};
    symbol.element = element;
    scopes.outermost().symbols[name] = symbol;
  }
  std::vector<std::string> messages() const {
    std::vector<std::string> list;
    for (const ptx::ParseError& error : errors.sorted()) list.push_back(error.message);
    return list;
  }

  ptx::Module module;
  ptx::Errors errors;
  ptx::Cursor text;
  ptx::ModuleNames names{module};
  ptx::Scopes scopes{names};
  ptx::UnknownNames unknown;
  ptx::Function function;
  ptx::OperandReader operands{text, errors, scopes, unknown};
  ptx::VariableReader variables{text, errors, scopes, names};
};

using Messages = std::vector<std::string>;

TEST(OperandReader, reads_registers_numbers_and_what_is_not_wanted) {
  Place place("%r2 !p _ %tid.y 0x10, -3");
  EXPECT_EQ(place.operands.read().reg, 2u);
  const ptx::Operand negated = place.operands.read();
  EXPECT_EQ(negated.reg, 5u);
  EXPECT_TRUE(negated.negated);
  EXPECT_EQ(place.operands.read().kind, ptx::Operand::Kind::Sink);
  EXPECT_EQ(place.operands.read().special, ptx::Special::TidY);
  EXPECT_EQ(place.operands.read().bits, 16u);
  place.text.expect(",");
  EXPECT_EQ(place.operands.read().bits, ~std::uint64_t{2});
  EXPECT_TRUE(place.text.at_end());
}

TEST(OperandReader, an_address_has_a_base_and_an_offset) {
  Place place("[%d0+8] [v-4] [64]");
  place.declare("v", 4, 0);
  const ptx::Operand reg = place.operands.read(), symbol = place.operands.read(),
                     number = place.operands.read();
  EXPECT_TRUE(reg.has_reg);
  EXPECT_EQ(reg.offset, 8);
  EXPECT_EQ(symbol.name, "v");
  EXPECT_EQ(symbol.offset, -4);
  EXPECT_TRUE(number.name.empty());
  EXPECT_EQ(number.offset, 64);
}

TEST(OperandReader, vectors_and_pairs_have_parts) {
  Place place("{%r0, 7} %r1|p");
  const ptx::Operand vector = place.operands.read(), pair = place.operands.read();
  EXPECT_EQ(vector.parts.size(), 2u);
  EXPECT_FALSE(vector.pair);
  ASSERT_EQ(pair.parts.size(), 2u);
  EXPECT_EQ(pair.parts[1].reg, 5u);
  EXPECT_TRUE(pair.pair);
}

TEST(OperandReader, an_element_is_counted_in_the_size_of_one) {
  Place place("a[3] a[%r1] s[0]");
  place.declare("a", 64, 8);
  place.declare("s", 4, 0);
  EXPECT_EQ(place.operands.read().offset, 24);
  const ptx::Operand indexed = place.operands.read();
  EXPECT_TRUE(indexed.has_reg);
  EXPECT_EQ(indexed.element, 8u);
  EXPECT_TRUE(place.messages().empty());
  EXPECT_EQ(place.operands.read().element, ptx::kNotAnArray);
  EXPECT_EQ(place.messages(), Messages{"Array indexing on non-array"});
}

TEST(OperandReader, a_name_that_nothing_declares_is_noted_and_becomes_a_symbol) {
  Place place("nowhere");
  EXPECT_EQ(place.operands.read().kind, ptx::Operand::Kind::Symbol);
  EXPECT_TRUE(place.unknown.has("nowhere"));
  EXPECT_TRUE(place.messages().empty());
}

TEST(VariableReader, a_declaration_has_the_size_of_its_dimensions) {
  Place place(".align 16 .u16 a[2][3]");
  const ptx::Declaration declared = place.variables.declaration(ptx::Space::Global);
  EXPECT_EQ(declared.variable.name, "a");
  EXPECT_EQ(declared.variable.size, 12u);
  EXPECT_EQ(declared.variable.align, 16u);
  EXPECT_TRUE(declared.variable.array);
}

TEST(VariableReader, an_open_array_is_as_long_as_its_values) {
  Place place(".u32 a[] = {1, 2, 3};");
  place.variables.module_variable(ptx::Space::Global, ptx::Linkage{});
  ASSERT_EQ(place.module.variables.size(), 1u);
  EXPECT_EQ(place.module.variables[0].size, 12u);
  EXPECT_EQ(place.module.variables[0].values.at(2).bits, 3u);
  EXPECT_TRUE(place.messages().empty());
}

TEST(VariableReader, more_values_than_elements_end_the_parsing) {
  Place place(".u32 a[1] = {1, 2};");
  EXPECT_THROW(place.variables.module_variable(ptx::Space::Global, ptx::Linkage{}), ptx::Failure);
}

TEST(VariableReader, shared_memory_has_no_initial_value_and_no_variable_is_empty) {
  Place place(".u32 a = 1; .u32 b[];");
  place.variables.module_variable(ptx::Space::Shared, ptx::Linkage{});
  place.variables.module_variable(ptx::Space::Global, ptx::Linkage{});
  EXPECT_EQ(place.messages(), (Messages{"No initial value is allowed for 'a' in this state space",
                                        "Non-external variable 'b' has incomplete type"}));
}

TEST(ParameterReader, parameters_lie_at_multiples_of_their_alignment) {
  Place place("(.param .u8 a, .reg .u64 b, .param .u16 c)");
  ptx::ParameterReader parameters(place.text, place.errors, place.variables);
  std::vector<bool> in_register;
  const std::vector<ptx::Parameter> list = parameters.list(in_register, false, true);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[1].offset, 8u);
  EXPECT_EQ(list[2].offset, 16u);
  EXPECT_EQ(in_register, (std::vector<bool>{false, true, false}));
}

TEST(ParameterReader, only_those_of_a_prototype_may_have_the_same_name) {
  Place place("(.param .b32 _) _ (.param .b32 _, .param .b32 _) (.param .b32 a, .param .b32 a)");
  ptx::ParameterReader parameters(place.text, place.errors, place.variables);
  const ptx::Prototype prototype = parameters.prototype();
  EXPECT_EQ(prototype.results.size(), 1u);
  EXPECT_EQ(prototype.parameters.size(), 2u);
  EXPECT_TRUE(place.messages().empty());
  std::vector<bool> in_register;
  parameters.list(in_register, false, true);
  EXPECT_EQ(place.messages(), Messages{"Duplicate definition of variable 'a'"});
}

TEST(Checks, an_operand_fits_by_its_size_and_not_under_an_unknown_name) {
  Place place("%r0 %d0 p 7 nowhere");
  const ptx::Checks checks(place.names, place.unknown, place.errors);
  const ptx::Operand word = place.operands.read(), wide = place.operands.read(), flag = place.operands.read(),
                     number = place.operands.read(), unknown = place.operands.read();
  const auto fits = [&](const ptx::Operand& operand, ptx::Type type, bool wider) {
    return checks.fits(place.function, operand, type, wider);
  };
  EXPECT_TRUE(fits(word, ptx::Type::F32, false));
  EXPECT_FALSE(fits(word, ptx::Type::U64, false));
  EXPECT_FALSE(fits(wide, ptx::Type::U32, false));
  EXPECT_TRUE(fits(wide, ptx::Type::U32, true));
  EXPECT_FALSE(fits(flag, ptx::Type::B32, true));
  EXPECT_FALSE(fits(number, ptx::Type::F32, false));
  EXPECT_FALSE(fits(unknown, ptx::Type::U64, false));
}

TEST(InstructionReader, reads_guard_words_and_operands) {
  Place place("@!p add.sat.s32 %r0, %r1, 5;");
  ptx::InstructionReader reader(place.text, place.errors, place.scopes, place.names);
  reader.read(place.function);
  ASSERT_EQ(place.function.body.size(), 1u);
  const ptx::Instruction& add = place.function.body[0];
  EXPECT_EQ(add.opcode, ptx::Opcode::Add);
  EXPECT_TRUE(add.guarded && add.guard_negated && add.saturate);
  EXPECT_EQ(add.operands.size(), 3u);
  EXPECT_TRUE(place.messages().empty());
}

TEST(InstructionReader, the_number_of_an_element_is_multiplied_before_it_is_used) {
  Place place("ld.u32 %r0, a[%r1];");
  place.declare("a", 64, 4);
  ptx::InstructionReader reader(place.text, place.errors, place.scopes, place.names);
  reader.read(place.function);
  std::vector<std::string> roots;
  for (const ptx::Instruction& instruction : place.function.body) roots.push_back(instruction.root);
  EXPECT_EQ(roots, (std::vector<std::string>{"mul", "cvt", "mov", "add", "ld"}));
  EXPECT_TRUE(place.messages().empty());
}

TEST(InstructionReader, stores_results_in_registers_before_a_return) {
  Place place("ret;");
  ptx::Parameter result;
  result.name = "%r3";
  result.type = ptx::Type::B32;
  place.function.results = {result};
  ptx::InstructionReader reader(place.text, place.errors, place.scopes, place.names);
  reader.set_results({"%r3"});
  reader.read(place.function);
  ASSERT_EQ(place.function.body.size(), 2u);
  EXPECT_EQ(place.function.body[0].opcode, ptx::Opcode::St);
  EXPECT_EQ(place.function.body[1].opcode, ptx::Opcode::Ret);
}

TEST(CallReader, each_register_of_a_call_gets_a_variable_of_its_own) {
  Place place("call (%r0), f, (%r1); call (%r0), f, (%r1);");
  ptx::Parameter word;
  word.type = ptx::Type::B32;
  word.size = word.align = 4;
  ptx::Function callee;
  callee.name = "f";
  callee.results = callee.parameters = {word};
  place.names.add(callee);
  ptx::InstructionReader reader(place.text, place.errors, place.scopes, place.names);
  reader.read(place.function);
  reader.read(place.function);
  ASSERT_EQ(place.function.body.size(), 6u);
  EXPECT_EQ(place.function.body[0].opcode, ptx::Opcode::St);
  EXPECT_EQ(place.function.body[1].opcode, ptx::Opcode::Call);
  EXPECT_EQ(place.function.body[2].opcode, ptx::Opcode::Ld);
  EXPECT_EQ(place.function.locals.size(), 4u);
  EXPECT_NE(place.function.body[1].call_arguments, place.function.body[4].call_arguments);
  EXPECT_TRUE(place.messages().empty());
}

TEST(CallReader, what_is_called_has_to_be_known) {
  Place place("call nowhere;");
  ptx::InstructionReader reader(place.text, place.errors, place.scopes, place.names);
  reader.read(place.function);
  EXPECT_EQ(place.messages(),
            (Messages{"Call to 'nowhere' requires call prototype", "Unknown symbol 'nowhere'"}));
  EXPECT_TRUE(place.function.body.empty());
}

TEST(FunctionReader, a_function_is_known_inside_its_own_body) {
  Place place("f (.param .u32 a) { { .reg .b32 x; bra L; } L: call f, (a); ret; }");
  ptx::FunctionReader functions(place.text, place.errors, place.scopes, place.names, place.variables);
  functions.read(false, ptx::Linkage{});
  EXPECT_TRUE(place.messages().empty());
  ASSERT_EQ(place.module.functions.size(), 1u);
  const ptx::Function& f = place.module.functions[0];
  EXPECT_FALSE(f.external);
  ASSERT_EQ(f.body.size(), 3u);
  EXPECT_EQ(f.body[0].target, 1u);
  EXPECT_EQ(f.body[1].callee, "f");
}

TEST(FunctionReader, a_label_inside_other_braces_is_not_seen) {
  Place place("f { { L: ret; } bra L; }");
  ptx::FunctionReader functions(place.text, place.errors, place.scopes, place.names, place.variables);
  functions.read(false, ptx::Linkage{});
  EXPECT_EQ(place.messages(), Messages{"Unknown symbol 'L'"});
}

TEST(FunctionReader, variables_of_the_same_name_in_different_braces_stay_apart) {
  Place place("f { { .local .u32 v; } { .local .u64 v; } ret; }");
  ptx::FunctionReader functions(place.text, place.errors, place.scopes, place.names, place.variables);
  functions.read(false, ptx::Linkage{});
  EXPECT_TRUE(place.messages().empty());
  const std::vector<ptx::Variable>& locals = place.module.functions.at(0).locals;
  ASSERT_EQ(locals.size(), 2u);
  EXPECT_NE(locals[0].name, locals[1].name);
}

TEST(FunctionReader, directives_on_performance_stand_between_header_and_body) {
  Place place("f () .maxntid 8, 4 .minnctapersm 2 { ret; }");
  ptx::FunctionReader functions(place.text, place.errors, place.scopes, place.names, place.variables);
  functions.read(true, ptx::Linkage{});
  EXPECT_EQ(place.module.functions.at(0).max_threads, 32u);
  EXPECT_EQ(place.module.functions.at(0).min_blocks, 2u);
  EXPECT_TRUE(place.messages().empty());
}

}  // namespace
