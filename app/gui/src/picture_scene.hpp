// SPDX-License-Identifier: MIT
// What the picture consists of before anything is drawn: boxes with labels, and arrows between them.
//
// A scene is a pure function of a moment (picture_layout.hpp), so that it can be tested for overlaps without
// a window, compared with the scene before it for motion (picture_motion.hpp), and asked what is under the
// mouse. Depends on neither colours nor ImGui's drawing.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "fonts.hpp"
#include "lab/state.hpp"

namespace gui::picture {

struct Rect {
  float x = 0, y = 0, w = 0, h = 0;
  float right() const { return x + w; }
  float bottom() const { return y + h; }
  bool holds(float px, float py) const { return px >= x && px < right() && py >= y && py < bottom(); }
  bool operator==(const Rect&) const = default;
};

enum class BoxKind : std::uint8_t {
  Step,    // what the last call did
  Thread,  // a title with a stack under it
  Stack,   // the frame around cards
  Card,    // one entry of a stack
  Fold,    // "… 12 more", of any kind: its id says of which (IdSpace)
  Device,  // a title with a panel under it
  Panel,   // the frame around contexts
  Context,
  Allocation,
  HostMemory,    // a piece of it in the host's column; `piece`: the program's own
  Ribbon,        // the context's addresses from low to high
  RibbonSpan,    // one allocation on it
  Process,       // what belongs to no context
  Object,        // a module with its contents, a chip, or the lane of a stream
  Lane,          // of a default stream
  Shares,        // the multiprocessors of a device
  Share,         // those of one green context; without an object: the others
  Work,          // a mark in a lane: what was put into the stream, or how much more; and the node of a graph
  EndedThreads,  // "3 ended threads, stacks empty: 1, 2, 5"
  Since,         // what is different from the pinned moment
  Ghost,         // what only the run before had here: an entry of a stack, memory, a context
  Note           // a sentence alone
};

enum class Ink : std::uint8_t { Text, Muted, Context, OnContext, Bad, Good, Caution };
enum class LabelShape : std::uint8_t { Plain, Pill, FilledPill };

// Places are relative to the box's corner, so that labels move with it.
struct Label {
  std::string text;
  Rect at;
  Face face = Face::Ui;
  Size size = Size::Body;
  Ink ink = Ink::Text;
  LabelShape shape = LabelShape::Plain;
  bool struck = false;
  bool over_bar = false;  // an allocation's words, which may be on its bar
};

struct Box {
  std::uint64_t id = 0;  // the same thing has the same id in every moment of a run
  BoxKind kind = BoxKind::Note;
  int parent = -1;  // index of the box that it lies in
  Rect rect;
  std::vector<Label> labels;

  std::uint32_t context = lab::kNone;  // index: whose colour it has
  std::uint32_t thread = lab::kNone;   // number
  std::uint32_t depth = 0;             // Card: entries below it
  std::uint32_t allocation = 0;        // number
  lab::ObjectId object;                // Object; Work: what it is about
  std::uint32_t mark = lab::kNone;     // Lane, Work, the Object of a stream: index in Scene::marks
  lab::WorkKind work = lab::WorkKind::Other;
  bool more = false;    // Work: a number of further items
  bool framed = false;  // Object: a card around other boxes
  bool piece = false;   // Allocation, Ribbon: of a pool, or of a range of addresses
  lab::MemoryKind memory = lab::MemoryKind::Device;
  bool current = false;  // Card: on top; Context: on top of some stack
  bool changed = false;  // by the last event
  // Compared with the pinned moment.
  enum class Since : std::uint8_t { Same, Created, Changed } since = Since::Same;
  bool fresh = false;   // Card, Context, Allocation: the run before did not have it here
  bool failed = false;  // Step: the call returned an error
  bool acting = false;  // Thread: made the last call
  bool empty = false;   // Stack without cards
  bool primary = false;
  bool floating = false;
  bool destroyed = false;
  float dead = 0;          // 1: destroyed, or a primary context that is not active
  float share = 1;         // Allocation, Ghost: how much of the width its bar takes
  float share_before = 0;  // Allocation: that of the run before; 0: the same
  // Allocation: the part that a copy reads or writes, in lengths of the bar; none if both are 0.
  float copied_from = 0, copied_to = 0;
};

// What a click on it selects: None for a box that is no object.
lab::ObjectId object_of(const Box& box);
// The name by which the keyboard knows an object (key_stops.hpp).
std::string stop_name(lab::ObjectId object);

// More about a box that stands for work; beside the boxes, of which there are thousands without it.
struct WorkMark {
  lab::StreamKey stream;
  std::uint64_t event = lab::kNoEvent;      // of the call that put it there
  std::uint64_t waits_for = lab::kNoEvent;  // the call that recorded the event that it waits for
  lab::ObjectId graph;                      // that it is a node of
  std::size_t node = 0;                     // its index in the shape
};

struct Point {
  float x = 0, y = 0;
};

enum class CopyPhase : std::uint8_t {
  Moves,  // it was done by the last call, or during it
  Waits,  // in a stream
  Runs,   // as the driver reported
  Failed  // the call returned an error
};

struct Arrow {
  std::uint64_t id = 0;
  int from = -1, to = -1;   // boxes: a card, and its context
  bool acting = false;      // of the thread that made the last call
  bool of_library = false;  // from a library to its copy in a context
  bool of_edge = false;     // from a node of a graph to one that depends on it
  bool of_mapping = false;  // from physical memory to where it is mapped
  bool of_wait = false;     // from a mark that waits to that of the event
  bool of_copy = false;     // from the memory that a copy reads to that which it writes
  CopyPhase copy = CopyPhase::Moves;
  int slot = 0;       // of the copies at one piece of host memory: 0 for the first
  std::string words;  // its bytes
  float words_width = 0;
  float gap = 0;  // the middle of the gap between the host's memory and the devices; 0: there is none
  std::vector<Point> route;  // corners of the line, through the gaps between boxes; none: a curve
};

// From the right edge of a card, out and down, to the top edge of its context; in points of the scene.
struct Curve {
  Point from, out, in, to;
};
Curve curve_between(const Rect& card, const Rect& target, float scale);

struct Scene {
  std::vector<Box> boxes;  // a parent comes before the boxes in it
  std::vector<Arrow> arrows;
  std::vector<WorkMark> marks;
  float width = 0, height = 0;
  int focus = -1;  // the box that the last event changed

  // The innermost box there, or -1.
  int box_at(float x, float y) const;
  const WorkMark* mark_of(const Box& box) const {
    return box.mark < marks.size() ? &marks[box.mark] : nullptr;
  }
};

}  // namespace gui::picture
