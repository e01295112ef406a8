// SPDX-License-Identifier: MIT
// Reads declarations of variables with their dimensions and initial values, and reports mistakes in them.
// Part of Parser (parser.hpp).
#include <algorithm>
#include <bit>

#include "parser.hpp"

namespace ptx {
namespace {

constexpr std::uint64_t kMostVariableBytes = std::uint64_t{1} << 32;
constexpr std::size_t kMostInitialisers = std::size_t{1} << 24;

}  // namespace

Type type_of_word(std::string_view word) {
  if (!word.empty() && word[0] == '.') word.remove_prefix(1);
  static constexpr std::pair<std::string_view, Type> words[] = {
      {"pred", Type::Pred}, {"b8", Type::B8},         {"b16", Type::B16},    {"b32", Type::B32},
      {"b64", Type::B64},   {"u8", Type::U8},         {"u16", Type::U16},    {"u32", Type::U32},
      {"u64", Type::U64},   {"s8", Type::S8},         {"s16", Type::S16},    {"s32", Type::S32},
      {"s64", Type::S64},   {"f16", Type::F16},       {"f32", Type::F32},    {"f64", Type::F64},
      {"bf16", Type::Bf16}, {"bf16x2", Type::Bf16x2}, {"f16x2", Type::F16x2}};
  for (const auto& [text, type] : words) {
    if (word == text) return type;
  }
  return Type::None;
}

Type Parser::type_word() {
  const Type type = type_of_word(peek().text);
  if (type == Type::None || peek().kind != Token::Kind::Directive) syntax(peek());
  take();
  return type;
}

// [n][m]…, the first may be empty.
void Parser::dimensions(Declaration& declaration) {
  std::uint64_t bytes = std::max(1U, size_of(declaration.variable.type));
  while (accept("[")) {
    const bool first = declaration.dimensions.empty();
    if (at("]") && !first) syntax(peek());
    std::uint64_t n = at("]") ? 0 : integer();
    declaration.open = declaration.open || (n == 0 && first);
    if (n == 0 && !first) {
      error(declaration.line, "Array of incomplete type");
      n = 1;
    }
    if (n != 0 && bytes > kMostVariableBytes / n) fatal(declaration.line, "Array size too large");
    bytes *= std::max<std::uint64_t>(n, 1);
    declaration.dimensions.push_back(n);
    expect("]");
  }
}

// [.align n] [.attribute(…)] [.vN] in any order before the type.
void Parser::qualifiers(Declaration& declaration, std::uint32_t& align, std::uint64_t& vector) {
  for (;;) {
    if (accept(".align")) {
      const int line = peek().line;
      align = static_cast<std::uint32_t>(std::min<std::uint64_t>(integer(), 1U << 20));
      if (align == 0 || (align & (align - 1)) != 0) {
        error(line, "Alignment must be a power of two");
        align = 1;
      }
    } else if (accept(".attribute")) {
      expect("(");
      while (!at(")") && peek().kind != Token::Kind::End)
        declaration.variable.managed = take().text == ".managed" || declaration.variable.managed;
      expect(")");
    } else if (accept(".v2")) {
      vector = 2;
    } else if (accept(".v4")) {
      vector = 4;
    } else {
      return;
    }
  }
}

// What follows the state space: qualifiers, type, [.ptr …], name, dimensions.
Declaration Parser::declaration(Space space) {
  Declaration declaration;
  Variable& variable = declaration.variable;
  variable.space = space;
  std::uint32_t align = 0;
  std::uint64_t vector = 1;
  qualifiers(declaration, align, vector);
  variable.type = type_word();
  qualifiers(declaration, align, vector);
  if (accept(".ptr")) {  // .ptr [.space] [.align n]
    while (peek().kind == Token::Kind::Directive) {
      if (take().text == ".align") integer();
    }
  }
  const Token word = name();
  declaration.line = word.line;
  variable.name = word.text;
  dimensions(declaration);
  if (vector > 1) declaration.dimensions.push_back(vector);
  const std::uint64_t each = size_of(variable.type);
  std::uint64_t count = 1;
  for (const std::uint64_t n : declaration.dimensions) count *= n;
  variable.array = !declaration.dimensions.empty();
  variable.size = declaration.open ? 0 : count * each;
  variable.align = align != 0 ? align : static_cast<std::uint32_t>(std::max<std::uint64_t>(each * vector, 1));
  if (variable.size > kMostVariableBytes) fatal(word.line, "Array size too large");
  return declaration;
}

// A number, a name with an offset, generic(name), 0xff00(name).
Initialiser Parser::initial_value(const Variable& variable) {
  const Nested nested(*this);
  Initialiser value;
  const Token token = peek();
  const bool masked = token.kind == Token::Kind::Number && peek(1).text == "(";
  if (masked) {
    value.mask = take().bits;
    if (value.mask == 0) fatal(token.line, "Initial value type mismatch");
  }
  if (masked || (token.kind == Token::Kind::Name && (token.text == "generic" || token.text == "mask"))) {
    if (!masked) take();
    expect("(");
    value = [&] {
      Initialiser inner = initial_value(variable);
      inner.mask = value.mask;
      return inner;
    }();
    expect(")");
  } else if (token.kind == Token::Kind::Name && token.text != "WARP_SZ") {
    take();
    const Symbol* symbol = find_symbol(token.text);
    if (symbol == nullptr && token.text != variable.name) {
      fatal(token.line, "Invalid initial value symbol '" + std::string(token.text) + "'");
    }
    value.symbol = symbol != nullptr ? symbol->name : variable.name;
  } else {
    const Operand number = literal();
    const bool real = number.float_literal || number.single_literal;
    const bool bits = variable.type == Type::B32 || variable.type == Type::B64;
    if (real != is_float(variable.type) && !(real && bits)) fatal(token.line, "Initial value type mismatch");
    value.bits = number.bits;
    if (variable.type == Type::F32 && number.float_literal) {
      value.bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(number.bits)));
    } else if (variable.type == Type::F64 && number.single_literal) {
      value.bits = std::bit_cast<std::uint64_t>(
          static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(number.bits))));
    }
    return value;
  }
  if (accept("+") || at("-")) value.bits = static_cast<std::uint64_t>(constant(0));
  return value;
}

