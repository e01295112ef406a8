// SPDX-License-Identifier: MIT
// The processor time of one frame of the window, in a run of a million calls with 10,000 live allocations;
// and how long it takes to open the recording of that run. Then the same with the timeline open, in a run of
// as many calls on 64 threads with work in 32 streams.
//
//   bench_frame [CALLS]
//
// Only the window's own work is measured, from the keys to ImGui's lists of vertices, and not the drawing by
// the graphics card (or by Mesa, if there is none). Goals: at most 4 ms at p99 while the moment is unchanged,
// moves, and is scrubbed; 60 steps a second without a missed frame; opening in 1.5 s.
#include <fmt/format.h>
#include <imgui.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/long_run.hpp"
#include "bench/times.hpp"
#include "lab/workbench.hpp"
#include "offscreen.hpp"
#include "renderer.hpp"
#include "shell.hpp"
#include "trace/recording.hpp"

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kWidth = 1600, kHeight = 1000, kFrames = 600;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

class Window {
 public:
  Window(lab::Workbench& bench, gui::Fonts& fonts, gui::Renderer& renderer, lab::Settings settings = {})
      : fonts_(fonts),
        renderer_(renderer),
        shell_(bench, fonts, std::move(settings), lab::Language::English, false) {}
  bool wants_frame() const { return shell_.redraw_in() <= 0; }
  void point_at(ImVec2 place) { mouse_ = place; }
  void turn_wheel(float by) { wheel_ = by; }
  void press(gui::Key key) { input_.keys.push_back({key}); }
  void frame() {
    shell_.handle(std::exchange(input_, {}));
    if (shell_.collect_text() || fonts_.scale() != shell_.scale())
      renderer_.rebuild_fonts(fonts_, shell_.scale());
    renderer_.begin_frame(kWidth, kHeight, 1.0 / 60);
    ImGui::GetIO().MousePos = mouse_;
    ImGui::GetIO().MouseWheel = std::exchange(wheel_, 0.0f);
    ImGui::NewFrame();
    shell_.draw(kWidth, kHeight, time_ += 1.0 / 60);
    ImGui::Render();
  }

 private:
  gui::Fonts& fonts_;
  gui::Renderer& renderer_;
  gui::Shell shell_;
  double time_ = 0;
  ImVec2 mouse_{1300, 400};  // over the picture
  float wheel_ = 0;
  gui::Input input_;
};

// The least of each figure in several rounds; for missed frames the most.
void measure(const char* what, Window& window, const std::function<void(int)>& before) {
  constexpr int kRounds = 3;
  bench::Figures work_least, times_least;
  std::ptrdiff_t missed = 0;
  for (int i = 0; i < 30; ++i) before(i), window.frame();
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> times, work;
    for (int i = 0; i < kFrames; ++i) {
      const double processor = bench::processor_milliseconds();
      const auto start = Clock::now();
      before(i);
      window.frame();
      times.push_back(milliseconds_since(start));
      work.push_back(bench::processor_milliseconds() - processor);
    }
    missed = std::max(
        missed, std::count_if(work.begin(), work.end(), [](double each) { return each > 1000.0 / 60; }));
    work_least.add(std::move(work)), times_least.add(std::move(times));
  }
  fmt::print(
      "{:<34} median {:6.3f} ms   p99 {:6.3f} ms   worst {:6.3f} ms (wall: {:.3f}, {:.3f}, {:.3f}); longer "
      "than 1/60 s: {}\n",
      what, work_least.median, work_least.p99, work_least.worst, times_least.median, times_least.p99,
      times_least.worst, missed);
}

template <class Program>
std::filesystem::path record(std::size_t calls) {
  trace::Store store;
  Program program(store);
  while (store.calls() < calls) program.make_call();
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("driverlab_bench_{}.dlrec", ::getpid());
  std::string error;
  trace::RunInfo info;
  info.driver_name = "made up";
  const auto writer = trace::RecordingWriter::create(path, info, &error);
  if (!writer || !writer->write(store, 0, store.size()) || !writer->finish()) {
    fmt::print(stderr, "{}: {}\n", path.string(), error);
    std::exit(1);
  }
  return path;
}

struct Stage {
  lab::Workbench& bench;
  gui::Fonts& fonts;
  gui::Renderer& renderer;
};

