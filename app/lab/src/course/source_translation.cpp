// SPDX-License-Identifier: MIT
// See lab/source_translation.hpp. A source is cut into comments and strings first; what follows each other
// without code between makes a unit.
#include "lab/source_translation.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/toml_reader.hpp"

namespace lab {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kSpaces = " \t\r\n";

bool is_latin(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}
bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

struct Token {
  enum class Kind { Line, Block, String } kind;
  std::size_t begin, end;
};

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<Token> tokens() {
    while (at_ < source_.size()) {
      const char c = source_[at_];
      if (starts("//"))
        take(Token::Kind::Line, source_.find('\n', at_));
      else if (starts("/*"))
        take(Token::Kind::Block, behind("*/", at_ + 2));
      else if (starts("R\""))
        skip_raw_string();
      else if (c == '"')
        take_literal();
      else if (c == '\'' && (at_ == 0 || !is_of_name(source_[at_ - 1])))  // no 300'000
        at_ = std::max(at_ + 1, end_of_literal());
      else if (c == '#' && begins_include())
        at_ = std::min({source_.find('\n', at_), source_.find("//", at_), source_.size()});
      else
        ++at_;
    }
    return std::move(found_);
  }

 private:
  bool starts(std::string_view with) const { return source_.substr(at_).starts_with(with); }
  std::size_t behind(std::string_view mark, std::size_t from) const {
    const std::size_t place = source_.find(mark, from);
    return place == std::string_view::npos ? place : place + mark.size();
  }
  void take(Token::Kind kind, std::size_t end) {
    end = std::min(end, source_.size());
    found_.push_back({kind, at_, end});
    at_ = end;
  }
  // Behind the quote that ends what begins here; 0 where none does on its line.
  std::size_t end_of_literal() const {
    for (std::size_t i = at_ + 1; i < source_.size() && source_[i] != '\n'; ++i) {
      if (source_[i] == source_[at_]) return i + 1;
      if (source_[i] == '\\') ++i;
    }
    return 0;
  }
  void take_literal() {
    const std::size_t end = end_of_literal();
    if (end == 0)
      ++at_;
    else
      take(Token::Kind::String, end);
  }
  void skip_raw_string() {
    const std::size_t open = source_.find_first_of("()\\ \n", at_ + 2);
    if (open == std::string_view::npos || source_[open] != '(') {
      ++at_;
      return;
    }
    const std::string close = ")" + std::string(source_.substr(at_ + 2, open - at_ - 2)) + "\"";
    at_ = std::min(behind(close, open), source_.size());
  }
  bool begins_include() const {  // the name of a file is no string
    const std::size_t before = source_.find_last_not_of(kBlanks, at_ == 0 ? 0 : at_ - 1);
    const bool first = at_ == 0 || before == std::string_view::npos || source_[before] == '\n';
    const std::size_t word = source_.find_first_not_of(kBlanks, at_ + 1);
    return first && word != std::string_view::npos && source_.substr(word).starts_with("include");
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::vector<Token> found_;
};

// Without the blanks around it.
SourceUnit::Piece piece_between(std::string_view source, std::size_t begin, std::size_t end) {
  const std::string_view text = source.substr(begin, end - begin);
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {"", begin, begin};
  const std::size_t last = text.find_last_not_of(kBlanks) + 1;
  return {std::string(text.substr(first, last - first)), begin + first, begin + last};
}

bool is_mark(std::string_view comment) {
  return comment.starts_with("step:");
}

class UnitReader {
 public:
  explicit UnitReader(std::string_view source) : source_(source), tokens_(Lexer(source).tokens()) {}

  std::vector<SourceUnit> units() {
    std::vector<SourceUnit> found;
    for (std::size_t i = 0; i < tokens_.size();) {
      SourceUnit unit;
      if (tokens_[i].kind == Token::Kind::Block)
        unit = block(i);
      else if (tokens_[i].kind == Token::Kind::String)
        unit = strings(i);
      else
        unit = lines(i);
      const bool mark = unit.kind == SourceUnit::Kind::Comment && is_mark(unit.pieces.front().text);
      if (!mark) found.push_back(std::move(unit));
    }
    return found;
  }

