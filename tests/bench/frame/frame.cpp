// SPDX-License-Identifier: MIT
// The processor time of one frame of the window, in a run of a million calls with 10,000 live allocations;
// and how long it takes to open the recording of that run.
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
  Window(lab::Workbench& bench, gui::Fonts& fonts, gui::Renderer& renderer)
      : fonts_(fonts), renderer_(renderer), shell_(bench, fonts, {}, lab::Language::English, false) {}
  void frame() {
    shell_.handle({});
    if (shell_.collect_text() || fonts_.scale() != shell_.scale())
      renderer_.rebuild_fonts(fonts_, shell_.scale());
    renderer_.begin_frame(kWidth, kHeight, 1.0 / 60);
    ImGui::GetIO().MousePos = {1300, 400};  // over the picture
    ImGui::NewFrame();
    shell_.draw(kWidth, kHeight, time_ += 1.0 / 60);
    ImGui::Render();
  }

 private:
  gui::Fonts& fonts_;
  gui::Renderer& renderer_;
  gui::Shell shell_;
  double time_ = 0;
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

std::filesystem::path record(std::size_t calls) {
  trace::Store store;
  bench::Program program(store);
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

}  // namespace

int main(int argc, char** argv) {
  const long wanted = argc > 1 ? std::atol(argv[1]) : 1'000'000;
  const std::filesystem::path path = record(wanted > 0 ? static_cast<std::size_t>(wanted) : 1'000'000);
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
  {
    Window window(bench, fonts, *renderer);
    window.frame();
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
  return 0;
}
