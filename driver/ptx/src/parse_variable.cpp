// SPDX-License-Identifier: MIT
// See parse_variable.hpp.
#include "parse_variable.hpp"

#include <algorithm>
#include <bit>

#include "constants.hpp"

namespace ptx {
namespace {

constexpr std::uint64_t kMostVariableBytes = std::uint64_t{1} << 32;
constexpr std::size_t kMostInitialisers = std::size_t{1} << 24;

}  // namespace

// [n][m]…, the first may be empty.
void VariableReader::dimensions(Declaration& declaration) {
  std::uint64_t bytes = std::max(1U, size_of(declaration.variable.type));
  while (text_.accept("[")) {
    const bool first = declaration.dimensions.empty();
    if (text_.at("]") && !first) syntax(text_.peek());
    std::uint64_t n = text_.at("]") ? 0 : integer(text_, errors_);
    declaration.open = declaration.open || (n == 0 && first);
    if (n == 0 && !first) {
      errors_.add(declaration.line, "Array of incomplete type");
      n = 1;
    }
    if (n != 0 && bytes > kMostVariableBytes / n) fatal(declaration.line, "Array size too large");
    bytes *= std::max<std::uint64_t>(n, 1);
    declaration.dimensions.push_back(n);
    text_.expect("]");
  }
}

// [.align n] [.attribute(…)] [.vN] in any order before the type.
void VariableReader::qualifiers(Declaration& declaration, std::uint32_t& align, std::uint64_t& vector) {
  for (;;) {
    if (text_.accept(".align")) {
      const int line = text_.peek().line;
      align = static_cast<std::uint32_t>(std::min<std::uint64_t>(integer(text_, errors_), 1U << 20));
      if (align == 0 || (align & (align - 1)) != 0) {
        errors_.add(line, "Alignment must be a power of two");
        align = 1;
      }
    } else if (text_.accept(".attribute")) {
      text_.expect("(");
      while (!text_.at(")") && !text_.at_end())
        declaration.variable.managed = text_.take().text == ".managed" || declaration.variable.managed;
      text_.expect(")");
    } else if (text_.accept(".v2")) {
      vector = 2;
    } else if (text_.accept(".v4")) {
      vector = 4;
    } else {
      return;
    }
  }
}

Declaration VariableReader::declaration(Space space) {
  Declaration declaration;
  Variable& variable = declaration.variable;
  variable.space = space;
  std::uint32_t align = 0;
  std::uint64_t vector = 1;
  qualifiers(declaration, align, vector);
  variable.type = type_word(text_);
  qualifiers(declaration, align, vector);
  if (text_.accept(".ptr")) {  // .ptr [.space] [.align n]
    while (text_.peek().kind == Token::Kind::Directive) {
      if (text_.take().text == ".align") integer(text_, errors_);
    }
  }
  const Token word = text_.name();
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
Initialiser VariableReader::initial_value(const Variable& variable) {
  const Cursor::Nested nested(text_);
  Initialiser value;
  const Token token = text_.peek();
  const bool masked = token.kind == Token::Kind::Number && text_.peek(1).text == "(";
  if (masked) {
    value.mask = text_.take().bits;
    if (value.mask == 0) fatal(token.line, "Initial value type mismatch");
  }
  if (masked || (token.kind == Token::Kind::Name && (token.text == "generic" || token.text == "mask"))) {
    if (!masked) text_.take();
    text_.expect("(");
    value = [&] {
      Initialiser inner = initial_value(variable);
      inner.mask = value.mask;
      return inner;
    }();
    text_.expect(")");
  } else if (token.kind == Token::Kind::Name && token.text != "WARP_SZ") {
    text_.take();
    const Symbol* symbol = scopes_.find_symbol(token.text);
    if (symbol == nullptr && token.text != variable.name) {
      fatal(token.line, "Invalid initial value symbol '" + std::string(token.text) + "'");
    }
    value.symbol = symbol != nullptr ? symbol->name : variable.name;
  } else {
    const Operand number = literal(text_, errors_);
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
  if (text_.accept("+") || text_.at("-")) value.bits = static_cast<std::uint64_t>(constant(text_, errors_));
  return value;
}

// { … } of one dimension; shorter lists leave zeros behind them. Every dimension has braces of its own.
void VariableReader::initial_list(Declaration& declaration, std::size_t level, std::size_t base) {
  const Cursor::Nested nested(text_);
  Variable& variable = declaration.variable;
  const int line = text_.peek().line;
  text_.expect("{");
  std::size_t each = 1;
  for (std::size_t i = level + 1; i < declaration.dimensions.size(); ++i) each *= declaration.dimensions[i];
  const bool open = level == 0 && declaration.open, innermost = level + 1 == declaration.dimensions.size();
  bool mismatch = false;
  std::size_t index = 0;
  do {
    if (text_.at("}")) break;
    if (!open && index >= declaration.dimensions[level])
      fatal(line, "Greater number of elements in array initializer");
    const std::size_t place = base + index * each;
    if (place >= kMostInitialisers) fatal(line, "Array size too large");
    if (text_.at("{")) {
      if (innermost) fatal(line, "Initial value type mismatch");
      initial_list(declaration, level + 1, place);
    } else {
      const Initialiser value = initial_value(variable);
      mismatch = mismatch || !innermost;
      variable.values.resize(std::max(variable.values.size(), place + 1));
      variable.values[place] = value;
    }
    ++index;
  } while (text_.accept(","));
  text_.expect("}");
  if (mismatch || (open && index == 0)) fatal(line, "Initial value type mismatch");
  if (open) {
    declaration.dimensions[0] = index;
    variable.size = index * each * size_of(variable.type);
  }
}

void VariableReader::initialiser(Declaration& declaration) {
  const int line = text_.peek().line;
  const bool list = text_.at("{");
  if (text_.peek().kind == Token::Kind::Punctuation && !list && !text_.at("-") && !text_.at("+") &&
      !text_.at("(") && !text_.at("~"))
    syntax(text_.peek());
  if (list != !declaration.dimensions.empty()) fatal(line, "Initial value type mismatch");
  if (list)
    initial_list(declaration, 0, 0);
  else
    declaration.variable.values.push_back(initial_value(declaration.variable));
  Variable& variable = declaration.variable;
  if (variable.values.size() * size_of(variable.type) > variable.size)
    fatal(line, "Greater number of elements in array initializer");
}

void VariableReader::check(const Declaration& declaration, const Linkage& linkage, bool initialised) {
  const Variable& variable = declaration.variable;
  if (variable.type == Type::Pred) {
    errors_.add(declaration.line,
                "Predicate variable '" + variable.name + "' must be in register state space");
  } else if (variable.size == 0 && !linkage.external) {
    errors_.add(declaration.line, "Non-external variable '" + variable.name + "' has incomplete type");
  }
  const bool may = variable.space == Space::Global || variable.space == Space::Const;
  if (initialised && !may)
    errors_.add(declaration.line,
                "No initial value is allowed for '" + variable.name + "' in this state space");
}

void VariableReader::definition(Declaration& declaration, const Linkage& linkage) {
  const bool initialised = text_.accept("=");
  if (initialised) initialiser(declaration);
  check(declaration, linkage, initialised);
}

void VariableReader::module_variable(Space space, const Linkage& linkage) {
  // A declaration without a name declares nothing, and is no mistake.
  if (type_of_word(text_.peek().text) != Type::None && text_.peek(1).text == ";") {
    text_.take();
    text_.take();
    return;
  }
  Declaration declared = declaration(space);
  definition(declared, linkage);
  declared.variable.external = linkage.external;
  declared.variable.visible = linkage.visible;
  declared.variable.weak = linkage.weak;
  declared.variable.common = linkage.common;
  names_.add(std::move(declared.variable), declared.line, errors_);
  text_.expect(";");
}

}  // namespace ptx
