// SPDX-License-Identifier: MIT
// driverlab serve: the other side of --via. Started by another driverlab through a launcher, never by a
// person.
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "lab/remote.hpp"
#include "shell.hpp"

namespace cli {
namespace {

int serve(const Shell& shell) {
  if (isatty(STDIN_FILENO) == 1) return shell.fail({lab::Text::RemoteWrongRequest, {"stdin"}}, kUsage);
  const auto installation = lab::find_installation();
  if (!installation) return shell.fail(installation.error(), kNotHere);
  return lab::serve(STDIN_FILENO, STDOUT_FILENO, *installation);
}

}  // namespace

void add_serve(CLI::App& app, Shell& shell) {
  const auto act = [&shell] { return serve(shell); };
  subcommand(app, shell, "serve", lab::Text::CliServeAbout, act)->group("");  // not in the list
}

}  // namespace cli
