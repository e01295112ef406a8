// SPDX-License-Identifier: MIT
// Everything that is drawn in one frame, and every key and button, but not the window itself.
//
// window.cpp gives it a display and events, shot.cpp an offscreen picture; both draw by draw(). It owns the
// panels, their arrangement and the settings that the user changes; the lab itself is the workbench's.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/glossary.hpp"
#include "lab/search.hpp"
#include "lab/settings.hpp"
#include "layout.hpp"
#include "predict_card.hpp"
#include "shortcuts.hpp"
#include "teaching_page.hpp"
#include "text_field.hpp"
#include "view.hpp"

namespace gui {

struct BarPlan;    // top_bar.cpp
struct BarLesson;  // the same

class Shell {
 public:
  Shell(lab::Workbench& bench, Fonts& fonts, lab::Settings settings, lab::Language language, bool still);
  ~Shell();

  // Before ImGui::NewFrame: acts on shortcuts and keeps the rest for the panels.
  void handle(const Input& input);
  // Between NewFrame and Render.
  void draw(float width, float height, double time);

  // Text that may be shown from now on; true when the fonts lack some of it.
  bool collect_text();

  float scale() const;  // of the whole window, 1 = 100 %
  void set_display_scale(float display) { display_scale_ = display; }
  double redraw_in() const { return redraw_in_; }  // seconds; large when nothing moves
  bool editor_focused() const { return selection_.editor_focused; }
  bool wants_quit() const { return quit_; }
  // Calls `then`, which drops the editor's text; first asks the user if some of it could not be saved.
  void leave_for(std::function<void()> then);
  void leave() {
    leave_for([this] { quit_ = true; });
  }
  lab::Language language() const { return language_; }
  const lab::Settings& settings() const { return settings_; }
  lab::Settings& settings() { return settings_; }
  const Theme& theme() const;
  void add_problem(lab::Problem problem);  // of the window itself
  std::string state_line() const;          // for DRIVERLAB_UI_STATE
  void watch_places() { watch_places_ = true; }
  const std::map<std::string, ImVec2>& places() const { return places_; }
  // Notes every text of the next frames; null again ends it. For tests.
  void watch_texts(TextLog* texts) { texts_ = texts; }
  void read_glossary(const std::filesystem::path& assets);
  // What the window has to do for the shell; each wish is returned once.
  enum class Wish { None, SavePicture, CopyPicture, FullScreen };
  Wish take_wish() { return std::exchange(wish_, Wish::None); }
  void start_tour() { tour_ = 0; }
  // The first lesson that is shown comes with the run that was shown when the window was closed.
  void bring_back_run() { bring_back_run_ = true; }
  // A list, a card of settings, the exercise ("exercise:NAME": this one), or one panel alone, by name
  // (cli::kPanels); false: there is none.
  bool open(std::string_view name);
  // One of those at the end of the lesson: in the notes alone, or wherever the notes are.
  void show_question(std::size_t question);
  void go_to_question(std::size_t question) { selection_.quiz_wanted = question; }
  // Two runs side by side, in the place of all panels.
  void compare_runs(bool on) { maximized_ = on ? Panel::Compare : Panel::None; }
  void pin_call(std::optional<std::size_t> calls);  // the moment after so many calls; nothing: none
  bool comparing_runs() const { return maximized_ == Panel::Compare; }
  void say(lab::Problem notice);  // a notice about success, shown like a problem but in another style

 private:
  struct Panels;
  enum class Popup { None, Lessons, Driver, Look, Keys, Search, Share, Unkept, Teaching };
  enum class Panel { None, Notes, Code, Picture, Bottom, Compare };
  enum class Tab { Notes, Code, Picture };

