// SPDX-License-Identifier: MIT
// Reads the tables of a lesson's TOML strictly, and keeps the first mistake with its line and what was
// expected, which is told in TOML's own notation. What follows a mistake is still read, and thrown away by
// the reader's owner.
#pragma once
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/files.hpp"
#include "lab/result.hpp"

namespace lab {

// A lesson.toml or a file beside it, at most 1 MiB long. It may be missing: then nothing is in it.
inline Result<toml::table> parse_lesson_toml(const std::filesystem::path& path) {
  constexpr std::uint64_t kMostBytes = 1 << 20;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return toml::table();
  const Result<std::string> source = read_file(path, kMostBytes);
  if (!source) return tl::unexpected<Problem>(source.error());
  toml::parse_result parsed = toml::parse(*source);
  if (parsed) return std::move(parsed).table();
  const toml::parse_error& mistake = parsed.error();
  return problem(Text::LessonTomlSyntax, {path.string(), std::to_string(mistake.source().begin.line),
                                          std::string(mistake.description())});
}

class TomlReader {
 public:
  explicit TomlReader(std::string file) : file_(std::move(file)) {}
  std::optional<Problem> mistake;

  void only(const toml::table& table, std::initializer_list<std::string_view> keys) {
    for (const auto& [key, value] : table) {
      const std::string name(key);
      if (std::find(keys.begin(), keys.end(), name) != keys.end()) continue;
      wrong(Text::LessonTomlUnknownKey, line_of(value), name, fmt::format("{}", fmt::join(keys, ", ")));
    }
  }

  const toml::table* table(const toml::table& in, std::string_view key) {
    const toml::node* node = in.get(key);
    if (node == nullptr) return missing(in, key, fmt::format("[{}]", key)), nullptr;
    if (!node->is_table()) wrong(Text::LessonTomlWrongType, line_of(*node), key, fmt::format("[{}]", key));
    return node->as_table();
  }

  std::string string(const toml::table& in, std::string_view key) {
    const toml::node* node = in.get(key);
    if (node == nullptr) return missing(in, key, fmt::format("{} = \"…\"", key)), std::string();
    const auto value = node->value_exact<std::string>();
    if (!value || value->empty())
      wrong(Text::LessonTomlWrongType, line_of(*node), key, fmt::format("{} = \"…\"", key));
    return value.value_or("");
  }

  bool boolean(const toml::table& in, std::string_view key) {
    const toml::node* node = in.get(key);
    if (node == nullptr) return false;
    const auto value = node->value_exact<bool>();
    if (!value) wrong(Text::LessonTomlWrongType, line_of(*node), key, fmt::format("{} = true", key));
    return value.value_or(false);
  }

  std::optional<int> number(const toml::table& in, std::string_view key) {
    const toml::node* node = in.get(key);
    if (node == nullptr) return std::nullopt;
    const auto value = node->value_exact<std::int64_t>();
    if (value && *value >= 0 && *value <= 255) return static_cast<int>(*value);
    wrong(Text::LessonTomlWrongType, line_of(*node), key, fmt::format("{} = 0 … 255", key));
    return std::nullopt;
  }

  std::optional<std::vector<std::string>> strings(const toml::table& in, std::string_view key) {
    const toml::node* node = in.get(key);
    if (node == nullptr) return std::nullopt;
    std::vector<std::string> values;
    const toml::array* array = node->as_array();
    bool good = array != nullptr;
    for (std::size_t i = 0; array != nullptr && i < array->size(); ++i) {
      const auto value = array->get(i)->value_exact<std::string>();
      good = good && value && !value->empty();
      values.push_back(value.value_or(""));
    }
    if (!good) wrong(Text::LessonTomlWrongType, line_of(*node), key, fmt::format("{} = [\"…\", …]", key));
    return values;
  }

  // A list of at least one string; one string may stand without brackets, and each may be empty.
  std::vector<std::string> string_or_strings(const toml::table& in, std::string_view key) {
    const std::string expected = fmt::format("{0} = \"…\", {0} = [\"…\", \"…\"]", key);
    std::vector<std::string> found;
    const toml::node* node = in.get(key);
    if (node == nullptr) return missing(in, key, expected), found;
    if (node->is_string()) return {node->as_string()->get()};
    const toml::array* array = node->as_array();
    if (array == nullptr || array->empty() || !array->is_homogeneous(toml::node_type::string))
      return wrong(Text::LessonTomlWrongType, line_of(*node), key, expected), found;
    for (const toml::node& element : *array) found.push_back(element.as_string()->get());
    return found;
  }

  // The tables of [[OF.KEY]]; none when it is absent or wrong.
  std::vector<const toml::table*> tables(const toml::table& in, std::string_view of, std::string_view key) {
    std::vector<const toml::table*> found;
    const toml::node* node = in.get(key);
    if (node == nullptr) return found;
    const toml::array* array = node->as_array();
    if (array == nullptr || !array->is_homogeneous(toml::node_type::table)) {
      wrong(Text::LessonTomlWrongType, line_of(*node), key,
            fmt::format("[[{}{}{}]]", of, of.empty() ? "" : ".", key));
      return found;
    }
    for (const toml::node& element : *array) found.push_back(element.as_table());
    return found;
  }

  void both_languages(const toml::table& in, std::string (&text)[2]) {
    only(in, {"en", "zh"});
    text[static_cast<int>(Language::English)] = string(in, "en");
    text[static_cast<int>(Language::Chinese)] = string(in, "zh");
  }

  // Of the table [KEY], which must be there.
  void both_languages(const toml::table& in, std::string_view key, std::string (&text)[2]) {
    if (const toml::table* both = table(in, key)) both_languages(*both, text);
  }

  void wrong(Text key, std::size_t line, std::string_view name, std::string expected) {
    fail(key, line, {std::string(name), std::move(expected)});
  }
  // `more` are the values after the file and the line.
  void fail(Text key, std::size_t line, std::vector<std::string> more) {
    if (mistake) return;
    mistake = Problem{key, {file_, std::to_string(line)}};
    std::move(more.begin(), more.end(), std::back_inserter(mistake->values));
  }
  static std::size_t line_of(const toml::node& node) { return node.source().begin.line; }

 private:
  void missing(const toml::table& in, std::string_view key, std::string expected) {
    wrong(Text::LessonTomlMissingKey, line_of(in), key, std::move(expected));
  }
  std::string file_;
};

}  // namespace lab
