// SPDX-License-Identifier: MIT
// See top_bar.hpp.
//
// What does not fit is left out in a fixed order: the product's name, shortcuts on the buttons and the labels
// of Restart and Back, the driver's details, the label of Continue. Then the lesson's title takes two lines,
// and the label of Step goes. In the narrowest windows the title is cut, and buttons that are less important
// than Step go.
#include "top_bar.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formatting.hpp"
#include "markdown/wrap.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

// How much of the bar is shown. Lengths at 100 %.
struct BarPlan {
  float driver = 200;     // the most for its words; 0: none, and no scale either
  float transport = 590;  // the place that is kept for it in the middle of the window
  bool compact = false;   // no shortcuts on buttons, and no words on Restart and Back
  bool continue_words = true, step_words = true;
};

// The lesson's title: in one line, or in two of smaller letters.
struct TitleLook {
  Size size = Size::Title;
  std::vector<std::string> lines = {};
  float width = 0;
};

// What is drawn of the lesson, from left to right.
struct BarLesson {
  std::string number = {};
  TitleLook title = {};
  float number_width = 0, beside = 0;  // beside: all but the title's words
  float files = 0;  // the button for files before it, with the space behind; 0: no room for it
};

using lab::RunPhase;
using lab::Text;

constexpr BarPlan kPlans[] = {
    {},
    {.driver = 150, .transport = 350, .compact = true},
    {.driver = 80, .transport = 350, .compact = true},
    {.driver = 0, .transport = 250, .compact = true, .continue_words = false},
    {.driver = 0, .transport = 250, .compact = true, .continue_words = false, .step_words = false}};
constexpr std::size_t kOnlyStep = 3, kNoWords = 4;  // of kPlans, by the words that are left on buttons

std::size_t usual_plan(const Frame& frame, const Rect& bar) {
  const float wide = bar.w / frame.scale;
  return wide >= 1340 ? 0 : wide >= 900 ? 1 : kOnlyStep;
}

bool running(RunPhase phase) {
  return phase == RunPhase::Running || phase == RunPhase::Held;
}

// "Embedded, 2 devices as Tesla T4" in the reader's language; a real driver's own words stay as they are.
std::string driver_words(const Frame& frame) {
  constexpr std::string_view kStart = "Embedded, ";
  std::string description = frame.bench.driver_description();
  if (description.empty()) return std::string(frame.text(Text::DriverUnknown));
  const std::size_t end = description.find(' ', kStart.size());
  if (!description.starts_with(kStart) || end == std::string::npos || end == kStart.size())
    return description;
  const std::string count = description.substr(kStart.size(), end - kStart.size());
  if (count.find_first_not_of("0123456789") != std::string::npos) return description;
  constexpr std::string_view kAs = " as ";
  const std::size_t as = description.find(kAs, end);
  const std::string name = as == std::string::npos ? "" : " · " + description.substr(as + kAs.size());
  return frame.text(Text::DriverEmbeddedDevices, {count}) + name;
}

struct TransportButton {
  const char* id;
  Text label, hint;
  Icon icon;
  std::string_view shortcut;
  Action action;
  bool enabled;
  bool icon_only;
  bool left_out = false;
  std::string whole_hint = {};  // with the label, where that is not on the button
  float width = 0;
};
using Transport = std::array<TransportButton, 5>;
constexpr std::size_t kRestart = 0, kBack = 1, kStep = 2, kContinue = 3, kStop = 4;

std::string_view label_of(const Frame& frame, const TransportButton& item) {
  return item.icon_only ? std::string_view{} : frame.text(item.label);
}

// Good as long as the button is.
ButtonOptions options_of(const TransportButton& item, bool compact) {
  ButtonOptions options{.icon = item.icon, .enabled = item.enabled};
  options.hint = item.whole_hint;
  if (item.action == Action::Step) options.style = ButtonStyle::Primary;
  if (item.action == Action::Stop && item.enabled) options.style = ButtonStyle::Danger;
  if (!compact && !item.icon_only) options.shortcut = item.shortcut;
  return options;
}

