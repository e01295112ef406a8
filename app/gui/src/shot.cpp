// One frame of the window into a PNG, without a display: the same drawing code over an offscreen picture.
//
// Nothing moves in it: time stands still, motion shows its end, nothing is hovered. A lesson is run to its
// end first, on the embedded driver; a recording is read. Every failure has a sentence and a status of its
// own.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "gui/window.hpp"
#include "lab/workbench.hpp"
#include "offscreen.hpp"
#include "png_file.hpp"
#include "renderer.hpp"
#include "shell.hpp"

namespace gui {
namespace {

using lab::RunPhase;
using lab::Text;

constexpr int kFailed = 1, kUsage = 2, kNoDrawing = 3;
constexpr int kFrames = 6;  // ImGui needs a few until every size has settled

int complain(const lab::Problem& problem, lab::Language language, int status) {
  fmt::print(stderr, "{}\n", problem.in(language));
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

lab::Settings settings_for(const ShotOptions& options) {
  lab::Settings settings;
  settings.scale = options.scale;
  settings.animations = false;
  const ThemeName theme = parse_theme(options.theme).value_or(ThemeName::Dark);
  settings.theme = static_cast<lab::ThemeChoice>(static_cast<int>(theme));
  return settings;
}

// The picture, or why there is none.
lab::Result<std::string> draw(lab::Workbench& bench, const ShotOptions& options,
                              const std::filesystem::path& assets) {
  std::string error;
  const auto offscreen = Offscreen::create(options.width, options.height, &error);
  if (!offscreen) return lab::problem(Text::ShotNoEgl, {error});
  const auto renderer = Renderer::create();
  if (!renderer) return lab::problem(Text::ShotNoEgl, {"libGL.so.1"});
  std::string png;
  {
    Fonts fonts;
    Shell shell(bench, fonts, settings_for(options), options.language, true);
    std::error_code error_of_assets;
    if (std::filesystem::exists(assets / "glossary.toml", error_of_assets)) shell.read_glossary(assets);
    if (options.language == lab::Language::Chinese && !fonts.has_chinese())
      shell.add_problem({Text::WindowNoChineseFont, {}});
    for (int i = 0; i < kFrames; ++i) {
      shell.handle({});
      if (shell.collect_text() || fonts.scale() != shell.scale())
        renderer->rebuild_fonts(fonts, shell.scale());
      renderer->begin_frame(options.width, options.height, 1.0 / 60);
      ImGui::GetIO().MousePos = {-1e6f, -1e6f};
      ImGui::NewFrame();
      shell.draw(static_cast<float>(options.width), static_cast<float>(options.height), 0);
      renderer->end_frame(options.width, options.height, shell.theme()[Role::Window]);
    }
    const auto pixels = offscreen->read();
    png = encode_png(pixels, options.width, options.height);
  }
  if (png.empty()) return lab::problem(Text::ShotCannotWrite, {options.output.string(), "libpng"});
  return png;
}

}  // namespace

int draw_shot(const ShotOptions& options) {
  const lab::Language language = options.language;
  if (const auto problem = problem_of(options)) return complain(*problem, language, kUsage);
  auto installation = lab::find_installation();
  if (!installation) return complain(installation.error(), language, kFailed);
  lab::Workbench bench(*installation, lab::data_home());
  if (const auto problem = load(bench, options)) return complain(*problem, language, kFailed);
  if (const auto problem = place_cursor(bench, options)) return complain(*problem, language, kUsage);
  const auto png = draw(bench, options, installation->assets);
  if (!png) return complain(png.error(), language, kNoDrawing);
  if (const auto written = lab::write_file(options.output, *png); !written)
    return complain({Text::ShotCannotWrite, {options.output.string(), written.error().in(language)}},
                    language, kFailed);
  for (const lab::Problem& problem : bench.problems()) fmt::print(stderr, "{}\n", problem.in(language));
  fmt::print("{}\n", lab::text(Text::ShotWritten, language,
                               {options.output.string(), std::to_string(options.width),
                                std::to_string(options.height), std::to_string(bench.call_at_cursor()),
                                std::to_string(bench.store().calls())}));
  return 0;
}

}  // namespace gui
