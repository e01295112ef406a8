// SPDX-License-Identifier: MIT
// The bar on top: lesson, transport, driver, language, scale, appearance. Part of Shell (shell.hpp).
//
// What does not fit is left out in a fixed order: shortcuts on the buttons, the product's name, the driver's
// details, the labels of Restart and Back, that of Step, and buttons that are less important than Step.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "shell.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::RunPhase;
using lab::Text;

// Below this width at 100 % even the labels of a compact bar do not fit.
bool tight(const Frame& frame, const Rect& bar) {
  return bar.w < 900 * frame.scale;
}

bool running(RunPhase phase) {
  return phase == RunPhase::Running || phase == RunPhase::Held;
}

// "Embedded, 2 devices" in the reader's language; a real driver's own words stay as they are.
std::string driver_words(const Frame& frame) {
  constexpr std::string_view kStart = "Embedded, ";
  std::string description = frame.bench.driver_description();
  if (description.empty()) return std::string(frame.text(Text::DriverUnknown));
  const std::size_t end = description.find(' ', kStart.size());
  if (!description.starts_with(kStart) || end == std::string::npos || end == kStart.size())
    return description;
  const std::string count = description.substr(kStart.size(), end - kStart.size());
  if (count.find_first_not_of("0123456789") != std::string::npos) return description;
  return frame.text(Text::DriverEmbeddedDevices, {count});
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

// A narrow bar does without the words of Step, and then without what is needed least; the keys remain.
void make_fit(const Frame& frame, Transport& row, bool compact, float gap, float room) {
  if (measure(frame, row, compact, gap) <= room) return;
  row[kStep].icon_only = true;
  for (const std::size_t least : {kRestart, kStop, kContinue, kBack, kStep})
    if (measure(frame, row, compact, gap) > room) row[least].left_out = true;
}

}  // namespace

void Shell::draw_bar(Frame& frame, const Layout& layout) {
  const Rect& bar = layout.bar;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(bar.from(), bar.to(), frame.theme[Role::Panel]);
  list->AddLine({bar.x, bar.bottom()}, {bar.right(), bar.bottom()}, frame.theme[Role::Line],
                std::max(1.0f, frame.px(frame.theme.line_width())));
  const float right = draw_bar_right(frame, bar, layout.compact_bar);
  const float centre = bar.x + bar.w / 2;
  // The transport is in the middle of the window if it fits there, else next to the right group.
  const float widest = frame.px(tight(frame, bar) ? 250 : layout.compact_bar ? 350 : 590);
  float left = std::round(centre - widest / 2);
  if (left + widest > right - frame.px(16)) left = right - frame.px(16) - widest;
  left = std::max(left, bar.x + frame.px(layout.compact_bar ? 150 : 320));
  draw_transport(frame, bar, left, right, layout.compact_bar);
  draw_bar_left(frame, bar, left - frame.px(12));
}

void Shell::draw_bar_left(Frame& frame, const Rect& bar, float end) {
  float x = bar.x + frame.px(kMargin);
  const std::string_view product = frame.text(Text::BarTitle);
  const float product_width = text_size(frame, product, Face::Bold, Size::Title).x;
  if (end - x > product_width + frame.px(250)) {
    draw_text_middle(frame, x, bar.y, bar.h, frame.theme[Role::Text], product, Face::Bold, Size::Title);
    x += product_width + frame.px(18);
    ImGui::GetWindowDrawList()->AddLine({x, bar.y + frame.px(14)}, {x, bar.bottom() - frame.px(14)},
                                        frame.theme[Role::Line], std::max(1.0f, frame.px(1)));
    x += frame.px(10);
  }
  const lab::Lesson* lesson = bench_.lesson();
  std::string number,
      title(frame.text(bench_.phase() == RunPhase::Replaying ? Text::BarRecording : Text::BarNoLesson));
  if (lesson != nullptr) {
    number = lesson->number < 10 ? "0" + std::to_string(lesson->number) : std::to_string(lesson->number);
    title = lesson->title[static_cast<int>(language_)];
  }
  const float number_width =
      number.empty() ? 0 : text_size(frame, number, Face::Bold, Size::Title).x + frame.px(8);
  const float chevron = frame.px(22), padding = frame.px(8);
  const float room = end - x - number_width - chevron - 2 * padding;
  const float title_width =
      std::min(text_size(frame, title, Face::Bold, Size::Title).x, std::max(room, frame.px(24)));
  const ImVec2 from{x, bar.y + frame.px(9)};
  const ImVec2 size{number_width + title_width + chevron + 2 * padding, std::max(1.0f, bar.h - frame.px(18))};
  ImGui::SetCursorScreenPos(from);
  if (ImGui::InvisibleButton("lesson", size)) {
    popup_at_ = {from.x, bar.bottom() + frame.px(6)};
    toggle(Popup::Lessons);
  }
  draw_focus(frame, from, {from.x + size.x, from.y + size.y});
  if (frame.places != nullptr) (*frame.places)["lesson"] = {from.x + size.x / 2, from.y + size.y / 2};
  const bool hovered = ImGui::IsItemHovered() && !still_;
  if (popup_ == Popup::None) tooltip(frame, frame.text(Text::HintLessons));
  if (hovered || popup_ == Popup::Lessons)
    draw_card(frame, from, {from.x + size.x, from.y + size.y}, frame.theme[Role::Hover], 0);
  x += padding;
  if (!number.empty())
    draw_text_middle(frame, x, from.y, size.y, frame.theme[Role::Accent], number, Face::Bold, Size::Title);
  x += number_width;
  draw_text_middle(frame, x, from.y, size.y, frame.theme[Role::Text], title, Face::Bold, Size::Title,
                   title_width + 1, Cut::Meant);
  draw_icon(frame, Icon::Chevron, {x + title_width + frame.px(13), from.y + size.y / 2 + frame.px(1)},
            frame.px(13), frame.theme[Role::Muted]);
}