// How long the row is, with `gap` after each.
float measure(const Frame& frame, Transport& row, bool compact, float gap) {
  float all = 0;
  for (TransportButton& item : row) {
    item.whole_hint = frame.text(item.icon_only ? item.label : item.hint);
    if (item.icon_only) item.whole_hint.append("\n").append(frame.text(item.hint));
    item.width = button_size(frame, label_of(frame, item), options_of(item, compact)).x;
    if (!item.left_out) all += item.width + gap;
  }
  return all;
}

// The narrowest bars do without what is needed least; the keys remain.
void make_fit(const Frame& frame, Transport& row, bool compact, float gap, float room) {
  if (measure(frame, row, compact, gap) <= room) return;
  row[kStep].icon_only = true;
  for (const std::size_t least : {kRestart, kStop, kContinue, kBack, kStep})
    if (measure(frame, row, compact, gap) > room) row[least].left_out = true;
}

// Nothing if there is no room for one of its words.
std::optional<TitleLook> in_two_lines(const Frame& frame, std::string_view title, float room) {
  const std::vector<markdown::Piece> words = markdown::break_into_pieces(title);
  for (const Size size : {Size::Body, Size::Small}) {
    const auto width = [&](std::string_view part) { return text_size(frame, part, Face::Bold, size).x; };
    if (std::any_of(words.begin(), words.end(), [&](const markdown::Piece& word) {
          return width(title.substr(word.begin, word.end - word.begin)) > room;
        }))
      continue;
    const std::vector<markdown::Line> lines = markdown::wrap(title, room, width);
    if (lines.size() > 2) continue;
    TitleLook look{.size = size};
    for (const markdown::Line& line : lines) {
      look.lines.emplace_back(title.substr(line.begin, line.end - line.begin));
      look.width = std::max(look.width, line.width);
    }
    return look;
  }
  return std::nullopt;
}

std::string percent_words(int percent) {
  return std::to_string(percent) + " %";
}

constexpr ButtonOptions kLookButton{.icon = Icon::Sun, .style = ButtonStyle::Ghost};
constexpr ButtonOptions kFilesButton{.icon = Icon::Folder, .style = ButtonStyle::Ghost};
constexpr float kNarrowWithFiles = 620;  // narrower bars have no button for files; the key remains
constexpr ButtonOptions kScaleButton{.style = ButtonStyle::Ghost, .size = Size::Small};
constexpr std::string_view kLanguages[] = {"EN", "中文"};

// Widths of what is on the right, each with the space beside it.
struct RightWidths {
  float margin, look, scale, language, driver_words, driver;
  float whole() const { return margin + look + scale + language + driver; }
};

RightWidths right_widths(const Frame& frame, const BarPlan& plan, int percent) {
  RightWidths of{};
  of.margin = frame.px(plan.compact ? 10 : kMargin);
  of.look = button_size(frame, "", kLookButton).x;
  if (plan.driver > 0) of.scale = button_size(frame, percent_words(percent), kScaleButton).x + frame.px(2);
  float widest = 0;
  for (const std::string_view each : kLanguages)
    widest = std::max(widest, text_size(frame, each, Face::Bold).x);
  of.language = 2 * std::round(widest + frame.px(20)) + frame.px(8);
  of.driver_words = std::min(text_size(frame, driver_words(frame)).x, frame.px(plan.driver));
  of.driver = 2 * frame.px(12) + frame.px(16) + of.driver_words + frame.px(18) + frame.px(10);
  return of;
}

