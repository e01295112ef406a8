// SPDX-License-Identifier: MIT
// What is on this machine, as found in its files: GPUs on the bus, the kernel's driver, toolkits, compilers,
// display, fonts. Facts only; doctor draws conclusions from them.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cli {

struct Toolkit {
  std::filesystem::path folder;
  int version = 0;  // CUDA_VERSION of its cuda.h, 13000
};
struct Compiler {
  std::filesystem::path path;
  std::string version;  // the first line of --version, "" if the compiler does not run
};

struct Machine {
  int nvidia_gpus = 0;                       // on the PCI bus
  std::optional<std::string> kernel_driver;  // version of the loaded NVIDIA kernel module
  std::vector<Toolkit> toolkits;
  std::vector<Compiler> compilers;                   // clang++ first
  std::optional<std::filesystem::path> fast_linker;  // mold or lld
  std::optional<std::string> display;                // value of DISPLAY or WAYLAND_DISPLAY
  std::optional<std::filesystem::path> chinese_font, sans_font, mono_font;
  bool debian = false;  // packages are installed with apt-get
};
Machine look_at_machine();

}  // namespace cli