  void act(Action action);
  void act_on_time(Action action);  // shell_time.cpp
  void toggle(Popup popup);
  bool popup_takes(const KeyPress& press);
  void follow_run();
  void follow_verdict();
  void collect_run_text();
  void set_percent(int percent);
  void draw_bar(Frame& frame, const Layout& layout);
  void draw_bar_left(Frame& frame, const Rect& bar, const BarLesson& shown, float end);
  void draw_bar_right(Frame& frame, const Rect& bar, const BarPlan& plan);
  void draw_transport(Frame& frame, const Rect& bar, const BarPlan& plan, float left, float right);
  Shown what_is_there() const;
  void draw_panels(Frame& frame, const Layout& layout);
  void draw_tabs(Frame& frame, const Layout& layout);
  void draw_splitters(Frame& frame, const Layout& layout, float width, float height);
  void draw_problems(Frame& frame, const Layout& layout);
  void dismiss_problems();
  void draw_notices(Frame& frame, const Layout& layout);
  void draw_popups(Frame& frame, const Layout& layout);
  // The list of lessons (lesson_list.cpp)
  void draw_lessons(Frame& frame, float most_height);
  void draw_lessons_of_parts(Frame& frame);
  bool draw_lesson(Frame& frame, const lab::Lesson& lesson, bool next, bool lit);
  void choose_open_lesson();
  bool lessons_take(const KeyPress& press);
  void keep_choice_in_sight(std::size_t choice, float above = 1e9f);
  void draw_drivers(Frame& frame);
  void draw_look(Frame& frame);
  void draw_keys(Frame& frame);
  void draw_search(Frame& frame);
  void draw_launcher(Frame& frame);
  void use_launcher();
  void open_lesson(const std::string& slug);
  // What to do with text that could not be saved (unkept_popup.cpp)
  enum class Unkept { SaveElsewhere, Discard, Stay };
  void draw_unkept(Frame& frame);
  bool unkept_takes(const KeyPress& press);
  void settle_unkept(Unkept choice);
  bool search_takes(const KeyPress& press);
  void open_hit(const lab::SearchHit& hit);
  // The notes at a step, of another lesson if need be; false: its text has to be saved first.
  bool go_to_notes(const std::string& lesson, const std::string& step);
  void go_to_place(const TeachingPage::Place& place);
  void share(lab::ShareKind kind, std::size_t from, std::size_t to);
  void draw_share(Frame& frame);
  void draw_work(Frame& frame, const Layout& layout);
  void return_to_place();
  void remember_place();
  void focus_next_panel();
  Panel panel_in_use() const;
  std::string watched_line() const;
  Rect place_of_picture(Frame& frame, const Layout& layout);
  float measure_card(Frame& frame, const Rect& place);
  void draw_picture(Frame& frame, const Rect& place);
  bool answer_takes(const KeyPress& press);
  bool quiz_takes(std::size_t number);
  bool return_to_questions();
  void show_step(const std::string& step);
  void set_predicting(bool on);
  void draw_side(Frame& frame, const Layout& layout);
  // What shares a place, in the order in which it is shown: the notes and the exercise, where there is no
  // more.
  struct Page {
    Tab tab = Tab::Notes;
    bool exercise = false;
    bool operator==(const Page&) const = default;
  };
  std::vector<Page> pages() const;
  Page page_shown() const;
  void show_page(const Page& page);
  void show_next_page();
  void show_exercise();
  void draw_verdict_notice(Frame& frame, float width);
  void draw_maximized(Frame& frame, const Layout& layout);
  void export_progress();
  void draw_tour(Frame& frame, const Layout& layout);
  std::string state_of_time() const;
  Splits splits() const;
  void keep(const Splits& splits);

  lab::Workbench& bench_;
  Fonts& fonts_;
  lab::Settings settings_;
  lab::Language language_;
  bool still_;
  std::unique_ptr<Panels> panels_;
  Selection selection_;
  ImVec2 hushed_at_{};  // where the mouse was when keys were used
  Input input_;         // what the shortcuts left over
  float display_scale_ = 1;
  double redraw_in_ = 1e9;
  bool quit_ = false;
  Popup popup_ = Popup::None;
  bool popup_opened_ = false;
  bool bring_back_run_ = false;
  bool share_whole_ = false;  // off again at each start of the window
  ImVec2 popup_at_;
  std::size_t lesson_choice_ = 0;    // in the order of the list, which is by part
  float lessons_height_ = 0;         // of the whole list, at the last frame
  int lessons_new_ = 0;              // frames until the list that was opened has its height and scrollbar
  std::size_t lessons_below_ = 0;    // not in sight yet
  std::optional<float> lessons_to_;  // where to scroll the list
  std::size_t choice_in_sight_ = 0;  // of the popup's list
  Tab tab_ = Tab::Notes;
  bool notes_there_ = true;  // at the last frame
  std::uint64_t run_ = 0;
  std::map<std::string, std::size_t> file_sizes_;  // bytes of each file whose text is in the fonts
  std::size_t text_events_ = 0;                    // events whose text is in the fonts
  lab::RunPhase phase_seen_ = lab::RunPhase::Idle;
  std::string lesson_seen_;
  bool strings_collected_ = false;
  std::vector<lab::Problem> own_problems_;
  std::vector<lab::Problem> notices_;
  double notices_since_ = -1;  // when the newest came; -1: at the next frame
  float notices_height_ = 0;   // at the last frame that had some, in pixels
  Wish wish_ = Wish::None;
  Panel maximized_ = Panel::None, under_mouse_ = Panel::None;
  int tour_ = -1;                                // the card that is shown; -1: none
  int tour_seen_ = -1;                           // the one of the frame before
  bool side_exercise_ = false;                   // in the notes' place
  Arrangement arrangement_ = Arrangement::Wide;  // at the last frame
  bool exercise_drawn_ = false;                  // the same
  // A verdict that came while the exercise was not to be seen, and is not told any more once it is.
  bool verdict_seen_ = false, verdict_untold_ = false;
  PredictCard predict_card_;
  TeachingPage teaching_;
  float problems_height_ = 0;  // of the strip of problems in the frame before, in pixels
  bool working_ = false;       // the strip of long work is shown
  lab::Glossary glossary_;
  std::optional<lab::LessonSearch> search_;
  TextField search_field_, launcher_field_, unkept_field_;
  std::function<void()> leaving_for_;  // called when no text will be lost by it
  std::vector<std::string> unkept_;
  std::optional<lab::Problem> unkept_problem_;  // of the last try to save it elsewhere
  int unkept_choice_ = 0;
  std::string searched_;
  lab::Language searched_in_ = lab::Language::English;
  std::vector<lab::SearchHit> hits_;
  std::size_t hit_choice_ = 0;
  bool watch_places_ = false;
  std::map<std::string, ImVec2> places_;
  TextLog* texts_ = nullptr;
};

}  // namespace gui
