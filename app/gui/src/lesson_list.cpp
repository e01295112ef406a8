// SPDX-License-Identifier: MIT
// The list of lessons: the parts of the course, what is done in each, and the lesson that comes next. Part of
// Shell.
//
// The list scrolls between its heading and a button that says how many lessons follow. One cursor moves
// through it, in the order of the parts.
#include <algorithm>
#include <utility>

#include "imgui_compat.hpp"
#include "lab/progress.hpp"
#include "lesson_note.hpp"
#include "popups.hpp"
#include "shell.hpp"
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

}  // namespace

void Shell::choose_open_lesson() {
  lessons_height_ = 0;
  lessons_new_ = 3;
  const std::vector<const lab::Lesson*> lessons = in_order(bench_.catalogue());
  for (std::size_t i = 0; i < lessons.size(); ++i)
    if (bench_.lesson() != nullptr && lessons[i]->slug == bench_.lesson()->slug) lesson_choice_ = i;
}

bool Shell::lessons_take(const KeyPress& press) {
  const std::vector<const lab::Lesson*> lessons = in_order(bench_.catalogue());
  if (lessons.empty()) return false;
  if (walk(press.key, lesson_choice_, lessons.size())) return true;
  if (press.key != Key::Enter) return false;
  open_lesson(lessons[std::min(lesson_choice_, lessons.size() - 1)]->slug);
  if (popup_ == Popup::None) selection_.focus = selection_.focus_wanted = "notes";  // to be read next
  return true;
}

void Shell::open_lesson(const std::string& slug) {
  popup_ = Popup::None;
  leave_for([this, slug] {
    bench_.open_lesson(slug);
    settings_.lesson = slug;
  });
}

// One lesson: number and title, its level and minutes, why it is worth the time, and what was achieved.
bool Shell::draw_lesson(Frame& frame, const lab::Lesson& lesson, bool next, bool lit) {
  const int language = static_cast<int>(language_);
  const std::string label =
      (lesson.number < 10 ? "0" : "") + std::to_string(lesson.number) + "   " + lesson.title[language];
  std::string second;
  if (lesson.level) second += std::string(frame.text(lab::word_for(*lesson.level))) + " · ";
  if (lesson.minutes > 0)
    second += frame.text(Text::LessonsMinutes, {std::to_string(lesson.minutes)}) + " · ";
  second += lesson.why[language].empty() ? lesson.summary[language] : lesson.why[language];
  const LessonNote note = note_on(bench_.progress(), lesson, next, language_);
  const PopupChoice how{.lit = lit,
                        .done = lab::is_done(bench_.progress(), lesson),
                        .open = bench_.lesson() != nullptr && bench_.lesson()->slug == lesson.slug,
                        .note = note.words,
                        .note_role = note.role};
  return popup_choice(frame, ("lesson " + lesson.slug).c_str(), label, second, how);
}

void Shell::draw_lessons_of_parts(Frame& frame) {
  const int language = static_cast<int>(language_);
  const lab::Catalogue& catalogue = bench_.catalogue();
  const lab::Lesson* next = lab::next_lesson(bench_.progress(), catalogue);
  const float bottom = ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
  std::size_t number = 0;
  lessons_below_ = 0;
  const std::vector<lab::LessonsOfPart> parts = lab::by_part(catalogue);
  std::string chosen;
  for (const lab::LessonsOfPart& part : parts) {
    const float top = ImGui::GetCursorPosY();
    if (part.part != nullptr || parts.size() > 1) {
      title_and_done(frame,
                     part.part != nullptr ? part.part->title[language] : frame.text(Text::LessonsOther),
                     done_words(frame, bench_.progress(), part.lessons), Role::Accent, frame.px(32));
      if (part.part != nullptr) popup_sentence(frame, part.part->about[language]);
    }
    for (const lab::Lesson* lesson : part.lessons) {
      const bool lit = number == lesson_choice_;
      if (draw_lesson(frame, *lesson, lesson == next, lit)) chosen = lesson->slug;
      // With the first lesson of a part, its heading comes into sight too.
      if (lit) keep_choice_in_sight(number, lesson == part.lessons.front() ? top : 1e9f);
      if (ImGui::GetItemRectMax().y > bottom + 1) ++lessons_below_;
      ++number;
    }
    ImGui::Dummy({1, frame.px(8)});
  }
  popup_sentence(frame, frame.text(Text::LessonsLevels));
  for (const lab::Problem& problem : catalogue.problems)
    popup_sentence(frame, problem.in(language_), Role::Bad);
  if (!chosen.empty()) open_lesson(chosen);
}

void Shell::draw_lessons(Frame& frame, float most_height) {
  const lab::Catalogue& catalogue = bench_.catalogue();
  const float tall = frame.px(28), between = ImGui::GetStyle().ItemSpacing.y;
  const std::vector<const lab::Lesson*> lessons = in_order(catalogue);
  title_and_done(frame, frame.text(Text::LessonsHeading), done_words(frame, bench_.progress(), lessons),
                 Role::Muted, tall);
  if (lessons.empty()) popup_sentence(frame, frame.text(Text::LessonsNone, {"lessons/"}), Role::Text);
  const float width = ImGui::GetContentRegionAvail().x;
  const float more = button_size(frame, frame.text(Text::LessonsTop)).y;
  // Heading, button and hint stay where they are; the popup has its padding above and below.
  const float room = most_height - 2 * tall - more - 4 * between - frame.px(24);
  const bool scrolls = lessons_height_ > room || lessons_height_ == 0;  // at first it is not known
  const float height = std::max(frame.px(60), scrolls ? room : lessons_height_);
  compat::begin_child("list", {width, height}, false, ImGuiWindowFlags_NoNavInputs);
  if (lessons_to_) ImGui::SetScrollY(*std::exchange(lessons_to_, std::nullopt));
  draw_lessons_of_parts(frame);
  const float scroll = ImGui::GetScrollY(), whole = ImGui::GetCursorPosY();
  compat::end_child();
  if (std::exchange(lessons_height_, whole) != whole) frame.animate();
  if (lessons_new_ > 0) {
    --lessons_new_;
    choice_in_sight_ = lessons.size();  // look for the choice again, now that more is known
    frame.animate();
  }
  if (scrolls) {
    const bool end = lessons_below_ == 0;
    const std::string words = end ? std::string(frame.text(Text::LessonsTop))
                                  : frame.text(Text::LessonsBelow, {std::to_string(lessons_below_)});
    if (button(frame, "more lessons", words, {.style = ButtonStyle::Ghost, .width = width}))
      lessons_to_ = end ? 0 : scroll + height * 0.8f;
  }
  const ImVec2 foot = ImGui::GetCursorScreenPos();
  popup_heading(frame, frame.text(Text::LessonsHint));
  const ButtonOptions small{.style = ButtonStyle::Ghost, .size = Size::Small};
  const std::string_view teacher = frame.text(Text::TeachPageButton);
  ImGui::SetCursorScreenPos({foot.x + width - button_size(frame, teacher, small).x, foot.y + frame.px(1)});
  if (button(frame, "for the teacher", teacher, small)) toggle(Popup::Teaching);
}

}  // namespace gui
