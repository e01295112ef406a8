// SPDX-License-Identifier: MIT
// See lab/own_program.hpp.
#include "lab/own_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <system_error>

#include "lab/files.hpp"
#include "lab/path_choices.hpp"
#include "lab/remote.hpp"

namespace lab {
namespace {

Limits no_limits() {
  Limits limits;
  limits.seconds = 0;
  limits.memory_bytes = std::numeric_limits<std::uint64_t>::max();
  limits.output_bytes = std::uint64_t{1} << 40;
  return limits;
}

}  // namespace

RunRequest request_for(std::vector<std::string> command, const std::filesystem::path& folder) {
  RunRequest request;
  request.info.program = fmt::format("{}", fmt::join(command, " "));
  request.command = std::move(command);
  request.working_folder = request.source_folder = folder;
  request.limits = no_limits();
  request.outlives = true;
  request.trace_bytes = half_of_memory();
  return request;
}

Result<RunRequest> request_for(const OwnProgram& program) {
  auto command = split_launcher(program.command, "");
  if (!command) return problem(Text::ProgramOpenQuote, {program.command});
  if (command->empty()) return problem(Text::ProgramNone, {});
  auto environment = split_launcher(program.environment, "");
  if (!environment) return problem(Text::ProgramOpenQuote, {program.environment});
  for (const std::string& variable : *environment)
    if (const std::size_t end = variable.find('='); end == std::string::npos || end == 0)
      return problem(Text::ProgramEnvironment, {variable});
  std::error_code error;
  std::filesystem::path folder = std::filesystem::absolute(typed_path(program.folder), error);
  if (program.folder.empty()) folder = std::filesystem::current_path(error);
  if (!std::filesystem::is_directory(folder, error)) return problem(Text::ProgramFolder, {folder.string()});
  std::string& name = command->front();
  if (name.starts_with("~/")) name = typed_path(name).string();
  if (name.find('/') != std::string::npos && name.front() != '/')
    name = (folder / name).lexically_normal().string();
  RunRequest request = request_for(std::move(*command), folder);
  request.info.program = program.command;
  request.environment = std::move(*environment);
  return request;
}

bool NamedSources::read(const trace::Store& store) {
  constexpr std::size_t kMostFiles = 50;
  constexpr std::uint64_t kMostBytes = 1 << 20;
  const std::size_t known = texts_.size();
  for (; seen_ < store.calls() && looked_at_.size() < kMostFiles; ++seen_) {
    const std::string file = folder_.empty() ? "" : store.at(store.event_of_call(seen_)).file;
    const std::filesystem::path path = std::filesystem::path(file).lexically_normal();
    if (file.empty() || path.is_absolute() || *path.begin() == ".." || !looked_at_.insert(file).second)
      continue;
    if (auto text = read_file(folder_ / path, kMostBytes); text && !text->empty())
      texts_[file] = std::move(*text);
  }
  return texts_.size() != known;
}

}  // namespace lab
