// SPDX-License-Identifier: MIT
// See kernels.hpp: chooses the compiler, and compiles a lesson's kernels in the order in which lesson.toml
// names them.
#include "build/kernels.hpp"

#include "build/toolchain.hpp"

namespace lab {
namespace {

namespace fs = std::filesystem;

// The oldest architecture for which CUDA 13 still compiles: PTX for it runs on every later GPU.
constexpr const char* kArchitecture = "-arch=sm_75";

}  // namespace

KernelCompiler choose_kernel_compiler(const Driver& driver, const Installation& installation) {
  KernelCompiler compiler;
  const fs::path nvcc = driver.include.parent_path() / "bin" / "nvcc";
  std::error_code error;
  if (driver.real && fs::exists(nvcc, error)) {
    compiler.program = nvcc;
    compiler.flags = {"-ptx", "-std=c++17", kArchitecture};
  } else {
    compiler.program = installation.embedded / "bin" / "ptxcc";
    compiler.flags = {kArchitecture};
  }
  compiler.identity = identity_of(compiler.program);
  return compiler;
}

std::string name_of_ptx(const std::string& kernel) {
  return fs::path(kernel).stem().string() + ".ptx";
}

std::vector<std::string> kernel_arguments(const KernelCompiler& compiler, const std::string& kernel,
                                          const std::string& output) {
  if (fs::path(kernel).extension() == ".ptx") return {};
  std::vector<std::string> arguments{compiler.program.string()};
  arguments.insert(arguments.end(), compiler.flags.begin(), compiler.flags.end());
  arguments.insert(arguments.end(), {plain_argument(kernel), "-o", output});
  return arguments;
}

Finished make_kernels(const KernelCompiler& compiler, const std::vector<std::string>& kernels,
                      const std::filesystem::path& sources, const std::filesystem::path& into,
                      const RunOptions& options) {
  Finished all;
  for (const std::string& kernel : kernels) {
    const fs::path output = into / name_of_ptx(kernel);
    const auto arguments = kernel_arguments(compiler, kernel, output.string());
    if (arguments.empty()) {
      std::error_code error;
      fs::copy_file(sources / kernel, output, fs::copy_options::overwrite_existing, error);
      all.start_error = error.value();
      if (error) return all;
      continue;
    }
    if (!run_after(all,
                   {.arguments = arguments, .environment = compiler_environment(into), .folder = sources},
                   options))
      break;
  }
  return all;
}

}  // namespace lab
