// SPDX-License-Identifier: MIT
// See picture_copies.hpp.
#include "picture_copies.hpp"

#include <algorithm>
#include <optional>

#include "lab/object_names.hpp"

namespace gui::picture {
namespace {

std::uint64_t end_of(const trace::Store& store, std::size_t event) {
  return store.time_at(event) + store.duration_at(event);
}

// Times become known about in the order in which work ended, so the search begins a little before the first
// that can be meant, and gives up after a while: such work counts as not measured.
std::optional<trace::WorkTime> time_of(const trace::Store& store, const lab::WorkItem& item) {
  constexpr std::size_t kBack = 256, kMost = 4096;
  std::size_t low = 0, high = store.work_times();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (store.work_time_at(middle).ended < item.began)
      low = middle + 1;
    else
      high = middle;
  }
  const std::size_t first = low > kBack ? low - kBack : 0;
  const std::size_t last = std::min(store.work_times(), low + kMost);
  for (std::size_t i = first; i < last; ++i) {
    const trace::WorkTime time = store.work_time_at(i);
    if (time.thread == item.thread && time.enqueued >= item.began && time.enqueued <= item.returned)
      return time;
  }
  return std::nullopt;
}

bool captured(const lab::State& state, std::uint64_t event) {
  return std::any_of(state.graphs.captures.begin(), state.graphs.captures.end(), [event](const auto& one) {
    const auto& nodes = one.second.shape.nodes;
    return std::any_of(nodes.begin(), nodes.end(),
                       [event](const lab::GraphNode& node) { return node.event == event; });
  });
}

std::vector<lab::WorkItem> copies_in(const lab::State& state) {
  std::vector<lab::WorkItem> found;
  for (const auto& [key, stream] : state.work.streams)
    for (const lab::WorkItem& item : stream.items)
      if (item.kind == lab::WorkKind::Copy) found.push_back(item);
  std::sort(found.begin(), found.end(),
            [](const lab::WorkItem& a, const lab::WorkItem& b) { return a.event < b.event; });
  return found;
}

bool holds(const std::vector<lab::WorkItem>& items, std::uint64_t event) {
  return std::any_of(items.begin(), items.end(),
                     [event](const lab::WorkItem& item) { return item.event == event; });
}

}  // namespace

std::vector<ShownCopy> copies_at(const trace::Store& store, std::size_t moment, const lab::State& now,
                                 const lab::State* before) {
  std::vector<ShownCopy> shown;
  if (moment == 0) return shown;
  const std::uint64_t instant = end_of(store, moment - 1);
  const std::uint64_t earlier = moment > 1 ? end_of(store, moment - 2) : 0;
  const auto add = [&](std::uint64_t event, CopyPhase phase) {
    if (event >= store.size()) return;
    if (const auto copied = lab::copy_of(store.at(static_cast<std::size_t>(event))))
      shown.push_back({*copied, phase, event});
  };
  const std::vector<lab::WorkItem> waiting = copies_in(now);
  if (before != nullptr)
    for (const lab::WorkItem& item : copies_in(*before)) {
      if (holds(waiting, item.event)) continue;
      const auto time = time_of(store, item);
      if (!time || time->ended > earlier) add(item.event, CopyPhase::Moves);
    }
  for (const lab::WorkItem& item : waiting) {
    const auto time = time_of(store, item);
    if (time && time->ended <= earlier && item.event + 1 != moment) continue;
    add(item.event, !time || time->began > instant ? CopyPhase::Waits
                    : time->ended > instant        ? CopyPhase::Runs
                                                   : CopyPhase::Moves);
  }
  const trace::Event last = store.at(moment - 1);
  if (last.kind == trace::EventKind::Call && last.process == now.process && last.returned &&
      !holds(waiting, last.seq) && !captured(now, last.seq))
    add(moment - 1, last.result == 0 ? CopyPhase::Moves : CopyPhase::Failed);
  if (shown.size() > kMostCopies)
    shown.erase(shown.begin(), shown.end() - static_cast<std::ptrdiff_t>(kMostCopies));
  return shown;
}

std::string host_name(const ShownRun& run, const lab::HostRegion& region) {
  if (!run.variable || region.event >= run.store.size()) return {};
  const trace::Event call = run.store.at(static_cast<std::size_t>(region.event));
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (call.arguments[i].word - region.address < region.size) return run.variable(call, i);
  return {};
}

std::string end_name(const ShownRun& run, const lab::State& state, const lab::CopyEnd& end) {
  if (end.side == lab::CopyEnd::Side::Array) {
    const lab::Object* const array = state.object_of(lab::ObjectKind::Array, end.address);
    return array != nullptr ? lab::object_name(*array) : std::string();
  }
  if (const lab::Allocation* held = state.allocation_at(end.address))
    return "#" + std::to_string(held->number);
  if (const lab::HostRegion* region = state.host.holding(end.address)) return host_name(run, *region);
  return {};
}

}  // namespace gui::picture
