// SPDX-License-Identifier: MIT
// The terms of the course and what they mean, in both languages: assets/glossary.toml, read strictly.
//
// Several threads may use a const Glossary. Nothing here depends on notes or windows.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lab/text.hpp"

namespace lab {

struct GlossaryTerm {
  std::vector<std::string> words[2];      // by Language; the first is the term's name; all are found in texts
  std::vector<std::string> elsewhere[2];  // longer words and phrases in which these words mean something else
  std::string meaning[2];
};

struct Glossary {
  std::vector<GlossaryTerm> terms;
  std::vector<Problem> problems;  // terms that could not be read: file, line, what was expected

  struct Place {
    std::size_t begin = 0, end = 0;  // bytes
    std::size_t term = 0;            // index into terms
    bool operator==(const Place&) const = default;
  };
  // The places of terms in a text, in order, without overlaps; of two words that begin at the same place, the
  // longer one is found. English terms are found as whole words, in capitals or not. Chinese has no spaces
  // between words: there a word is found unless it is part of one in `elsewhere`.
  std::vector<Place> find(std::string_view text, Language language) const;
};
Glossary read_glossary(const std::filesystem::path& path);

}  // namespace lab
