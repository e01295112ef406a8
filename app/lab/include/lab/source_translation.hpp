// SPDX-License-Identifier: MIT
// The words of a lesson's sources in Chinese: its comments and the strings that it prints. Sources are
// English; words.zh.toml beside them holds the Chinese. The Chinese source is the English one with the
// Chinese in place of these words: the same code on the same lines.
//
// Of C and C++ it knows comments, literals and #include. Who shows or builds which language is the
// workspace's business.
#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/result.hpp"

namespace lab {

// What is translated as one: consecutive lines that hold nothing but a comment, a comment behind code, or
// string literals that follow each other. A mark `// step: NAME` and an #include are no units, and neither
// are characters and raw strings.
struct SourceUnit {
  enum class Kind { Comment, String };
  struct Piece {  // of a comment a line, of strings a literal
    std::string text;
    std::size_t begin = 0, end = 0;  // its place in the source
  };
  Kind kind = Kind::Comment;
  std::vector<Piece> pieces;
  std::vector<std::string> texts() const;
};
std::vector<SourceUnit> units_in_source(std::string_view source);

class SourceWords {
 public:
  struct Entry {
    std::vector<std::string> chinese;  // as many as the unit has pieces
    std::size_t line = 0;              // of words.zh.toml
  };
  using Key = std::pair<SourceUnit::Kind, std::vector<std::string>>;  // the English pieces
  const std::map<Key, Entry>& entries() const { return entries_; }
  const Entry* find(const SourceUnit& unit) const;  // nullptr: it stays English
  std::string chinese(std::string_view source) const;

 private:
  friend Result<SourceWords> read_source_words(const std::filesystem::path& file);
  std::map<Key, Entry> entries_;
};

// Strictly, and so that no entry can change the code of a source. No entries where there is no such file.
Result<SourceWords> read_source_words(const std::filesystem::path& file);

}  // namespace lab
