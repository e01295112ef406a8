// SPDX-License-Identifier: MIT
// See lab/timeline.hpp. Items of a stream are numbered as StreamWork does, so that what a call proves is
// found in the lane.
#include "lab/timeline.hpp"

#include <algorithm>

namespace lab {
namespace {

// Work of calls that no rule follows stays among them; it is not looked for again and again without end.
constexpr std::size_t kMostWithoutCall = 256;

}  // namespace

bool Timeline::follow_some(const Model& model, std::size_t most) {
  const std::size_t known = std::min(model.moments(), store_.size());
  const std::size_t end = known - std::min(known, events_) > most ? events_ + most : std::max(known, events_);
  const std::size_t before = events_;
  for (; events_ < end; ++events_) take_call(events_);
  std::size_t& seen = changes_seen_[model.process()];
  const std::size_t first = seen;
  for (; seen < model.work_changes(); ++seen) {
    const Model::DatedWork change = model.work_change(seen);
    if (change.event >= events_) break;
    take(model.process(), change);
  }
  std::vector<trace::WorkTime> times;
  times.swap(without_call_);
  for (; times_seen_ < store_.work_times(); ++times_seen_) times.push_back(store_.work_time_at(times_seen_));
  bool measured = false;
  for (const trace::WorkTime& time : times)
    if (measure(time))
      measured = true;
    else if (without_call_.size() < kMostWithoutCall)
      without_call_.push_back(time);
  scale_.settle();
  if (events_ != before || seen != first || measured) ++revision_;
  return end < known;
}

std::uint64_t Timeline::instant_of(std::size_t moment) const {
  moment = std::min(moment, store_.size());
  return moment == 0 ? scale_.first() : store_.time_at(moment - 1) + store_.duration_at(moment - 1);
}

std::vector<std::uint32_t> Timeline::stream_order() const {
  std::vector<std::uint32_t> order;
  order.reserve(streams_.size());
  for (const auto& [key, lane] : stream_lanes_) order.push_back(lane);
  return order;
}

std::size_t Timeline::bytes() const {
  std::size_t total = scale_.bytes() + links_.capacity() * sizeof(TimelineLink);
  for (const ThreadLane& lane : threads_)
    for (const TimelineRow& row : lane.rows) total += sizeof(row) + row.bytes();
  for (const StreamLane& lane : streams_) {
    total += sizeof(lane) + lane.items.capacity() * sizeof(TimelineWork);
    for (const TimelineRow& row : lane.rows) total += sizeof(row) + row.bytes();
  }
  for (const auto& [thread, all] : enqueued_) total += all.capacity() * sizeof(Enqueued);
  constexpr std::size_t kRecord = 96;
  return total + records_.size() * kRecord;
}

ThreadLane& Timeline::lane_of(std::uint32_t process, std::uint32_t thread) {
  const auto [place, fresh] = thread_lanes_.try_emplace(thread, static_cast<std::uint32_t>(threads_.size()));
  if (fresh) threads_.push_back({process, thread, {}});
  return threads_[place->second];
}

void Timeline::take_call(std::size_t event) {
  if (store_.kind_at(event) != trace::EventKind::Call) return;
  const std::uint32_t thread = store_.thread_at(event);
  const auto known = thread_lanes_.find(thread);
  ThreadLane& lane =
      known != thread_lanes_.end() ? threads_[known->second] : lane_of(store_.process_at(event), thread);
  const std::size_t depth = store_.depth_at(event);
  if (lane.rows.size() <= depth) lane.rows.resize(depth + 1);
  const std::uint64_t begin = store_.time_at(event), took = store_.duration_at(event);
  // A call that never returned has no duration; one that took no time has none either.
  const bool open = took == 0 && !store_.at(event).returned;
  TimelineRow& row = lane.rows[depth];
  row.add(begin, open ? kOpenEnd : begin + took, static_cast<std::uint32_t>(event));
  if (open || store_.result_at(event) != 0) row.mark(row.size() - 1);
  scale_.add(begin);
  if (!open) scale_.add(begin + took);
}

std::uint32_t Timeline::stream_lane(std::uint32_t process, const StreamKey& key) {
  const auto [place, fresh] =
      stream_lanes_.try_emplace({process, key}, static_cast<std::uint32_t>(streams_.size()));
  if (fresh) {
    streams_.push_back({process, key, false, {}, {}});
    open_.emplace_back();
  }
  return place->second;
}

void Timeline::take(std::uint32_t process, const Model::DatedWork& dated) {
  const WorkChange& change = dated.change;
  const auto close_where = [&](const auto& matches) {
    for (const auto& [key, lane] : stream_lanes_)
      if (key.first == process && matches(key.second)) close(lane, instant_of(dated.event + 1));
  };
  using What = WorkChange::What;
  switch (change.what) {
    case What::Enqueue:
      return enqueue(process, change);
    case What::Finish:
      return finish(stream_lane(process, change.stream), change.number, dated.event);
    case What::ForgetStream:
      return close_where([&](const StreamKey& key) { return key == change.stream; });
    case What::ForgetContext:
      return close_where([&](const StreamKey& key) { return key.context == change.stream.context; });
    case What::ForgetThread:
      return close_where([&](const StreamKey& key) {
        return key.kind == StreamKey::Kind::PerThread && key.number == change.number;
      });
    case What::Give: {
      std::vector<std::pair<StreamKey, std::uint32_t>> given;
      for (const auto& [key, lane] : stream_lanes_)
        if (key.first == process && key.second.context == change.stream.context)
          given.emplace_back(key.second, lane);
      for (auto& [key, lane] : given) {
        stream_lanes_.erase({process, key});
        key.context = static_cast<std::uint32_t>(change.number);
        if (stream_lanes_.try_emplace({process, key}, lane).second) streams_[lane].key = key;
      }
      return;
    }
    case What::ForgetEvent:
    case What::Unclear:
      return;  // what an event proves is the model's concern
  }
}

void Timeline::enqueue(std::uint32_t process, const WorkChange& change) {
  const std::uint32_t number = stream_lane(process, change.stream);
  StreamLane& lane = streams_[number];
  Open& open = open_[number];
  lane.with_legacy = change.with_legacy;
  if (open.added == open.ended) open.first = lane.items.size(), open.added = open.ended = 0;
  ++open.added;
  const auto item = static_cast<std::uint32_t>(lane.items.size());
  TimelineWork work;
  work.event = change.item.event, work.enqueued = change.item.began, work.amount = change.item.amount;
  work.object = change.item.object, work.thread = change.item.thread, work.kind = change.item.kind;
  lane.items.push_back(work);
  place(number, item);
  enqueued_[work.thread].push_back({work.enqueued, number, item});
  if (work.kind == WorkKind::Record) records_[work.event].emplace_back(number, item);
  if (work.kind == WorkKind::Wait && work.amount != kNoEvent) link_event(number, item);
  link_legacy(number, item);
}

// Into the first row that is free; into the pile of the last one if none is.
void Timeline::place(std::uint32_t number, std::uint32_t item) {
  StreamLane& lane = streams_[number];
  Open& open = open_[number];
  TimelineWork& work = lane.items[item];
  const auto is_free = [&](const TimelineRow& row) {
    return row.size() == 0 || row.end(row.size() - 1) <= work.enqueued;
  };
  auto row = std::find_if(lane.rows.begin(), lane.rows.end(), is_free);
  if (row == lane.rows.end() && lane.rows.size() < StreamLane::kMostRows)
    row = lane.rows.emplace(lane.rows.end());
  const bool piled = row == lane.rows.end();
  if (piled) --row;
  work.row = static_cast<std::uint32_t>(row - lane.rows.begin());
  const bool last_row = work.row + 1 == StreamLane::kMostRows;
  if (piled) {
    ++lane.items[open.pile].piled;
    ++open.in_pile;
    row->set_end(row->size() - 1, kOpenEnd);
  } else {
    row->add(work.enqueued, kOpenEnd, item);
    if (last_row) open.pile = item, open.in_pile = 1;
  }
  work.span = static_cast<std::uint32_t>(row->size() - 1);
}

void Timeline::link_event(std::uint32_t lane, std::uint32_t item) {
  const auto found = records_.find(streams_[lane].items[item].amount);
  if (found == records_.end()) return;
  for (const auto& [from_lane, from_item] : found->second)
    if (from_lane != lane) links_.push_back({from_lane, from_item, lane, item, false});
}

// The legacy stream and the blocking streams of its context wait for each other. Each piece of work is linked
// at most once in each direction: what follows it in its stream waits as well.
void Timeline::link_legacy(std::uint32_t lane, std::uint32_t item) {
  const StreamLane& own = streams_[lane];
  const bool legacy = own.key.kind == StreamKey::Kind::Legacy;
  if (!legacy && !own.with_legacy) return;
  const auto waits_for = [&](std::uint32_t other, std::size_t& linked) {
    const Open& open = open_[other];
    const std::size_t items = streams_[other].items.size();
    if (open.added == open.ended || items == 0 || linked >= items) return;
    linked = items;
    links_.push_back({other, static_cast<std::uint32_t>(items - 1), lane, item, true});
  };
  if (!legacy) {
    const auto found = stream_lanes_.find({own.process, {own.key.context, StreamKey::Kind::Legacy, 0}});
    if (found != stream_lanes_.end()) waits_for(found->second, open_[lane].linked_from_legacy);
    return;
  }
  const std::pair first{own.process, StreamKey{own.key.context, StreamKey::Kind::PerThread, 0}};
  for (auto it = stream_lanes_.lower_bound(first);
       it != stream_lanes_.end() && it->first.first == own.process &&
       it->first.second.context == own.key.context;
       ++it)
    if (streams_[it->second].with_legacy) waits_for(it->second, open_[it->second].linked_to_legacy);
}

// The span of the item ends, unless others of a pile are in it that go on.
void Timeline::end_item(std::uint32_t number, std::uint32_t item, std::uint64_t instant) {
  StreamLane& lane = streams_[number];
  Open& open = open_[number];
  TimelineWork& work = lane.items[item];
  TimelineRow& row = lane.rows[work.row];
  const bool in_pile =
      work.row + 1 == StreamLane::kMostRows && item >= open.pile && work.span + 1 == row.size();
  if (in_pile && !work.over) --open.in_pile;
  work.over = true;
  if (in_pile && open.in_pile > 0) return;
  if (row.end(work.span) > instant) row.set_end(work.span, instant);
}

void Timeline::finish(std::uint32_t number, std::uint64_t last, std::size_t proof) {
  Open& open = open_[number];
  const std::uint64_t instant = instant_of(proof + 1);
  for (; open.ended < std::min(last, open.added); ++open.ended) {
    const auto item = static_cast<std::uint32_t>(open.first + open.ended);
    TimelineWork& work = streams_[number].items[item];
    work.done = instant;
    work.proof = static_cast<std::uint32_t>(proof);
    if (!work.measured()) end_item(number, item, instant);
  }
}

// The call that enqueued it is the last of its thread that had begun by then.
bool Timeline::measure(const trace::WorkTime& time) {
  const auto thread = enqueued_.find(time.thread);
  if (thread == enqueued_.end()) return false;
  const std::vector<Enqueued>& all = thread->second;
  auto found = std::upper_bound(all.begin(), all.end(), time.enqueued,
                                [](std::uint64_t at, const Enqueued& one) { return at < one.began; });
  if (found == all.begin()) return false;
  const std::uint64_t began = std::prev(found)->began;
  const std::size_t call = streams_[std::prev(found)->lane].items[std::prev(found)->item].event;
  if (time.enqueued > instant_of(call + 1)) return false;
  // One call may have enqueued several pieces, in one stream or in several.
  for (; found != all.begin() && std::prev(found)->began == began; --found) {
    const auto& [at, lane, item] = *std::prev(found);
    TimelineWork& work = streams_[lane].items[item];
    const bool first = !work.measured();
    work.ran_from = first ? time.began : std::min(work.ran_from, time.began);
    work.ran_to = std::max({work.ran_to, time.ended, std::uint64_t{1}});
    if (first) end_item(lane, item, work.ran_to);
  }
  scale_.add(time.began);
  scale_.add(time.ended);
  return true;
}

// From here on nothing is known of its work.
void Timeline::close(std::uint32_t number, std::uint64_t instant) {
  Open& open = open_[number];
  for (; open.ended < open.added; ++open.ended) {
    const auto item = static_cast<std::uint32_t>(open.first + open.ended);
    if (!streams_[number].items[item].measured()) end_item(number, item, instant);
  }
}

}  // namespace lab