void open(lab::Workbench& bench, const std::filesystem::path& path) {
  const auto start = Clock::now();
  const double processor = bench::processor_milliseconds(CLOCK_PROCESS_CPUTIME_ID);
  double first = 0;
  bench.open_recording(path);
  while (bench.loading() || bench.model().moments() < bench.store().size()) {
    if (!bench.poll()) std::this_thread::sleep_for(std::chrono::microseconds(200));
    if (first == 0 && bench.model().moments() > 0) first = milliseconds_since(start);
  }
  fmt::print(
      "opening the recording, {} calls, {} MiB: {:.0f} ms ({:.0f} ms of the processor); the first calls "
      "after {:.0f} ms\n",
      bench.store().calls(), std::filesystem::file_size(path) >> 20, milliseconds_since(start),
      bench::processor_milliseconds(CLOCK_PROCESS_CPUTIME_ID) - processor, first);
}

void measure_window(const Stage& stage, std::size_t wanted) {
  const std::filesystem::path path = record<bench::Program>(wanted);
  {
    Window window(stage.bench, stage.fonts, stage.renderer);
    window.frame();
    open(stage.bench, path);
    lab::Workbench& bench = stage.bench;
    fmt::print("allocations alive at the end: {}\n", bench.model().latest().allocations.size());
    const std::size_t calls = bench.store().calls();
    measure("the moment stands", window, [](int) {});
    measure("a step a frame, forward", window,
            [&](int i) { bench.jump_to_call(calls / 2 + static_cast<std::size_t>(i)); });
    measure("a step a frame, back", window,
            [&](int i) { bench.jump_to_call(calls / 2 - static_cast<std::size_t>(i)); });
    measure("scrubbing over all of it", window,
            [&](int i) { bench.jump_to_call(static_cast<std::size_t>(i * 7919) * 1009 % calls); });
  }
  std::filesystem::remove(path);
}

// The timeline is as high as it can be.
void measure_timeline(const Stage& stage, std::size_t wanted) {
  const std::filesystem::path path = record<bench::StreamProgram>(wanted);
  {
    lab::Settings settings;
    settings.layout["lanes"] = 0.6;
    Window window(stage.bench, stage.fonts, stage.renderer, settings);
    window.frame();
    open(stage.bench, path);
    lab::Workbench& bench = stage.bench;
    for (int i = 0; i < 30; ++i) window.frame();  // everything else has seen the run
    window.press(gui::Key::F3);
    std::vector<double> building;
    // As long as it is made, the window wants its next frame at once.
    for (std::size_t i = 0; i < 3 || (window.wants_frame() && i < 100'000); ++i) {
      const double processor = bench::processor_milliseconds();
      window.frame();
      building.push_back(bench::processor_milliseconds() - processor);
    }
    const std::size_t frames = building.size();
    bench::Figures built;
    built.add(std::move(building));
    fmt::print(
        "timeline of {} threads and {} streams, while it is made: {} frames, median {:.3f} ms, p99 {:.3f} "
        "ms\n",
        bench::StreamProgram::kThreads, bench::StreamProgram::kStreams, frames, built.median, built.p99);
    const std::size_t calls = bench.store().calls();
    window.point_at({800, 600});
    measure("timeline: the moment stands", window, [](int) {});
    measure("timeline: a step a frame", window,
            [&](int i) { bench.jump_to_call(calls / 2 + static_cast<std::size_t>(i)); });
    measure("timeline: zooming in and out", window,
            [&](int i) { window.turn_wheel(i / 25 % 2 == 0 ? 1.0f : -1.0f); });
    measure("timeline: scrubbing, zoomed", window, [&](int i) {
      if (i == 0)
        for (int k = 0; k < 12; ++k) window.turn_wheel(1), window.frame();
      bench.jump_to_call(static_cast<std::size_t>(i * 7919) * 1009 % calls);
    });
  }
  std::filesystem::remove(path);
}

}  // namespace

int main(int argc, char** argv) {
  const long asked = argc > 1 ? std::atol(argv[1]) : 1'000'000;
  const std::size_t wanted = asked > 0 ? static_cast<std::size_t>(asked) : 1'000'000;
  auto installation = lab::find_installation();
  if (!installation) {
    fmt::print(stderr, "{}\n", installation.error().in(lab::Language::English));
    return 1;
  }
  lab::Workbench bench(*installation, lab::data_home());
  std::string error;
  const auto offscreen = gui::Offscreen::create(kWidth, kHeight, &error);
  const auto renderer = offscreen ? gui::Renderer::create() : nullptr;
  if (!renderer) {
    fmt::print(stderr, "no OpenGL: {}\n", error);
    return 1;
  }
  gui::Fonts fonts;
  const Stage stage{bench, fonts, *renderer};
  measure_window(stage, wanted);
  measure_timeline(stage, wanted);
  return 0;
}
