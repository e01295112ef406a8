// SPDX-License-Identifier: MIT
// See picture_host.hpp.
#include "picture_host.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "formatting.hpp"
#include "lab/object_names.hpp"
#include "picture_objects.hpp"
#include "picture_work.hpp"

namespace gui::picture {
namespace {

using lab::Text;

constexpr float kHostColumn = 168, kLeastBeside = 460, kHostPad = 8, kHostRow = 40, kHostRowGap = 6,
                kHostTitle = 26;
constexpr std::size_t kMostHostRows = 8, kMostUnfoldedHostRows = 64;

float row_tall(const Layouter& l) {
  return std::max(l.px(kHostRow),
                  l.height(Face::Bold, Size::Small) + l.height(Face::Ui, Size::Small) + l.px(8));
}

bool stands_beside(const Layouter& l) {
  return l.request.width >= l.px(kLeastBeside);
}

std::uint64_t fold_id() {
  return make_id(IdSpace::HostFold, 0);
}

bool is_copied_now(const Layouter& l, const HostRow& row) {
  const std::uint64_t from = row.region != nullptr ? row.region->address : row.allocation->address;
  const std::uint64_t size = row.region != nullptr ? row.region->size : row.allocation->size;
  return std::any_of(l.request.copies.begin(), l.request.copies.end(), [&](const ShownCopy& copy) {
    return copy.copied.from.address - from < size || copy.copied.to.address - from < size;
  });
}

std::string name_of_row(const Layouter& l, const HostRow& row) {
  if (row.allocation != nullptr) return "#" + std::to_string(row.allocation->number);
  if (l.request.host_name)
    if (std::string name = l.request.host_name(*row.region); !name.empty()) return name;
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(row.region->address));
  return text;
}

void place_row(Layouter& l, const HostRow& row, int parent, Rect rect) {
  const std::uint64_t id = row.allocation != nullptr ? make_id(IdSpace::Allocation, 0, row.allocation->number)
                                                     : make_id(IdSpace::HostRegion, 0, row.region->number);
  const int box = l.add(BoxKind::HostMemory, id, parent, rect);
  std::string kind(l.text(Text::PictureHostPlain));
  if (row.allocation != nullptr) {
    Box& made = l.box(box);
    made.allocation = row.allocation->number, made.memory = row.allocation->kind;
    made.context = row.allocation->context;
    kind = l.text(row.allocation->kind == lab::MemoryKind::Host ? Text::PictureHostPinned
                                                                : lab::memory_word(row.allocation->kind));
    for (const lab::Change& change : l.state.changes)
      if (change.allocation == row.allocation->number && change.kind == lab::Change::Kind::Allocated)
        made.changed = true, l.scene.focus = box;
  } else {
    l.box(box).piece = true;
    l.box(box).changed = row.region->event + 1 == l.state.events;
  }
  const std::uint64_t size = row.allocation != nullptr ? row.allocation->size : row.region->size;
  const float pad = l.px(6), room = rect.w - 2 * pad, line = l.height(Face::Bold, Size::Small);
  const float top = std::round((rect.h - line - l.height(Face::Ui, Size::Small) - l.px(2)) / 2);
  l.put(box, pad, top, room, name_of_row(l, row), Face::Bold, Size::Small, Ink::Text);
  l.put(box, pad, top + line + l.px(2), room, known_size_words(size, l.request.language) + " · " + kind,
        Face::Ui, Size::Small, Ink::Muted);
}

// The box of what a copy reads or writes; -1: it is not in the picture.
int box_of(const Layouter& l, const lab::CopyEnd& end) {
  std::uint64_t id = 0;
  const auto of_object = [&](const lab::Object* object) {
    return object == nullptr ? 0 : object_box(object->id);
  };
  if (end.side == lab::CopyEnd::Side::Array)
    id = of_object(l.state.object_of(lab::ObjectKind::Array, end.address));
  else if (const lab::Allocation* held = l.state.allocation_at(end.address))
    id = make_id(IdSpace::Allocation, 0, held->number);
  else if (const lab::HostRegion* region = l.state.host.holding(end.address))
    id = make_id(IdSpace::HostRegion, 0, region->number);
  else
    id = of_object(l.state.object_at(end.address));
  if (id == 0) return -1;
  for (int i = 0; i < static_cast<int>(l.scene.boxes.size()); ++i)
    if (l.scene.boxes[static_cast<std::size_t>(i)].id == id) return i;
  return -1;
}

// Which part of the bar is copied; behind its end if the copy goes on there.
void mark_stretch(Layouter& l, int index, const lab::CopyEnd& end) {
  const lab::Allocation* const held = l.state.allocation_at(end.address);
  Box& box = l.box(index);
  if (held == nullptr || box.kind != BoxKind::Allocation || box.piece || held->size == 0 || end.span == 0)
    return;
  const auto part = [&](std::uint64_t bytes) {
    return static_cast<float>(static_cast<double>(bytes) / static_cast<double>(held->size));
  };
  box.copied_from = part(end.address - held->address);
  box.copied_to = box.copied_from + part(end.span);
}

// In a narrow picture the bytes of a copy stand in the row of the host's memory, at the right of its two
// lines.
bool has_room_for_words(const Box& row, const Arrow& arrow) {
  if (row.kind != BoxKind::HostMemory) return true;
  float taken = 0;
  for (const Label& label : row.labels) taken = std::max(taken, label.at.right());
  return arrow.slot == 0 && taken + arrow.words_width * 1.25f < row.rect.w;
}

}  // namespace

