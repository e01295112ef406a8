// SPDX-License-Identifier: MIT
// Reads one instruction of PTX with its operands, including constant expressions. classify.cpp finds the
// meaning of its words. Part of Parser (parser.hpp).
#include <algorithm>
#include <bit>

#include "parser.hpp"

namespace ptx {
namespace {

struct SpecialName {
  std::string_view text;
  Special special;
};
constexpr SpecialName kSpecials[] = {{"%laneid", Special::Laneid},
                                     {"%warpid", Special::Warpid},
                                     {"%nwarpid", Special::Nwarpid},
                                     {"WARP_SZ", Special::Warpsize},
                                     {"%smid", Special::Smid},
                                     {"%nsmid", Special::Nsmid},
                                     {"%gridid", Special::Gridid},
                                     {"%lanemask_eq", Special::LanemaskEq},
                                     {"%lanemask_le", Special::LanemaskLe},
                                     {"%lanemask_lt", Special::LanemaskLt},
                                     {"%lanemask_ge", Special::LanemaskGe},
                                     {"%lanemask_gt", Special::LanemaskGt},
                                     {"%clock", Special::Clock},
                                     {"%clock_hi", Special::ClockHi},
                                     {"%clock64", Special::Clock64},
                                     {"%globaltimer", Special::Globaltimer},
                                     {"%globaltimer_lo", Special::GlobaltimerLo},
                                     {"%globaltimer_hi", Special::GlobaltimerHi},
                                     {"%dynamic_smem_size", Special::DynamicSharedSize},
                                     {"%total_smem_size", Special::TotalSharedSize},
                                     {"%aggr_smem_size", Special::TotalSharedSize}};
// With fields .x, .y, .z; a block is a cluster of its own.
constexpr SpecialName kVectors[] = {{"%tid", Special::TidX},         {"%ntid", Special::NtidX},
                                    {"%ctaid", Special::CtaidX},     {"%nctaid", Special::NctaidX},
                                    {"%clusterid", Special::CtaidX}, {"%nclusterid", Special::NctaidX}};
constexpr std::pair<std::string_view, std::uint64_t> kFixed[] = {
    {"%cluster_ctaid.x", 0},  {"%cluster_ctaid.y", 0},  {"%cluster_ctaid.z", 0},
    {"%cluster_nctaid.x", 1}, {"%cluster_nctaid.y", 1}, {"%cluster_nctaid.z", 1},
    {"%cluster_ctarank", 0},  {"%cluster_nctarank", 1}, {"%is_explicit_cluster", 0}};

constexpr std::uint64_t not_an_array = ~std::uint64_t{0};  // in Operand::element

Operand immediate(std::uint64_t bits) {
  Operand operand;
  operand.kind = Operand::Kind::Immediate;
  operand.bits = bits;
  return operand;
}

std::size_t types_of(Opcode opcode) {
  const bool two = opcode == Opcode::Cvt || opcode == Opcode::Set || opcode == Opcode::Slct ||
                   opcode == Opcode::Dp4a || opcode == Opcode::Dp2a;
  return two ? 2 : 1;
}

}  // namespace

void Parser::unknown(std::string_view name) {
  std::string text(name);
  if (std::find(unknown_.begin(), unknown_.end(), text) == unknown_.end())
    unknown_.push_back(std::move(text));
}

void Parser::tell_unknown(int line) {
  for (const std::string& text : unknown_) error(line, "Unknown symbol '" + text + "'");
  unknown_.clear();
}

// ---- constant expressions: as in C, on 64-bit integers

std::int64_t Parser::constant_primary() {
  const Nested nested(*this);
  const auto wrap = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  std::int64_t value = 0;
  if (accept("(")) {
    if (peek().kind == Token::Kind::Directive) take();  // (.s64) and (.u64) keep all bits
    if (accept(")")) {
      value = constant_primary();
    } else {
      value = constant(0);
      expect(")");
    }
  } else if (accept("-")) {
    value = wrap(~static_cast<std::uint64_t>(constant_primary()) + 1);
  } else if (accept("+")) {
    value = constant_primary();
  } else if (accept("~")) {
    value = ~constant_primary();
  } else if (accept("!")) {
    value = constant_primary() == 0 ? 1 : 0;
  } else if (peek().kind == Token::Kind::Number && !peek().float_literal && !peek().single_literal) {
    value = wrap(take().bits);
  } else if (peek().overflow) {
    error(take().line, "Constant overflow");
  } else if (at("WARP_SZ")) {
    take();
    value = 32;
  } else {
    syntax(peek());
  }
  return value;
}

namespace {

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

std::int64_t Parser::constant(int least_precedence) {
  std::int64_t value = constant_primary();
  for (;;) {
    const Binary* found = nullptr;
    for (const Binary& binary : kBinaries) {
      const bool two = binary.text.size() == 2;
      if (binary.precedence <= least_precedence) continue;
      if (!at(binary.text.substr(0, 1)) || (two && peek(1).text != binary.text.substr(1))) continue;
      found = &binary;
      break;
    }
    if (found == nullptr) break;
    for (std::size_t i = 0; i < found->text.size(); ++i) take();
    const std::int64_t right = constant(found->precedence);
    value = apply(found->text, value, right);
  }
  if (least_precedence == 0 && accept("?")) {
    const Nested nested(*this);
    const std::int64_t yes = constant(0);
    expect(":");
    const std::int64_t no = constant(0);
    value = value != 0 ? yes : no;
  }
  return value;
}

// A float, possibly negative, or a constant expression.
Operand Parser::literal() {
  const bool negative = at("-") || at("+");
  const Token& number = peek(negative ? 1 : 0);
  if (number.kind != Token::Kind::Number || (!number.float_literal && !number.single_literal))
    return immediate(static_cast<std::uint64_t>(constant(0)));
  const bool flip = negative && take().text == "-";
  const Token token = take();
  Operand operand = immediate(token.bits);
  operand.float_literal = token.float_literal;
  operand.single_literal = token.single_literal;
  if (flip) operand.bits ^= token.single_literal ? std::uint64_t{1} << 31 : std::uint64_t{1} << 63;
  return operand;
}

// ---- operands

// [base], [base+offset], [number]
Operand Parser::address() {
  Operand operand;
  operand.kind = Operand::Kind::Address;
  const int line = expect("[").line;
  if (peek().kind != Token::Kind::Name) {
    operand.offset = constant(0);
  } else {
    const Token base = take();
    operand.has_reg = find_register(base.text, operand.reg);
    if (!operand.has_reg) {
      const Symbol* symbol = find_symbol(base.text);
      if (symbol == nullptr) unknown(base.text);
      operand.name = symbol != nullptr ? symbol->name : std::string(base.text);
    }
    if (accept("+") || at("-")) operand.offset = constant(0);
  }
  // What textures and caches write behind the address is for instructions that are refused anyway.
  while (at(",") && peek().line == line) {
    take();
    this->operand();
  }
  expect("]");
  return operand;
}

Operand Parser::special_operand(const Token& word) {
  Operand operand;
  const std::size_t dot = word.text.find('.');
  const std::string_view base = word.text.substr(0, dot);
  for (const auto& [text, value] : kFixed) {
    if (word.text == text) return immediate(value);
  }
  for (const SpecialName& known : kVectors) {
    if (base != known.text) continue;
    operand.kind = Operand::Kind::Special;
    const std::size_t field =
        dot == std::string_view::npos ? 4 : std::string_view("xyzw").find(word.text.substr(dot + 1));
    if (field == 3) return immediate(base[1] == 'n' ? 1 : 0);
    operand.special = static_cast<Special>(static_cast<unsigned>(known.special) + (field < 3 ? field : 0));
    if (field < 3) return operand;
    error(word.line, "Argument vector size mismatch for instruction 'mov'");
    return operand;
  }
  for (const SpecialName& known : kSpecials) {
    if (word.text != known.text) continue;
    operand.kind = Operand::Kind::Special;
    operand.special = known.special;
    return operand;
  }
  if (base.substr(0, 7) == "%envreg" && base.size() > 7) {
    operand.kind = Operand::Kind::Special;
    operand.special = Special::Environment;
    operand.reg =
        static_cast<std::uint32_t>(std::min(31, std::max(0, std::atoi(std::string(base.substr(7)).c_str()))));
  }
  return operand;
}

// A register declared with .v2 or .v4, used as a whole.
Operand Parser::vector_register(const Token& word) {
  Operand operand;
  for (int at = scope_; at >= 0; at = scopes_[static_cast<std::size_t>(at)].parent) {
    const Braces& braces = scopes_[static_cast<std::size_t>(at)];
    const auto found = braces.vectors.find(word.text);
    if (found == braces.vectors.end()) continue;
    operand.kind = Operand::Kind::Vector;
    for (unsigned i = 0; i < found->second; ++i) {
      Operand part;
      part.kind = Operand::Kind::Register;
      part.reg = braces.registers.at(std::string(word.text) + "." + "xyzw"[i]);
      operand.parts.push_back(part);
    }
    break;
  }
  return operand;
}

Operand Parser::pair_operand(Operand first) {
  if (!accept("|")) return first;
  Operand pair;
  pair.kind = Operand::Kind::Vector;
  pair.pair = true;
  pair.parts.push_back(std::move(first));
  pair.parts.push_back(operand());
  return pair;
}

// name[n], name[register], name[register+n]: the place of an element, counted in elements.
Operand Parser::element_operand(Operand array, std::uint64_t size) {
  const int line = expect("[").line;
  if (size == 0) error(line, "Array indexing on non-array");
  array.element = size != 0 ? size : not_an_array;
  std::uint64_t index = 0;
  if (peek().kind == Token::Kind::Name && find_register(peek().text, array.reg)) {
    take();
    array.has_reg = true;
    if (accept("+")) index = static_cast<std::uint64_t>(constant(0));
  } else if (peek().float_literal || peek().single_literal) {
    error(take().line, "Integer constant expression expected");
  } else {
    index = static_cast<std::uint64_t>(constant(0));
  }
  expect("]");
  if (size != 0) array.offset = static_cast<std::int64_t>(index * size);
  return array;
}

// An element whose number is in a register: its place goes into a register of its own first. The number keeps
// its width while it is multiplied; so does ptxas 13.0.
void Parser::place_element(Function& function, const Instruction& instruction, Operand& operand) {
  Operand place, number;
  place.kind = number.kind = Operand::Kind::Register;
  number.reg = operand.reg;
  const unsigned width = size_of(function.register_types[operand.reg]);
  const auto temporary = [&](Type type) {
    Operand made;
    made.kind = Operand::Kind::Register;
    made.reg = static_cast<std::uint32_t>(function.registers.size());
    add_register(function, "element " + std::to_string(made.reg), type);  // no name of a text has a blank
    return made;
  };
  const auto append = [&](std::string root, std::vector<std::string> modifiers, std::vector<Type> types,
                          std::vector<Operand> operands) {
    Instruction made;
    made.line = instruction.line;
    made.root = std::move(root);
    made.modifiers = std::move(modifiers);
    made.types = std::move(types);
    made.operands = std::move(operands);
    classify(made);
    function.body.push_back(std::move(made));
  };
  if (width != 4 && width != 8)
    return error(instruction.line, "Arguments mismatch for instruction '" + instruction.root + "'");
  const Type narrow = width == 4 ? Type::U32 : Type::U64;
  Operand scaled = temporary(narrow);
  append("mul", {"lo"}, {narrow}, {scaled, number, immediate(operand.element)});
  if (width == 4) {
    const Operand wide = temporary(Type::U64);
    append("cvt", {}, {Type::U64, Type::U32}, {wide, scaled});
    scaled = wide;
  }
  Operand array = operand;
  array.element = 0;
  array.has_reg = false;
  place = temporary(Type::U64);
  append("mov", {}, {Type::U64}, {place, array});
  append("add", {}, {Type::U64}, {place, place, scaled});
  operand = place;
}

Operand Parser::named_operand(const Token& word, bool negated) {
  Operand operand;
  if (word.text == "_") return pair_operand(operand);
  if (find_register(word.text, operand.reg)) {
    operand.kind = Operand::Kind::Register;
    if (at("[")) return element_operand(operand, 0);
    operand.negated = negated;
    return pair_operand(operand);
  }
  if (Operand special = special_operand(word); special.kind != Operand::Kind::Sink) return special;
  if (Operand vector = vector_register(word); vector.kind == Operand::Kind::Vector) return vector;
  operand.kind = Operand::Kind::Symbol;
  if (const Symbol* symbol = find_symbol(word.text)) {
    operand.name = symbol->name;
    if (at("[")) return element_operand(operand, symbol->element);
    if (accept("+") || at("-")) operand.offset = constant(0);
    return operand;
  }
  const std::size_t dot = word.text.find('.');
  if (dot != std::string_view::npos)
    error(word.line, "Unknown field '" + std::string(word.text.substr(dot)) + "'");
  operand.name = word.text.substr(0, dot);
  unknown(operand.name);
  return pair_operand(operand);
}

Operand Parser::operand() {
  const Nested nested(*this);
  if (at("[")) return address();
  if (accept("{")) {
    Operand operand;
    operand.kind = Operand::Kind::Vector;
    do operand.parts.push_back(this->operand());
    while (accept(","));
    expect("}");
    return operand;
  }
  const bool negated = at("!") && peek(1).kind == Token::Kind::Name;
  if (negated) take();
  if (peek().kind == Token::Kind::Name && peek().text != "WARP_SZ") return named_operand(take(), negated);
  return literal();
}

// ---- instructions

// Elements of arrays: ld and st take what is in them, all else takes their places.
void Parser::elements(Function& function, Instruction& instruction) {
  const bool stores = instruction.opcode == Opcode::St;
  const bool accesses = stores || instruction.opcode == Opcode::Ld;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    Operand& operand = instruction.operands[i];
    if (operand.element == 0) continue;
    if (operand.element == not_an_array) {
      if (accesses && i == (stores ? 0U : 1U))
        error(instruction.line, "Arguments mismatch for instruction '" + instruction.root + "'");
      continue;
    }
    if (operand.has_reg) place_element(function, instruction, operand);
    if (accesses && i == (stores ? 0U : 1U)) {
      operand.has_reg = operand.kind == Operand::Kind::Register;
      operand.kind = Operand::Kind::Address;
    }
  }
}

// @p, @!p
void Parser::guard(Instruction& instruction) {
  if (!accept("@")) return;
  instruction.guarded = true;
  instruction.guard_negated = accept("!");
  const Token word = name();
  instruction.line = word.line;
  if (!find_register(word.text, instruction.guard)) {
    unknown(word.text);
    instruction.guard = std::uint32_t(-1);
  }
}

void Parser::words(Instruction& instruction, const Token& word) {
  std::string_view rest = word.text;
  const std::size_t dot = rest.find('.');
  instruction.root = rest.substr(0, dot);
  if (dot == std::string_view::npos) return;
  rest.remove_prefix(dot + 1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('.'), rest.size());
    const std::string_view part = rest.substr(0, end);
    if (const Type type = type_of_word(part); type != Type::None)
      instruction.types.push_back(type);
    else
      instruction.modifiers.emplace_back(part);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

// Where 16 bits are shifted by a number in the text, its low 16 bits count; in a register all 32 do. So does
// ptxas 13.0, and an H200 gave the same.
void narrow_amount(Instruction& instruction) {
  const bool shifts = instruction.opcode == Opcode::Shl || instruction.opcode == Opcode::Shr;
  if (!shifts || instruction.operands.size() != 3 || size_of(instruction.types[0]) != 2) return;
  Operand& amount = instruction.operands[2];
  if (amount.kind == Operand::Kind::Immediate) amount.bits &= 0xffff;
}

// Appends it, and before a ret what stores the results that are in registers.
void Parser::finish(Function& function, Instruction instruction) {
  if (instruction.root == "ret") {
    for (std::size_t i = 0; i < result_registers_.size(); ++i) {
      Operand reg;
      if (result_registers_[i].empty() || !find_register(result_registers_[i], reg.reg)) continue;
      reg.kind = Operand::Kind::Register;
      function.body.push_back(
          parameter_access(false, reg, result_registers_[i], function.results[i].type, instruction));
    }
    instruction.opcode = Opcode::Ret;
  }
  function.body.push_back(std::move(instruction));
}

void Parser::instruction(Function& function) {
  Instruction instruction;
  instruction.line = peek().line;
  unknown_.clear();
  guard(instruction);
  const Token word = name();
  words(instruction, word);
  const std::size_t errors = errors_.size();
  const bool branch = instruction.root == "bra" || instruction.root == "brx";
  if (instruction.root == "call") return call(function, std::move(instruction));
  // Labels are not names of anything else, and may come later.
  while (!at(";")) {
    const bool label = branch && peek().kind == Token::Kind::Name &&
                       (instruction.root == "bra" || !instruction.operands.empty());
    std::uint32_t reg = 0;
    if (label && !find_register(peek().text, reg)) {
      Operand target;
      target.kind = Operand::Kind::Label;
      target.name = take().text;
      instruction.operands.push_back(std::move(target));
    } else {
      instruction.operands.push_back(operand());
    }
    if (!at(";"))
      expect(",");
    else
      break;
    if (at(";")) syntax(peek());
  }
  expect(";");
  if (instruction.guarded && (instruction.guard >= function.register_types.size() ||
                              function.register_types[instruction.guard] != Type::Pred)) {
    error(instruction.line, "Predicate expression expected");
    instruction.guard = 0;
  }
  std::vector<ParseError> wrong = classify(instruction);
  const bool refused =
      std::any_of(wrong.begin(), wrong.end(), [](const ParseError& e) { return e.unsupported; });
  const bool usable = wrong.empty();
  elements(function, instruction);
  for (ParseError& told : wrong) error(told.line, told.message, told.unsupported);
  // Undeclared names make the operands wrong as well, but that is reported only if there are types.
  const Rule* rule = find_rule(instruction.root);
  const bool typed =
      rule != nullptr && (rule->types == 0 || instruction.types.size() >= types_of(rule->opcode));
  if (!refused && typed && (usable || !unknown_.empty()) && errors_.size() - errors <= wrong.size())
    check(function, instruction);
  if (!refused) tell_unknown(instruction.line);
  if (usable) narrow_amount(instruction);
  finish(function, std::move(instruction));
}

}  // namespace ptx
