// SPDX-License-Identifier: MIT
// The code: the lesson's files in tabs, the editor, and results of the run and the compiler next to the
// lines.
//
// The text belongs to the workbench; this view has an editor for each file and passes changes on as they are
// typed.
#include <imgui.h>

#include <algorithm>
#include <map>
#include <utility>

#include "button_menu.hpp"
#include "code_badges.hpp"
#include "difference_page.hpp"
#include "editor/editor.hpp"
#include "popup.hpp"
#include "view.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

class CodeView : public View {
 public:
  Text title() const override { return Text::CodeTitle; }
  void draw(Frame& frame) override;
  void draw_in_row(Frame& frame) override;
  void take(const Command& command) override {
    if (const auto* source = std::get_if<command::ShowSource>(&command)) wanted_ = *source;
    find_wanted_ = find_wanted_ || std::holds_alternative<command::FindInCode>(command);
  }

 private:
  struct File {
    editor::Editor editor;
    bool loaded = false, edited = false;
    std::map<int, editor::Message> messages;
    const char* data = nullptr;  // of the workbench's text when it was last looked at
    std::size_t size = 0;
  };
  void follow_lesson(const lab::Workbench& bench);
  void take_text(const lab::Workbench& bench, const std::string& name, File& file);
  void follow_run(Frame& frame);
  void take_messages(const lab::Workbench& bench);
  static void move_messages(File& file, int lines_before);
  void take_keyboard(Frame& frame, editor::Editor& editor);
  float name_width(const Frame& frame, const std::string& name) const;
  float draw_names(Frame& frame, ImVec2 from, float end, float tall, std::size_t first);
  std::size_t first_name(const Frame& frame, float room) const;
  void draw_header(Frame& frame, bool read_only);
  void draw_header_right(Frame& frame, float left, bool read_only);
  bool draw_choices(Frame& frame);
  void restore(Frame& frame);
  void compare(Frame& frame) const;
  editor::Marks marks(Frame& frame);
  static void watch(Frame& frame, const editor::Editor& editor, const editor::Marks& marks);

  std::string lesson_;
  std::string exercise_;  // the open one
  std::map<std::string, File> files_;
  std::string active_;
  std::size_t cursor_ = static_cast<std::size_t>(-1);
  std::uint64_t run_ = 0;
  std::optional<command::ShowSource> wanted_;  // not shown yet
  bool failed_build_shown_ = false;
  bool find_wanted_ = false;
  ButtonMenu menu_{"code menu"};
  std::filesystem::path built_;  // with the seconds: which build the messages are of
  double built_seconds_ = -1;
  CodeBadges badges_;
  DifferencePage difference_;
};

void CodeView::follow_lesson(const lab::Workbench& bench) {
  const std::string lesson = bench.lesson() != nullptr ? bench.lesson()->folder.string() : std::string();
  const std::vector<std::string>& names = bench.files();
  const std::string exercise = bench.in_exercise() ? bench.exercise()->name : std::string();
  if (lesson != lesson_ || exercise != exercise_)
    files_.clear(), active_.clear(), lesson_ = lesson, exercise_ = exercise;
  if (std::find(names.begin(), names.end(), active_) == names.end())
    active_ = names.empty() ? "" : names.front();
}

// The workbench's text may change without us: another lesson, a restored file, another language. The last one
// alone changes a file that nobody edited.
void CodeView::take_text(const lab::Workbench& bench, const std::string& name, File& file) {
  const std::string& text = bench.file_text(name);
  const bool edited = bench.edited(name);
  if (file.loaded && text.data() == file.data && text.size() == file.size && edited == file.edited) return;
  if (!file.loaded)
    file.editor.set_text(text, editor::Editor::Take::Fresh);
  else if (file.editor.text() != text)
    file.editor.set_text(
        text, edited || file.edited ? editor::Editor::Take::AsChange : editor::Editor::Take::InPlace);
  file.loaded = true, file.data = text.data(), file.size = text.size(), file.edited = edited;
}

