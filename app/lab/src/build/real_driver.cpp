// SPDX-License-Identifier: MIT
// Chooses the driver for a lesson. A real one is used only if it finds a GPU: the libraries of the system are
// asked one after the other, each in a separate process, because a driver may hang or crash.
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>

#include "base/spawn.hpp"
#include "lab/installation.hpp"

namespace lab {
namespace {

namespace fs = std::filesystem;
constexpr double kProbeSeconds = 20;  // a machine with eight GPUs, persistence off, takes several
constexpr int kCudaErrorNoDevice = 100;

void add_path_list(std::string_view list, std::vector<fs::path>& folders) {
  while (!list.empty()) {
    const auto colon = list.find(':');
    if (const fs::path folder(list.substr(0, colon)); folder.is_absolute()) folders.push_back(folder);
    list = colon == std::string_view::npos ? std::string_view{} : list.substr(colon + 1);
  }
}

// The contents of the dynamic loader's cache: lines "\tlibcuda.so.1 (libc6,x86-64) => /path/libcuda.so.1".
std::vector<fs::path> libraries_of_loader_cache() {
  std::vector<fs::path> found;
  const auto program = find_program("ldconfig", "/sbin:/usr/sbin:/bin:/usr/bin");
  if (!program) return found;
  const Finished answer =
      run_to_end({.arguments = {program->string(), "-p"}, .environment = environment_with({"LC_ALL=C"})},
                 {.seconds = 5});
  std::istringstream lines(answer.output);
  for (std::string line; std::getline(lines, line);) {
    const auto arrow = line.find(" => ");
    const bool ours =
        line.find("libcuda.so.1 ") != std::string::npos && line.find("x86-64") != std::string::npos;
    if (ours && arrow != std::string::npos) found.emplace_back(line.substr(arrow + 4));
  }
  return found;
}

bool below(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  const auto relative =
      fs::weakly_canonical(path, error).lexically_relative(fs::weakly_canonical(folder, error));
  return !folder.empty() && !relative.empty() && *relative.begin() != "..";
}

// "libcuda.so.580.159.03" -> "580.159.03"
std::string release_of(const fs::path& library) {
  std::error_code error;
  const std::string name = fs::canonical(library, error).filename().string();
  constexpr std::string_view kStem = "libcuda.so.";
  if (error || name.size() <= kStem.size() + 1 || name.compare(0, kStem.size(), kStem) != 0) return {};
  return name.substr(kStem.size());
}

void read_answer(const std::string& output, ProbedDriver& driver) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const auto blank = line.find(' ');
    const std::string word = line.substr(0, blank),
                      value = blank == std::string::npos ? "" : line.substr(blank + 1);
    if (word == "version") driver.version = std::atoi(value.c_str());
    if (word == "init") driver.init_result = std::atoi(value.c_str()), driver.answered = true;
    if (word == "name") driver.devices.push_back(value);
    if (word == "embedded") driver.embedded = true;
    if (word == "unloadable")
      driver.loadable = false,
      driver.why = Problem{Text::RealDriverUnloadable, {driver.library.string(), value}};
  }
}

// Why a driver that could be loaded did not answer.
Problem silence_of(const Finished& run, const fs::path& library, const Installation& installation) {
  if (run.start_error != 0)
    return {Text::ProbeNotStarted,
            {installation.supervisor.string(), std::generic_category().message(run.start_error),
             remaking_command()}};
  if (run.timed_out)
    return {Text::RealDriverTooSlow, {library.string(), std::to_string(static_cast<int>(kProbeSeconds))}};
  if (WIFSIGNALED(run.status))
    return {Text::RealDriverCrashed, {library.string(), std::to_string(WTERMSIG(run.status))}};
  return {Text::RealDriverSilent, {library.string()}};
}

bool usable(const ProbedDriver& driver) {
  return driver.answered && driver.init_result == 0 && !driver.devices.empty() && !driver.embedded;
}

std::string describe(const ProbedDriver& driver) {
  std::string text = driver.devices.size() > 1 ? std::to_string(driver.devices.size()) + " × " : "";
  text += driver.devices[0];
  if (!driver.release.empty()) text += ", driver " + driver.release;
  return text + ", CUDA " + std::to_string(driver.version / 1000) + "." +
         std::to_string(driver.version % 1000 / 10);
}

