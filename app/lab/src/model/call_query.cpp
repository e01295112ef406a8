// SPDX-License-Identifier: MIT
// Reads a query. See call_query.hpp for what one can say.
#include "lab/call_query.hpp"
#include "lab/letters.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace lab {
namespace {

struct FieldName {
  QueryField field;
  std::string_view name, example;
};
constexpr std::array kFields = {FieldName{QueryField::Name, "name", "name:cuLaunch*"},
                                FieldName{QueryField::Thread, "thread", "thread:1"},
                                FieldName{QueryField::Result, "result", "result:error"},
                                FieldName{QueryField::Argument, "arg", "arg:#2"},
                                FieldName{QueryField::Line, "line", "line:40..60"},
                                FieldName{QueryField::File, "file", "file:main.cpp"},
                                FieldName{QueryField::Context, "context", "context:A"}};
constexpr std::array<std::string_view, 3> kResults = {"error", "success", "never"};
constexpr std::size_t kMostWords = 8;

bool is_ascii_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}
bool is_blank(char letter) {
  return letter == ' ' || letter == '\t';
}

const FieldName* field_named(std::string_view name) {
  const std::string wanted = lower_case(name);
  for (const FieldName& each : kFields)
    if (each.name == wanted) return &each;
  return nullptr;
}

std::string field_names() {
  std::string all;
  for (const FieldName& each : kFields) (all += all.empty() ? "" : " ") += std::string(each.name) + ":";
  return all;
}

// A word of the query: where it stands, and what it says without its quotation marks.
struct Word {
  std::size_t begin = 0, end = 0;  // bytes
  std::string text;
  std::size_t colon = std::string::npos;  // in `text`: the end of a field's name
  std::size_t open = std::string::npos;   // a quotation mark without its partner
};

std::size_t character_of(std::string_view query, std::size_t byte) {
  const auto starts = [](char each) { return (static_cast<unsigned char>(each) & 0xc0) != 0x80; };
  return 1 + static_cast<std::size_t>(
                 std::count_if(query.begin(), query.begin() + static_cast<long>(byte), starts));
}

std::vector<Word> words_in(std::string_view query) {
  std::vector<Word> words;
  for (std::size_t at = 0; at < query.size();) {
    if (is_blank(query[at])) {
      ++at;
      continue;
    }
    Word word{at, at, {}};
    bool quoted = false;
    for (; at < query.size() && (quoted || !is_blank(query[at])); ++at) {
      if (query[at] == '"') {
        quoted = !quoted;
        word.open = quoted ? at : std::string::npos;
        continue;
      }
      const bool first = word.colon == std::string::npos && !word.text.empty();
      const bool names = first && std::all_of(word.text.begin(), word.text.end(), is_ascii_letter);
      // "std::sort" is no field of the name "std".
      if (query[at] == ':' && !quoted && names && query[word.begin] != '"' && query.substr(at, 2) != "::")
        word.colon = word.text.size();
      word.text += query[at];
    }
    word.end = at;
    words.push_back(std::move(word));
  }
  return words;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(value)
                                                                         : std::nullopt;
}

// "40", "40..60", "40..", "..60".
bool read_range(std::string_view text, QueryTerm& term) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    const auto only = whole_number(text);
    term.from = term.to = only.value_or(0);
    return only.has_value();
  }
  const std::string_view from = text.substr(0, dots), to = text.substr(dots + 2);
  const auto first = from.empty() ? std::optional<std::uint64_t>(0) : whole_number(from);
  const auto last = to.empty() ? std::optional(~std::uint64_t{0}) : whole_number(to);
  if (!first || !last || text == "..") return false;
  term.from = *first, term.to = *last;
  return true;
}

}  // namespace

bool matches_pattern(std::string_view text, std::string_view pattern, bool whole) {
  const std::string folded = lower_case(text);
  if (pattern.find('*') == std::string_view::npos)
    return whole ? folded == pattern : folded.find(pattern) != std::string::npos;
  // The last * takes more whenever what follows it does not fit.
  std::size_t at = 0, in = 0, star = std::string::npos, taken = 0;
  while (at < folded.size()) {
    if (in < pattern.size() && pattern[in] == '*') {
      star = in++, taken = at;
    } else if (in < pattern.size() && pattern[in] == folded[at]) {
      ++in, ++at;
    } else if (star != std::string::npos) {
      in = star + 1, at = ++taken;
    } else {
      return false;
    }
  }
  while (in < pattern.size() && pattern[in] == '*') ++in;
  return in == pattern.size();
}

