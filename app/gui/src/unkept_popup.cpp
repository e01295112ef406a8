// SPDX-License-Identifier: MIT
// See unkept_popup.hpp.
#include "unkept_popup.hpp"

#include <algorithm>
#include <utility>

#include "widgets.hpp"

namespace gui {

using lab::Text;

void UnkeptPopup::ask(std::vector<std::string> files, std::function<void()> then) {
  files_ = std::move(files);
  then_ = std::move(then);
  problem_.reset();
  choice_ = 0;
  field_.set(of_.bench.place_for_unkept().string());
}

bool UnkeptPopup::take(const KeyPress& press) {
  constexpr int kLast = static_cast<int>(Choice::Stay);
  const bool tab = press.key == Key::Tab && !press.ctrl && !press.alt;
  if (press.key == Key::Down || (tab && !press.shift))
    choice_ = std::min(choice_ + 1, kLast);
  else if (press.key == Key::Up || tab)
    choice_ = std::max(choice_ - 1, 0);
  else if (press.key == Key::Enter)
    settle(static_cast<Choice>(choice_));
  else if (!field_.take(press))
    return press.key != Key::L;  // Ctrl+L changes the language; all other keys wait for an answer
  return true;
}

void UnkeptPopup::settle(Choice choice) {
  if (choice == Choice::SaveElsewhere) {
    const auto kept = of_.bench.keep_elsewhere(field_.text());
    if (!kept) {
      problem_ = kept.error();
      return;
    }
    of_.commands.emplace_back(command::Say{{Text::UnkeptSaved, {kept->string()}}});
  }
  if (choice == Choice::Discard) of_.bench.discard_unkept();
  of_.commands.emplace_back(command::ClosePopup{});
  std::function<void()> then = std::exchange(then_, nullptr);
  if (choice != Choice::Stay && then) of_.commands.emplace_back(command::Leave{std::move(then)});
}

void UnkeptPopup::draw(Frame& frame, float) {
  popup_heading(frame, frame.text(Text::UnkeptTitle));
  const auto sentence = [&](std::string_view words, Role role) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x, in = frame.px(8);
    const float tall = draw_paragraph(frame, {at.x + in, at.y}, room - 2 * in, frame.theme[role], words);
    ImGui::Dummy({room, tall + frame.px(8)});
  };
  std::string names;
  for (const std::string& file : files_) names += (names.empty() ? "" : ", ") + file;
  sentence(frame.text(Text::UnkeptWords, {names}), Role::Text);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  field_.draw(frame, {from.x, from.y, width, frame.px(36)}, "/");
  ImGui::Dummy({width, frame.px(42)});
  if (problem_) sentence(problem_->in(frame.language), Role::Bad);
  struct Row {
    const char* id;
    Text label, hint;
  };
  constexpr Row kRows[] = {{"unkept elsewhere", Text::UnkeptElsewhere, Text::UnkeptElsewhereHint},
                           {"unkept discard", Text::UnkeptDiscard, Text::UnkeptDiscardHint},
                           {"unkept stay", Text::UnkeptStay, Text::UnkeptStayHint}};
  for (int i = 0; i < 3; ++i)
    if (popup_choice(frame, kRows[i].id, frame.text(kRows[i].label), frame.text(kRows[i].hint),
                     {.lit = i == choice_}))
      return settle(static_cast<Choice>(i));
}

}  // namespace gui
