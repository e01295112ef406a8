// SPDX-License-Identifier: MIT
// The time of the editor's own work in each frame for a long file: unchanged, scrolled, typed into at its end
// and its beginning, and with find open.
//
//     build/bench_editor [LINES]
//
// Goal: at most 0.5 ms at p99, at 20,000 lines. ImGui's frame around it and drawing by OpenGL are not
// counted. Processor time of five rounds; the least of each figure.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/times.hpp"
#include "editor/editor.hpp"

namespace {

using namespace gui;

constexpr int kFrames = 1000, kRounds = 5;

// Code as lessons have it: comments, strings, numbers, calls.
std::string text_of(int lines) {
  std::string text;
  for (int i = 0; i < lines; ++i) switch (i % 5) {
      case 0:
        text += fmt::format("// step {}: what the driver answers when the stack is empty\n", i);
        break;
      case 1:
        text += fmt::format("void function_{}(CUcontext context) {{\n", i);
        break;
      case 2:
        text += "  check(cuMemcpyHtoD(memory, numbers.data(), numbers.size() * sizeof(float)));\n";
        break;
      case 3:
        text += fmt::format("  std::printf(\"%d of {}\\n\", 0x{:x}); /* said */\n", i, i);
        break;
      default:
        text += "}\n";
        break;
    }
  return text;
}

class Bench {
 public:
  explicit Bench(int lines) : text_(text_of(lines)) {
    std::string name = (std::filesystem::temp_directory_path() / "bench-editor-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    bench_ = std::make_unique<lab::Workbench>(lab::Installation{}, lab::DataHome{folder_, true, {}});
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = {1000, 1000};
    ImGui::GetIO().DeltaTime = 0.016f;
    for (char c = 32; c < 127; ++c) fonts_.add_text(std::string(1, c));
    fonts_.rebuild(1);
    for (int line = 0; line < lines; line += 7) marks_.badges[line] = {{"0 SUCCESS", Role::Good, false}};
  }
  ~Bench() {
    ImGui::DestroyContext();
    bench_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  // `input_of(i)` goes into frame i.
  void measure(
      const char* what, const std::function<Input(int)>& input_of,
      const std::function<void()>& before = [] {}) {
    bench::Figures least;
    for (int round = 0; round < kRounds; ++round) least.add(one_round(input_of, before));
    fmt::print("{:<34} median {:.3f} ms   p99 {:.3f} ms   worst {:.3f} ms\n", what, least.median, least.p99,
               least.worst);
  }
  editor::Editor& editor() { return editor_; }

 private:
  std::vector<double> one_round(const std::function<Input(int)>& input_of,
                                const std::function<void()>& before) {
    editor_ = editor::Editor();
    editor_.set_text(text_, editor::Editor::Take::Fresh);
    editor_.focus();
    before();
    for (int i = 0; i < 5; ++i) frame({});
    std::vector<double> times;
    times.reserve(kFrames);
    for (int i = 0; i < kFrames; ++i) times.push_back(frame(input_of(i)));
    return times;
  }

  double frame(const Input& input) {
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({1000, 1000});
    ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration);
    Frame frame{*bench_, Theme::get(ThemeName::Dark), fonts_, input, selection_, commands_};
    frame.time = time_ += 0.016;
    const double started = bench::processor_milliseconds();
    editor_.draw(frame, "editor", {980, 980}, marks_, false);
    const double took = bench::processor_milliseconds() - started;
    ImGui::End();
    ImGui::Render();
    return took;
  }

  std::string text_;
  std::filesystem::path folder_;
  std::unique_ptr<lab::Workbench> bench_;
  Fonts fonts_;
  Selection selection_;
  std::vector<Command> commands_;
  editor::Editor editor_;
  editor::Marks marks_;
  double time_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
  const int lines = count > 1 ? std::max(100, std::atoi(arguments[1])) : 20'000;
  Bench bench(lines);
  fmt::print("{} lines, {} frames each\n", lines, kFrames);
  bench.measure("standing at the beginning", [](int) { return Input{}; });
  bench.measure("a page down each frame", [](int) { return Input{{{Key::PageDown}}, {}}; });
  const auto to_end = [&] { bench.editor().put_caret({lines - 1, 0}); };
  bench.measure("typing at the end", [](int) { return Input{{}, "x"}; }, to_end);
  bench.measure("typing at the beginning", [](int) { return Input{{}, "x"}; });
  bench.measure("a new line at the beginning", [](int) { return Input{{{Key::Enter}}, {}}; });
  bench.measure("a comment opened and taken back",
                [](int i) { return i % 2 == 0 ? Input{{}, "/*"} : Input{{{Key::Z, true}}, {}}; });
  bench.measure("find, of what stands on each fifth", [](int i) {
    return i == 0 ? Input{{{Key::F, true}}, {}} : i == 1 ? Input{{}, "memory"} : Input{{{Key::Enter}}, {}};
  });
}
