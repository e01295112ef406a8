// SPDX-License-Identifier: MIT
// See stage.hpp.
#include "stage.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <thread>
#include <utility>

#include "imgui_compat.hpp"

namespace gui {
namespace {

namespace fs = std::filesystem;
constexpr ThemeName kAllThemes[] = {ThemeName::Dark, ThemeName::Light, ThemeName::Projector};
constexpr int kAllScales[] = {100, 150, 200};

}  // namespace

std::string Look::words() const {
  return fmt::format("{}x{} {} % {} {}", width, height, scale, theme_key(theme),
                     language == lab::Language::English ? "en" : "zh");
}

// A theme changes colours and hardly a line that runs: a sanitized build takes one at each scale, so each
// theme once. Looks of one scale follow each other, since a change of scale draws every letter anew.
std::vector<Look> every_look(lab::Language language) {
  std::vector<Look> all = {
      {1280, 720, 100, ThemeName::Dark, language},       {1366, 768, 100, ThemeName::Projector, language},
      {1920, 1080, 150, ThemeName::Light, language},     {1920, 1080, 200, ThemeName::Projector, language},
      {2560, 1440, 200, ThemeName::Projector, language}, {3840, 2160, 200, ThemeName::Dark, language}};
#ifdef __SANITIZE_ADDRESS__
  for (std::size_t i = 0; i < std::size(kAllScales); ++i)
    all.push_back({1600, 1000, kAllScales[i], kAllThemes[i], language});
#else
  for (const int scale : kAllScales)
    for (const ThemeName theme : kAllThemes) all.push_back({1600, 1000, scale, theme, language});
#endif
  std::stable_sort(all.begin(), all.end(), [](const Look& a, const Look& b) { return a.scale < b.scale; });
  return all;
}

std::vector<fs::path> recordings() {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(GUI_RECORDINGS))
    if (entry.path().extension() == ".dlrec") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

OwnHome::OwnHome() : folder_(fs::temp_directory_path() / ("driverlab_home_" + std::to_string(::getpid()))) {
  ::setenv("XDG_DATA_HOME", folder_.c_str(), 1);
}

OwnHome::~OwnHome() {
  ::unsetenv("XDG_DATA_HOME");
  std::error_code error;
  fs::remove_all(folder_, error);
}

// Drawing the letters takes longer than most tests. So a process draws those of all notes once for each scale
// and language, and keeps them for its other tests.
struct Letters {
  Letters() = default;
  ~Letters() { compat::delete_shared_atlas(atlas); }
  Letters(const Letters&) = delete;
  Letters& operator=(const Letters&) = delete;

  ImFontAtlas* atlas = compat::make_shared_atlas();
  Fonts fonts;
};

namespace {

Letters& letters_of(int scale, lab::Language language) {
  static std::map<std::pair<int, lab::Language>, Letters> kept;
  const auto [found, is_new] = kept.try_emplace({scale, language});
  Letters& letters = found->second;
  if (is_new) {
    const char* name = language == lab::Language::Chinese ? "notes.zh.md" : "notes.md";
    for (const fs::directory_entry& lesson : fs::directory_iterator(GUI_LESSONS)) {
      std::ifstream notes(lesson.path() / name);
      letters.fonts.add_text(std::string(std::istreambuf_iterator<char>(notes), {}));
    }
  }
  return letters;
}

}  // namespace

Stage::Stage() {
  auto installation = lab::find_installation();
  if (!installation) throw std::runtime_error(installation.error().in(lab::Language::English));
  assets_ = installation->assets;
  bench_ = std::make_unique<lab::Workbench>(*installation, lab::data_home());
}

Stage::~Stage() {
  shell_.reset();
  if (context_ != nullptr) ImGui::DestroyContext(context_);
}

void Stage::open_recording(const fs::path& file) {
  bench_->open_recording(file);
  wait_while([this] { return bench_->loading(); });
  while (bench_->poll()) {
  }
}

bool Stage::wait_while(const std::function<bool()>& working) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  for (bench_->poll(); working(); bench_->poll()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

void Stage::begin(const Look& look) {
  look_ = look;
  shell_.reset();
  if (context_ != nullptr) ImGui::DestroyContext(context_);
  letters_ = &letters_of(look.scale, look.language);
  context_ = ImGui::CreateContext(letters_->atlas);
  ImGui::GetIO().IniFilename = nullptr;
  lab::Settings settings;
  settings.scale = look.scale;
  settings.animations = false;
  settings.theme = look.theme;
  shell_ = std::make_unique<Shell>(*bench_, letters_->fonts, settings, look.language, false);
  shell_->read_glossary(assets_);
  shell_->watch_texts(&log_);
  shell_->watch_places();
  mouse_ = {-1e6f, -1e6f};
  down_ = false;
  input_ = {};
}

void Stage::press(KeyPress key) {
  input_.keys.push_back(key);
  frame();
}

void Stage::type(const std::string& text) {
  input_.text += text;
  frame();
}

void Stage::press_and_type(KeyPress key, const std::string& text) {
  input_.keys.push_back(key);
  type(text);
}

void Stage::turn(float notches) {
  wheel_ = notches;
  frame();
}

void Stage::click(ImVec2 at) {
  mouse_ = at;
  for (const bool down : {false, true, true, false, false}) down_ = down, frame();
}

bool Stage::click(const std::string& place) {
  frame();
  const auto found = shell_->places().find(place);
  if (found == shell_->places().end()) return false;
  click(found->second);
  return true;
}

void Stage::frame() {
  time_ += 1.0 / 60;
  shell_->handle(input_);
  input_ = {};
  Fonts& fonts = letters_->fonts;
  if (shell_->collect_text() || fonts.scale() != shell_->scale() || !letters_->atlas->IsBuilt())
    fonts.rebuild(shell_->scale());
  ImGuiIO& io = ImGui::GetIO();
  io.FontDefault = fonts.get(Face::Ui, Size::Body);
  io.DisplaySize = {static_cast<float>(look_.width), static_cast<float>(look_.height)};
  io.DeltaTime = 1.0f / 60;
  io.MousePos = mouse_;
  io.MouseDown[0] = down_;
  io.MouseWheel = std::exchange(wheel_, 0.0f);
  compat::hold_ctrl(io, ctrl_);
  compat::begin_frame_of(*letters_->atlas);
  ImGui::NewFrame();
  shell_->draw(io.DisplaySize.x, io.DisplaySize.y, time_);
  ImGui::Render();
}

const TextLog& Stage::draw(int frames) {
  for (int i = 0; i < frames; ++i) frame();
  return log_;
}

std::vector<Complaint> Stage::complaints() {
  return gui::complaints(draw(), shell_->scale());
}

}  // namespace gui
