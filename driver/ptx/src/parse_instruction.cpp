// Function bodies of PTX: registers, scoped variables, labels, instructions with their operands.
#include <algorithm>
#include <bit>

#include "parser.hpp"

namespace ptx {
namespace {

struct SpecialName {
  std::string_view text;
  Special special;
};
constexpr SpecialName kSpecials[] = {{"%tid.x", Special::TidX},
                                     {"%tid.y", Special::TidY},
                                     {"%tid.z", Special::TidZ},
                                     {"%ntid.x", Special::NtidX},
                                     {"%ntid.y", Special::NtidY},
                                     {"%ntid.z", Special::NtidZ},
                                     {"%ctaid.x", Special::CtaidX},
                                     {"%ctaid.y", Special::CtaidY},
                                     {"%ctaid.z", Special::CtaidZ},
                                     {"%nctaid.x", Special::NctaidX},
                                     {"%nctaid.y", Special::NctaidY},
                                     {"%nctaid.z", Special::NctaidZ},
                                     {"%laneid", Special::Laneid},
                                     {"%warpid", Special::Warpid},
                                     {"WARP_SZ", Special::Warpsize},
                                     {"%smid", Special::Smid},
                                     {"%clock", Special::Clock},
                                     {"%clock64", Special::Clock64},
                                     {"%globaltimer", Special::Globaltimer}};

constexpr std::uint32_t kMostRegisters = 1u << 20;

}  // namespace

bool Parser::is_register(std::string_view text) const {
  return register_names_.find(text) != register_names_.end();
}

std::uint32_t Parser::register_index(const Function&, const Token& token) const {
  const auto found = register_names_.find(token.text);
  if (found == register_names_.end()) fail(token.line, "Unknown symbol '" + std::string(token.text) + "'");
  return found->second;
}

// .reg .b32 %r<7>;  or  .reg .pred p, q;
void Parser::registers(Function& function) {
  const Type type = type_word();
  do {
    const Token word = name("register name");
    std::uint64_t count = 0;
    if (accept("<")) {
      count = integer("number of registers");
      expect(">");
    }
    if (function.registers.size() + count > kMostRegisters) fail(word.line, "Too many registers");
    for (std::uint64_t i = 0; i < std::max<std::uint64_t>(count, 1); ++i) {
      std::string full(word.text);
      if (count != 0) full += std::to_string(i);
      // A scoped block may declare the same name again; each call sequence does.
      register_names_[full] = static_cast<std::uint32_t>(function.registers.size());
      function.registers.push_back(std::move(full));
      function.register_types.push_back(type);
    }
  } while (accept(","));
  expect(";");
}

void Parser::scoped_variable(Function& function) {
  const std::string_view word = take().text;
  const Space space = word == ".local" ? Space::Local : word == ".shared" ? Space::Shared : Space::Param;
  Variable variable = declaration(space);
  expect(";");
  // Call sequences reuse the names of their .param variables; the largest one serves them all.
  for (Variable& before : function.locals) {
    if (before.name != variable.name) continue;
    if (space != Space::Param) fail(peek().line, "Duplicate definition of variable '" + variable.name + "'");
    before.size = std::max(before.size, variable.size);
    before.align = std::max(before.align, variable.align);
    return;
  }
  function.locals.push_back(std::move(variable));
}

Operand Parser::literal(bool negative) {
  const Token token = take();
  if (token.kind != Token::Kind::Number) {
    fail(token.line, "Parsing error near '" + std::string(token.text) + "': operand expected");
  }
  Operand operand;
  operand.kind = Operand::Kind::Immediate;
  operand.bits = token.bits;
  operand.float_literal = token.float_literal;
  operand.single_literal = token.single_literal;
  if (negative) {
    if (token.float_literal)
      operand.bits ^= std::uint64_t{1} << 63;
    else if (token.single_literal)
      operand.bits ^= std::uint64_t{1} << 31;
    else
      operand.bits = ~operand.bits + 1;
  }
  return operand;
}

// [base], [base+offset], [base+-offset]
Operand Parser::address(Function& function) {
  Operand operand;
  operand.kind = Operand::Kind::Address;
  expect("[");
  if (peek().kind == Token::Kind::Number) {
    operand.offset = static_cast<std::int64_t>(take().bits);
  } else {
    const Token base = name("address");
    operand.has_reg = is_register(base.text);
    if (operand.has_reg)
      operand.reg = register_index(function, base);
    else
      operand.name = base.text;
    if (accept("+") || at("-")) {
      const bool negative = accept("-");
      const std::int64_t offset = static_cast<std::int64_t>(integer("offset"));
      operand.offset = negative ? -offset : offset;
    }
  }
  expect("]");
  return operand;
}

Operand Parser::operand(Function& function) {
  Operand operand;
  if (at("[")) return address(function);
  if (accept("{")) {
    operand.kind = Operand::Kind::Vector;
    do operand.parts.push_back(this->operand(function));
    while (accept(","));
    expect("}");
    return operand;
  }
  const bool negated = accept("!");
  if (at("-") || peek().kind == Token::Kind::Number) return literal(accept("-"));
  const Token word = name("operand");
  if (word.text == "_") return operand;
  for (const SpecialName& special : kSpecials) {
    if (word.text != special.text) continue;
    operand.kind = Operand::Kind::Special;
    operand.special = special.special;
    return operand;
  }
  if (is_register(word.text)) {
    operand.kind = Operand::Kind::Register;
    operand.reg = register_index(function, word);
    operand.negated = negated;
    if (accept("|")) {  // d|p destinations: the pair as a vector
      Operand pair;
      pair.kind = Operand::Kind::Vector;
      pair.parts = {operand, this->operand(function)};
      return pair;
    }
    return operand;
  }
  if (word.text[0] == '%') fail(word.line, "Unknown symbol '" + std::string(word.text) + "'");
  operand.kind = Operand::Kind::Symbol;
  operand.name = word.text;
  if (accept("+")) operand.offset = static_cast<std::int64_t>(integer("offset"));
  return operand;
}

std::vector<std::string> Parser::call_list() {
  std::vector<std::string> names;
  expect("(");
  while (!accept(")")) {
    names.emplace_back(name("parameter").text);
    if (!at(")")) expect(",");
  }
  return names;
}

// call[.uni] [(results),] callee [, (arguments)] [, prototype];
void Parser::call(Function& function, Instruction& instruction) {
  if (at("(")) {
    instruction.call_results = call_list();
    expect(",");
  }
  const Token callee = name("function");
  if (is_register(callee.text)) {
    Operand target;
    target.kind = Operand::Kind::Register;
    target.reg = register_index(function, callee);
    instruction.operands.push_back(target);
  } else {
    instruction.callee = callee.text;
  }
  if (accept(",")) instruction.call_arguments = call_list();
  if (accept(",")) name("prototype");
}

void Parser::instruction(Function& function) {
  Instruction instruction;
  instruction.line = peek().line;
  if (accept("@")) {
    instruction.guarded = true;
    instruction.guard_negated = accept("!");
    instruction.guard = register_index(function, name("predicate"));
  }
  const Token word = name("instruction");
  std::string_view rest = word.text;
  const std::size_t dot = rest.find('.');
  instruction.root = rest.substr(0, dot);
  while (dot != std::string_view::npos && !rest.empty()) {
    const std::size_t start = rest.find('.');
    if (start == std::string_view::npos) break;
    rest.remove_prefix(start + 1);
    const std::string_view part = rest.substr(0, rest.find('.'));
    if (const Type type = type_of_word(part); type != Type::None)
      instruction.types.push_back(type);
    else
      instruction.modifiers.emplace_back(part);
  }
  if (instruction.root == "call") {
    call(function, instruction);
  } else if (!at(";")) {
    do instruction.operands.push_back(operand(function));
    while (accept(","));
  }
  expect(";");
  classify(instruction);
  function.body.push_back(std::move(instruction));
}

void Parser::statement(Function& function) {
  const Token& token = peek();
  if (token.kind == Token::Kind::Directive) {
    if (token.text == ".reg") {
      take();
      return registers(function);
    }
    if (token.text == ".local" || token.text == ".shared" || token.text == ".param")
      return scoped_variable(function);
    if (token.text == ".loc" || token.text == ".file") {
      const int line = token.line;
      while (peek().line == line && peek().kind != Token::Kind::End) take();
      return;
    }
    if (token.text == ".pragma") return skip_statement();
    fail(token.line, "Parsing error near '" + std::string(token.text) + "': syntax error");
  }
  if (token.kind == Token::Kind::Name && peek(1).text == ":") {
    const Token label = take();
    take();
    if (at(".callprototype") || at(".calltargets") || at(".branchtargets")) {
      ++prototypes_;
      return skip_statement();
    }
    if (!labels_.emplace(label.text, static_cast<std::uint32_t>(function.body.size())).second) {
      fail(label.line, "Duplicate definition of label '" + std::string(label.text) + "'");
    }
    return;
  }
  instruction(function);
}

void Parser::body(Function& function, const Module& module) {
  register_names_.clear();
  labels_.clear();
  expect("{");
  int depth = 1;
  while (depth > 0) {
    if (peek().kind == Token::Kind::End) fail(peek().line, "Parsing error near end of file: '}' expected");
    if (accept("{"))
      ++depth;
    else if (accept("}"))
      --depth;
    else if (!accept(";"))
      statement(function);
  }
  resolve(function, module);
}

void Parser::resolve(Function& function, const Module&) const {
  for (Instruction& instruction : function.body) {
    if (instruction.root != "bra") continue;
    if (instruction.operands.size() != 1 || instruction.operands[0].kind != Operand::Kind::Symbol) {
      fail(instruction.line, "Arguments mismatch for instruction 'bra'");
    }
    const auto label = labels_.find(instruction.operands[0].name);
    if (label == labels_.end())
      fail(instruction.line, "Unknown symbol '" + instruction.operands[0].name + "'");
    instruction.target = label->second;
  }
}

}  // namespace ptx
