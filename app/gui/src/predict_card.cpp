// SPDX-License-Identifier: MIT
// See predict_card.hpp. Words are wrapped again in each frame: they are few, and shown only for a short time.
#include "predict_card.hpp"

#include <algorithm>

#include "formatting.hpp"
#include "lab/explain.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

constexpr float kPadding = 12, kHeadRow = 26, kBelowPart = 6, kChoice = 34, kChoiceGap = 6,
                kBetween = 12;  // at 100 %

std::string score_words(const Frame& frame, const lab::Score& score) {
  if (score.asked == 0) return {};
  const std::string right = std::to_string(score.right), asked = std::to_string(score.asked);
  if (score.streak > 1) return frame.text(Text::PredictStreak, {right, asked, std::to_string(score.streak)});
  return frame.text(Text::PredictScore, {right, asked});
}

ImVec2 choice_size(const Frame& frame, const std::string& words) {
  ImVec2 size = button_size(frame, words);
  size.y = frame.px(kChoice - 2);
  return size;
}

}  // namespace

std::string outcome_words(const Frame& frame, const lab::Outcome& outcome) {
  const std::string_view between = frame.language == lab::Language::English ? " " : "";
  std::string fact = outcome.fact.in(frame.language);
  if (outcome.why) {
    fact += std::string(between) + outcome.why->in(frame.language);
  } else if (const std::size_t calls = frame.bench.call_at_cursor(); calls > 0) {
    const trace::Store& store = frame.bench.store();
    const std::size_t event = store.event_of_call(calls - 1);
    if (event < frame.bench.model().moments())
      if (const auto reason = lab::explain(frame.bench.model_of(event), store, event))
        fact += std::string(between) + reason->sentence.in(frame.language);
  }
  return fact;
}

std::string_view PredictCard::verdict() const {
  static constexpr std::string_view kNames[] = {"", "waiting", "right", "wrong", "open"};
  return kNames[static_cast<int>(verdict_)];
}

void PredictCard::say(std::string text, float width, bool strong) {
  (asking_ ? asked_ : told_).push_back({without_ticks(std::move(text)), width, strong});
}

// The outcome of the answer: right or not, what the driver did, and why.
void PredictCard::tell(const Frame& frame, const lab::Prediction& prediction, float width) {
  const lab::Language language = frame.language;
  const bool waiting = !prediction.known;
  verdict_ = waiting               ? Verdict::Waiting
             : !prediction.outcome ? Verdict::Open
             : prediction.right()  ? Verdict::Right
                                   : Verdict::Wrong;
  if (waiting) return say(frame.text(Text::PredictWaiting, {prediction.call}), width, false);
  if (!prediction.outcome) return say(frame.text(Text::PredictNoOutcome, {prediction.call}), width, false);
  const auto& choices = prediction.question.choices;
  say(prediction.right() || prediction.chosen >= choices.size()
          ? std::string(frame.text(Text::PredictRight))
          : frame.text(Text::PredictWrong, {choices[prediction.chosen].words.in(language)}),
      width, true);
  say(outcome_words(frame, *prediction.outcome), width, false);
}

float PredictCard::choices_height(const Frame& frame, float width) const {
  float x = 0, rows = 1;
  for (const std::string& words : choices_) {
    const float wide = choice_size(frame, words).x;
    if (x > 0 && x + wide > width) x = 0, ++rows;
    x += wide + frame.px(kChoiceGap);
  }
  return rows * frame.px(kChoice + kChoiceGap);
}

float PredictCard::measure(Frame& frame, float width, float most) {
  told_.clear(), asked_.clear(), choices_.clear();
  asking_ = shown_ = left_out_ = false;
  verdict_ = Verdict::None;
  const lab::Prediction* prediction = frame.bench.prediction();
  const float pad = frame.px(kPadding), inner = width - 2 * pad - frame.px(2 * (kMargin - 6));
  if (inner < frame.px(120)) return 0;
  if (prediction != nullptr) tell(frame, *prediction, inner - frame.px(24));
  const lab::Question* question = frame.bench.question();
  if (question != nullptr) {
    asking_ = true;
    say(question->words.in(frame.language), inner, false);
    for (std::size_t i = 0; i < question->choices.size(); ++i)
      choices_.push_back(std::to_string(i + 1) + "   " + question->choices[i].words.in(frame.language));
    // The hint on how to answer is dropped first, because the picture is needed to find the answer.
    if (most >= frame.px(330))
      say(std::string(
              frame.text(frame.selection.editor_focus.before ? Text::PredictKeysEditor : Text::PredictKeys)),
          inner, false);
  }
  // The outcome of the last answer comes before the next question, and a question that is not visible is not
  // asked.
  if (asking_ && height_of(frame, inner) > most) {
    left_out_ = true;
    if (told_.empty() || prediction == nullptr) return asking_ = false, 0.0f;
    asked_.clear(), choices_.clear(), asking_ = false;
  }
  if (told_.empty() && asked_.empty()) return 0;
  const float height = height_of(frame, inner);
  shown_ = height <= most;
  return shown_ ? height : 0;
}

