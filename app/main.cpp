// SPDX-License-Identifier: MIT
// The empty shell: joins the command line and the window, which do not know each other.
#include "cli/command_line.hpp"
#if DRIVERLAB_GUI
#include "gui/window.hpp"
#endif

#if DRIVERLAB_GUI
namespace {

gui::ShotOptions shot_of(const cli::ShotRequest& request) {
  return {.output = request.output,
          .lesson = request.lesson,
          .recording = request.recording,
          .beside = request.beside,
          .pin = request.pin,
          .call = request.call,
          .language = request.language,
          .scale = request.scale,
          .width = request.width,
          .height = request.height,
          .theme = request.theme,
          .predict = request.predict,
          .panel = request.panel};
}

}  // namespace
#endif

int main(int argc, char** argv) {
  cli::FrontEnd front_end;
#if DRIVERLAB_GUI
  front_end.open_window = [](const std::string& recording) {
    return gui::run_window({.recording = recording});
  };
  front_end.draw_shot = [](const cli::ShotRequest& request) { return gui::draw_shot(shot_of(request)); };
  front_end.draw_export = [](const cli::ExportRequest& request) {
    return gui::draw_export({.shot = shot_of(request.shot),
                             .from = request.from,
                             .to = request.to,
                             .progress = request.progress});
  };
#endif
  return cli::run(argc, argv, front_end);
}
