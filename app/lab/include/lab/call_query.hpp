// SPDX-License-Identifier: MIT
// What somebody looks for among the calls of a run: `name:cuLaunch* thread:1 result:error arg:#2
// line:40..60`.
//
// Several words mean "and". A word without a field is looked for in all that a row of a call says. Upper and
// lower case are the same, * stands for any characters, and "…" keeps blanks and colons together. Pure: which
// calls are found, call_search.hpp says.
#pragma once
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/model.hpp"
#include "lab/result.hpp"

namespace lab {

enum class QueryField : std::uint8_t { Any, Name, Thread, Result, Argument, Line, File, Context };

struct QueryTerm {
  QueryField field = QueryField::Any;
  std::string text;  // in lower case
  std::string of;    // Argument: its name, if one was given: "bytesize" of arg:bytesize=64
  std::uint64_t from = 0, to = ~std::uint64_t{0};  // Thread, Line; Result, where `number`
  bool number = false;                             // Result: an error's number
  bool operator==(const QueryTerm&) const = default;
};

class CallQuery {
 public:
  // The problem names the word, where it stands, and what could be written instead.
  static Result<CallQuery> parse(std::string_view words);

  const std::vector<QueryTerm>& terms() const { return terms_; }
  bool empty() const { return terms_.empty(); }
  bool operator==(const CallQuery&) const = default;

 private:
  std::vector<QueryTerm> terms_;
};

// `pattern` in lower case; with a * it is held against the whole text, without one `whole` says if it is.
bool matches_pattern(std::string_view text, std::string_view pattern, bool whole);

// What there is in a run to be looked for, collected a bounded number of events at a time.
class CallFacts {
 public:
  // True if the store has more.
  bool follow_some(const trace::Store& store, std::size_t most);
  const std::set<std::string_view>& names() const { return names_; }
  const std::set<std::string_view>& results() const { return results_; }  // of errors: "CUDA_ERROR_…"
  const std::set<std::uint32_t>& threads() const { return threads_; }

 private:
  std::size_t seen_ = 0;
  std::vector<bool> functions_;  // seen
  std::set<std::pair<trace::Layer, std::int32_t>> codes_;
  std::set<std::string_view> names_, results_;
  std::set<std::uint32_t> threads_;
};

// What the word before the caret can become.
struct QueryCompletion {
  std::size_t begin = 0, end = 0;  // the bytes that a word takes the place of
  std::vector<std::string> words;  // few; empty if there is nothing to say
};
// Fields, names and results that the run has, and names of contexts and objects of the state.
QueryCompletion complete(std::string_view query, std::size_t caret, const CallFacts& facts,
                         const State& state);

}  // namespace lab
