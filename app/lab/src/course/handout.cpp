// SPDX-License-Identifier: MIT
// See handout.hpp. The notes' form is that of every lesson: the opening, the steps between comments
// `<!-- step: NAME -->` and `<!-- end of steps -->`, and the recap as the first section after them.
#include "lab/handout.hpp"

#include <vector>

#include <fmt/format.h>
#include <md4c-html.h>

#include "base/lines.hpp"
#include "base/markup.hpp"
#include "lab/exercise.hpp"
#include "lab/files.hpp"
#include "lab/quiz.hpp"

namespace lab {
namespace {

// What a page leaves empty is lined, to write on.
constexpr std::string_view kLinedRoom = "<div class=\"room\"></div>\n</section>\n";
constexpr std::string_view kStyle = R"(@page { size: A4; margin: 13mm }
body { font: 10pt/1.4 Inter, "Noto Sans", "Noto Sans CJK SC", sans-serif; max-width: 184mm; margin: 0 auto; color: #111 }
section { break-after: page; display: flex; flex-direction: column; height: 268mm } section:last-child { break-after: auto }
h1 { font-size: 19pt; margin: 0 0 2mm } h2 { font-size: 12.5pt; margin: 5mm 0 1.5mm } p { margin: 1.5mm 0 }
ul, ol { margin: 1mm 0; padding-left: 6mm } li { margin: 0.8mm 0 } li p { margin: 0 }
code { font: 0.92em "JetBrains Mono", "Noto Sans Mono", monospace } a { color: inherit }
.figures { display: flex; flex-wrap: wrap; gap: 4mm } figure { margin: 0; max-width: 88mm }
figure img { max-width: 100%; max-height: 52mm; display: block } figcaption { font-size: 9.5pt; color: #444 }
.steps { columns: 2; column-gap: 8mm } .answers { list-style: none; padding-left: 4mm } .answers p { display: inline }
.question { break-inside: avoid } .question > p, .answer > p:first-child { font-weight: bold }
.room { flex: 1; min-height: 0; margin-top: 3mm; print-color-adjust: exact;
  background: repeating-linear-gradient(transparent 0 7.8mm, #bbb 7.8mm 8mm) } .small { font-size: 9.5pt; color: #444 }
)";

// The notes' comments mark steps and proofs; raw HTML stays text.
std::string as_html(std::string_view markdown) {
  std::string plain;
  for (std::size_t at = 0; at < markdown.size();) {
    const std::size_t comment = markdown.find("<!--", at);
    plain += markdown.substr(at, comment - at);
    if (comment == std::string_view::npos) break;
    const std::size_t end = markdown.find("-->", comment);
    if (end == std::string_view::npos) break;
    at = end + 3;
  }
  std::string html;
  const auto append = [](const MD_CHAR* text, MD_SIZE size, void* into) {
    static_cast<std::string*>(into)->append(text, size);
  };
  md_html(plain.data(), static_cast<MD_SIZE>(plain.size()), append, &html, MD_FLAG_NOHTML | MD_FLAG_TABLES,
          0);
  return html;
}

struct NotesParts {
  std::string_view opening, steps, recap;  // views into the notes
};

NotesParts parts_of(std::string_view notes) {
  constexpr std::string_view kEnd = "<!-- end of steps -->";
  NotesParts parts;
  const std::size_t first = std::min(notes.find("<!-- step: "), notes.size());
  const std::size_t end = std::min(notes.find(kEnd), notes.size());
  parts.opening = notes.substr(0, first);
  parts.steps = notes.substr(first, end > first ? end - first : 0);
  if (end == notes.size()) return parts;
  const std::string_view after = notes.substr(end + kEnd.size());
  const std::size_t heading = after.find("## ");
  if (heading == std::string_view::npos) return parts;
  parts.recap = after.substr(heading, after.find("\n## ", heading) - heading);
  return parts;
}

std::string list_of_steps(std::string_view steps) {
  std::string out = "<ol class=\"steps\">\n";
  for (const std::string_view line : lines_in(steps))
    if (line.substr(0, 3) == "## ") out += "<li>" + as_html(line.substr(3)) + "</li>\n";
  return out + "</ol>\n";
}

// As an image, so that nothing in it can take effect on the page.
std::string image(const std::string& svg) {
  std::string out = "data:image/svg+xml,";
  for (const char letter : svg) {
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9');
    out += plain ? std::string(1, letter) : fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  }
  return out;
}

// Lines `![caption](figures/NAME.svg)` of the notes.
Result<std::string> figures_of(const Lesson& lesson, std::string_view notes) {
  constexpr std::uint64_t kMostBytes = 1 << 20;
  std::string out;
  for (const std::string_view line : lines_in(notes)) {
    const std::size_t link = line.find("](figures/");
    if (line.substr(0, 2) != "![" || link == std::string_view::npos || line.back() != ')') continue;
    const std::string_view name = line.substr(link + 10, line.size() - link - 11);
    if (name.find('/') != std::string_view::npos) continue;
    const Result<std::string> svg = read_file(lesson.folder / "figures" / name, kMostBytes);
    if (!svg) return tl::unexpected<Problem>(svg.error());
    const std::string caption = as_markup(line.substr(2, link - 2));
    out += fmt::format("<figure><img alt=\"{0}\" src=\"{1}\"><figcaption>{0}</figcaption></figure>\n",
                       caption, image(*svg));
  }
  return out.empty() ? out : "<div class=\"figures\">\n" + out + "</div>\n";
}

std::string questions_of(const std::vector<QuizQuestion>& quiz, std::size_t language) {
  std::string out;
  for (const QuizQuestion& question : quiz) {
    out += "<div class=\"question\">" + as_html(question.text[language]) + "<ul class=\"answers\">\n";
    for (const QuizAnswer& answer : question.answers)
      out += "<li>☐ " + as_html(answer.text[language]) + "</li>\n";
    out += "</ul></div>\n";
  }
  return out;
}

std::string answers_of(const std::vector<QuizQuestion>& quiz, std::size_t language) {
  std::string out = "<ol>\n";
  for (const QuizQuestion& question : quiz)
    for (const QuizAnswer& answer : question.answers)
      if (answer.right)
        out += "<li class=\"answer\">" + as_html(answer.text[language]) + as_html(answer.because[language]) +
               "</li>\n";
  return out + "</ol>\n";
}

std::string heading(Text key, Language language) {
  return "<h2>" + as_markup(text(key, language)) + "</h2>\n";
}

// The task of the first one; the others by name: two pages have no room for theirs.
std::string exercises_of(const Lesson& lesson, const std::vector<Exercise>& exercises, Language language) {
  if (exercises.empty()) return "";
  const auto index = static_cast<std::size_t>(language);
  std::string small = text(Text::HandoutCheck, language, {lesson_number(lesson.number)});
  for (std::size_t i = 1; i < exercises.size(); ++i)
    small +=
        "\n- " + text(Text::HandoutOther, language,
                      {exercises[i].title[index], std::string(text(words_of(exercises[i].grade), language)),
                       lesson_number(lesson.number) + " " + exercises[i].name});
  return heading(Text::HandoutExercise, language) + "<p>" + as_markup(exercises.front().task[index]) +
         "</p>\n" + "<div class=\"small\">" + as_html(small) + "</div>\n";
}

}  // namespace

Result<std::string> handout(const Lesson& lesson, Language language, bool with_answers) {
  const auto index = static_cast<std::size_t>(language);
  const Result<std::string> notes = read_file(lesson.notes(language));
  if (!notes) return tl::unexpected<Problem>(notes.error());
  const Result<std::string> figures = figures_of(lesson, *notes);
  if (!figures) return tl::unexpected<Problem>(figures.error());
  const auto quiz = read_quiz(lesson);
  if (!quiz) return tl::unexpected<Problem>(quiz.error());
  const auto exercises = read_exercises(lesson);
  if (!exercises) return tl::unexpected<Problem>(exercises.error());

  const NotesParts parts = parts_of(*notes);
  const std::string title = lesson_number(lesson.number) + " " + lesson.title[index];
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"{}\">\n<head><meta charset=\"utf-8\"><title>{}</title>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
      "'unsafe-inline'\">\n<style>{}</style></head>\n<body>\n",
      language == Language::English ? "en" : "zh-Hans", as_markup(title), kStyle);
  out += "<section>\n" + as_html(parts.opening) + *figures;
  out += kLinedRoom;
  out += "<section>\n" + heading(Text::HandoutSteps, language) + list_of_steps(parts.steps) +
         as_html(parts.recap);
  if (!quiz->empty()) out += heading(Text::QuizTitle, language) + questions_of(*quiz, index);
  out += exercises_of(lesson, *exercises, language);
  out += kLinedRoom;
  if (with_answers && !quiz->empty())
    out +=
        "<section>\n" + heading(Text::HandoutAnswers, language) + answers_of(*quiz, index) + "</section>\n";
  return out + "</body>\n</html>\n";
}

}  // namespace lab