// A step, a failed build or another panel may ask for a place.
void CodeView::follow_run(Frame& frame) {
  const lab::Workbench& bench = frame.bench;
  if (frame.run != run_ || bench.cursor() != cursor_) {
    run_ = frame.run, cursor_ = bench.cursor();
    lab::Workbench::Place place = bench.call_at_cursor() > 0 ? bench.place(false) : bench.place(true);
    if (place.line == 0) place = bench.place(true);
    const std::string file = bench.file_of(place.file);
    const int line = bench.line_now(file, place.line);
    if (line > 0 && !file.empty()) active_ = file, files_[file].editor.show_line(line - 1);
  }
  const bool failed = bench.phase() == lab::RunPhase::BuildFailed && bench.build() != nullptr;
  if (failed && !failed_build_shown_) {
    for (const lab::Diagnostic& diagnostic : bench.build()->diagnostics) {
      const std::string file = bench.file_of(diagnostic.file);
      if (diagnostic.severity != lab::Diagnostic::Severity::Error || file.empty()) continue;
      active_ = file, files_[file].editor.show_line(diagnostic.line - 1);
      break;
    }
  }
  failed_build_shown_ = failed;
  if (!wanted_) return;
  const std::string file = bench.file_of(wanted_->file);
  if (!file.empty()) {
    active_ = file;
    const int line = wanted_->of_run ? bench.line_now(file, wanted_->line) : wanted_->line;
    if (line > 0) files_[file].editor.put_caret({line - 1, 0});
  }
  wanted_.reset();
}

editor::Marks CodeView::marks(Frame& frame) {
  const lab::Workbench& bench = frame.bench;
  editor::Marks marks;
  for (const int line : bench.breakpoints(active_)) marks.breakpoints.insert(line - 1);
  badges_.update(frame);
  // What was said of lines that are other ones now is no longer true; the rest moves along.
  marks.stale = bench.changed_since_run(active_);
  for (const auto& [line, badge] : badges_.of(active_))
    if (const int now = bench.line_now(active_, line + 1); now > 0) marks.badges[now - 1] = badge;
  const lab::Workbench::Place now = bench.place(false), next = bench.place(true);
  if (bench.call_at_cursor() > 0 && bench.file_of(now.file) == active_ && now.line > 0) {
    marks.current = bench.line_now(active_, now.line) - 1;
    const std::size_t event = bench.store().event_of_call(bench.call_at_cursor() - 1);
    marks.current_failed = bench.store().result_at(event) != 0 && !bench.expected_failure(event);
  }
  if (bench.file_of(next.file) == active_ && next.line > 0)
    marks.next = bench.line_now(active_, next.line) - 1;
  marks.messages = files_[active_].messages;
  return marks;
}

// What is on the caret's line, for tests.
void CodeView::watch(Frame& frame, const editor::Editor& editor, const editor::Marks& marks) {
  Watched& watched = *frame.watched;
  editor.watch(watched);
  watched.current = marks.current + 1;
  watched.messages = static_cast<int>(marks.messages.size());
  const int line = editor.caret().line;
  if (const auto badge = marks.badges.find(line); badge != marks.badges.end())
    for (const editor::BadgeWord& word : badge->second) watched.badge += word.text + " ";
  if (const auto message = marks.messages.find(line); message != marks.messages.end())
    watched.message = message->second.text;
}

// What the compiler said of the text as it was built; from then on it moves with the text.
void CodeView::take_messages(const lab::Workbench& bench) {
  const lab::BuildResult* build = bench.build();
  const bool fresh = build != nullptr && (build->program != built_ || build->seconds != built_seconds_);
  if (!fresh && build != nullptr) return;
  for (auto& [name, file] : files_) file.messages.clear();
  built_ = build == nullptr ? std::filesystem::path() : build->program;
  built_seconds_ = build == nullptr ? -1 : build->seconds;
  if (build == nullptr) return;
  for (const lab::Diagnostic& diagnostic : build->diagnostics) {
    if (diagnostic.severity == lab::Diagnostic::Severity::Note || diagnostic.line <= 0) continue;
    const std::string name = bench.file_of(diagnostic.file);
    if (name.empty()) continue;
    const bool error = diagnostic.severity == lab::Diagnostic::Severity::Error;
    const editor::Message message{error, diagnostic.message, std::max(0, diagnostic.column - 1)};
    const auto [at, added] = files_[name].messages.emplace(diagnostic.line - 1, message);
    if (!added && error && !at->second.error) at->second = message;
  }
}

