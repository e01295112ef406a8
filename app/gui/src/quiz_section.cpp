// SPDX-License-Identifier: MIT
// See quiz_section.hpp. Places are counted from the section's upper left corner, in pixels.
#include "quiz_section.hpp"

#include <algorithm>
#include <cmath>

#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

// At 100 %.
constexpr float kQuizPad = 12, kQuizLabel = 22, kQuizMark = 26, kQuizRowPad = 8;
constexpr float kQuizInSight = 0.6f;  // the part of a card that has to be, for its numbers to be taken

// `code` between ticks, which Markdown would read so too; nothing else of it means anything.
markdown::Document quiz_words(std::string_view text, bool bold, std::string_view lead = {}) {
  markdown::Document document;
  markdown::Block& block = document.blocks.emplace_back();
  const auto add = [&block](std::string_view part, markdown::Style style) {
    if (!part.empty()) block.text.push_back({std::string(part), style});
  };
  add(lead, {.bold = true});
  while (!text.empty()) {
    const std::size_t open = text.find('`');
    const std::size_t close = open == std::string_view::npos ? open : text.find('`', open + 1);
    if (close == std::string_view::npos) break;
    add(text.substr(0, open), {.bold = bold});
    add(text.substr(open + 1, close - open - 1), {.bold = bold, .code = true});
    text.remove_prefix(close + 1);
  }
  add(text, {.bold = bold});
  return document;
}

markdown::Document quiz_heading(std::string_view text) {
  markdown::Document document = quiz_words(text, false);
  document.blocks.front().kind = markdown::BlockKind::Heading;
  document.blocks.front().level = 2;
  return document;
}

std::string quiz_step_words(const Frame& frame, const markdown::Document& notes, const std::string& step) {
  const auto at = std::find(notes.steps.begin(), notes.steps.end(), step);
  const std::string title =
      at == notes.steps.end() ? step : notes.step_title(static_cast<int>(at - notes.steps.begin()));
  return frame.text(Text::QuizStep, {title});
}

bool quiz_hovered(const Frame& frame, ImVec2 from, ImVec2 to) {
  return !frame.still && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(from, to);
}

void remember_quiz_place(const Frame& frame, const std::string& id, ImVec2 from, ImVec2 to) {
  const ImVec2 middle{(from.x + to.x) / 2, (from.y + to.y) / 2};
  if (frame.places != nullptr && ImGui::IsRectVisible(middle, {middle.x + 1, middle.y + 1}))
    (*frame.places)[id] = middle;
}

}  // namespace

QuizSection::Key QuizSection::key_of(const Frame& frame, float width) {
  const lab::Workbench& bench = frame.bench;
  const std::vector<lab::QuizQuestion>& quiz = bench.quiz();
  Key key;
  key.questions = quiz.data();
  if (bench.lesson() != nullptr) key.lesson = bench.lesson()->slug;
  for (std::size_t question = 0; question < quiz.size(); ++question)
    for (std::size_t answer = 0; answer < quiz[question].answers.size(); ++answer)
      key.tried += bench.quiz_tried(question, answer) ? 'x' : '-';
  const lab::QuizScore score = bench.quiz_score();
  key.answered = score.answered, key.right = score.right;
  key.language = frame.language, key.width = width, key.scale = frame.scale;
  return key;
}

QuizSection::Words QuizSection::put(const Frame& frame, float x, float width,
                                    const markdown::Document& text) {
  constexpr float kSide = markdown::Page::kSide;
  Words words;
  words.page = markdown::Page::lay_out(frame, text, width + 2 * frame.px(kSide));
  words.x = x - frame.px(kSide), words.y = y_;
  y_ += words.page.height() - frame.px(markdown::Page::kBelow);
  return words;
}

void QuizSection::lay_out(const Frame& frame, const markdown::Document& notes, float width) {
  const Key now = key_of(frame, width);
  if (key_ == now) return;
  key_ = now;
  cards_.clear();
  width_ = width, height_ = y_ = 0;
  const std::vector<lab::QuizQuestion>& quiz = frame.bench.quiz();
  if (quiz.empty()) return;
  const float side = frame.px(markdown::Page::kSide), room = width - 2 * side;
  title_ = put(frame, side, room, quiz_heading(frame.text(Text::QuizTitle)));
  y_ += frame.px(8), keys_top_ = y_;
  keys_ = frame.text(Text::QuizKeys);
  y_ += paragraph_height(frame, room, keys_, Face::Ui, Size::Small) + frame.px(12);
  for (std::size_t i = 0; i < quiz.size(); ++i) add_card(frame, notes, quiz[i], i);
  score_top_ = y_, score_.clear();
  if (now.answered > 0) {
    score_ = frame.text(Text::QuizScore, {std::to_string(now.right), std::to_string(now.answered)});
    y_ += paragraph_height(frame, room, score_, Face::Ui, Size::Small) + frame.px(8);
  }
  height_ = y_ + frame.px(20);
}

