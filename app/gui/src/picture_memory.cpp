// SPDX-License-Identifier: MIT
// See picture_memory.hpp.
#include "picture_memory.hpp"

#include <algorithm>
#include <map>

#include "formatting.hpp"
#include "picture_work.hpp"

namespace gui::picture {
namespace {

using lab::MemoryKind;
using lab::ObjectKind;
using lab::Text;

constexpr float kStripTitle = 22, kStrip = 22, kStripPad = 10, kStripGap = 7, kStripBelow = 6;
constexpr std::size_t kMostStrips = 6, kMostMappings = 24;
constexpr std::size_t kMostStripPieces = 64;

bool is_card(const lab::Object& object) {
  return object.id.kind == ObjectKind::MemoryPool || object.id.kind == ObjectKind::AddressRange;
}

// The piece's place on its track: a pool's pieces lie side by side, a range's where their addresses are.
Rect place_of(const Layouter& l, const MemoryCard& card, const lab::Allocation& piece, std::uint64_t before,
              const Rect& track) {
  const bool range = card.object != nullptr && card.object->id.kind == ObjectKind::AddressRange;
  const auto whole = static_cast<double>(std::max<std::uint64_t>(range ? card.object->size : card.bytes, 1));
  const std::uint64_t offset = range ? piece.address - card.object->handle : before;
  if (card.bytes == 0 && !range) {  // an imported pool, of which no size is known
    const float each = track.w / static_cast<float>(card.pieces.size());
    return {track.x + each * static_cast<float>(before), track.y, each, track.h};
  }
  const auto begin = static_cast<float>(static_cast<double>(offset) / whole) * track.w;
  const auto end =
      static_cast<float>(std::min(1.0, static_cast<double>(offset + piece.size) / whole)) * track.w;
  return {track.x + begin, track.y, std::max(end - begin, l.px(2)), track.h};
}

void place_pieces(Layouter& l, const MemoryCard& card, int box, const Rect& track) {
  std::uint64_t before = 0;
  float free_from = track.x;
  std::size_t count = 0;
  for (const lab::Allocation* piece : card.pieces) {
    Rect rect = place_of(l, card, *piece, before, track);
    before += card.bytes == 0 ? 1 : piece->size;
    const float end = std::min(rect.right(), track.right());
    rect.x = std::max(rect.x, free_from);
    rect.w = end - rect.x;
    if (rect.w < 1 || ++count > kMostStripPieces) continue;  // lies under a pixel that is taken
    free_from = end;
    const int made = l.add(BoxKind::Allocation, make_id(IdSpace::Allocation, 0, piece->number), box, rect);
    Box& at = l.box(made);
    at.allocation = piece->number, at.memory = piece->kind, at.piece = true;
    at.changed = std::any_of(l.state.changes.begin(), l.state.changes.end(),
                             [&](const lab::Change& change) { return change.allocation == piece->number; });
    if (at.changed) l.scene.focus = made;
    // All of it, or the number, or nothing.
    const std::string number = "#" + std::to_string(piece->number);
    std::string more = number + "  " + known_size_words(piece->size, l.request.language);
    if (piece->kind == MemoryKind::Mapped && piece->from) (more += "  ") += lab::object_name(piece->from);
    for (const std::string& words : {more, number}) {
      const float wide = l.width(words, Face::Ui, Size::Small);
      if (wide + l.px(8) > rect.w) continue;
      l.put_middle(made, std::round((rect.w - wide) / 2), 0, rect.h, wide, words, Face::Ui, Size::Small,
                   Ink::Text);
      break;
    }
  }
}

}  // namespace

MemoryHolders::MemoryHolders(const lab::State& state) {
  for (const lab::Object& object : state.objects) {
    if (object.id.kind == ObjectKind::MemoryPool) pools_.insert(object.id);
    if (object.id.kind == ObjectKind::AddressRange) ranges_[object.handle] = {object.size, object.id};
  }
}

MemoryHolders::Holder MemoryHolders::of(const lab::Allocation& allocation) const {
  if (allocation.kind == MemoryKind::Pooled) {
    if (!allocation.from) return {true, {}};
    return pools_.contains(allocation.from) ? Holder{true, allocation.from} : Holder{};
  }
  if (allocation.kind != MemoryKind::Mapped) return {};
  const auto after = ranges_.upper_bound(allocation.address);
  if (after == ranges_.begin()) return {};
  const auto& [start, range] = *std::prev(after);
  return allocation.address - start < range.first ? Holder{true, range.second} : Holder{};
}

MemoryPlan plan_memory(const Layouter& l, std::vector<const lab::Object*>& objects) {
  MemoryPlan plan;
  if (!l.request.filter.memory) return plan;
  std::vector<const lab::Object*> rest;
  std::map<lab::ObjectId, std::size_t> cards;
  const auto all = static_cast<std::size_t>(
      std::count_if(objects.begin(), objects.end(), [](const lab::Object* each) { return is_card(*each); }));
  std::size_t skip = all > kMostStrips ? all - kMostStrips : 0;  // the latest are shown
  for (const lab::Object* object : objects) {
    if (!is_card(*object) || skip > 0) {
      if (is_card(*object)) --skip;
      rest.push_back(object);
      continue;
    }
    MemoryCard card;
    card.object = object, card.title = lab::object_name(*object);
    for (const lab::Device& device : l.state.devices)
      if (object->id.kind == ObjectKind::MemoryPool && object->handle == device.pool())
        card.title = l.text(Text::PicturePoolCurrent, {card.title, std::to_string(device.ordinal)});
    cards[object->id] = plan.cards.size();
    plan.cards.push_back(std::move(card));
  }
  objects = std::move(rest);
  std::map<std::uint32_t, std::size_t> current;  // by device
  const MemoryHolders holders(l.state);
  for (const lab::Allocation& a : l.state.allocations) {
    if (a.kind != MemoryKind::Pooled && a.kind != MemoryKind::Mapped) continue;
    const MemoryHolders::Holder holder = holders.of(a);
    if (!holder.known) continue;
    if (!holder.object) {
      const auto [place, fresh] = current.try_emplace(a.device, plan.cards.size());
      if (fresh) {
        MemoryCard card;
        card.device = a.device;
        card.title = a.device == lab::kNone ? std::string(l.text(Text::PictureUnknownPool))
                                            : l.text(Text::PictureCurrentPool, {std::to_string(a.device)});
        plan.cards.push_back(std::move(card));
      }
      plan.cards[place->second].pieces.push_back(&a);
    } else if (const auto found = cards.find(holder.object); found != cards.end()) {
      plan.cards[found->second].pieces.push_back(&a);
    }
  }
  for (MemoryCard& card : plan.cards) {
    std::sort(card.pieces.begin(), card.pieces.end(),
              [](const lab::Allocation* a, const lab::Allocation* b) { return a->address < b->address; });
    for (const lab::Allocation* piece : card.pieces) card.bytes += piece->size;
    const std::string bytes = size_words(card.bytes, l.request.language);
    const bool range = card.object != nullptr && card.object->id.kind == ObjectKind::AddressRange;
    if (range)
      card.words =
          l.text(Text::PictureRangeMapped, {bytes, size_words(card.object->size, l.request.language)});
    else if (card.bytes == 0)
      card.words = l.text(card.pieces.empty() ? Text::PictureNothingAllocated : Text::PictureSizeUnknown);
    else
      card.words = l.text(Text::PicturePoolAlive, {bytes});
    plan.height += l.px(kStripTitle) + l.px(kStrip) + l.px(kStripBelow) + l.px(kStripGap);
  }
  return plan;
}

void place_memory(Layouter& l, const MemoryPlan& plan, int parent, float x, float y, float width) {
  const float pad = l.px(kStripPad), tall = l.px(kStripTitle) + l.px(kStrip) + l.px(kStripBelow);
  for (const MemoryCard& card : plan.cards) {
    const std::uint64_t id =
        card.object != nullptr ? object_box(card.object->id) : make_id(IdSpace::CurrentPool, card.device);
    const int box = l.add(BoxKind::Object, id, parent, {x, y, width, tall});
    l.box(box).framed = true;
    if (card.object != nullptr) {
      l.box(box).object = card.object->id;
      l.box(box).changed =
          std::any_of(l.state.changes.begin(), l.state.changes.end(),
                      [&](const lab::Change& change) { return change.object == card.object->id; });
      if (l.box(box).changed) l.scene.focus = box;
    }
    const float used = l.put_middle(box, pad, 0, l.px(kStripTitle), width - 2 * pad, card.title, Face::Bold,
                                    Size::Small, Ink::Text);
    const float room = width - 2 * pad - used - l.px(10);
    if (room >= l.width(card.words, Face::Ui, Size::Small))
      l.put_middle(box, pad + used + l.px(10), 0, l.px(kStripTitle), room, card.words, Face::Ui, Size::Small,
                   Ink::Muted);
    const Rect track{x + pad, y + l.px(kStripTitle), width - 2 * pad, l.px(kStrip)};
    const int ribbon = l.add(BoxKind::Ribbon, make_id(IdSpace::Track, 0, id ^ id >> 32), box, track);
    l.box(ribbon).object = l.box(box).object, l.box(ribbon).piece = true;
    place_pieces(l, card, ribbon, track);
    y += tall + l.px(kStripGap);
  }
}

void lay_out_mappings(Layouter& l) {
  std::map<lab::ObjectId, int> memory;
  for (int i = 0; i < static_cast<int>(l.scene.boxes.size()); ++i)
    if (const Box& box = l.box(i);
        box.kind == BoxKind::Object && box.object.kind == ObjectKind::PhysicalMemory)
      memory[box.object] = i;
  if (memory.empty()) return;
  std::map<std::uint32_t, lab::ObjectId> from;
  for (const lab::Allocation& a : l.state.allocations)
    if (a.kind == MemoryKind::Mapped && a.from) from[a.number] = a.from;
  std::size_t count = 0;
  for (int i = 0; i < static_cast<int>(l.scene.boxes.size()) && count < kMostMappings; ++i) {
    const Box& box = l.box(i);
    if (box.kind != BoxKind::Allocation || !box.piece) continue;
    const auto found = from.find(box.allocation);
    const auto physical = found == from.end() ? memory.end() : memory.find(found->second);
    if (physical == memory.end()) continue;
    Arrow arrow;
    arrow.id = box.id, arrow.from = physical->second, arrow.to = i;
    arrow.of_mapping = true;
    l.scene.arrows.push_back(arrow);
    ++count;
  }
}

}  // namespace gui::picture
