// SPDX-License-Identifier: MIT
// Searching all notes and exercises: a field, and what was found.
#include <optional>

#include "formatting.hpp"
#include "lab/search.hpp"
#include "popup.hpp"
#include "text_field.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

command::GoTo place_of(const lab::SearchHit& hit) {
  return {.lesson = hit.lesson, .step = hit.step, .exercise = hit.exercise, .language = hit.language};
}

class SearchPopup : public Popup {
 public:
  explicit SearchPopup(const PopupContext& of) : of_(of) {}
  Shape shape() const override { return {.id = "search", .width = 640, .keys = Keys::Own}; }
  void open() override {
    field_.select_all();
    sight_.forget();
  }
  bool take(const KeyPress& press) override;
  bool type(std::string_view text) override { return field_.type(text), true; }
  void add_text(Fonts& fonts, lab::Language) override {
    fonts.add_text(field_.text());
    for (const lab::SearchHit& hit : hits_) fonts.add_text(hit.title + hit.excerpt);
  }
  void draw(Frame& frame, float most_height) override;

 private:
  PopupContext of_;
  std::optional<lab::LessonSearch> search_;  // from the first use on
  TextField field_;
  std::string searched_;  // what the hits are for
  lab::Language searched_in_ = lab::Language::English;
  std::vector<lab::SearchHit> hits_;
  std::size_t choice_ = 0;  // the hit that Enter opens
  ChoiceInSight sight_;
};

bool SearchPopup::take(const KeyPress& press) {
  // Home and End are the field's.
  if (press.key != Key::Home && press.key != Key::End && walk(press.key, choice_, hits_.size())) return true;
  if (press.key == Key::Enter) {
    if (choice_ < hits_.size()) of_.commands.emplace_back(place_of(hits_[choice_]));
    return true;
  }
  return field_.take(press);
}

void SearchPopup::draw(Frame& frame, float) {
  popup_heading(frame, frame.text(Text::SearchTitle));
  if (!search_) search_ = lab::LessonSearch::create(of_.bench.catalogue());
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  field_.draw(frame, {from.x, from.y, width, frame.px(40)}, frame.text(Text::SearchField), Icon::Search);
  ImGui::Dummy({width, frame.px(46)});
  const std::string query = field_.text();
  if (query != searched_ || searched_in_ != frame.language) {
    searched_ = query, searched_in_ = frame.language;
    hits_ = search_->find(query, frame.language, 40);
    choice_ = 0;
  }
  if (frame.watched != nullptr) frame.watched->hits = static_cast<int>(hits_.size());
  if (!query.empty() && hits_.empty()) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(frame, {at.x + frame.px(12), at.y + frame.px(6)}, frame.theme[Role::Muted],
              frame.text(Text::SearchNone));
    ImGui::Dummy({width, frame.px(34)});
  }
  for (std::size_t i = 0; i < hits_.size(); ++i) {
    const lab::SearchHit& hit = hits_[i];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float tall = frame.px(50), room = ImGui::GetContentRegionAvail().x;
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("hit", {room, tall})) frame.post(place_of(hit));
    const bool hovered = ImGui::IsItemHovered() && !frame.still;
    ImGui::PopID();
    if (i == choice_) sight_.keep(i);
    if (frame.places != nullptr)
      (*frame.places)["hit " + std::to_string(i)] = {at.x + room / 2, at.y + tall / 2};
    if (hovered || i == choice_)
      draw_card(frame, at, {at.x + room, at.y + tall},
                frame.theme[i == choice_ ? Role::AccentSoft : Role::Hover], 0);
    std::string head = lab::lesson_number(hit.number) + "  " + hit.title;
    if (!hit.step.empty()) head += "  ·  " + frame.text(Text::SearchStep, {hit.step});
    if (!hit.exercise.empty()) head += "  ·  " + frame.text(Text::SearchExercise, {hit.exercise_title});
    draw_text(frame, {at.x + frame.px(12), at.y + frame.px(6)}, frame.theme[Role::Text], head, Face::Bold,
              Size::Body, room - frame.px(24), Cut::Meant);
    for (const auto& [begin, length] : hit.found) {
      const std::string_view whole = hit.excerpt;
      const float x = at.x + frame.px(12) + text_size(frame, whole.substr(0, begin), Face::Ui, Size::Small).x;
      const float end = x + text_size(frame, whole.substr(begin, length), Face::Ui, Size::Small).x;
      if (end >= at.x + room - frame.px(24)) continue;
      const float high = frame.fonts.height(Face::Ui, Size::Small), top = at.y + frame.px(27);
      ImGui::GetWindowDrawList()->AddRectFilled({x - 1, top}, {end + 1, top + high},
                                                frame.theme[Role::CautionSoft], frame.px(3));
      if (frame.places != nullptr)
        frame.places->emplace("mark of hit " + std::to_string(i), ImVec2{(x + end) / 2, top + high / 2});
    }
    draw_text(frame, {at.x + frame.px(12), at.y + frame.px(27)}, frame.theme[Role::Muted], hit.excerpt,
              Face::Ui, Size::Small, room - frame.px(24), Cut::Meant);
  }
}

}  // namespace

std::unique_ptr<Popup> make_search_popup(const PopupContext& of) {
  return std::make_unique<SearchPopup>(of);
}

}  // namespace gui
