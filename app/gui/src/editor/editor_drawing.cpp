// SPDX-License-Identifier: MIT
// Draws the editor. Only visible lines are drawn, so a file's length does not matter.
#include <algorithm>
#include <cmath>

#include "editor/editor.hpp"
#include "editor/token_role.hpp"
#include "help_card.hpp"
#include "widgets.hpp"

namespace gui::editor {
namespace {

// Hides the code there, so that what is drawn next can be read.
void cover(const Frame& frame, ImVec2 from, ImVec2 to, ImU32 colour) {
  ImGui::GetWindowDrawList()->AddRectFilled(from, to, colour);
  if (frame.texts != nullptr) frame.texts->hide({from.x, from.y, to.x - from.x, to.y - from.y});
}

}  // namespace

float Editor::draw_piece(const Frame& frame, const Metrics& m, float x, float y, std::string_view piece,
                         ImU32 colour) const {
  for (std::size_t at = 0; at < piece.size();) {
    const std::size_t tab = std::min(piece.find('\t', at), piece.size());
    if (tab > at) x += draw_text(frame, {m.origin.x + x, y}, colour, piece.substr(at, tab - at), Face::Mono);
    const float stop = m.space * 4;
    if (tab < piece.size()) x = (std::floor(x / stop + 0.01f) + 1) * stop;
    at = tab + 1;
  }
  return x;
}

void Editor::draw_line(const Frame& frame, const Metrics& m, int line, std::vector<Span>& spans) const {
  const std::string& text = editing_.buffer.line(line);
  if (text.empty()) return;
  spans.clear();
  lex_line(text, states_[static_cast<std::size_t>(line)], spans);
  const float y = std::round(m.origin.y + static_cast<float>(line) * m.line +
                             (m.line - frame.fonts.height(Face::Mono, Size::Body)) / 2);
  float x = 0;
  in_colours(text, spans, [&](std::string_view part, Token token, Role role) {
    if (frame.places != nullptr && token == Token::Function)
      frame.places->emplace("code " + std::string(part),
                            ImVec2{m.origin.x + x + m.space / 2, y + m.line / 3});
    x = draw_piece(frame, m, x, y, part, frame.theme[role]);
  });
}

void Editor::draw_selection(const Frame& frame, const Metrics& m, Position from, Position to,
                            ImU32 colour) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (int line = std::max(from.line, m.first); line <= std::min(to.line, m.last); ++line) {
    const float begin = line == from.line ? x_of(frame, m, line, from.column) : 0;
    const float end =
        line == to.line
            ? x_of(frame, m, line, to.column)
            : x_of(frame, m, line, static_cast<int>(editing_.buffer.line(line).size())) + m.space / 2;
    const float y = m.origin.y + static_cast<float>(line) * m.line;
    if (end > begin)
      list.AddRectFilled({m.origin.x + begin, y}, {m.origin.x + end, y + m.line}, colour, frame.px(2));
  }
}

void Editor::draw_backgrounds(const Frame& frame, const Metrics& m, const Marks& marks) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto band = [&](int line, ImU32 colour) {
    if (line < m.first || line > m.last) return;
    const float y = m.origin.y + static_cast<float>(line) * m.line;
    list.AddRectFilled({m.corner.x, y}, {m.corner.x + m.size.x, y + m.line}, colour);
  };
  for (const auto& [line, message] : marks.messages)
    band(line, frame.theme[message.error ? Role::BadSoft : Role::CautionSoft]);
  if (marks.current >= 0) {
    band(marks.current, frame.theme[marks.current_failed ? Role::BadSoft : Role::AccentSoft]);
    if (marks.current >= m.first && marks.current <= m.last) {
      const float y = m.origin.y + static_cast<float>(marks.current) * m.line;
      list.AddRectFilled({m.corner.x, y}, {m.corner.x + frame.px(4), y + m.line},
                         frame.theme[marks.current_failed ? Role::Bad : Role::Accent]);
    }
  }
  if (focused_ && editing_.caret.empty() && editing_.caret.head.line != marks.current)
    band(editing_.caret.head.line, with_alpha(frame.theme[Role::Hover], 0.35f));
  if (find_.is_open())
    for (const Position& at : find_.places())
      if (at.line >= m.first && at.line <= m.last)
        draw_selection(frame, m, at, {at.line, at.column + find_.length()}, frame.theme[Role::CautionSoft]);
  if (!editing_.caret.empty())
    draw_selection(frame, m, editing_.caret.first(), editing_.caret.last(), frame.theme[Role::Selection]);
}

