// SPDX-License-Identifier: MIT
// What was put into streams and is not known to be done, as far as driver calls show: a call that enqueues
// returns before its work is done, and only some later calls prove that it is done.
//
// "Not known to be done" is all that is claimed: it may be waiting, running or done. Plain values; the rules
// about calls are in src/model/apply_work.cpp.
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "lab/object.hpp"

namespace lab {

enum class WorkKind : std::uint8_t {
  Kernel,
  Copy,
  Fill,
  Host,      // a function of the program
  Allocate,  // memory of a pool, in the order of the stream
  Free,
  Graph,      // a launch of one
  Record,     // an event: a point in the stream
  Wait,       // for an event
  WaitValue,  // until a number in memory has a value
  WriteValue,
  Other
};
inline constexpr std::size_t kWorkKinds = static_cast<std::size_t>(WorkKind::Other) + 1;

// One stream of one context. The legacy default stream is one for each context, the per-thread default stream
// one for each context and thread.
struct StreamKey {
  enum class Kind : std::uint8_t { Legacy, PerThread, Made };
  std::uint32_t context = kNone;  // index; kNone: of a green context, or not known
  Kind kind = Kind::Legacy;
  std::uint32_t number = 0;  // PerThread: Thread::number; Made: ObjectId::number

  bool operator==(const StreamKey&) const = default;
  auto operator<=>(const StreamKey&) const = default;
};

inline constexpr std::uint64_t kNoEvent = ~std::uint64_t{0};
// When a call returned that took more than four seconds: before no other call for certain, except on its
// thread.
inline constexpr std::uint64_t kMuchLater = ~std::uint64_t{0};

struct WorkItem {
  std::uint64_t event = 0;                // seq of the call that enqueued it
  std::uint64_t began = 0, returned = 0;  // of that call, in ns
  // Of a Wait: seq of the call that recorded the event, or kNoEvent if that is not certain. Else: bytes.
  std::uint64_t amount = 0;
  ObjectId object;           // kernel, graph, event, allocation; None: not known
  std::uint32_t thread = 0;  // of the call
  WorkKind kind = WorkKind::Other;

  bool operator==(const WorkItem&) const = default;
};

// The call of `first` had returned before that of `second` began.
inline bool certainly_before(const WorkItem& first, const WorkItem& second) {
  return first.event < second.event && (first.thread == second.thread || first.returned <= second.began);
}

// A stream with work that is not known to be done. Its items are counted from 1, beginning when it last had
// none. Programs may enqueue without end, so only the latest are kept; the others are counted.
struct StreamWork {
  static constexpr std::size_t kMostItems = 16;  // one more, and the older half is only counted

  std::uint64_t since = 0;  // event of item 1
  std::uint64_t added = 0, ended = 0;
  bool with_legacy = false;  // certain: it waits for the legacy stream of its context, and the reverse
  std::vector<WorkItem> items;

  std::uint64_t waiting() const { return added - ended; }
  std::uint64_t first_kept() const { return added - items.size() + 1; }  // the number of items.front()
  // The number of the last item that was enqueued before the call of `later` for certain; 0: none is.
  std::uint64_t last_before(const WorkItem& later) const;
  bool operator==(const StreamWork&) const = default;
};

// Where an event was last recorded; if that was in several streams, one in which it is not known to be done.
struct EventMark {
  StreamKey stream;
  std::uint64_t since = 0, number = 0;  // StreamWork::since, and the number of the item in it
  WorkItem item;

  bool operator==(const EventMark&) const = default;
};

struct WorkChange {
  enum class What : std::uint8_t {
    Enqueue,
    Finish,        // items up to `number`
    ForgetStream,  // it ended
    ForgetContext,
    ForgetThread,  // `number`: its per-thread default streams
    ForgetEvent,   // `item.object`: where it was recorded is not known, or it ended
    Unclear,       // `item.object`: from now on it is not known where it was recorded
    Give           // what is of context stream.context now is of context `number`
  };
  What what = What::Enqueue;
  bool with_legacy = false;
  StreamKey stream;
  std::uint64_t number = 0;
  WorkItem item;
};

WorkChange given_work(std::uint32_t from_context, std::uint32_t to_context);

struct Work {
  std::map<StreamKey, StreamWork> streams;   // those with work that is not known to be done
  std::map<std::uint32_t, EventMark> marks;  // by ObjectId::number of the event
  // Events that something besides recorded calls may record: a graph, another process. They prove nothing.
  std::set<std::uint32_t> unclear;

  void apply(const WorkChange& change);
  void clear();
  const StreamWork* of(const StreamKey& stream) const;  // nullptr: all of its work is known to be done
  // The mark of an event whose record is not known to be done.
  const EventMark* waiting_mark(ObjectId event) const;
  // The streams and numbers of Record items that are not known to be done, by their call: one, or more if it
  // recorded in all streams of a green context.
  struct Place {
    StreamKey stream;
    std::uint64_t number = 0;
  };
  std::vector<Place> recorded_by(std::uint64_t event) const;
  std::size_t bytes() const;
  bool operator==(const Work&) const = default;

 private:
  void mark_elsewhere(std::uint32_t event, const WorkItem& record);
};

}  // namespace lab