// An edit that changed the number of lines moves what is below it.
void CodeView::move_messages(File& file, int lines_before) {
  const int by = file.editor.lines() - lines_before, line = file.editor.caret().line;
  if (file.messages.empty()) return;
  if (by == 0) {
    file.messages.erase(line);  // it was said of other words; whether these are right the next build says
    return;
  }
  std::map<int, editor::Message> moved;
  for (auto& [at, message] : file.messages) {
    const bool behind = at > line - by;
    if (behind)
      moved.emplace(at + by, std::move(message));
    else if (by > 0 || at <= line)
      moved.emplace(at, std::move(message));
  }
  file.messages = std::move(moved);
}

void CodeView::draw_header_right(Frame& frame, float left, bool read_only) {
  const ImVec2 window = ImGui::GetWindowPos();
  const float right = window.x + ImGui::GetWindowWidth() - frame.px(kMargin);
  const auto words = [&](std::string_view text) {
    const ImVec2 size = text_size(frame, text, Face::Ui, Size::Small);
    if (right - size.x < left + frame.px(12)) return;
    const ImVec2 at = panel_header_right(frame, size.x, size.y);
    draw_text(frame, at, frame.theme[Role::Muted], text, Face::Ui, Size::Small);
  };
  if (read_only) return words(frame.text(Text::CodeReadOnly));
  const bool edited = frame.bench.edited(active_);
  float x = right;
  const auto press = [&](const char* id, Text label, Text hint) {
    ButtonOptions options;
    options.style = ButtonStyle::Ghost;
    options.size = Size::Small;
    options.hint = frame.text(hint);
    const ImVec2 size = button_size(frame, frame.text(label), options);
    if (x - size.x < left + frame.px(8)) return false;
    x -= size.x;
    ImGui::SetCursorScreenPos({x, panel_header_right(frame, size.x, size.y).y});
    const bool pressed = button(frame, id, frame.text(label), options);
    x -= frame.px(2);
    return pressed;
  };
  if (edited && press("restore", Text::CodeRestore, Text::CodeRestoreHint)) restore(frame);
  if (edited && press("compare", Text::DifferenceButton, Text::DifferenceButtonHint)) compare(frame);
  if (press("outside", Text::CodeOutside, Text::CodeOutsideHint)) frame.bench.open_outside(active_);
  if (edited) return;
  const std::string_view hint = frame.text(Text::CodeRunHint);
  const ImVec2 size = text_size(frame, hint, Face::Ui, Size::Small);
  if (x - size.x - frame.px(8) < left + frame.px(12)) return;
  draw_text(frame, {x - size.x - frame.px(8), panel_header_right(frame, size.x, size.y).y},
            frame.theme[Role::Muted], hint, Face::Ui, Size::Small);
}

void CodeView::restore(Frame& frame) {
  frame.bench.restore(active_);
  files_[active_].editor.focus();  // the button mentions undo, which is the editor's
}

void CodeView::compare(Frame& frame) const {
  frame.selection.compare = comparison_of(frame.bench, frame.language, active_, Selection::Against::Original);
}

// With what stands behind it: that it was edited, and a gap.
float CodeView::name_width(const Frame& frame, const std::string& name) const {
  float width = text_size(frame, name, Face::Mono).x + frame.px(18);
  if (!frame.bench.edited(name)) return width;
  if (name == active_)
    width += text_size(frame, frame.text(Text::CodeEdited), Face::Ui, Size::Small).x + frame.px(6);
  return width + frame.px(14);
}

