// SPDX-License-Identifier: MIT
// See scopes.hpp.
#include "scopes.hpp"

#include <algorithm>

namespace ptx {

Symbol symbol_of(const Variable& variable) {
  return {variable.name,  variable.space, variable.size,
          variable.align, false,          variable.array ? size_of(variable.type) : 0};
}

// ---- the module

const Symbol* ModuleNames::find(std::string_view text) const {
  const auto found = symbols_.find(text);
  return found == symbols_.end() ? nullptr : &found->second;
}

const Function* ModuleNames::find_function(const std::string& name) const {
  const auto found = functions_named_.find(name);
  if (found == functions_named_.end() || found->second.empty()) {
    const auto alias = module_.aliases.find(name);
    return alias != module_.aliases.end() && alias->second != name ? find_function(alias->second) : nullptr;
  }
  for (const std::size_t place : found->second) {
    if (!module_.functions[place].external) return &module_.functions[place];
  }
  return &module_.functions[found->second.back()];
}

const Variable* ModuleNames::find_variable(const std::string& name) const {
  const auto found = variables_named_.find(name);
  return found == variables_named_.end() ? nullptr : &module_.variables[found->second];
}

std::size_t ModuleNames::add(Function function) {
  const std::size_t place = module_.functions.size();
  symbols_[function.name] = Symbol{function.name, Space::Global, 8, 8, true};
  functions_named_[function.name].push_back(place);
  module_.functions.push_back(std::move(function));
  return place;
}

void ModuleNames::add(Variable variable, int line, Errors& errors) {
  const auto known_at = variables_named_.find(variable.name);
  if (const Symbol* known = find(variable.name); known != nullptr && known->function) {
    return errors.add(line, "Inconsistent redefinition of variable '" + variable.name + "'");
  }
  symbols_[variable.name] = symbol_of(variable);
  if (known_at == variables_named_.end()) return append(std::move(variable));
  Variable* const before = &module_.variables[known_at->second];
  const bool defined_twice = !before->external && !variable.external && !before->common;
  if (before->type != variable.type || before->space != variable.space)
    errors.add(line, "Inconsistent redefinition of variable '" + variable.name + "'");
  if (defined_twice) {
    errors.add(line, "Duplicate definition of variable '" + variable.name + "'");
  } else if (!variable.external) {
    *before = std::move(variable);
  }
}

void ModuleNames::append(Variable variable) {
  variables_named_.emplace(variable.name, module_.variables.size());
  module_.variables.push_back(std::move(variable));
}

// ---- one function

void Scopes::begin_function() {
  braces_.assign(1, Braces{});
  at_ = 0;
}

void Scopes::end_function() {
  braces_.clear();
  at_ = -1;
}

void Scopes::open() {
  Braces inner;
  inner.parent = at_;
  at_ = static_cast<int>(braces_.size());
  braces_.push_back(std::move(inner));
}

void Scopes::close() {
  at_ = braces(at_).parent;
}

bool Scopes::find_register(std::string_view text, std::uint32_t& index) const {
  for (int at = at_; at >= 0; at = braces(at).parent) {
    const Braces& here = braces(at);
    if (const auto found = here.registers.find(text); found != here.registers.end()) {
      index = found->second;
      return true;
    }
    // %r12 of a group %r<20>: the digits may begin anywhere.
    for (std::size_t cut = text.size(); cut > 0 && text[cut - 1] >= '0' && text[cut - 1] <= '9'; --cut) {
      const std::string_view digits = text.substr(cut - 1);
      if (digits.size() > 7 || (digits.size() > 1 && digits[0] == '0')) continue;
      const auto group = here.groups.find(text.substr(0, cut - 1));
      if (group == here.groups.end()) continue;
      std::uint32_t number = 0;
      for (const char digit : digits) number = number * 10 + static_cast<std::uint32_t>(digit - '0');
      if (number >= group->second.second) continue;
      index = group->second.first + number;
      return true;
    }
  }
  return false;
}

std::vector<std::uint32_t> Scopes::find_vector(std::string_view text) const {
  std::vector<std::uint32_t> parts;
  for (int at = at_; at >= 0 && parts.empty(); at = braces(at).parent) {
    const Braces& here = braces(at);
    const auto found = here.vectors.find(text);
    if (found == here.vectors.end()) continue;
    for (unsigned i = 0; i < found->second; ++i)
      parts.push_back(here.registers.at(std::string(text) + "." + "xyzw"[i]));
  }
  return parts;
}

const Symbol* Scopes::find_symbol(std::string_view text) const {
  for (int at = at_; at >= 0; at = braces(at).parent) {
    const Braces& here = braces(at);
    if (const auto found = here.symbols.find(text); found != here.symbols.end()) return &found->second;
  }
  return names_.find(text);
}

const Symbol* Scopes::find_in_tree(std::string_view name) const {
  const Symbol* symbol = nullptr;
  for (int at = at_; at >= 0 && symbol == nullptr; at = braces(at).parent) {
    for (const auto& [text, known] : braces(at).symbols) {
      if (known.name == name) symbol = &known;
    }
  }
  return symbol;
}

bool Scopes::find_label(int scope, std::string_view text, std::uint32_t& index) const {
  for (int at = scope; at >= 0; at = braces(at).parent) {
    const Braces& here = braces(at);
    const auto found = here.labels.find(text);
    if (found == here.labels.end()) continue;
    index = found->second;
    return true;
  }
  return false;
}

const std::vector<std::string>* Scopes::find_targets(int scope, std::string_view text) const {
  for (int at = scope; at >= 0; at = braces(at).parent) {
    const Braces& here = braces(at);
    const auto found = here.branch_targets.find(text);
    if (found != here.branch_targets.end()) return &found->second;
  }
  return nullptr;
}

// ---- one instruction

void UnknownNames::add(std::string_view name) {
  if (!has(name)) names_.emplace_back(name);
}

bool UnknownNames::has(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

void UnknownNames::tell(int line, Errors& errors) {
  for (const std::string& text : names_) errors.add(line, "Unknown symbol '" + text + "'");
  names_.clear();
}

}  // namespace ptx
