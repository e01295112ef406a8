// SPDX-License-Identifier: MIT
// Reads lessons/NN_slug/lesson.toml strictly: an unknown key, a wrong type or a missing field is a Problem
// with file, line and what was expected; the other lessons are read all the same. exercise_reader.cpp reads
// the tables [[exercise]], parts.cpp the parts of the course.
#include "lab/catalogue.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "base/toml_reader.hpp"
#include "course/exercise_reader.hpp"
#include "lab/files.hpp"

namespace lab {
namespace {

// "04_stack" -> 4, "stack"
std::optional<std::pair<int, std::string>> split_folder_name(const std::string& name) {
  const auto underscore = name.find('_');
  if (underscore == 0 || underscore == std::string::npos || underscore + 1 == name.size())
    return std::nullopt;
  int number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + underscore, number);
  if (error != std::errc{} || end != name.data() + underscore || number < 0) return std::nullopt;
  return std::pair{number, name.substr(underscore + 1)};
}

bool names_lesson(std::string_view name, int number, const std::string& slug,
                  const std::string& folder_name) {
  if (name == slug || name == folder_name) return true;
  int asked = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), asked);
  return error == std::errc{} && end == name.data() + name.size() && asked == number;
}

bool stays_inside(const std::filesystem::path& path) {
  return !path.empty() && path.is_relative() &&
         std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
}

// Of one list. Each source is a file to read, watch and compile.
constexpr std::size_t kMostNames = 256;

// What lesson.toml has besides: keys of the file itself, with what is expected of each, and files of the
// lesson's folder.
class LessonReader : public TomlReader {
 public:
  LessonReader(const std::filesystem::path& path, const toml::table& root)
      : TomlReader(path.string()), root_(root) {}