// Those from `first` on that end before `end`. Returns where the last one ends.
float CodeView::draw_names(Frame& frame, ImVec2 from, float end, float tall, std::size_t first) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::vector<std::string>& names = frame.bench.files();
  float x = from.x;
  for (std::size_t i = first; i < names.size(); ++i) {
    const std::string& name = names[i];
    const bool active = name == active_;
    const float wide = text_size(frame, name, Face::Mono).x, next = x + name_width(frame, name);
    if (x + wide > end) break;
    ImGui::SetCursorScreenPos({x, from.y});
    ImGui::PushID(name.c_str());
    if (pressable(frame, "tab", {wide, tall})) {
      active_ = name;
      if (frame.selection.stops.on_last()) files_[name].editor.focus();  // by a key: to be written in
    }
    const bool hovered = ImGui::IsItemHovered() && !frame.still;
    draw_focus(frame, {x - frame.px(4), from.y + frame.px(8)},
               {x + wide + frame.px(4), from.y + tall - frame.px(8)});
    ImGui::PopID();
    if (frame.places != nullptr) (*frame.places)["file " + name] = {x + wide / 2, from.y + tall / 2};
    draw_text_middle(frame, x, from.y, tall, frame.theme[active || hovered ? Role::Text : Role::Muted], name,
                     Face::Mono);
    if (active)
      list.AddRectFilled({x, from.y + tall - frame.px(3)}, {x + wide, from.y + tall - frame.px(1)},
                         frame.theme[Role::Accent]);
    x += wide + frame.px(10);
    if (frame.bench.edited(name)) {
      if (active) {
        x += draw_text_middle(frame, x, from.y, tall, frame.theme[Role::Caution],
                              frame.text(Text::CodeEdited), Face::Ui, Size::Small);
        x += frame.px(6);
      }
      list.AddCircleFilled({x + frame.px(4), from.y + tall / 2 + frame.px(1)}, frame.px(4),
                           frame.theme[Role::Caution], 16);
    }
    x = next;
  }
  return x;
}

// The first of them, unless the active one would then have no room.
std::size_t CodeView::first_name(const Frame& frame, float room) const {
  const std::vector<std::string>& names = frame.bench.files();
  const auto active =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), active_) - names.begin());
  std::size_t first = std::min(active, names.size());
  for (float used = 0; first > 0; --first) {
    used += name_width(frame, names[first - 1]);
    if (used + name_width(frame, active_) > room) break;
  }
  return first;
}

void CodeView::draw_header(Frame& frame, bool read_only) {
  const KeyOrder order(frame.selection.stops, KeyOrder::Of::Row);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float tall = frame.px(46), width = ImGui::GetContentRegionAvail().x, in = frame.px(kMargin);
  const float left = draw_names(frame, {from.x + in, from.y}, from.x + width - in, tall, 0);
  draw_header_right(frame, left, read_only);
  ImGui::GetWindowDrawList()->AddLine({from.x, from.y + tall}, {from.x + width, from.y + tall},
                                      frame.theme[Role::Line], frame.px(frame.theme.line_width()));
  ImGui::SetCursorScreenPos({from.x, from.y + tall + frame.px(1)});
}

// Escape leaves the editor for the buttons above it, which Tab walks; any other key goes back to the text.
void CodeView::take_keyboard(Frame& frame, editor::Editor& editor) {
  Selection& selection = frame.selection;
  if (selection.focus_wanted == "code") editor.focus();
  if (selection.focus != "code" || selection.editor_focus.before || !selection.stops.whole("code")) return;
  const bool typed = std::any_of(frame.input.keys.begin(), frame.input.keys.end(),
                                 [](const KeyPress& press) { return press.key != Key::Escape; });
  if (typed || !frame.input.text.empty()) editor.focus();
}

// The names beside the tabs of the panels; for everything else there is a menu.
void CodeView::draw_in_row(Frame& frame) {
  if (active_.empty() || frame.selection.compare) return;
  const KeyOrder order(frame.selection.stops, KeyOrder::Of::Row);
  const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float left = from.x + frame.px(12);
  ImGui::GetWindowDrawList()->AddLine({from.x, from.y + frame.px(10)},
                                      {from.x, from.y + room.y - frame.px(10)}, frame.theme[Role::Line]);
  const ImVec2 size = ButtonMenu::size(frame);
  const float end = from.x + room.x - size.x - frame.px(6);
  const float down = frame.px(2);  // as the names of the panels are
  draw_names(frame, {left, from.y + down}, end, room.y - down, first_name(frame, end - left));
  const float width = frame.px(260), below = from.y + room.y;
  const Rect menu{std::max(0.0f, end + size.x - width), below, width,
                  std::max(frame.px(80), ImGui::GetMainViewport()->Size.y - below)};
  menu_.draw(frame, "code menu", {end, from.y + (room.y - size.y) / 2}, frame.text(Text::CodeMenuHint), menu,
             [&] { return draw_choices(frame); });
}