// Before the first run, Continue is called Run.
Transport transport_row(const Frame& frame, const BarPlan& plan, bool fresh) {
  const lab::Workbench& bench = frame.bench;
  const RunPhase phase = bench.phase();
  const bool live = running(phase), building = phase == RunPhase::Building;
  const bool can_start = bench.can_run();
  const bool forward = !bench.at_end() || phase == RunPhase::Held || (can_start && !live && !building);
  return {{
      {"restart", Text::BarRestart, Text::HintRestart, Icon::Restart, "", Action::Restart, can_start,
       plan.compact},
      {"back", Text::BarBack, Text::HintBack, Icon::Back, "F9", Action::Back, bench.call_at_cursor() > 0,
       plan.compact},
      {"step", Text::BarStep, Text::HintStep, Icon::Step, "F10", Action::Step, forward, !plan.step_words},
      {"continue", fresh ? Text::BarRun : Text::BarContinue, fresh ? Text::HintRun : Text::HintContinue,
       fresh ? Icon::Play : Icon::Forward, "F5", Action::Continue, forward, !plan.continue_words},
      {"stop", Text::BarStop, Text::HintStop, Icon::Stop, "", Action::Stop, live || building, true},
  }};
}

constexpr float kBetweenButtons = 8;

// The same before the first run and after it.
float transport_width(const Frame& frame, const BarPlan& plan) {
  float widest = 0;
  for (const bool fresh : {false, true}) {
    Transport row = transport_row(frame, plan, fresh);
    widest = std::max(widest, measure(frame, row, plan.compact, frame.px(kBetweenButtons)));
  }
  return widest - frame.px(kBetweenButtons);
}

// The fullest bar that has room for the title, and the title in it.
std::pair<BarPlan, TitleLook> plan_bar(const Frame& frame, const Rect& bar, std::string_view title,
                                       float beside_title, int percent) {
  const auto room = [&](const BarPlan& plan) {
    return bar.w - frame.px(kMargin) - beside_title - frame.px(12) - transport_width(frame, plan) -
           frame.px(8) - right_widths(frame, plan, percent).whole();
  };
  const float width = text_size(frame, title, Face::Bold, Size::Title).x;
  const TitleLook one_line{.lines = {std::string(title)}, .width = width};
  for (std::size_t i = usual_plan(frame, bar); i <= kOnlyStep; ++i)
    if (width <= room(kPlans[i])) return {kPlans[i], one_line};
  for (std::size_t i = kOnlyStep; i <= kNoWords; ++i)
    if (auto look = in_two_lines(frame, title, room(kPlans[i]))) return {kPlans[i], std::move(*look)};
  return {kPlans[kOnlyStep], one_line};
}

