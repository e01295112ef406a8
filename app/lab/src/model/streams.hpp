// SPDX-License-Identifier: MIT
// Which stream a call means. Shared by the rules about work and about graphs; uses nothing but the step.
#pragma once
#include <optional>

#include "model/apply.hpp"

namespace lab {

struct MeantStream {
  StreamKey key;
  bool with_legacy = false;  // certain: it is ordered with the legacy stream of its context
};

// The stream among the call's arguments; without one, the default stream that this variant of the function
// uses. Nothing if it cannot be known.
std::optional<MeantStream> meant_stream(Step& step);
std::optional<MeantStream> stream_of_handle(Step& step, std::uint64_t handle);

// What the call puts into its stream; `object` and `amount` are left to the caller.
WorkItem item_of(const Step& step, WorkKind kind);

// The kernel, as a function or as a library's kernel. None if it is not known.
ObjectId kernel_of(Step& step, std::uint64_t handle);

// Something besides the calls that are recorded may record the event.
void make_unclear(Step& step, ObjectId event);

// Adds the item to its stream; if the stream is captured, a node to the graph.
void enqueue(Step& step, const MeantStream& stream, const WorkItem& item);
// The rules that are about captures and graphs.
std::vector<Rule> graph_rules();
bool capture(Step& step, const MeantStream& stream, const WorkItem& item);  // false: it is not captured
// The event is recorded, or waited for, inside a capture: true, and all is done.
bool capture_record(Step& step, const MeantStream& stream, ObjectId event);
bool capture_wait(Step& step, const MeantStream& stream, ObjectId event);

}  // namespace lab
