// SPDX-License-Identifier: MIT
// See lab/nesting.hpp. Both functions search the neighbours of a call in the store.
#include "lab/nesting.hpp"

namespace lab {
namespace {

constexpr std::size_t kMostInRows = 256;          // calls inside one call
constexpr std::size_t kMostLookedThrough = 4000;  // events inside one call

}  // namespace

std::size_t call_of_row(const trace::Store& store, std::size_t row, std::size_t calls) {
  const auto event = [&store](std::size_t call) { return store.event_of_call(call); };
  std::size_t outer = row;
  while (outer < calls && outer - row < kMostInRows && store.depth_at(event(outer)) > 0) ++outer;
  if (outer == calls || store.depth_at(event(outer)) > 0) return row;
  const std::uint32_t thread = store.thread_at(event(outer));
  std::size_t first = outer;
  while (first > 0 && outer - first <= kMostInRows && store.depth_at(event(first - 1)) > 0 &&
         store.thread_at(event(first - 1)) == thread)
    --first;
  if (row < first || outer - first > kMostInRows || first == outer) return row;
  CallsBegun<std::size_t> begun;
  for (std::size_t call = first; call <= outer; ++call) begun.add(store.depth_at(event(call)), call);
  return begun.calls()[row - first].second;
}

std::optional<std::size_t> outermost(const trace::Store& store, std::size_t event) {
  const trace::Event inner = store.at(event);
  if (inner.depth == 0) return event;
  for (std::size_t back = 1; back <= event && back < kMostLookedThrough; ++back) {
    if (store.kind_at(event - back) != trace::EventKind::Call) continue;
    const trace::Event before = store.at(event - back);
    if (before.thread != inner.thread || before.process != inner.process) continue;
    if (before.depth > 0) return std::nullopt;  // not the first
    break;
  }
  for (std::size_t i = event + 1; i < store.size() && i - event < kMostLookedThrough; ++i) {
    if (store.kind_at(i) != trace::EventKind::Call) continue;
    const trace::Event around = store.at(i);
    if (around.thread == inner.thread && around.process == inner.process && around.depth == 0) return i;
  }
  return std::nullopt;
}

}  // namespace lab
