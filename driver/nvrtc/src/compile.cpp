// SPDX-License-Identifier: MIT
// See compile.hpp: the steps of a compilation in order, and the temporary folder in which they happen.
#include "compile.hpp"

#include <dlfcn.h>
#include <ftw.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "child_process.hpp"
#include "kept_results.hpp"
#include "lowered_names.hpp"
#include "report.hpp"

namespace nvrtc {
namespace {

namespace fs = std::filesystem;

// ptxcc lies beside the library: lib/libnvrtc.so.13, bin/ptxcc.
std::string ptxcc_path() {
  Dl_info info = {};
  static const int here = 0;
  if (dladdr(&here, &info) == 0 || info.dli_fname == nullptr) return "";
  std::error_code error;
  const fs::path real = fs::canonical(info.dli_fname, error);
  return error ? "" : (real.parent_path().parent_path() / "bin" / "ptxcc").string();
}

// A folder of its own that is gone at the end.
class Folder {
 public:
  Folder() {
    const char* const given = std::getenv("TMPDIR");
    std::string name = std::string(given != nullptr && *given != '\0' ? given : "/tmp") + "/nvrtc.XXXXXXXX";
    if (mkdtemp(name.data()) != nullptr) path_ = std::move(name);
  }
  ~Folder() {
    if (path_.empty()) return;
    // The standard library's way ends the process where it has no memory.
    const auto remove_one = [](const char* path, const struct stat*, int, FTW*) { return std::remove(path); };
    constexpr int kDescriptors = 8;
    nftw(path_.c_str(), remove_one, kDescriptors, FTW_DEPTH | FTW_PHYS);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  bool good() const { return !path_.empty(); }
  const std::string& path() const { return path_; }
  std::string file(const char* name) const { return path_ + "/" + name; }
  // Deep, so that a header called ../../name is still in it.
  std::string headers() const { return path_ + "/x/x/x/x/x/x/x/x"; }
  // False for a name that would lie outside.
  bool write_header(const Header& header) const {
    const fs::path place = (fs::path(headers()) / header.name).lexically_normal();
    if (!place.string().starts_with(path_ + "/x/")) return false;
    std::error_code error;
    fs::create_directories(place.parent_path(), error);
    return !error && write(place, header.text);
  }
  static bool write(const fs::path& place, const std::string& text) {
    std::ofstream file(place, std::ios::binary);
    file << text;
    return static_cast<bool>(file.flush());
  }

 private:
  std::string path_;
};

// Not by a stream, which keeps to itself that it had no memory and gives what it has.
std::string read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"), std::fclose);
  if (file == nullptr) return "";
  std::string text;
  std::array<char, 16384> piece = {};
  while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), file.get()))
    text.append(piece.data(), got);
  return std::ferror(file.get()) == 0 ? text : "";
}

std::string line_mark(const std::string& name) {
  std::string escaped;
  for (const char letter : name) {
    if (letter == '"' || letter == '\\') escaped += '\\';
    if (letter != '\n') escaped += letter;
  }
  return "#line 1 \"" + escaped + "\"\n";
}

// The unit that the compiler sees. What has no execution space is of the host unless the option says
// otherwise.
std::string unit(const Source& source, const Options& options, const std::string& ptxcc) {
  // What NVRTC has without an #include, beside what ptxcc has: the types of the runtime among it.
  const fs::path types = fs::path(ptxcc).parent_path().parent_path() / "include" / "driver_types.h";
  std::string text = "#include <assert.h>\ntypedef long clock_t;\n#include \"" + types.string() + "\"\n";
  if (options.default_device)
    text +=
        "#pragma clang force_cuda_host_device begin\n"
        "#pragma clang attribute push(__attribute__((device)), apply_to = variable(is_global))\n";
  text += line_mark(source.name) + source.text + "\n";
  if (options.default_device)
    text += "#pragma clang attribute pop\n#pragma clang force_cuda_host_device end\n";
  return text + name_lines(source.expressions);
}

