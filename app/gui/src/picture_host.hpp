// SPDX-License-Identifier: MIT
// The host's memory in the picture: a narrow column beside the devices, and the arcs of copies from and to
// it. Where the panel is narrow, a band above the devices.
//
// Part of the layout (picture_layouter.hpp). Draws nothing.
#pragma once
#include <vector>

#include "picture_layouter.hpp"

namespace gui::picture {

// A row of the column: memory that the driver made or pinned, or the program's own that copies named.
struct HostRow {
  const lab::Allocation* allocation = nullptr;
  const lab::HostRegion* region = nullptr;
};

struct HostPlan {
  bool shown = false, beside = false;
  std::vector<HostRow> rows;
  std::size_t hidden = 0;
  float width = 0, height = 0;
};

// Memory of the host that stands in the column, and so in no context.
inline bool is_of_host(lab::MemoryKind kind) {
  return kind == lab::MemoryKind::Host || kind == lab::MemoryKind::Registered;
}

// Between the column and the devices, at 100 %: room for the bytes of a copy.
inline constexpr float kBesideHost = 88;

HostPlan plan_host(const Layouter& layouter);
void place_host(Layouter& layouter, const HostPlan& plan, float x, float y);
// The numbers of allocations at the ends of the copies that are shown.
std::vector<std::uint32_t> copied_allocations(const Layouter& layouter);
void lay_out_copies(Layouter& layouter);

// The line of a copy, and where its bytes are written.
struct CopyArc {
  Curve curve;
  Point words;  // the middle of the words
};
CopyArc copy_arc(const Arrow& arrow, const Box& from, const Box& to, float scale);

}  // namespace gui::picture
