// SPDX-License-Identifier: MIT
// The question before text that could not be saved would be lost: save it elsewhere, drop it, or stay. Part
// of Shell (shell.hpp).
//
// Esc, a click outside and everything else that closes it means to stay: only a choice drops the text.
#include <algorithm>

#include "popups.hpp"
#include "shell.hpp"
#include "widgets.hpp"

namespace gui {

using lab::Text;

void Shell::leave_for(std::function<void()> then) {
  unkept_ = bench_.unkept();
  if (unkept_.empty()) return then();
  leaving_for_ = std::move(then);
  unkept_problem_.reset();
  unkept_choice_ = 0;
  unkept_field_.set(bench_.place_for_unkept().string());
  if (popup_ != Popup::Unkept) toggle(Popup::Unkept);
}

bool Shell::unkept_takes(const KeyPress& press) {
  constexpr int kLast = static_cast<int>(Unkept::Stay);
  if (press.key == Key::Down)
    unkept_choice_ = std::min(unkept_choice_ + 1, kLast);
  else if (press.key == Key::Up)
    unkept_choice_ = std::max(unkept_choice_ - 1, 0);
  else if (press.key == Key::Enter)
    settle_unkept(static_cast<Unkept>(unkept_choice_));
  else if (!unkept_field_.take(press))
    return press.key != Key::L;  // Ctrl+L changes the language; all other keys wait for an answer
  return true;
}

void Shell::settle_unkept(Unkept choice) {
  if (choice == Unkept::SaveElsewhere) {
    const auto kept = bench_.keep_elsewhere(unkept_field_.text());
    if (!kept) {
      unkept_problem_ = kept.error();
      return;
    }
    say({Text::UnkeptSaved, {kept->string()}});
  }
  if (choice == Unkept::Discard) bench_.discard_unkept();
  popup_ = Popup::None;
  const std::function<void()> then = std::exchange(leaving_for_, nullptr);
  if (choice != Unkept::Stay && then) then();
}

void Shell::draw_unkept(Frame& frame) {
  popup_heading(frame, frame.text(Text::UnkeptTitle));
  const auto sentence = [&](std::string_view words, Role role) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x, in = frame.px(8);
    const float tall = draw_paragraph(frame, {at.x + in, at.y}, room - 2 * in, frame.theme[role], words);
    ImGui::Dummy({room, tall + frame.px(8)});
  };
  std::string names;
  for (const std::string& file : unkept_) names += (names.empty() ? "" : ", ") + file;
  sentence(frame.text(Text::UnkeptWords, {names}), Role::Text);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  unkept_field_.draw(frame, {from.x, from.y, width, frame.px(36)}, "/");
  ImGui::Dummy({width, frame.px(42)});
  if (unkept_problem_) sentence(unkept_problem_->in(language_), Role::Bad);
  struct Row {
    const char* id;
    Text label, hint;
  };
  constexpr Row kRows[] = {{"unkept elsewhere", Text::UnkeptElsewhere, Text::UnkeptElsewhereHint},
                           {"unkept discard", Text::UnkeptDiscard, Text::UnkeptDiscardHint},
                           {"unkept stay", Text::UnkeptStay, Text::UnkeptStayHint}};
  for (int i = 0; i < 3; ++i)
    if (popup_choice(frame, kRows[i].id, frame.text(kRows[i].label), frame.text(kRows[i].hint),
                     {.lit = i == unkept_choice_}))
      return settle_unkept(static_cast<Unkept>(i));
}

}  // namespace gui
