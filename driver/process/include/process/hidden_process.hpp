// SPDX-License-Identifier: MIT
// A process that the program does not notice: it causes no SIGCHLD, and the program's wait() does not see it.
// It has none of the program's descriptors, and only the named variables of its environment.
//
// If a library starts a child in the usual way, it changes the program into which it is loaded. So a helper
// process, which shares this address space and has no exit signal, starts the process and ends at once; the
// process is then a child of init. Does not depend on what is started. Safe to use from several threads at
// once.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace process {

struct HiddenProcess {
  std::string path;                    // of the program; PATH is not searched
  std::vector<std::string> arguments;  // the first is the name of the process
  // Variables that are passed on, given by how they begin ("HOME=", "DRIVERLAB_DUMP"), and variables set for
  // it.
  std::vector<std::string_view> kept_variables;
  std::vector<std::string> set_variables;
  // A descriptor of the caller that becomes its standard output and error; -1: both are /dev/null. Its input
  // is always /dev/null.
  int output = -1;
  // Descriptors of the caller that become its 3, 4, … It has no others.
  std::vector<int> descriptors;
  bool own_group = false;       // kill(-process) also ends all processes that it starts
  bool begins_at_root = false;  // its working folder is "/", so that it keeps no other folder in use
  // Random, even if this process has no such layout, and with its mappings far below those of this process:
  // an address that is taken here is free there.
  bool layout_apart = false;
};

// Returns its process id, or 0 if it could not be started. All signals have the state of a new process. A
// caller that needs to know when it ends has to use something that the process holds, such as a pipe.
pid_t start(const HiddenProcess& wanted);

}  // namespace process