Result<CallQuery> CallQuery::parse(std::string_view words) {
  CallQuery query;
  for (const Word& word : words_in(words)) {
    const std::string place = std::to_string(character_of(words, word.begin));
    if (word.open != std::string::npos)
      return problem(Text::QueryQuoteOpen, {std::to_string(character_of(words, word.open))});
    QueryTerm term;
    if (word.colon == std::string::npos) {
      if (word.text.empty()) continue;
      term.text = lower_case(word.text);
      if (term.text.find('*') != std::string::npos) term.text = "*" + term.text + "*";  // anywhere in a row
      query.terms_.push_back(std::move(term));
      continue;
    }
    const FieldName* const field = field_named(std::string_view(word.text).substr(0, word.colon));
    if (field == nullptr)
      return problem(Text::QueryNoField,
                     {word.text.substr(0, word.colon + 1), place, field_names(), word.text});
    term.field = field->field;
    term.text = lower_case(std::string_view(word.text).substr(word.colon + 1));
    if (term.text.empty())
      return problem(Text::QueryNoValue, {word.text, place, std::string(field->example)});
    if (term.field == QueryField::Thread && term.text == "main") term.text = "0";
    if (term.field == QueryField::Thread || term.field == QueryField::Line) {
      if (!read_range(term.text, term))
        return problem(Text::QueryNoNumber, {word.text, place, std::string(field->example)});
      if (term.from > term.to)
        return problem(Text::QueryRangeTurned, {word.text, place,
                                                std::string(field->name) + ":" + std::to_string(term.to) +
                                                    ".." + std::to_string(term.from)});
    }
    if (term.field == QueryField::Result)
      if (const auto code = whole_number(term.text)) term.number = true, term.from = term.to = *code;
    if (const std::size_t equals = term.text.find('=');
        term.field == QueryField::Argument && equals != std::string::npos && equals > 0) {
      term.of = term.text.substr(0, equals);
      term.text.erase(0, equals + 1);
      if (term.text.empty()) return problem(Text::QueryNoValue, {word.text, place, "arg:" + term.of + "=*"});
    }
    query.terms_.push_back(std::move(term));
  }
  return query;
}

bool CallFacts::follow_some(const trace::Store& store, std::size_t most) {
  const std::size_t end = std::min(store.size(), seen_ + most);
  for (; seen_ < end; ++seen_) {
    const trace::Function function = store.function_at(seen_);
    if (function == trace::Function::None) continue;
    const auto number = static_cast<std::size_t>(function);
    if (functions_.size() <= number) functions_.resize(number + 1);
    if (!functions_[number]) names_.insert(trace::name_of(function));
    functions_[number] = true;
    threads_.insert(store.thread_at(seen_));
    const std::int32_t result = store.result_at(seen_);
    if (result == 0) continue;
    const trace::Layer layer = trace::layer_of(trace::name_of(function));
    if (!codes_.emplace(layer, result).second) continue;
    if (const std::string_view name = trace::result_name(store.at(seen_)); !name.empty())
      results_.insert(name);
  }
  return seen_ < store.size();
}

QueryCompletion complete(std::string_view query, std::size_t caret, const CallFacts& facts,
                         const State& state) {
  caret = std::min(caret, query.size());
  QueryCompletion made{caret, caret, {}};
  while (made.begin > 0 && !is_blank(query[made.begin - 1])) --made.begin;
  while (made.end < query.size() && !is_blank(query[made.end])) ++made.end;
  const std::string_view word = query.substr(made.begin, caret - made.begin);
  if (word.find('"') != std::string_view::npos) return made;
  const std::string typed = lower_case(word);
  const auto offer = [&made](std::string offered) {
    if (made.words.size() < kMostWords &&
        std::find(made.words.begin(), made.words.end(), offered) == made.words.end())
      made.words.push_back(std::move(offered));
  };
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos) {
    for (const FieldName& each : kFields)
      if (each.name.starts_with(typed)) offer(std::string(each.name) + ":");
    if (typed.size() < 2) return made;
    for (const std::string_view name : facts.names())
      if (lower_case(name).find(typed) != std::string::npos) offer("name:" + std::string(name));
    return made;
  }
  const FieldName* const field = field_named(word.substr(0, colon));
  if (field == nullptr) return made;
  const std::string head = std::string(field->name) + ":", value = typed.substr(colon + 1);
  // What begins as it was typed comes before what only has it somewhere.
  const auto offer_all = [&](const auto& all) {
    for (const bool begins : {true, false})
      for (const auto& each : all) {
        const std::string folded = lower_case(each);
        if (folded.starts_with(value) == begins && folded.find(value) != std::string::npos)
          offer(head + std::string(each));
      }
  };
  std::vector<std::string> values;
  switch (field->field) {
    case QueryField::Name:
      offer_all(facts.names());
      break;
    case QueryField::Thread:
      for (const std::uint32_t thread : facts.threads()) values.push_back(std::to_string(thread));
      break;
    case QueryField::Result:
      offer_all(kResults);
      offer_all(facts.results());
      break;
    case QueryField::Context:
    case QueryField::Argument:
      for (const Context& context : state.contexts)
        if (!context.hidden) values.push_back(context.name);
      if (field->field == QueryField::Context) break;
      for (const Allocation& each : state.allocations) values.push_back("#" + std::to_string(each.number));
      for (const Object& each : state.objects) values.push_back(object_name(each));
      break;
    case QueryField::Line:
    case QueryField::File:
    case QueryField::Any:
      break;
  }
  offer_all(values);
  if (made.words.size() == 1 && lower_case(made.words.front()) == typed) made.words.clear();
  return made;
}

}  // namespace lab
