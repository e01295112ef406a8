// SPDX-License-Identifier: MIT
// Reads lessons/NN_slug/lesson.toml strictly: an unknown key, a wrong type or a missing field is a Problem
// with file, line and what was expected; the other lessons are read all the same. exercise_reader.cpp reads
// the tables [[exercise]].
#include "lab/catalogue.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "exercise_reader.hpp"
#include "lab/workspace.hpp"

namespace lab {
namespace {

// "04_context_stack" -> 4, "context_stack"
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

// Reads one file's fields and keeps the first problem met. What is expected is shown as TOML, which reads the
// same in every language.
class Reader {
 public:
  Reader(std::filesystem::path path, const toml::table& root) : path_(std::move(path)), root_(root) {}

  void only(const toml::table& table, std::initializer_list<std::string_view> known) {
    for (const auto& [key, node] : table) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      std::string list;
      for (const std::string_view name : known) list += (list.empty() ? "" : ", ") + std::string(name);
      fail(Text::LessonTomlUnknownKey, key.source().begin.line, std::string(key.str()), list);
    }
  }
  const toml::table* table(std::string_view name, bool required, std::string_view expected) {
    const toml::node* node = root_.get(name);
    if (node == nullptr) {
      if (required) fail(Text::LessonTomlMissingKey, 1, std::string(name), expected);
      return nullptr;
    }
    if (!node->is_table()) fail(Text::LessonTomlWrongType, line_of(*node), std::string(name), expected);
    return node->as_table();
  }
  void both_languages(std::string_view name, std::string (&into)[2]) {
    const std::string expected = "[" + std::string(name) + "] en = \"…\" zh = \"…\"";
    const toml::table* pair = table(name, true, expected);
    if (pair == nullptr) return;
    only(*pair, {"en", "zh"});
    const std::string_view languages[2] = {"en", "zh"};
    for (int i = 0; i < 2; ++i) {
      const std::string full = std::string(name) + "." + std::string(languages[i]);
      const toml::node* node = pair->get(languages[i]);
      if (node == nullptr) {
        fail(Text::LessonTomlMissingKey, line_of(*pair), full, expected);
      } else if (!node->is_string() || node->as_string()->get().empty()) {
        fail(Text::LessonTomlWrongType, line_of(*node), full, expected);
      } else {
        into[i] = node->as_string()->get();
      }
    }
  }
  // Strings, each with its line.
  std::vector<std::pair<std::string, unsigned>> strings(std::string_view name, bool required,
                                                        std::string_view expected) {
    return strings_in(root_, {}, name, required, expected);
  }
  // The same of a table that is called `of`, "" for the file itself.
  std::vector<std::pair<std::string, unsigned>> strings_in(const toml::table& in, std::string_view of,
                                                           std::string_view name, bool required,
                                                           std::string_view expected) {
    std::vector<std::pair<std::string, unsigned>> found;
    const std::string full = of.empty() ? std::string(name) : std::string(of) + "." + std::string(name);
    const toml::node* node = in.get(name);
    if (node == nullptr) {
      if (required) fail(Text::LessonTomlMissingKey, of.empty() ? 1 : line_of(in), full, expected);
      return found;
    }
    const toml::array* array = node->as_array();
    if (array == nullptr || (required && array->empty())) {
      fail(Text::LessonTomlWrongType, line_of(*node), full, expected);
      return found;
    }
    if (array->size() > kMostNames) {
      fail(Text::LessonTomlTooMany, line_of(*node), full, std::to_string(array->size()));
      return found;
    }
    for (const toml::node& element : *array) {
      if (element.is_string())
        found.emplace_back(element.as_string()->get(), line_of(element));
      else
        fail(Text::LessonTomlWrongType, line_of(element), full, expected);
    }
    return found;
  }
  // The one string of a key, with its line; the key must be there.
  std::pair<std::string, unsigned> string_in(const toml::table& in, std::string_view of,
                                             std::string_view name, std::string_view expected) {
    const std::string full = std::string(of) + "." + std::string(name);
    const toml::node* node = in.get(name);
    if (node == nullptr)
      return fail(Text::LessonTomlMissingKey, line_of(in), full, expected), std::pair{"", 1U};
    if (!node->is_string()) fail(Text::LessonTomlWrongType, line_of(*node), full, expected);
    return {node->value_or(std::string()), line_of(*node)};
  }
  // The tables of [[name]]; none where it is absent.
  std::vector<const toml::table*> tables(std::string_view name, std::string_view expected) {
    std::vector<const toml::table*> found;
    const toml::node* node = root_.get(name);
    if (node == nullptr) return found;
    const toml::array* array = node->as_array();
    if (array == nullptr || !array->is_homogeneous(toml::node_type::table)) {
      fail(Text::LessonTomlWrongType, line_of(*node), std::string(name), expected);
      return found;
    }
    for (const toml::node& element : *array) found.push_back(element.as_table());
    return found;
  }
  // A file of the lesson's folder, with one of the allowed endings.
  void file_of(const std::filesystem::path& folder, const std::pair<std::string, unsigned>& named,
               std::string_view ending, const std::string& key, std::string_view expected) {
    const std::filesystem::path path = named.first;
    std::error_code ignored;
    if (!stays_inside(path) || path.extension() != ending)
      fail(Text::LessonTomlWrongType, named.second, key, expected);
    else if (!std::filesystem::is_regular_file(folder / path, ignored))
      fail(Text::LessonSourceMissing, named.second, named.first);
  }
  std::optional<double> positive(const toml::table& table, std::string_view name, double most,
                                 std::string_view expected) {
    const toml::node* node = table.get(name);
    if (node == nullptr) return std::nullopt;
    const std::optional<double> value = node->is_number() ? node->value<double>() : std::nullopt;
    if (value && *value > 0 && *value <= most) return value;
    fail(Text::LessonTomlWrongType, line_of(*node), "limits." + std::string(name), expected);
    return std::nullopt;
  }
  void fail(Text key, unsigned line, std::string name, std::string_view expected = {}) {
    if (first_) return;
    first_ = Problem{key, {path_.string(), std::to_string(line), std::move(name)}};
    if (!expected.empty()) first_->values.emplace_back(expected);
    if (key == Text::LessonTomlTooMany) first_->values.push_back(std::to_string(kMostNames));
  }
  const std::optional<Problem>& first() const { return first_; }