  const toml::table* table(std::string_view name, bool required, const std::string& expected) {
    const toml::node* node = root_.get(name);
    if (node == nullptr) {
      if (required) wrong(Text::LessonTomlMissingKey, 1, name, expected);
      return nullptr;
    }
    if (!node->is_table()) wrong(Text::LessonTomlWrongType, line_of(*node), name, expected);
    return node->as_table();
  }
  void both_languages(std::string_view name, bool required, std::string (&into)[2]) {
    const std::string expected = "[" + std::string(name) + "] en = \"…\" zh = \"…\"";
    const toml::table* pair = table(name, required, expected);
    if (pair == nullptr) return;
    only(*pair, {"en", "zh"});
    const std::string_view languages[2] = {"en", "zh"};
    for (int i = 0; i < 2; ++i) {
      const std::string full = std::string(name) + "." + std::string(languages[i]);
      const toml::node* node = pair->get(languages[i]);
      if (node == nullptr) {
        wrong(Text::LessonTomlMissingKey, line_of(*pair), full, expected);
      } else if (!node->is_string() || node->as_string()->get().empty()) {
        wrong(Text::LessonTomlWrongType, line_of(*node), full, expected);
      } else {
        into[i] = node->as_string()->get();
      }
    }
  }
  struct Named {
    std::string text;
    std::size_t line;
  };
  std::vector<Named> names(std::string_view name, bool required, const std::string& expected) {
    return names_in(root_, {}, name, required, expected);
  }
  // The same of a table that is called `of`, "" for the file itself.
  std::vector<Named> names_in(const toml::table& in, std::string_view of, std::string_view name,
                              bool required, const std::string& expected) {
    std::vector<Named> found;
    const std::string full = of.empty() ? std::string(name) : std::string(of) + "." + std::string(name);
    const toml::node* node = in.get(name);
    if (node == nullptr) {
      if (required) wrong(Text::LessonTomlMissingKey, of.empty() ? 1 : line_of(in), full, expected);
      return found;
    }
    const toml::array* array = node->as_array();
    if (array == nullptr || (required && array->empty())) {
      wrong(Text::LessonTomlWrongType, line_of(*node), full, expected);
      return found;
    }
    if (array->size() > kMostNames) {
      fail(Text::LessonTomlTooMany, line_of(*node),
           {full, std::to_string(array->size()), std::to_string(kMostNames)});
      return found;
    }
    for (const toml::node& element : *array) {
      if (element.is_string())
        found.push_back({element.as_string()->get(), line_of(element)});
      else
        wrong(Text::LessonTomlWrongType, line_of(element), full, expected);
    }
    return found;
  }
  // The one string of a key; the key must be there.
  Named name_in(const toml::table& in, std::string_view of, std::string_view name,
                const std::string& expected) {
    const std::string full = std::string(of) + "." + std::string(name);
    const toml::node* node = in.get(name);
    if (node == nullptr) return wrong(Text::LessonTomlMissingKey, line_of(in), full, expected), Named{"", 1};
    if (!node->is_string()) wrong(Text::LessonTomlWrongType, line_of(*node), full, expected);
    return {node->value_or(std::string()), line_of(*node)};
  }
  // The tables of [[name]]; none where it is absent.
  std::vector<const toml::table*> tables(std::string_view name, const std::string& expected) {
    std::vector<const toml::table*> found;
    const toml::node* node = root_.get(name);
    if (node == nullptr) return found;
    const toml::array* array = node->as_array();
    if (array == nullptr || !array->is_homogeneous(toml::node_type::table)) {
      wrong(Text::LessonTomlWrongType, line_of(*node), name, expected);
      return found;
    }
    for (const toml::node& element : *array) found.push_back(element.as_table());
    return found;
  }
  // A file of the lesson's folder, with one of the allowed endings.
  void file_of(const std::filesystem::path& folder, const Named& named, std::string_view ending,
               std::string_view key, const std::string& expected) {
    const std::filesystem::path path = named.text;
    std::error_code ignored;
    if (!stays_inside(path) || path.extension() != ending)
      wrong(Text::LessonTomlWrongType, named.line, key, expected);
    else if (!std::filesystem::is_regular_file(folder / path, ignored))
      fail(Text::LessonSourceMissing, named.line, {named.text});
  }
  std::optional<double> positive(const toml::table& table, std::string_view name, double most,
                                 const std::string& expected) {
    const toml::node* node = table.get(name);
    if (node == nullptr) return std::nullopt;
    const std::optional<double> value = node->is_number() ? node->value<double>() : std::nullopt;
    if (value && *value > 0 && *value <= most) return value;
    wrong(Text::LessonTomlWrongType, line_of(*node), "limits." + std::string(name), expected);
    return std::nullopt;
  }
  // A key of the file that need not be there; `good` says whether the value is possible.
  template <class Value, class Good>
  std::optional<Value> optional(std::string_view name, const std::string& expected, Good good) {
    const toml::node* node = root_.get(name);
    if (node == nullptr) return std::nullopt;
    auto value = node->value_exact<Value>();
    if (value && good(*value)) return value;
    wrong(Text::LessonTomlWrongType, line_of(*node), name, expected);
    return std::nullopt;
  }

 private:
  const toml::table& root_;
};

constexpr const char* kLimits = "[limits] seconds = 30 memory_mib = 2048 output_mib = 8";

void read_limits(LessonReader& reader, Limits& limits) {
  const toml::table* table = reader.table("limits", false, kLimits);
  if (table == nullptr) return;
  reader.only(*table, {"seconds", "memory_mib", "output_mib"});
  constexpr double kMiB = 1 << 20;
  if (const auto v = reader.positive(*table, "seconds", 3600, "seconds = 30 (≤ 3600)")) limits.seconds = *v;
  if (const auto v = reader.positive(*table, "memory_mib", 1 << 20, "memory_mib = 2048 (≤ 1048576)"))
    limits.memory_bytes = static_cast<std::uint64_t>(*v * kMiB);
  if (const auto v = reader.positive(*table, "output_mib", 1024, "output_mib = 8 (≤ 1024)"))
    limits.output_bytes = static_cast<std::uint64_t>(*v * kMiB);
}

