// SPDX-License-Identifier: MIT
// Builds a lesson as quickly as this machine can: an earlier result with the same content, else one run of
// the compiler with precompiled headers and the fastest linker there is. No shell is used, and nothing is
// written into the source folder.
#include "lab/builder.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "base/content_hash.hpp"
#include "base/folders.hpp"
#include "base/spawn.hpp"
#include "build/kernels.hpp"
#include "build/own_libraries.hpp"
#include "build/precompiled.hpp"
#include "build/toolchain.hpp"
#include "lab/files.hpp"

namespace lab {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double kCompilerSeconds = 60;
constexpr std::size_t kBuildsKept = 64, kBuildsAtMost = 80;

struct Plan {
  Toolchain toolchain;
  std::vector<std::string> flags;    // language and -I
  std::vector<std::string> unshown;  // flags that exclude headers of other toolkits
  std::vector<std::string> sources;
  KernelCompiler kernel_compiler;
  std::vector<std::string> kernels;
  LibraryCompiler c_compiler;
  std::vector<OwnLibrary> own_libraries;
  std::vector<std::string> link;  // -L, -l
  fs::path folder;                // where the sources lie
  fs::path cache;
  std::vector<fs::path> headers;  // check.hpp and cuda.h
  std::string includes;           // that all sources begin with
  bool single_source = false;     // the compiler is that of .cu files
};

bool has_kernels(const Lesson& lesson) {
  return std::any_of(lesson.sources.begin(), lesson.sources.end(),
                     [](const std::string& name) { return fs::path(name).extension() == ".cu"; });
}

// A program finds the toolkit's libraries by a RUNPATH. LD_LIBRARY_PATH, by which it finds the tracer, comes
// before a RUNPATH.
std::vector<std::string> driver_flags(const Driver& driver, bool by_nvcc) {
  std::error_code error;
  const bool has_plain_name = fs::exists(driver.library_folder / "libcuda.so", error);
  std::vector<std::string> flags{"-L" + driver.library_folder.string()};
  if (has_plain_name)
    flags.emplace_back("-lcuda");
  else if (by_nvcc)
    flags.insert(flags.end(), {"-Xlinker", "-l:libcuda.so.1"});
  else
    flags.emplace_back("-l:libcuda.so.1");
  return flags;
}

std::vector<std::string> link_flags(const Lesson& lesson, const Driver& driver, const Toolkit& toolkit) {
  const bool by_nvcc = toolkit.nvidia && has_kernels(lesson);
  std::vector<std::string> flags = driver_flags(driver, by_nvcc);
  if (lesson.libraries.empty()) return flags;
  flags.push_back("-L" + toolkit.library_folder.string());
  for (const std::string& library : lesson.libraries) flags.push_back("-l" + library);
  const std::string path = "--enable-new-dtags,-rpath," + toolkit.library_folder.string();
  if (by_nvcc)
    flags.insert(flags.end(), {"-cudart", "shared", "-Xlinker", path});
  else
    flags.push_back("-Wl," + path);
  return flags;
}

// nvcc passes only marked flags on to the host's compiler; cuda++ takes the flags as they are.
std::vector<std::string> flags_for(const Lesson& lesson, const Toolkit& toolkit) {
  if (!has_kernels(lesson)) return language_flags();
  std::vector<std::string> flags{"-std=c++20", "-O0", "-g"};
  if (toolkit.nvidia)
    flags.insert(flags.end(), {"-Xcompiler", "-Wall,-pthread"});
  else
    flags.insert(flags.end(), {"-Wall", "-pthread", "-Xcompiler", "-std=c++20"});
  return flags;
}

// A name for everything that the program is built from; nothing if the folder contains too many files.
std::optional<std::string> name_of_content(const Plan& plan) {
  ContentHash hash;
  hash.add(plan.toolchain.identity).add(plan.toolchain.linker).add(plan.folder.string());
  for (const auto* list :
       {&plan.flags, &plan.unshown, &plan.sources, &plan.link, &plan.kernels, &plan.kernel_compiler.flags})
    for (const std::string& word : *list) hash.add(word);
  for (const OwnLibrary& library : plan.own_libraries)
    for (const std::string& word : library_arguments(plan.c_compiler, library, library.name)) hash.add(word);
  if (!plan.own_libraries.empty()) hash.add(plan.c_compiler.identity);
  if (!plan.kernels.empty()) hash.add(plan.kernel_compiler.identity);
  for (const fs::path& header : plan.headers) hash.add(read_file(header).value_or(""));
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(plan.folder, error)) {
    std::error_code ignored;
    if (entry.is_regular_file(ignored)) files.push_back(entry.path());
    if (files.size() > 200) return std::nullopt;
  }
  if (error) return std::nullopt;
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const auto text = read_file(file, 4 << 20);
    if (!text) return std::nullopt;
    hash.add(file.string()).add(*text);
  }
  return hash.hex();
}

