// SPDX-License-Identifier: MIT
// See source_calls.hpp. The text is simplified first: comments and quoted texts are replaced by blanks of the
// same length, so that places do not change.
#include "course/source_calls.hpp"

#include <algorithm>
#include <cctype>

namespace lab {
namespace {

constexpr int kLinesOfACall = 8;  // a call may have at most so many lines

bool of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string made_plain(std::string_view source) {
  std::string text(source);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto blank_until = [&](std::size_t end) {
      for (; i < std::min(end, text.size()); ++i)
        if (text[i] != '\n') text[i] = ' ';
      --i;
    };
    if (source.substr(i, 2) == "//") {
      blank_until(source.find('\n', i));
    } else if (source.substr(i, 2) == "/*") {
      const std::size_t end = source.find("*/", i + 2);
      blank_until(end == std::string_view::npos ? end : end + 2);
    } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !of_name(text[i - 1])))) {
      const char quote = text[i];
      std::size_t end = i + 1;
      while (end < source.size() && source[end] != quote && source[end] != '\n')
        end += source[end] == '\\' ? 2 : 1;
      for (++i; i < std::min(end, text.size()); ++i) text[i] = '.';  // a character that is not part of a word
    }
  }
  return text;
}

// The place of `name` as a word followed by a bracket, from `at` on; npos: none. `open`: the place of the
// bracket.
std::size_t find_call(const std::string& text, std::string_view name, std::size_t at, std::size_t& open) {
  for (at = text.find(name, at); at != std::string::npos; at = text.find(name, at + 1)) {
    if (at > 0 && of_name(text[at - 1])) continue;
    open = text.find_first_not_of(" \t\n", at + name.size());
    if (open != std::string::npos && text[open] == '(') return at;
  }
  return std::string::npos;
}

struct Piece {
  std::size_t begin = 0, end = 0;
};
// The text between the bracket at `open` and the matching one, split at commas; `close` is the place of that
// one.
std::vector<Piece> cut_arguments(const std::string& text, std::size_t open, std::size_t& close) {
  std::vector<Piece> arguments;
  int depth = 0;
  std::size_t begin = open + 1;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    const bool ends = (c == ')' || c == ']' || c == '}') && --depth == 0;
    if (!ends && !(c == ',' && depth == 1)) continue;
    arguments.push_back({begin, i});
    begin = i + 1;
    if (!ends) continue;
    close = i;
    return arguments;
  }
  return {};
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\n") - first + 1));
}

int line_at(std::string_view text, std::size_t at) {
  return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1;
}

// What follows each "==", and nothing for each "!= CUDA_SUCCESS".
std::vector<std::string> errors_compared_with(std::string_view condition) {
  std::vector<std::string> errors;
  for (std::size_t at = condition.find("= CUDA_"); at != std::string_view::npos;
       at = condition.find("= CUDA_", at + 1)) {
    const std::string_view name = condition.substr(at + 2);
    const std::size_t end =
        static_cast<std::size_t>(std::find_if_not(name.begin(), name.end(), of_name) - name.begin());
    const char before = at > 0 ? condition[at - 1] : ' ';
    if (before == '=') errors.emplace_back(name.substr(0, end));
    if (before == '!' && name.substr(0, end) == "CUDA_SUCCESS") errors.emplace_back();
  }
  return errors;
}

// Of "places_hold(stream, 3)": the name before the bracket.
std::string called_in(std::string_view expression) {
  const std::string text = trimmed(expression);
  const auto end = std::find_if_not(text.begin(), text.end(), of_name);
  return end != text.end() && *end == '(' ? std::string(text.begin(), end) : std::string();
}

// The place of the brace that opens the body, behind the brackets of the parameters; npos: none, as for a
// call.
std::size_t opening_brace(const std::string& text, std::size_t bracket) {
  std::size_t close = 0;
  if (cut_arguments(text, bracket, close).empty()) return std::string::npos;
  const std::size_t brace = text.find_first_not_of(" \t\n", close + 1);
  return brace != std::string::npos && text[brace] == '{' ? brace : std::string::npos;
}

// Of a variable whose name ends at `at` and that is given a lambda: the bracket of its parameters; npos:
// none.
std::size_t lambda_bracket(const std::string& text, std::size_t at) {
  std::size_t close = 0;
  const auto next = [&text](std::size_t from) { return text.find_first_not_of(" \t\n", from); };
  at = next(at);
  if (at == std::string::npos || text[at] != '=') return std::string::npos;
  at = next(at + 1);
  if (at == std::string::npos || text[at] != '[' || cut_arguments(text, at, close).empty())
    return std::string::npos;
  at = next(close + 1);
  return at != std::string::npos && text[at] == '(' ? at : std::string::npos;
}

}  // namespace

const std::string* source_of(const Sources& sources, std::string_view recorded) {
  const auto found =
      find_recorded(sources, recorded, [](const auto& source) -> const std::string& { return source.first; });
  return found == sources.end() ? nullptr : &found->second;
}