HostPlan plan_host(const Layouter& l) {
  HostPlan plan;
  if (!l.request.filter.memory) return plan;
  for (const lab::Allocation& a : l.state.allocations)
    if (is_of_host(a.kind)) plan.rows.push_back({&a, nullptr});
  for (const lab::HostRegion& region : l.state.host.plain) {
    const bool taken = std::any_of(plan.rows.begin(), plan.rows.end(), [&](const HostRow& row) {
      return row.allocation != nullptr && row.allocation->address < region.address + region.size &&
             region.address < row.allocation->address + std::max<std::uint64_t>(row.allocation->size, 1);
    });
    if (!taken && l.state.allocation_at(region.address) == nullptr) plan.rows.push_back({nullptr, &region});
  }
  plan.shown = !plan.rows.empty() || l.state.host.named || l.request.host_ahead;
  if (!plan.shown) return plan;
  const std::size_t most = l.request.unfolded.count(fold_id()) > 0 ? kMostUnfoldedHostRows : kMostHostRows;
  if (plan.rows.size() > most) {
    // What this step copies stays, then the latest.
    std::stable_sort(plan.rows.begin(), plan.rows.end(), [&](const HostRow& a, const HostRow& b) {
      return is_copied_now(l, a) > is_copied_now(l, b);
    });
    plan.hidden = plan.rows.size() - (most - 1);
    plan.rows.resize(most - 1);
  }
  plan.beside = stands_beside(l);
  plan.width = plan.beside ? l.px(kHostColumn) : l.request.width;
  const std::size_t lines = std::max<std::size_t>(1, plan.rows.size() + (plan.hidden > 0 ? 1 : 0));
  const std::size_t rows = plan.beside ? lines : (lines + 1) / 2;
  plan.height = l.px(kHostTitle) + l.px(kHostPad) +
                static_cast<float>(rows) * (row_tall(l) + l.px(kHostRowGap)) - l.px(kHostRowGap) +
                l.px(kHostPad);
  return plan;
}

void place_host(Layouter& l, const HostPlan& plan, float x, float y) {
  const float pad = l.px(kHostPad), inner = plan.width - 2 * pad, step = row_tall(l) + l.px(kHostRowGap);
  const int box = l.add(BoxKind::Process, make_id(IdSpace::Process, 2), -1, {x, y, plan.width, plan.height});
  l.put_middle(box, pad, l.px(2), l.px(kHostTitle), inner, l.text(Text::PictureHostTitle), Face::Bold,
               Size::Body, Ink::Text);
  const float top = y + l.px(kHostTitle) + pad;
  if (plan.rows.empty()) {
    l.put_middle(box, pad, top - y, row_tall(l), inner, l.text(Text::PictureHostNothing), Face::Ui,
                 Size::Small, Ink::Muted);
    return;
  }
  const float gap = l.px(8), half = std::floor((inner - gap) / 2);
  const auto place = [&](std::size_t index) {
    if (plan.beside) return Rect{x + pad, top + static_cast<float>(index) * step, inner, row_tall(l)};
    const std::size_t row = index / 2;
    return Rect{x + pad + static_cast<float>(index % 2) * (half + gap), top + static_cast<float>(row) * step,
                half, row_tall(l)};
  };
  for (std::size_t i = 0; i < plan.rows.size(); ++i) place_row(l, plan.rows[i], box, place(i));
  if (plan.hidden == 0) return;
  const Rect rect = place(plan.rows.size());
  const int fold = l.add(BoxKind::Fold, fold_id(), box, rect);
  l.put_middle(fold, l.px(6), 0, rect.h, rect.w - l.px(12),
               l.text(Text::PictureHostMore, {std::to_string(plan.hidden)}), Face::Ui, Size::Small,
               Ink::Muted);
}

