// SPDX-License-Identifier: MIT
// See outside.hpp.
#include "lab/outside.hpp"

#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <system_error>
#include <thread>

#include <sys/wait.h>

#include "base/spawn.hpp"

namespace lab {

namespace {

// Starts it and does not follow it; but its end has to be waited for.
Result<bool> start(SpawnRequest request) {
  request.environment = environment_with({});
  const pid_t process = spawn(request);
  if (process < 0)
    return problem(Text::OutsideNotStarted,
                   {request.arguments.front(), std::generic_category().message(errno)});
  std::thread([process] {
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
  }).detach();
  return true;
}

}  // namespace

Result<bool> open_in_editor(const std::filesystem::path& file) {
  const char* visual = std::getenv("VISUAL");
  std::istringstream wanted(visual != nullptr && *visual != '\0' ? visual : "xdg-open");
  SpawnRequest request;
  for (std::string word; wanted >> word;) request.arguments.push_back(word);
  if (request.arguments.empty()) request.arguments = {"xdg-open"};
  const auto program = find_program(request.arguments.front());
  if (!program) return problem(Text::EditorMissing, {request.arguments.front()});
  request.arguments.front() = program->string();
  request.arguments.push_back(file.string());
  return start(std::move(request));
}

// xclip stays in the background to provide the picture, on Wayland too (through its X server).
Result<bool> copy_picture(const std::filesystem::path& png) {
  const auto copier = find_program("xclip");
  if (!copier) return problem(Text::PictureNoCopier, {png.string()});
  SpawnRequest request;
  request.arguments = {copier->string(), "-selection", "clipboard", "-t", "image/png", "-i", png.string()};
  return start(std::move(request));
}

}  // namespace lab