void QuizSection::add_card(const Frame& frame, const markdown::Document& notes,
                           const lab::QuizQuestion& question, std::size_t number) {
  const lab::Workbench& bench = frame.bench;
  const float x = frame.px(markdown::Page::kSide + kQuizPad), room = width_ - 2 * x;
  Card& card = cards_.emplace_back();
  card.top = y_;
  card.solved = bench.quiz_solved(number);
  y_ += frame.px(kQuizPad + kQuizLabel);
  card.text = put(frame, x, room, quiz_words(question.text[static_cast<int>(frame.language)], true));
  y_ += frame.px(10);
  bool tried_one = false;
  for (std::size_t i = 0; i < question.answers.size(); ++i) {
    const bool tried = bench.quiz_tried(number, i);
    tried_one = tried_one || tried;
    add_answer(frame, question.answers[i], tried, card);
  }
  if (tried_one) {
    card.step = quiz_step_words(frame, notes, question.about);
    card.step_top = y_;
    y_ += paragraph_height(frame, room - 2 * frame.px(kQuizRowPad), card.step) + frame.px(10);
    card.step_bottom = y_;
  }
  y_ += frame.px(kQuizPad - 6);
  card.bottom = y_;
  y_ += frame.px(14);
}

void QuizSection::add_answer(const Frame& frame, const lab::QuizAnswer& answer, bool tried, Card& card) {
  const auto language = static_cast<std::size_t>(frame.language);
  const float x = frame.px(markdown::Page::kSide + kQuizPad + kQuizRowPad + kQuizMark);
  const float room =
      width_ - x - frame.px(markdown::Page::kSide) - frame.px(kQuizPad) - frame.px(kQuizRowPad);
  Answer& row = card.answers.emplace_back();
  row.top = y_, row.tried = tried, row.right = answer.right;
  y_ += frame.px(kQuizRowPad);
  row.text = put(frame, x, room, quiz_words(answer.text[language], false));
  if (tried) {
    y_ += frame.px(4);
    std::string lead(frame.text(answer.right ? Text::PredictRight : Text::QuizWrong));
    if (frame.language == lab::Language::English) lead += ' ';
    row.because = put(frame, x, room, quiz_words(answer.because[language], false, lead));
  }
  y_ += frame.px(kQuizRowPad);
  row.bottom = y_;
  y_ += frame.px(6);
}

float QuizSection::top_of(std::size_t question, float visible) const {
  if (question >= cards_.size()) return 0;
  const Card& card = cards_[question];
  const bool fits = visible - card.top >= kQuizInSight * std::min(card.bottom - card.top, visible);
  return question == 0 && fits ? 0 : card.top;
}

std::pair<float, float> QuizSection::place_of(std::size_t question, std::size_t answer) const {
  if (question >= cards_.size() || answer >= cards_[question].answers.size()) return {0, 0};
  const Answer& row = cards_[question].answers[answer];
  return {row.top, row.bottom};
}

// Nobody answers what is not in sight: most of the card is, or it fills most of the panel.
void QuizSection::find_asked(Frame& frame, ImVec2 origin) const {
  const float top = ImGui::GetWindowPos().y - origin.y, bottom = top + ImGui::GetWindowHeight();
  Selection::Quiz& seen = frame.selection.quiz;
  for (std::size_t i = 0; i < cards_.size(); ++i) {
    const Card& card = cards_[i];
    const float in_sight = std::min(card.bottom, bottom) - std::max(card.top, top);
    if (in_sight < kQuizInSight * std::min(card.bottom - card.top, bottom - top)) continue;
    seen.in_sight = true;
    if (!seen.asked && !card.solved) seen.asked = i;
  }
}

void QuizSection::draw(Frame& frame, ImVec2 origin) {
  if (cards_.empty()) return;
  find_asked(frame, origin);
  title_.page.draw(frame, {origin.x + title_.x, origin.y + title_.y}, -1, -1);
  const float side = frame.px(markdown::Page::kSide), room = width_ - 2 * side;
  draw_paragraph(frame, {origin.x + side, origin.y + keys_top_}, room, frame.theme[Role::Muted], keys_,
                 Face::Ui, Size::Small);
  for (std::size_t i = 0; i < cards_.size(); ++i)
    if (ImGui::IsRectVisible({origin.x, origin.y + cards_[i].top},
                             {origin.x + width_, origin.y + cards_[i].bottom}))
      draw_card_of(frame, origin, i);
  note_stops(frame, origin);
  if (!score_.empty())
    draw_paragraph(frame, {origin.x + side, origin.y + score_top_}, room, frame.theme[Role::Muted], score_,
                   Face::Ui, Size::Small);
}