std::vector<std::string> compile_arguments(const Plan& plan, const std::vector<std::string>& extra,
                                           const std::string& output) {
  std::vector<std::string> arguments{plan.toolchain.compiler.string()};
  const auto add = [&arguments](const std::vector<std::string>& words) {
    arguments.insert(arguments.end(), words.begin(), words.end());
  };
  add(plan.flags);
  add(extra);
  for (const std::string& source : plan.sources) arguments.push_back(plain_argument(source));
  add({"-o", output});
  if (!plan.toolchain.linker.empty()) arguments.push_back("-fuse-ld=" + plan.toolchain.linker);
  if (!plan.own_libraries.empty()) {
    // Where the program goes, and found beside it when it runs.
    const fs::path beside = fs::path(output).parent_path();
    arguments.push_back("-L" + (beside.empty() ? "." : beside.string()));
    for (const OwnLibrary& library : plan.own_libraries) arguments.push_back("-l" + library.name);
    const std::string path = "--enable-new-dtags,-rpath,$ORIGIN";
    if (plan.toolchain.compiler.filename() == "nvcc")
      add({"-Xlinker", path});
    else
      arguments.push_back("-Wl," + path);
  }
  add(plan.link);
  return arguments;
}

std::string shown_command(const Plan& plan) {
  std::vector<std::string> arguments = compile_arguments(plan, {}, "main");
  arguments[0] = plan.toolchain.compiler.filename().string();
  std::string shown;
  for (const std::string& kernel : plan.kernels) {
    std::vector<std::string> words = kernel_arguments(plan.kernel_compiler, kernel, name_of_ptx(kernel));
    if (words.empty()) continue;
    words[0] = plan.kernel_compiler.program.filename().string();
    shown += command_line(words) + " && ";
  }
  for (const OwnLibrary& library : plan.own_libraries) {
    std::vector<std::string> words = library_arguments(plan.c_compiler, library, file_name_of(library));
    words[0] = plan.c_compiler.program.filename().string();
    shown += command_line(words) + " && ";
  }
  return shown + command_line(arguments);
}

bool complains_about_precompiled(const std::string& output) {
  return output.find("precompiled") != std::string::npos || output.find("PCH") != std::string::npos ||
         output.find(".pch") != std::string::npos || output.find(".gch") != std::string::npos;
}

Finished compile(const Plan& plan, const fs::path& program, const std::atomic<bool>* cancel) {
  PrecompileRequest request{plan.toolchain, plan.includes, plan.flags, plan.headers};
  request.flags.insert(request.flags.end(), plan.unshown.begin(), plan.unshown.end());
  Precompiled precompiled;
  if (!plan.includes.empty()) precompiled = precompile(request, plan.cache, cancel);
  const auto run = [&](std::vector<std::string> extra) {
    if (!plan.single_source) extra.emplace_back("-fdiagnostics-color=never");
    extra.insert(extra.end(), plan.unshown.begin(), plan.unshown.end());
    return run_to_end({.arguments = compile_arguments(plan, extra, program.string()),
                       .environment = compiler_environment(program.parent_path()),
                       .folder = plan.folder},
                      {.seconds = kCompilerSeconds, .cancel = cancel});
  };
  Finished finished = run(precompiled.arguments);
  const bool stale =
      finished.status != 0 && !precompiled.arguments.empty() && complains_about_precompiled(finished.output);
  if (stale) {  // damaged, or a system header changed below it
    std::error_code error;
    fs::remove_all(precompiled.folder, error);
    finished = run(precompile(request, plan.cache, cancel).arguments);
  }
  return finished;
}

