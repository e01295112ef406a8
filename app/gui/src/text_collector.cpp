// SPDX-License-Identifier: MIT
// See text_collector.hpp.
#include "text_collector.hpp"

#include <algorithm>
#include <utility>

#include "lab/api_help.hpp"

namespace gui {

void TextCollector::add_lesson(const lab::Workbench& bench, const lab::Glossary& glossary,
                               lab::Language language) {
  if (std::exchange(lesson_done_, true)) return;
  fonts_.add_text("中文");  // the switch shows both languages
  for (std::size_t key = 0; key < static_cast<std::size_t>(lab::kTextCount); ++key)
    fonts_.add_text(lab::text(static_cast<lab::Text>(key), language));
  for (const lab::Lesson& lesson : bench.catalogue().lessons) {
    fonts_.add_text(lesson.title[static_cast<int>(language)]);
    fonts_.add_text(lesson.summary[static_cast<int>(language)]);
    fonts_.add_text(lesson.why[static_cast<int>(language)]);
  }
  for (const lab::Part& part : bench.catalogue().parts)
    fonts_.add_text(part.title[static_cast<int>(language)] + part.about[static_cast<int>(language)]);
  fonts_.add_text(bench.notes(language));
  for (const lab::GlossaryTerm& term : glossary.terms)
    fonts_.add_text(term.words[static_cast<int>(language)].front() +
                    term.meaning[static_cast<int>(language)]);
  fonts_.add_text(lab::all_api_help(language));
  for (const lab::Exercise& exercise : bench.exercises()) {
    fonts_.add_text(exercise.title[static_cast<int>(language)] + exercise.task[static_cast<int>(language)]);
    for (const auto& hint : exercise.hints) fonts_.add_text(hint.text[static_cast<int>(language)]);
  }
  for (const lab::QuizQuestion& question : bench.quiz()) {
    fonts_.add_text(question.text[static_cast<int>(language)]);
    for (const lab::QuizAnswer& answer : question.answers)
      fonts_.add_text(answer.text[static_cast<int>(language)] + answer.because[static_cast<int>(language)]);
  }
}

bool TextCollector::add_run(const lab::Workbench& bench, lab::Language language) {
  for (const std::string& file : bench.files()) {
    const std::string& text = bench.file_text(file);
    std::size_t& seen = file_sizes_[file];  // what is typed comes with the input as well
    if (seen != text.size()) fonts_.add_text(text);
    seen = text.size();
  }
  fonts_.add_text(bench.driver_description());
  fonts_.add_text(bench.recorded_by());
  if (const auto* build = bench.build()) fonts_.add_text(build->output);
  for (const lab::Problem& problem : bench.problems()) fonts_.add_text(problem.in(language));
  // Only events that carry text of the program's own: what it printed, its names.
  const trace::Store& store = bench.store();
  const std::size_t end = std::min(store.size(), events_ + 20'000);
  for (; events_ < end; ++events_)
    if (store.kind_at(events_) != trace::EventKind::Call) fonts_.add_text(store.at(events_).text);
  return end == store.size();
}

}  // namespace gui
