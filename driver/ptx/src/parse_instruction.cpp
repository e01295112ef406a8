// SPDX-License-Identifier: MIT
// See parse_instruction.hpp.
#include "parse_instruction.hpp"

#include <algorithm>

#include "constants.hpp"
#include "rules.hpp"

namespace ptx {
namespace {

std::size_t types_of(Opcode opcode) {
  const bool two = opcode == Opcode::Cvt || opcode == Opcode::Set || opcode == Opcode::Slct ||
                   opcode == Opcode::Dp4a || opcode == Opcode::Dp2a || opcode == Opcode::Tex ||
                   opcode == Opcode::Tld4;
  return two ? 2 : 1;
}

void read_words(Instruction& instruction, const Token& word) {
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

}  // namespace

void add_register(Function& function, const std::string& name, Type type, int line) {
  if (function.registers.size() >= kMostRegisters) fatal(line, "Too many registers");
  function.registers.push_back(name);
  function.register_types.push_back(type);
}

// An element whose number is in a register: its place goes into a register of its own first. The number keeps
// its width while it is multiplied; so does ptxas 13.0.
void InstructionReader::place_element(Function& function, const Instruction& instruction, Operand& operand) {
  Operand place, number;
  place.kind = number.kind = Operand::Kind::Register;
  number.reg = operand.reg;
  const unsigned width = size_of(function.register_types[operand.reg]);
  const auto temporary = [&](Type type) {
    Operand made;
    made.kind = Operand::Kind::Register;
    made.reg = static_cast<std::uint32_t>(function.registers.size());
    const std::string name = "element " + std::to_string(made.reg);  // no name of a text has a blank
    add_register(function, name, type, text_.peek().line);
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
    return errors_.add(instruction.line, "Arguments mismatch for instruction '" + instruction.root + "'");
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

// Elements of arrays: ld and st take what is in them, all else takes their places.
void InstructionReader::elements(Function& function, Instruction& instruction) {
  const bool stores = instruction.opcode == Opcode::St;
  const bool accesses = stores || instruction.opcode == Opcode::Ld;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    Operand& operand = instruction.operands[i];
    if (operand.element == 0) continue;
    if (operand.element == kNotAnArray) {
      if (accesses && i == (stores ? 0U : 1U))
        errors_.add(instruction.line, "Arguments mismatch for instruction '" + instruction.root + "'");
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
void InstructionReader::guard(Instruction& instruction) {
  if (!text_.accept("@")) return;
  instruction.guarded = true;
  instruction.guard_negated = text_.accept("!");
  const Token word = text_.name();
  instruction.line = word.line;
  if (!scopes_.find_register(word.text, instruction.guard)) {
    unknown_.add(word.text);
    instruction.guard = std::uint32_t(-1);
  }
}

// Labels are not names of anything else, and may come later.
void InstructionReader::operands(Instruction& instruction) {
  const bool branch = instruction.root == "bra" || instruction.root == "brx";
  while (!text_.at(";")) {
    const bool label = branch && text_.peek().kind == Token::Kind::Name &&
                       (instruction.root == "bra" || !instruction.operands.empty());
    std::uint32_t reg = 0;
    if (label && !scopes_.find_register(text_.peek().text, reg)) {
      Operand target;
      target.kind = Operand::Kind::Label;
      target.name = text_.take().text;
      instruction.operands.push_back(std::move(target));
    } else {
      instruction.operands.push_back(operands_.read());
    }
    if (!text_.at(";"))
      text_.expect(",");
    else
      break;
    if (text_.at(";")) syntax(text_.peek());
  }
}

void InstructionReader::finish(Function& function, Instruction instruction) {
  if (instruction.root == "ret") {
    for (std::size_t i = 0; i < result_registers_.size(); ++i) {
      Operand reg;
      if (result_registers_[i].empty() || !scopes_.find_register(result_registers_[i], reg.reg)) continue;
      reg.kind = Operand::Kind::Register;
      function.body.push_back(
          parameter_access(false, reg, result_registers_[i], function.results[i].type, instruction));
    }
    instruction.opcode = Opcode::Ret;
  }
  function.body.push_back(std::move(instruction));
}

void InstructionReader::read(Function& function) {
  Instruction instruction;
  instruction.line = text_.peek().line;
  unknown_.clear();
  guard(instruction);
  const Token word = text_.name();
  read_words(instruction, word);
  const std::size_t errors = errors_.count();
  if (instruction.root == "call") return calls_.read(function, std::move(instruction));
  operands(instruction);
  text_.expect(";");
  if (instruction.guarded && (instruction.guard >= function.register_types.size() ||
                              function.register_types[instruction.guard] != Type::Pred)) {
    errors_.add(instruction.line, "Predicate expression expected");
    instruction.guard = 0;
  }
  std::vector<ParseError> wrong = classify(instruction);
  const bool refused =
      std::any_of(wrong.begin(), wrong.end(), [](const ParseError& e) { return e.unsupported; });
  const bool usable = wrong.empty();
  elements(function, instruction);
  for (ParseError& told : wrong) errors_.add(told.line, told.message, told.unsupported);
  // Undeclared names make the operands wrong as well, but that is reported only if there are types.
  const Rule* rule = find_rule(instruction.root);
  const bool typed =
      rule != nullptr && (rule->types == 0 || instruction.types.size() >= types_of(rule->opcode));
  if (!refused && typed && (usable || !unknown_.empty()) && errors_.count() - errors <= wrong.size())
    checks_.check(function, instruction);
  if (!refused) unknown_.tell(instruction.line, errors_);
  if (usable) narrow_amount(instruction);
  finish(function, std::move(instruction));
}

}  // namespace ptx
