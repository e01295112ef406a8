// SPDX-License-Identifier: MIT
// See lowered_names.hpp: writes the variable for each expression, and finds its value in the PTX.
#include "lowered_names.hpp"

#include <charconv>
#include <string_view>

#include "report.hpp"

namespace nvrtc {
namespace {

constexpr std::string_view kVariable = "__driverlab_name_";

// A function that is no kernel has a name as well, but cannot be launched.
bool is_device_function(std::string_view ptx, const std::string& name) {
  for (std::size_t at = ptx.find(name + "("); at != std::string_view::npos;
       at = ptx.find(name + "(", at + 1)) {
    const std::size_t begin = ptx.rfind('\n', at) + 1;
    if (ptx.substr(begin, at - begin).find(".func") != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

std::string name_lines(const std::vector<std::string>& expressions) {
  std::string lines;
  for (std::size_t index = 0; index < expressions.size(); ++index)
    lines += "#line " + std::to_string(kFirstNameLine + index) + " \"" + std::string(kNameMap) +
             "\"\nextern \"C\" __attribute__((used, nodebug)) __device__ const void* const " +
             std::string(kVariable) + std::to_string(index) + " = (const void*)(" + expressions[index] +
             ");\n";
  return lines;
}

LoweredNames take_lowered_names(std::string& ptx, const std::vector<std::string>& expressions) {
  LoweredNames found;
  std::string rest;
  for (std::string_view left = ptx; !left.empty();) {
    const std::size_t end = left.find('\n');
    const std::string_view line = left.substr(0, end == std::string_view::npos ? end : end + 1);
    left.remove_prefix(line.size());
    const std::size_t name = line.find(kVariable);
    if (name == std::string_view::npos) {
      rest += line;
      continue;
    }
    const std::string_view digits = line.substr(name + kVariable.size());
    std::size_t index = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), index);
    const std::size_t equals = line.find(" = ");
    if (equals == std::string_view::npos || index >= expressions.size()) continue;
    std::string_view value = line.substr(equals + 3);
    if (value.starts_with("generic(")) value.remove_prefix(8);
    value = value.substr(0, value.find_first_of(");\n"));
    found.names[expressions[index]] = value;
  }
  ptx = std::move(rest);
  for (std::size_t index = 0; index < expressions.size(); ++index) {
    const auto name = found.names.find(expressions[index]);
    if (name != found.names.end() && is_device_function(ptx, name->second))
      found.log += std::string(kNameMap) + "(" + std::to_string(kFirstNameLine + index) +
                   "): error: Name expression cannot form address of a non-__global__ function. Input name "
                   "expression was: \" " +
                   expressions[index] + "\"\n  #pragma nv_mangled_name " + expressions[index] +
                   "\n                          ^\n\n";
  }
  return found;
}

}  // namespace nvrtc
