// SPDX-License-Identifier: MIT
// What opens above the panels: drivers, appearance, keys, and the strip of problems. Part of Shell.
//
// Popups are plain windows that the shell opens and closes, so that Esc, a click elsewhere and the keyboard
// work the same on every version of ImGui.
#include <algorithm>
#include <cmath>
#include <utility>

#include "imgui_compat.hpp"
#include "lab/version.hpp"
#include "popups.hpp"
#include "shell.hpp"
#include "widgets.hpp"

namespace gui {
using lab::Text;

bool begin_popup(Frame& frame, const char* id, ImVec2 at, float width, float most_height, Keys keys) {
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, most_height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(10), frame.px(10)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, frame.px(kRounding + 2));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.0f, frame.px(1)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {frame.px(8), frame.px(4)});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, frame.theme[Role::Panel]);
  ImGui::PushStyleColor(ImGuiCol_Border, frame.theme[Role::LineStrong]);
  push_scrollbar(frame);
  // Only a pop-up that the user opened gets the keys (draw_popups): a problem that appears leaves them to the
  // editor.
  return ImGui::Begin(id, nullptr,
                      ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                          ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoFocusOnAppearing |
                          ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                          (keys == Keys::Own ? ImGuiWindowFlags_NoNavInputs : 0));
}

void end_popup() {
  compat::end_window();
  pop_scrollbar();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(4);
}

namespace {

void heading(Frame& frame, std::string_view text) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  draw_text(frame, {from.x + frame.px(8), from.y + frame.px(6)}, frame.theme[Role::Muted], text, Face::Bold,
            Size::Small);
  ImGui::Dummy({frame.px(10), frame.px(28)});
}

void sentence(Frame& frame, std::string_view text, Role role) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x, in = frame.px(8);
  const float tall = draw_paragraph(frame, {at.x + in, at.y}, room - 2 * in, frame.theme[role], text);
  ImGui::Dummy({room, tall + frame.px(4)});
}

}  // namespace

bool walk(Key key, std::size_t& choice, std::size_t count) {
  constexpr std::size_t kPage = 6;
  if (count == 0) return false;
  const std::size_t last = count - 1;
  switch (key) {
    case Key::Down:
      return choice = std::min(choice + 1, last), true;
    case Key::Up:
      return choice -= std::min<std::size_t>(choice, 1), true;
    case Key::PageDown:
      return choice = std::min(choice + kPage, last), true;
    case Key::PageUp:
      return choice -= std::min(choice, kPage), true;
    case Key::Home:
      return choice = 0, true;
    case Key::End:
      return choice = last, true;
    default:
      return false;
  }
}

void popup_heading(Frame& frame, std::string_view text) {
  heading(frame, text);
}

void popup_sentence(Frame& frame, std::string_view text, Role role) {
  sentence(frame, text, role);
}

bool popup_choice(Frame& frame, const char* id, std::string_view label, std::string_view second,
                  const PopupChoice& how) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, room = width - frame.px(46);
  const float below = second.empty() ? 0 : paragraph_height(frame, room, second, Face::Ui, Size::Small);
  const float height = second.empty() ? frame.px(36) : frame.px(37) + below;
  const bool pressed = ImGui::InvisibleButton(id, {width, height}) && how.enabled;
  const bool hovered = ImGui::IsItemHovered() && !frame.still && !frame.selection.hushed && how.enabled;
  if (frame.places != nullptr) (*frame.places)[id] = {from.x + width / 2, from.y + height / 2};
  const ImVec2 to{from.x + width, from.y + height};
  if (hovered || how.lit)
    draw_card(frame, from, to, frame.theme[how.lit ? Role::AccentSoft : Role::Hover], 0);
  draw_focus(frame, from, to);
  const ImU32 colour = frame.theme[how.enabled ? Role::Text : Role::Muted];
  const float x = from.x + frame.px(34);
  if (how.open)
    ImGui::GetWindowDrawList()->AddRectFilled({from.x, from.y + frame.px(4)},
                                              {from.x + frame.px(4), to.y - frame.px(4)},
                                              frame.theme[Role::Accent], frame.px(2));
  if (how.on || how.done)
    draw_icon(frame, Icon::Check,
              {from.x + frame.px(18), from.y + (second.empty() ? height / 2 : frame.px(18))}, frame.px(14),
              frame.theme[how.done ? Role::Good : Role::Accent]);
  if (frame.places != nullptr)
    for (const auto& [mark, there] : {std::pair{"done ", how.done}, {"open ", how.open}})
      if (there) (*frame.places)[mark + std::string(id)] = {from.x + frame.px(18), from.y + frame.px(18)};
  float for_label = room;
  if (!how.note.empty()) {
    const ImVec2 size = badge_size(frame, how.note);
    for_label -= size.x + frame.px(8);
    badge_at(frame, {to.x - size.x - frame.px(8), from.y + frame.px(7)}, how.note, frame.theme[Role::Raised],
             frame.theme[how.note_role]);
  }
  if (second.empty())
    draw_text_middle(frame, x, from.y, height, colour, label, Face::Bold, Size::Body, for_label, Cut::Meant);
  else
    draw_text(frame, {x, from.y + frame.px(8)}, colour, label, Face::Bold, Size::Body, for_label, Cut::Meant);
  if (!second.empty())
    draw_paragraph(frame, {x, from.y + frame.px(28)}, room, frame.theme[Role::Muted], second, Face::Ui,
                   Size::Small);
  return pressed;
}