std::string variable_in(const Sources& sources, const trace::Event& call, std::size_t argument) {
  constexpr std::size_t kLongest = 24;
  const std::string* source = call.line > 0 ? source_of(sources, call.file) : nullptr;
  if (source == nullptr) return {};
  const std::vector<std::string> passed = arguments_at(*source, static_cast<int>(call.line), call.name);
  if (passed.size() != call.arguments.size() || argument >= passed.size()) return {};
  std::string_view name = passed[argument];
  if (name.starts_with('&')) name.remove_prefix(1);
  if (name.ends_with(".data()")) name.remove_suffix(std::string_view(".data()").size());
  const bool plain = !name.empty() && name.size() <= kLongest &&
                     name.find_first_of(" \n(){}\"'*+?:") == std::string_view::npos;
  return plain ? std::string(name) : std::string();
}

void ExpectedFailures::read(const Sources& sources) {
  if (known_.size() == sources.size()) return;
  known_.clear();
  for (const auto& [name, text] : sources) known_[name].here = expectations_in(text);
  for (const auto& [of_text, asking] : known_)
    for (const Expectation& each : asking.here) {
      if (each.function.empty()) continue;
      for (const auto& [name, text] : sources)
        for (const Lines& body : bodies_of(text, each.function))
          known_[name].of_functions.emplace_back(each.error, body);
    }
}

bool ExpectedFailures::asks_for(const trace::Event& call, const Sources& sources) {
  if (!call.returned || call.result == 0 || call.line == 0) return false;
  const auto source =
      find_recorded(sources, call.file, [](const auto& each) -> const std::string& { return each.first; });
  if (source == sources.end()) return false;
  read(sources);
  const Known& known = known_.at(source->first);
  const std::string_view result = trace::result_name(call);
  const int line = static_cast<int>(call.line);
  return std::any_of(known.here.begin(), known.here.end(),
                     [&](const Expectation& each) {
                       return each.first_line <= line && line <= each.last_line &&
                              (each.error.empty() || each.error == result);
                     }) ||
         std::any_of(known.of_functions.begin(), known.of_functions.end(),
                     [&](const auto& each) { return each.first == result && each.second.has(line); });
}

std::vector<Expectation> expectations_in(std::string_view source) {
  const std::string text = made_plain(source);
  std::vector<Expectation> found;
  std::size_t open = 0, close = 0;
  for (std::size_t at = find_call(text, "expect", 0, open); at != std::string::npos;
       at = find_call(text, "expect", at + 1, open)) {
    const std::vector<Piece> arguments = cut_arguments(text, open, close);
    if (arguments.size() < 2) continue;
    const auto words = [&text](const Piece& piece) {
      return std::string_view(text).substr(piece.begin, piece.end - piece.begin);
    };
    found.push_back({trimmed(words(arguments.front())), line_at(text, at), line_at(text, close),
                     called_in(words(arguments[1]))});
  }
  for (std::size_t at = find_call(text, "claim", 0, open); at != std::string::npos;
       at = find_call(text, "claim", at + 1, open)) {
    if (cut_arguments(text, open, close).size() < 2) continue;
    for (std::string& error : errors_compared_with(std::string_view(text).substr(open, close - open)))
      found.push_back({std::move(error), line_at(text, at), line_at(text, close)});
  }
  for (std::size_t at = find_call(text, "while", 0, open); at != std::string::npos;
       at = find_call(text, "while", at + 1, open)) {
    if (cut_arguments(text, open, close).empty()) continue;
    for (std::string& error : errors_compared_with(std::string_view(text).substr(open, close - open))) {
      if (error.empty()) continue;              // tries again after any error: none of them is asked for
      if (error == "CUDA_SUCCESS") error = "";  // goes on up to an error
      found.push_back({std::move(error), line_at(text, at), line_at(text, close)});
    }
  }
  return found;
}

std::vector<Lines> bodies_of(std::string_view source, std::string_view function) {
  const std::string text = made_plain(source);
  std::vector<Lines> found;
  for (std::size_t at = text.find(function); at != std::string::npos; at = text.find(function, at + 1)) {
    const std::size_t end = at + function.size();
    if ((at > 0 && of_name(text[at - 1])) || (end < text.size() && of_name(text[end]))) continue;
    std::size_t bracket = text.find_first_not_of(" \t\n", end), close = 0;
    if (bracket == std::string::npos) break;
    if (text[bracket] != '(') bracket = lambda_bracket(text, end);
    const std::size_t brace = bracket == std::string::npos ? bracket : opening_brace(text, bracket);
    if (brace == std::string::npos || cut_arguments(text, brace, close).empty()) continue;
    found.push_back({line_at(text, brace), line_at(text, close)});
  }
  return found;
}

std::vector<std::string> arguments_at(std::string_view source, int line, std::string_view name) {
  const std::string text = made_plain(source);
  std::vector<std::string> words;
  bool found = false;
  std::size_t open = 0, close = 0;
  for (std::size_t at = find_call(text, name, 0, open); at != std::string::npos;
       at = find_call(text, name, at + 1, open)) {
    const std::vector<Piece> arguments = cut_arguments(text, open, close);
    if (arguments.empty()) continue;
    const int first = line_at(text, at), last = line_at(text, close);
    if (line < first || line > last || last - first > kLinesOfACall) continue;
    if (found) return {};  // two on one line: it is not known which
    found = true;
    for (const Piece& each : arguments)
      words.push_back(trimmed(source.substr(each.begin, each.end - each.begin)));
  }
  return words;
}

}  // namespace lab
