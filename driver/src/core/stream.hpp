// Streams and events: handles with a home and a few properties, and nothing that runs.
//
// Every call here has done its work when it returns, so a stream is always idle and an event has happened
// when it was recorded. That is one of the orders which the manual allows; what overlaps on a real machine is
// another matter. Guarded by Driver's lock.
#pragma once

#include <chrono>
#include <optional>

#include "core/context.hpp"

namespace driver {

class Stream : public OwnedObject {
 public:
  Stream(Context& context, unsigned flags, int priority);
  ~Stream() override;

  CUstream handle() { return reinterpret_cast<CUstream>(this); }
  // Null for what is no stream of ours, the default ones included.
  static Stream* find(CUstream handle);

  Context& context;
  const unsigned flags;
  const int priority;
  const unsigned long long id;
};

class Event : public OwnedObject {
 public:
  Event(Context& context, unsigned flags);
  ~Event() override;

  CUevent handle() { return reinterpret_cast<CUevent>(this); }
  static Event* find(CUevent handle);

  Context& context;
  const unsigned flags;
  std::optional<std::chrono::steady_clock::time_point> recorded;
};

inline bool is_default_stream(CUstream stream) {
  return stream == nullptr || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
}

// Whether a call may name this stream: a default one, or one that is alive. The real driver crashes on
// others.
inline bool is_stream(CUstream stream) {
  return is_default_stream(stream) || Stream::find(stream) != nullptr;
}

}  // namespace driver
