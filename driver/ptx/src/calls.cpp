// Who may call whom.
#include <map>

#include "ptx/interpret.hpp"
#include "ptx/module.hpp"

namespace ptx {
namespace {

void add_symbols(const Operand& operand, std::set<std::string>& names) {
  if (operand.kind == Operand::Kind::Symbol) names.insert(operand.name);
  for (const Operand& part : operand.parts) add_symbols(part, names);
}

}  // namespace

std::set<std::string> functions_with_addresses(const Module& module) {
  std::set<std::string> names;
  for (const Variable& variable : module.variables)
    for (const Initialiser& value : variable.values)
      if (!value.symbol.empty()) names.insert(value.symbol);
  for (const Function& function : module.functions)
    for (const Instruction& in : function.body)
      for (const Operand& operand : in.operands) add_symbols(operand, names);
  return names;
}

std::set<std::string> recursive_functions(const Module& module) {
  const std::set<std::string> by_address = functions_with_addresses(module);
  std::map<std::string, std::set<std::string>> calls;
  for (const Function& function : module.functions) {
    for (const Instruction& in : function.body) {
      if (in.opcode != Opcode::Call) continue;
      if (in.callee.empty())
        calls[function.name].insert(by_address.begin(), by_address.end());
      else
        calls[function.name].insert(in.callee);
    }
  }
  std::set<std::string> recursive;
  for (const auto& [name, callees] : calls) {
    std::set<std::string> reached;
    std::vector<std::string> open(callees.begin(), callees.end());
    while (!open.empty()) {
      const std::string next = open.back();
      open.pop_back();
      if (!reached.insert(next).second) continue;
      if (const auto more = calls.find(next); more != calls.end())
        open.insert(open.end(), more->second.begin(), more->second.end());
    }
    if (reached.count(name) != 0) recursive.insert(name);
  }
  return recursive;
}

std::uint64_t call_bytes(const Function& function) {
  return (local_bytes(function) + 15) / 16 * 16 + 16;
}

}  // namespace ptx
