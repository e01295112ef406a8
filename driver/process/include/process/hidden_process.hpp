// SPDX-License-Identifier: MIT
// A process that the program does not see: no SIGCHLD, nothing that its wait() returns or waits for, none of
// its descriptors and only the variables of its environment that are named.
//
// A library that starts a child in the plain way changes the program that it is loaded into. So a helper that
// shares this address space and has no exit signal starts the process and ends at once; the process belongs
// to init then. Knows nothing of what is started. Safe to use from several threads at once.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace process {

struct HiddenProcess {
  std::string path;                    // of the program; nothing is searched
  std::vector<std::string> arguments;  // the first is the name that it goes by
  // Variables that are passed on, by how they begin ("HOME=", "DRIVERLAB_DUMP"), and those set for it.
  std::vector<std::string_view> kept_variables;
  std::vector<std::string> set_variables;
  // A descriptor of the caller that becomes its standard output and error; -1: both are /dev/null, as its
  // input always is.
  int output = -1;
  // Descriptors of the caller that become its 3, 4, … It has no others.
  std::vector<int> descriptors;
  bool own_group = false;          // kill(-process) ends all that it starts, too
  bool begins_at_root = false;     // works in "/", so that it keeps no folder in use
  bool randomised_layout = false;  // even where this process has none: no address here is one there
};

// Its number, or 0 when it could not be started. It has all signals as a new process has them. Whoever wants
// to know when it ends has to see that from something that it holds.
pid_t start(const HiddenProcess& wanted);

}  // namespace process
