// SPDX-License-Identifier: MIT
// The run before in the picture: entries of stacks, memory and contexts that it had at the same place and the
// shown run has not. Grey outlines between and below what there is; each says that it is of the run before.
//
// Part of the layout (picture_layouter.hpp); without a ghost in the request nothing here takes any room.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "picture_layouter.hpp"

namespace gui::picture {

// What is different on this stack; nullptr: nothing.
const lab::GhostMoment::Stack* ghost_of(const Layouter& layouter, const lab::Thread& thread);
float height_of_ghosts(const Layouter& layouter, const lab::Thread& thread);
// `next` gives the room of one entry after the other, from the bottom up, for a height.
void place_ghosts(Layouter& layouter, const lab::GhostMoment::Stack& ghost, int stack,
                  const std::function<Rect(float)>& next);

// Memory that only the run before holds in this context ("": the process).
struct GhostBars {
  std::vector<const lab::GhostMoment::Memory*> bars;  // the largest first
  std::size_t hidden = 0;                             // so many more are only counted
  std::uint64_t largest = 0;
  float height = 0;
};
GhostBars plan_ghosts(const Layouter& layouter, const std::string& context);
// `whole`: the size whose bar takes all of the width.
void place_ghosts(Layouter& layouter, const GhostBars& plan, int parent, Rect rect, std::uint64_t whole);

// A context that the shown run never made.
float height_of_ghost(const Layouter& layouter, const GhostBars& memory);
void place_ghost(Layouter& layouter, const lab::GhostMoment::OfContext& context, const GhostBars& memory,
                 int panel, Rect rect, std::uint64_t whole);

// Of an allocation of the shown run: its size in the run before; 0: the same, or it is not known.
std::uint64_t size_before(const Layouter& layouter, const lab::Allocation& allocation);
// How much of the width a bar takes.
float share_of(const Layouter& layouter, std::uint64_t size, std::uint64_t whole, float width);

}  // namespace gui::picture
