// SPDX-License-Identifier: MIT
// What has to happen in a separate process: asking a driver (it may hang or crash), and keeping a program
// (everything that it starts must be ended when it ends). Started only by the lab, to which it reports in
// lines of plain words. Nothing here depends on lessons or traces.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "supervisor.hpp"

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (mode == "probe" && argc == 3) return supervisor::probe(argv[2]);
  if (mode == "supervise" && argc > 6)
    return supervisor::supervise({.parent = std::atoi(argv[2]),
                                  .report = std::atoi(argv[3]),
                                  .memory_bytes = std::strtoull(argv[4], nullptr, 10),
                                  .output_bytes = std::strtoull(argv[5], nullptr, 10),
                                  .command = argv + 6});
  std::fputs("driverlab-supervisor is started by driverlab.\n", stderr);
  return 2;
}
