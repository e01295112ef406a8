// SPDX-License-Identifier: MIT
// The list of lessons: the parts of the course, what is done in each, and the lesson that comes next.
//
// The list scrolls between its heading and a button that says how many lessons follow. One cursor moves
// through it, in the order of the parts.
#include <algorithm>
#include <optional>
#include <utility>

#include "formatting.hpp"
#include "imgui_compat.hpp"
#include "lab/progress.hpp"
#include "lesson_note.hpp"
#include "popup.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

std::vector<const lab::Lesson*> in_order(const lab::Catalogue& catalogue) {
  std::vector<const lab::Lesson*> lessons;
  for (const lab::LessonsOfPart& part : lab::by_part(catalogue))
    lessons.insert(lessons.end(), part.lessons.begin(), part.lessons.end());
  return lessons;
}

// "3 of 22 done"
std::string done_words(const Frame& frame, const lab::Progress& progress,
                       const std::vector<const lab::Lesson*>& lessons) {
  const auto done = std::count_if(lessons.begin(), lessons.end(), [&progress](const lab::Lesson* lesson) {
    return lab::is_done(progress, *lesson);
  });
  return frame.text(Text::LessonsDone, {std::to_string(done), std::to_string(lessons.size())});
}

// A title, and what is done to its right.
void title_and_done(Frame& frame, std::string_view title, std::string_view done, Role role, float tall) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x, in = frame.px(8);
  const float width = text_size(frame, done, Face::Ui, Size::Small).x;
  draw_text_middle(frame, from.x + in, from.y, tall, frame.theme[role], title, Face::Bold, Size::Body,
                   room - width - 3 * in, Cut::Meant);
  draw_text_middle(frame, from.x + room - width - in, from.y, tall, frame.theme[Role::Muted], done, Face::Ui,
                   Size::Small);
  ImGui::Dummy({room, tall});
}

class LessonList : public Popup {
 public:
  explicit LessonList(const PopupContext& of) : of_(of) {}
  Shape shape() const override {
    return {.id = "lessons", .width = 620, .side = Side::Lesson, .keys = Keys::Own};
  }
  void open() override;
  bool take(const KeyPress& press) override;
  void draw(Frame& frame, float most_height) override;

 private:
  void draw_parts(Frame& frame);
  bool draw_lesson(Frame& frame, const lab::Lesson& lesson, bool next, bool lit);

  PopupContext of_;
  std::size_t choice_ = 0;          // the lesson that Enter opens, in the order of the list, which is by part
  float height_ = 0;                // of the whole list, at the last frame
  int new_ = 0;                     // frames until the list that was opened has its height and scrollbar
  std::size_t below_ = 0;           // lessons that are not in sight yet
  std::optional<float> scroll_to_;  // where to scroll the list
  ChoiceInSight sight_;
};

void LessonList::open() {
  height_ = 0;
  new_ = 3;
  sight_.forget();
  const std::vector<const lab::Lesson*> lessons = in_order(of_.bench.catalogue());
  for (std::size_t i = 0; i < lessons.size(); ++i)
    if (of_.bench.lesson() != nullptr && lessons[i]->slug == of_.bench.lesson()->slug) choice_ = i;
}

bool LessonList::take(const KeyPress& press) {
  if (press.ctrl || press.alt) return false;
  const std::vector<const lab::Lesson*> lessons = in_order(of_.bench.catalogue());
  if (lessons.empty()) return false;
  if (walk(press.key, choice_, lessons.size())) return true;
  if (press.key != Key::Enter) return false;
  of_.commands.emplace_back(command::OpenLesson{lessons[std::min(choice_, lessons.size() - 1)]->slug, true});
  return true;
}

// One lesson: number and title, its level and minutes, why it is worth the time, and what was achieved.
bool LessonList::draw_lesson(Frame& frame, const lab::Lesson& lesson, bool next, bool lit) {
  const int language = static_cast<int>(frame.language);
  const std::string label = lab::lesson_number(lesson.number) + "   " + lesson.title[language];
  std::string second;
  if (lesson.level) second += std::string(frame.text(lab::word_for(*lesson.level))) + " · ";
  if (lesson.minutes > 0)
    second += frame.text(Text::LessonsMinutes, {std::to_string(lesson.minutes)}) + " · ";
  second += lesson.why[language].empty() ? lesson.summary[language] : lesson.why[language];
  const LessonNote note = note_on(of_.bench.progress(), lesson, next, frame.language);
  const PopupChoice how{.lit = lit,
                        .done = lab::is_done(of_.bench.progress(), lesson),
                        .open = of_.bench.lesson() != nullptr && of_.bench.lesson()->slug == lesson.slug,
                        .note = note.words,
                        .note_role = note.role};
  return popup_choice(frame, ("lesson " + lesson.slug).c_str(), label, second, how);
}

