// SPDX-License-Identifier: MIT
// See picture_ghost.hpp.
#include "picture_ghost.hpp"

#include <algorithm>

#include "formatting.hpp"

namespace gui::picture {
namespace {

using lab::GhostMoment;
using lab::Text;

constexpr float kGhostEntry = 20, kGhostGap = 6, kGhostBar = 18, kGhostBarGap = 5, kGhostPad = 12,
                kGhostTop = 10, kGhostTitle = 26;
constexpr std::size_t kMostGhostEntries = 3, kMostGhostBars = 3;

void put_small(Layouter& l, int box, float x, float top, float tall, const std::string& words) {
  l.put_middle(box, x, top, tall, l.box(box).rect.w - x - l.px(6), words, Face::Ui, Size::Small, Ink::Muted);
}

}  // namespace

const GhostMoment::Stack* ghost_of(const Layouter& l, const lab::Thread& thread) {
  if (!l.request.ghost) return nullptr;
  for (const GhostMoment::Stack& stack : l.request.ghost->stacks)
    if (stack.thread == thread.number) return &stack;
  return nullptr;
}

float height_of_ghosts(const Layouter& l, const lab::Thread& thread) {
  const GhostMoment::Stack* const ghost = ghost_of(l, thread);
  if (ghost == nullptr) return 0;
  return static_cast<float>(std::min(ghost->before.size(), kMostGhostEntries)) *
         (l.px(kGhostEntry) + l.px(kGhostGap));
}

void place_ghosts(Layouter& l, const GhostMoment::Stack& ghost, int stack,
                  const std::function<Rect(float)>& next) {
  const std::size_t count = ghost.before.size();
  const std::size_t hidden = count > kMostGhostEntries ? count - (kMostGhostEntries - 1) : 0;
  const auto add = [&](std::size_t entry, const std::string& words) {
    const Rect rect = next(l.px(kGhostEntry));
    const int box =
        l.add(BoxKind::Ghost, make_id(IdSpace::GhostCard, ghost.thread, ghost.above + entry), stack, rect);
    put_small(l, box, l.px(18), 0, rect.h, words);
  };
  if (hidden > 0) add(0, l.text(Text::GhostMore, {std::to_string(hidden)}));
  for (std::size_t entry = hidden; entry < count; ++entry)
    add(entry, l.text(Text::GhostBefore, {ghost.before[entry]}));
}

GhostBars plan_ghosts(const Layouter& l, const std::string& context) {
  GhostBars plan;
  if (!l.request.ghost || !l.request.filter.memory) return plan;
  for (const GhostMoment::Memory& memory : l.request.ghost->memory)
    if (memory.context == context) plan.bars.push_back(&memory);
  if (plan.bars.empty()) return plan;
  std::stable_sort(plan.bars.begin(), plan.bars.end(),
                   [](const auto* a, const auto* b) { return a->size > b->size; });
  plan.largest = plan.bars.front()->size;
  plan.height =
      static_cast<float>(std::min(plan.bars.size(), kMostGhostBars)) * (l.px(kGhostBar) + l.px(kGhostBarGap));
  if (plan.bars.size() <= kMostGhostBars) return plan;
  plan.hidden = plan.bars.size() - (kMostGhostBars - 1);
  plan.bars.resize(kMostGhostBars - 1);
  return plan;
}

void place_ghosts(Layouter& l, const GhostBars& plan, int parent, Rect rect, std::uint64_t whole) {
  rect.h = l.px(kGhostBar);
  const float step = rect.h + l.px(kGhostBarGap), pad = l.px(8);
  for (const GhostMoment::Memory* memory : plan.bars) {
    const int box = l.add(BoxKind::Ghost, make_id(IdSpace::GhostBar, 0, memory->number), parent, rect);
    l.box(box).share = share_of(l, memory->size, whole, rect.w);
    const float bar = l.box(box).share * rect.w;
    const std::string words = l.text(Text::GhostBefore, {known_size_words(memory->size, l.request.language)});
    const float wide = l.width(words, Face::Ui, Size::Small) + l.px(6);
    const bool inside = bar >= wide + pad;
    put_small(l, box, inside ? pad : std::min(bar + pad, std::max(pad, rect.w - wide)), 0, rect.h, words);
    rect.y += step;
  }
  if (plan.hidden == 0) return;
  const int box =
      l.add(BoxKind::Ghost, make_id(IdSpace::GhostBar, 1, plan.bars.front()->number), parent, rect);
  l.box(box).share = 0;
  put_small(l, box, pad, 0, rect.h, l.text(Text::GhostMore, {std::to_string(plan.hidden)}));
}

float height_of_ghost(const Layouter& l, const GhostBars& memory) {
  return l.px(kGhostTop) + l.px(kGhostTitle) + memory.height + l.px(memory.height > 0 ? 7 : kGhostTop);
}

void place_ghost(Layouter& l, const GhostMoment::OfContext& context, const GhostBars& memory, int panel,
                 Rect rect, std::uint64_t whole) {
  rect.h = height_of_ghost(l, memory);
  const std::uint64_t id =
      make_id(IdSpace::GhostContext, context.device, std::hash<std::string>{}(context.name));
  const int box = l.add(BoxKind::Ghost, id, panel, rect);
  const float pad = l.px(kGhostPad), title = l.px(kGhostTop) + l.px(kGhostTitle);
  put_small(l, box, pad, l.px(kGhostTop), l.px(kGhostTitle), l.text(Text::GhostBefore, {context.name}));
  place_ghosts(l, memory, box, {rect.x + pad, rect.y + title, rect.w - 2 * pad, 0}, whole);
}

std::uint64_t size_before(const Layouter& l, const lab::Allocation& allocation) {
  if (!l.request.ghost) return 0;
  const auto found = l.request.ghost->other_sizes.find(allocation.number);
  return found == l.request.ghost->other_sizes.end() ? 0 : found->second;
}

float share_of(const Layouter& l, std::uint64_t size, std::uint64_t whole, float width) {
  const double share = static_cast<double>(size) / static_cast<double>(std::max<std::uint64_t>(whole, 1));
  return std::min(1.0f, std::max(static_cast<float>(share), l.px(3) / width));
}

}  // namespace gui::picture
