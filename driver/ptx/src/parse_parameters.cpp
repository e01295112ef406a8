// SPDX-License-Identifier: MIT
// See parse_parameters.hpp.
#include "parse_parameters.hpp"

#include <algorithm>

namespace ptx {

std::vector<Parameter> ParameterReader::list(std::vector<bool>& in_register, bool entry, bool named) {
  std::vector<Parameter> parameters;
  text_.expect("(");
  std::uint64_t offset = 0;
  while (!text_.accept(")")) {
    const bool reg = text_.accept(".reg");
    const bool stored = reg || text_.accept(".param");
    const Declaration declared = variables_.declaration(Space::Param);
    Parameter parameter;
    parameter.name = declared.variable.name;
    if (entry && (reg || !stored)) {
      errors_.add(declared.line, "Entry parameter '" + parameter.name + "' must have .param state space");
      if (!stored) fatal(declared.line, "No variable storage specified");
    }
    parameter.type = declared.variable.type;
    parameter.align = declared.variable.align;
    parameter.size = static_cast<std::uint32_t>(std::min<std::uint64_t>(declared.variable.size, 1U << 24));
    const auto same = [&](const Parameter& other) { return other.name == parameter.name; };
    if (named && std::any_of(parameters.begin(), parameters.end(), same)) {
      errors_.add(declared.line, "Duplicate definition of variable '" + parameter.name + "'");
    }
    offset = (offset + parameter.align - 1) / parameter.align * parameter.align;
    parameter.offset = static_cast<std::uint32_t>(offset);
    offset += parameter.size;
    if (offset > (1U << 26)) fatal(declared.line, "Formal parameter space overflowed");
    parameters.push_back(std::move(parameter));
    in_register.push_back(reg);
    if (!text_.at(")")) text_.expect(",");
  }
  return parameters;
}

// A prototype's header: [(results)] _ [(parameters)]
Prototype ParameterReader::prototype() {
  Prototype prototype;
  std::vector<bool> in_register;
  if (text_.at("(")) prototype.results = list(in_register, false, false);
  text_.name();
  if (text_.at("(")) prototype.parameters = list(in_register, false, false);
  return prototype;
}

}  // namespace ptx
