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

std::optional<lab::Problem> problem_of(const ShotOptions& options) {
  if (options.width < 320 || options.width > 7680 || options.height < 240 || options.height > 4320)
    return lab::Problem{Text::ShotBadSize, {std::to_string(options.width), std::to_string(options.height)}};
  if (options.scale < 75 || options.scale > 250)
    return lab::Problem{Text::ShotBadScale, {std::to_string(options.scale)}};
  if (!parse_theme(options.theme)) return lab::Problem{Text::ShotBadTheme, {options.theme}};
  return std::nullopt;
}

// Runs or reads what is to be shown. A program that fails is shown as it is: that is what the picture is for.
std::optional<lab::Problem> load(lab::Workbench& bench, const ShotOptions& options) {
  if (!options.recording.empty()) {
    bench.open_recording(options.recording);
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
  bench.open_lesson(options.lesson);
  if (bench.lesson() == nullptr)
    return bench.problems().empty() ? lab::Problem{Text::LessonUnknown, {options.lesson}}
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

std::optional<lab::Problem> place_cursor(lab::Workbench& bench, const ShotOptions& options) {
  while (bench.poll()) {
  }
  const std::size_t calls = bench.store().calls();
  if (!options.call) {
    bench.jump(bench.model().moments());
    return std::nullopt;
  }
  if (*options.call > calls)
    return lab::Problem{Text::ShotNoSuchCall, {std::to_string(*options.call), std::to_string(calls)}};
  if (*options.call == 0)
    bench.jump(0);
  else
    bench.jump_to_call(*options.call - 1);
  return std::nullopt;
}

// What was wrong and did not keep the picture from being drawn.
int tell_problems(const lab::Workbench& bench, const ShotOptions& options) {
  for (const lab::Problem& problem : bench.problems()) complain(problem, options.language, 0);
  return options.recording.empty() || bench.problems().empty() ? 0 : kPart;
}

// Reads the second run, and waits until it is known where the two part.
std::optional<lab::Problem> load_beside(lab::Workbench& bench, const ShotOptions& options) {
  if (options.beside.empty()) return std::nullopt;
  bench.compare_with(options.beside);
  while (bench.pair() == nullptr) {
    bench.poll();
    if (!bench.other()) return bench.problems().back();  // it could not be read
    if (bench.store().calls() == 0 && !bench.other()->loading) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return std::nullopt;
}

lab::Settings settings_for(const ShotOptions& options) {
  lab::Settings settings;
  settings.scale = options.scale;
  settings.animations = false;
  settings.predict = options.predict;
  const ThemeName theme = parse_theme(options.theme).value_or(ThemeName::Dark);
  settings.theme = static_cast<lab::ThemeChoice>(static_cast<int>(theme));
  return settings;
}

// Of --panel exercise:NAME, in a lesson that has exercises.
std::optional<lab::Problem> unknown_exercise(const lab::Workbench& bench, const ShotOptions& options) {
  if (!options.panel.starts_with(lab::kOneExercise) || bench.exercises().empty()) return std::nullopt;
  const std::string name = options.panel.substr(lab::kOneExercise.size());
  if (lab::exercise_named(bench.exercises(), name) != nullptr) return std::nullopt;
  return lab::Problem{
      Text::ExerciseUnknown,
      {bench.lesson()->slug, name, fmt::format("{}", fmt::join(bench.lesson()->exercises, ", "))}};
}

// The window's frames without a window, one moment after the other.
class Studio {
 public:
  static lab::Result<std::unique_ptr<Studio>> create(lab::Workbench& bench, const ShotOptions& options,
                                                     const std::filesystem::path& assets) {
    std::unique_ptr<Studio> studio(new Studio);
    std::string error;
    studio->offscreen_ = Offscreen::create(options.width, options.height, &error);
    if (!studio->offscreen_) return lab::problem(Text::ShotNoEgl, {error});
    studio->renderer_ = Renderer::create();
    if (!studio->renderer_) return lab::problem(Text::ShotNoEgl, {"libGL.so.1"});
    studio->width_ = options.width, studio->height_ = options.height;
    studio->shell_ =
        std::make_unique<Shell>(bench, studio->fonts_, settings_for(options), options.language, true);
    studio->shell_->compare_runs(!options.beside.empty());
    studio->pin_ = options.pin;
    if (!options.panel.empty() && !studio->shell_->open(options.panel))
      return lab::problem(Text::ShotPanelNeedsLesson, {options.panel});
    std::error_code missing;
    if (std::filesystem::exists(assets / "glossary.toml", missing)) studio->shell_->read_glossary(assets);
    if (options.language == lab::Language::Chinese && !studio->fonts_.has_chinese())
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

lab::Result<std::string> draw(lab::Workbench& bench, const ShotOptions& options,
                              const std::filesystem::path& assets) {
  const auto studio = Studio::create(bench, options, assets);
  if (!studio) return tl::unexpected<lab::Problem>(studio.error());
  std::string png = (*studio)->draw();
  if (png.empty()) return lab::problem(Text::ShotCannotWrite, {options.output.string(), "libpng"});
  return png;
}

lab::Result<std::string> draw_all(lab::Workbench& bench, const ExportOptions& options, std::size_t to,
                                  const std::filesystem::path& assets) {
  const auto studio = Studio::create(bench, options.shot, assets);
  if (!studio) return tl::unexpected<lab::Problem>(studio.error());
  std::vector<ExportFrame> frames;
  for (std::size_t call = options.from; call <= to; ++call) {
    bench.jump_to_call(call - 1);
    ExportFrame frame;
    frame.png = (*studio)->draw();
    if (frame.png.empty())
      return lab::problem(Text::ShotCannotWrite, {options.shot.output.string(), "libpng"});
    frames.push_back(std::move(frame));
    if (options.progress) {
      fmt::print("{}/{}\n", call - options.from + 1, to - options.from + 1);
      std::fflush(stdout);
    }
  }
  std::string animated = animated_png(frames, 1200);
  if (animated.empty()) return lab::problem(Text::ShotCannotWrite, {options.shot.output.string(), "libpng"});
  return animated;
}

}  // namespace

int draw_shot(const ShotOptions& options) {
  const lab::Language language = options.language;
  if (const auto problem = problem_of(options)) return complain(*problem, language, kUsage);
  auto installation = lab::find_installation();
  if (!installation) return complain(installation.error(), language, kNotHere);
  lab::Workbench bench(*installation, lab::data_home());
  bench.set_language(language);
  if (const auto problem = load(bench, options)) return complain(*problem, language, kUsage);
  if (const auto problem = load_beside(bench, options)) return complain(*problem, language, kUsage);
  if (const auto problem = place_cursor(bench, options)) return complain(*problem, language, kUsage);
  if (const auto problem = unknown_exercise(bench, options)) return complain(*problem, language, kUsage);
  const auto png = draw(bench, options, installation->assets);
  if (!png)
    return complain(png.error(), language, png.error().key == Text::ShotPanelNeedsLesson ? kUsage : kNotHere);
  if (const auto written = lab::write_file(options.output, *png); !written)
    return complain(written.error(), language, kUsage);
  const int status = tell_problems(bench, options);
  fmt::print("{}\n", lab::text(Text::ShotWritten, language,
                               {options.output.string(), std::to_string(options.width),
                                std::to_string(options.height), std::to_string(bench.call_at_cursor()),
                                std::to_string(bench.store().calls())}));
  return status;
}

int draw_export(const ExportOptions& options) {
  const ShotOptions& shot = options.shot;
  const lab::Language language = shot.language;
  if (const auto problem = problem_of(shot)) return complain(*problem, language, kUsage);
  auto installation = lab::find_installation();
  if (!installation) return complain(installation.error(), language, kNotHere);
  lab::Workbench bench(*installation, lab::data_home());
  bench.set_language(language);
  if (const auto problem = load(bench, shot)) return complain(*problem, language, kUsage);
  while (bench.poll()) {
  }
  const std::size_t calls = bench.store().calls(), to = options.to == 0 ? calls : options.to;
  if (options.from < 1 || options.from > to || to > calls || to - options.from >= lab::kMostSharedCalls)
    return complain(calls == 0 ? lab::Problem{Text::ExportNoCalls, {}}
                               : lab::Problem{Text::ExportRange,
                                              {std::to_string(options.from), std::to_string(to),
                                               std::to_string(calls), std::to_string(lab::kMostSharedCalls)}},
                    language, kUsage);
  const auto bytes = draw_all(bench, options, to, installation->assets);
  if (!bytes) return complain(bytes.error(), language, kNotHere);
  if (const auto written = lab::write_file(shot.output, *bytes); !written)
    return complain(written.error(), language, kUsage);
  const int status = tell_problems(bench, shot);
  fmt::print("{}\n", lab::text(Text::ExportWritten, language,
                               {shot.output.string(), std::to_string(options.from), std::to_string(to),
                                std::to_string(shot.width), std::to_string(shot.height)}));
  return status;
}

}  // namespace gui
