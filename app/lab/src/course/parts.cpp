// SPDX-License-Identifier: MIT
// The parts of the course: reads lessons/parts.toml strictly, and groups the lessons by part.
#include <algorithm>

#include "base/toml_reader.hpp"
#include "lab/catalogue.hpp"

namespace lab {
Result<std::vector<Part>> read_parts(const std::filesystem::path& lessons_folder) {
  std::vector<Part> parts;
  const std::filesystem::path path = lessons_folder / "parts.toml";
  const Result<toml::table> root = parse_lesson_toml(path);
  if (!root) return tl::unexpected<Problem>(root.error());
  TomlReader reader(path.string());
  reader.only(*root, {"part"});
  for (const toml::table* each : reader.tables(*root, "", "part")) {
    reader.only(*each, {"name", "title", "about"});
    Part part;
    part.name = reader.string(*each, "name");
    reader.both_languages(*each, "title", part.title);
    reader.both_languages(*each, "about", part.about);
    const auto is_it = [&part](const Part& other) { return other.name == part.name; };
    if (!part.name.empty() && std::any_of(parts.begin(), parts.end(), is_it))
      reader.fail(Text::PartTwice, TomlReader::line_of(*each->get("name")), {part.name});
    parts.push_back(std::move(part));
  }
  if (reader.mistake) return tl::unexpected<Problem>(*reader.mistake);
  return parts;
}

Text word_for(Level level) {
  switch (level) {
    case Level::Basic:
      return Text::LevelBasic;
    case Level::Core:
      return Text::LevelCore;
    case Level::Advanced:
      break;
  }
  return Text::LevelAdvanced;
}

std::vector<LessonsOfPart> by_part(const Catalogue& catalogue) {
  std::vector<LessonsOfPart> found;
  found.reserve(catalogue.parts.size() + 1);
  for (const Part& part : catalogue.parts) found.push_back({&part, {}});
  found.emplace_back();
  for (const Lesson& lesson : catalogue.lessons) {
    const auto is_its = [&lesson](const LessonsOfPart& one) {
      return one.part == nullptr || one.part->name == lesson.part;
    };
    std::find_if(found.begin(), found.end(), is_its)->lessons.push_back(&lesson);
  }
  std::erase_if(found, [](const LessonsOfPart& one) { return one.lessons.empty(); });
  return found;
}

}  // namespace lab
