// SPDX-License-Identifier: MIT
// Where the student was: file, line, breakpoints and exercise of each lesson, kept in the settings, so that
// after the window was closed or killed, it opens in the same state. Also the keys that move from panel to
// panel and from page to page. Part of Shell (shell.hpp).
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "shell.hpp"

namespace gui {
namespace {
constexpr const char* kTabNames[] = {"notes", "code", "picture"};
}  // namespace

// When a lesson was opened, before its first frame.
void Shell::return_to_place() {
  const lab::Lesson* lesson = bench_.lesson();
  if (lesson == nullptr || bench_.phase() == lab::RunPhase::Replaying) return;
  const bool with_run = std::exchange(bring_back_run_, false);
  const auto found = settings_.places.find(lesson->slug);
  if (found == settings_.places.end()) {
    tab_ = Tab::Notes;
    return;
  }
  const lab::Settings::Place place = found->second;
  if (lab::exercise_named(bench_.exercises(), place.exercise) != nullptr) {
    bench_.choose_exercise(place.exercise);
    bench_.enter_exercise(true);
    side_exercise_ = true;
  }
  for (const auto& [file, lines] : place.breakpoints)
    for (const int line : lines)
      if (!bench_.breakpoints(file).contains(line)) bench_.toggle_breakpoint(file, line);
  const std::vector<std::string>& files = bench_.files();
  if (place.line > 0 && std::find(files.begin(), files.end(), place.file) != files.end())
    selection_.go_to = Selection::Goto{place.file, place.line};
  for (std::size_t i = 0; i < std::size(kTabNames); ++i)
    if (place.tab == kTabNames[i]) tab_ = static_cast<Tab>(i);
  if (selection_.focus_wanted == "notes" && arrangement_ != Arrangement::Wide)
    selection_.focus = selection_.focus_wanted = kTabNames[static_cast<std::size_t>(tab_)];
  selection_.go_to_step = place.step;
  if (with_run)
    bench_.bring_back_run(place.call < 0 ? std::nullopt
                                         : std::optional(static_cast<std::size_t>(place.call)));
}

void Shell::remember_place() {
  const lab::Lesson* lesson = bench_.lesson();
  if (still_ || lesson == nullptr || bench_.phase() == lab::RunPhase::Replaying || selection_.go_to) return;
  lab::Settings::Place place;
  if (const auto before = settings_.places.find(lesson->slug); before != settings_.places.end())
    place.file = before->second.file, place.line = before->second.line, place.call = before->second.call;
  if (!selection_.caret.file.empty()) place.file = selection_.caret.file, place.line = selection_.caret.line;
  if (bench_.in_exercise()) place.exercise = bench_.exercise()->name;
  place.tab = kTabNames[static_cast<std::size_t>(tab_)];
  place.step = selection_.watched.notes_top;
  if (place.step.empty())
    if (const auto before = settings_.places.find(lesson->slug); before != settings_.places.end())
      place.step = before->second.step;
  if (bench_.store().calls() > 0)
    place.call = bench_.at_end() ? -1 : static_cast<int>(bench_.call_at_cursor());
  for (const std::string& file : bench_.files())
    if (const auto& lines = bench_.breakpoints(file); !lines.empty()) place.breakpoints[file] = lines;
  settings_.places[lesson->slug] = std::move(place);
}

// Notes, code, picture, calls, the bar, and round again; what there is of them. Where two share a place, both
// have their turn.
void Shell::focus_next_panel() {
  const Shown there = what_is_there();
  std::vector<std::string_view> order = {"picture", "calls", "bar"};
  if (there.code) order.insert(order.begin(), "code");
  if (there.notes) order.insert(order.begin(), "notes");
  const std::string_view now = selection_.editor_focused ? "code" : std::string_view(selection_.focus);
  const auto at = std::find(order.begin(), order.end(), now);
  const auto next = (static_cast<std::size_t>(at - order.begin()) + 1) % order.size();
  selection_.focus = at != order.end() ? order[next] : there.code ? "code" : "picture";
  selection_.focus_wanted = selection_.focus;
  if (selection_.focus == "notes") tab_ = Tab::Notes;
  if (selection_.focus == "code") tab_ = Tab::Code;
  if (selection_.focus == "picture") tab_ = Tab::Picture;
  if (maximized_ != Panel::None) maximized_ = Panel::None;
}

// The one that F6 gave the keyboard to, else the one under the mouse, else the editor.
Shell::Panel Shell::panel_in_use() const {
  static const std::map<std::string_view, Panel> kPanels = {
      {"notes", Panel::Notes}, {"code", Panel::Code}, {"picture", Panel::Picture}, {"calls", Panel::Bottom}};
  if (const auto found = kPanels.find(selection_.focus); found != kPanels.end()) return found->second;
  if (under_mouse_ == Panel::None && selection_.editor_focused) return Panel::Code;
  return under_mouse_;
}

// Side by side, only the notes and the exercise share a place.
std::vector<Shell::Page> Shell::pages() const {
  std::vector<Page> all = {{Tab::Notes, false}};
  if (bench_.exercise() != nullptr) all.push_back({Tab::Notes, true});
  if (arrangement_ != Arrangement::Wide) all.push_back({Tab::Code, false});
  if (arrangement_ == Arrangement::Stacked) all.push_back({Tab::Picture, false});
  return all;
}

Shell::Page Shell::page_shown() const {
  const bool exercise = side_exercise_ && bench_.exercise() != nullptr;
  if (arrangement_ == Arrangement::Wide || tab_ == Tab::Notes) return {Tab::Notes, exercise};
  return {arrangement_ == Arrangement::Stacked ? tab_ : Tab::Code, false};
}

void Shell::show_page(const Page& page) {
  tab_ = page.tab;
  if (page.tab == Tab::Notes) side_exercise_ = page.exercise;
}

void Shell::show_next_page() {
  const std::vector<Page> all = pages();
  const auto now = std::find(all.begin(), all.end(), page_shown());
  const Page& next = all[(static_cast<std::size_t>(now - all.begin()) + 1) % all.size()];
  // The keyboard goes along if it was on the page before: what is not shown cannot have it.
  const bool had_it =
      selection_.editor_focused || selection_.focus == kTabNames[static_cast<std::size_t>(tab_)];
  show_page(next);
  if (had_it) selection_.focus = selection_.focus_wanted = kTabNames[static_cast<std::size_t>(next.tab)];
}

// And the keyboard goes there.
void Shell::show_exercise() {
  if (bench_.exercise() == nullptr) return;
  show_page({Tab::Notes, true});
  if (maximized_ != Panel::Notes) maximized_ = Panel::None;
  selection_.focus = selection_.focus_wanted = "notes";
}

bool Shell::open(std::string_view name) {
  static const std::map<std::string_view, Popup> kPopups = {
      {"lessons", Popup::Lessons}, {"driver", Popup::Driver},    {"remote", Popup::Driver},
      {"look", Popup::Look},       {"keys", Popup::Keys},        {"search", Popup::Search},
      {"share", Popup::Share},     {"teaching", Popup::Teaching}};
  static const std::map<std::string_view, Panel> kAlone = {
      {"notes", Panel::Notes}, {"code", Panel::Code}, {"picture", Panel::Picture}, {"calls", Panel::Bottom}};
  if (const auto found = kPopups.find(name); found != kPopups.end()) {
    if (name == "remote") settings_.remote = true;
    if (popup_ != found->second) toggle(found->second);
    return true;
  }
  const bool one = name.starts_with(lab::kOneExercise);
  if (one) {
    const std::string_view which = name.substr(lab::kOneExercise.size());
    if (lab::exercise_named(bench_.exercises(), which) == nullptr) return false;
    bench_.choose_exercise(which);
  }
  if (one || (name == "exercise" && bench_.exercise() != nullptr)) {
    follow_run();  // a lesson that was just opened begins with its notes
    tab_ = Tab::Notes;
    return side_exercise_ = true;
  }
  if (name == "questions" && !bench_.quiz().empty()) return show_question(0), true;
  const auto found = kAlone.find(name);
  if (found == kAlone.end()) return false;
  maximized_ = found->second;
  return true;
}

}  // namespace gui
