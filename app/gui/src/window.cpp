// SPDX-License-Identifier: MIT
// The window on a display: opens it, waits for events, draws when something changed, keeps the settings.
//
// Between events it sleeps; the workbench wakes it from other threads. The shell draws. For tests,
// DRIVERLAB_UI_STATE names a file that contains one line of JSON about the last frame (see
// tests/app/gui/window/README.md).
#include "gui/window.hpp"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <future>

#include "glfw_input.hpp"
#include "imgui_compat.hpp"
#include "lab/files.hpp"
#include "lab/outside.hpp"
#include "lab/wall_clock.hpp"
#include "lab/workbench.hpp"
#include "png_file.hpp"
#include "renderer.hpp"
#include "shell.hpp"

namespace gui {
namespace {

using lab::Text;

constexpr int kNoDisplay = 3;
constexpr double kLongestSleep = 1.0;  // seconds, when nothing moves
constexpr double kPace = 1.0 / 60;     // seconds between frames that show nothing new
constexpr int kSettling = 3;           // frames after an event until hovering and sizes are at rest

std::string glfw_error;
std::atomic<bool> asked_to_end = false;

struct Glfw {
  bool ok = false;
  Glfw() {
    glfwSetErrorCallback([](int, const char* words) { glfw_error = words == nullptr ? "" : words; });
    ok = glfwInit() == GLFW_TRUE;
  }
  ~Glfw() {
    if (ok) glfwTerminate();
  }
};

// The lab's own children must not be left behind by Ctrl+C in the terminal, nor the settings lost.
void end_on_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, [](int) { asked_to_end = true; });
}

class Window {
 public:
  Window(GLFWwindow* window, lab::Settings settings, std::filesystem::path settings_file,
         lab::Installation installation, lab::DataHome home)
      : window_(window),
        settings_file_(std::move(settings_file)),
        assets_(installation.assets),
        bench_(std::move(installation), std::move(home)),
        language_(settings.language.value_or(lab::language_from_environment())),
        shell_(bench_, fonts_, std::move(settings), language_, false) {
    shell_.read_glossary(assets_);
    const char* state = std::getenv("DRIVERLAB_UI_STATE");
    if (state != nullptr && *state != '\0') {
      state_file_ = state;
      shell_.watch_places();
    }
  }

  bool open() {
    renderer_ = Renderer::create();
    if (!renderer_) return false;
    input_ = std::make_unique<GlfwInput>(window_);
    ImGui_ImplGlfw_InitForOpenGL(window_, false);
    return true;
  }

  ~Window() {
    bench_.set_wake({});
    if (renderer_) ImGui_ImplGlfw_Shutdown();
  }

  void start(const std::filesystem::path& recording) {
    const lab::Settings& settings = shell_.settings();
    bench_.set_wake([] { glfwPostEmptyEvent(); });
    bench_.choose(settings.driver);
    if (settings.remote) bench_.set_launcher(settings.launcher);
    if (!recording.empty()) {
      shell_.open_file(recording, false);
    } else if (!bench_.catalogue().lessons.empty()) {
      const auto& lessons = bench_.catalogue().lessons;
      const auto last = std::find_if(lessons.begin(), lessons.end(), [&](const lab::Lesson& lesson) {
        return lesson.slug == settings.lesson;
      });
      bench_.open_lesson(last == lessons.end() ? lessons.front().slug : last->slug);
      first_start_ = settings.lesson.empty();
      shell_.bring_back_run();
    }
    if (first_start_) {
      shell_.start_tour();
      shell_.settings().lesson = bench_.lesson() == nullptr ? "" : bench_.lesson()->slug;
      save();  // once is once, also for a window that is killed
    }
    if (!fonts_.has_chinese()) shell_.add_problem({Text::WindowNoChineseFont, {}});
  }

  void run() {
    settling_ = kSettling;
    double due = 0;
    while (!shell_.wants_quit() && !asked_to_end) {
      if (glfwWindowShouldClose(window_) == GLFW_TRUE) {
        glfwSetWindowShouldClose(window_, GLFW_FALSE);
        shell_.leave();
        settling_ = kSettling;
        if (shell_.wants_quit()) break;
      }
      if (settling_ > 0 || input_->pending())
        glfwPollEvents();
      else
        glfwWaitEventsTimeout(std::clamp(due - glfwGetTime(), 0.001, kLongestSleep));
      const bool saved = take_picture();
      bool news = bench_.poll() || saved;
      if (auto shared = bench_.take_shared()) shell_.say(std::move(*shared)), news = true;
      keep_settings();
      if (const std::string dropped = input_->take_dropped(); !dropped.empty()) take_dropped(dropped);
      const bool exposed = input_->take_refresh();
      exposed_ = exposed_ || exposed;
      if (input_->pending() || exposed || news) settling_ = kSettling;
      if (settling_ == 0 && glfwGetTime() < due) continue;
      if (settling_ > 0) --settling_;
      const bool drawn = frame();
      // Where nothing was shown, no display set the pace.
      due = glfwGetTime() + std::max(shell_.redraw_in(), drawn ? 0 : kPace);
    }
    if (!shell_.wants_quit()) rescue();
    save();
  }