 private:
  SourceUnit::Piece line_at(std::size_t token) const {
    return piece_between(source_, tokens_[token].begin + 2, tokens_[token].end);
  }
  std::string_view between(std::size_t token, std::size_t next) const {
    return source_.substr(tokens_[token].end, tokens_[next].begin - tokens_[token].end);
  }
  static bool is_space(std::string_view text) {
    return text.find_first_not_of(kSpaces) == std::string_view::npos;
  }
  bool follows(std::size_t token, Token::Kind kind) const {
    return token + 1 < tokens_.size() && tokens_[token + 1].kind == kind &&
           is_space(between(token, token + 1));
  }
  bool stands_alone(std::size_t token) const {
    const std::size_t begin = source_.rfind('\n', tokens_[token].begin) + 1;  // npos + 1 is 0
    return is_space(source_.substr(begin, tokens_[token].begin - begin));
  }

  SourceUnit lines(std::size_t& i) const {
    SourceUnit unit{SourceUnit::Kind::Comment, {line_at(i)}};
    const bool alone = stands_alone(i) && !is_mark(unit.pieces.front().text);
    for (; alone && follows(i, Token::Kind::Line); ++i) {
      const std::string_view gap = between(i, i + 1);
      SourceUnit::Piece next = line_at(i + 1);
      if (std::count(gap.begin(), gap.end(), '\n') != 1 || is_mark(next.text)) break;
      unit.pieces.push_back(std::move(next));
    }
    ++i;
    return unit;
  }
  SourceUnit block(std::size_t& i) const {
    SourceUnit unit;
    const std::size_t from = tokens_[i].begin + 2;
    const bool ends = tokens_[i].end >= from + 2 && source_.substr(0, tokens_[i].end).ends_with("*/");
    const std::size_t end = tokens_[i].end - (ends ? 2 : 0);
    for (std::size_t begin = from; begin <= end;) {
      const std::size_t line_end = std::min(source_.find('\n', begin), end);
      unit.pieces.push_back(piece_between(source_, begin, line_end));
      begin = line_end + 1;
    }
    ++i;
    return unit;
  }
  SourceUnit strings(std::size_t& i) const {
    SourceUnit unit{SourceUnit::Kind::String, {}};
    const auto add = [&](const Token& token) {
      const std::size_t begin = token.begin + 1, end = token.end - 1;
      unit.pieces.push_back({std::string(source_.substr(begin, end - begin)), begin, end});
    };
    add(tokens_[i]);
    for (; follows(i, Token::Kind::String); ++i) add(tokens_[i + 1]);
    ++i;
    return unit;
  }

  std::string_view source_;
  std::vector<Token> tokens_;
};

// The length of the conversion that begins here, as "%-8s" of printf; 0: none does.
std::size_t conversion_at(std::string_view text, std::size_t at) {
  if (text[at] != '%') return 0;
  std::size_t end = std::min(text.find_first_not_of("-+ #0123456789.*lhzjt", at + 1), text.size());
  if (end < text.size() && (is_latin(text[end]) || text[end] == '%')) return end + 1 - at;
  while (end > at + 1 && !is_latin(text[end - 1])) --end;  // "%l" ends with a letter of a length
  return end > at + 1 ? end - at : 0;
}

std::string conversions_in(std::string_view text) {
  std::string found;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = conversion_at(text, i);
    if (length > 0) (found += text.substr(i, length)) += '\n';
    i += std::max<std::size_t>(length, 1);
  }
  return found;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text;
  return all;
}

// What may stand in a comment of any form, and makes no step of it.
bool fits_comment(std::string_view text) {
  return std::none_of(text.begin(), text.end(), is_control) && text.find("*/") == std::string_view::npos &&
         text.find("/*") == std::string_view::npos && !text.ends_with('\\') && !is_mark(text);
}

// What may stand between the quotes of a literal.
bool fits_literal(std::string_view text) {
  if (std::any_of(text.begin(), text.end(), is_control)) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') return false;
    if (text[i] != '\\') continue;
    if (i + 1 == text.size()) return false;
    ++i;
  }
  return true;
}

// Reads one file's entries and keeps the first mistake met.
class WordsReader {
 public:
  explicit WordsReader(std::string file) : reader_(std::move(file)) {}
  const std::optional<Problem>& mistake() const { return reader_.mistake; }

