// SPDX-License-Identifier: MIT
// Makes a scene of a moment of a run: which boxes, where, and with what words.
//
// Pure: everything that it needs of fonts and of the run is in Request. Places are stable: stacks grow upward
// from the bottom, contexts keep their cell in the order of creation, and only long lists are folded.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lab/copy.hpp"
#include "lab/ghost.hpp"
#include "lab/text.hpp"
#include "picture_scene.hpp"

namespace gui::picture {

struct Meter {
  std::function<float(std::string_view, Face, Size)> width;
  std::function<float(Face, Size)> height;  // of a line
};

// What the user has chosen to leave out of the picture. Threads, contexts and their state always stay as they
// are in the run; only what is drawn changes.
struct Filter {
  bool threads = true, memory = true, code = true, streams = true, other = true, destroyed = true;
  std::uint32_t device = lab::kNone;  // ordinal; kNone: all of them
  bool operator==(const Filter&) const = default;
  bool everything() const { return *this == Filter{}; }
  bool shows(lab::ObjectKind kind) const;
};

struct ShownCopy {
  lab::Copied copied;
  CopyPhase phase = CopyPhase::Moves;
  std::uint64_t event = 0;  // of the call
};

struct Request {
  const lab::State* state = nullptr;
  lab::Language language = lab::Language::English;
  const Meter* meter = nullptr;
  float scale = 1, width = 600;
  std::uint32_t acting_thread = lab::kNone;
  std::string process;     // "process 2", if the run has several; shown on each thread
  std::string step_title;  // "This step · call 6 · cuCtxPushCurrent"
  std::string step_words;  // "+ A on top."
  bool step_failed = false;
  lab::ObjectId about;  // the stream that the step names: it is shown, also if nothing of it changed
  // How many cards a thread's stack (by its number) has room for, if more than the three that each has.
  std::map<std::uint32_t, std::uint32_t> least_cards;
  bool low = false;                           // the panel is low: no room is kept for cards that may come
  bool beside = false;                        // devices may stand beside the threads, if there is room
  std::set<std::uint64_t> unfolded;           // ids of folds that the user opened
  std::function<int(std::uint64_t)> line_of;  // source line of an event; 0: unknown
  Filter filter;
  lab::ObjectId wanted;  // shown although others of its kind fold: what was searched for
  // What is different from the pinned moment: words, and the objects with their marks.
  std::string since_words;
  std::map<lab::ObjectId, Box::Since> since;
  std::optional<lab::GhostMoment> ghost;  // of the run before; nothing: it is not shown
  std::vector<ShownCopy> copies;
  bool host_ahead = false;  // a later call names host memory, so its column is there already
  std::function<std::string(const lab::HostRegion&)> host_name;  // as the program calls it; "" if not known
};

Scene lay_out(const Request& request);

// The most cards that a stack shows before it folds, and so the largest useful value of least_cards.
inline constexpr std::uint32_t kLeastCards = 3, kLeastCardsLow = 2, kMostCards = 8;

// The places of allocations on a ribbon of width 1: low address first, gaps to scale. A gap that is longer
// than all allocations together becomes a cut.
struct Stretch {
  std::uint64_t address = 0, size = 0;
};
struct Placed {
  double begin = 0, end = 0;  // 0…1
  bool cut_before = false;
};
std::vector<Placed> place_on_ribbon(const std::vector<Stretch>& sorted_by_address);

}  // namespace gui::picture
