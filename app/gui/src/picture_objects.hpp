// SPDX-License-Identifier: MIT
// Modules, events and the other objects as chips, streams as lanes, in the boxes of contexts and in one for
// the process. Measured before they are placed, because a row of contexts is as tall as its tallest.
#pragma once
#include <string>
#include <vector>

#include "lab/text.hpp"
#include "picture_graphs.hpp"
#include "picture_layouter.hpp"
#include "picture_memory.hpp"
#include "picture_work.hpp"

namespace gui::picture {

// Chips in rows, as wide as their words; what does not fit into the rows allowed is counted.
struct ChipRows {
  struct Chip {
    const lab::Object* object = nullptr;
    std::string words;
    Rect at;  // from the corner of the rows
  };
  std::vector<Chip> chips;
  std::size_t hidden = 0;
  Rect fold;
  float height = 0;
};

// What one context, or the process, has besides memory.
struct ObjectPlan {
  struct Group {  // a module, a library or a green context, with the objects that were got from it
    const lab::Object* head = nullptr;
    std::string title;
    LanePlan lanes;  // of a green context
    ChipRows parts;
    float height = 0;
  };
  std::vector<Group> groups;
  std::size_t hidden_groups = 0;
  LanePlan lanes;
  GraphPlan graphs;
  MemoryPlan memory;  // of the process
  ChipRows others;
  float height = 0;  // 0: nothing to show
};

// Every alive object by its owner, looked up once a scene.
class ObjectPlanner {
 public:
  explicit ObjectPlanner(Layouter& layouter);
  ObjectPlan plan(std::uint32_t context, float width) const;  // kNone: the process
  // Places the plan's boxes inside `parent`, from this corner on.
  void place(const ObjectPlan& plan, std::uint32_t context, int parent, float x, float y, float width) const;

 private:
  ChipRows rows(const std::vector<const lab::Object*>& objects, float width, std::size_t most_rows) const;
  void place_rows(const ChipRows& rows, std::uint64_t fold, std::uint32_t context, int parent, float x,
                  float y) const;
  int chip(const lab::Object& object, std::uint32_t context, int parent, Rect rect) const;
  bool changed(const lab::Object& object) const;

  Layouter& l;
  std::vector<std::vector<const lab::Object*>> by_context_;  // the last one: the process's
};

// The chip for the objects that have no room, as Request::unfolded names it. `context`: kNone is the process.
std::uint64_t modules_fold(std::uint32_t context);                     // whole modules and libraries
std::uint64_t module_fold(std::uint32_t context, lab::ObjectId head);  // what was got from this one
std::uint64_t others_fold(std::uint32_t context);                      // all that is of no module

// From each library to its copies in contexts.
void lay_out_library_arrows(Layouter& layouter);

}  // namespace gui::picture
