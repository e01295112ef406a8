// SPDX-License-Identifier: MIT
// See call_search.hpp.
#include "lab/call_search.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "model/describe.hpp"

namespace lab {
namespace {

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// "#2" is "#2+16" too, and a text is found without its quotation marks.
bool value_matches(std::string_view value, const std::string& wanted) {
  if (value.size() > 1 && value.front() == '"' && value.back() == '"')
    value = value.substr(1, value.size() - 2);
  if (matches_pattern(value, wanted, true)) return true;
  const std::size_t plus = value.find('+');
  return plus != std::string_view::npos && value.front() == '#' &&
         matches_pattern(value.substr(0, plus), wanted, true);
}

bool has_argument(const QueryTerm& term, const Model& model, const trace::Event& call) {
  const auto event = static_cast<std::size_t>(call.seq);
  for (const trace::Argument& argument : call.arguments) {
    if (!term.of.empty() && !matches_pattern(argument.name, term.of, true)) continue;
    const bool written =
        is_output(argument) && !argument.null &&
        (argument.out || (argument.kind == trace::ValueKind::String && !argument.text.empty()));
    if (is_output(argument) && !argument.null && !written) continue;
    if (value_matches(written ? written_word(model, event, argument) : passed_word(model, event, argument),
                      term.text))
      return true;
  }
  return false;
}

}  // namespace

void CallSearch::look_for(CallQuery query) {
  query_ = std::move(query);
  known_.assign(query_.terms().size(), {});
  found_.clear();
  looked_at_ = 0;
  ++generation_;
}

bool CallSearch::follow_some(const ModelOf& model_of, std::size_t most) {
  if (query_.empty()) return false;
  const std::size_t size = store_->size(), end = size - looked_at_ > most ? looked_at_ + most : size;
  for (; looked_at_ < end; ++looked_at_) {
    if (store_->kind_at(looked_at_) != trace::EventKind::Call) continue;
    if (model_of(looked_at_).moments() <= looked_at_) return false;  // not folded yet
    if (matches(model_of, looked_at_))
      found_.push_back(static_cast<std::uint32_t>(store_->calls_before(looked_at_)));
  }
  return looked_at_ < size;
}

bool CallSearch::matches(const ModelOf& model_of, std::size_t event) {
  const std::vector<QueryTerm>& terms = query_.terms();
  bool rest = false;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const bool cheap = terms[i].field == QueryField::Name || terms[i].field == QueryField::Thread ||
                       terms[i].field == QueryField::Result;
    if (cheap && !matches_cheap(terms[i], i, event)) return false;
    rest = rest || !cheap;
  }
  if (!rest) return true;
  std::optional<trace::Event> call;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const QueryField field = terms[i].field;
    if (field == QueryField::Name || field == QueryField::Thread || field == QueryField::Result) continue;
    // A word that the function's name has needs no description.
    if (field == QueryField::Any && name_matches(terms[i], i, store_->function_at(event))) continue;
    if (!call) call = store_->at(event);
    if (!matches_rest(terms[i], model_of(event), *call)) return false;
  }
  return true;
}

bool CallSearch::name_matches(const QueryTerm& term, std::size_t number, trace::Function function) {
  const auto [place, fresh] = known_[number].try_emplace(static_cast<std::uint64_t>(function));
  if (fresh) place->second = matches_pattern(trace::name_of(function), term.text, false);
  return place->second;
}

bool CallSearch::matches_cheap(const QueryTerm& term, std::size_t number, std::size_t event) {
  const trace::Function function = store_->function_at(event);
  if (term.field == QueryField::Name) return name_matches(term, number, function);
  if (term.field == QueryField::Thread) {
    const std::uint32_t thread = store_->thread_at(event);
    return thread >= term.from && thread <= term.to;
  }
  const std::int32_t result = store_->result_at(event);
  // Of a call that never returned, neither a result nor a time is known.
  const auto returned = [&] { return store_->duration_at(event) != 0 || store_->at(event).returned; };
  if (term.text == "never") return result == 0 && !returned();
  if (term.text == "error") return result != 0 || !returned();
  if (term.text == "success") return result == 0 && returned();
  if (term.number) return static_cast<std::uint64_t>(result) == term.from && (result != 0 || returned());
  const auto key = static_cast<std::uint64_t>(function) << 32 | static_cast<std::uint32_t>(result);
  const auto [place, fresh] = known_[number].try_emplace(key);
  if (fresh) place->second = matches_pattern(trace::result_name(store_->at(event)), term.text, false);
  return place->second && (result != 0 || returned());
}

bool CallSearch::matches_rest(const QueryTerm& term, const Model& model, const trace::Event& call) {
  const auto event = static_cast<std::size_t>(call.seq);
  switch (term.field) {
    case QueryField::Argument:
      return has_argument(term, model, call);
    case QueryField::Line:
      return call.line > 0 && call.line >= term.from && call.line <= term.to;
    case QueryField::File:
      return !call.file.empty() && matches_pattern(file_name(call.file), term.text, false);
    case QueryField::Context:
      return matches_pattern(model.current_name(event), term.text, true);
    default:
      break;
  }
  if (call.returned &&
      matches_pattern(fmt::format("{} {}", call.result, trace::result_name(call)), term.text, false))
    return true;
  if (call.line > 0 &&
      matches_pattern(fmt::format("{}:{}", file_name(call.file), call.line), term.text, false))
    return true;
  return matches_pattern(model.describe(event), term.text, false);
}

bool CallSearch::holds(std::size_t call) const {
  return std::binary_search(found_.begin(), found_.end(), call);
}

std::size_t CallSearch::place_of(std::size_t call) const {
  return static_cast<std::size_t>(std::lower_bound(found_.begin(), found_.end(), call) - found_.begin());
}

std::optional<std::size_t> CallSearch::next(std::size_t call, Direction direction) const {
  if (found_.empty()) return std::nullopt;
  if (direction == Direction::Back) {
    const auto here = std::lower_bound(found_.begin(), found_.end(), call);
    return here == found_.begin() ? found_.back() : *(here - 1);
  }
  const auto after = std::upper_bound(found_.begin(), found_.end(), call);
  return after == found_.end() ? found_.front() : *after;
}

}  // namespace lab
