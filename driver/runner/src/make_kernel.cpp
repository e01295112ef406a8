// Decides what runs a kernel.
#include "make_kernel.hpp"

#include "interpreted_kernel.hpp"

namespace runner {

std::unique_ptr<KernelCode> make_kernel(const ModuleText& module, const std::string& name) {
  return interpret_kernel(module, name);
}

}  // namespace runner
