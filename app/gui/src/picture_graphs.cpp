// SPDX-License-Identifier: MIT
// See picture_graphs.hpp.
#include "picture_graphs.hpp"

#include <algorithm>

#include "picture_work.hpp"

namespace gui::picture {
namespace {

using lab::Text;

constexpr float kNodeSize = 18, kNodeColumn = 36, kNodeRow = 24, kGraphTitle = 22, kGraphPad = 10,
                kGraphGap = 7;
constexpr std::size_t kMostShownNodes = 12, kMostNodeRows = 4, kMostGraphs = 6;

// How many nodes are before each one, on the longest way; edges may lead back to earlier nodes.
std::vector<std::size_t> depths(const lab::GraphShape& shape) {
  std::vector<std::size_t> depth(shape.nodes.size(), 0);
  for (std::size_t turn = 0; turn < shape.nodes.size(); ++turn) {
    bool changed = false;
    for (std::size_t i = 0; i < shape.nodes.size(); ++i)
      for (std::size_t before = 0; before < shape.nodes.size(); ++before)
        if ((shape.nodes[i].after >> before & 1) != 0 && depth[i] < depth[before] + 1)
          depth[i] = depth[before] + 1, changed = true;
    if (!changed) break;
  }
  return depth;
}

GraphCard card_of(const Layouter& l, const lab::Object& graph, const lab::GraphShape& shape, float width) {
  GraphCard card;
  card.graph = &graph, card.shape = &shape;
  card.title = lab::object_name(graph) + "  " +
               (shape.count == 1 ? std::string(l.text(Text::PictureGraphOneNode))
                                 : l.text(Text::PictureGraphNodes, {std::to_string(shape.count)}));
  const std::vector<std::size_t> depth = depths(shape);
  const auto fitting =
      static_cast<std::size_t>(std::max(1.0f, (width - 2 * l.px(kGraphPad)) / l.px(kNodeColumn)));
  std::vector<std::size_t> rows(fitting, 0);
  std::size_t columns = 0, most_rows = 0;
  for (std::size_t i = 0; i < shape.nodes.size() && card.nodes.size() < kMostShownNodes; ++i) {
    // The last column is left for the number of those that have no room.
    if (shape.nodes[i].removed || depth[i] + 1 >= fitting || rows[depth[i]] == kMostNodeRows) continue;
    card.nodes.push_back({i, depth[i], rows[depth[i]]++});
    columns = std::max(columns, depth[i] + 1);
    most_rows = std::max(most_rows, rows[depth[i]]);
  }
  card.hidden = shape.count - card.nodes.size();
  if (card.hidden > 0) ++columns;
  const float of_nodes = static_cast<float>(columns) * l.px(kNodeColumn) - l.px(kNodeColumn - kNodeSize);
  const float of_title = std::ceil(l.width(card.title, Face::Bold, Size::Small));
  card.at.w = std::min(width, std::max(of_nodes, of_title) + 2 * l.px(kGraphPad));
  card.at.h =
      l.px(kGraphTitle) + static_cast<float>(std::max<std::size_t>(most_rows, 1)) * l.px(kNodeRow) + l.px(4);
  return card;
}

}  // namespace

GraphPlan plan_graphs(const Layouter& l, std::vector<const lab::Object*>& objects, float width) {
  GraphPlan plan;
  std::vector<const lab::Object*> rest;
  std::size_t cards = 0;
  for (std::size_t i = objects.size(); i-- > 0;) {
    const lab::GraphShape* shape = l.state.graphs.shape(objects[i]->id);
    if (shape == nullptr || shape->count == 0 || cards == kMostGraphs) {
      rest.push_back(objects[i]);
      continue;
    }
    plan.cards.push_back(card_of(l, *objects[i], *shape, width));
    ++cards;
  }
  std::reverse(rest.begin(), rest.end());
  std::reverse(plan.cards.begin(), plan.cards.end());
  objects = std::move(rest);
  float x = 0, y = 0, tallest = 0;
  for (GraphCard& card : plan.cards) {
    if (x > 0 && x + card.at.w > width) x = 0, y += tallest + l.px(kGraphGap), tallest = 0;
    card.at.x = x, card.at.y = y;
    x += card.at.w + l.px(kGraphGap);
    tallest = std::max(tallest, card.at.h);
  }
  plan.height = plan.cards.empty() ? 0 : y + tallest + l.px(kGraphGap);
  return plan;
}

void place_graphs(Layouter& l, const GraphPlan& plan, std::uint32_t context, int parent, float x, float y) {
  for (const GraphCard& card : plan.cards) {
    const Rect rect{x + card.at.x, y + card.at.y, card.at.w, card.at.h};
    const int frame = l.add(BoxKind::Object, object_box(card.graph->id), parent, rect);
    l.box(frame).context = context, l.box(frame).object = card.graph->id, l.box(frame).framed = true;
    l.box(frame).changed =
        std::any_of(l.state.changes.begin(), l.state.changes.end(),
                    [&](const lab::Change& change) { return change.object == card.graph->id; });
    if (l.box(frame).changed) l.scene.focus = frame;
    const float pad = l.px(kGraphPad);
    l.put_middle(frame, pad, 0, l.px(kGraphTitle), rect.w - 2 * pad, card.title, Face::Bold, Size::Small,
                 Ink::Text);
    std::vector<int> boxes(card.shape->nodes.size(), -1);
    std::size_t columns = 0;
    for (const GraphCard::Node& node : card.nodes) {
      const lab::GraphNode& known = card.shape->nodes[node.index];
      const Rect at{rect.x + pad + static_cast<float>(node.column) * l.px(kNodeColumn),
                    rect.y + l.px(kGraphTitle) + static_cast<float>(node.row) * l.px(kNodeRow) + l.px(2),
                    l.px(kNodeSize), l.px(kNodeSize)};
      // An event may have added nodes to two graphs: a graph, and a copy of it.
      const int box =
          l.add(BoxKind::Work, make_id(IdSpace::Node, card.graph->id.number, node.index), frame, at);
      Box& made = l.box(box);
      made.context = context, made.work = known.kind, made.object = known.object;
      made.changed = known.event + 1 == l.state.events;
      if (made.changed) l.scene.focus = box;
      WorkMark mark;
      mark.event = known.event, mark.graph = card.graph->id, mark.node = node.index;
      l.mark(box, mark);
      boxes[node.index] = box;
      columns = std::max(columns, node.column + 1);
    }
    if (card.hidden > 0) {
      const float left = rect.x + pad + static_cast<float>(columns) * l.px(kNodeColumn);
      const int box =
          l.add(BoxKind::Work, make_id(IdSpace::NodesMore, card.graph->id.number), frame,
                {left, rect.y + l.px(kGraphTitle) + l.px(2), rect.right() - left - l.px(2), l.px(kNodeSize)});
      l.box(box).context = context, l.box(box).more = true;
      WorkMark mark;
      mark.graph = card.graph->id;
      l.mark(box, mark);
      l.put_middle(box, 0, 0, l.px(kNodeSize), l.box(box).rect.w, "+" + std::to_string(card.hidden), Face::Ui,
                   Size::Small, Ink::Muted);
    }
    for (const GraphCard::Node& node : card.nodes)
      for (std::size_t before = 0; before < boxes.size(); ++before) {
        if ((card.shape->nodes[node.index].after >> before & 1) == 0 || boxes[before] < 0) continue;
        Arrow arrow;
        arrow.id = make_id(IdSpace::Edge, card.graph->id.number, before * 64 + node.index);
        arrow.from = boxes[before], arrow.to = boxes[node.index];
        arrow.of_edge = true;
        l.scene.arrows.push_back(arrow);
      }
  }
}

}  // namespace gui::picture
