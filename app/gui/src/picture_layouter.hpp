// SPDX-License-Identifier: MIT
// Shared by the two halves of the layout (threads, devices): the scene being made, and how to put words in
// it. Private to picture_layout.cpp and picture_devices.cpp.
#pragma once
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "picture_layout.hpp"

namespace gui::picture {

enum class IdSpace : std::uint64_t {
  Step = 1,
  Thread,
  Stack,
  Card,
  CardsFold,
  ThreadsFold,
  Device,
  Panel,
  Context,
  Allocation,
  AllocationsFold,
  Ribbon,
  RibbonSpan,
  ContextsFold,
  Note,
  Process,
  Object,
  ObjectsFold,
  EndedThreads,
  Since,
  Lane,
  Work,
  WorkMore,
  Node,
  NodesMore,
  Edge,
  Track,
  CurrentPool,
  Shares,
  Share,
  HostRegion,
  HostFold,
  Copy,
  GhostCard,
  GhostBar,
  GhostContext
};
// Used instead of a context's index: for memory of the process, and for managed memory.
inline constexpr std::uint32_t kManaged = 0xfffffffeu;

inline std::uint64_t make_id(IdSpace space, std::uint64_t major, std::uint64_t minor = 0) {
  return static_cast<std::uint64_t>(space) << 56 | (major & 0xffffff) << 32 | (minor & 0xffffffff);
}

class Layouter {
 public:
  explicit Layouter(const Request& from) : request(from), state(*from.state), on_stack(state.on_stacks()) {}

  const Request& request;
  const lab::State& state;
  const std::vector<bool> on_stack;  // by context: whether it is on any stack
  Scene scene;

  float px(float at_100_percent) const { return std::round(at_100_percent * request.scale); }
  std::string_view text(lab::Text key) const { return lab::text(key, request.language); }
  std::string text(lab::Text key, const std::vector<std::string>& values) const {
    return lab::text(key, request.language, values);
  }
  float width(std::string_view words, Face face, Size size) const {
    return request.meter->width(words, face, size);
  }
  float height(Face face, Size size) const { return request.meter->height(face, size); }

  int add(BoxKind kind, std::uint64_t id, int parent, Rect rect);
  void mark(int box, const WorkMark& mark) {
    scene.boxes[static_cast<std::size_t>(box)].mark = static_cast<std::uint32_t>(scene.marks.size());
    scene.marks.push_back(mark);
  }
  Box& box(int index) { return scene.boxes[static_cast<std::size_t>(index)]; }

  // Puts words into a box, ended with … at `room`; nothing when not even one letter fits. Returns the label's
  // width.
  float put(int box, float x, float y, float room, std::string_view words, Face face, Size size, Ink ink);
  // The same, vertically in the middle of [top, top + height).
  float put_middle(int box, float x, float top, float height, float room, std::string_view words, Face face,
                   Size size, Ink ink);
  // A pill whose right edge is at `right`, left out when narrower than its words. Returns its width.
  float put_pill(int box, float right, float top, float height, float room, std::string_view words, Ink ink,
                 LabelShape shape);
  // Wrapped; at most `lines` lines. Returns the height used.
  float put_wrapped(int box, float x, float y, float room, int lines, std::string_view words, Face face,
                    Size size, Ink ink);
  std::string shorten(std::string_view words, float room, Face face, Size size) const;

  bool is_current(std::uint32_t context) const;
  bool is_changed(std::uint32_t context) const;
  int line_of(std::uint64_t event) const { return request.line_of ? request.line_of(event) : 0; }
};

// Each lays its part out below `y` and returns where it ends.
float lay_out_threads(Layouter& layouter, float y);
// `beside`: from here to the right is all free from the top on, so devices may begin there.
float lay_out_devices(Layouter& layouter, float y, std::optional<Point> beside);
// From each current card to its context (picture_arrows.cpp); when all boxes have their places.
void lay_out_arrows(Layouter& layouter);

}  // namespace gui::picture