std::vector<std::string> command_line(const Source& source, const Options& options, const Folder& folder,
                                      const std::string& ptxcc) {
  std::vector<std::string> command = {ptxcc};
  const auto clang = [&command](const std::string& option) {
    command.emplace_back("-Xclang-option");
    command.push_back(option);
  };
  for (const char* const option : {"-fno-diagnostics-show-line-numbers", "-fmessage-length=0",
                                   "-fno-diagnostics-fixit-info", "-ferror-limit=100", "-ftabstop=1"})
    clang(option);
  for (const char* const option : {"-Wunused-variable", "-Wunused-function", "-D__CUDACC_RTC__=1"})
    command.emplace_back(option);
  if (!source.headers.empty()) {
    clang("-iquote");
    clang(folder.headers());
  }
  if (options.look_beside_source) {
    const fs::path beside = fs::path(source.name).parent_path();
    clang("-iquote");
    clang(beside.empty() ? "." : beside.string());
  }
  if (!source.headers.empty()) command.push_back("-I" + folder.headers());
  for (const std::string& path : options.include_paths) command.push_back("-I" + path);
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  for (const char* const word : {"-MD", "-MF"}) command.emplace_back(word);
  command.push_back(folder.file("program.d"));
  command.emplace_back("-o");
  command.push_back(folder.file("program.ptx"));
  command.push_back(folder.file("program.cu"));
  return command;
}

// The files in a make rule that are not in the folder.
std::vector<std::string> included_files(const std::string& rule, const std::string& hidden) {
  std::vector<std::string> files;
  std::string name;
  const auto end = [&] {
    if (!name.empty() && name.back() != ':' && !name.starts_with(hidden)) files.push_back(name);
    name.clear();
  };
  for (std::size_t at = 0; at < rule.size(); ++at) {
    const char letter = rule[at];
    if (letter == '\\' && at + 1 < rule.size() && (rule[at + 1] == ' ' || rule[at + 1] == '#')) {
      name += rule[++at];
    } else if (letter == '\\' && at + 1 < rule.size() && rule[at + 1] == '\n') {
      ++at;
      end();
    } else if (letter == ' ' || letter == '\n') {
      end();
    } else {
      name += letter;
    }
  }
  end();
  return files;
}

ChildLimits limits_from_environment() {
  ChildLimits limits;
  if (const char* const text = std::getenv("DRIVERLAB_NVRTC_SECONDS"))
    if (const int seconds = std::atoi(text); seconds > 0) limits.time = std::chrono::seconds(seconds);
  return limits;
}

Compiled failed(nvrtcResult result, std::string log) {
  return {result, std::move(log), "", {}};
}

// Whether it took place at all; the words for it when it did not.
Compiled run_ptxcc(const std::vector<std::string>& command, const Folder& folder,
                   const std::function<bool()>& cancelled, std::string& output) {
  const ChildLimits limits = limits_from_environment();
  ChildResult child = run_child(command, folder.path(), limits, cancelled);
  output = std::move(child.output);
  switch (child.ended) {
    case Ended::ByItself:
      return {};
    case Ended::Cancelled:
      return failed(NVRTC_ERROR_CANCELLED, "");
    case Ended::TooLong:
      return failed(NVRTC_ERROR_COMPILATION, "nvrtc: error: compiling took more than " +
                                                 std::to_string(limits.time.count()) + " seconds\n");
    case Ended::NotStarted:
      break;
  }
  return failed(NVRTC_ERROR_INTERNAL_ERROR, "nvrtc: error: the compiler could not be started\n");
}

// Not the program's mistake but the compiler's: it is missing, of another version, or crashed.
bool told_by_ptxcc(const std::string& output) {
  return output.starts_with("ptxcc: ") || output.find("\nptxcc: ") != std::string::npos;
}

// Only the text before the first definition.
std::string without_code(const std::string& ptx) {
  const std::size_t size = ptx.find(".address_size");
  return size == std::string::npos ? ptx : ptx.substr(0, ptx.find('\n', size) + 1);
}

