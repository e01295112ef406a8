// SPDX-License-Identifier: MIT
// Precompiled headers of gcc and clang. A header is made under a temporary name and renamed, so that a
// half-made one is never used. One that cannot be made is not tried again. Those used last are kept.
#include "build/precompiled.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>

#include "base/content_hash.hpp"
#include "base/folders.hpp"
#include "base/spawn.hpp"
#include "lab/files.hpp"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeadersKept = 24, kHeadersAtMost = 32;  // some 10 MB each

std::string_view without_blanks(std::string_view s) {
  const auto first = s.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view{}
                                         : s.substr(first, s.find_last_not_of(" \t\r") - first + 1);
}

bool is_portable_include(std::string_view line) {
  constexpr std::string_view kWord = "#include";
  if (line.substr(0, kWord.size()) != kWord) return false;
  const std::string_view what = without_blanks(line.substr(kWord.size()));
  return what == "\"check.hpp\"" || (what.size() > 2 && what.front() == '<' && what.back() == '>');
}

// gcc looks for NAME.gch next to a header; for clang, a flag names the file.
fs::path result_of(const Toolchain& toolchain, const fs::path& folder) {
  return folder / (toolchain.clang ? "includes.pch" : "includes.hpp.gch");
}

// Templates that the headers themselves instantiate are kept too, so that compiling a lesson takes a third
// less processor time.
constexpr const char* kInstantiated = "-fpch-instantiate-templates";

std::string stamp(const fs::path& path) {
  struct stat about{};
  if (::stat(path.c_str(), &about) != 0) return path.string();
  return path.string() + " " + std::to_string(about.st_size) + " " + std::to_string(about.st_mtim.tv_sec) +
         "." + std::to_string(about.st_mtim.tv_nsec);
}

// The compiler's own temporary files are called after its output: making-PROCESS-NUMBER-MORE.tmp.
constexpr std::string_view kMaking = "making-";

// Whether the process that was making this file is gone. A process in another container cannot be looked up,
// but no compiler takes so long.
bool is_left_behind(const fs::directory_entry& file) {
  const std::string name = file.path().filename();
  if (!name.starts_with(kMaking)) return false;
  const int process = std::atoi(name.c_str() + kMaking.size());
  if (process <= 0 || (::kill(process, 0) != 0 && errno == ESRCH)) return true;
  std::error_code gone;
  const auto written = file.last_write_time(gone);
  return !gone && fs::file_time_type::clock::now() - written > std::chrono::hours(1);
}

// Removes what labs left behind that were killed while they made a header; once at each start.
void remove_left_behind(const fs::path& headers) {
  static std::mutex mutex;
  static std::set<fs::path> looked;
  const std::lock_guard lock(mutex);
  if (!looked.insert(headers).second) return;
  std::error_code error;
  for (const auto& header : fs::directory_iterator(headers, error)) {
    std::error_code gone;
    for (const auto& file : fs::directory_iterator(header.path(), gone))
      if (is_left_behind(file)) fs::remove(file.path(), gone);
  }
}

// A name that no other build has: two builds of one process may need the same header at the same time.
fs::path temporary_in(const fs::path& folder) {
  static std::atomic<unsigned> made_before = 0;
  return folder / (std::string(kMaking) + std::to_string(::getpid()) + "-" + std::to_string(made_before++));
}

// Writes the text that is compiled, unless it is there. It is never replaced: another lab may have begun to
// compile it, and clang does not use the result once the text has a later time than it had then.
bool write_once(const fs::path& header, const std::string& includes) {
  std::error_code error;
  if (fs::exists(header, error)) return true;
  const fs::path temporary = temporary_in(header.parent_path());
  bool written = static_cast<bool>(write_file(temporary, includes));
  if (written) {
    int result = ::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, header.c_str(), RENAME_NOREPLACE);
    if (result != 0 && errno == EINVAL)  // a file system that has only plain renaming
      result = ::rename(temporary.c_str(), header.c_str());
    written = result == 0 || errno == EEXIST;
  }
  fs::remove(temporary, error);
  return written;
}

bool make(const PrecompileRequest& request, const fs::path& folder, const std::atomic<bool>* cancel) {
  std::error_code error;
  if (fs::exists(folder / "failed", error)) return false;
  fs::create_directories(folder, error);
  const fs::path header = folder / "includes.hpp";
  if (!write_once(header, request.includes)) return false;
  const fs::path temporary = temporary_in(folder);
  std::vector<std::string> arguments{request.toolchain.compiler.string()};
  arguments.insert(arguments.end(), request.flags.begin(), request.flags.end());
  if (request.toolchain.clang) arguments.emplace_back(kInstantiated);
  arguments.insert(arguments.end(), {"-x", "c++-header", header.string(), "-o", temporary.string()});
  const Finished run = run_to_end({.arguments = arguments, .environment = compiler_environment()},
                                  {.seconds = 30, .cancel = cancel});
  const bool made = run.start_error == 0 && run.status == 0 && !run.cancelled;
  if (made)
    fs::rename(temporary, result_of(request.toolchain, folder), error);
  else if (!run.cancelled)
    (void)write_file(folder / "failed", run.output);
  fs::remove(temporary, error);
  return made && fs::exists(result_of(request.toolchain, folder), error);
}

}  // namespace

std::string leading_includes(std::string_view source) {
  std::string found;
  bool in_comment = false;
  while (!source.empty()) {
    const auto end = source.find('\n');
    const std::string_view line = without_blanks(source.substr(0, end));
    source = end == std::string_view::npos ? std::string_view{} : source.substr(end + 1);
    if (in_comment || line.substr(0, 2) == "/*") {
      const auto close = line.find("*/");
      in_comment = close == std::string_view::npos;
      if (!in_comment && close + 2 != line.size()) break;  // something follows the comment: not handled here
      continue;
    }
    if (line.empty() || line.substr(0, 2) == "//") continue;
    if (!is_portable_include(line)) break;
    found += std::string(line) + "\n";
  }
  return found;
}

Precompiled precompile(const PrecompileRequest& request, const std::filesystem::path& cache,
                       const std::atomic<bool>* cancel) {
  ContentHash hash;
  hash.add(request.toolchain.identity).add(request.includes);
  if (request.toolchain.clang) hash.add(kInstantiated);
  for (const std::string& flag : request.flags) hash.add(flag);
  for (const fs::path& header : request.headers) hash.add(stamp(header));
  const fs::path headers = cache / "headers";
  Precompiled found{headers / hash.hex(), {}};
  remove_left_behind(headers);
  std::error_code error;
  const fs::path result = result_of(request.toolchain, found.folder);
  if (fs::exists(result, error)) {
    fs::last_write_time(found.folder, fs::file_time_type::clock::now(), error);
  } else {
    const bool made = make(request, found.folder, cancel);
    keep_newest(headers, kHeadersKept, kHeadersAtMost);
    if (!made) return found;
  }
  if (request.toolchain.clang)
    found.arguments = {"-include-pch", result.string()};
  else
    found.arguments = {"-include", (found.folder / "includes.hpp").string()};
  return found;
}

}  // namespace lab
