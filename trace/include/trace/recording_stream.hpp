// SPDX-License-Identifier: MIT
// The bytes of a recording (trace/FORMAT.md) piece by piece, for a connection between two machines instead of
// a file.
//
// Neither side trusts the other: RecordingFeed bounds and checks its input, as read_recording() does.
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
  // The complete chunks with the events [from, to), to be sent. The first piece begins with the header.
  std::string take(const Store& store, std::size_t from, std::size_t to);

 private:
  std::unique_ptr<RecordingWriter> writer_;
  std::string bytes_;
};

class RecordingFeed {
 public:
  // The store, which is empty, and the information must outlive this object.
  RecordingFeed(Store& store, RunInfo& info, const RecordingLimits& limits = {});
  ~RecordingFeed();
  // Takes the next piece of the stream. After a problem, further pieces are ignored; earlier events are kept.
  RecordingResult feed(std::string_view piece);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace trace
