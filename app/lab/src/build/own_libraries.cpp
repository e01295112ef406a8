// SPDX-License-Identifier: MIT
// Compiles and links a lesson's own libraries, in the order in which lesson.toml names them, with one run of
// the compiler for each. See own_libraries.hpp. Nothing here depends on how the program is built.
#include "build/own_libraries.hpp"

#include "build/toolchain.hpp"

namespace lab {
namespace {

namespace fs = std::filesystem;

// "/usr/bin/clang++-19": "/usr/bin/clang-19". If there is no such file, the C++ compiler itself: it also
// compiles C if the language is given.
fs::path c_compiler_beside(const fs::path& compiler) {
  std::string name = compiler.filename().string();
  const auto swap = [&name](std::string_view from, std::string_view to) {
    if (const auto at = name.find(from); at != std::string::npos) name.replace(at, from.size(), to);
  };
  swap("clang++", "clang");
  swap("g++", "gcc");
  std::error_code error;
  const fs::path beside = compiler.parent_path() / name;
  return fs::exists(beside, error) ? beside : compiler;
}

}  // namespace

Result<LibraryCompiler> choose_library_compiler(const fs::path& include,
                                                const std::vector<std::string>& link) {
  std::string words;
  const auto toolchain = choose_toolchain(&words);
  if (!toolchain && words.empty()) return problem(Text::NoCompiler);
  if (!toolchain) return problem(Text::CompilersBroken, {words});
  LibraryCompiler compiler;
  compiler.program = c_compiler_beside(toolchain->compiler);
  compiler.identity = identity_of(compiler.program) + toolchain->linker;
  compiler.flags = {"-x", "c", "-std=c11", "-O0", "-g", "-Wall", "-fPIC", "-shared", "-I" + include.string()};
  if (!toolchain->linker.empty()) compiler.link.push_back("-fuse-ld=" + toolchain->linker);
  compiler.link.insert(compiler.link.end(), link.begin(), link.end());
  return compiler;
}

std::string file_name_of(const OwnLibrary& library) {
  return "lib" + library.name + ".so";
}

std::vector<std::string> library_arguments(const LibraryCompiler& compiler, const OwnLibrary& library,
                                           const std::string& output) {
  std::vector<std::string> arguments{compiler.program.string()};
  arguments.insert(arguments.end(), compiler.flags.begin(), compiler.flags.end());
  for (const std::string& source : library.sources) arguments.push_back(plain_argument(source));
  arguments.insert(arguments.end(), {"-o", output});
  arguments.insert(arguments.end(), compiler.link.begin(), compiler.link.end());
  return arguments;
}

Finished make_libraries(const LibraryCompiler& compiler, const std::vector<OwnLibrary>& libraries,
                        const fs::path& sources, const fs::path& into, const RunOptions& options) {
  Finished all;
  for (const OwnLibrary& library : libraries) {
    const auto arguments = library_arguments(compiler, library, (into / file_name_of(library)).string());
    if (!run_after(all,
                   {.arguments = arguments, .environment = compiler_environment(into), .folder = sources},
                   options))
      break;
  }
  return all;
}

}  // namespace lab
