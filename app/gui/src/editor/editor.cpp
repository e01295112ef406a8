// SPDX-License-Identifier: MIT
// The editor's behaviour: focus, mouse, keys, scrolling, find. editor_drawing.cpp draws it.
#include "editor/editor.hpp"

#include <algorithm>
#include <cmath>

#include "imgui_compat.hpp"
#include "widgets.hpp"

namespace gui::editor {

void Editor::set_text(std::string_view text, Take take) {
  if (take == Take::Fresh) {
    editing_ = Editing(text);
    show_line_ = 0;  // the place is ImGui's, and may be that of the text before
  } else {
    const Caret before = editing_.caret;
    editing_.buffer.replace({}, editing_.buffer.end(), text, before);
    editing_.caret = {editing_.buffer.clamp(before.anchor), editing_.buffer.clamp(before.head)};
    if (take == Take::InPlace) editing_.buffer.forget_changes();
  }
  states_.assign(1, LexState{});
  widest_ = 0;
}

void Editor::show_line(int line) {
  show_line_ = line;
}

// The states that lines begin with, as far down as `line`.
void Editor::lex_until(int line) {
  const auto changed = static_cast<std::size_t>(std::max(0, editing_.buffer.take_first_changed()));
  if (states_.size() > changed + 1) states_.resize(changed + 1);
  std::vector<Span> spans;
  while (static_cast<int>(states_.size()) <= line + 1 &&
         static_cast<int>(states_.size()) <= editing_.buffer.lines()) {
    spans.clear();
    states_.push_back(
        lex_line(editing_.buffer.line(static_cast<int>(states_.size()) - 1), states_.back(), spans));
  }
}

Editor::Metrics Editor::measure(const Frame& frame) const {
  Metrics m;
  m.line = std::round(frame.fonts.height(Face::Mono, Size::Body) * 1.32f);
  m.space = text_size(frame, "0", Face::Mono).x;
  const auto digits = std::max<std::size_t>(3, std::to_string(editing_.buffer.lines()).size());
  m.gutter = frame.px(22) + m.space * static_cast<float>(digits) + frame.px(16);
  m.left = m.gutter;
  m.corner = ImGui::GetWindowPos();
  m.size = ImGui::GetWindowSize();
  m.origin = {m.corner.x + m.left - ImGui::GetScrollX(), m.corner.y + frame.px(6) - ImGui::GetScrollY()};
  m.first = std::max(0, static_cast<int>((m.corner.y - m.origin.y) / m.line) - 1);
  m.last = std::min(editing_.buffer.lines() - 1,
                    static_cast<int>((m.corner.y + m.size.y - m.origin.y) / m.line) + 1);
  return m;
}

float Editor::x_of(const Frame& frame, const Metrics& m, int line, int column) const {
  const std::string_view text =
      std::string_view(editing_.buffer.line(line)).substr(0, static_cast<std::size_t>(column));
  float x = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t tab = std::min(text.find('\t', at), text.size());
    x += text_size(frame, text.substr(at, tab - at), Face::Mono).x;
    const float stop = m.space * 4;
    if (tab < text.size()) x = (std::floor(x / stop + 0.01f) + 1) * stop;
    at = tab + 1;
  }
  return x;
}

Position Editor::position_at(const Frame& frame, const Metrics& m, ImVec2 mouse) const {
  const int line = std::clamp(static_cast<int>(std::floor((mouse.y - m.origin.y) / m.line)), 0,
                              editing_.buffer.lines() - 1);
  const float x = mouse.x - m.origin.x;
  const int size = static_cast<int>(editing_.buffer.line(line).size());
  Position at{line, 0};
  float before = 0;
  while (at.column < size) {
    const Position next = editing_.buffer.right(at);
    const float after = x_of(frame, m, line, next.column);
    if (x < (before + after) / 2) break;
    before = after, at = next;
  }
  return at;
}