 private:
  void take_dropped(const std::string& file) { shell_.open_file(file, shell_.comparing_runs()); }

  // If a signal ends the window, the user cannot be asked.
  void rescue() {
    if (bench_.unkept().empty()) return;
    const auto kept = bench_.keep_elsewhere(bench_.place_for_unkept());
    const lab::Problem said = kept ? lab::Problem{Text::UnkeptSaved, {kept->string()}} : kept.error();
    fmt::print(stderr, "{}\n", said.in(shell_.language()));
  }

  // Returns whether something new was shown.
  bool frame() {
    int width = 0, height = 0, points_wide = 0, points_high = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    glfwGetWindowSize(window_, &points_wide, &points_high);
    if (width < 1 || height < 1) return false;
    float display_scale = 1;
    glfwGetWindowContentScale(window_, &display_scale, nullptr);
    shell_.set_display_scale(std::clamp(display_scale, 0.5f, 4.0f));
    const double ratio = points_wide > 0 ? static_cast<double>(width) / points_wide : 1;
    input_->set_pixels_per_unit(ratio);
    shell_.handle(input_->take());
    if (shell_.collect_text() || fonts_.scale() != shell_.scale())
      renderer_->rebuild_fonts(fonts_, shell_.scale());
    const double now = glfwGetTime();
    renderer_->begin_frame(width, height, now - last_frame_);
    last_frame_ = now;
    ImGui_ImplGlfw_NewFrame();
    compat::count_in_pixels({static_cast<float>(width), static_cast<float>(height)},
                            static_cast<float>(ratio));
    ImGui::NewFrame();
    shell_.draw(static_cast<float>(width), static_cast<float>(height), now);
    const Shell::Wish wish = shell_.take_wish();
    // A wish may be for a picture, which is read from what is drawn now.
    const bool drawn = renderer_->end_frame(width, height, shell_.theme()[Role::Window],
                                            exposed_ || wish != Shell::Wish::None);
    grant(wish, width, height);
    if (drawn) glfwSwapBuffers(window_), ++drawn_;
    exposed_ = false;
    keep_title();
    keep_state(points_wide, points_high);
    return drawn;
  }

  void grant(Shell::Wish wish, int width, int height) {
    if (wish == Shell::Wish::FullScreen) toggle_full_screen();
    if (wish != Shell::Wish::SavePicture && wish != Shell::Wish::CopyPicture) return;
    if (picture_.valid()) return;  // the one before is still being written
    picture_file_ = lab::data_home().path / "pictures" / lab::local_time("driverlab-%Y-%m-%d-%H%M%S.png");
    picture_ =
        std::async(std::launch::async, [pixels = Renderer::read(width, height), width, height,
                                        file = picture_file_, copy = wish == Shell::Wish::CopyPicture] {
          std::error_code error;
          std::filesystem::create_directories(file.parent_path(), error);
          auto written = lab::write_file(file, encode_png(pixels, width, height));
          if (written && copy) written = lab::copy_picture(file);
          glfwPostEmptyEvent();
          return written;
        });
  }