void Editor::draw_gutter(const Frame& frame, const Metrics& m, const Marks& marks) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float edge = m.corner.x + m.gutter - frame.px(12);
  if (ImGui::GetScrollX() > 0)  // text that is scrolled to the left goes under the numbers
    cover(frame, m.corner, {edge + frame.px(4), m.corner.y + m.size.y}, frame.theme[Role::Panel]);
  for (int line = m.first; line <= m.last; ++line) {
    const float y = m.origin.y + static_cast<float>(line) * m.line;
    const bool current = line == marks.current;
    const std::string number = std::to_string(line + 1);
    const float wide = text_size(frame, number, Face::Mono).x;
    draw_text_middle(frame, edge - frame.px(4) - wide, y, m.line,
                     frame.theme[current ? Role::Text : Role::CodeComment], number, Face::Mono);
    const ImVec2 dot{m.corner.x + frame.px(13), std::round(y + m.line / 2)};
    // The result of the line's call is beyond the edge of the panel: a mark shows that there is one, and of
    // what kind.
    for (const Unseen& badge : unseen_)
      if (badge.line == line) {
        const float x = edge + frame.px(1), top = y + frame.px(4), bottom = y + m.line - frame.px(4);
        list.AddRectFilled({x, top}, {x + frame.px(3), bottom}, frame.theme[badge.role], frame.px(1));
        if (frame.places != nullptr)
          (*frame.places)["unseen " + std::to_string(line + 1)] = {x, (top + bottom) / 2};
      }
    const auto message = marks.messages.find(line);
    const bool stops = marks.breakpoints.contains(line);
    if (stops) list.AddCircleFilled(dot, frame.px(5.5f), frame.theme[Role::Bad], 20);
    if (message != marks.messages.end() && !stops)
      draw_icon(frame, Icon::Warning, dot, frame.px(13),
                frame.theme[message->second.error ? Role::Bad : Role::Caution]);
    if (line == marks.next && !current && (stops || message == marks.messages.end())) {
      // Hollow: the place of the program, before the call.
      const float r = frame.px(4);
      list.AddTriangle({dot.x - r, dot.y - r}, {dot.x + r, dot.y}, {dot.x - r, dot.y + r},
                       frame.theme[stops ? Role::Text : Role::Accent], std::max(1.0f, frame.px(1.5f)));
    }
  }
}

void Editor::draw_message(const Frame& frame, const Metrics& m, int line, const Message& message) const {
  const float y = m.origin.y + static_cast<float>(line) * m.line;
  const float end = x_of(frame, m, line, static_cast<int>(editing_.buffer.line(line).size()));
  const float x = m.origin.x + end + frame.px(24), right = m.corner.x + m.size.x - frame.px(16);
  const Role role = message.error ? Role::Bad : Role::Caution;
  const float wide = text_size(frame, message.text, Face::Ui, Size::Small).x;
  if (x + std::min(wide, frame.px(48)) <= right) {
    draw_text_middle(frame, x, y, m.line, frame.theme[role], message.text, Face::Ui, Size::Small, right - x,
                     Cut::Meant);
  }
  const bool hovered = ImGui::IsWindowHovered() && !frame.still && ImGui::GetIO().MousePos.y >= y &&
                       ImGui::GetIO().MousePos.y < y + m.line;
  if (hovered) tooltip_now(frame, "", message.text);
}

