// SPDX-License-Identifier: MIT
// See glossary.hpp.
#include "lab/glossary.hpp"
#include "lab/letters.hpp"

#include <algorithm>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "lab/files.hpp"

namespace lab {
namespace {

constexpr std::string_view kExpected =
    "[[term]] en = [\"…\"] zh = [\"…\"] means_en = \"…\" means_zh = \"…\" (not_en, not_zh, avoid_zh = "
    "[\"…\"])";
constexpr std::string_view kRequired[] = {"en", "zh", "means_en", "means_zh"};
constexpr std::string_view kOptional[] = {"not_en", "not_zh", "avoid_zh"};  // avoid_zh is for a test only

bool in_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::vector<std::string> words_of(const toml::table& table, std::string_view key) {
  std::vector<std::string> words;
  const toml::node* node = table.get(key);
  const toml::array* array = node != nullptr ? node->as_array() : nullptr;
  if (array == nullptr) return words;
  for (const toml::node& each : *array) {
    const auto word = each.value_exact<std::string>();
    if (!word || word->empty()) return {};
    words.push_back(*word);
  }
  return words;
}

bool matches(std::string_view text, std::size_t at, std::string_view word) {
  if (text.size() - at < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (small_letter(text[at + i]) != small_letter(word[i])) return false;
  const std::size_t end = at + word.size();
  const bool begins = at == 0 || !in_word(word.front()) || !in_word(text[at - 1]);
  const bool ends = end == text.size() || !in_word(word.back()) || !in_word(text[end]);
  return begins && ends;
}

// All keys must be known, and the optional ones must contain words if they are present.
bool keys_are_right(const toml::table& table) {
  std::size_t known = std::size(kRequired);
  for (const std::string_view key : kOptional) {
    if (!table.contains(key)) continue;
    if (words_of(table, key).empty()) return false;
    ++known;
  }
  return table.size() == known;
}

// Whether the word between the two places is part of a longer one in which it means something else.
bool is_elsewhere(const std::vector<std::string>& longer, std::string_view text, std::size_t begin,
                  std::size_t end) {
  return std::ranges::any_of(longer, [&](const std::string& phrase) {
    for (std::size_t at = end > phrase.size() ? end - phrase.size() : 0; at <= begin; ++at)
      if (at + phrase.size() >= end && matches(text, at, phrase)) return true;
    return false;
  });
}

}  // namespace

Glossary read_glossary(const std::filesystem::path& path) {
  Glossary glossary;
  const auto text = read_file(path, 4 << 20);
  if (!text) return glossary.problems.push_back(text.error()), glossary;
  const toml::parse_result parsed = toml::parse(*text);
  const auto wrong = [&](unsigned line, const std::string& what) {
    glossary.problems.push_back({Text::GlossaryWrong, {path.string(), std::to_string(line), what}});
  };
  if (!parsed) {
    wrong(parsed.error().source().begin.line, std::string(parsed.error().description()));
    return glossary;
  }
  const toml::node* list = parsed.table().get("term");
  if (list == nullptr || !list->is_array()) return wrong(1, std::string(kExpected)), glossary;
  for (const toml::node& node : *list->as_array()) {
    const toml::table* table = node.as_table();
    GlossaryTerm term;
    bool whole = table != nullptr && keys_are_right(*table);
    for (const int language : {0, 1}) {
      if (!whole) break;
      term.words[language] = words_of(*table, language == 0 ? "en" : "zh");
      term.elsewhere[language] = words_of(*table, language == 0 ? "not_en" : "not_zh");
      const toml::node* meaning = table->get(language == 0 ? "means_en" : "means_zh");
      if (meaning != nullptr) term.meaning[language] = meaning->value_exact<std::string>().value_or("");
      whole = !term.words[language].empty() && !term.meaning[language].empty();
    }
    if (whole)
      glossary.terms.push_back(std::move(term));
    else
      wrong(node.source().begin.line, std::string(kExpected));
  }
  return glossary;
}

std::vector<Glossary::Place> Glossary::find(std::string_view text, Language language) const {
  const auto in = static_cast<std::size_t>(language);
  std::vector<Place> places;
  for (std::size_t at = 0; at < text.size();) {
    Place best;
    for (std::size_t i = 0; i < terms.size(); ++i)
      for (const std::string& word : terms[i].words[in])
        if (word.size() > best.end - best.begin && matches(text, at, word) &&
            !is_elsewhere(terms[i].elsewhere[in], text, at, at + word.size()))
          best = {at, at + word.size(), i};
    if (best.end > best.begin) {
      places.push_back(best);
      at = best.end;
    } else {
      ++at;
    }
  }
  return places;
}

}  // namespace lab