  std::map<SourceWords::Key, SourceWords::Entry> entries(const toml::table& root) {
    std::map<SourceWords::Key, SourceWords::Entry> found;
    reader_.only(root, {"comment", "string"});
    for (const auto& [name, kind] :
         {std::pair{"comment", SourceUnit::Kind::Comment}, {"string", SourceUnit::Kind::String}})
      for (const toml::table* table : reader_.tables(root, "", name)) add(found, kind, *table);
    return found;
  }

 private:
  // `more` are the values after the file, the line and `what`.
  void wrong(Text key, std::size_t line, std::string_view what, std::vector<std::string> more = {}) {
    more.insert(more.begin(), std::string(what));
    reader_.fail(key, line, std::move(more));
  }
  void add(std::map<SourceWords::Key, SourceWords::Entry>& to, SourceUnit::Kind kind,
           const toml::table& table) {
    reader_.only(table, {"en", "zh"});
    SourceWords::Key key{kind, reader_.string_or_strings(table, "en")};
    SourceWords::Entry entry{reader_.string_or_strings(table, "zh"), TomlReader::line_of(table)};
    if (reader_.mistake) return;
    check(kind, key.second, entry);
    const std::string first = key.second.front();
    if (!to.try_emplace(std::move(key), std::move(entry)).second)
      wrong(Text::WordsTwice, TomlReader::line_of(table), first);
  }
  void check(SourceUnit::Kind kind, const std::vector<std::string>& english,
             const SourceWords::Entry& entry) {
    const std::vector<std::string>& chinese = entry.chinese;
    const std::string& first = english.front();
    if (chinese.size() != english.size())
      return wrong(Text::WordsOtherLines, entry.line, first,
                   {std::to_string(english.size()), std::to_string(chinese.size())});
    for (std::size_t i = 0; i < english.size(); ++i) {
      if (!english[i].empty() && chinese[i].find_first_not_of(kSpaces) == std::string::npos)
        return wrong(Text::WordsEmpty, entry.line, english[i]);
      if (kind == SourceUnit::Kind::Comment ? !fits_comment(chinese[i]) : !fits_literal(chinese[i]))
        return wrong(kind == SourceUnit::Kind::Comment ? Text::WordsNoComment : Text::WordsNoString,
                     entry.line, chinese[i]);
    }
    if (kind != SourceUnit::Kind::String) return;
    const bool ends[] = {english.back().ends_with("\\n"), chinese.back().ends_with("\\n")};
    if (conversions_in(joined(english)) != conversions_in(joined(chinese)) || ends[0] != ends[1])
      wrong(Text::WordsConversions, entry.line, joined(english));
  }

  TomlReader reader_;
};

}  // namespace

std::vector<std::string> SourceUnit::texts() const {
  std::vector<std::string> all;
  all.reserve(pieces.size());
  for (const SourceUnit::Piece& piece : pieces) all.push_back(piece.text);
  return all;
}

std::vector<SourceUnit> units_in_source(std::string_view source) {
  return UnitReader(source).units();
}

const SourceWords::Entry* SourceWords::find(const SourceUnit& unit) const {
  const auto found = entries_.find(Key{unit.kind, unit.texts()});
  return found == entries_.end() ? nullptr : &found->second;
}

std::string SourceWords::chinese(std::string_view source) const {
  std::string out;
  std::size_t taken = 0;
  for (const SourceUnit& unit : units_in_source(source)) {
    const Entry* entry = find(unit);
    for (std::size_t i = 0; entry != nullptr && i < unit.pieces.size(); ++i) {
      const SourceUnit::Piece& piece = unit.pieces[i];
      if (piece.text.empty()) continue;
      (out += source.substr(taken, piece.begin - taken)) += entry->chinese[i];
      taken = piece.end;
    }
  }
  return out += source.substr(taken);
}

Result<SourceWords> read_source_words(const std::filesystem::path& file) {
  const Result<toml::table> parsed = parse_lesson_toml(file);
  if (!parsed) return tl::unexpected<Problem>(parsed.error());
  SourceWords words;
  WordsReader reader(file.string());
  words.entries_ = reader.entries(*parsed);
  if (reader.mistake()) return tl::unexpected<Problem>(*reader.mistake());
  return words;
}

}  // namespace lab
