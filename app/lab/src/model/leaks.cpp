// SPDX-License-Identifier: MIT
// See lab/leaks.hpp.
#include "lab/leaks.hpp"

#include <algorithm>

namespace lab {

std::vector<Leak> leaks_in(const State& state) {
  std::vector<Leak> leaks;
  for (std::size_t i = 0; i < state.contexts.size(); ++i) {
    const Context& left = state.contexts[i];
    const ObjectId id{ObjectKind::Context, static_cast<std::uint32_t>(i)};
    if (!left.primary && left.alive) leaks.push_back({id, kNone, 0, 0, left.created_at});
    if (left.primary && left.retain_count > 0)
      leaks.push_back({id, kNone, 0, left.retain_count, left.created_at});
  }
  for (const Allocation& left : state.allocations)
    leaks.push_back({{ObjectKind::Allocation, left.number}, left.context, left.size, 0, left.created_at});
  for (const Object& left : state.objects)
    if (must_be_destroyed(left)) leaks.push_back({left.id, left.context, left.size, 0, left.created_at});
  // kNone is the largest number; the process comes first.
  std::stable_sort(leaks.begin(), leaks.end(), [](const Leak& a, const Leak& b) {
    return a.context + 1 != b.context + 1 ? a.context + 1 < b.context + 1 : a.made_at < b.made_at;
  });
  return leaks;
}

std::size_t moment_after_last_call(const trace::Store& store) {
  return store.calls() == 0 ? 0 : store.event_of_call(store.calls() - 1) + 1;
}

}  // namespace lab
