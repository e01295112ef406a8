// SPDX-License-Identifier: MIT
// What a lesson loads at run time: NAME.ptx next to its program, compiled from NAME.cu or copied from
// NAME.ptx.
//
// Lessons of the driver API keep their kernels in separate files, as users of the API do. The driver that
// will load the result is known, so its own compiler is used. Nothing here depends on the program.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/spawn.hpp"
#include "lab/installation.hpp"

namespace lab {

struct KernelCompiler {
  std::filesystem::path program;   // ptxcc of the embedded toolkit, or nvcc
  std::vector<std::string> flags;  // without source and output
  std::string identity;            // changes when the compiler does
};
// nvcc if the real driver is chosen and its toolkit has one; otherwise ptxcc.
KernelCompiler choose_kernel_compiler(const Driver& driver, const Installation& installation);

// "kernels.cu" and "kernels.ptx": "kernels.ptx"
std::string name_of_ptx(const std::string& kernel);
// The arguments that make `output` from `kernel`; nothing for a file that is PTX already.
std::vector<std::string> kernel_arguments(const KernelCompiler& compiler, const std::string& kernel,
                                          const std::string& output);
// Makes all of them in `into`. Stops at the first failure; the compiler's words are in the result.
Finished make_kernels(const KernelCompiler& compiler, const std::vector<std::string>& kernels,
                      const std::filesystem::path& sources, const std::filesystem::path& into,
                      const RunOptions& options);

}  // namespace lab