// True when something was chosen.
bool CodeView::draw_choices(Frame& frame) {
  const std::vector<std::string> names = frame.bench.files();
  const bool read_only = frame.bench.read_only(), edited = frame.bench.edited(active_);
  bool chosen = false;
  const auto choice = [&](const std::string& id, std::string_view words, bool on = false) {
    const bool now = popup_choice(frame, id.c_str(), words, {}, {.on = on});
    chosen = chosen || now;
    return now;
  };
  if (names.size() > 1)
    for (const std::string& name : names)
      if (choice("choose " + name, name, name == active_)) active_ = name, files_[name].editor.focus();
  if (read_only) popup_sentence(frame, frame.text(Text::CodeReadOnly));
  if (!read_only && edited && choice("restore", frame.text(Text::CodeRestore))) restore(frame);
  if (!read_only && edited && choice("compare", frame.text(Text::DifferenceButton))) compare(frame);
  if (!read_only && choice("outside", frame.text(Text::CodeOutside))) frame.bench.open_outside(active_);
  return chosen;
}

void CodeView::draw(Frame& frame) {
  lab::Workbench& bench = frame.bench;
  follow_lesson(bench);
  if (active_.empty()) {
    panel_header(frame, frame.text(title()));
    empty_state(frame, frame.text(Text::CodeEmptyTitle), frame.text(Text::CodeEmpty));
    return;
  }
  for (const std::string& name : bench.files()) take_text(bench, name, files_[name]);
  take_messages(bench);
  follow_run(frame);
  if (frame.selection.compare) {
    if (!difference_.draw(frame, *frame.selection.compare)) return;
    frame.selection.compare.reset();
    if (frame.selection.focus == "code") files_[active_].editor.focus(), frame.animate();
    return;
  }
  const bool read_only = bench.read_only();
  if (!frame.in_tab) draw_header(frame, read_only);
  File& file = files_[active_];
  const ImVec2 room = ImGui::GetContentRegionAvail();
  // The panel's rounded corners stay free.
  const ImVec2 size{room.x, std::max(room.y - frame.px(6), frame.px(20))};
  if (frame.places != nullptr) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    (*frame.places)["code"] = {at.x + size.x / 2, at.y + size.y / 2};
    (*frame.places)["gutter"] = {at.x + frame.px(10), at.y + size.y / 2};
  }
  const int lines_before = file.editor.lines();
  take_keyboard(frame, file.editor);
  if (std::exchange(find_wanted_, false)) file.editor.find();
  const editor::Marks shown = marks(frame);
  const bool changed = file.editor.draw(frame, active_.c_str(), size, shown, read_only);
  if (frame.selection.editor_focus.now) frame.selection.stops.leave();
  if (file.editor.take_left()) {
    ImGui::SetWindowFocus();
    frame.selection.editor_focus.now = false;
    frame.selection.focus = "code";
    frame.selection.stops.begin_in("code", KeyStops::From::Whole);
    frame.animate();
  }
  frame.selection.caret = {active_, file.editor.caret().line + 1};
  if (frame.watched != nullptr) watch(frame, file.editor, shown);
  if (const auto line = file.editor.breakpoint_wanted()) bench.toggle_breakpoint(active_, *line + 1);
  if (!changed) return;
  move_messages(file, lines_before);
  bench.set_file_text(active_, file.editor.text());
  const std::string& text = bench.file_text(active_);
  file.data = text.data(), file.size = text.size(), file.edited = bench.edited(active_);
}

}  // namespace

std::unique_ptr<View> make_code_view() {
  return std::make_unique<CodeView>();
}

}  // namespace gui
