// SPDX-License-Identifier: MIT
// Streams as lanes: what was put into each and is not known to be done, as a row of marks behind its name,
// the latest at the right.
//
// Part of the layout (picture_objects.hpp places the lanes among a context's objects). Draws nothing.
#pragma once
#include <string>
#include <vector>

#include "picture_layouter.hpp"

namespace gui::picture {

struct Lane {
  lab::StreamKey stream;
  const lab::Object* object = nullptr;    // nullptr: a default stream
  const lab::StreamWork* work = nullptr;  // nullptr: nothing that is not known to be done
};

struct LanePlan {
  std::vector<Lane> lanes;
  std::size_t hidden = 0;  // with work, and not among them
  float height = 0;
};

// The lanes of a context (kNone: of no context). Takes its streams out of `objects` where they have a lane; a
// context with many streams has lanes for those with work, and the others stay chips.
LanePlan plan_lanes(const Layouter& layouter, std::uint32_t context,
                    std::vector<const lab::Object*>& objects);
void place_lanes(Layouter& layouter, const LanePlan& plan, std::uint32_t context, int parent, float x,
                 float y, float width);

// From each wait to the record of the event that it waits for, where both are visible.
void lay_out_wait_arrows(Layouter& layouter);

// The last call put its work into a stream, and returned before the work is done.
bool is_enqueued_now(const lab::State& state);

std::uint64_t object_box(lab::ObjectId id);  // the id of an object's box
std::uint64_t lanes_fold(std::uint32_t context);

// "fill, 64 bytes", "kernel vecAdd", "wait for E1"; of a mark, and of a node of a graph.
std::string work_words(const lab::State& state, lab::Language language, lab::WorkKind kind,
                       lab::ObjectId object, std::uint64_t bytes);
std::string work_words(lab::Language language, lab::WorkKind kind, const std::string& object,
                       std::uint64_t bytes);
std::string stream_words(const lab::State& state, lab::Language language, const lab::StreamKey& stream);

}  // namespace gui::picture