void read_sources(LessonReader& reader, Lesson& lesson) {
  constexpr const char* kExpected = "sources = [\"main.cpp\"]";
  for (auto& [name, line] : reader.names("sources", true, kExpected)) {
    std::error_code ignored;
    if (!stays_inside(name))
      reader.wrong(Text::LessonTomlWrongType, line, "sources", kExpected);
    else if (!std::filesystem::is_regular_file(lesson.folder / name, ignored))
      reader.fail(Text::LessonSourceMissing, line, {name});
    lesson.sources.push_back(std::move(name));
  }
}

bool is_kernel_source(const std::string& name) {
  return std::filesystem::path(name).extension() == ".cu";
}

// A .cu file needs the runtime library whether the lesson says so or not.
void read_libraries(LessonReader& reader, Lesson& lesson) {
  constexpr const char* kExpected = "libraries = [\"cudart\", \"nvrtc\"]";
  for (auto& [name, line] : reader.names("libraries", false, kExpected)) {
    const bool twice =
        std::find(lesson.libraries.begin(), lesson.libraries.end(), name) != lesson.libraries.end();
    if (twice || (name != "cudart" && name != "nvrtc"))
      reader.wrong(Text::LessonTomlWrongType, line, "libraries", kExpected);
    lesson.libraries.push_back(std::move(name));
  }
  const bool named =
      std::find(lesson.libraries.begin(), lesson.libraries.end(), "cudart") != lesson.libraries.end();
  if (!named && std::any_of(lesson.sources.begin(), lesson.sources.end(), is_kernel_source))
    lesson.libraries.emplace_back("cudart");
}

// Two kernels with the same name would be written to one file.
void read_kernels(LessonReader& reader, Lesson& lesson) {
  constexpr const char* kExpected = "kernels = [\"NAME.cu\", \"OTHER.ptx\"]";
  std::set<std::filesystem::path> made;
  for (auto& [name, line] : reader.names("kernels", false, kExpected)) {
    const std::filesystem::path path = name;
    const bool known = path.extension() == ".cu" || path.extension() == ".ptx";
    std::error_code ignored;
    if (!known || !stays_inside(path) || !made.insert(path.stem()).second)
      reader.wrong(Text::LessonTomlWrongType, line, "kernels", kExpected);
    else if (!std::filesystem::is_regular_file(lesson.folder / path, ignored))
      reader.fail(Text::LessonSourceMissing, line, {name});
    lesson.kernels.push_back(std::move(name));
  }
}

bool is_library_name(const std::string& name) {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
  return plain && name != "cuda" && name != "cudart" && name != "nvrtc";
}

void read_own_libraries(LessonReader& reader, Lesson& lesson) {
  constexpr const char* kExpected = "[[library]] name = \"NAME\" sources = [\"NAME.c\"] header = \"NAME.h\"";
  for (const toml::table* table : reader.tables("library", kExpected)) {
    reader.only(*table, {"name", "sources", "header"});
    OwnLibrary library;
    const auto name = reader.name_in(*table, "library", "name", kExpected);
    const auto is_taken = [&name](const OwnLibrary& other) { return other.name == name.text; };
    if (!is_library_name(name.text) ||
        std::any_of(lesson.own_libraries.begin(), lesson.own_libraries.end(), is_taken))
      reader.wrong(Text::LessonTomlWrongType, name.line, "library.name", kExpected);
    for (const auto& source : reader.names_in(*table, "library", "sources", true, kExpected)) {
      reader.file_of(lesson.folder, source, ".c", "library.sources", kExpected);
      library.sources.push_back(source.text);
    }
    const auto header = reader.name_in(*table, "library", "header", kExpected);
    reader.file_of(lesson.folder, header, ".h", "library.header", kExpected);
    library.name = name.text;
    library.header = header.text;
    lesson.own_libraries.push_back(std::move(library));
  }
}

