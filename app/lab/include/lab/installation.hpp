// SPDX-License-Identifier: MIT
// Where the parts of this build lie, and which drivers this machine has. Found from the executable's own
// place (/proc/self/exe), or from DRIVERLAB_ROOT; tracer, embedded toolkit and helpers also from
// DRIVERLAB_LIBRARIES, the folder of another build.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/result.hpp"

namespace lab {

struct Installation {
  std::filesystem::path lessons;      // lessons/
  std::filesystem::path assets;       // assets/
  std::filesystem::path tracer;       // folder of our libcuda.so.1
  std::filesystem::path embedded;     // build/embedded: include, lib, bin
  std::filesystem::path keeper;       // the program driverlab-keeper
  std::filesystem::path line_reader;  // the program driverlab-lines
};
Result<Installation> find_installation();
// What makes a missing part anew, as a command: tools/lab in a source tree, the packages' own reinstallation
// below /usr, and `cmake --install …` where the lab was installed elsewhere.
std::string remaking_command();

enum class DriverChoice { Embedded, Real, Auto };  // Auto: real where a GPU answers, else embedded
std::optional<DriverChoice> parse_driver(std::string_view s);
const char* driver_word(DriverChoice choice);  // what parse_driver() takes: "embedded", "real", "auto"

struct Driver {
  bool real = false;
  std::filesystem::path library;         // absolute path of libcuda.so.1
  std::filesystem::path include;         // folder of cuda.h to compile with
  std::filesystem::path library_folder;  // to link with (-L)
  std::string description;               // "Embedded, 2 devices", "NVIDIA H200, driver 580.159, CUDA 13.0"
  int devices = 0;
};

// What one libcuda.so.1 answered, asked in a process of its own.
struct ProbedDriver {
  std::filesystem::path library;
  bool loadable = false;
  bool answered = false;             // false: it crashed, or was ended after 20 s
  int version = 0;                   // 13000
  int init_result = 0;               // of cuInit
  std::vector<std::string> devices;  // names
  std::string release;               // "580.159", where the file's name says so
  std::optional<Problem> why;        // it could not be loaded, or did not answer
};
ProbedDriver probe_driver(const std::filesystem::path& library, const Installation& installation);
// Every driver library of the system that is not ours, in the order in which they are tried.
std::vector<std::filesystem::path> real_driver_libraries(const Installation& installation);
// Folders that hold cuda.h: CUDA_HOME, CUDA_PATH, /usr/local/cuda, …
std::vector<std::filesystem::path> toolkit_include_folders();
// DRIVERLAB_DEVICES as the embedded driver reads it: a test holds the two together. 2 where it is unset or
// means nothing, which devices_misread() tells.
int embedded_devices();
std::optional<std::string> devices_misread();

Result<Driver> choose_driver(DriverChoice choice, const Installation& installation);

}  // namespace lab