void Shell::toggle(Popup popup) {
  popup_ = popup_ == popup ? Popup::None : popup;
  popup_opened_ = popup_ != Popup::None;
  if (popup_ == Popup::Search) search_field_.select_all();
  if (popup_ == Popup::Driver) launcher_field_.set(settings_.launcher);
  if (popup_ == Popup::Lessons) choose_open_lesson();
  if (popup_ == Popup::Teaching) teaching_.read(bench_);
}

bool Shell::popup_takes(const KeyPress& press) {
  if (popup_ == Popup::None) return false;
  if (press.key == Key::Escape) {
    popup_ = Popup::None;
    return true;
  }
  if (popup_ == Popup::Unkept) return unkept_takes(press);
  if (popup_ == Popup::Teaching && teaching_.take(press)) return true;
  if (popup_ == Popup::Search && search_takes(press)) return true;
  if (popup_ == Popup::Driver && settings_.remote) {
    if (press.key == Key::Enter) return popup_ = Popup::None, true;
    if (launcher_field_.take(press)) return use_launcher(), true;
  }
  if (popup_ != Popup::Lessons || press.ctrl || press.alt) return false;
  return lessons_take(press);
}

void Shell::draw_popups(Frame& frame, const Layout& layout) {
  if (popup_ == Popup::None) return;
  const float under = layout.bar.bottom() + frame.px(6), right = layout.bar.right() - frame.px(12);
  const float most = std::max(frame.px(120), layout.bottom.bottom() - under);
  const auto place = [&](float wanted_x, float width) {
    return ImVec2{std::max(frame.px(8), std::min(wanted_x, right - width)), under};
  };
  const float fits = right - frame.px(12);
  const Popup shown = popup_;
  switch (shown) {
    case Popup::Lessons: {
      const float width = std::min(frame.px(620), fits);
      begin_popup(frame, "lessons", place(layout.bar.x + frame.px(150), width), width, most, Keys::Own);
      draw_lessons(frame, most);
      break;
    }
    case Popup::Driver: {
      const float width = std::min(frame.px(400), fits);
      begin_popup(frame, "drivers", place(right, width), width, most);
      draw_drivers(frame);
      break;
    }
    case Popup::Look: {
      const float width = std::min(frame.px(300), fits);
      begin_popup(frame, "looks", place(right, width), width, most);
      draw_look(frame);
      break;
    }
    case Popup::Keys: {
      const float width = std::min(frame.px(540), fits);
      begin_popup(frame, "keys", place((right - width) / 2, width), width, most);
      draw_keys(frame);
      break;
    }
    case Popup::Search: {
      const float width = std::min(frame.px(640), fits);
      begin_popup(frame, "search", place((right - width) / 2, width), width, most, Keys::Own);
      heading(frame, frame.text(Text::SearchTitle));
      draw_search(frame);
      break;
    }
    case Popup::Share: {
      const float width = std::min(frame.px(440), fits);
      begin_popup(frame, "share", place(right, width), width, most);
      draw_share(frame);
      break;
    }
    case Popup::Unkept: {
      const float width = std::min(frame.px(560), fits);
      begin_popup(frame, "unkept", place((right - width) / 2, width), width, most, Keys::Own);
      draw_unkept(frame);
      break;
    }
    case Popup::Teaching: {
      const float width = std::min(frame.px(760), fits);
      begin_popup(frame, "teaching", place((right - width) / 2, width), width, most, Keys::Own);
      if (const auto chosen = teaching_.draw(frame, most)) go_to_place(*chosen);
      break;
    }
    case Popup::None:
      break;
  }
  const bool elsewhere = ImGui::IsMouseClicked(0) &&
                         !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows |
                                                 ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                         !popup_opened_;
  const bool another = popup_ != shown;  // opened from this one; its first frame is the next
  if (popup_opened_ && !another) ImGui::SetWindowFocus();
  end_popup();
  // The click that opened it does not close it; a click on the bar toggles by itself.
  if (elsewhere && ImGui::GetIO().MousePos.y > layout.bar.bottom() && popup_ == shown) popup_ = Popup::None;
  popup_opened_ = popup_opened_ && another;
}