// Why the compiler could not do its work, as opposed to mistakes that it found in the source.
std::optional<Problem> trouble(const Finished& finished, const std::string& name) {
  if (finished.start_error != 0)
    return Problem{Text::CompilerNotStarted, {name, std::generic_category().message(finished.start_error)}};
  if (finished.cancelled) return Problem{Text::BuildCancelled, {}};
  if (finished.timed_out)
    return Problem{Text::CompilerTooSlow, {name, std::to_string(static_cast<int>(kCompilerSeconds))}};
  const bool own_fault = WIFSIGNALED(finished.status) ||
                         finished.output.find("internal compiler error") != std::string::npos ||
                         finished.output.find("PLEASE submit a bug report") != std::string::npos;
  if (own_fault) return Problem{Text::CompilerCrashed, {name}};
  return std::nullopt;
}

Problem does_not_compile(const std::vector<Diagnostic>& diagnostics, const fs::path& folder) {
  const auto first = std::find_if(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Diagnostic::Severity::Error;
  });
  if (first == diagnostics.end()) return {Text::BuildFailed, {folder.string()}};
  if (first->line == 0) return {Text::BuildFailedWithWords, {first->message}};
  return {Text::BuildFailedAt, {first->file, std::to_string(first->line), first->message}};
}

// The includes at the beginning of every source, if all sources begin with the same ones and none of them is
// a file of the folder.
std::string common_includes(const Lesson& lesson, const fs::path& folder) {
  std::string common;
  std::error_code error;
  if (fs::exists(folder / "check.hpp", error)) return {};
  for (std::size_t i = 0; i < lesson.sources.size(); ++i) {
    const std::string own = leading_includes(read_file(folder / lesson.sources[i]).value_or(""));
    if (i == 0) common = own;
    if (own != common) return {};
  }
  return common;
}

Result<Toolchain> toolchain_for(const Lesson& lesson, const Toolkit& toolkit) {
  std::error_code error;
  if (has_kernels(lesson)) {
    if (!fs::exists(toolkit.compiler, error))
      return problem(Text::PartMissing, {toolkit.compiler.string(), remaking_command()});
    return toolchain_of(toolkit);
  }
  std::string words;
  const auto toolchain = choose_toolchain(&words);
  if (!toolchain && words.empty()) return problem(Text::NoCompiler);
  if (!toolchain) return problem(Text::CompilersBroken, {words});
  return *toolchain;
}

Result<Plan> make_plan(const Lesson& lesson, const fs::path& source_folder, const Driver& driver,
                       const Installation& installation) {
  const Toolkit toolkit = choose_toolkit(driver, installation);
  const Result<Toolchain> toolchain = toolchain_for(lesson, toolkit);
  if (!toolchain) return tl::unexpected<Problem>(toolchain.error());
  Plan plan;
  plan.toolchain = *toolchain;
  plan.cache = cache_folder();
  plan.single_source = has_kernels(lesson);
  std::error_code error;
  plan.folder = fs::absolute(source_folder, error);
  plan.flags = flags_for(lesson, toolkit);
  const fs::path& include = lesson.libraries.empty() ? driver.include : toolkit.include;
  for (const fs::path& folder : {installation.lessons, include}) plan.flags.push_back("-I" + folder.string());
  plan.headers = {installation.lessons / "check.hpp", include / "cuda.h"};
  if (!lesson.libraries.empty())
    for (const char* name : {"cuda_runtime_api.h", "cuda_runtime.h", "nvrtc.h"})
      plan.headers.push_back(include / name);
  for (const fs::path& header : plan.headers)
    if (!fs::exists(header, error))
      return problem(Text::HeaderMissing, {header.string(), remaking_command()});
  // The counterparts of check.hpp for the runtime and NVRTC.
  for (const char* name : {"check_runtime.hpp", "check_nvrtc.hpp"})
    plan.headers.push_back(installation.lessons / name);
  for (const std::string& file : lesson.files())
    if (!fs::exists(plan.folder / file, error))
      return problem(Text::SourceMissing, {(plan.folder / file).string()});
  if (!lesson.own_libraries.empty()) {
    const Result<LibraryCompiler> compiler = choose_library_compiler(include, driver_flags(driver, false));
    if (!compiler) return tl::unexpected<Problem>(compiler.error());
    plan.c_compiler = *compiler;
    plan.own_libraries = lesson.own_libraries;
    plan.flags.push_back("-I" + plan.folder.string());  // for the header, wherever the program lies
  }
  if (!driver.real && !plan.single_source) plan.unshown = flags_without_other_toolkits(plan.toolchain);
  plan.sources = lesson.sources;
  plan.kernels = lesson.kernels;
  plan.kernel_compiler = choose_kernel_compiler(driver, installation);
  plan.link = link_flags(lesson, driver, toolkit);
  if (!plan.single_source) plan.includes = common_includes(lesson, plan.folder);
  return plan;
}

