// SPDX-License-Identifier: MIT
// See ptx/layout.hpp. Also computes how much of both a kernel needs, for checks before a launch.
#include "ptx/layout.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ptx/interpret.hpp"

namespace ptx {
namespace {

void note_names(const Operand& operand, std::set<std::string>& names) {
  if (!operand.name.empty()) names.insert(operand.name);
  for (const Operand& part : operand.parts) note_names(part, names);
}

// Every name that is used in the code of a kernel and of the functions that it may call. A function that
// calls by an address may call all functions.
std::set<std::string> reachable_names(const Module& module, const Function& kernel) {
  std::set<std::string> names;
  std::set<const Function*> known{&kernel};
  std::vector<const Function*> open{&kernel};
  std::optional<FunctionNames> functions;  // few kernels need it, and it takes as long as reading the module
  const auto reach = [&](const Function* function) {
    if (function != nullptr && known.insert(function).second) open.push_back(function);
  };
  while (!open.empty()) {
    const Function& function = *open.back();
    open.pop_back();
    for (const Instruction& instruction : function.body) {
      for (const Operand& operand : instruction.operands) note_names(operand, names);
      if (instruction.opcode != Opcode::Call) continue;
      if (!instruction.callee.empty()) {
        if (!functions) functions.emplace(module);
        reach(functions->find(instruction.callee));
        continue;
      }
      for (const Function& any : module.functions) {
        if (!any.kernel) reach(&any);
      }
    }
  }
  return names;
}

}  // namespace

Layout frame_layout(const Function& function) {
  Layout layout;
  for (const Parameter& parameter : function.parameters)
    layout.add(parameter.name, parameter.size, parameter.align);
  for (const Parameter& result : function.results) layout.add(result.name, result.size, result.align);
  for (const Variable& variable : function.locals) {
    if (variable.space != Space::Shared) layout.add(variable.name, variable.size, variable.align);
  }
  layout.bytes = align_up(layout.bytes, 16);
  return layout;
}

Layout shared_layout(const Module& module, const Function& kernel) {
  Layout layout;
  std::vector<const Variable*> dynamic;
  const std::set<std::string> names = reachable_names(module, kernel);
  const auto add = [&](const Variable& variable) {
    if (variable.space != Space::Shared) return;
    // One with a size and without a definition has its own bytes; ptxas prints "ignoring extern qualifier".
    if (variable.external && variable.size == 0)
      dynamic.push_back(&variable);
    else
      layout.add(variable.name, variable.size, variable.align);
  };
  for (const Variable& variable : kernel.locals) add(variable);
  const auto add_if_used = [&](const Variable& variable) {
    if (names.contains(variable.name)) add(variable);
  };
  std::for_each(module.variables.begin(), module.variables.end(), add_if_used);
  for (const Function& function : module.functions) {
    if (!function.kernel) std::for_each(function.locals.begin(), function.locals.end(), add_if_used);
  }
  layout.used = layout.bytes;
  layout.bytes = align_up(layout.bytes, 16);
  for (const Variable* variable : dynamic) layout.offsets[variable->name] = layout.bytes;
  return layout;
}

std::uint64_t shared_bytes(const Module& module, const Function& kernel) {
  return shared_layout(module, kernel).used;
}

std::uint64_t local_bytes(const Function& kernel) {
  std::uint64_t bytes = 0;
  for (const Variable& variable : kernel.locals) {
    if (variable.space == Space::Local) bytes = align_up(bytes, variable.align) + variable.size;
  }
  return bytes;
}

}  // namespace ptx
