// SPDX-License-Identifier: MIT
// The bytes of a recording (trace/FORMAT.md) piece by piece, for a link between two machines instead of a
// file.
//
// Neither side trusts the other: the feed bounds and checks what it is given, as read_recording() does.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "trace/recording.hpp"

namespace trace {

class RecordingStream {
 public:
  explicit RecordingStream(const RunInfo& info);
  ~RecordingStream();
  // Whole chunks: what is to be sent after the events [from, to). The first piece begins with the header.
  std::string take(const Store& store, std::size_t from, std::size_t to);

 private:
  std::unique_ptr<RecordingWriter> writer_;
  std::string bytes_;
};

class RecordingFeed {
 public:
  // Store and information outlive it; the store is empty.
  RecordingFeed(Store& store, RunInfo& info, const RecordingLimits& limits = {});
  ~RecordingFeed();
  // One piece of a stream, in order. After a problem nothing more is taken; what came before it is kept.
  RecordingResult feed(std::string_view piece);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace trace