void finish_from(const fs::path& folder, const Plan& plan, BuildResult& result) {
  result.ok = true;
  result.program = folder / "main";
  result.output = read_file(folder / "output.txt").value_or("");  // only where there were warnings
  result.diagnostics = parse_diagnostics(result.output, plan.folder);
}

void build(const Plan& plan, const std::atomic<bool>* cancel, BuildResult& result) {
  const fs::path builds = plan.cache / "builds";
  std::error_code error;
  fs::create_directories(builds, error);
  const auto name = name_of_content(plan);
  const fs::path kept = name ? builds / *name : fs::path();
  if (name && fs::exists(kept / "main", error)) {
    fs::last_write_time(kept, fs::file_time_type::clock::now(), error);
    result.cached = true;
    return finish_from(kept, plan, result);
  }
  std::string fresh = (builds / "making-XXXXXX").string();
  if (::mkdtemp(fresh.data()) == nullptr) {
    result.problem = Problem{Text::FileCannotWrite, {fresh, std::generic_category().message(errno)}};
    return;
  }
  Finished finished = make_kernels(plan.kernel_compiler, plan.kernels, plan.folder, fresh,
                                   {.seconds = kCompilerSeconds, .cancel = cancel});
  result.problem = trouble(finished, plan.kernel_compiler.program.string());
  if (!result.problem && finished.status == 0 && !plan.own_libraries.empty()) {
    Finished libraries = make_libraries(plan.c_compiler, plan.own_libraries, plan.folder, fresh,
                                        {.seconds = kCompilerSeconds, .cancel = cancel});
    libraries.output.insert(0, finished.output);
    finished = std::move(libraries);
    result.problem = trouble(finished, plan.c_compiler.program.string());
  }
  if (!result.problem && finished.status == 0) {
    Finished program = compile(plan, fs::path(fresh) / "main", cancel);
    program.output.insert(0, finished.output);
    finished = std::move(program);
    result.problem = trouble(finished, plan.toolchain.compiler.string());
  }
  result.output = finished.output;
  result.diagnostics = parse_diagnostics(finished.output, plan.folder);
  if (!result.problem && finished.status != 0)
    result.problem = does_not_compile(result.diagnostics, plan.folder);
  if (result.problem) {
    fs::remove_all(fresh, error);
    return;
  }
  // Not write_file(): a cache may be lost in a power cut, and waiting for the disk would delay every run.
  if (!finished.output.empty())
    std::ofstream(fs::path(fresh) / "output.txt", std::ios::binary) << finished.output;
  if (name) fs::rename(fresh, kept, error);
  finish_from(name && !error ? kept : fs::path(fresh), plan, result);
  // A program that runs at this moment keeps running without its file.
  keep_newest(builds, kBuildsKept, kBuildsAtMost);
}

}  // namespace

BuildResult build_lesson(const Lesson& lesson, const std::filesystem::path& source_folder,
                         const Driver& driver, const Installation& installation,
                         const std::atomic<bool>* cancel) {
  const auto begin = Clock::now();
  BuildResult result;
  const Result<Plan> plan = make_plan(lesson, source_folder, driver, installation);
  if (plan) {
    result.command = shown_command(*plan);
    build(*plan, cancel, result);
  } else {
    result.problem = plan.error();
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return result;
}

}  // namespace lab