// What was chosen by the keys in a list that scrolls; the item is the last one drawn. What is between
// `above`, a place in the list, and the item comes into sight with it.
void Shell::keep_choice_in_sight(std::size_t choice, float above) {
  if (choice_in_sight_ == choice && !popup_opened_) return;
  choice_in_sight_ = choice;
  const float begin = ImGui::GetWindowPos().y, end = begin + ImGui::GetWindowHeight();
  const float top = std::min(ImGui::GetItemRectMin().y, begin - ImGui::GetScrollY() + above);
  if (top < begin)
    ImGui::SetScrollY(ImGui::GetScrollY() + top - begin);
  else if (ImGui::GetItemRectMax().y > end)
    ImGui::SetScrollHereY(0.9f);
}

void Shell::draw_drivers(Frame& frame) {
  const lab::DriverChoice now = bench_.driver_choice();
  const bool real = bench_.real_driver_present();
  struct Row {
    const char* id;
    lab::DriverChoice choice;
    Text label;
    bool enabled;
  };
  const Row rows[] = {{"driver auto", lab::DriverChoice::Auto, Text::DriverAuto, true},
                      {"driver embedded", lab::DriverChoice::Embedded, Text::DriverEmbedded, true},
                      {"driver real", lab::DriverChoice::Real, Text::DriverReal, real}};
  for (const Row& row : rows) {
    const bool chosen = row.choice == now && !settings_.remote;
    const std::string second = chosen        ? bench_.driver_description()
                               : row.enabled ? std::string()
                                             : std::string(frame.text(Text::DriverAbsent));
    if (!popup_choice(frame, row.id, frame.text(row.label), second, {.on = chosen, .enabled = row.enabled}))
      continue;
    bench_.choose(row.choice);
    settings_.driver = row.choice;
    settings_.remote = false;
    use_launcher();
    popup_ = Popup::None;
  }
  draw_launcher(frame);
  if (const std::string by = bench_.recorded_by(); !by.empty())
    sentence(frame, frame.text(Text::DriverRecordedBy, {by}), Role::Muted);
}

// One more choice: what runs a command on the machine that is meant is typed below it.
void Shell::draw_launcher(Frame& frame) {
  const std::string second = !settings_.remote            ? std::string()
                             : settings_.launcher.empty() ? std::string(frame.text(Text::DriverRemoteNone))
                                                          : bench_.driver_description();
  if (popup_choice(frame, "driver remote", frame.text(Text::DriverRemote), second,
                   {.on = settings_.remote})) {
    settings_.remote = true;
    use_launcher();
  }
  if (!settings_.remote) return;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  launcher_field_.draw(frame, {from.x, from.y, width, frame.px(36)}, "ssh gpubox");
  ImGui::Dummy({width, frame.px(42)});
  sentence(frame, frame.text(Text::DriverRemoteHint), Role::Muted);
}

void Shell::use_launcher() {
  settings_.launcher = launcher_field_.text();
  bench_.set_launcher(settings_.remote ? settings_.launcher : std::string());
}

