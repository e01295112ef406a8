// Stream and Event: the handles that are alive.
#include "core/stream.hpp"

#include <atomic>
#include <set>

namespace driver {
namespace {

// Leaked, so that a thread in a call at the end of the process finds them.
std::set<const Stream*>& streams() {
  static auto* const alive = new std::set<const Stream*>;
  return *alive;
}

std::set<const Event*>& events() {
  static auto* const alive = new std::set<const Event*>;
  return *alive;
}

// 1 and 2 are the default streams'.
unsigned long long next_stream_id() {
  static std::atomic<unsigned long long> next{3};
  return next++;
}

}  // namespace

Stream::Stream(Context& home, unsigned stream_flags, int stream_priority)
    : context(home), flags(stream_flags), priority(stream_priority), id(next_stream_id()) {
  streams().insert(this);
}

Stream::~Stream() {
  streams().erase(this);
}

Stream* Stream::find(CUstream handle) {
  auto* const stream = reinterpret_cast<Stream*>(handle);
  return streams().contains(stream) ? stream : nullptr;
}

Event::Event(Context& home, unsigned event_flags) : context(home), flags(event_flags) {
  events().insert(this);
}

Event::~Event() {
  events().erase(this);
}

Event* Event::find(CUevent handle) {
  auto* const event = reinterpret_cast<Event*>(handle);
  return events().contains(event) ? event : nullptr;
}

}  // namespace driver
