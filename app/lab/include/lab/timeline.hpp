// SPDX-License-Identifier: MIT
// A run as lanes of time: one for each thread, with its calls from begin to return, and one for each stream,
// with its work from the call that enqueued it to the moment at which it was done.
//
// Made while the run grows, a bounded number of events at a time, and only if somebody asks: it takes about
// 20 bytes a call. When work began and ended is known where the driver reported it; otherwise only that it
// was done when a later call had returned (lab/work.hpp). Owned by the thread that draws.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lab/model.hpp"
#include "lab/time_scale.hpp"
#include "lab/timeline_row.hpp"

namespace lab {

struct ThreadLane {
  std::uint32_t process = 0, thread = 0;  // as in trace::Event
  std::vector<TimelineRow> rows;          // by depth of the calls; a span is an event, marked where it failed
};

struct TimelineWork {
  std::uint64_t event = 0;     // of the call that enqueued it
  std::uint64_t enqueued = 0;  // when that call began, in ns
  // The return of the first call that proves that it is done; kOpenEnd: none does.
  std::uint64_t done = kOpenEnd;
  std::uint64_t ran_from = 0, ran_to = 0;  // as the driver reported; ran_to 0: it did not
  std::uint64_t amount = 0;                // as in WorkItem
  ObjectId object;                         // the same
  std::uint32_t thread = 0;                // of the call
  std::uint32_t proof = kNone;             // event of the call of `done`
  std::uint32_t row = 0, span = 0;         // where it lies in its lane
  std::uint32_t piled = 0;                 // so many more items share its span
  WorkKind kind = WorkKind::Other;
  bool over = false;  // it keeps its span open no more

  bool measured() const { return ran_to != 0; }
  // At the latest.
  std::uint64_t end() const { return measured() ? ran_to : done; }
};

struct StreamLane {
  // Work that waits is drawn below work that it waits for; what finds no row is piled up in the last one.
  static constexpr std::size_t kMostRows = 4;

  std::uint32_t process = 0;
  StreamKey key;
  bool with_legacy = false;       // as in StreamWork
  std::vector<TimelineRow> rows;  // a span is an item
  std::vector<TimelineWork> items;
};

// Work that waits for other work, by an event or because one of both is in the legacy stream.
struct TimelineLink {
  std::uint32_t from_lane = 0, from_item = 0, to_lane = 0, to_item = 0;  // of streams()
  bool legacy = false;
};

class Timeline {
 public:
  // The store must outlive it.
  explicit Timeline(const trace::Store& store) : store_(store) {}

  // Takes in at most so many events, as far as the model has followed, and what that model knows of the work
  // of its process. True if there are more.
  bool follow_some(const Model& model, std::size_t most);

  const TimeScale& scale() const { return scale_; }
  const std::vector<ThreadLane>& threads() const { return threads_; }  // in the order in which they began
  const std::vector<StreamLane>& streams() const { return streams_; }
  // Indices of streams() in the order of contexts, in each of them the default streams first.
  std::vector<std::uint32_t> stream_order() const;
  const std::vector<TimelineLink>& links() const { return links_; }  // by the event of to_item, ascending
  std::size_t events() const { return events_; }
  std::uint64_t revision() const { return revision_; }  // another one: something has changed
  // When the last of the first `moment` events was over.
  std::uint64_t instant_of(std::size_t moment) const;
  std::size_t bytes() const;

 private:
  // A stream lane's items that are not known to be done, by the numbers of StreamWork.
  struct Open {
    std::size_t first = 0;  // the item that has number 1
    std::uint64_t added = 0, ended = 0;
    std::size_t pile = 0, in_pile = 0;  // the first item of the pile; how many of it are not done
    std::size_t linked_to_legacy = 0, linked_from_legacy = 0;  // items up to here have their links
  };

  void take_call(std::size_t event);
  ThreadLane& lane_of(std::uint32_t process, std::uint32_t thread);
  void take(std::uint32_t process, const Model::DatedWork& change);
  std::uint32_t stream_lane(std::uint32_t process, const StreamKey& key);
  void enqueue(std::uint32_t process, const WorkChange& change);
  void place(std::uint32_t lane, std::uint32_t item);
  void link_legacy(std::uint32_t lane, std::uint32_t item);
  void link_event(std::uint32_t lane, std::uint32_t item);
  void finish(std::uint32_t lane, std::uint64_t number, std::size_t proof);
  void close(std::uint32_t lane, std::uint64_t instant);
  bool measure(const trace::WorkTime& time);
  void end_item(std::uint32_t lane, std::uint32_t item, std::uint64_t instant);

  const trace::Store& store_;
  TimeScale scale_;
  std::vector<ThreadLane> threads_;
  std::unordered_map<std::uint32_t, std::uint32_t> thread_lanes_;  // by number, which no two processes share
  std::vector<StreamLane> streams_;
  std::vector<Open> open_;  // beside streams_
  std::map<std::pair<std::uint32_t, StreamKey>, std::uint32_t> stream_lanes_;
  std::unordered_map<std::uint64_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> records_;
  std::vector<TimelineLink> links_;
  std::map<std::uint32_t, std::size_t> changes_seen_;  // of the models, by process
  struct Enqueued {
    std::uint64_t began = 0;
    std::uint32_t lane = 0, item = 0;
  };
  std::unordered_map<std::uint32_t, std::vector<Enqueued>> enqueued_;  // by thread, in order
  std::size_t times_seen_ = 0;
  std::vector<trace::WorkTime> without_call_;  // whose call the model has not followed yet
  std::size_t events_ = 0;
  std::uint64_t revision_ = 0;
};

}  // namespace lab