void draw_left(Frame& frame, PopupName open, const Rect& bar, const BarLesson& shown, float end) {
  float x = bar.x + frame.px(kMargin);
  if (shown.files > 0) {
    ButtonOptions files = kFilesButton;
    files.on = open == PopupName::Files || open == PopupName::Trace;
    if (open == PopupName::None) files.hint = frame.text(Text::FilesHint);
    ImGui::SetCursorScreenPos({x - frame.px(6), bar.y + (bar.h - frame.px(32)) / 2});
    if (button(frame, "files", "", files)) frame.post(command::Toggle{PopupName::Files});
    x += shown.files;
  }
  const std::string_view product = frame.text(Text::BarTitle);
  const float product_width = text_size(frame, product, Face::Bold, Size::Title).x;
  if (end - x > product_width + std::max(frame.px(250), frame.px(28) + shown.beside + shown.title.width)) {
    draw_text_middle(frame, x, bar.y, bar.h, frame.theme[Role::Text], product, Face::Bold, Size::Title);
    x += product_width + frame.px(18);
    ImGui::GetWindowDrawList()->AddLine({x, bar.y + frame.px(14)}, {x, bar.bottom() - frame.px(14)},
                                        frame.theme[Role::Line], std::max(1.0f, frame.px(1)));
    x += frame.px(10);
  }
  const TitleLook& title = shown.title;
  const bool two_lines = title.lines.size() > 1;
  const float padding = frame.px(8), above = frame.px(two_lines ? 4 : 9);
  const float width = std::min(title.width, std::max(end - x - shown.beside, frame.px(24)));
  const ImVec2 from{x, bar.y + above};
  const ImVec2 size{shown.beside + width, std::max(1.0f, bar.h - 2 * above)};
  ImGui::SetCursorScreenPos(from);
  if (pressable(frame, "lesson", size)) frame.post(command::Toggle{PopupName::Lessons});
  draw_focus(frame, from, {from.x + size.x, from.y + size.y});
  if (frame.places != nullptr) (*frame.places)["lesson"] = {from.x + size.x / 2, from.y + size.y / 2};
  const bool hovered = ImGui::IsItemHovered() && !frame.still;
  if (open == PopupName::None) tooltip(frame, frame.text(Text::HintLessons));
  if (hovered || open == PopupName::Lessons)
    draw_card(frame, from, {from.x + size.x, from.y + size.y}, frame.theme[Role::Hover], 0);
  x += padding;
  draw_text_middle(frame, x, from.y, size.y, frame.theme[Role::Accent], shown.number, Face::Bold,
                   Size::Title);
  x += shown.number_width;
  // Where it is cut, the whole title is shown under the mouse.
  const float line = two_lines ? frame.fonts.height(Face::Bold, title.size) : size.y;
  float y = from.y + (size.y - line * static_cast<float>(title.lines.size())) / 2;
  for (const std::string& words : title.lines) {
    draw_text_middle(frame, x, y, line, frame.theme[Role::Text], words, Face::Bold, title.size, width + 1,
                     Cut::Meant);
    y += line;
  }
  draw_icon(frame, Icon::Chevron, {x + width + frame.px(13), from.y + size.y / 2 + frame.px(1)}, frame.px(13),
            frame.theme[Role::Muted]);
}

void draw_right(Frame& frame, PopupName open, int percent, const Rect& bar, const BarPlan& plan) {
  const RightWidths wide = right_widths(frame, plan, percent);
  const float top = bar.y + (bar.h - frame.px(32)) / 2;
  float x = bar.right() - wide.margin - wide.look;

  ButtonOptions look = kLookButton;
  look.on = open == PopupName::Look;
  if (frame.theme.name() != ThemeName::Light)
    look.icon = frame.theme.name() == ThemeName::Dark ? Icon::Moon : Icon::Screen;
  if (open == PopupName::None) look.hint = frame.text(Text::HintTheme);
  ImGui::SetCursorScreenPos({x, top});
  if (button(frame, "look", "", look)) frame.post(command::Toggle{PopupName::Look});

  if (wide.scale > 0) {
    ButtonOptions scale = kScaleButton;
    if (open == PopupName::None) scale.hint = frame.text(Text::HintScale);
    x -= wide.scale;
    ImGui::SetCursorScreenPos({x, top + frame.px(3)});
    if (button(frame, "scale", percent_words(percent), scale)) frame.post(command::Toggle{PopupName::Look});
  }

  x -= wide.language;
  ImGui::SetCursorScreenPos({x, top});
  if (segmented(frame, "language", kLanguages, 2, static_cast<int>(frame.language)) >= 0)
    frame.post(command::Do{Action::SwitchLanguage});

  const float padding = frame.px(12), dot = frame.px(16);
  const ImVec2 size{wide.driver - frame.px(10), frame.px(32)};
  x -= wide.driver;
  ImGui::SetCursorScreenPos({x, top});
  if (pressable(frame, "driver", size)) frame.post(command::Toggle{PopupName::Driver});
  draw_focus(frame, {x, top}, {x + size.x, top + size.y});
  if (frame.places != nullptr) (*frame.places)["driver"] = {x + size.x / 2, top + size.y / 2};
  const bool hovered = ImGui::IsItemHovered() && !frame.still;
  if (open == PopupName::None) tooltip(frame, frame.text(Text::HintDriver));
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float round = size.y / 2;
  list->AddRectFilled({x, top}, {x + size.x, top + size.y},
                      frame.theme[hovered || open == PopupName::Driver ? Role::Hover : Role::Raised], round);
  list->AddRect({x, top}, {x + size.x, top + size.y}, frame.theme[Role::Line], round, 0,
                std::max(1.0f, frame.px(frame.theme.line_width())));
  list->AddCircleFilled({x + padding + frame.px(4), top + size.y / 2}, frame.px(4.5f),
                        frame.theme[Role::Good]);
  if (wide.driver_words > 0)
    draw_text_middle(frame, x + padding + dot, top, size.y, frame.theme[Role::Text], driver_words(frame),
                     Face::Ui, Size::Body, wide.driver_words + 1, Cut::Meant);
  draw_icon(frame, Icon::Chevron, {x + size.x - padding - frame.px(3), top + size.y / 2 + frame.px(1)},
            frame.px(12), frame.theme[Role::Muted]);
}