// As much of it as there is room for; the whole of it under the mouse.
void Editor::draw_badge(Frame& frame, const Badge& badge, Rect place, bool stale) const {
  const float pad = frame.px(9), right = place.right() - pad;
  ImGui::GetWindowDrawList()->AddRectFilled(
      place.from(), place.to(), with_alpha(frame.theme[Role::Raised], stale ? 0.6f : 1.0f), frame.px(5));
  float x = place.x + pad;
  bool cut = false;
  std::string whole;
  for (const BadgeWord& word : badge) {
    whole += word.text;
    if (cut) continue;
    const ImU32 full = word.context ? frame.theme.context(word.text).text : frame.theme[word.role];
    const ImU32 colour = stale ? mix(frame.theme[Role::Panel], full, 0.55f) : full;
    const Face face = word.context ? Face::Bold : Face::Mono;
    cut = x + text_size(frame, word.text, face, Size::Small).x > right + 1;
    if (cut && right - x < text_size(frame, "…", face, Size::Small).x) continue;  // no room for a sign of it
    x += draw_text_middle(frame, x, place.y, place.h, colour, word.text, face, Size::Small,
                          cut ? right - x : 0, Cut::Meant);
  }
  const bool under_mouse = !frame.still && ImGui::IsWindowHovered() && place.holds(ImGui::GetIO().MousePos);
  if (under_mouse && (cut || stale))
    tooltip_now(frame, whole, stale ? frame.text(lab::Text::CodeStaleBadge) : std::string_view());
}

// After the line's end, never on it. At the right edge where the line leaves that room, shortened where it
// leaves less, and beyond the edge, where scrolling finds it, where the line itself goes on there.
void Editor::draw_badges(Frame& frame, const Metrics& m, const Marks& marks) {
  unseen_.clear();
  const float scrollbar = ImGui::GetScrollMaxY() > 0 ? ImGui::GetStyle().ScrollbarSize : 0;
  const float right = m.corner.x + m.size.x - frame.px(12) - scrollbar, pad = frame.px(9);
  for (auto at = marks.badges.lower_bound(m.first); at != marks.badges.end() && at->first <= m.last; ++at) {
    const int line = at->first;
    // While a line is being edited its end is needed for the text.
    if (marks.messages.count(line) > 0 ||
        (focused_ && line == editing_.caret.head.line && line != marks.current))
      continue;
    float wide = 2 * pad;
    for (const BadgeWord& word : at->second)
      wide += text_size(frame, word.text, word.context ? Face::Bold : Face::Mono, Size::Small).x;
    const float tall = m.line - frame.px(4), y = m.origin.y + static_cast<float>(line) * m.line + frame.px(2);
    const float ends = x_of(frame, m, line, static_cast<int>(editing_.buffer.line(line).size()));
    float behind = std::max(m.origin.x + ends + frame.px(16), m.corner.x + m.gutter);
    if (behind + wide > right) behind = std::max(m.origin.x + ends + frame.px(6), m.corner.x + m.gutter);
    const float room = right - behind;
    const bool shortened = wide > room && room >= frame.px(72);
    const float x = wide <= room ? right - wide : behind;
    draw_badge(frame, at->second, {x, y, shortened ? room : wide, tall}, marks.stale);
    if (wide <= room || shortened) continue;
    widest_ = std::max(widest_, ends + frame.px(16) + wide);
    if (x > right - frame.px(24)) unseen_.push_back({line, at->second.back().role});
  }
  for (auto at = marks.messages.lower_bound(m.first); at != marks.messages.end() && at->first <= m.last;
       ++at) {
    draw_squiggle(frame, m, at->first, at->second);
    draw_message(frame, m, at->first, at->second);
  }
}

void Editor::draw_caret(Frame& frame, const Metrics& m, bool read_only) {
  if (!focused_ || read_only || find_.is_open()) return;
  constexpr double kBlink = 0.53;
  const double shown = frame.time - caret_since_;
  const bool on = std::fmod(shown, 2 * kBlink) < kBlink;
  frame.animate(kBlink - std::fmod(shown, kBlink));
  const Position head = editing_.caret.head;
  if (!on || head.line < m.first || head.line > m.last) return;
  const float x = std::round(m.origin.x + x_of(frame, m, head.line, head.column));
  const float y = m.origin.y + static_cast<float>(head.line) * m.line;
  ImGui::GetWindowDrawList()->AddRectFilled({x, y + frame.px(1)},
                                            {x + std::max(1.0f, frame.px(2)), y + m.line - frame.px(1)},
                                            frame.theme[Role::Text]);
}

