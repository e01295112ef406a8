// SPDX-License-Identifier: MIT
// See parse_call.hpp.
#include "parse_call.hpp"

namespace ptx {

Instruction parameter_access(bool load, const Operand& reg, const std::string& name, Type type,
                             const Instruction& like) {
  Instruction access;
  access.root = load ? "ld" : "st";
  access.opcode = load ? Opcode::Ld : Opcode::St;
  access.modifiers = {"param"};
  access.types = {type};
  access.space = Space::Param;
  access.line = like.line;
  access.guarded = like.guarded;
  access.guard_negated = like.guard_negated;
  access.guard = like.guard;
  Operand address;
  address.kind = Operand::Kind::Address;
  address.name = name;
  access.operands = {load ? reg : address, load ? address : reg};
  return access;
}

std::vector<Operand> CallReader::call_operands() {
  std::vector<Operand> list;
  text_.expect("(");
  while (!text_.accept(")")) {
    list.push_back(operands_.read());
    if (!text_.at(")")) text_.expect(",");
  }
  return list;
}

void CallReader::check_argument(const Instruction& call, const std::string& name,
                                const Parameter& parameter) {
  const Symbol* const symbol = scopes_.find_in_tree(name);
  if (symbol == nullptr || symbol->size == parameter.size) return;
  errors_.add(call.line, "Type of argument does not match formal parameter '" + parameter.name + "'");
  if (symbol->align != parameter.align)
    errors_.add(call.line, "Alignment of argument does not match formal parameter '" + parameter.name + "'");
}

// The .param variable for one operand of a call; `moves` gets what fills or reads it.
std::string CallReader::call_variable(Function& function, const Instruction& call, const Operand& operand,
                                      const Parameter& parameter, bool result,
                                      std::vector<Instruction>& moves) {
  if (operand.kind == Operand::Kind::Symbol) {
    check_argument(call, operand.name, parameter);
    return operand.name;
  }
  Variable variable;
  variable.name = "call$" + std::to_string(call_variables_++);
  variable.space = Space::Param;
  variable.type = parameter.type;
  variable.align = parameter.align;
  variable.size = parameter.size;
  const std::string name = variable.name;
  function.locals.push_back(std::move(variable));
  if (operand.kind == Operand::Kind::Sink) return name;
  if (operand.kind != Operand::Kind::Register && operand.kind != Operand::Kind::Immediate) {
    errors_.add(call.line, "Type of argument does not match formal parameter '" + parameter.name + "'");
    return name;
  }
  if (operand.kind == Operand::Kind::Register && !checks_.fits(function, operand, parameter.type, true))
    errors_.add(call.line, "Type of argument does not match formal parameter '" + parameter.name + "'");
  moves.push_back(parameter_access(result, operand, name, parameter.type, call));
  return name;
}

void CallReader::place_call(Function& function, Instruction& instruction, const Prototype* prototype,
                            const std::vector<Operand>& results, const std::vector<Operand>& arguments) {
  std::vector<Instruction> before, after;
  const bool counts = prototype == nullptr || (prototype->results.size() == results.size() &&
                                               prototype->parameters.size() == arguments.size());
  if (!counts) errors_.add(instruction.line, "Call has wrong number of parameters");
  const auto formal = [&](const std::vector<Parameter>* list, std::size_t i) {
    return list != nullptr && i < list->size() ? (*list)[i] : Parameter{};
  };
  for (std::size_t i = 0; i < arguments.size() && counts; ++i) {
    const Parameter parameter = formal(prototype != nullptr ? &prototype->parameters : nullptr, i);
    instruction.call_arguments.push_back(
        call_variable(function, instruction, arguments[i], parameter, false, before));
  }
  for (std::size_t i = 0; i < results.size() && counts; ++i) {
    const Parameter parameter = formal(prototype != nullptr ? &prototype->results : nullptr, i);
    instruction.call_results.push_back(
        call_variable(function, instruction, results[i], parameter, true, after));
  }
  for (Instruction& move : before) function.body.push_back(std::move(move));
  function.body.push_back(std::move(instruction));
  for (Instruction& move : after) function.body.push_back(std::move(move));
}

// call[.uni] [(results),] callee [, (arguments)] [, prototype];
void CallReader::read(Function& function, Instruction instruction) {
  std::vector<Operand> results, arguments;
  if (text_.at("(")) {
    results = call_operands();
    text_.expect(",");
  }
  const Token callee = text_.name();
  Operand target;
  const bool indirect = scopes_.find_register(callee.text, target.reg);
  bool has_arguments = false;
  std::string prototype_name;
  if (text_.accept(",")) {
    if (text_.at("(")) {
      arguments = call_operands();
      has_arguments = true;
    } else {
      prototype_name = text_.name().text;
    }
  }
  if (has_arguments && text_.accept(",")) prototype_name = text_.name().text;
  text_.expect(";");
  instruction.opcode = Opcode::Call;
  if (instruction.guarded && (instruction.guard >= function.register_types.size() ||
                              function.register_types[instruction.guard] != Type::Pred)) {
    errors_.add(instruction.line, "Predicate expression expected");
  }
  Prototype known;
  const Prototype* prototype = nullptr;
  if (indirect) {
    target.kind = Operand::Kind::Register;
    instruction.operands.push_back(target);
    instruction.prototype = prototype_name;
    const auto found = function.prototypes.find(prototype_name);
    if (found == function.prototypes.end()) {
      errors_.add(instruction.line, "Call to '" + std::string(callee.text) + "' requires call prototype");
      return unknown_.tell(instruction.line, errors_);
    }
    prototype = &found->second;
  } else if (const Function* header = names_.find_function(std::string(callee.text)); header != nullptr) {
    instruction.callee = header->name;
    if (header->kernel) errors_.add(instruction.line, "Illegal call target, device function expected");
    known = Prototype{header->results, header->parameters};
    prototype = &known;
  } else {
    errors_.add(instruction.line, "Call to '" + std::string(callee.text) + "' requires call prototype");
    unknown_.clear();
    unknown_.add(callee.text);
    return unknown_.tell(instruction.line, errors_);
  }
  unknown_.tell(instruction.line, errors_);
  place_call(function, instruction, prototype, results, arguments);
}

}  // namespace ptx
