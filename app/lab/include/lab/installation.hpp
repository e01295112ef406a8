// SPDX-License-Identifier: MIT
// The places of the parts of this build, and the drivers of this machine. The parts are found relative to the
// executable (/proc/self/exe) or to DRIVERLAB_ROOT. For tracer, embedded toolkit and helpers,
// DRIVERLAB_LIBRARIES can name the folder of another build.
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
  std::filesystem::path supervisor;   // the program driverlab-supervisor
  std::filesystem::path line_reader;  // the program driverlab-lines
};
Result<Installation> find_installation();
// The command that restores a missing part: tools/lab in a source tree, the reinstallation of the package
// below /usr, and `cmake --install …` if the lab was installed elsewhere.
std::string remaking_command();

enum class DriverChoice { Embedded, Real, Auto };  // Auto: real if it finds a GPU, else embedded
std::optional<DriverChoice> parse_driver(std::string_view s);
const char* driver_word(DriverChoice choice);  // what parse_driver() takes: "embedded", "real", "auto"

struct Driver {
  bool real = false;
  std::filesystem::path library;         // absolute path of libcuda.so.1
  std::filesystem::path include;         // folder of cuda.h to compile with
  std::filesystem::path library_folder;  // to link with (-L)
  std::string description;               // "Embedded, 2 devices", "Embedded, 2 devices as Tesla T4",
                                         // "NVIDIA H200, driver 580.159, CUDA 13.0"
  int devices = 0;
};

// What one libcuda.so.1 returned, asked in a separate process.
struct ProbedDriver {
  std::filesystem::path library;
  bool loadable = false;
  bool answered = false;             // false: the process crashed, or was ended after 20 s
  int version = 0;                   // 13000
  int init_result = 0;               // of cuInit
  std::vector<std::string> devices;  // names
  bool embedded = false;             // ours, reached some other way
  std::string release;               // "580.159", if the file's name contains it
  std::optional<Problem> why;        // why it could not be loaded or did not answer
};
ProbedDriver probe_driver(const std::filesystem::path& library, const Installation& installation);
// Every driver library of the system that is not ours, in the order in which they are tried.
std::vector<std::filesystem::path> real_driver_libraries(const Installation& installation);
// Folders that hold cuda.h: CUDA_HOME, CUDA_PATH, /usr/local/cuda, …
std::vector<std::filesystem::path> toolkit_include_folders();
// DRIVERLAB_DEVICES as the embedded driver reads it; a test compares the two. 2 if it is not set or has no
// meaning; devices_misread() then returns its value.
int embedded_devices();
std::optional<std::string> devices_misread();
// The name of the device that DRIVERLAB_DEVICE chooses for the embedded driver: "Tesla T4". "" if it is not
// set or has no meaning; device_misread() then returns its value.
std::string embedded_device();
std::optional<std::string> device_misread();
std::string known_devices();  // "a100, h100, …"

Result<Driver> choose_driver(DriverChoice choice, const Installation& installation);

}  // namespace lab
