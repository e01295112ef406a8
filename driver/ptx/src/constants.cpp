// SPDX-License-Identifier: MIT
// See constants.hpp.
#include "constants.hpp"

#include <algorithm>
#include <utility>

namespace ptx {
namespace {

std::int64_t constant_primary(Cursor& text, Errors& errors) {
  const Cursor::Nested nested(text);
  const auto wrap = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  std::int64_t value = 0;
  if (text.accept("(")) {
    if (text.peek().kind == Token::Kind::Directive) text.take();  // (.s64) and (.u64) keep all bits
    if (text.accept(")")) {
      value = constant_primary(text, errors);
    } else {
      value = constant(text, errors);
      text.expect(")");
    }
  } else if (text.accept("-")) {
    value = wrap(~static_cast<std::uint64_t>(constant_primary(text, errors)) + 1);
  } else if (text.accept("+")) {
    value = constant_primary(text, errors);
  } else if (text.accept("~")) {
    value = ~constant_primary(text, errors);
  } else if (text.accept("!")) {
    value = constant_primary(text, errors) == 0 ? 1 : 0;
  } else if (text.peek().kind == Token::Kind::Number && !text.peek().float_literal &&
             !text.peek().single_literal) {
    value = wrap(text.take().bits);
  } else if (text.peek().overflow) {
    errors.add(text.take().line, "Constant overflow");
  } else if (text.at("WARP_SZ")) {
    text.take();
    value = 32;
  } else {
    syntax(text.peek());
  }
  return value;
}

struct Binary {
  std::string_view text;  // of one or two tokens
  int precedence;
};
constexpr Binary kBinaries[] = {{"<<", 8}, {">>", 8}, {"<=", 7}, {">=", 7}, {"==", 6}, {"!=", 6},
                                {"&&", 2}, {"||", 1}, {"*", 10}, {"/", 10}, {"%", 10}, {"+", 9},
                                {"-", 9},  {"<", 7},  {">", 7},  {"&", 5},  {"^", 4},  {"|", 3}};

std::int64_t apply(std::string_view op, std::int64_t a, std::int64_t b) {
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  const auto wrap = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  if (op == "<<") return y > 63 ? 0 : wrap(x << y);
  if (op == ">>") return a >> std::min<std::uint64_t>(y, 63);
  if (op == "<=") return a <= b;
  if (op == ">=") return a >= b;
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "&&") return a != 0 && b != 0;
  if (op == "||") return a != 0 || b != 0;
  if (op == "*") return wrap(x * y);
  if (op == "/") return b == 0 ? 0 : b == -1 ? wrap(~x + 1) : a / b;
  if (op == "%") return b == 0 || b == -1 ? 0 : a % b;
  if (op == "+") return wrap(x + y);
  if (op == "-") return wrap(x - y);
  if (op == "<") return a < b;
  if (op == ">") return a > b;
  if (op == "&") return a & b;
  if (op == "^") return a ^ b;
  return a | b;
}

}  // namespace

std::int64_t constant(Cursor& text, Errors& errors, int least_precedence) {
  std::int64_t value = constant_primary(text, errors);
  for (;;) {
    const Binary* found = nullptr;
    for (const Binary& binary : kBinaries) {
      const bool two = binary.text.size() == 2;
      if (binary.precedence <= least_precedence) continue;
      if (!text.at(binary.text.substr(0, 1)) || (two && text.peek(1).text != binary.text.substr(1))) continue;
      found = &binary;
      break;
    }
    if (found == nullptr) break;
    for (std::size_t i = 0; i < found->text.size(); ++i) text.take();
    const std::int64_t right = constant(text, errors, found->precedence);
    value = apply(found->text, value, right);
  }
  if (least_precedence == 0 && text.accept("?")) {
    const Cursor::Nested nested(text);
    const std::int64_t yes = constant(text, errors);
    text.expect(":");
    const std::int64_t no = constant(text, errors);
    value = value != 0 ? yes : no;
  }
  return value;
}

std::uint64_t integer(Cursor& text, Errors& errors) {
  if (text.peek().kind != Token::Kind::Number || text.peek().float_literal || text.peek().single_literal)
    syntax(text.peek());
  return static_cast<std::uint64_t>(constant(text, errors));
}

Operand immediate(std::uint64_t bits) {
  Operand operand;
  operand.kind = Operand::Kind::Immediate;
  operand.bits = bits;
  return operand;
}

Operand literal(Cursor& text, Errors& errors) {
  const bool negative = text.at("-") || text.at("+");
  const Token& number = text.peek(negative ? 1 : 0);
  if (number.kind != Token::Kind::Number || (!number.float_literal && !number.single_literal))
    return immediate(static_cast<std::uint64_t>(constant(text, errors)));
  const bool flip = negative && text.take().text == "-";
  const Token token = text.take();
  Operand operand = immediate(token.bits);
  operand.float_literal = token.float_literal;
  operand.single_literal = token.single_literal;
  if (flip) operand.bits ^= token.single_literal ? std::uint64_t{1} << 31 : std::uint64_t{1} << 63;
  return operand;
}

Type type_of_word(std::string_view word) {
  if (!word.empty() && word[0] == '.') word.remove_prefix(1);
  static constexpr std::pair<std::string_view, Type> kWords[] = {
      {"pred", Type::Pred}, {"b8", Type::B8},         {"b16", Type::B16},    {"b32", Type::B32},
      {"b64", Type::B64},   {"u8", Type::U8},         {"u16", Type::U16},    {"u32", Type::U32},
      {"u64", Type::U64},   {"s8", Type::S8},         {"s16", Type::S16},    {"s32", Type::S32},
      {"s64", Type::S64},   {"f16", Type::F16},       {"f32", Type::F32},    {"f64", Type::F64},
      {"bf16", Type::Bf16}, {"bf16x2", Type::Bf16x2}, {"f16x2", Type::F16x2}};
  for (const auto& [text, type] : kWords) {
    if (word == text) return type;
  }
  return Type::None;
}

Type type_word(Cursor& text) {
  const Type type = type_of_word(text.peek().text);
  if (type == Type::None || text.peek().kind != Token::Kind::Directive) syntax(text.peek());
  text.take();
  return type;
}

}  // namespace ptx