void Editor::handle_mouse(Frame& frame, const Metrics& m) {
  const bool hovered = ImGui::IsWindowHovered() && !frame.still;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool in_text = hovered && mouse.x >= m.corner.x + m.gutter - frame.px(8);
  if (in_text) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (hovered && mouse.x < m.corner.x + frame.px(24)) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  // The scroll bars lie inside the window; a click on them is not for the text.
  const bool on_text = mouse.x < m.corner.x + ImGui::GetWindowContentRegionMax().x + frame.px(2) ||
                       ImGui::GetScrollMaxY() <= 0;
  if (hovered && on_text && ImGui::IsMouseClicked(0)) {
    ImGui::SetWindowFocus();
    if (find_.is_open() && find_.place(frame, m.visible()).holds(mouse)) {
      find_.press(frame, m.visible(), mouse);
      return;
    }
    find_.close();
    if (completion_.press(mouse, editing_)) return;
    if (mouse.x < m.corner.x + frame.px(24)) {
      const int line = static_cast<int>(std::floor((mouse.y - m.origin.y) / m.line));
      if (line >= 0 && line < editing_.buffer.lines()) breakpoint_wanted_ = line;
      return;
    }
    const Position at = position_at(frame, m, mouse);
    const int clicks = ImGui::GetMouseClickedCount(0);
    if (clicks >= 3 || mouse.x < m.corner.x + m.gutter - frame.px(8))
      editing_.select_line(at.line);
    else if (clicks == 2)
      editing_.select_word(at);
    else
      editing_.place(at, compat::shift_held() ? Extend::Yes : Extend::No), dragging_ = true;
    caret_since_ = frame.time;
  }
  if (!ImGui::IsMouseDown(0)) dragging_ = false;
  if (dragging_ && ImGui::IsMouseDragging(0, 2.0f)) {
    editing_.place(position_at(frame, m, mouse), Extend::Yes);
    follow_caret_ = true;
    frame.animate(0.03);
  }
}

bool Editor::handle_move(const KeyPress& press, int page_lines) {
  const Extend extend = press.shift ? Extend::Yes : Extend::No;
  const auto go = [&](Move where) { return editing_.move(where, extend, page_lines), true; };
  switch (press.key) {
    case Key::Left:
      return go(press.ctrl ? Move::WordLeft : Move::Left);
    case Key::Right:
      return go(press.ctrl ? Move::WordRight : Move::Right);
    case Key::Up:
      return go(Move::Up);
    case Key::Down:
      return go(Move::Down);
    case Key::Home:
      return go(press.ctrl ? Move::Top : Move::LineStart);
    case Key::End:
      return go(press.ctrl ? Move::Bottom : Move::LineEnd);
    case Key::PageUp:
      return go(Move::PageUp);
    case Key::PageDown:
      return go(Move::PageDown);
    default:
      return false;
  }
}

bool Editor::handle_control(const KeyPress& press, bool read_only) {
  switch (press.key) {
    case Key::A:
      editing_.select_all();
      return true;
    case Key::C:
    case Key::Insert:
      if (!editing_.caret.empty()) ImGui::SetClipboardText(editing_.selected().c_str());
      return true;
    case Key::F:
      find_.open(editing_, false);
      return true;
    case Key::B:
      breakpoint_wanted_ = editing_.caret.head.line;
      return true;
    default:
      break;
  }
  if (read_only) return false;
  switch (press.key) {
    case Key::H:
      find_.open(editing_, true);
      return true;
    case Key::X:
      ImGui::SetClipboardText(editing_.cut().c_str());
      return true;
    case Key::V:
      if (const char* text = ImGui::GetClipboardText()) editing_.paste(text);
      return true;
    case Key::Z:
      return press.shift ? editing_.redo() : editing_.undo(), true;
    case Key::Y:
      return editing_.redo(), true;
    case Key::Slash:
      return editing_.toggle_comment(), true;
    case Key::D:
      return editing_.duplicate_lines(), true;
    case Key::BracketRight:
      return editing_.indent(), true;
    case Key::BracketLeft:
      return editing_.unindent(), true;
    default:
      return false;
  }
}

void Editor::handle_edit(const KeyPress& press) {
  switch (press.key) {
    case Key::Backspace:
      return editing_.backspace(press.ctrl ? Extend::Yes : Extend::No);
    case Key::Delete:
      return editing_.delete_forward(press.ctrl ? Extend::Yes : Extend::No);
    case Key::Enter:
      if (!press.ctrl) editing_.new_line();
      return;
    case Key::Tab:
      return press.shift ? editing_.unindent() : editing_.indent();
    default:
      return;
  }
}

void Editor::handle_keys(Frame& frame, const Metrics& m, bool read_only) {
  const Caret before = editing_.caret;
  const unsigned long revision = editing_.buffer.revision();
  const int page = std::max(1, static_cast<int>(m.size.y / m.line) - 2);
  for (const KeyPress& press : frame.input.keys) {
    if (press.alt) continue;
    if (!read_only && completion_.take(press, editing_)) continue;
    if (press.ctrl && press.key == Key::Space && !read_only) {
      completion_.ask(editing_, frame.language);
      continue;
    }
    if (press.key == Key::Escape) {
      left_ = true;
      continue;
    }
    if (handle_move(press, page)) continue;
    const bool edits = press.key == Key::Backspace || press.key == Key::Delete;
    if (press.ctrl && !edits) {
      if (handle_control(press, read_only) && find_.is_open()) return;
    } else if (!read_only) {
      handle_edit(press);
    }
  }
  if (!read_only && !frame.input.text.empty()) editing_.type(frame.input.text);
  completion_.follow(editing_, !frame.input.text.empty(), frame.language);
  if (editing_.caret != before || editing_.buffer.revision() != revision) {
    follow_caret_ = true;
    caret_since_ = frame.time;
  }
}