void Shell::draw_look(Frame& frame) {
  heading(frame, frame.text(Text::ThemeHeading));
  const Text names[] = {Text::ThemeDark, Text::ThemeLight, Text::ThemeProjector};
  const char* ids[] = {"theme dark", "theme light", "theme projector"};
  for (int i = 0; i < 3; ++i)
    if (popup_choice(frame, ids[i], frame.text(names[i]), {}, {.on = static_cast<int>(settings_.theme) == i}))
      settings_.theme = static_cast<lab::ThemeChoice>(i);
  ImGui::Dummy({1, frame.px(6)});
  const std::string percent = std::to_string(settings_.scale) + " %";
  const ImVec2 row = ImGui::GetCursorScreenPos();
  draw_text_middle(frame, row.x + frame.px(34), row.y, frame.px(32), frame.theme[Role::Text], percent,
                   Face::Bold);
  const float end = row.x + ImGui::GetContentRegionAvail().x;
  ImGui::SetCursorScreenPos({end - frame.px(88), row.y});
  if (button(frame, "smaller", "−", {.enabled = settings_.scale > 75, .width = frame.px(40)}))
    act(Action::Smaller);
  ImGui::SetCursorScreenPos({end - frame.px(44), row.y});
  if (button(frame, "larger", "+", {.enabled = settings_.scale < 250, .width = frame.px(40)}))
    act(Action::Larger);
  const std::string motion = std::string(frame.text(Text::ThemeMotion)) + ": " +
                             std::string(frame.text(settings_.animations ? Text::ThemeOn : Text::ThemeOff));
  if (popup_choice(frame, "motion", motion, {}, {.on = settings_.animations}))
    settings_.animations = !settings_.animations;
  if (settings_.animations) {
    const std::string_view speeds[] = {frame.text(Text::LookMotionSlow), frame.text(Text::LookMotionNormal),
                                       frame.text(Text::LookMotionFast)};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({at.x + frame.px(34), at.y + frame.px(4)});
    const int chosen = settings_.motion_speed < 0.8 ? 0 : settings_.motion_speed > 1.5 ? 2 : 1;
    const int pressed = segmented(frame, "motion speed", speeds, 3, chosen);
    constexpr double kSpeeds[] = {0.4, 1, 2.5};
    if (pressed >= 0) settings_.motion_speed = kSpeeds[pressed];
    ImGui::SetCursorScreenPos({at.x, at.y + frame.px(40)});
    ImGui::Dummy({1, 1});
  }
  const std::string asks = std::string(frame.text(Text::PredictSetting)) + ": " +
                           std::string(frame.text(settings_.predict ? Text::ThemeOn : Text::ThemeOff));
  if (popup_choice(frame, "questions", asks, {}, {.on = settings_.predict}))
    set_predicting(!settings_.predict);
}

void Shell::draw_keys(Frame& frame) {
  heading(frame, frame.text(Text::HelpHeading));
  for (const KeyHelp& line : key_help()) {
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float height = frame.px(28), column = frame.px(180);
    badge_at(frame, {from.x + frame.px(8), from.y + frame.px(4)}, line.keys, frame.theme[Role::Raised],
             frame.theme[Role::Text], frame.theme[Role::Line]);
    draw_text_middle(frame, from.x + column, from.y, height, frame.theme[Role::Text],
                     frame.text(line.meaning), Face::Ui, Size::Body,
                     ImGui::GetContentRegionAvail().x - column);
    ImGui::Dummy({1, height});
  }
  sentence(frame, lab::name_and_version(), Role::Muted);
}

// The newest problems, in the reader's language, until dismissed; below the bar, on top of everything.
void Shell::draw_problems(Frame& frame, const Layout& layout) {
  std::vector<const lab::Problem*> shown;
  shown.reserve(own_problems_.size() + bench_.problems().size());
  for (const lab::Problem& problem : own_problems_) shown.push_back(&problem);
  for (const lab::Problem& problem : bench_.problems()) shown.push_back(&problem);
  const float before = std::exchange(problems_height_, 0.0f);
  if (shown.empty()) {
    if (before > 0) frame.animate();
    return;
  }
  if (shown.size() > 3) shown.erase(shown.begin(), shown.end() - 3);
  const float width = std::min(frame.px(760), layout.bar.w - frame.px(24));
  const ImVec2 at{std::round((layout.bar.w - width) / 2), layout.bar.bottom() + frame.px(10)};
  begin_popup(frame, "problems", at, width, layout.bottom.bottom() - at.y);
  const std::string_view dismiss = frame.text(Text::WindowProblemDismiss);
  // In the editor Esc is its own.
  const ButtonOptions key{.shortcut = selection_.editor_focused ? "" : "Esc", .size = Size::Small};
  const float button_width = button_size(frame, dismiss, key).x;
  for (const lab::Problem* problem : shown) {
    const ImVec2 from = ImGui::GetCursorScreenPos();
    draw_icon(frame, Icon::Warning, {from.x + frame.px(14), from.y + frame.px(13)}, frame.px(18),
              frame.theme[Role::Bad]);
    const std::string words = problem->in(language_);
    const float room = width - frame.px(84) - button_width;
    const float tall = draw_paragraph(frame, {from.x + frame.px(32), from.y + frame.px(4)}, room,
                                      frame.theme[Role::Text], std::string_view(words).substr(0, 4000));
    ImGui::Dummy({1, tall + frame.px(8)});
  }
  const ImVec2 end = ImGui::GetCursorPos();
  ImGui::SetCursorScreenPos({at.x + width - button_width - frame.px(12), at.y + frame.px(10)});
  if (button(frame, "dismiss", dismiss, key)) dismiss_problems();
  ImGui::SetCursorPos({end.x, std::max(end.y, frame.px(40))});
  ImGui::Dummy({1, 1});
  problems_height_ = std::min(ImGui::GetWindowHeight() + frame.px(10), layout.bottom.bottom() * 0.3f);
  if (problems_height_ != before) frame.animate();
  end_popup();
}

