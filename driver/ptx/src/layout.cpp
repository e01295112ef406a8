// Frames and shared memory laid out; what a kernel needs of both, for those who ask before a launch.
#include "layout.hpp"

#include <algorithm>
#include <vector>

#include "ptx/interpret.hpp"

namespace ptx {

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
  const auto add = [&](const Variable& variable) {
    if (variable.space != Space::Shared) return;
    if (variable.external)
      dynamic.push_back(&variable);
    else
      layout.add(variable.name, variable.size, variable.align);
  };
  for (const Variable& variable : kernel.locals) add(variable);
  for (const Variable& variable : module.variables) add(variable);
  for (const Function& function : module.functions) {
    if (!function.kernel) std::for_each(function.locals.begin(), function.locals.end(), add);
  }
  layout.bytes = align_up(layout.bytes, 16);
  for (const Variable* variable : dynamic) layout.offsets[variable->name] = layout.bytes;
  return layout;
}

std::uint64_t shared_bytes(const Module& module, const Function& kernel) {
  return shared_layout(module, kernel).bytes;
}

std::uint64_t local_bytes(const Function& kernel) {
  std::uint64_t bytes = 0;
  for (const Variable& variable : kernel.locals) {
    if (variable.space == Space::Local) bytes = align_up(bytes, variable.align) + variable.size;
  }
  return bytes;
}

}  // namespace ptx
