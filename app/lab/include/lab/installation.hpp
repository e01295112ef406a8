// Where the parts of this build lie, and which drivers this machine has. Found from the executable's own
// place (/proc/self/exe), or from DRIVERLAB_ROOT.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "lab/result.hpp"

namespace lab {

struct Installation {
  std::filesystem::path lessons;           // lessons/
  std::filesystem::path assets;            // assets/
  std::filesystem::path tracer;            // folder of our libcuda.so.1
  std::filesystem::path embedded;          // build/embedded: include, lib, bin
};
Result<Installation> find_installation();

enum class DriverChoice { Embedded, Real, Auto };  // Auto: real where a GPU answers, else embedded
std::optional<DriverChoice> parse_driver(std::string_view s);

struct Driver {
  bool real = false;
  std::filesystem::path library;           // absolute path of libcuda.so.1
  std::filesystem::path include;           // folder of cuda.h to compile with
  std::filesystem::path library_folder;    // to link with (-L)
  std::string description;                 // "Embedded, 2 devices", "NVIDIA H200, CUDA 13.0"
};
Result<Driver> choose_driver(DriverChoice choice, const Installation& installation);

}  // namespace lab
