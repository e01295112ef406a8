// SPDX-License-Identifier: MIT
// Finds the parts of this build: relative to the executable in a build tree or under an installation prefix,
// or below DRIVERLAB_ROOT. What a lesson's program loads can also come from DRIVERLAB_LIBRARIES, a build
// tree.
#include "lab/installation.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "api/devices.hpp"
#include "lab/files.hpp"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr int kDefaultDevices = 2;

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}
bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}
bool holds_lessons(const fs::path& path) {
  return is_folder(path / "lessons") && is_folder(path / "assets");
}

// The source folder that a build folder was configured from, as CMake wrote it down.
fs::path source_of_build(const fs::path& build) {
  const auto cache = read_file(build / "CMakeCache.txt", 4 << 20);
  if (!cache) return {};
  constexpr std::string_view kEntry = "\nCMAKE_HOME_DIRECTORY:INTERNAL=";
  const auto at = cache->find(kEntry);
  if (at == std::string::npos) return {};
  const auto begin = at + kEntry.size();
  return cache->substr(begin, cache->find('\n', begin) - begin);
}

// From `start` upwards, the first folder that `is_it` accepts.
template <class Accept>
fs::path upwards(fs::path start, Accept is_it) {
  for (;; start = start.parent_path()) {
    if (is_it(start)) return start;
    if (start == start.parent_path()) return {};
  }
}

fs::path executable_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

// A folder that the environment names, as an absolute path, because compilers run in other folders.
fs::path named_folder(const char* variable) {
  const char* path = std::getenv(variable);
  if (path == nullptr || *path == '\0') return {};
  std::error_code error;
  fs::path whole = fs::absolute(path, error);
  return error ? fs::path(path) : whole;
}

// PREFIX/bin/driverlab
bool is_installed(const fs::path& prefix) {
  return is_folder(prefix / "lib/driverlab") && holds_lessons(prefix / "share/driverlab");
}

}  // namespace

std::string remaking_command() {
  const fs::path prefix = executable_folder().parent_path();
  if (!is_installed(prefix)) return "tools/lab";
  if (prefix == "/usr") return "sudo apt-get install --reinstall driverlab driverlab-toolkit";
  return "cmake --install build --prefix '" + prefix.string() + "'";
}

Result<Installation> find_installation() {
  Installation parts;
  const fs::path here = executable_folder();
  // Looked for first, because a prefix may be inside a build tree.
  const fs::path prefix = here.parent_path();
  const bool installed = is_installed(prefix);
  // A build tree is recognised by the files that the build makes in it.
  const auto is_build = [](const fs::path& p) {
    return is_folder(p / "embedded") || is_file(p / "CMakeCache.txt");
  };
  const fs::path build = installed ? fs::path() : upwards(here, is_build);
  fs::path root = named_folder("DRIVERLAB_ROOT");
  if (!root.empty() && !holds_lessons(root)) return problem(Text::RootWithoutLessons, {root.string()});
  if (root.empty() && installed) root = prefix / "share/driverlab";
  if (root.empty() && !build.empty() && holds_lessons(source_of_build(build))) root = source_of_build(build);
  if (root.empty()) root = upwards(here, holds_lessons);
  if (root.empty()) return problem(Text::PartsNotFound, {here.string()});
  parts.lessons = root / "lessons";
  parts.assets = root / "assets";
  fs::path libraries = installed ? prefix / "lib/driverlab" : build.empty() ? root / "build" : build;
  // A sanitized lab runs lessons with the libraries of a build that has no sanitizer: their programs have
  // none.
  if (const fs::path others = named_folder("DRIVERLAB_LIBRARIES"); !others.empty()) libraries = others;
  parts.tracer = libraries / "trace";
  parts.embedded = libraries / "embedded";
  parts.supervisor = libraries / "driverlab-supervisor";
  parts.line_reader = libraries / "driverlab-lines";
  return parts;
}

std::optional<DriverChoice> parse_driver(std::string_view s) {
  if (s == "embedded") return DriverChoice::Embedded;
  if (s == "real") return DriverChoice::Real;
  if (s == "auto") return DriverChoice::Auto;
  return std::nullopt;
}

const char* driver_word(DriverChoice choice) {
  switch (choice) {
    case DriverChoice::Embedded:
      return "embedded";
    case DriverChoice::Real:
      return "real";
    case DriverChoice::Auto:
      break;
  }
  return "auto";
}

int embedded_devices() {
  const char* const value = std::getenv("DRIVERLAB_DEVICES");
  const bool known = value != nullptr && value[0] >= '1' && value[0] <= '8' && value[1] == '\0';
  return known ? value[0] - '0' : kDefaultDevices;
}

std::optional<std::string> devices_misread() {
  const char* const value = std::getenv("DRIVERLAB_DEVICES");
  if (value == nullptr || *value == '\0' || std::to_string(embedded_devices()) == value) return std::nullopt;
  return value;
}

std::string embedded_device() {
  const char* const value = std::getenv("DRIVERLAB_DEVICE");
  const api::DeviceDescription* const device = value != nullptr ? api::find_device(value) : nullptr;
  return device != nullptr ? std::string(device->name) : "";
}

std::optional<std::string> device_misread() {
  const char* const value = std::getenv("DRIVERLAB_DEVICE");
  if (value == nullptr || *value == '\0' || api::find_device(value) != nullptr) return std::nullopt;
  return value;
}

std::string known_devices() {
  return api::device_words();
}

std::vector<std::filesystem::path> toolkit_include_folders() {
  std::vector<fs::path> found;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* value = std::getenv(name); value != nullptr && *value == '/')
      found.push_back(fs::path(value) / "include");
  for (const char* folder : {"/usr/local/cuda/include", "/opt/cuda/include", "/usr/include"})
    found.emplace_back(folder);
  std::erase_if(found, [](const fs::path& folder) { return !is_file(folder / "cuda.h"); });
  return found;
}

}  // namespace lab
