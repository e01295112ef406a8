// SPDX-License-Identifier: MIT
// See picture_objects.hpp. A module is a frame around its functions and variables; everything else is one
// chip. The shape shows the kind as well as the letter: streams are round, variables have corners.
#include "picture_objects.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "formatting.hpp"
#include "picture_processors.hpp"

namespace gui::picture {
namespace {

using lab::ObjectKind;
using lab::Text;

constexpr float kChip = 22, kChipGap = 6, kChipPad = 8, kGroupPad = 8, kGroupGap = 6, kGroupTitle = 22;
constexpr std::size_t kMostGroups = 4, kMostGroupsUnfolded = 64, kMostObjectRows = 2, kMostRowsUnfolded = 400;

bool is_head(const lab::Object& object) {
  return object.id.kind == ObjectKind::Module || object.id.kind == ObjectKind::Library ||
         object.id.kind == ObjectKind::GreenContext;
}

// Names of C++ functions are long; the part before the parameters is enough to distinguish them.
std::string short_label(std::string_view label) {
  constexpr std::size_t kMost = 28;
  if (label.size() <= kMost) return std::string(label);
  return std::string(label.substr(0, kMost)) + "…";
}

std::string chip_words(const lab::Object& object, lab::Language language) {
  if (object.id.kind == ObjectKind::GraphExec && object.owner)
    return lab::object_name(object) + "  " +
           lab::text(Text::PictureFromGraph, language, {lab::object_name(object.owner)});
  const std::string_view label = object.label_text();
  const bool of_group = object.owner && object.given && !label.empty();
  std::string words = of_group ? short_label(label) : lab::object_name(object);
  if (object.size > 0) (words += "  ") += size_words(object.size, language);
  return words;
}

}  // namespace

std::uint64_t modules_fold(std::uint32_t context) {
  return make_id(IdSpace::ObjectsFold, context, 1);
}

std::uint64_t others_fold(std::uint32_t context) {
  return make_id(IdSpace::ObjectsFold, context, 2);
}

std::uint64_t module_fold(std::uint32_t context, lab::ObjectId head) {
  return make_id(IdSpace::ObjectsFold, context, 16 + object_box(head) % (1u << 30));
}

ObjectPlanner::ObjectPlanner(Layouter& layouter)
    : l(layouter), by_context_(layouter.state.contexts.size() + 1) {
  for (const lab::Object& object : l.state.objects)
    if (l.request.filter.shows(object.id.kind))
      by_context_[std::min<std::size_t>(object.context, by_context_.size() - 1)].push_back(&object);
}

ChipRows ObjectPlanner::rows(const std::vector<const lab::Object*>& objects, float width,
                             std::size_t most_rows) const {
  ChipRows rows;
  const float tall = l.px(kChip), gap = l.px(kChipGap);
  float x = 0, y = 0;
  std::size_t row = 1, placed = 0;
  for (const lab::Object* object : objects) {
    std::string words = chip_words(*object, l.request.language);
    const float wide = std::min(std::ceil(l.width(words, Face::Ui, Size::Small)) + 2 * l.px(kChipPad), width);
    const bool last_row = row == most_rows;
    // On the last row there must be room left for the count of those that follow.
    const float keep = last_row && placed + 1 < objects.size() ? l.px(92) : 0;
    if (x > 0 && x + wide + keep > width) {
      if (last_row) break;
      x = 0, y += tall + gap, ++row;
    }
    rows.chips.push_back({object, std::move(words), {x, y, wide, tall}});
    x += wide + gap;
    ++placed;
  }
  rows.hidden = objects.size() - placed;
  // A chip that filled the row makes way for the count.
  while (rows.hidden > 0 && width - x < l.px(40) && !rows.chips.empty() && rows.chips.back().at.y == y) {
    x = rows.chips.back().at.x;
    rows.chips.pop_back();
    ++rows.hidden;
  }
  if (rows.hidden > 0) rows.fold = {x, y, width - x, tall};
  rows.height = objects.empty() ? 0 : y + tall;
  return rows;
}

ObjectPlan ObjectPlanner::plan(std::uint32_t context, float width) const {
  ObjectPlan plan;
  const auto& objects = by_context_[std::min<std::size_t>(context, by_context_.size() - 1)];
  const auto unfolded = [&](std::uint64_t fold) { return l.request.unfolded.count(fold) > 0; };
  std::unordered_map<std::uint64_t, std::vector<const lab::Object*>> parts;
  std::vector<const lab::Object*> heads, others;
  for (const lab::Object* object : objects) {
    if (is_head(*object))
      heads.push_back(object);
    else if (object->owner && object->given)
      parts[object_box(object->owner)].push_back(object);
    else
      others.push_back(object);
  }
  const std::size_t most = unfolded(modules_fold(context)) ? kMostGroupsUnfolded : kMostGroups;
  if (heads.size() > most) {  // the latest stay: that is what the program is about now
    plan.hidden_groups = heads.size() - most;
    heads.erase(heads.begin(), heads.end() - static_cast<std::ptrdiff_t>(most));
  }
  for (const lab::Object* head : heads) {
    ObjectPlan::Group group;
    group.head = head;
    group.title = lab::object_name(*head);
    const std::string_view label = head->label_text();
    if (const std::string share = share_words(l, *head); !share.empty()) (group.title += "  ") += share;
    if (head->owner) (group.title += "  ") += l.text(Text::PictureCopyOf, {lab::object_name(head->owner)});
    if (!label.empty()) (group.title += "  ") += label.substr(label.rfind('/') + 1);
    const bool all = unfolded(module_fold(context, head->id));
    if (head->id.kind == ObjectKind::GreenContext)
      group.lanes = plan_lanes(l, context, parts[object_box(head->id)]);
    group.parts = rows(parts[object_box(head->id)], width - 2 * l.px(kGroupPad),
                       all ? kMostRowsUnfolded : kMostObjectRows);
    group.height = l.px(kGroupTitle) + (group.parts.height > 0 ? group.parts.height + l.px(kGroupPad) : 0) +
                   group.lanes.height;
    plan.height += group.height + l.px(kGroupGap);
    plan.groups.push_back(std::move(group));
  }
  if (plan.hidden_groups > 0) plan.height += l.px(kChip) + l.px(kGroupGap);
  plan.lanes = plan_lanes(l, context, others);
  plan.graphs = plan_graphs(l, others, width);
  if (context == lab::kNone) plan.memory = plan_memory(l, others);
  plan.height += plan.lanes.height + plan.graphs.height + plan.memory.height;
  plan.others = rows(others, width, unfolded(others_fold(context)) ? kMostRowsUnfolded : kMostObjectRows);
  if (plan.others.height > 0) plan.height += plan.others.height + l.px(kGroupGap);
  return plan;
}

bool ObjectPlanner::changed(const lab::Object& object) const {
  return std::any_of(l.state.changes.begin(), l.state.changes.end(),
                     [&](const lab::Change& change) { return change.object == object.id; });
}

int ObjectPlanner::chip(const lab::Object& object, std::uint32_t context, int parent, Rect rect) const {
  const int box = l.add(BoxKind::Object, object_box(object.id), parent, rect);
  Box& made = l.box(box);
  made.context = context, made.object = object.id, made.changed = changed(object);
  if (made.changed) l.scene.focus = box;
  return box;
}

void ObjectPlanner::place_rows(const ChipRows& rows, std::uint64_t fold, std::uint32_t context, int parent,
                               float x, float y) const {
  for (const ChipRows::Chip& each : rows.chips) {
    const int box = chip(*each.object, context, parent, {x + each.at.x, y + each.at.y, each.at.w, each.at.h});
    l.put_middle(box, l.px(kChipPad), 0, each.at.h, each.at.w - 1.5f * l.px(kChipPad), each.words, Face::Ui,
                 Size::Small, Ink::Text);
  }
  if (rows.hidden == 0) return;
  const int box =
      l.add(BoxKind::Fold, fold, parent, {x + rows.fold.x, y + rows.fold.y, rows.fold.w, rows.fold.h});
  l.put_middle(box, l.px(4), 0, rows.fold.h, rows.fold.w - l.px(8),
               l.text(Text::PictureMoreObjects, {std::to_string(rows.hidden)}), Face::Ui, Size::Small,
               Ink::Muted);
}

void ObjectPlanner::place(const ObjectPlan& plan, std::uint32_t context, int parent, float x, float y,
                          float width) const {
  for (const ObjectPlan::Group& group : plan.groups) {
    const int frame = chip(*group.head, context, parent, {x, y, width, group.height});
    l.put_middle(frame, l.px(kChipPad), 0, l.px(kGroupTitle), width - 2 * l.px(kChipPad), group.title,
                 Face::Bold, Size::Small, Ink::Text);
    place_lanes(l, group.lanes, context, frame, x + l.px(kGroupPad), y + l.px(kGroupTitle),
                width - 2 * l.px(kGroupPad));
    place_rows(group.parts, module_fold(context, group.head->id), context, frame, x + l.px(kGroupPad),
               y + l.px(kGroupTitle) + group.lanes.height);
    y += group.height + l.px(kGroupGap);
  }
  if (plan.hidden_groups > 0) {
    const int box = l.add(BoxKind::Fold, modules_fold(context), parent, {x, y, width, l.px(kChip)});
    l.put_middle(box, l.px(4), 0, l.px(kChip), width - l.px(8),
                 l.text(Text::PictureMoreObjects, {std::to_string(plan.hidden_groups)}), Face::Ui,
                 Size::Small, Ink::Muted);
    y += l.px(kChip) + l.px(kGroupGap);
  }
  place_lanes(l, plan.lanes, context, parent, x, y, width);
  y += plan.lanes.height;
  place_graphs(l, plan.graphs, context, parent, x, y);
  y += plan.graphs.height;
  place_memory(l, plan.memory, parent, x, y, width);
  y += plan.memory.height;
  place_rows(plan.others, others_fold(context), context, parent, x, y);
}

namespace {

int ancestor(const Layouter& l, int index, BoxKind kind) {
  while (index >= 0 && l.scene.boxes[static_cast<std::size_t>(index)].kind != kind)
    index = l.scene.boxes[static_cast<std::size_t>(index)].parent;
  return index;
}

// Out of the library at its left, down beside everything, in through the gap above the row of contexts, down
// the gap beside the context, and into the copy: no box is crossed but those that hold the two ends.
std::vector<Point> route_of(const Layouter& l, int from, int to, std::size_t lane) {
  const auto rect = [&l](int index) { return l.scene.boxes[static_cast<std::size_t>(index)].rect; };
  const Rect library = rect(from), copy = rect(to);
  const int holder = ancestor(l, to, BoxKind::Context);
  const Rect context = holder >= 0 ? rect(holder) : copy;
  const float shift = l.px(2) * static_cast<float>(lane % 3);
  const float gutter = -l.px(6) - shift, beside = context.x - l.px(4) - shift;
  const float start = library.y + std::min(library.h / 2, l.px(11)),
              end = copy.y + std::min(copy.h / 2, l.px(11));
  const float above = context.y - l.px(4) - shift;
  return {{library.x, start}, {gutter, start}, {gutter, above},
          {beside, above},    {beside, end},   {copy.x, end}};
}

}  // namespace

void lay_out_library_arrows(Layouter& l) {
  constexpr std::size_t kMostArrows = 24;
  std::unordered_map<std::uint64_t, int> boxes;
  for (int i = 0; i < static_cast<int>(l.scene.boxes.size()); ++i)
    if (l.box(i).kind == BoxKind::Object) boxes[object_box(l.box(i).object)] = i;
  std::size_t count = 0;
  for (const lab::Object& object : l.state.objects) {
    if (object.id.kind != ObjectKind::Module || !object.owner || count == kMostArrows) continue;
    const auto from = boxes.find(object_box(object.owner)), to = boxes.find(object_box(object.id));
    if (from == boxes.end() || to == boxes.end()) continue;
    Arrow arrow;
    arrow.id = object_box(object.id), arrow.from = from->second, arrow.to = to->second;
    arrow.of_library = true;
    arrow.route = route_of(l, from->second, to->second, object.owner.number + 2);
    l.scene.arrows.push_back(arrow);
    ++count;
  }
}

}  // namespace gui::picture
