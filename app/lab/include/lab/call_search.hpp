// SPDX-License-Identifier: MIT
// The calls of a run that a query finds: looked for a bounded number of events at a time, so that a window
// can go on while a long run is searched.
//
// What costs nothing is asked first (function, thread, result); a call is decoded and described only if the
// rest of the query asks for it. Owned by the thread that draws.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lab/call_query.hpp"

namespace lab {

class CallSearch {
 public:
  using ModelOf = std::function<const Model&(std::size_t event)>;

  // The store must outlive it.
  explicit CallSearch(const trace::Store& store) : store_(&store) {}

  void look_for(CallQuery query);  // begins at the first call
  // Looks at most at so many events, as far as their models have followed the run. True if there are more.
  bool follow_some(const ModelOf& model_of, std::size_t most);

  const CallQuery& query() const { return query_; }
  const std::vector<std::uint32_t>& found() const { return found_; }  // calls, counted from 0, ascending
  bool holds(std::size_t call) const;
  std::size_t place_of(std::size_t call) const;  // how many that are found come before this call
  // The nearest one that is found before this call or after it; round the end of the run to the other one.
  std::optional<std::size_t> next(std::size_t call, Direction direction) const;
  std::size_t looked_at() const { return looked_at_; }      // events
  std::uint64_t generation() const { return generation_; }  // another one: found() has begun anew

 private:
  bool matches(const ModelOf& model_of, std::size_t event);
  bool matches_cheap(const QueryTerm& term, std::size_t number, std::size_t event);
  static bool matches_rest(const QueryTerm& term, const Model& model, const trace::Event& call);
  bool name_matches(const QueryTerm& term, std::size_t number, trace::Function function);

  const trace::Store* store_;
  CallQuery query_;
  std::vector<std::unordered_map<std::uint64_t, bool>> known_;  // by term: of a function, or of a result
  std::vector<std::uint32_t> found_;
  std::size_t looked_at_ = 0;
  std::uint64_t generation_ = 0;
};

}  // namespace lab