// The verdict of a check, with the first thing that did not hold, and the way to the page with the others.
void Shell::draw_verdict_notice(Frame& frame, float width) {
  const lab::Verdict& verdict = *bench_.verdict();
  const bool passed = verdict.passed();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float left = from.x + frame.px(32), room = width - frame.px(64);
  draw_icon(frame, passed ? Icon::Check : Icon::Cross, {from.x + frame.px(14), from.y + frame.px(13)},
            frame.px(18), frame.theme[passed ? Role::Good : Role::Bad]);
  float y = from.y + frame.px(4);
  const std::string words = frame.text(passed ? Text::ExerciseNoticePassed : Text::ExerciseNoticeFailed,
                                       {bench_.exercise()->title[static_cast<int>(language_)]});
  y += draw_paragraph(frame, {left, y}, room, frame.theme[Role::Text], words, Face::Bold) + frame.px(4);
  for (const lab::Finding& finding : verdict.findings) {
    if (finding.held) continue;
    y += draw_paragraph(frame, {left, y}, room, frame.theme[Role::Text], finding.sentence.in(language_));
    break;
  }
  ImGui::SetCursorScreenPos({left, y + frame.px(6)});
  const ButtonOptions options{.shortcut = "Ctrl+Shift+E", .size = Size::Small};
  if (button(frame, "show exercise", frame.text(Text::ExerciseShow), options)) show_exercise();
  ImGui::Dummy({1, frame.px(2)});
}

// Notices about what was done need no reply: they are shown above the list of calls for a while, and move
// nothing.
void Shell::draw_notices(Frame& frame, const Layout& layout) {
  const bool verdict = verdict_untold_ && bench_.verdict() != nullptr && bench_.exercise() != nullptr;
  if (notices_.empty() && !verdict) return;
  const double seconds = verdict ? 12 : 5;
  if (notices_since_ < 0) notices_since_ = frame.time;
  const double left = seconds - (frame.time - notices_since_);
  if (left <= 0 && !still_) {
    notices_.clear();
    verdict_untold_ = false;
    return frame.animate();
  }
  frame.animate(left);
  const float width = std::min(frame.px(560), layout.bar.w - frame.px(24));
  const float height = notices_height_ > 0 ? notices_height_ : frame.px(60);
  const ImVec2 at{std::round((layout.bar.w - width) / 2),
                  std::max(layout.bar.bottom(), layout.bottom.y - height - frame.px(10))};
  begin_popup(frame, "notices", at, width, layout.bottom.bottom() - at.y);
  if (verdict) draw_verdict_notice(frame, width);
  if (!notices_.empty()) {
    std::string words;
    for (const lab::Problem& notice : notices_) (words += words.empty() ? "" : "\n") += notice.in(language_);
    const ImVec2 from = ImGui::GetCursorScreenPos();
    draw_icon(frame, Icon::Check, {from.x + frame.px(14), from.y + frame.px(13)}, frame.px(18),
              frame.theme[Role::Good]);
    const float used = draw_paragraph(frame, {from.x + frame.px(32), from.y + frame.px(4)},
                                      width - frame.px(64), frame.theme[Role::Text], words);
    ImGui::Dummy({1, used + frame.px(8)});
  }
  const float now = ImGui::GetWindowHeight();
  if (std::exchange(notices_height_, now) != now) frame.animate();
  end_popup();
}

}  // namespace gui
