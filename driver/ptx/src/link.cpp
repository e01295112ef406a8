// SPDX-License-Identifier: MIT
// See ptx/link.hpp. Symbols that are private to one text get unique names; symbols that several texts declare
// become one.
#include "ptx/link.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace ptx {
namespace {

struct Place {
  std::size_t unit = 0;
  bool weak = false;
};

// Gives a new name to everything that the unit keeps to itself and another one has too.
class Renamer {
 public:
  Renamer(Module& module, std::size_t unit) : module_(module), suffix_("$" + std::to_string(unit)) {}

  void run(std::set<std::string>& taken) {
    for (const Variable& variable : module_.variables)
      consider(variable.name, variable.visible || variable.external, taken);
    for (const Function& function : module_.functions)
      consider(function.name, function.visible || function.external || function.kernel, taken);
    if (names_.empty()) return;
    for (Variable& variable : module_.variables) {
      rename(variable.name);
      for (Initialiser& value : variable.values) rename(value.symbol);
    }
    for (Function& function : module_.functions) {
      rename(function.name);
      for (Instruction& instruction : function.body) {
        rename(instruction.callee);
        for (Operand& operand : instruction.operands) rename(operand);
      }
    }
  }

 private:
  void consider(const std::string& name, bool shared, std::set<std::string>& taken) {
    if (!taken.insert(name).second && !shared) names_[name] = name + suffix_;
  }
  void rename(std::string& name) const {
    if (const auto found = names_.find(name); found != names_.end()) name = found->second;
  }
  void rename(Operand& operand) const {
    rename(operand.name);
    for (Operand& part : operand.parts) rename(part);
  }

  Module& module_;
  std::string suffix_;
  std::map<std::string, std::string> names_;
};

class Linker {
 public:
  void add(Module module, std::size_t unit) {
    Renamer(module, unit).run(taken_);
    for (Variable& variable : module.variables) {
      // Dynamic shared memory is one for all; every other variable has one definition.
      if (variable.external) {
        declarations_.push_back(std::move(variable));
        continue;
      }
      const bool weak = variable.weak || variable.common;
      if (define(variable.name, unit, weak)) result_.module.variables.push_back(std::move(variable));
    }
    for (Function& function : module.functions) {
      if (function.external)
        externals_.push_back(std::move(function));
      else if (define(function.name, unit, function.weak))
        result_.module.functions.push_back(std::move(function));
    }
    result_.module.aliases.merge(module.aliases);
    const bool first = unit == 1;
    if (first || module.target_number < result_.module.target_number) {
      result_.module.target = module.target;
      result_.module.target_number = module.target_number;
    }
    const std::pair own(module.version_major, module.version_minor);
    if (first || own > std::pair(result_.module.version_major, result_.module.version_minor)) {
      result_.module.version_major = own.first;
      result_.module.version_minor = own.second;
    }
  }

  LinkResult finish() {
    std::set<std::string> declared;
    for (Variable& variable : declarations_) {
      if (places_.count(variable.name) == 0 && declared.insert(variable.name).second)
        result_.module.variables.push_back(std::move(variable));
    }
    for (Function& function : externals_) {
      if (places_.count(function.name) == 0 && declared.insert(function.name).second)
        result_.module.functions.push_back(std::move(function));
    }
    return std::move(result_);
  }

 private:
  bool define(const std::string& name, std::size_t unit, bool weak) {
    const auto [found, fresh] = places_.emplace(name, Place{unit, weak});
    if (fresh || found->second.unit == unit) return true;
    if (!weak && !found->second.weak) result_.duplicates.push_back({name, found->second.unit, unit});
    return false;
  }

  LinkResult result_;
  std::set<std::string> taken_;
  std::map<std::string, Place> places_;
  std::vector<Variable> declarations_;
  std::vector<Function> externals_;
};

}  // namespace

LinkResult link(std::vector<Module> units) {
  Linker linker;
  for (std::size_t i = 0; i < units.size(); ++i) linker.add(std::move(units[i]), i + 1);
  return linker.finish();
}

std::string join_units(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) {
    if (!joined.empty()) joined += kUnitMark;
    joined += text;
  }
  return joined;
}

std::vector<std::string_view> split_units(std::string_view text) {
  std::vector<std::string_view> units;
  for (std::size_t at = text.find(kUnitMark); at != std::string_view::npos; at = text.find(kUnitMark)) {
    units.push_back(text.substr(0, at));
    text.remove_prefix(at + kUnitMark.size());
  }
  units.push_back(text);
  return units;
}

}  // namespace ptx
