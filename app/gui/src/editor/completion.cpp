// SPDX-License-Identifier: MIT
// See completion.hpp.
#include "editor/completion.hpp"

#include <algorithm>
#include <string>

#include "widgets.hpp"

namespace gui::editor {
namespace {

constexpr std::size_t kShown = 8, kMost = 200;

// The part of the word that lies left of the caret; nothing where the caret is inside a word.
std::string_view beginning_at(const Editing& editing) {
  const Position head = editing.caret.head;
  const std::string_view line = editing.buffer.line(head.line);
  const auto end = static_cast<std::size_t>(head.column);
  if (!editing.caret.empty() || end == 0 || !lab::word_at(line, end).empty()) return {};
  const std::string_view word = lab::word_at(line, end - 1);
  return !word.empty() && word.front() >= '0' && word.front() <= '9' ? std::string_view() : word;
}

}  // namespace

void Completion::look(const Editing& editing, std::size_t at_least, lab::Language language) {
  const std::string chosen = is_open() ? std::string(words_[choice_].word) : std::string();
  close();
  const std::string_view beginning = beginning_at(editing);
  if (beginning.size() < at_least) return;
  words_ = lab::api_words(beginning, language, kMost);
  if (words_.size() == 1 && words_.front().word == beginning) return close();  // it is all there
  caret_ = editing.caret.head;
  from_ = {caret_.line, caret_.column - static_cast<int>(beginning.size())};
  revision_ = editing.buffer.revision();
  const auto same = std::ranges::find(words_, chosen, &lab::ApiWord::word);
  choice_ = same == words_.end() ? 0 : static_cast<std::size_t>(same - words_.begin());
  first_ = choice_ < kShown ? 0 : choice_ - kShown + 1;
}

void Completion::ask(const Editing& editing, lab::Language language) {
  look(editing, 1, language);
}

void Completion::follow(const Editing& editing, bool typed, lab::Language language) {
  const bool same = editing.caret.head == caret_ && editing.buffer.revision() == revision_;
  if (is_open() ? same : !typed) return;
  const bool goes_on = is_open() && editing.caret.head.line == from_.line &&
                       editing.caret.head.column > from_.column && editing.buffer.revision() != revision_;
  const std::string_view beginning = beginning_at(editing);
  if (goes_on || (typed && (beginning.starts_with("cu") || beginning.starts_with("CU"))))
    look(editing, goes_on ? 1 : 3, language);
  else
    close();
}

bool Completion::take(const KeyPress& press, Editing& editing) {
  if (!is_open() || press.ctrl || press.alt || press.shift) return false;
  switch (press.key) {
    case Key::Escape:
      return close(), true;
    case Key::Up:
    case Key::Down:
      choice_ = (choice_ + (press.key == Key::Down ? 1 : words_.size() - 1)) % words_.size();
      first_ = std::clamp(first_, choice_ < kShown ? 0 : choice_ - kShown + 1, choice_);
      return true;
    case Key::Enter:
    case Key::Tab:
      // Enter after a whole word begins a line, as it does without the list.
      if (words_[choice_].word == beginning_at(editing)) return close(), false;
      return accept(editing, choice_), true;
    default:
      return false;
  }
}

void Completion::accept(Editing& editing, std::size_t choice) {
  const Caret before = editing.caret;
  editing.caret = caret_at(editing.buffer.replace(from_, before.head, words_[choice].word, before));
  close();
}

bool Completion::press(ImVec2 mouse, Editing& editing) {
  if (!is_open() || !rows_.holds(mouse)) return false;
  const auto row = static_cast<std::size_t>(std::max(0.0f, (mouse.y - rows_.y) / row_));
  if (first_ + row < words_.size() && row < kShown) accept(editing, first_ + row);
  return true;
}

void Completion::draw(const Frame& frame, const Rect& line, const Rect& visible) {
  if (!is_open()) return;
  row_ = std::round(frame.fonts.height(Face::Mono, Size::Body) * 1.4f);
  const float pad = frame.px(8);
  const std::size_t shown = std::min(kShown, words_.size());
  float widest = frame.px(220);
  for (std::size_t i = first_; i < std::min(first_ + shown, words_.size()); ++i)
    widest = std::max(widest, text_size(frame, words_[i].word, Face::Mono).x);
  const float wide = std::min({widest + 2 * pad, frame.px(460), visible.w - frame.px(16)});
  const std::string_view means = words_[choice_].means;
  const float text = paragraph_height(frame, wide - 2 * pad, means, Face::Ui, Size::Small) + 2 * frame.px(6);
  const float tall = row_ * static_cast<float>(shown) + text;
  const float x = std::max(visible.x, std::min(line.x - pad, visible.right() - wide - frame.px(8)));
  const bool below = line.bottom() + tall <= visible.bottom() || line.y - tall < visible.y;
  const Rect card{x, below ? line.bottom() : line.y - tall, wide, tall};
  rows_ = {card.x, card.y, card.w, row_ * static_cast<float>(shown)};
  if (frame.texts != nullptr) frame.texts->hide(card);
  draw_card(frame, card.from(), card.to(), frame.theme[Role::Raised], frame.theme[Role::LineStrong]);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < shown; ++i) {
    const lab::ApiWord& word = words_[first_ + i];
    const float y = rows_.y + row_ * static_cast<float>(i);
    if (first_ + i == choice_)
      list.AddRectFilled({card.x + 1, y}, {card.right() - 1, y + row_}, frame.theme[Role::AccentSoft]);
    const Role role = word.kind == lab::ApiHelp::Kind::Function ? Role::CodeFunction
                      : word.kind == lab::ApiHelp::Kind::Type   ? Role::CodeType
                                                                : Role::CodeText;
    draw_text_middle(frame, card.x + pad, y, row_, frame.theme[role], word.word, Face::Mono, Size::Body,
                     wide - 2 * pad, Cut::Meant);
  }
  list.AddLine({card.x, rows_.bottom()}, {card.right(), rows_.bottom()}, frame.theme[Role::Line]);
  draw_paragraph(frame, {card.x + pad, rows_.bottom() + frame.px(6)}, wide - 2 * pad,
                 frame.theme[Role::Muted], means, Face::Ui, Size::Small);
  if (frame.watched != nullptr) frame.watched->hint = words_[choice_].word;
}

}  // namespace gui::editor
