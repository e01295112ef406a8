// SPDX-License-Identifier: MIT
// How a change of the work in streams is stored in a long run: about half as large, because of a change each
// field is used for one thing.
#pragma once
#include <cstdint>
#include <limits>

#include "lab/work.hpp"

namespace lab {

template <class Change>
class KeptAsIs {
 public:
  explicit KeptAsIs(const Change& change) : change_(change) {}
  const Change& change() const { return change_; }

 private:
  Change change_;
};

class KeptWork {
 public:
  explicit KeptWork(const WorkChange& change)
      : began_(change.item.began),
        number_(change.what == WorkChange::What::Enqueue ? change.item.amount : change.number),
        event_(change.item.event),
        object_(change.item.object.number),
        stream_(change.stream.number),
        context_(change.stream.context),
        thread_(change.item.thread),
        took_(took(change.item)),
        object_kind_(change.item.object.kind),
        stream_kind_(change.stream.kind),
        kind_(change.item.kind),
        what_(change.what),
        with_legacy_(change.with_legacy) {}

  WorkChange change() const {
    WorkChange change;
    change.what = what_;
    change.with_legacy = with_legacy_;
    change.stream = {context_, stream_kind_, stream_};
    if (what_ != WorkChange::What::Enqueue) change.number = number_;
    const std::uint64_t returned = took_ == kLong ? kMuchLater : began_ + took_;
    change.item = {event_, began_, returned, number_, {object_kind_, object_}, thread_, kind_};
    if (what_ != WorkChange::What::Enqueue) change.item.amount = 0;
    return change;
  }

 private:
  static constexpr std::uint32_t kLong = std::numeric_limits<std::uint32_t>::max();
  static std::uint32_t took(const WorkItem& item) {
    return item.returned == kMuchLater ? kLong : static_cast<std::uint32_t>(item.returned - item.began);
  }

  std::uint64_t began_, number_, event_;
  std::uint32_t object_, stream_, context_, thread_, took_;
  ObjectKind object_kind_;
  StreamKey::Kind stream_kind_;
  WorkKind kind_;
  WorkChange::What what_;
  bool with_legacy_;
};

}  // namespace lab