void Editor::scroll(const Frame& frame, const Metrics& m) {
  const float lines = m.size.y / m.line;
  const auto keep = [&](int line, float around) {
    const float top = static_cast<float>(line) * m.line, margin = std::min(around, lines / 3) * m.line;
    if (top - margin < ImGui::GetScrollY()) ImGui::SetScrollY(std::max(0.0f, top - margin));
    const float bottom = top + m.line + frame.px(12) + margin;
    if (bottom > ImGui::GetScrollY() + m.size.y) ImGui::SetScrollY(bottom - m.size.y);
  };
  if (show_line_ >= 0) {
    keep(std::min(show_line_, editing_.buffer.lines() - 1), 4);
    ImGui::SetScrollX(0);  // a line is read from its beginning
    show_line_ = -1;
  }
  if (!follow_caret_) return;
  follow_caret_ = false;
  keep(editing_.caret.head.line, 1);
  const float x = x_of(frame, m, editing_.caret.head.line, editing_.caret.head.column),
              seen = m.size.x - m.left;
  if (x < ImGui::GetScrollX()) ImGui::SetScrollX(std::max(0.0f, x - frame.px(40)));
  if (x > ImGui::GetScrollX() + seen - frame.px(40)) ImGui::SetScrollX(x - seen + frame.px(40));
}

bool Editor::draw(Frame& frame, const char* id, ImVec2 size, const Marks& marks, bool read_only) {
  const unsigned long revision = editing_.buffer.revision();
  breakpoint_wanted_.reset();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, frame.px(10));
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarRounding, frame.px(5));
  ImGui::PushStyleColor(ImGuiCol_ChildBg, 0);
  ImGui::PushStyleColor(ImGuiCol_ScrollbarBg, 0);
  ImGui::PushStyleColor(ImGuiCol_ScrollbarGrab, frame.theme[Role::LineStrong]);
  compat::begin_child(id, size, false, ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoMove);
  if (take_focus_) ImGui::SetWindowFocus(), take_focus_ = false;
  focused_ = ImGui::IsWindowFocused() && !frame.still;
  Metrics m = measure(frame);
  if (focused_) {
    frame.selection.editor_focus.now = true;
    if (find_.is_open())
      frame.selection.finding.on = true, find_.handle(frame, editing_, read_only);
    else
      handle_keys(frame, m, read_only);
  }
  if (!focused_ || find_.is_open() || read_only) completion_.close();
  handle_mouse(frame, m);
  find_.update(editing_);
  m = measure(frame);
  follow_caret_ |= find_.take_moved();
  scroll(frame, m);
  lex_until(m.last);
  for (int line = m.first; line <= m.last; ++line)
    widest_ = std::max(widest_, x_of(frame, m, line, static_cast<int>(editing_.buffer.line(line).size())));

  draw_backgrounds(frame, m, marks);
  draw_brackets(frame, m);
  std::vector<Span> spans;
  for (int line = m.first; line <= m.last; ++line) draw_line(frame, m, line, spans);
  draw_caret(frame, m, read_only);
  draw_badges(frame, m, marks);
  draw_gutter(frame, m, marks);
  explain_word(frame, m);
  if (find_.is_open()) find_.draw(frame, editing_, m.visible(), read_only, focused_);
  draw_completion(frame, m);
  ImGui::Dummy({m.left + widest_ + frame.px(60),
                static_cast<float>(editing_.buffer.lines()) * m.line + m.size.y * 0.3f});
  compat::end_child();
  ImGui::PopStyleColor(3);
  ImGui::PopStyleVar(3);
  return editing_.buffer.revision() != revision;
}

void Editor::watch(Watched& watched) const {
  static constexpr std::string_view kNames = "pktfsnc#";  // by Token
  const int line = editing_.caret.head.line;
  watched.lines = editing_.buffer.lines();
  watched.column = editing_.caret.head.column;
  watched.selected = static_cast<int>(editing_.selected().size());
  watched.matches = find_.is_open() ? static_cast<int>(find_.places().size()) : 0;
  watched.bracket = brackets_.pair && brackets_.pair->matched ? brackets_.pair->other.line + 1 : 0;
  watched.line = editing_.buffer.line(line);
  if (static_cast<std::size_t>(line) >= states_.size()) return;
  std::vector<Span> spans;
  (void)lex_line(watched.line, states_[static_cast<std::size_t>(line)], spans);
  for (const Span& span : spans) watched.kinds += kNames[static_cast<std::size_t>(span.token)];
}

}  // namespace gui::editor
