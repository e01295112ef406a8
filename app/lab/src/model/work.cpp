// SPDX-License-Identifier: MIT
// See lab/work.hpp.
#include "lab/work.hpp"

#include <algorithm>
#include <utility>

namespace lab {

std::uint64_t StreamWork::last_before(const WorkItem& later) const {
  for (std::size_t i = items.size(); i-- > 0;)
    if (certainly_before(items[i], later)) return first_kept() + i;
  return 0;
}

const StreamWork* Work::of(const StreamKey& stream) const {
  const auto found = streams.find(stream);
  return found == streams.end() ? nullptr : &found->second;
}

const EventMark* Work::waiting_mark(ObjectId event) const {
  const auto found = marks.find(event.number);
  if (found == marks.end()) return nullptr;
  const EventMark& mark = found->second;
  const StreamWork* stream = of(mark.stream);
  const bool done = stream == nullptr || stream->since != mark.since || mark.number <= stream->ended;
  return done ? nullptr : &mark;
}

std::vector<Work::Place> Work::recorded_by(std::uint64_t event) const {
  std::vector<Place> places;
  for (const auto& [key, stream] : streams) {
    const auto found =
        std::lower_bound(stream.items.begin(), stream.items.end(), event,
                         [](const WorkItem& item, std::uint64_t wanted) { return item.event < wanted; });
    if (found == stream.items.end() || found->event != event || found->kind != WorkKind::Record) continue;
    places.push_back({key, stream.first_kept() + static_cast<std::uint64_t>(found - stream.items.begin())});
  }
  return places;
}

// The record is done, or not followed any more, in the stream of the event's mark: is it in another?
void Work::mark_elsewhere(std::uint32_t event, const WorkItem& record) {
  const std::vector<Place> places = recorded_by(record.event);
  if (places.empty()) {
    marks.erase(event);
    return;
  }
  const Place& place = places.back();
  marks[event] = {place.stream, streams.at(place.stream).since, place.number, record};
}

WorkChange given_work(std::uint32_t from_context, std::uint32_t to_context) {
  WorkChange change;
  change.what = WorkChange::What::Give;
  change.stream.context = from_context;
  change.number = to_context;
  return change;
}

void Work::apply(const WorkChange& change) {
  switch (change.what) {
    case WorkChange::What::Enqueue: {
      const auto [place, fresh] = streams.try_emplace(change.stream);
      StreamWork& stream = place->second;
      if (fresh) {
        stream.since = change.item.event;
        stream.with_legacy = change.with_legacy;
      }
      if (stream.items.size() == StreamWork::kMostItems)
        stream.items.erase(stream.items.begin(), stream.items.begin() + StreamWork::kMostItems / 2);
      stream.items.push_back(change.item);
      ++stream.added;
      if (change.item.kind == WorkKind::Record && change.item.object &&
          !unclear.contains(change.item.object.number))
        marks[change.item.object.number] = {change.stream, stream.since, stream.added, change.item};
      break;
    }
    case WorkChange::What::Finish: {
      const auto found = streams.find(change.stream);
      if (found == streams.end()) break;
      StreamWork& stream = found->second;
      stream.ended = std::min(std::max(stream.ended, change.number), stream.added);
      auto kept = stream.items.begin();
      std::vector<WorkItem> unmarked;
      for (std::uint64_t number = stream.first_kept(); kept != stream.items.end() && number <= stream.ended;
           ++number, ++kept) {
        if (kept->kind != WorkKind::Record) continue;
        const auto mark = marks.find(kept->object.number);
        if (mark != marks.end() && mark->second.item.event == kept->event &&
            mark->second.stream == change.stream)
          unmarked.push_back(*kept);
      }
      stream.items.erase(stream.items.begin(), kept);
      if (stream.waiting() == 0) streams.erase(found);
      for (const WorkItem& record : unmarked) mark_elsewhere(record.object.number, record);
      break;
    }
    case WorkChange::What::ForgetStream:
      streams.erase(change.stream);
      break;
    case WorkChange::What::ForgetContext:
      std::erase_if(streams, [&](const auto& one) { return one.first.context == change.stream.context; });
      break;
    case WorkChange::What::ForgetThread:
      std::erase_if(streams, [&](const auto& one) {
        return one.first.kind == StreamKey::Kind::PerThread && one.first.number == change.number;
      });
      break;
    case WorkChange::What::ForgetEvent:
      marks.erase(change.item.object.number);
      break;
    case WorkChange::What::Unclear:
      marks.erase(change.item.object.number);
      unclear.insert(change.item.object.number);
      break;
    case WorkChange::What::Give: {
      const auto to = static_cast<std::uint32_t>(change.number);
      std::map<StreamKey, StreamWork> given;
      for (auto& [key, stream] : streams) {
        StreamKey now = key;
        if (now.context == change.stream.context) now.context = to;
        given.try_emplace(now, std::move(stream));
      }
      streams = std::move(given);
      for (auto& [number, mark] : marks)
        if (mark.stream.context == change.stream.context) mark.stream.context = to;
      break;
    }
  }
}

void Work::clear() {
  streams.clear();
  marks.clear();
  unclear.clear();
}

std::size_t Work::bytes() const {
  constexpr std::size_t kMapNode = 40;
  std::size_t total = marks.size() * (sizeof(EventMark) + kMapNode) + unclear.size() * kMapNode;
  for (const auto& [key, stream] : streams)
    total += sizeof(key) + sizeof(stream) + kMapNode + stream.items.capacity() * sizeof(WorkItem);
  return total;
}

}  // namespace lab