void draw_transport(Frame& frame, const Rect& bar, const BarPlan& plan, float left, float right) {
  const RunPhase phase = frame.bench.phase();
  const bool can_start = frame.bench.can_run();
  const bool fresh =
      can_start && !running(phase) && phase != RunPhase::Building && frame.bench.store().calls() == 0;
  Transport row = transport_row(frame, plan, fresh);
  const float top = bar.y + (bar.h - frame.px(32)) / 2, gap = frame.px(kBetweenButtons);
  make_fit(frame, row, plan.compact, gap, right - frame.px(4) - left + gap);
  float x = left;
  for (const TransportButton& item : row) {
    if (item.left_out) continue;
    ImGui::SetCursorScreenPos({x, top});
    if (button(frame, item.id, label_of(frame, item), options_of(item, plan.compact)))
      frame.post(command::Do{item.action});
    x += item.width + gap;
  }
}

}  // namespace

void draw_top_bar(Frame& frame, const Rect& bar, PopupName open, int percent) {
  const KeyOrder order(frame.selection.stops, KeyOrder::Of::Row);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(bar.from(), bar.to(), frame.theme[Role::Panel]);
  list->AddLine({bar.x, bar.bottom()}, {bar.right(), bar.bottom()}, frame.theme[Role::Line],
                std::max(1.0f, frame.px(frame.theme.line_width())));
  BarLesson shown;
  std::string title = frame.bench.run_name();
  if (title.empty()) title = frame.text(Text::BarNoLesson);
  if (const lab::Lesson* lesson = frame.bench.lesson()) {
    shown.number = lab::lesson_number(lesson->number);
    shown.number_width = text_size(frame, shown.number, Face::Bold, Size::Title).x + frame.px(8);
    title = lesson->title[static_cast<int>(frame.language)];
  }
  shown.beside = shown.number_width + frame.px(22) + 2 * frame.px(8);
  if (bar.w >= frame.px(kNarrowWithFiles)) shown.files = button_size(frame, "", kFilesButton).x;
  auto [plan, look] = plan_bar(frame, bar, title, shown.files + shown.beside, percent);
  shown.title = std::move(look);
  const float right = bar.right() - right_widths(frame, plan, percent).whole();
  draw_right(frame, open, percent, bar, plan);
  // The transport is in the middle of the window if it fits there, else next to the right group; but behind
  // the title.
  const float widest = frame.px(plan.transport), row = transport_width(frame, plan);
  float left = std::round(bar.x + bar.w / 2 - widest / 2);
  if (left + widest > right - frame.px(16)) left = right - frame.px(16) - widest;
  left = std::max(left,
                  bar.x + frame.px(kMargin) + shown.files + shown.beside + shown.title.width + frame.px(12));
  left = std::max(std::min(left, right - frame.px(8) - row), bar.x + frame.px(150));
  draw_transport(frame, bar, plan, left, right);
  draw_left(frame, open, bar, shown, left - frame.px(12));
}

}  // namespace gui
