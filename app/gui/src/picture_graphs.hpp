// SPDX-License-Identifier: MIT
// Graphs as nodes and edges: each graph is a card, its nodes in columns by how many nodes are before them.
//
// Part of the layout (picture_objects.hpp places the cards among the objects). Draws nothing.
#pragma once
#include <vector>

#include "picture_layouter.hpp"

namespace gui::picture {

struct GraphCard {
  const lab::Object* graph = nullptr;
  const lab::GraphShape* shape = nullptr;
  struct Node {
    std::size_t index = 0;  // in the shape
    std::size_t column = 0, row = 0;
  };
  std::vector<Node> nodes;  // those that are shown
  std::uint64_t hidden = 0;
  std::string title;
  Rect at;  // from the corner of the cards
};

struct GraphPlan {
  std::vector<GraphCard> cards;
  float height = 0;
};

// Takes the graphs of which a node is known out of `objects`; the latest stay if there are many.
GraphPlan plan_graphs(const Layouter& layouter, std::vector<const lab::Object*>& objects, float width);
void place_graphs(Layouter& layouter, const GraphPlan& plan, std::uint32_t context, int parent, float x,
                  float y);

}  // namespace gui::picture