  bool take_picture() {
    if (!picture_.valid() || picture_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
      return false;
    if (const auto written = picture_.get(); !written)
      shell_.add_problem(written.error());
    else
      shell_.say({Text::PictureSaved, {picture_file_.string()}});
    return true;
  }

  void toggle_full_screen() {
    if (glfwGetWindowMonitor(window_) != nullptr) {
      glfwSetWindowMonitor(window_, nullptr, before_[0], before_[1], before_[2], before_[3], GLFW_DONT_CARE);
      return;
    }
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* mode = monitor == nullptr ? nullptr : glfwGetVideoMode(monitor);
    if (mode == nullptr) return;
    glfwGetWindowPos(window_, &before_[0], &before_[1]);
    glfwGetWindowSize(window_, &before_[2], &before_[3]);
    glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  }

  void keep_title() {
    std::string title(lab::text(Text::BarTitle, shell_.language()));
    if (const lab::Lesson* lesson = bench_.lesson())
      title = fmt::format("{} {} · {}", lab::lesson_number(lesson->number),
                          lesson->title[static_cast<int>(shell_.language())], title);
    if (const std::string name = bench_.run_name(); !name.empty())
      title = fmt::format("{} · {}", name, title);
    if (title == title_) return;
    title_ = title;
    glfwSetWindowTitle(window_, title_.c_str());
  }

  void keep_state(int width, int height) {
    shell_.settings().width = width;
    shell_.settings().height = height;
    ++frames_;
    if (state_file_.empty()) return;
    std::string line = shell_.state_line();
    line.insert(
        line.size() - 1,
        fmt::format(",\"frames\":{},\"drawn\":{},\"pid\":{},\"full_screen\":{},\"heard\":{},\"moving\":{}",
                    frames_, drawn_, ::getpid(), glfwGetWindowMonitor(window_) != nullptr, input_->heard(),
                    settling_ > 0 || shell_.redraw_in() < 0.3));
    (void)lab::write_file(state_file_, line + "\n");
  }

  // Soon after they changed, in the background: a window that is killed opens as it was left.
  void keep_settings() {
    if (settings_file_.empty() || shell_.settings() == kept_) return;
    const double now = glfwGetTime();
    if (now - kept_at_ < 1 ||
        (keeping_.valid() && keeping_.wait_for(std::chrono::seconds(0)) != std::future_status::ready))
      return;
    kept_ = shell_.settings(), kept_at_ = now;
    keeping_ = std::async(std::launch::async, [file = settings_file_, settings = kept_] {
      (void)lab::write_settings(file, settings);  // said when the window is closed
    });
  }

  void save() {
    if (keeping_.valid()) keeping_.wait();
    if (settings_file_.empty()) return;
    if (const auto saved = lab::write_settings(settings_file_, shell_.settings()); !saved)
      fmt::print(stderr, "{}\n", saved.error().in(shell_.language()));
  }

  GLFWwindow* window_;
  std::filesystem::path settings_file_, state_file_, assets_;
  lab::Workbench bench_;
  lab::Language language_;
  Fonts fonts_;
  Shell shell_;
  std::unique_ptr<Renderer> renderer_;
  std::unique_ptr<GlfwInput> input_;
  std::future<lab::Result<bool>> picture_;
  std::filesystem::path picture_file_;
  int before_[4] = {0, 0, 1600, 1000};  // the window before it filled the screen
  double last_frame_ = 0;
  std::uint64_t frames_ = 0, drawn_ = 0;  // made, and of these drawn: the others looked as the one before
  bool exposed_ = true;                   // the display wants the picture again, changed or not
  int settling_ = 0;                      // frames that are drawn yet, until hovering and sizes are at rest
  bool first_start_ = false;
  lab::Settings kept_;  // as last written
  double kept_at_ = 0;
  std::future<void> keeping_;
  std::string title_;
};

GLFWwindow* make_window(int width, int height) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "driverlab");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "driverlab");
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  int x = 0, y = 0, most_wide = width, most_high = height;
  if (monitor != nullptr) glfwGetMonitorWorkarea(monitor, &x, &y, &most_wide, &most_high);
  width = std::clamp(width, 480, std::max(480, most_wide));
  height = std::clamp(height, 320, std::max(320, most_high));
  GLFWwindow* window = glfwCreateWindow(width, height, "CUDA Driver Lab", nullptr, nullptr);
  if (window != nullptr) glfwSetWindowSizeLimits(window, 480, 320, GLFW_DONT_CARE, GLFW_DONT_CARE);
  return window;
}

}  // namespace

int run_window(const WindowOptions& options) {
  const std::filesystem::path settings_file = lab::settings_path();
  lab::Settings settings = lab::read_settings(settings_file);
  const lab::Language language = settings.language.value_or(lab::language_from_environment());
  const auto complain = [&](Text key, const std::string& value, int status) {
    fmt::print(stderr, "{}\n", lab::text(key, language, {value}));
    return status;
  };
  Glfw glfw;
  if (!glfw.ok) return complain(Text::WindowNoDisplay, glfw_error, kNoDisplay);
  auto installation = lab::find_installation();
  if (!installation) return complain(Text::WindowInstallation, installation.error().in(language), 1);
  GLFWwindow* glfw_window = make_window(settings.width, settings.height);
  if (glfw_window == nullptr) return complain(Text::WindowNoOpengl, glfw_error, kNoDisplay);
  glfwMakeContextCurrent(glfw_window);
  glfwSwapInterval(1);
  end_on_signals();
  Window window(glfw_window, std::move(settings), settings_file, std::move(*installation), lab::data_home());
  if (!window.open()) return complain(Text::WindowNoOpengl, glfw_error, kNoDisplay);
  window.start(options.recording);
  window.run();
  return 0;
}

}  // namespace gui