void LessonList::draw_parts(Frame& frame) {
  const int language = static_cast<int>(frame.language);
  const lab::Catalogue& catalogue = of_.bench.catalogue();
  const lab::Lesson* next = lab::next_lesson(of_.bench.progress(), catalogue);
  const float bottom = ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
  std::size_t number = 0;
  below_ = 0;
  const std::vector<lab::LessonsOfPart> parts = lab::by_part(catalogue);
  for (const lab::LessonsOfPart& part : parts) {
    const float top = ImGui::GetCursorPosY();
    if (part.part != nullptr || parts.size() > 1) {
      title_and_done(frame,
                     part.part != nullptr ? part.part->title[language] : frame.text(Text::LessonsOther),
                     done_words(frame, of_.bench.progress(), part.lessons), Role::Accent, frame.px(32));
      if (part.part != nullptr) popup_sentence(frame, part.part->about[language]);
    }
    for (const lab::Lesson* lesson : part.lessons) {
      const bool lit = number == choice_;
      if (draw_lesson(frame, *lesson, lesson == next, lit)) frame.post(command::OpenLesson{lesson->slug});
      // With the first lesson of a part, its heading comes into sight too.
      if (lit) sight_.keep(number, lesson == part.lessons.front() ? top : 1e9f);
      if (ImGui::GetItemRectMax().y > bottom + 1) ++below_;
      ++number;
    }
    ImGui::Dummy({1, frame.px(8)});
  }
  popup_sentence(frame, frame.text(Text::LessonsLevels));
  for (const lab::Problem& problem : catalogue.problems)
    popup_sentence(frame, problem.in(frame.language), Role::Bad);
}

void LessonList::draw(Frame& frame, float most_height) {
  const lab::Catalogue& catalogue = of_.bench.catalogue();
  const float tall = frame.px(28), between = ImGui::GetStyle().ItemSpacing.y;
  const std::vector<const lab::Lesson*> lessons = in_order(catalogue);
  title_and_done(frame, frame.text(Text::LessonsHeading), done_words(frame, of_.bench.progress(), lessons),
                 Role::Muted, tall);
  if (lessons.empty()) popup_sentence(frame, frame.text(Text::LessonsNone, {"lessons/"}), Role::Text);
  const float width = ImGui::GetContentRegionAvail().x;
  const float more = button_size(frame, frame.text(Text::LessonsTop)).y;
  // Heading, button and hint stay where they are; the popup has its padding above and below.
  const float room = most_height - 2 * tall - more - 4 * between - frame.px(24);
  const bool scrolls = height_ > room || height_ == 0;  // at first it is not known
  const float height = std::max(frame.px(60), scrolls ? room : height_);
  compat::begin_child("list", {width, height}, false, 0);
  if (scroll_to_) ImGui::SetScrollY(*std::exchange(scroll_to_, std::nullopt));
  draw_parts(frame);
  const float scroll = ImGui::GetScrollY(), whole = ImGui::GetCursorPosY();
  compat::end_child();
  if (std::exchange(height_, whole) != whole) frame.animate();
  if (new_ > 0) {
    --new_;
    sight_.forget();  // look for the choice again, now that more is known
    frame.animate();
  }
  if (scrolls) {
    const bool end = below_ == 0;
    const std::string words = end ? std::string(frame.text(Text::LessonsTop))
                                  : frame.text(Text::LessonsBelow, {std::to_string(below_)});
    if (button(frame, "more lessons", words, {.style = ButtonStyle::Ghost, .width = width}))
      scroll_to_ = end ? 0 : scroll + height * 0.8f;
  }
  const ImVec2 foot = ImGui::GetCursorScreenPos();
  popup_heading(frame, frame.text(Text::LessonsHint));
  const ButtonOptions small{.style = ButtonStyle::Ghost, .size = Size::Small};
  const std::string_view teacher = frame.text(Text::TeachPageButton);
  ImGui::SetCursorScreenPos({foot.x + width - button_size(frame, teacher, small).x, foot.y + frame.px(1)});
  if (button(frame, "for the teacher", teacher, small)) frame.post(command::Toggle{PopupName::Teaching});
}

}  // namespace

std::unique_ptr<Popup> make_lesson_list(const PopupContext& of) {
  return std::make_unique<LessonList>(of);
}

}  // namespace gui