// A wave below the place that the compiler means, to the end of the word there.
void Editor::draw_squiggle(const Frame& frame, const Metrics& m, int line, const Message& message) const {
  const std::string& text = editing_.buffer.line(line);
  const int size = static_cast<int>(text.size());
  Position from = editing_.buffer.clamp({line, std::min(message.column, std::max(0, size - 1))});
  Position to = editing_.buffer.word_right(from);
  if (to.line != line || to.column <= from.column) to = {line, size};
  while (to.column > from.column + 1 && text[static_cast<std::size_t>(to.column - 1)] == ' ') --to.column;
  const float begin = m.origin.x + x_of(frame, m, line, from.column);
  const float end = std::max(begin + m.space, m.origin.x + x_of(frame, m, line, to.column));
  const float y = m.origin.y + static_cast<float>(line + 1) * m.line - frame.px(3), step = frame.px(3);
  std::vector<ImVec2> wave;
  for (int i = 0; begin + static_cast<float>(i) * step <= end; ++i)
    wave.push_back({begin + static_cast<float>(i) * step, y + (i % 2 == 0 ? 0 : -frame.px(2.5f))});
  ImGui::GetWindowDrawList()->AddPolyline(wave.data(), static_cast<int>(wave.size()),
                                          frame.theme[message.error ? Role::Bad : Role::Caution], 0,
                                          std::max(1.0f, frame.px(1.5f)));
}

void Editor::explain_word(const Frame& frame, const Metrics& m) const {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const int line = static_cast<int>(std::floor((mouse.y - m.origin.y) / m.line));
  const bool over = ImGui::IsWindowHovered() && mouse.x >= m.corner.x + m.gutter && line >= 0 &&
                    line < editing_.buffer.lines();
  if (frame.still || !over || dragging_ || completion_.is_open()) return;
  if (find_.is_open() && find_.place(frame, m.visible()).holds(mouse)) return;
  help_card_in(frame, editing_.buffer.line(line),
               {m.origin.x, m.origin.y + static_cast<float>(line) * m.line});
}

// Below the word that is being typed.
void Editor::draw_completion(const Frame& frame, const Metrics& m) {
  if (!completion_.is_open()) return;
  const Position from = completion_.from();
  completion_.draw(frame,
                   {m.origin.x + x_of(frame, m, from.line, from.column),
                    m.origin.y + static_cast<float>(from.line) * m.line, 0, m.line},
                   m.visible());
}

void Editor::draw_brackets(const Frame& frame, const Metrics& m) {
  if (!focused_ || find_.is_open() || !editing_.caret.empty()) return;
  const Position caret = editing_.caret.head;
  if (brackets_.caret != caret || brackets_.revision != editing_.buffer.revision()) {
    brackets_.caret = caret, brackets_.revision = editing_.buffer.revision();
    brackets_.pair = bracket_at(editing_.buffer, caret, [this](int line) {
      lex_until(line);
      std::vector<Span> spans;
      lex_line(editing_.buffer.line(line), states_[static_cast<std::size_t>(line)], spans);
      return spans;
    });
  }
  if (!brackets_.pair) return;
  const auto frame_of = [&](Position at, ImU32 colour) {
    if (at.line < m.first || at.line > m.last) return;
    const float x = m.origin.x + x_of(frame, m, at.line, at.column);
    const float y = m.origin.y + static_cast<float>(at.line) * m.line;
    ImGui::GetWindowDrawList()->AddRect({x - frame.px(1), y + frame.px(1)},
                                        {x + m.space + frame.px(1), y + m.line - frame.px(1)}, colour,
                                        frame.px(3), 0, std::max(1.0f, frame.px(1.5f)));
  };
  const ImU32 colour = frame.theme[brackets_.pair->matched ? Role::Accent : Role::Bad];
  frame_of(brackets_.pair->caret_side, colour);
  if (brackets_.pair->matched) frame_of(brackets_.pair->other, colour);
}

}  // namespace gui::editor
