// SPDX-License-Identifier: MIT
// What a lesson loads at run time: NAME.ptx beside its program, compiled from NAME.cu or copied from
// NAME.ptx.
//
// Lessons of the driver API keep their kernels in files of their own, as the API's users do. Which driver
// will load the result is known, so the compiler that belongs to it is taken; nothing of the program is known
// here.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "lab/installation.hpp"
#include "spawn.hpp"

namespace lab {

struct KernelCompiler {
  std::filesystem::path program;   // ptxcc of the embedded toolkit, or nvcc
  std::vector<std::string> flags;  // without source and output
  std::string identity;            // changes when the compiler does
};
// nvcc where the real driver is chosen and its toolkit has one; ptxcc otherwise.
KernelCompiler choose_kernel_compiler(const Driver& driver, const Installation& installation);

// "kernels.cu" and "kernels.ptx": "kernels.ptx"
std::string name_of_ptx(const std::string& kernel);
// The arguments that make `output` from `kernel`; nothing for text that is PTX already.
std::vector<std::string> kernel_arguments(const KernelCompiler& compiler, const std::string& kernel,
                                          const std::string& output);
// Makes all of them in `into`; the first that fails ends it, and what it said is in the result.
Finished make_kernels(const KernelCompiler& compiler, const std::vector<std::string>& kernels,
                      const std::filesystem::path& sources, const std::filesystem::path& into,
                      const RunOptions& options);

}  // namespace lab