float Shell::draw_bar_right(Frame& frame, const Rect& bar, bool compact) {
  const float top = bar.y + (bar.h - frame.px(32)) / 2;
  float x = bar.right() - frame.px(compact ? 10 : kMargin);

  const Icon look = theme().name() == ThemeName::Dark    ? Icon::Moon
                    : theme().name() == ThemeName::Light ? Icon::Sun
                                                         : Icon::Screen;
  ButtonOptions ghost{.icon = look, .style = ButtonStyle::Ghost, .on = popup_ == Popup::Look};
  if (popup_ == Popup::None) ghost.hint = frame.text(Text::HintTheme);
  x -= button_size(frame, "", ghost).x;
  ImGui::SetCursorScreenPos({x, top});
  if (button(frame, "look", "", ghost)) toggle(Popup::Look);

  const std::string percent = std::to_string(settings_.scale) + " %";
  ButtonOptions scale{.style = ButtonStyle::Ghost, .size = Size::Small};
  if (popup_ == Popup::None) scale.hint = frame.text(Text::HintScale);
  if (!tight(frame, bar)) {
    x -= button_size(frame, percent, scale).x + frame.px(2);
    ImGui::SetCursorScreenPos({x, top + frame.px(3)});
    if (button(frame, "scale", percent, scale)) toggle(Popup::Look);
  }

  const std::string_view languages[] = {"EN", "中文"};
  const float segment = std::round(
      std::max(text_size(frame, languages[0], Face::Bold).x, text_size(frame, languages[1], Face::Bold).x) +
      frame.px(20));
  x -= 2 * segment + frame.px(8);
  ImGui::SetCursorScreenPos({x, top});
  if (segmented(frame, "language", languages, 2, static_cast<int>(language_)) >= 0)
    act(Action::SwitchLanguage);

  const std::string driver = driver_words(frame);
  const float widest = frame.px(compact ? 150 : 200), padding = frame.px(12), dot = frame.px(16),
              chevron = frame.px(18);
  const float text_width = tight(frame, bar) ? 0 : std::min(text_size(frame, driver).x, widest);
  const ImVec2 size{padding * 2 + dot + text_width + chevron, frame.px(32)};
  x -= size.x + frame.px(10);
  ImGui::SetCursorScreenPos({x, top});
  if (ImGui::InvisibleButton("driver", size)) {
    popup_at_ = {x, bar.bottom() + frame.px(6)};
    toggle(Popup::Driver);
  }
  draw_focus(frame, {x, top}, {x + size.x, top + size.y});
  if (frame.places != nullptr) (*frame.places)["driver"] = {x + size.x / 2, top + size.y / 2};
  const bool hovered = ImGui::IsItemHovered() && !still_;
  if (popup_ == Popup::None) tooltip(frame, frame.text(Text::HintDriver));
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float round = size.y / 2;
  list->AddRectFilled({x, top}, {x + size.x, top + size.y},
                      frame.theme[hovered || popup_ == Popup::Driver ? Role::Hover : Role::Raised], round);
  list->AddRect({x, top}, {x + size.x, top + size.y}, frame.theme[Role::Line], round, 0,
                std::max(1.0f, frame.px(frame.theme.line_width())));
  list->AddCircleFilled({x + padding + frame.px(4), top + size.y / 2}, frame.px(4.5f),
                        frame.theme[Role::Good]);
  if (text_width > 0)
    draw_text_middle(frame, x + padding + dot, top, size.y, frame.theme[Role::Text], driver, Face::Ui,
                     Size::Body, text_width + 1, Cut::Meant);
  draw_icon(frame, Icon::Chevron, {x + size.x - padding - frame.px(3), top + size.y / 2 + frame.px(1)},
            frame.px(12), frame.theme[Role::Muted]);
  return x;
}

void Shell::draw_transport(Frame& frame, const Rect& bar, float left, float right, bool compact) {
  const RunPhase phase = bench_.phase();
  const bool replay = phase == RunPhase::Replaying, live = running(phase),
             building = phase == RunPhase::Building;
  const bool can_start = bench_.lesson() != nullptr && !replay;
  const bool past = !bench_.at_end();
  const bool fresh = can_start && !live && !building && bench_.store().calls() == 0;
  const bool forward = past || phase == RunPhase::Held || (can_start && !live && !building);
  Transport row = {{
      {"restart", Text::BarRestart, Text::HintRestart, Icon::Restart, "", Action::Restart, can_start,
       compact},
      {"back", Text::BarBack, Text::HintBack, Icon::Back, "F9", Action::Back, bench_.call_at_cursor() > 0,
       compact},
      {"step", Text::BarStep, Text::HintStep, Icon::Step, "F10", Action::Step, forward, false},
      {"continue", fresh ? Text::BarRun : Text::BarContinue, fresh ? Text::HintRun : Text::HintContinue,
       fresh ? Icon::Play : Icon::Forward, "F5", Action::Continue, forward, tight(frame, bar)},
      {"stop", Text::BarStop, Text::HintStop, Icon::Stop, "", Action::Stop, live || building, true},
  }};
  const float top = bar.y + (bar.h - frame.px(32)) / 2, gap = frame.px(8);
  make_fit(frame, row, compact, gap, right - frame.px(4) - left + gap);
  float x = left;
  for (const TransportButton& item : row) {
    if (item.left_out) continue;
    ImGui::SetCursorScreenPos({x, top});
    if (button(frame, item.id, label_of(frame, item), options_of(item, compact))) act(item.action);
    x += item.width + gap;
  }
}

}  // namespace gui
