// SPDX-License-Identifier: MIT
// The program itself: joins the command line and the window, which do not know each other. Before both it
// makes sure that the standard streams are open.
#include <fcntl.h>

#include <csignal>

#include "cli/command_line.hpp"
#if DRIVERLAB_GUI
#include "gui/window.hpp"
#endif

namespace {

// If one of the three standard streams is closed, the next opened file would get its number, and output would
// be written into that file. So a stream that cannot be written takes its place, and writing to it is an
// error.
void occupy_standard_streams() {
  for (const int stream : {0, 1, 2})
    if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", O_RDONLY) != stream) return;
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  // A file that must not grow any more (ulimit -f) is like a full disk: what could not be written is reported
  // and kept.
  std::signal(SIGXFSZ, SIG_IGN);
  cli::FrontEnd front_end;
#if DRIVERLAB_GUI
  front_end.open_window = [](const std::string& recording) {
    return gui::run_window({.recording = recording});
  };
  front_end.draw_shot = gui::draw_shot;
  front_end.draw_export = gui::draw_export;
#endif
  return cli::run(argc, argv, front_end);
}
