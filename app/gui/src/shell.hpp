// SPDX-License-Identifier: MIT
// One frame of the window, and every key and button, but not the window itself.
//
// window.cpp gives it a display and events, shot.cpp an offscreen picture; both draw by draw(). It holds the
// parts of which each is about one thing: panels.hpp and pages.hpp (what is where), top_bar.hpp, popups.hpp,
// messages.hpp, notices.hpp, tour.hpp, and what they share, Selection. None of the parts knows another: what
// one wants of another it posts as a command, and carry_out() is the only place that acts on it. The lab
// itself is the workbench's.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "kept_places.hpp"
#include "lab/glossary.hpp"
#include "lab/lessons_by_word.hpp"
#include "lab/settings.hpp"
#include "layout.hpp"
#include "messages.hpp"
#include "notices.hpp"
#include "pages.hpp"
#include "panels.hpp"
#include "popups.hpp"
#include "probe.hpp"
#include "run_watch.hpp"
#include "selection.hpp"
#include "text_collector.hpp"
#include "tour.hpp"
#include "view.hpp"

namespace gui {

class Shell {
 public:
  Shell(lab::Workbench& bench, Fonts& fonts, lab::Settings settings, lab::Language language, bool still);

  // Before ImGui::NewFrame: acts on shortcuts and keeps the rest for the panels.
  void handle(const Input& input);
  // Between NewFrame and Render.
  void draw(float width, float height, double time);

  // Text that may be shown from now on; true when the fonts lack some of it.
  bool collect_text();

  float scale() const;  // of the whole window, 1 = 100 %
  void set_display_scale(float display) { scale_.display = display; }
  double redraw_in() const { return window_.redraw_in; }  // seconds; large when nothing moves
  bool editor_focused() const { return selection_.editor_focus.now; }
  bool wants_quit() const { return window_.quit; }
  // Calls `then`, which drops the editor's text; first asks the user if some of it could not be saved.
  void leave_for(std::function<void()> then);
  // A recording, or a program to be traced, that was named by its path, chosen in a list or dropped.
  void open_file(const std::filesystem::path& file, bool beside);
  void leave() {
    leave_for([this] { window_.quit = true; });
  }
  lab::Language language() const { return language_; }
  const lab::Settings& settings() const { return settings_; }
  lab::Settings& settings() { return settings_; }
  const Theme& theme() const;
  void add_problem(lab::Problem problem) { messages_.add(std::move(problem)); }  // of the window itself
  std::string state_line() const;  // for DRIVERLAB_UI_STATE (shell_state.cpp)
  void watch_places() { probe_.on = true; }
  const std::map<std::string, ImVec2>& places() const { return probe_.places; }
  // Notes every text of the next frames; null again ends it. For tests.
  void watch_texts(TextLog* texts) { probe_.texts = texts; }
  void read_glossary(const std::filesystem::path& assets);
  // What the window has to do for the shell; each wish is returned once.
  enum class Wish { None, SavePicture, CopyPicture, FullScreen };
  Wish take_wish() { return std::exchange(window_.wish, Wish::None); }
  void start_tour() { tour_.start(); }
  // The first lesson that is shown comes with the run that was shown when the window was closed.
  void bring_back_run() { kept_places_.bring_back_run(); }
  // A list, a card of settings, the exercise ("exercise:NAME": this one), or one panel alone, by name
  // (cli::kPanels); false: there is none.
  bool open(std::string_view name);
  // One of those at the end of the lesson: in the notes alone, or wherever the notes are.
  void show_question(std::size_t question);
  void go_to_question(std::size_t question) { panels_.take(command::ScrollToQuestion{question}); }
  // Two runs side by side, in the place of all panels.
  void compare_runs(bool on) { pages_.maximize(on ? Panel::Compare : Panel::None); }
  bool presenting() const { return pages_.maximized() == Panel::Presenter; }
  bool comparing_runs() const { return pages_.maximized() == Panel::Compare; }
  void pin_call(std::optional<std::size_t> calls);  // the moment after so many calls; nothing: none
  void say(lab::Problem notice) { notices_.say(std::move(notice), language_); }

 private:
  bool takes(const KeyPress& press);
  bool find_takes(const KeyPress& press);
  bool stops_take(const KeyPress& press);
  std::string place_of_keys() const;  // of key_stops.hpp
  void act(Action action);
  void act_on_time(Action action);  // shell_time.cpp
  void drain();
  void carry_out(const Command& command);
  void follow_run();
  void tell_parting();  // once, where this run parts from the run before
  void draw_window(Frame& frame, float width, float height);
  Frame frame_at(double time);
  void begin_frame();
  void follow_comparison();
  void set_percent(int percent);
  void switch_language();
  void set_predicting(bool on);
  Shown what_is_there() const;
  void open_lesson(const command::OpenLesson& lesson);
  void trace_program(const lab::OwnProgram& program);
  void go_to(const command::GoTo& place);
  void show_step(const std::string& step);
  void show_object(const command::ShowObject& wanted);
  void export_progress();
  std::string state_of_time() const;
  std::string watched_line() const;

  lab::Workbench& bench_;
  lab::Settings settings_;
  lab::Language language_;
  const bool still_;
  struct {
    lab::Glossary glossary;
    lab::LessonsByWord lessons;
  } words_;  // that the notes and the sources explain
  Selection selection_;
  Input input_;  // what the shortcuts left over
  std::vector<Command> commands_;
  RunWatch run_;
  const lab::RunPair* parting_told_ = nullptr;  // only compared
  Pages pages_;
  struct {
    bool now = false;
    std::string focus_before;
  } compared_;  // two runs, as of the last frame
  Panels panels_;
  Popups popups_;
  Messages messages_;
  Notices notices_;
  Tour tour_;
  KeptPlaces kept_places_;
  TextCollector text_;
  struct {
    float display = 1;
    float presenter = 1;  // by the size of the last frame
  } scale_;
  struct {
    double redraw_in = 1e9;
    bool quit = false;
    Wish wish = Wish::None;
  } window_;  // what it asks for after each frame
  Probe probe_;
};

}  // namespace gui
