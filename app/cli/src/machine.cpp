// SPDX-License-Identifier: MIT
// Only reads files, and asks a compiler for its version: looking must not hang and must not need special
// rights.
#include "machine.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/builder.hpp"

extern char** environ;

namespace cli {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

int nvidia_gpus() {
  int found = 0;
  std::error_code error;
  for (fs::directory_iterator i("/sys/bus/pci/devices", error), end; !error && i != end; i.increment(error))
    if (first_line(i->path() / "vendor") == "0x10de" && first_line(i->path() / "class").rfind("0x03", 0) == 0)
      ++found;
  return found;
}

// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.03  Tue …"
std::optional<std::string> kernel_driver() {
  std::istringstream words(first_line("/proc/driver/nvidia/version"));
  std::string word;
  while (words >> word)
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0 && word.find('.') != std::string::npos)
      return word;
  return std::nullopt;
}

int cuda_version(const fs::path& header) {
  std::ifstream file(header);
  std::string line;
  for (int lines = 0; lines < 5000 && std::getline(file, line); ++lines) {
    std::istringstream words(line);
    std::string define, name;
    int value = 0;
    if (words >> define >> name >> value && define == "#define" && name == "CUDA_VERSION") return value;
  }
  return 0;
}

std::vector<Toolkit> toolkits() {
  std::vector<fs::path> folders;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (!environment(name).empty()) folders.emplace_back(environment(name));
  std::error_code error;
  for (const char* parent : {"/usr/local", "/opt"})
    for (fs::directory_iterator i(parent, error), end; !error && i != end; i.increment(error))
      if (i->path().filename().string().rfind("cuda", 0) == 0) folders.push_back(i->path());
  folders.emplace_back("/usr");
  std::vector<Toolkit> found;
  std::set<fs::path> seen;
  for (const fs::path& folder : folders) {
    const fs::path header = folder / "include" / "cuda.h";
    const fs::path real = fs::canonical(header, error);
    if (error || !seen.insert(real).second) continue;
    if (const int version = cuda_version(real); version > 0) found.push_back({folder, version});
  }
  return found;
}

std::optional<fs::path> in_path(const std::string& name) {
  std::istringstream folders(environment("PATH"));
  std::string folder;
  while (std::getline(folders, folder, ':')) {
    if (folder.empty()) continue;
    fs::path candidate = fs::path(folder) / name;
    if (access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate)) return candidate;
  }
  return std::nullopt;
}

// The first line that `program --version` prints, waiting two seconds at most.
std::string version_line(const fs::path& program) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  std::string path = program.string(), option = "--version";
  char* arguments[] = {path.data(), option.data(), nullptr};
  pid_t child = 0;
  const bool started = posix_spawn(&child, path.c_str(), &actions, nullptr, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  pollfd readable = {ends[0], POLLIN, 0};
  while (started && text.size() < 4096 && text.find('\n') == std::string::npos &&
         poll(&readable, 1, 2000) > 0) {
    char buffer[512];
    const ssize_t count = read(ends[0], buffer, sizeof buffer);
    if (count <= 0) break;
    text.append(buffer, static_cast<std::size_t>(count));
  }
  close(ends[0]);
  if (started) {
    if (text.empty()) kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  return text.substr(0, text.find('\n'));
}

std::vector<Compiler> compilers() {
  std::vector<Compiler> found;
  for (const fs::path& path : lab::compilers()) found.push_back({path, version_line(path)});
  return found;
}

using Names = std::vector<std::string>;
// The first font file whose name begins with one of these.
std::optional<fs::path> font(const std::vector<fs::path>& files, const Names& beginnings) {
  for (const std::string& beginning : beginnings)
    for (const fs::path& file : files)
      if (file.filename().string().rfind(beginning, 0) == 0) return file;
  return std::nullopt;
}

std::vector<fs::path> font_files() {
  std::vector<fs::path> files;
  const std::string home = environment("HOME");
  for (const fs::path& folder : {fs::path("/usr/share/fonts"), fs::path("/usr/local/share/fonts"),
                                 fs::path(home) / ".local/share/fonts", fs::path(home) / ".fonts"}) {
    std::error_code error;
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator i(folder, options, error), end; !error && i != end;
         i.increment(error)) {
      const std::string extension = i->path().extension().string();
      if (extension == ".ttf" || extension == ".otf" || extension == ".ttc") files.push_back(i->path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Machine look_at_machine() {
  Machine machine;
  machine.nvidia_gpus = nvidia_gpus();
  machine.kernel_driver = kernel_driver();
  machine.toolkits = toolkits();
  machine.compilers = compilers();
  for (const char* name : {"mold", "ld.lld"})
    if (!machine.fast_linker) machine.fast_linker = in_path(name);
  for (const char* name : {"WAYLAND_DISPLAY", "DISPLAY"})
    if (!environment(name).empty()) machine.display = environment(name);
  const std::vector<fs::path> files = font_files();
  machine.chinese_font =
      font(files, {"NotoSansCJK", "NotoSansSC", "SourceHanSans", "wqy-", "DroidSansFallback"});
  machine.sans_font = font(files, {"Inter", "NotoSans-", "DejaVuSans"});
  machine.mono_font = font(files, {"JetBrainsMono", "NotoSansMono-", "DejaVuSansMono"});
  machine.debian = in_path("apt-get").has_value();
  return machine;
}

}  // namespace cli