Compiled compile_anew(const Source& source, const Options& options, const std::string& ptxcc,
                      const std::function<bool()>& cancelled, std::vector<std::string>& files) {
  const Folder folder;
  if (!folder.good() || !Folder::write(folder.file("program.cu"), unit(source, options, ptxcc)))
    return failed(NVRTC_ERROR_INTERNAL_ERROR, "nvrtc: error: no temporary folder could be made\n");
  std::error_code ignored;
  fs::create_directories(folder.headers(), ignored);
  for (const Header& header : source.headers)
    if (!folder.write_header(header))
      return failed(NVRTC_ERROR_COMPILATION,
                    "nvrtc: error: the embedded toolkit takes no header with the name " + header.name + "\n");
  std::string output;
  Compiled result = run_ptxcc(command_line(source, options, folder, ptxcc), folder, cancelled, output);
  if (result.result != NVRTC_SUCCESS) return result;
  Report report = make_report(output, options, source.name, {folder.file(""), folder.headers() + "/"},
                              source.expressions);
  result.log = std::move(report.log);
  result.ptx = read_file(folder.file("program.ptx"));
  if (report.errors > 0) return failed(NVRTC_ERROR_COMPILATION, std::move(result.log));
  if (result.ptx.empty())
    return failed(told_by_ptxcc(output) ? NVRTC_ERROR_INTERNAL_ERROR : NVRTC_ERROR_COMPILATION, output);
  LoweredNames names = take_lowered_names(result.ptx, source.expressions);
  if (!names.log.empty())
    return failed(
        NVRTC_ERROR_COMPILATION,
        result.log + names.log + "1 error detected in the compilation of \"" + source.name + "\".\n");
  result.lowered = std::move(names.names);
  if (options.syntax_only) result.ptx = without_code(result.ptx);
  files = included_files(read_file(folder.file("program.d")), folder.file(""));
  return result;
}

// What --time asks for: a table, into a file or into the log.
void tell_time(const Source& source, const Options& options, std::chrono::steady_clock::duration took,
               Compiled& result) {
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(took).count();
  const std::string row = source.name + ", CUDA C++ Frontend, " + std::to_string(milliseconds) + ", ms\n";
  const std::string head = "File name, phase name, metric, unit\n";
  if (options.time_file == "-") {
    result.log += "\n" + head + row;
    return;
  }
  std::ofstream file(options.time_file, std::ios::app);
  if (file.tellp() == std::streampos(0)) file << head;
  file << row;
  if (!file.flush()) result.result = NVRTC_ERROR_TIME_FILE_WRITE_FAILED;
}

}  // namespace

Compiled compile(const Source& source, const Options& options, const std::function<bool()>& cancelled) {
  if (cancelled()) return failed(NVRTC_ERROR_CANCELLED, "");
  const std::string ptxcc = ptxcc_path();
  if (ptxcc.empty() || access(ptxcc.c_str(), X_OK) != 0)
    return failed(NVRTC_ERROR_INTERNAL_ERROR,
                  "nvrtc: error: ptxcc is missing; build or copy the whole embedded/ folder\n");
  const auto begin = std::chrono::steady_clock::now();
  const runner::CacheKey key = key_of(source, options, ptxcc);
  std::optional<Compiled> kept = options.cached ? find_result(key) : std::nullopt;
  Compiled result;
  if (kept) {
    result = std::move(*kept);
  } else {
    std::vector<std::string> files;
    result = compile_anew(source, options, ptxcc, cancelled, files);
    if (options.cached && result.result == NVRTC_SUCCESS) keep_result(key, result, files);
  }
  result.log.insert(0, options.log);
  if (!options.time_file.empty() && result.result == NVRTC_SUCCESS)
    tell_time(source, options, std::chrono::steady_clock::now() - begin, result);
  return result;
}

}  // namespace nvrtc
