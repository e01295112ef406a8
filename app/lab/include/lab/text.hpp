// SPDX-License-Identifier: MIT
// Every sentence that the lab shows, in both languages. The keys come from assets/strings/*.toml; the build
// fails if a key lacks a language or its placeholders differ.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/text_keys.hpp"  // generated: enum class Text { … }

namespace lab {

enum class Language { English, Chinese };

std::string_view text(Text key, Language language);
// Replaces {0}, {1}, …; the placeholder of a missing value stays.
std::string text(Text key, Language language, const std::vector<std::string>& values);
// One value of several names. text() puts between them what the language has there: a comma, or “、”.
std::string list_of(const std::vector<std::string>& names);

Language language_from_environment();                        // from LC_ALL, LC_MESSAGES, LANG: zh* is Chinese
std::optional<Language> parse_language(std::string_view s);  // "en", "zh"
const char* language_word(Language language);                // what parse_language() takes

// Something that went wrong, shown in the language that the user has chosen at that moment. The sentence
// names the value, the place and the remedy.
struct Problem {
  Text key{};
  std::vector<std::string> values;
  std::string in(Language language) const { return text(key, language, values); }
  bool operator==(const Problem&) const = default;
};

}  // namespace lab
