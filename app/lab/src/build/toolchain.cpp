// SPDX-License-Identifier: MIT
// Finds a compiler that works. One that is there may still lack its standard library (clang takes the newest
// gcc's folder even when only its runtime is installed), so each is tried once and the result is kept.
#include "build/toolchain.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "base/content_hash.hpp"
#include "base/folders.hpp"
#include "base/spawn.hpp"
#include "lab/builder.hpp"
#include "lab/files.hpp"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOtherToolkits = "/usr/local/include";

bool is_clang(const fs::path& compiler) {
  std::error_code error;
  return fs::canonical(compiler, error).filename().string().find("clang") != std::string::npos ||
         compiler.filename().string().find("clang") != std::string::npos;
}

// True if it compiled; otherwise `words` receives its messages.
bool compiles(const Toolchain& toolchain, const fs::path& cache, std::string* words) {
  const fs::path known = cache / ("compiler-" + ContentHash().add(toolchain.identity).hex());
  std::error_code error;
  if (fs::exists(known, error)) return true;
  const fs::path source = cache / "compiler-check.cpp";
  if (!write_file(source, "#include <string>\n#include <cuchar>\nint main() { return 0; }\n")) return true;
  std::vector<std::string> arguments{toolchain.compiler.string()};
  for (const std::string& flag : language_flags()) arguments.push_back(flag);
  arguments.insert(arguments.end(), {"-fsyntax-only", source.string()});
  const Finished run =
      run_to_end({.arguments = arguments, .environment = compiler_environment()}, {.seconds = 30});
  if (run.start_error == 0 && run.status == 0) return write_file(known, run.output).has_value() || true;
  *words = toolchain.compiler.string() + ": " + run.output;
  return false;
}

// Between the two lines that gcc and clang put around the folders they search.
std::vector<std::string> searched_folders(const std::string& words) {
  std::vector<std::string> folders;
  bool inside = false;
  std::istringstream lines(words);
  for (std::string line; std::getline(lines, line);) {
    if (line == "End of search list.") break;
    const std::string folder = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    if (inside && folder.rfind(kOtherToolkits, 0) != 0) folders.push_back(folder);
    if (line == "#include <...> search starts here:") inside = true;
  }
  return folders;
}

bool needs_quotes(const std::string& word) {
  return word.empty() || word.find_first_of(" \t\n\"'\\$&|;<>()*?[]{}~#`!") != std::string::npos;
}

}  // namespace

std::vector<std::filesystem::path> compilers() {
  std::vector<fs::path> found;
  const auto add = [&found](const std::string& name) {
    if (const auto program = find_program(name)) found.push_back(*program);
  };
  if (const char* wanted = std::getenv("DRIVERLAB_CXX"); wanted != nullptr && *wanted != '\0') add(wanted);
  add("clang++-" DRIVERLAB_CLANG);  // the one that kernels need, too; cmake/look_for.cmake says its version
  add("g++");
  for (int version = 15; version >= 11; --version) add("g++-" + std::to_string(version));
  return found;
}

std::optional<Toolchain> choose_toolchain(std::string* first_words) {
  const fs::path cache = cache_folder();
  std::error_code error;
  fs::create_directories(cache, error);
  for (const fs::path& compiler : compilers()) {
    Toolchain toolchain{compiler, is_clang(compiler), "", identity_of(compiler)};
    std::string words;
    if (compiles(toolchain, cache, &words)) {
      if (find_program("ld.mold"))
        toolchain.linker = "mold";
      else if (find_program("ld.lld"))
        toolchain.linker = "lld";
      return toolchain;
    }
    if (first_words->empty()) *first_words = words;
  }
  return std::nullopt;
}

Toolkit choose_toolkit(const Driver& driver, const Installation& installation) {
  Toolkit embedded{installation.embedded / "include", installation.embedded / "lib",
                   installation.embedded / "bin/cuda++", false};
  if (!driver.real) return embedded;
  std::error_code error;
  const fs::path home = driver.include.parent_path();
  for (const char* below : {"lib64", "targets/x86_64-linux/lib", "lib/x86_64-linux-gnu"}) {
    Toolkit found{driver.include, home / below, home / "bin/nvcc", true};
    const bool whole = fs::exists(found.include / "cuda_runtime.h", error) &&
                       fs::exists(found.library_folder / "libcudart.so", error) &&
                       fs::exists(found.library_folder / "libnvrtc.so", error) &&
                       fs::exists(found.compiler, error);
    if (whole) return found;
  }
  return embedded;
}

Toolchain toolchain_of(const Toolkit& toolkit) {
  Toolchain toolchain;
  toolchain.compiler = toolkit.compiler;
  toolchain.clang = !toolkit.nvidia;
  toolchain.identity = identity_of(toolkit.compiler);
  if (!toolkit.nvidia) toolchain.identity += identity_of(toolkit.compiler.parent_path() / "ptxcc");
  return toolchain;
}

std::string identity_of(const fs::path& program) {
  struct stat about{};
  if (::stat(program.c_str(), &about) != 0) return program.string();
  return program.string() + " " + std::to_string(about.st_size) + " " + std::to_string(about.st_mtim.tv_sec) +
         "." + std::to_string(about.st_mtim.tv_nsec);
}

std::vector<std::string> language_flags() {
  return {"-std=c++20", "-O0", "-g", "-Wall", "-pthread"};
}

std::vector<std::string> flags_without_other_toolkits(const Toolchain& toolchain) {
  std::error_code error;
  if (fs::is_empty(kOtherToolkits, error) || error) return {};
  const fs::path known = cache_folder() / ("folders-" + ContentHash().add(toolchain.identity).hex());
  std::string words = read_file(known).value_or("");
  if (words.empty()) {
    const Finished run =
        run_to_end({.arguments = {toolchain.compiler.string(), "-E", "-v", "-x", "c++", "/dev/null"},
                    .environment = compiler_environment()},
                   {.seconds = 30});
    if (run.start_error != 0 || run.status != 0) return {};
    words = run.output;
    (void)write_file(known, words);
  }
  std::vector<std::string> flags{"-nostdinc"};
  for (const std::string& folder : searched_folders(words)) flags.insert(flags.end(), {"-idirafter", folder});
  return flags.size() > 1 ? flags : std::vector<std::string>{};
}

std::vector<std::string> compiler_environment(const std::filesystem::path& temporary) {
  // CPATH and similar variables would add headers that the shown command does not name.
  std::vector<std::string> changes = {"LC_ALL=C",           "LANGUAGE",       "CPATH",
                                      "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH", "GCC_COLORS"};
  if (!temporary.empty()) changes.push_back("TMPDIR=" + temporary.string());
  return environment_with(changes);
}

std::string plain_argument(const std::string& file) {
  return file.starts_with('-') || file.starts_with('@') ? "./" + file : file;
}

std::string command_line(const std::vector<std::string>& arguments) {
  std::string line;
  for (const std::string& word : arguments) {
    if (!line.empty()) line += ' ';
    if (!needs_quotes(word)) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace lab