// What a lesson's part and needs may name. A lesson that is read alone knows none of it.
struct Course {
  const std::vector<Part>* parts = nullptr;  // null: parts.toml cannot be read, or there is none
  std::map<std::string, int> numbers;        // of the lessons, by slug
};

std::optional<Level> level_of(std::string_view name) {
  if (name == "basic") return Level::Basic;
  if (name == "core") return Level::Core;
  if (name == "advanced") return Level::Advanced;
  return std::nullopt;
}

void read_place(LessonReader& reader, const Course* course, Lesson& lesson) {
  constexpr int kMostMinutes = 600;
  std::vector<std::string> parts;
  if (course != nullptr && course->parts != nullptr)
    for (const Part& part : *course->parts) parts.push_back("\"" + part.name + "\"");
  const auto is_part = [&parts](const std::string& name) {
    return !name.empty() &&
           (parts.empty() || std::find(parts.begin(), parts.end(), "\"" + name + "\"") != parts.end());
  };
  const std::string possible = parts.empty() ? "\"…\"" : fmt::format("{}", fmt::join(parts, " | "));
  lesson.part = reader.optional<std::string>("part", "part = " + possible, is_part).value_or("");
  const auto level = reader.optional<std::string>("level", "level = \"basic\" | \"core\" | \"advanced\"",
                                                  [](const std::string& name) { return level_of(name); });
  if (level) lesson.level = level_of(*level);
  const auto minutes =
      reader.optional<std::int64_t>("minutes", fmt::format("minutes = 1 … {}", kMostMinutes),
                                    [](std::int64_t value) { return value > 0 && value <= kMostMinutes; });
  lesson.minutes = static_cast<int>(minutes.value_or(0));
  for (auto& [slug, line] : reader.names("needs", false, "needs = [\"context_stack\"]")) {
    const auto found =
        course == nullptr ? std::map<std::string, int>::const_iterator() : course->numbers.find(slug);
    if (course != nullptr && (found == course->numbers.end() || found->second >= lesson.number))
      reader.fail(Text::LessonNeedsNoEarlier, line, {slug});
    lesson.needs.push_back(std::move(slug));
  }
  reader.both_languages("why", false, lesson.why);
}

// Which folder a problem of read_lesson() is about.
std::string folder_of(const Problem& problem) {
  return problem.values.empty() ? ""
                                : std::filesystem::path(problem.values[0]).parent_path().filename().string();
}

Result<Lesson> read_lesson_of(const Course* course, const std::filesystem::path& folder);

}  // namespace

std::string slug_of(std::string_view folder_name) {
  const std::string name(folder_name);
  const auto split = split_folder_name(name);
  return split ? split->second : name;
}