// { … } of one dimension; shorter lists leave zeros behind them. Every dimension has braces of its own.
void Parser::initial_list(Declaration& declaration, std::size_t level, std::size_t base) {
  const Nested nested(*this);
  Variable& variable = declaration.variable;
  const int line = peek().line;
  expect("{");
  std::size_t each = 1;
  for (std::size_t i = level + 1; i < declaration.dimensions.size(); ++i) each *= declaration.dimensions[i];
  const bool open = level == 0 && declaration.open, innermost = level + 1 == declaration.dimensions.size();
  bool mismatch = false;
  std::size_t index = 0;
  do {
    if (at("}")) break;
    if (!open && index >= declaration.dimensions[level])
      fatal(line, "Greater number of elements in array initializer");
    const std::size_t place = base + index * each;
    if (place >= kMostInitialisers) fatal(line, "Array size too large");
    if (at("{")) {
      if (innermost) fatal(line, "Initial value type mismatch");
      initial_list(declaration, level + 1, place);
    } else {
      const Initialiser value = initial_value(variable);
      mismatch = mismatch || !innermost;
      variable.values.resize(std::max(variable.values.size(), place + 1));
      variable.values[place] = value;
    }
    ++index;
  } while (accept(","));
  expect("}");
  if (mismatch || (open && index == 0)) fatal(line, "Initial value type mismatch");
  if (open) {
    declaration.dimensions[0] = index;
    variable.size = index * each * size_of(variable.type);
  }
}

void Parser::initialiser(Declaration& declaration) {
  const int line = peek().line;
  const bool list = at("{");
  if (peek().kind == Token::Kind::Punctuation && !list && !at("-") && !at("+") && !at("(") && !at("~"))
    syntax(peek());
  if (list != !declaration.dimensions.empty()) fatal(line, "Initial value type mismatch");
  if (list)
    initial_list(declaration, 0, 0);
  else
    declaration.variable.values.push_back(initial_value(declaration.variable));
  Variable& variable = declaration.variable;
  if (variable.values.size() * size_of(variable.type) > variable.size)
    fatal(line, "Greater number of elements in array initializer");
}

void Parser::check_variable(const Declaration& declaration, const Linkage& linkage, bool initialised) {
  const Variable& variable = declaration.variable;
  if (variable.type == Type::Pred) {
    error(declaration.line, "Predicate variable '" + variable.name + "' must be in register state space");
  } else if (variable.size == 0 && !linkage.external) {
    error(declaration.line, "Non-external variable '" + variable.name + "' has incomplete type");
  }
  const bool may = variable.space == Space::Global || variable.space == Space::Const;
  if (initialised && !may)
    error(declaration.line, "No initial value is allowed for '" + variable.name + "' in this state space");
}

void Parser::add_module_variable(Variable variable, int line) {
  const auto known_at = variables_named_.find(variable.name);
  const Symbol symbol{variable.name,  variable.space, variable.size,
                      variable.align, false,          variable.array ? size_of(variable.type) : 0};
  if (const Symbol* known = find_symbol(variable.name); known != nullptr && known->function) {
    return error(line, "Inconsistent redefinition of variable '" + variable.name + "'");
  }
  symbols_[variable.name] = symbol;
  if (known_at == variables_named_.end()) {
    variables_named_.emplace(variable.name, module_.variables.size());
    module_.variables.push_back(std::move(variable));
    return;
  }
  Variable* const before = &module_.variables[known_at->second];
  const bool defined_twice = !before->external && !variable.external && !before->common;
  if (before->type != variable.type || before->space != variable.space)
    error(line, "Inconsistent redefinition of variable '" + variable.name + "'");
  if (defined_twice) {
    error(line, "Duplicate definition of variable '" + variable.name + "'");
  } else if (!variable.external) {
    *before = std::move(variable);
  }
}

void Parser::module_variables(Space space, const Linkage& linkage) {
  // A declaration without a name declares nothing, and is no mistake.
  if (type_of_word(peek().text) != Type::None && peek(1).text == ";") {
    take();
    take();
    return;
  }
  Declaration declared = declaration(space);
  const bool initialised = accept("=");
  if (initialised) initialiser(declared);
  check_variable(declared, linkage, initialised);
  declared.variable.external = linkage.external;
  declared.variable.visible = linkage.visible;
  declared.variable.weak = linkage.weak;
  declared.variable.common = linkage.common;
  add_module_variable(std::move(declared.variable), declared.line);
  expect(";");
}

}  // namespace ptx
