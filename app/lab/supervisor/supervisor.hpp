// SPDX-License-Identifier: MIT
// The two things that driverlab-supervisor does: asking a driver what it is (probe), and keeping a program
// (supervise). main.cpp chooses; the lab starts it and reads its lines (src/run/supervised_program.cpp,
// src/build/real_driver.cpp).
#pragma once
#include <sys/types.h>

#include <cstdint>

namespace supervisor {

// Asks the driver at this path and prints lines: "init RESULT", "version N", "devices N", "name TEXT" for
// each.
int probe(const char* library);

struct Supervision {
  pid_t parent;                // the lab: when it ends, the program is ended too. 0: the program goes on
  int report;                  // descriptor for the lines below
  std::uint64_t memory_bytes;  // resident, of the program and all it started; 0: no limit
  std::uint64_t output_bytes;  // stdout and stderr together; 0: no limit
  char** command;
};
// Runs the command and reports: "started PID", then "running 0" or "failed ERRNO", then perhaps "left N"
// (processes that it started and that did not end soon after it), then one of "ended STATUS", "memory BYTES",
// "output BYTES", "processes N" (limits), "stopped 0" (by SIGTERM, or because the lab ended). Returns when
// nothing that the program started is left.
int supervise(const Supervision& request);

}  // namespace supervisor