float PredictCard::height_of(const Frame& frame, float inner) const {
  float height = 2 * frame.px(kPadding) + frame.px(kHeadRow) + frame.px(8);
  for (const auto* parts : {&told_, &asked_})
    for (const Part& part : *parts)
      height += paragraph_height(frame, part.width, part.text, face_of(part)) + frame.px(kBelowPart);
  if (asking_) height += choices_height(frame, inner) + (told_.empty() ? 0 : frame.px(kBetween));
  return height;
}

float PredictCard::draw_part(const Frame& frame, ImVec2 at, const Part& part, ImU32 colour) {
  return draw_paragraph(frame, at, part.width, colour, part.text, face_of(part)) + frame.px(kBelowPart);
}

void PredictCard::draw_choices(Frame& frame, ImVec2 from, float width) {
  ImVec2 at = from;
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    const float wide = choice_size(frame, choices_[i]).x;
    if (at.x > from.x && at.x + wide > from.x + width) at = {from.x, at.y + frame.px(kChoice + kChoiceGap)};
    ImGui::SetCursorScreenPos(at);
    const std::string id = "answer " + std::to_string(i + 1);
    if (button(frame, id.c_str(), choices_[i], {.width = std::min(wide, width)})) chosen = i;
    at.x += wide + frame.px(kChoiceGap);
  }
  if (chosen) frame.bench.answer(*chosen);
}

bool PredictCard::draw(Frame& frame, float width) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float pad = frame.px(kPadding), side = frame.px(kMargin - 6);
  const float inner = width - 2 * pad - 2 * side;
  const ImVec2 from{corner.x + side, corner.y};
  const ImVec2 to{corner.x + width - side, corner.y + ImGui::GetContentRegionAvail().y - frame.px(8)};
  draw_card(frame, from, to, frame.theme[Role::AccentSoft], frame.theme[Role::Accent],
            frame.theme.line_width());
  float y = from.y + pad;
  const ButtonOptions close{.icon = Icon::Cross,
                            .style = ButtonStyle::Ghost,
                            .hint = frame.text(Text::PredictOffHint),
                            .size = Size::Small};
  const ImVec2 size = button_size(frame, "", close);
  ImGui::SetCursorScreenPos({to.x - pad - size.x, y - frame.px(2)});
  const bool off = button(frame, "predict off", "", close);
  const std::string score = score_words(frame, frame.bench.score());
  const float score_width = text_size(frame, score, Face::Ui, Size::Small).x;
  draw_text_middle(frame, to.x - pad - size.x - frame.px(8) - score_width, y, frame.px(kHeadRow - 6),
                   frame.theme[Role::Muted], score, Face::Ui, Size::Small);
  draw_text_middle(frame, from.x + pad, y, frame.px(kHeadRow - 6), frame.theme[Role::Text],
                   frame.text(Text::PredictTitle), Face::Bold, Size::Body,
                   std::max(frame.px(40), inner - size.x - score_width - frame.px(24)));
  y += frame.px(kHeadRow);
  const bool right = verdict_ == Verdict::Right, wrong = verdict_ == Verdict::Wrong;
  for (std::size_t i = 0; i < told_.size(); ++i) {
    if (i == 0 && (right || wrong))
      draw_icon(frame, right ? Icon::Check : Icon::Cross,
                {from.x + pad + frame.px(7), y + frame.fonts.height(Face::Ui, Size::Body) / 2}, frame.px(14),
                frame.theme[right ? Role::Good : Role::Bad]);
    y += draw_part(frame, {from.x + pad + frame.px(24), y}, told_[i], frame.theme[Role::Text]);
  }
  if (!asking_) return off;
  if (!told_.empty()) {
    const float at = y + frame.px(kBetween) / 2 - frame.px(3);
    ImGui::GetWindowDrawList()->AddLine({from.x + pad, at}, {to.x - pad, at}, frame.theme[Role::LineStrong],
                                        std::max(1.0f, frame.px(1)));
    y += frame.px(kBetween);
  }
  y += draw_part(frame, {from.x + pad, y}, asked_.front(), frame.theme[Role::Text]);
  draw_choices(frame, {from.x + pad, y}, inner);
  y += choices_height(frame, inner);
  if (asked_.size() > 1) draw_part(frame, {from.x + pad, y}, asked_.back(), frame.theme[Role::Muted]);
  return off;
}

}  // namespace gui
