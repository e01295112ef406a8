// SPDX-License-Identifier: MIT
// See call_order.hpp.
#include "lab/call_order.hpp"

#include <algorithm>
#include <numeric>

namespace lab {

bool CallOrder::follow_some(const trace::Store& store, const Wanted& wanted, std::size_t most) {
  const std::uint64_t generation = wanted.only == nullptr ? 0 : wanted.only->generation();
  const bool same = wanted.by == wanted_.by && wanted.descending == wanted_.descending &&
                    wanted.only == wanted_.only && generation == generation_ && store_ == &store;
  const std::size_t all = wanted.only == nullptr ? store.calls() : wanted.only->found().size();
  if (!same || all < taken_) {
    wanted_ = wanted, generation_ = generation, store_ = &store;
    taken_ = 0;
    sorted_.clear();
  }
  const std::size_t end = all - taken_ > most ? taken_ + most : all;
  const auto before = static_cast<std::ptrdiff_t>(sorted_.size());
  for (; taken_ < end; ++taken_) {
    const std::size_t call = wanted.only == nullptr ? taken_ : wanted.only->found()[taken_];
    sorted_.push_back({key_of(store, call), static_cast<std::uint32_t>(call)});
  }
  // Equal ones stay in the order of the run, whichever way the others are sorted.
  const auto first = [descending = wanted.descending](const Entry& a, const Entry& b) {
    if (a.key != b.key) return descending ? a.key > b.key : a.key < b.key;
    return a.call < b.call;
  };
  std::sort(sorted_.begin() + before, sorted_.end(), first);
  std::inplace_merge(sorted_.begin(), sorted_.begin() + before, sorted_.end(), first);
  return taken_ < all;
}

std::uint64_t CallOrder::key_of(const trace::Store& store, std::size_t call) {
  if (wanted_.by == CallColumn::Number) return call;
  const std::size_t event = store.event_of_call(call);
  switch (wanted_.by) {
    case CallColumn::Thread:
      return store.thread_at(event);
    case CallColumn::Result: {
      const auto result = static_cast<std::uint32_t>(store.result_at(event));
      const bool open = result == 0 && store.duration_at(event) == 0 && !store.at(event).returned;
      return open ? ~std::uint64_t{0} : result;
    }
    case CallColumn::Time:
      return store.duration_at(event);
    case CallColumn::Line:
      return store.at(event).line;
    default:
      break;
  }
  if (ranks_.empty()) {
    std::vector<std::uint32_t> order(api::kFunctions);
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [](std::uint32_t a, std::uint32_t b) {
      return trace::name_of(trace::Function(a)) < trace::name_of(trace::Function(b));
    });
    ranks_.resize(order.size());
    for (std::uint32_t place = 0; place < order.size(); ++place) ranks_[order[place]] = place;
  }
  const auto function = static_cast<std::size_t>(store.function_at(event));
  return function < ranks_.size() ? ranks_[function] : function;  // without a description: after all others
}

std::optional<std::size_t> CallOrder::row_of(std::size_t call) const {
  const auto found =
      std::find_if(sorted_.begin(), sorted_.end(), [call](const Entry& each) { return each.call == call; });
  if (found == sorted_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - sorted_.begin());
}

}  // namespace lab
