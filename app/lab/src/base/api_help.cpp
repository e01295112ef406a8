// SPDX-License-Identifier: MIT
// See api_help.hpp.
#include "lab/api_help.hpp"
#include "lab/letters.hpp"

#include <algorithm>
#include <array>

#include "api/descriptions.hpp"
#include "api/help.hpp"

namespace lab {
namespace {

std::string_view in(const api::Phrase& phrase, Language language) {
  return language == Language::English ? phrase.english : phrase.chinese;
}

bool in_name(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

struct KnownWord {
  std::string_view word;
  ApiHelp::Kind kind = ApiHelp::Kind::Function;
  const api::TypeHelp* type = nullptr;  // of an enumerator or a result: its enumeration; null for a constant
  const api::EnumDescription* of = nullptr;  // and as it is described
  std::int64_t value = 0;
};

// By name. Versions of functions are no words of their own here.
const std::vector<KnownWord>& known_words() {
  static const std::vector<KnownWord> known = [] {
    std::vector<KnownWord> words;
    for (const api::FunctionHelp& function : api::functions_explained())
      words.push_back({function.name, ApiHelp::Kind::Function});
    for (const api::TypeHelp& type : api::types_explained()) {
      words.push_back({type.name, ApiHelp::Kind::Type});
      const api::EnumDescription* const of = api::find_enum(type.described_as);
      if (of == nullptr) continue;
      const ApiHelp::Kind kind = type.name == "CUresult" ? ApiHelp::Kind::Result : ApiHelp::Kind::Enumerator;
      for (const api::EnumeratorDescription& one : of->enumerators)
        words.push_back({one.name, kind, &type, of, one.value});
    }
    for (const api::EnumeratorHelp& one : api::enumerators_explained())
      if (!one.constant.empty()) words.push_back({one.name, ApiHelp::Kind::Enumerator});
    std::ranges::sort(words, {}, &KnownWord::word);
    return words;
  }();
  return known;
}

const KnownWord* find_word(std::string_view word) {
  const std::vector<KnownWord>& known = known_words();
  const auto at = std::ranges::lower_bound(known, word, {}, &KnownWord::word);
  return at != known.end() && at->word == word ? &*at : nullptr;
}

std::string number_of(const api::EnumDescription& of, std::int64_t value) {
  if (!of.flags || value < 10) return std::to_string(value);
  std::string digits;
  for (auto rest = static_cast<std::uint64_t>(value); rest != 0; rest /= 16)
    digits.insert(digits.begin(), "0123456789abcdef"[rest % 16]);
  return "0x" + digits;
}

std::vector<ApiHelp::Value> values_of(const api::EnumDescription& of) {
  std::vector<ApiHelp::Value> values;
  for (const api::EnumeratorDescription& one : of.enumerators)
    values.push_back({one.name, number_of(of, one.value)});
  return values;
}

// "CUmemLocation" for "CUmemLocation_v1", which no program writes.
std::string_view written_name(std::string_view described_as) {
  const auto at = std::ranges::find(api::types_explained(), described_as, &api::TypeHelp::described_as);
  return at == api::types_explained().end() ? described_as : at->name;
}

std::vector<ApiHelp::Field> fields_of(const api::StructDescription& of) {
  std::vector<ApiHelp::Field> fields;
  for (const api::FieldDescription& field : of.fields) {
    const std::string_view last = field.name.substr(field.name.rfind('.') + 1);
    const bool filling = last.starts_with('_') || last == "pad";
    if (filling) continue;
    const std::string count = field.count == 0 ? "" : "[" + std::to_string(field.count) + "]";
    fields.push_back({std::string(written_name(field.type.name)), std::string(field.name) + count});
  }
  return fields;
}

ApiHelp of_function(const api::FunctionDescription& function, const api::FunctionHelp& text,
                    Language language) {
  ApiHelp help;
  help.name = text.name;
  help.means = in(text.does, language);
  help.errors.assign(text.errors.begin(), text.errors.end());
  help.declaration = std::string(text.returns) + " " + std::string(text.name) + "(";
  for (const api::ParameterDescription& parameter : function.parameters) {
    if (!help.parameters.empty()) help.declaration += ", ";
    help.declaration += parameter.type;
    if (!parameter.type.ends_with('*')) help.declaration += ' ';
    help.declaration += parameter.name;
    const auto means = std::ranges::find(text.parameters, parameter.name, &api::ParameterHelp::name);
    help.parameters.push_back(
        {parameter.type, parameter.name,
         means == text.parameters.end() ? std::string_view() : in(means->means, language)});
  }
  help.declaration += ")";
  return help;
}

// Its own sentence; "" where only its enumeration is explained.
std::string_view own_meaning(const KnownWord& word, Language language) {
  if (word.kind == ApiHelp::Kind::Result) {
    const api::NamedHelp* const text = api::find_result_help(word.word);
    return text == nullptr ? std::string_view() : in(text->means, language);
  }
  const api::EnumeratorHelp* const text = api::find_enumerator_help(word.word);
  return text == nullptr ? std::string_view() : in(text->means, language);
}

ApiHelp of_type(std::string_view name, Language language) {
  const api::TypeHelp& text = *api::find_type_help(name);
  ApiHelp help;
  help.kind = ApiHelp::Kind::Type;
  help.name = help.declaration = name;
  help.means = in(text.means, language);
  if (const api::EnumDescription* of = api::find_enum(text.described_as)) help.values = values_of(*of);
  const auto described = std::ranges::find(api::structs(), text.described_as, &api::StructDescription::name);
  if (described != api::structs().end()) {
    help.declaration = "struct " + std::string(name);
    help.fields = fields_of(*described);
  }
  return help;
}

ApiHelp of_word(const KnownWord& word, Language language) {
  if (word.kind == ApiHelp::Kind::Type) return of_type(word.word, language);
  ApiHelp help;
  help.kind = word.kind;
  help.name = word.word;
  help.means = own_meaning(word, language);
  if (word.of == nullptr) {
    help.declaration =
        std::string(word.word) + " = " + std::string(api::find_enumerator_help(word.word)->constant);
    return help;
  }
  help.declaration = std::string(word.word) + " = " + number_of(*word.of, word.value);
  help.of = word.type->name;
  help.of_means = in(word.type->means, language);
  if (word.kind == ApiHelp::Kind::Enumerator) help.values = values_of(*word.of);
  return help;
}

std::string_view meaning_of(const KnownWord& word, Language language) {
  if (word.kind == ApiHelp::Kind::Function) return in(api::find_function_help(word.word)->does, language);
  if (word.kind == ApiHelp::Kind::Type) return in(api::find_type_help(word.word)->means, language);
  const std::string_view own = own_meaning(word, language);
  return own.empty() && word.type != nullptr ? in(word.type->means, language) : own;
}

}  // namespace

std::optional<ApiHelp> api_help(std::string_view word, Language language) {
  if (const KnownWord* known = find_word(word); known != nullptr && known->kind != ApiHelp::Kind::Function)
    return of_word(*known, language);
  // The plain name means the version that cuda.h gives it; the name of a version means that one.
  const api::FunctionHelp* text = api::find_function_help(word);
  const api::FunctionDescription* function = api::find_function(text != nullptr ? text->symbol : word);
  if (function == nullptr) return std::nullopt;
  if (text == nullptr) text = api::find_function_help(function->name);
  if (text == nullptr) return std::nullopt;
  return of_function(*function, *text, language);
}

std::string_view word_at(std::string_view text, std::size_t at) {
  if (at >= text.size() || !in_name(text[at])) return {};
  std::size_t begin = at, end = at;
  while (begin > 0 && in_name(text[begin - 1])) --begin;
  while (end < text.size() && in_name(text[end])) ++end;
  return text.substr(begin, end - begin);
}

std::vector<ApiWord> api_words(std::string_view beginning, Language language, std::size_t most) {
  std::array<std::vector<ApiWord>, 3> groups;
  for (const KnownWord& word : known_words()) {
    if (!begins_with(word.word, beginning)) continue;
    const std::size_t group = std::min<std::size_t>(static_cast<std::size_t>(word.kind), groups.size() - 1);
    groups[group].push_back({word.word, meaning_of(word, language), word.kind});
  }
  std::vector<ApiWord> words;
  for (const std::vector<ApiWord>& group : groups) words.insert(words.end(), group.begin(), group.end());
  if (words.size() > most) words.resize(most);
  return words;
}

std::string all_api_help(Language language) {
  std::string all;
  for (const api::FunctionHelp& function : api::functions_explained()) {
    all += in(function.does, language);
    for (const api::ParameterHelp& parameter : function.parameters) all += in(parameter.means, language);
  }
  for (const api::NamedHelp& result : api::results_explained()) all += in(result.means, language);
  for (const api::TypeHelp& type : api::types_explained()) all += in(type.means, language);
  for (const api::EnumeratorHelp& one : api::enumerators_explained()) all += in(one.means, language);
  return all;
}

}  // namespace lab