Driver driver_found(const ProbedDriver& probed, const Installation& installation) {
  Driver driver;
  driver.real = true;
  driver.library = probed.library;
  driver.library_folder = probed.library.parent_path();
  const auto toolkits = toolkit_include_folders();
  driver.include = toolkits.empty() ? installation.embedded / "include" : toolkits.front();
  driver.description = describe(probed);
  driver.devices = static_cast<int>(probed.devices.size());
  return driver;
}

Result<Driver> real_driver(const Installation& installation) {
  const auto libraries = real_driver_libraries(installation);
  if (libraries.empty()) return problem(Text::NoRealDriver);
  std::optional<Problem> first;
  for (const fs::path& library : libraries) {
    const ProbedDriver probed = probe_driver(library, installation);
    if (usable(probed)) return driver_found(probed, installation);
    if (first) continue;
    if (!probed.loadable || !probed.answered)
      first = probed.why.value_or(Problem{Text::RealDriverSilent, {library.string()}});
    else if (probed.init_result == 0 || probed.init_result == kCudaErrorNoDevice)
      first = Problem{Text::RealDriverWithoutGpu, {library.string()}};
    else
      first = Problem{Text::RealDriverInitFailed, {library.string(), std::to_string(probed.init_result)}};
  }
  return tl::unexpected<Problem>(*first);
}

Result<Driver> embedded_driver(const Installation& installation) {
  Driver driver;
  driver.library = installation.embedded / "lib/libcuda.so.1";
  driver.library_folder = installation.embedded / "lib";
  driver.include = installation.embedded / "include";
  driver.devices = embedded_devices();
  driver.description =
      "Embedded, " + std::to_string(driver.devices) + (driver.devices == 1 ? " device" : " devices");
  if (const std::string name = embedded_device(); !name.empty()) driver.description += " as " + name;
  std::error_code error;
  for (const fs::path& part : {driver.library, driver.include / "cuda.h"})
    if (!fs::exists(part, error))
      return problem(Text::EmbeddedDriverMissing, {part.string(), remaking_command()});
  return driver;
}

}  // namespace

std::vector<std::filesystem::path> real_driver_libraries(const Installation& installation) {
  if (const char* wanted = std::getenv("DRIVERLAB_REAL_LIBCUDA"); wanted != nullptr && *wanted != '\0')
    return {fs::path(wanted)};
  std::vector<fs::path> folders, candidates = libraries_of_loader_cache();
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/nvidia/lib64",
                             "/usr/local/nvidia/lib", "/usr/lib/wsl/lib", "/run/opengl-driver/lib"})
    folders.emplace_back(folder);
  if (const char* list = std::getenv("LD_LIBRARY_PATH")) add_path_list(list, folders);
  // Last: it replaces an older driver of the system only if that one cannot be used.
  folders.emplace_back("/usr/local/cuda/compat");
  for (const fs::path& folder : folders) candidates.push_back(folder / "libcuda.so.1");
  std::vector<fs::path> found, seen;
  for (const fs::path& candidate : candidates) {
    std::error_code error;
    const fs::path real = fs::canonical(candidate, error);
    if (error || std::find(seen.begin(), seen.end(), real) != seen.end()) continue;
    seen.push_back(real);
    const bool ours = below(real, installation.tracer) || below(real, installation.embedded);
    if (!ours) found.push_back(candidate);
  }
  return found;
}

ProbedDriver probe_driver(const std::filesystem::path& library, const Installation& installation) {
  static std::mutex mutex;
  static std::map<fs::path, ProbedDriver> answered;  // asking costs a second on a real machine
  const std::scoped_lock lock(mutex);
  if (const auto known = answered.find(library); known != answered.end()) return known->second;
  ProbedDriver driver;
  driver.library = library;
  driver.loadable = true;
  driver.release = release_of(library);
  const Finished run = run_to_end({.arguments = {installation.supervisor.string(), "probe", library.string()},
                                   .environment = environment_with({"LD_PRELOAD", "DRIVERLAB_TRACE"})},
                                  {.seconds = kProbeSeconds});
  read_answer(run.output, driver);
  if (!driver.answered && driver.loadable) driver.why = silence_of(run, library, installation);
  if (usable(driver)) answered.emplace(library, driver);
  return driver;
}

Result<Driver> choose_driver(DriverChoice choice, const Installation& installation) {
  if (choice == DriverChoice::Embedded) return embedded_driver(installation);
  Result<Driver> real = real_driver(installation);
  if (real || choice == DriverChoice::Real) return real;
  return embedded_driver(installation);
}

}  // namespace lab
