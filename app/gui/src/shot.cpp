// SPDX-License-Identifier: MIT
// One frame of the window into a PNG, without a display: the same drawing code over an offscreen picture.
//
// Nothing moves in it: the time does not change, motion shows its end, nothing is hovered. A lesson is first
// run to its end, on the embedded driver; a recording is read. Every failure has its own message and exit
// status.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "export_files.hpp"
#include "gui/window.hpp"
#include "lab/files.hpp"
#include "lab/workbench.hpp"
#include "offscreen.hpp"
#include "png_file.hpp"
#include "renderer.hpp"
#include "shell.hpp"

namespace gui {
namespace {

using lab::RunPhase;
using lab::Text;

// As the command line has them. kPart: of a recording that can be read in part only.
constexpr int kPart = 1, kUsage = 2, kNotHere = 3;
constexpr int kFrames = 6;  // ImGui needs a few until every size has settled

int complain(const lab::Problem& problem, lab::Language language, int status) {
  fmt::print(stderr, "driverlab: {}\n", problem.in(language));
  return status;
}

// Runs or reads what is to be shown. A program that fails is shown as it is: that is what the picture is for.
std::optional<lab::Problem> load(lab::Workbench& bench, const lab::ShotRequest& request) {
  if (!request.recording.empty()) {
    bench.open_recording(request.recording);
    while (bench.loading()) {
      bench.poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    while (bench.poll()) {
    }
    // A damaged recording is shown as far as it could be read, with its problem on the picture.
    if (bench.store().size() == 0 && !bench.problems().empty()) return bench.problems().back();
    return std::nullopt;
  }
  bench.choose(lab::DriverChoice::Embedded);
  bench.open_lesson(request.lesson);
  if (bench.lesson() == nullptr)
    return bench.problems().empty() ? lab::Problem{Text::LessonUnknown, {request.lesson}}
                                    : bench.problems().back();
  bench.run(false);
  const double most = bench.lesson()->limits.seconds + 120;  // the build comes first
  const auto started = std::chrono::steady_clock::now();
  for (;;) {
    bench.poll();
    const RunPhase phase = bench.phase();
    if (phase == RunPhase::Ended || phase == RunPhase::BuildFailed || phase == RunPhase::Idle) break;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
    if (elapsed.count() > most) {
      bench.stop();
      return lab::Problem{Text::ShotTooSlow, {fmt::format("{:.0f}", most)}};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  bench.poll();
  return std::nullopt;
}

std::optional<lab::Problem> place_cursor(lab::Workbench& bench, const lab::ShotRequest& request) {
  while (bench.poll()) {
  }
  const std::size_t calls = bench.store().calls();
  if (!request.call) {
    bench.jump(bench.model().moments());
    return std::nullopt;
  }
  if (*request.call > calls)
    return lab::Problem{Text::ShotNoSuchCall, {std::to_string(*request.call), std::to_string(calls)}};
  if (*request.call == 0)
    bench.jump(0);
  else
    bench.jump_to_call(*request.call - 1);
  return std::nullopt;
}

// What was wrong and did not keep the picture from being drawn.
int tell_problems(const lab::Workbench& bench, const lab::ShotRequest& request) {
  for (const lab::Problem& problem : bench.problems()) complain(problem, request.language, 0);
  return request.recording.empty() || bench.problems().empty() ? 0 : kPart;
}

// Reads the second run, and waits until it is known where the two part.
std::optional<lab::Problem> load_second(lab::Workbench& bench, const lab::ShotRequest& request) {
  using Beside = lab::Workbench::Beside;
  const bool ghost = !request.ghost.empty();
  if (request.beside.empty() && !ghost) return std::nullopt;
  const auto& file = ghost ? request.ghost : request.beside;
  bench.compare_with(file, ghost ? Beside::RunBefore : Beside::AnotherRun);
  while (bench.pair() == nullptr) {
    bench.poll();
    if (!bench.other()) return bench.problems().back();  // it could not be read
    if (bench.store().calls() == 0 && !bench.other()->loading) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return std::nullopt;
}

lab::Settings settings_for(const lab::ShotRequest& request) {
  lab::Settings settings;
  settings.scale = request.scale;
  settings.animations = false;
  settings.predict = request.predict;
  settings.theme = request.theme;
  return settings;
}

// Of --panel exercise:NAME, in a lesson that has exercises.
std::optional<lab::Problem> unknown_exercise(const lab::Workbench& bench, const lab::ShotRequest& request) {
  if (!request.panel.starts_with(lab::kOneExercise) || bench.exercises().empty()) return std::nullopt;
  const std::string name = request.panel.substr(lab::kOneExercise.size());
  if (lab::exercise_named(bench.exercises(), name) != nullptr) return std::nullopt;
  return lab::Problem{
      Text::ExerciseUnknown,
      {bench.lesson()->slug, name, fmt::format("{}", fmt::join(bench.lesson()->exercises, ", "))}};
}

// The window's frames without a window, one moment after the other.
class Studio {
 public:
  static lab::Result<std::unique_ptr<Studio>> create(lab::Workbench& bench, const lab::ShotRequest& request,
                                                     const std::filesystem::path& assets) {
    std::unique_ptr<Studio> studio(new Studio);
    std::string error;
    studio->offscreen_ = Offscreen::create(request.width, request.height, &error);
    if (!studio->offscreen_) return lab::problem(Text::ShotNoEgl, {error});
    studio->renderer_ = Renderer::create();
    if (!studio->renderer_) return lab::problem(Text::ShotNoEgl, {"libGL.so.1"});
    studio->width_ = request.width, studio->height_ = request.height;
    studio->shell_ =
        std::make_unique<Shell>(bench, studio->fonts_, settings_for(request), request.language, true);
    studio->shell_->compare_runs(!request.beside.empty());
    studio->pin_ = request.pin;
    if (!request.panel.empty() && !studio->shell_->open(request.panel))
      return lab::problem(Text::ShotPanelNeedsLesson, {request.panel});
    std::error_code missing;
    if (std::filesystem::exists(assets / "glossary.toml", missing)) studio->shell_->read_glossary(assets);
    if (request.language == lab::Language::Chinese && !studio->fonts_.has_chinese())
      studio->shell_->add_problem({Text::WindowNoChineseFont, {}});
    return studio;
  }
  ~Studio() { shell_.reset(); }
  Studio(const Studio&) = delete;
  Studio& operator=(const Studio&) = delete;

  // A PNG of the moment at the workbench's cursor; empty if libpng fails.
  std::string draw() {
    for (int i = 0; i < kFrames; ++i) {
      shell_->handle({});
      shell_->pin_call(pin_);
      if (shell_->collect_text() || fonts_.scale() != shell_->scale())
        renderer_->rebuild_fonts(fonts_, shell_->scale());
      renderer_->begin_frame(width_, height_, 1.0 / 60);
      ImGui::GetIO().MousePos = {-1e6f, -1e6f};
      ImGui::NewFrame();
      shell_->draw(static_cast<float>(width_), static_cast<float>(height_), 0);
      if (i + 1 == kFrames)
        renderer_->end_frame(width_, height_, shell_->theme()[Role::Window], true);
      else
        ImGui::Render();  // not shown: this frame only measures for the next one
    }
    return encode_png(Renderer::read(width_, height_), width_, height_);
  }

 private:
  Studio() = default;
  std::unique_ptr<Offscreen> offscreen_;
  std::unique_ptr<Renderer> renderer_;
  Fonts fonts_;
  std::unique_ptr<Shell> shell_;
  int width_ = 0, height_ = 0;
  std::optional<std::size_t> pin_;
};

lab::Result<std::string> draw(lab::Workbench& bench, const lab::ShotRequest& request,
                              const std::filesystem::path& assets) {
  const auto studio = Studio::create(bench, request, assets);
  if (!studio) return tl::unexpected<lab::Problem>(studio.error());
  std::string png = (*studio)->draw();
  if (png.empty()) return lab::problem(Text::ShotCannotWrite, {request.output.string(), "libpng"});
  return png;
}

lab::Result<std::string> draw_all(lab::Workbench& bench, const lab::ExportRequest& request, std::size_t to,
                                  const std::filesystem::path& assets) {
  const auto studio = Studio::create(bench, request.shot, assets);
  if (!studio) return tl::unexpected<lab::Problem>(studio.error());
  std::vector<ExportFrame> frames;
  for (std::size_t call = request.from; call <= to; ++call) {
    bench.jump_to_call(call - 1);
    ExportFrame frame;
    frame.png = (*studio)->draw();
    if (frame.png.empty())
      return lab::problem(Text::ShotCannotWrite, {request.shot.output.string(), "libpng"});
    frames.push_back(std::move(frame));
    if (request.progress) {
      fmt::print("{}/{}\n", call - request.from + 1, to - request.from + 1);
      std::fflush(stdout);
    }
  }
  std::string animated = animated_png(frames, 1200);
  if (animated.empty()) return lab::problem(Text::ShotCannotWrite, {request.shot.output.string(), "libpng"});
  return animated;
}

}  // namespace

int draw_shot(const lab::ShotRequest& request) {
  const lab::Language language = request.language;
  auto installation = lab::find_installation();
  if (!installation) return complain(installation.error(), language, kNotHere);
  lab::Workbench bench(*installation, lab::data_home());
  bench.set_language(language);
  if (const auto problem = load(bench, request)) return complain(*problem, language, kUsage);
  if (const auto problem = load_second(bench, request)) return complain(*problem, language, kUsage);
  if (const auto problem = place_cursor(bench, request)) return complain(*problem, language, kUsage);
  if (const auto problem = unknown_exercise(bench, request)) return complain(*problem, language, kUsage);
  const auto png = draw(bench, request, installation->assets);
  if (!png)
    return complain(png.error(), language, png.error().key == Text::ShotPanelNeedsLesson ? kUsage : kNotHere);
  if (const auto written = lab::write_file(request.output, *png); !written)
    return complain(written.error(), language, kUsage);
  const int status = tell_problems(bench, request);
  fmt::print("{}\n", lab::text(Text::ShotWritten, language,
                               {request.output.string(), std::to_string(request.width),
                                std::to_string(request.height), std::to_string(bench.call_at_cursor()),
                                std::to_string(bench.store().calls())}));
  return status;
}

int draw_export(const lab::ExportRequest& request) {
  const lab::ShotRequest& shot = request.shot;
  const lab::Language language = shot.language;
  auto installation = lab::find_installation();
  if (!installation) return complain(installation.error(), language, kNotHere);
  lab::Workbench bench(*installation, lab::data_home());
  bench.set_language(language);
  if (const auto problem = load(bench, shot)) return complain(*problem, language, kUsage);
  while (bench.poll()) {
  }
  const std::size_t calls = bench.store().calls(), to = request.to == 0 ? calls : request.to;
  if (request.from < 1 || request.from > to || to > calls || to - request.from >= lab::kMostSharedCalls)
    return complain(calls == 0 ? lab::Problem{Text::ExportNoCalls, {}}
                               : lab::Problem{Text::ExportRange,
                                              {std::to_string(request.from), std::to_string(to),
                                               std::to_string(calls), std::to_string(lab::kMostSharedCalls)}},
                    language, kUsage);
  const auto bytes = draw_all(bench, request, to, installation->assets);
  if (!bytes) return complain(bytes.error(), language, kNotHere);
  if (const auto written = lab::write_file(shot.output, *bytes); !written)
    return complain(written.error(), language, kUsage);
  const int status = tell_problems(bench, shot);
  fmt::print("{}\n", lab::text(Text::ExportWritten, language,
                               {shot.output.string(), std::to_string(request.from), std::to_string(to),
                                std::to_string(shot.width), std::to_string(shot.height)}));
  return status;
}

}  // namespace gui
