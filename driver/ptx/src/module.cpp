// SPDX-License-Identifier: MIT
// Look-ups in the tree of ptx/module.hpp: functions, aliases and variables by name, functions by address,
// sizes of types.
#include "ptx/module.hpp"

#include <algorithm>

namespace ptx {

unsigned size_of(Type type) {
  switch (type) {
    case Type::None:
      return 0;
    case Type::Pred:
    case Type::B8:
    case Type::U8:
    case Type::S8:
      return 1;
    case Type::B16:
    case Type::U16:
    case Type::S16:
    case Type::F16:
    case Type::Bf16:
      return 2;
    case Type::B32:
    case Type::U32:
    case Type::S32:
    case Type::F32:
    case Type::F16x2:
    case Type::Bf16x2:
      return 4;
    case Type::B64:
    case Type::U64:
    case Type::S64:
    case Type::F64:
      return 8;
  }
  return 0;
}

bool is_float(Type type) {
  return type == Type::F16 || type == Type::F32 || type == Type::F64 || type == Type::F16x2 ||
         type == Type::Bf16 || type == Type::Bf16x2;
}

bool is_signed(Type type) {
  return type == Type::S8 || type == Type::S16 || type == Type::S32 || type == Type::S64;
}

bool Instruction::has(const char* modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

const Function* Module::find(const std::string& name) const {
  // A definition wins over the declarations before it.
  const Function* declared = nullptr;
  for (const Function& function : functions) {
    if (function.name != name) continue;
    if (!function.external) return &function;
    declared = &function;
  }
  if (declared != nullptr) return declared;
  const auto alias = aliases.find(name);
  return alias != aliases.end() && alias->second != name ? find(alias->second) : nullptr;
}

FunctionNames::FunctionNames(const Module& module) : module_(module) {
  named_.reserve(module.functions.size());
  for (const Function& function : module.functions) {
    const Function*& known = named_[function.name];
    if (known == nullptr || known->external) known = &function;
  }
}

const Function* FunctionNames::find(const std::string& name) const {
  if (const auto found = named_.find(name); found != named_.end()) return found->second;
  const auto alias = module_.aliases.find(name);
  return alias != module_.aliases.end() && alias->second != name ? find(alias->second) : nullptr;
}

std::optional<std::uint64_t> FunctionNames::address(const std::string& name) const {
  const Function* const function = find(name);
  if (function == nullptr || function->external) return std::nullopt;
  return kFunctionWindow + static_cast<std::uint64_t>(function - module_.functions.data());
}

const Variable* Module::find_variable(const std::string& name) const {
  for (const Variable& variable : variables) {
    if (variable.name == name) return &variable;
  }
  return nullptr;
}

std::optional<std::size_t> index_of_function(const Module& module, const std::string& name) {
  const Function* const function = module.find(name);
  if (function == nullptr || function->external) return std::nullopt;
  return static_cast<std::size_t>(function - module.functions.data());
}

const Function* function_at(const Module& module, std::uint64_t address) {
  const std::uint64_t index = address - kFunctionWindow;
  if (index >= module.functions.size() || module.functions[index].external) return nullptr;
  return &module.functions[index];
}

}  // namespace ptx
