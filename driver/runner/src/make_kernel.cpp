// SPDX-License-Identifier: MIT
// See make_kernel.hpp: reads DRIVERLAB_KERNELS and chooses between compiled_kernel.hpp and
// interpreted_kernel.hpp.
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