void QuizSection::draw_card_of(Frame& frame, ImVec2 origin, std::size_t number) {
  Card& card = cards_[number];
  const Theme& theme = frame.theme;
  const float side = frame.px(markdown::Page::kSide);
  const ImVec2 from{origin.x + side, origin.y + card.top},
      to{origin.x + width_ - side, origin.y + card.bottom};
  const bool asked = frame.selection.quiz.asked == number;
  draw_card(frame, from, to, 0, theme[asked ? Role::Accent : Role::Line],
            theme.line_width() * (asked ? 1.3f : 1));
  const std::string label =
      frame.text(Text::QuizQuestion, {std::to_string(number + 1), std::to_string(cards_.size())});
  draw_text(frame, {from.x + frame.px(kQuizPad), from.y + frame.px(kQuizPad)},
            theme[card.solved ? Role::Good : Role::Accent], label, Face::Bold, Size::Small);
  card.text.page.draw(frame, {origin.x + card.text.x, origin.y + card.text.y}, -1, -1);
  for (std::size_t i = 0; i < card.answers.size(); ++i) draw_answer(frame, origin, number, i);
  if (!card.step.empty()) draw_step(frame, origin, number);
}

void QuizSection::draw_answer(Frame& frame, ImVec2 origin, std::size_t question, std::size_t number) {
  Answer& row = cards_[question].answers[number];
  const Theme& theme = frame.theme;
  const float side = frame.px(markdown::Page::kSide) + frame.px(kQuizPad);
  const ImVec2 from{origin.x + side, origin.y + row.top}, to{origin.x + width_ - side, origin.y + row.bottom};
  const bool lit = !row.tried && quiz_hovered(frame, from, to);
  const bool good = row.tried && row.right;
  draw_card(frame, from, to, theme[lit ? Role::Hover : Role::Raised], theme[good ? Role::Good : Role::Line],
            theme.line_width() * (good ? 1.3f : 1));
  const float x = from.x + frame.px(kQuizRowPad),
              line = std::round(frame.fonts.height(Face::Ui, Size::Body) * 1.42f);
  const float y = origin.y + row.text.y;
  if (row.tried)
    draw_icon(frame, row.right ? Icon::Check : Icon::Cross, {x + frame.px(8), y + line / 2}, frame.px(14),
              theme[row.right ? Role::Good : Role::Bad]);
  else
    draw_text_middle(frame, x + frame.px(4), y, line, theme[Role::Muted], std::to_string(number + 1),
                     Face::Bold);
  row.text.page.draw(frame, {origin.x + row.text.x, y}, -1, -1);
  if (row.tried) row.because.page.draw(frame, {origin.x + row.because.x, origin.y + row.because.y}, -1, -1);
  remember_quiz_place(frame, "quiz " + std::to_string(question + 1) + " answer " + std::to_string(number + 1),
                      from, to);
  if (!lit) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (ImGui::IsMouseClicked(0)) answer(frame, question, number);
}

void QuizSection::answer(Frame& frame, std::size_t question, std::size_t number) {
  frame.bench.answer_quiz(question, number);
  frame.selection.quiz_answered = question;
  frame.post(command::ScrollToAnswer{question, number});
}

void QuizSection::note_stops(Frame& frame, ImVec2 origin) const {
  if (!frame.selection.stops.here()) return;
  const float side = frame.px(markdown::Page::kSide) + frame.px(kQuizPad);
  const auto noted = [&](const std::string& id, float top, float bottom) {
    const ImVec2 from{origin.x + side, origin.y + top}, to{origin.x + width_ - side, origin.y + bottom};
    const bool pressed = key_stop(frame, id.c_str(), from, to).pressed;
    draw_focus(frame, from, to);
    return pressed;
  };
  for (std::size_t i = 0; i < cards_.size(); ++i) {
    const Card& card = cards_[i];
    const std::string question = "quiz " + std::to_string(i);
    for (std::size_t k = 0; k < card.answers.size(); ++k)
      if (noted(question + " answer " + std::to_string(k), card.answers[k].top, card.answers[k].bottom) &&
          !card.answers[k].tried)
        answer(frame, i, k);
    if (!card.step.empty() && noted(question + " step", card.step_top, card.step_bottom))
      frame.post(command::ShowStep{frame.bench.quiz()[i].about});
  }
}

void QuizSection::draw_step(Frame& frame, ImVec2 origin, std::size_t question) const {
  const Card& card = cards_[question];
  const float side = frame.px(markdown::Page::kSide) + frame.px(kQuizPad);
  const ImVec2 from{origin.x + side, origin.y + card.step_top},
      to{origin.x + width_ - side, origin.y + card.step_bottom};
  const bool lit = quiz_hovered(frame, from, to);
  if (lit) draw_card(frame, from, to, frame.theme[Role::Hover], 0);
  const float pad = frame.px(kQuizRowPad);
  draw_paragraph(frame, {from.x + pad, from.y + frame.px(5)}, to.x - from.x - 2 * pad,
                 frame.theme[Role::Accent], card.step);
  remember_quiz_place(frame, "quiz " + std::to_string(question + 1) + " step", from, to);
  if (!lit) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (!ImGui::IsMouseClicked(0)) return;
  frame.post(command::ShowStep{frame.bench.quiz()[question].about});
}

}  // namespace gui
