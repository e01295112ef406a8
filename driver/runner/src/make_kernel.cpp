// SPDX-License-Identifier: MIT
// Decides what runs a kernel: compiled code, unless the environment asks for the reference interpreter.
#include "make_kernel.hpp"

#include <cstdlib>
#include <cstring>

#include "compiled_kernel.hpp"
#include "interpreted_kernel.hpp"

namespace runner {

std::unique_ptr<KernelCode> make_kernel(const ModuleText& module, const std::string& name) {
  const char* const wanted = std::getenv("DRIVERLAB_KERNELS");
  if (wanted != nullptr && std::strcmp(wanted, "interpreted") == 0) return interpret_kernel(module, name);
  return compiled_kernel(module, name);
}

}  // namespace runner