std::vector<std::uint32_t> copied_allocations(const Layouter& l) {
  std::vector<std::uint32_t> numbers;
  for (const ShownCopy& copy : l.request.copies)
    for (const lab::CopyEnd& end : {copy.copied.from, copy.copied.to})
      if (end.side != lab::CopyEnd::Side::Array)
        if (const lab::Allocation* held = l.state.allocation_at(end.address)) numbers.push_back(held->number);
  return numbers;
}

void lay_out_copies(Layouter& l) {
  std::vector<int> slots(l.scene.boxes.size());
  float gap = 0;
  for (const Box& box : l.scene.boxes)
    if (box.id == make_id(IdSpace::Process, 2) && stands_beside(l))
      gap = box.rect.right() + l.px(kBesideHost) / 2;
  for (const ShownCopy& copy : l.request.copies) {
    const int from = box_of(l, copy.copied.from), to = box_of(l, copy.copied.to);
    if (from >= 0) mark_stretch(l, from, copy.copied.from);
    if (to >= 0) mark_stretch(l, to, copy.copied.to);
    if (from < 0 || to < 0 || from == to) continue;
    Arrow arrow;
    arrow.id = make_id(IdSpace::Copy, 0, copy.event), arrow.from = from, arrow.to = to;
    arrow.of_copy = true, arrow.copy = copy.phase, arrow.gap = gap;
    arrow.words = size_words(copy.copied.bytes, l.request.language);
    arrow.words_width = l.width(arrow.words, Face::Bold, Size::Small) + l.px(10);
    const int at = l.box(from).kind == BoxKind::HostMemory ? from : to;
    arrow.slot = slots[static_cast<std::size_t>(at)]++;
    if (gap == 0 && !has_room_for_words(l.box(at), arrow)) arrow.words.clear();
    l.scene.arrows.push_back(std::move(arrow));
  }
}

CopyArc copy_arc(const Arrow& arrow, const Box& from, const Box& to, float scale) {
  const auto px = [scale](float at_100_percent) { return at_100_percent * scale; };
  const Rect &a = from.rect, &b = to.rect;
  const float shift = px(18) * static_cast<float>(arrow.slot);
  CopyArc arc;
  if (a.right() <= b.x || b.right() <= a.x) {
    const bool right = a.right() <= b.x;
    const float sign = right ? 1.0f : -1.0f;
    const Point start{right ? a.right() : a.x, a.y + a.h / 2}, end{right ? b.x : b.right(), b.y + b.h / 2};
    const float reach = std::max(px(24), std::abs(end.x - start.x) / 2);
    arc.curve = {start, {start.x + sign * reach, start.y}, {end.x - sign * reach, end.y}, end};
  } else {  // one below the other: an arc at their left
    const Point start{a.x, a.y + a.h / 2}, end{b.x, b.y + b.h / 2};
    const float out = std::min(start.x, end.x) - px(22);
    arc.curve = {start, {out, start.y}, {out, end.y}, end};
  }
  const Curve& c = arc.curve;
  const bool at_from = from.kind == BoxKind::HostMemory, at_to = to.kind == BoxKind::HostMemory;
  if (at_from !=
      at_to) {  // in the gap between the host and the devices, where nothing else is, or in the row
    const Rect& row = at_from ? a : b;
    const float in_row = row.right() - px(9) - arrow.words_width / 2;
    arc.words = {arrow.gap > 0 ? arrow.gap : in_row, row.y + row.h / 2 + shift};
  } else {
    const Point middle{(c.from.x + 3 * c.out.x + 3 * c.in.x + c.to.x) / 8,
                       (c.from.y + 3 * c.out.y + 3 * c.in.y + c.to.y) / 8};
    // At the left of the arc and of the devices, as far as there is room.
    const float aside = std::max(arrow.words_width / 2, middle.x - arrow.words_width / 2);
    arc.words = {arrow.gap > 0 ? arrow.gap : aside, middle.y + shift};
  }
  return arc;
}

}  // namespace gui::picture
