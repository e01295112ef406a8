// SPDX-License-Identifier: MIT
// See difference_page.hpp.
#include "difference_page.hpp"

#include <algorithm>
#include <cmath>

#include "widgets.hpp"

namespace gui {

using LineKind = lab::DifferenceLine::Kind;

Selection::Compare comparison_of(lab::Workbench& bench, lab::Language language, const std::string& file,
                                 Selection::Against against) {
  const auto name = [language](lab::Text key) { return std::string(lab::text(key, language)); };
  const std::string mine = name(lab::Text::DifferenceMine);
  if (against == Selection::Against::Solution)
    return {file,   mine, name(lab::Text::DifferenceSolution), bench.file_text(file), bench.solution(),
            against};
  return {file,   name(lab::Text::DifferenceOriginal), mine, bench.original_text(file), bench.file_text(file),
          against};
}

void DifferencePage::draw_line(const Frame& frame, ImVec2 at, float width,
                               const lab::DifferenceLine& line) const {
  const float tall = std::round(frame.fonts.height(Face::Mono, Size::Body) * 1.32f);
  const float digit = text_size(frame, "0", Face::Mono, Size::Small).x;
  const bool added = line.kind == LineKind::Added, removed = line.kind == LineKind::Removed;
  if (added || removed)
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + tall},
                                              frame.theme[added ? Role::AccentSoft : Role::BadSoft]);
  const auto number = [&](int value, float right) {
    if (value == 0) return;
    const std::string words = std::to_string(value);
    const float wide = text_size(frame, words, Face::Mono, Size::Small).x;
    draw_text_middle(frame, at.x + right - wide, at.y, tall, frame.theme[Role::Muted], words, Face::Mono,
                     Size::Small);
  };
  number(line.before, frame.px(14) + digit * 4);
  number(line.after, frame.px(22) + digit * 8);
  const float sign = frame.px(34) + digit * 8;
  if (added || removed)  // a sign as well as a colour
    draw_text_middle(frame, at.x + sign, at.y, tall, frame.theme[added ? Role::Accent : Role::Bad],
                     added ? "+" : "−", Face::Bold);
  std::string text = line.text;
  for (std::size_t tab = text.find('\t'); tab != std::string::npos; tab = text.find('\t', tab))
    text.replace(tab, 1, "    ");
  draw_text_middle(frame, at.x + sign + frame.px(18), at.y, tall,
                   frame.theme[line.kind == LineKind::Same ? Role::Muted : Role::CodeText], text, Face::Mono,
                   Size::Body, width - sign - frame.px(26), Cut::Meant);
}

bool DifferencePage::draw(Frame& frame, const Selection::Compare& compare) {
  if (!known_ || before_ != compare.before || after_ != compare.after) {
    before_ = compare.before, after_ = compare.after, known_ = true;
    lines_ = lab::difference_of(before_, after_);
    any_ = std::any_of(lines_.begin(), lines_.end(),
                       [](const auto& line) { return line.kind != LineKind::Same; });
  }
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, head = frame.px(46);
  ButtonOptions options;
  options.icon = Icon::Cross;
  options.size = Size::Small;
  const std::string_view label = frame.text(lab::Text::DifferenceClose);
  const ImVec2 size = button_size(frame, label, options);
  const std::string names = frame.text(lab::Text::DifferenceTitle, {compare.title}) + "   − " +
                            compare.before_name + "   + " + compare.after_name;
  draw_text_middle(frame, from.x + frame.px(kMargin), from.y, head, frame.theme[Role::Text], names,
                   Face::Bold, Size::Body, width - size.x - frame.px(2 * kMargin + 12), Cut::Middle);
  ImGui::SetCursorScreenPos({from.x + width - size.x - frame.px(kMargin), from.y + (head - size.y) / 2});
  bool close = button(frame, "close difference", label, options);
  ImGui::GetWindowDrawList()->AddLine({from.x, from.y + head}, {from.x + width, from.y + head},
                                      frame.theme[Role::Line]);
  ImGui::SetCursorScreenPos({from.x, from.y + head + frame.px(1)});
  const float room = ImGui::GetContentRegionAvail().y;
  begin_scroll(frame, "difference", {width, std::max(room - frame.px(6), frame.px(20))});
  const float tall = std::round(frame.fonts.height(Face::Mono, Size::Body) * 1.32f);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  if (!any_) {
    draw_text(frame, {origin.x + frame.px(kMargin), origin.y + frame.px(12)}, frame.theme[Role::Muted],
              frame.text(lab::Text::DifferenceNone));
  } else {
    const auto first = static_cast<std::size_t>(std::max(0.0f, ImGui::GetScrollY() / tall));
    const auto last = std::min(lines_.size(), first + static_cast<std::size_t>(room / tall) + 2);
    for (std::size_t i = first; i < last; ++i)
      draw_line(frame, {origin.x, origin.y + frame.px(4) + static_cast<float>(i) * tall}, width, lines_[i]);
    ImGui::Dummy({1, static_cast<float>(lines_.size()) * tall + frame.px(12)});
  }
  end_scroll();
  for (const KeyPress& press : frame.input.keys) close = close || press.key == Key::Escape;
  return close;
}

}  // namespace gui