std::string lesson_number(int number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

std::filesystem::path Lesson::notes(Language language) const {
  return folder / (language == Language::Chinese ? "notes.zh.md" : "notes.md");
}

std::filesystem::path Lesson::words() const {
  return folder / "words.zh.toml";
}

std::vector<std::string> Lesson::files() const {
  std::vector<std::string> all = sources;
  all.insert(all.end(), kernels.begin(), kernels.end());
  for (const OwnLibrary& library : own_libraries) {
    all.insert(all.end(), library.sources.begin(), library.sources.end());
    all.push_back(library.header);
  }
  return all;
}

Result<Lesson> read_lesson(const std::filesystem::path& folder) {
  return read_lesson_of(nullptr, folder);
}

namespace {

Result<Lesson> read_lesson_of(const Course* course, const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "lesson.toml";
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return problem(Text::LessonTomlMissing, {path.string()});
  const Result<toml::table> parsed = parse_lesson_toml(path);
  if (!parsed) return tl::unexpected<Problem>(parsed.error());
  const toml::table& root = *parsed;
  Lesson lesson;
  lesson.folder = folder;
  const std::string folder_name = folder.filename().string();
  if (auto split = split_folder_name(folder_name))
    std::tie(lesson.number, lesson.slug) = std::move(*split);
  else
    lesson.slug = folder_name;

  LessonReader reader(path, root);
  reader.only(root, {"title", "summary", "part", "level", "minutes", "needs", "why", "sources", "libraries",
                     "library", "kernels", "teaches", "documents", "limits", "exercise"});
  reader.both_languages("title", true, lesson.title);
  reader.both_languages("summary", true, lesson.summary);
  read_place(reader, course, lesson);
  read_sources(reader, lesson);
  read_libraries(reader, lesson);
  read_kernels(reader, lesson);
  read_own_libraries(reader, lesson);
  for (auto& entry : reader.names("teaches", false, "teaches = [\"cuInit\"]"))
    lesson.teaches.push_back(std::move(entry.text));
  for (auto& entry : reader.names("documents", false, "documents = [\"4\"]"))
    lesson.documents.push_back(std::move(entry.text));
  read_limits(reader, lesson.limits);
  lesson.exercises = names_of_exercises(root);
  if (reader.mistake) return tl::unexpected<Problem>(*reader.mistake);
  return lesson;
}

}  // namespace

Catalogue read_catalogue(const std::filesystem::path& lessons_folder) {
  Catalogue catalogue;
  catalogue.home = lessons_folder;
  std::error_code error;
  std::set<std::filesystem::path> folders;
  for (auto entry = std::filesystem::directory_iterator(lessons_folder, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_directory(ignored) && split_folder_name(entry->path().filename().string()))
      folders.insert(entry->path());
  }
  if (error)
    catalogue.problems.push_back({Text::LessonsFolderUnreadable, {lessons_folder.string(), error.message()}});
  Course course;
  if (auto parts = read_parts(lessons_folder))
    catalogue.parts = std::move(*parts);
  else
    catalogue.problems.push_back(parts.error());
  if (!catalogue.parts.empty()) course.parts = &catalogue.parts;
  for (const auto& folder : folders) {
    const auto split = split_folder_name(folder.filename().string());
    course.numbers.emplace(split->second, split->first);
  }
  std::map<int, std::string> numbers;
  std::map<std::string, std::string> slugs;
  for (const auto& folder : folders) {
    Result<Lesson> lesson = read_lesson_of(&course, folder);
    if (!lesson) {
      catalogue.problems.push_back(lesson.error());
      continue;
    }
    const std::string name = folder.filename().string(), file = (folder / "lesson.toml").string();
    const auto [number, new_number] = numbers.emplace(lesson->number, name);
    const auto [slug, new_slug] = slugs.emplace(lesson->slug, name);
    if (!new_number)
      catalogue.problems.push_back(
          {Text::LessonNumberTwice, {file, std::to_string(lesson->number), number->second}});
    else if (!new_slug)
      catalogue.problems.push_back({Text::LessonSlugTwice, {file, lesson->slug, slug->second}});
    else
      catalogue.lessons.push_back(std::move(*lesson));
  }
  std::sort(catalogue.lessons.begin(), catalogue.lessons.end(),
            [](const Lesson& a, const Lesson& b) { return a.number < b.number; });
  return catalogue;
}

Result<Lesson> Catalogue::find(std::string_view name) const {
  for (const Lesson& lesson : lessons)
    if (names_lesson(name, lesson.number, lesson.slug, lesson.folder.filename().string())) return lesson;
  // If a broken lesson is asked for by name, the result is its problem.
  for (const Problem& broken : problems) {
    const std::string folder = folder_of(broken);
    const auto split = split_folder_name(folder);
    if (split && names_lesson(name, split->first, split->second, folder))
      return tl::unexpected<Problem>(broken);
  }
  // Its number may have changed since the name was written down.
  if (const auto asked = split_folder_name(std::string(name))) {
    for (const Lesson& lesson : lessons)
      if (lesson.slug == asked->second) return lesson;
    for (const Problem& broken : problems) {
      const auto split = split_folder_name(folder_of(broken));
      if (split && split->second == asked->second) return tl::unexpected<Problem>(broken);
    }
  }
  return problem(Text::LessonUnknown, {std::string(name)});
}

}  // namespace lab
