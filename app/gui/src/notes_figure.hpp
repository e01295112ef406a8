// SPDX-License-Identifier: MIT
// The figures of the notes: stacks and contexts as they are at the end of a step, drawn from the run that is
// open.
//
// Smaller and simpler than the picture: which contexts are on which stack, and which are alive. What it shows
// is looked up once for each step and kept. Does not depend on Markdown.
#pragma once
#include <imgui.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "view.hpp"

namespace gui {

struct FigureScene {
  struct Context {
    std::string name;
    bool primary = false, dead = false, floating = false;
    std::uint64_t bytes = 0;  // of what it owns
  };
  struct Stack {
    std::uint32_t thread = 0;
    std::vector<std::size_t> cards;  // indices of contexts, bottom first
  };
  std::vector<Stack> stacks;  // the main thread's, and those of other threads that are not empty
  std::vector<Context> contexts;
};
FigureScene figure_scene(const lab::State& state);

class NotesFigures {
 public:
  void draw(Frame& frame, ImVec2 from, ImVec2 to, const std::string& step);

 private:
  const FigureScene* scene_of(Frame& frame, const std::string& step);
  struct Figure {
    std::size_t folded = 0;  // how many events the model had when this was looked up
    std::size_t moment = 0;  // the shown moment: the end of the step so far; 0: the step has not begun
    FigureScene scene;
  };
  std::map<std::string, Figure> figures_;  // by step, of this run
  std::uint64_t run_ = 0;
};

}  // namespace gui
