// SPDX-License-Identifier: MIT
// Looks sentences up and fills in their values. The sentences come from assets/strings through
// tools/make_strings.py; nothing here depends on their contents.
#include "lab/text.hpp"

#include <cctype>
#include <cstdlib>

#include "base/text_table.hpp"

namespace lab {

namespace {

constexpr char kBetweenNames = '\x1e';  // "record separator"

void append(std::string& out, const std::string& value, Language language) {
  for (const char c : value) {
    if (c == kBetweenNames)
      out += language == Language::Chinese ? "、" : ", ";
    else
      out += c;
  }
}

}  // namespace

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    if (!list.empty()) list += kBetweenNames;
    list += name;
  }
  return list;
}

std::string_view text(Text key, Language language) {
  const TextRow& row = kTextTable[static_cast<std::size_t>(key)];
  return language == Language::Chinese ? row.chinese : row.english;
}

std::string text(Text key, Language language, const std::vector<std::string>& values) {
  const std::string_view pattern = text(key, language);
  std::string out;
  out.reserve(pattern.size() + 64);
  for (std::size_t i = 0; i < pattern.size();) {
    std::size_t end = i + 1, number = 0;
    while (pattern[i] == '{' && end < pattern.size() && end < i + 4 && std::isdigit(pattern[end]) != 0)
      number = number * 10 + static_cast<std::size_t>(pattern[end++] - '0');
    const bool placeholder = pattern[i] == '{' && end > i + 1 && end < pattern.size() &&
                             pattern[end] == '}' && number < values.size();
    if (placeholder) {
      append(out, values[number], language);
      i = end + 1;
    } else {
      out += pattern[i++];
    }
  }
  return out;
}

Language language_from_environment() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0')
      return std::string_view(value).substr(0, 2) == "zh" ? Language::Chinese : Language::English;
  }
  return Language::English;
}

std::optional<Language> parse_language(std::string_view s) {
  if (s == "en") return Language::English;
  if (s == "zh") return Language::Chinese;
  return std::nullopt;
}

const char* language_word(Language language) {
  return language == Language::Chinese ? "zh" : "en";
}

}  // namespace lab
