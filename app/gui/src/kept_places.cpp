// SPDX-License-Identifier: MIT
// See kept_places.hpp.
#include "kept_places.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace gui {

void KeptPlaces::return_to(lab::Workbench& bench, const lab::Settings& settings, Pages& pages,
                           Selection& selection, std::vector<Command>& commands) {
  const lab::Lesson* lesson = bench.lesson();
  if (lesson == nullptr || bench.read_only()) return;
  const bool with_run = std::exchange(bring_back_run_, false);
  const auto found = settings.places.find(lesson->slug);
  if (found == settings.places.end()) return pages.show(Tab::Notes);
  const lab::Settings::Place place = found->second;
  if (lab::exercise_named(bench.exercises(), place.exercise) != nullptr) {
    bench.choose_exercise(place.exercise);
    bench.enter_exercise(true);
    pages.show_exercise(true);
  }
  for (const auto& [file, lines] : place.breakpoints)
    for (const int line : lines)
      if (!bench.breakpoints(file).contains(line)) bench.toggle_breakpoint(file, line);
  const std::vector<std::string>& files = bench.files();
  if (place.line > 0 && std::find(files.begin(), files.end(), place.file) != files.end())
    commands.emplace_back(command::ShowSource{place.file, place.line});
  if (const auto tab = tab_named(place.tab)) pages.show(*tab);
  if (selection.focus_wanted == "notes" && pages.arrangement() != Arrangement::Wide)
    selection.focus = selection.focus_wanted = name_of(pages.tab());
  commands.emplace_back(command::ScrollToStep{place.step});
  if (with_run)
    bench.bring_back_run(place.call < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(place.call)));
}

void KeptPlaces::remember(const lab::Workbench& bench, lab::Settings& settings, const Pages& pages,
                          const Selection& selection) {
  const lab::Lesson* lesson = bench.lesson();
  if (lesson == nullptr || bench.read_only()) return;
  lab::Settings::Place place;
  // What is not shown now stays as it was.
  if (const auto before = settings.places.find(lesson->slug); before != settings.places.end())
    place.file = before->second.file, place.line = before->second.line, place.call = before->second.call,
    place.step = before->second.step;
  if (!selection.caret.file.empty()) place.file = selection.caret.file, place.line = selection.caret.line;
  if (!selection.notes_top.empty()) place.step = selection.notes_top;
  if (bench.in_exercise()) place.exercise = bench.exercise()->name;
  place.tab = name_of(pages.tab());
  if (bench.store().calls() > 0) place.call = bench.at_end() ? -1 : static_cast<int>(bench.call_at_cursor());
  for (const std::string& file : bench.files())
    if (const auto& lines = bench.breakpoints(file); !lines.empty()) place.breakpoints[file] = lines;
  settings.places[lesson->slug] = std::move(place);
}

}  // namespace gui