 private:
  static unsigned line_of(const toml::node& node) { return node.source().begin.line; }
  std::filesystem::path path_;
  const toml::table& root_;
  std::optional<Problem> first_;
};

constexpr std::string_view kLimits = "[limits] seconds = 30 memory_mib = 2048 output_mib = 8";

void read_limits(Reader& reader, Limits& limits) {
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

void read_sources(Reader& reader, Lesson& lesson) {
  constexpr std::string_view kExpected = "sources = [\"main.cpp\"]";
  for (auto& [name, line] : reader.strings("sources", true, kExpected)) {
    std::error_code ignored;
    if (!stays_inside(name))
      reader.fail(Text::LessonTomlWrongType, line, "sources", kExpected);
    else if (!std::filesystem::is_regular_file(lesson.folder / name, ignored))
      reader.fail(Text::LessonSourceMissing, line, name);
    lesson.sources.push_back(std::move(name));
  }
}

bool is_kernel_source(const std::string& name) {
  return std::filesystem::path(name).extension() == ".cu";
}

// A .cu file needs the runtime library whether the lesson says so or not.
void read_libraries(Reader& reader, Lesson& lesson) {
  constexpr std::string_view kExpected = "libraries = [\"cudart\", \"nvrtc\"]";
  for (auto& [name, line] : reader.strings("libraries", false, kExpected)) {
    const bool twice =
        std::find(lesson.libraries.begin(), lesson.libraries.end(), name) != lesson.libraries.end();
    if (twice || (name != "cudart" && name != "nvrtc"))
      reader.fail(Text::LessonTomlWrongType, line, "libraries", kExpected);
    lesson.libraries.push_back(std::move(name));
  }
  const bool named =
      std::find(lesson.libraries.begin(), lesson.libraries.end(), "cudart") != lesson.libraries.end();
  if (!named && std::any_of(lesson.sources.begin(), lesson.sources.end(), is_kernel_source))
    lesson.libraries.emplace_back("cudart");
}

// Two kernels with the same name would be written to one file.
void read_kernels(Reader& reader, Lesson& lesson) {
  constexpr std::string_view kExpected = "kernels = [\"NAME.cu\", \"OTHER.ptx\"]";
  std::set<std::filesystem::path> made;
  for (auto& [name, line] : reader.strings("kernels", false, kExpected)) {
    const std::filesystem::path path = name;
    const bool known = path.extension() == ".cu" || path.extension() == ".ptx";
    std::error_code ignored;
    if (!known || !stays_inside(path) || !made.insert(path.stem()).second)
      reader.fail(Text::LessonTomlWrongType, line, "kernels", kExpected);
    else if (!std::filesystem::is_regular_file(lesson.folder / path, ignored))
      reader.fail(Text::LessonSourceMissing, line, name);
    lesson.kernels.push_back(std::move(name));
  }
}

bool is_library_name(const std::string& name) {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
  return plain && name != "cuda" && name != "cudart" && name != "nvrtc";
}

void read_own_libraries(Reader& reader, Lesson& lesson) {
  constexpr std::string_view kExpected =
      "[[library]] name = \"NAME\" sources = [\"NAME.c\"] header = \"NAME.h\"";
  for (const toml::table* table : reader.tables("library", kExpected)) {
    reader.only(*table, {"name", "sources", "header"});
    OwnLibrary library;
    const auto name = reader.string_in(*table, "library", "name", kExpected);
    const auto is_taken = [&name](const OwnLibrary& other) { return other.name == name.first; };
    if (!is_library_name(name.first) ||
        std::any_of(lesson.own_libraries.begin(), lesson.own_libraries.end(), is_taken))
      reader.fail(Text::LessonTomlWrongType, name.second, "library.name", kExpected);
    for (const auto& source : reader.strings_in(*table, "library", "sources", true, kExpected)) {
      reader.file_of(lesson.folder, source, ".c", "library.sources", kExpected);
      library.sources.push_back(source.first);
    }
    const auto header = reader.string_in(*table, "library", "header", kExpected);
    reader.file_of(lesson.folder, header, ".h", "library.header", kExpected);
    library.name = name.first;
    library.header = header.first;
    lesson.own_libraries.push_back(std::move(library));
  }
}

// Which folder a problem of read_lesson() is about.
std::string folder_of(const Problem& problem) {
  return problem.values.empty() ? ""
                                : std::filesystem::path(problem.values[0]).parent_path().filename().string();
}

}  // namespace

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
  const std::filesystem::path path = folder / "lesson.toml";
  const Result<std::string> source = read_file(path, 1 << 20);
  if (!source) return problem(Text::LessonTomlMissing, {path.string()});
  const toml::parse_result parsed = toml::parse(*source);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return problem(Text::LessonTomlSyntax, {path.string(), std::to_string(error.source().begin.line),
                                            std::string(error.description())});
  }
  const toml::table& root = parsed.table();
  Lesson lesson;
  lesson.folder = folder;
  const std::string folder_name = folder.filename().string();
  if (auto split = split_folder_name(folder_name))
    std::tie(lesson.number, lesson.slug) = std::move(*split);
  else
    lesson.slug = folder_name;

  Reader reader(path, root);
  reader.only(root, {"title", "summary", "sources", "libraries", "library", "kernels", "teaches", "documents",
                     "limits", "exercise"});
  reader.both_languages("title", lesson.title);
  reader.both_languages("summary", lesson.summary);
  read_sources(reader, lesson);
  read_libraries(reader, lesson);
  read_kernels(reader, lesson);
  read_own_libraries(reader, lesson);
  for (auto& entry : reader.strings("teaches", false, "teaches = [\"cuInit\"]"))
    lesson.teaches.push_back(std::move(entry.first));
  for (auto& entry : reader.strings("documents", false, "documents = [\"4\"]"))
    lesson.documents.push_back(std::move(entry.first));
  read_limits(reader, lesson.limits);
  lesson.exercises = names_of_exercises(root);
  if (reader.first()) return tl::unexpected<Problem>(*reader.first());
  return lesson;
}

Catalogue read_catalogue(const std::filesystem::path& lessons_folder) {
  Catalogue catalogue;
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
  std::map<int, std::string> taken;
  for (const auto& folder : folders) {
    Result<Lesson> lesson = read_lesson(folder);
    if (!lesson) {
      catalogue.problems.push_back(lesson.error());
      continue;
    }
    const auto [other, is_new] = taken.emplace(lesson->number, folder.filename().string());
    if (is_new)
      catalogue.lessons.push_back(std::move(*lesson));
    else
      catalogue.problems.push_back(
          {Text::LessonNumberTwice,
           {(folder / "lesson.toml").string(), std::to_string(lesson->number), other->second}});
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
  return problem(Text::LessonUnknown, {std::string(name)});
}

}  // namespace lab
