// SPDX-License-Identifier: MIT
// The upper half of the picture: the step's words, and each thread with its stack. See picture_layout.hpp.
#include "picture_layout.hpp"

#include <algorithm>
#include <cmath>

#include "markdown/wrap.hpp"
#include "picture_ghost.hpp"
#include "picture_host.hpp"
#include "picture_layouter.hpp"
#include "picture_memory.hpp"
#include "picture_objects.hpp"
#include "picture_work.hpp"

namespace gui::picture {

using lab::Text;

int Scene::box_at(float x, float y) const {
  for (std::size_t i = boxes.size(); i-- > 0;)
    if (boxes[i].rect.holds(x, y)) return static_cast<int>(i);
  return -1;
}

int Layouter::add(BoxKind kind, std::uint64_t id, int parent, Rect rect) {
  Box made;
  made.kind = kind, made.id = id, made.parent = parent, made.rect = rect;
  scene.boxes.push_back(std::move(made));
  return static_cast<int>(scene.boxes.size()) - 1;
}

std::string Layouter::shorten(std::string_view words, float room, Face face, Size size) const {
  if (width(words, face, size) <= room) return std::string(words);
  std::string best;
  for (std::size_t at = 0; at < words.size();) {
    markdown::next_character(words, at);
    std::string tried = std::string(words.substr(0, at)) + "…";
    if (width(tried, face, size) > room) break;
    best = std::move(tried);
  }
  return best;
}

float Layouter::put(int index, float x, float y, float room, std::string_view words, Face face, Size size,
                    Ink ink) {
  std::string shown = shorten(words, room, face, size);
  if (shown.empty()) return 0;
  Label label;
  label.at = {x, y, width(shown, face, size), height(face, size)};
  label.text = std::move(shown), label.face = face, label.size = size, label.ink = ink;
  box(index).labels.push_back(std::move(label));
  return box(index).labels.back().at.w;
}

float Layouter::put_middle(int index, float x, float top, float tall, float room, std::string_view words,
                           Face face, Size size, Ink ink) {
  return put(index, x, top + std::round((tall - height(face, size)) / 2), room, words, face, size, ink);
}

float Layouter::put_pill(int index, float right, float top, float tall, float room, std::string_view words,
                         Ink ink, LabelShape shape) {
  const float wide = width(words, Face::Bold, Size::Small) + px(16);
  if (wide > room) return 0;
  const float high = height(Face::Bold, Size::Small) + px(4);
  Label label;
  label.text = words, label.face = Face::Bold, label.size = Size::Small, label.ink = ink, label.shape = shape;
  label.at = {right - wide, top + std::round((tall - high) / 2), wide, high};
  box(index).labels.push_back(std::move(label));
  return wide;
}

float Layouter::put_wrapped(int index, float x, float y, float room, int lines, std::string_view words,
                            Face face, Size size, Ink ink) {
  const auto measure = [&](std::string_view piece) { return width(piece, face, size); };
  const std::vector<markdown::Line> wrapped = markdown::wrap(words, room, measure);
  const float step = height(face, size) + px(3);
  int used = 0;
  for (const markdown::Line& line : wrapped) {
    const bool last = used + 1 == lines && &line != &wrapped.back();
    const std::string_view rest =
        words.substr(line.begin, last ? std::string_view::npos : line.end - line.begin);
    put(index, x, y + step * static_cast<float>(used), room, rest, face, size, ink);
    if (++used == lines) break;
  }
  return step * static_cast<float>(used);
}

bool Filter::shows(lab::ObjectKind kind) const {
  using Kind = lab::ObjectKind;
  switch (kind) {
    case Kind::Module:
    case Kind::Function:
    case Kind::Global:
    case Kind::Library:
    case Kind::Kernel:
    case Kind::ManagedVariable:
    case Kind::LinkState:
      return code;
    case Kind::Stream:
    case Kind::Event:
      return streams;
    case Kind::MemoryPool:
    case Kind::Array:
    case Kind::MipmappedArray:
    case Kind::AddressRange:
    case Kind::PhysicalMemory:
      return memory;
    default:
      return other;
  }
}

std::string stop_name(lab::ObjectId object) {
  return "object " + std::to_string(static_cast<int>(object.kind)) + " " + std::to_string(object.number);
}

lab::ObjectId object_of(const Box& box) {
  switch (box.kind) {
    case BoxKind::Object:
    case BoxKind::Work:
    case BoxKind::Share:
      return box.object;
    case BoxKind::Allocation:
    case BoxKind::RibbonSpan:
    case BoxKind::HostMemory:
      if (box.allocation == 0) return {};
      return {lab::ObjectKind::Allocation, box.allocation};
    case BoxKind::Context:
    case BoxKind::Card:
      return {lab::ObjectKind::Context, box.context};
    case BoxKind::Thread:
    case BoxKind::Stack:
      return {lab::ObjectKind::Thread, box.thread};
    default:
      return {};
  }
}

bool Layouter::is_current(std::uint32_t context) const {
  return std::any_of(state.threads.begin(), state.threads.end(), [&](const lab::Thread& thread) {
    return thread.alive && !thread.stack.empty() && thread.stack.back() == context;
  });
}

bool Layouter::is_changed(std::uint32_t context) const {
  return std::any_of(state.changes.begin(), state.changes.end(), [&](const lab::Change& change) {
    return change.context == context && change.kind != lab::Change::Kind::Failed &&
           change.kind != lab::Change::Kind::Popped;
  });
}

namespace {

constexpr float kThreadGap = 12, kStackPad = 10, kCard = 34, kCardGap = 6, kFoot = 18;
constexpr float kBesideThreads = 44, kLeastDevices = 400;
constexpr std::size_t kMostThreads = 12;

// How many rows (cards, and one for the fold) the stack of this thread takes.
std::uint32_t rows_of(const Layouter& l, const lab::Thread& thread) {
  const auto depth = static_cast<std::uint32_t>(thread.stack.size());
  const bool unfolded = l.request.unfolded.count(make_id(IdSpace::CardsFold, thread.number)) > 0;
  return std::min(depth, unfolded ? 64u : kMostCards);
}

// The room that it once needed, so that nothing below jumps when it shrinks.
std::uint32_t kept_rows(const Layouter& l, const lab::Thread& thread) {
  const auto kept = l.request.least_cards.find(thread.number);
  return kept == l.request.least_cards.end() ? 0 : std::min(kept->second, kMostCards);
}

// Of the rows of a stack, without the frame around them.
float height_of_rows(const Layouter& l, const lab::Thread& thread) {
  const float ghosts = height_of_ghosts(l, thread), step = l.px(kCard) + l.px(kCardGap);
  // An empty stack says so below its ghosts.
  const std::uint32_t rows = thread.stack.empty() && ghosts > 0 ? 2 : rows_of(l, thread);
  return std::max(static_cast<float>(rows) * step + ghosts, static_cast<float>(kept_rows(l, thread)) * step);
}

void lay_out_card(Layouter& l, const lab::Thread& thread, int stack, std::uint32_t depth, Rect rect) {
  const std::uint32_t index = thread.stack[depth];
  if (index >= l.state.contexts.size()) return;
  const lab::Context& context = l.state.contexts[index];
  const bool top = depth + 1 == thread.stack.size(), dead = context.is_dead();
  const int card = l.add(BoxKind::Card, make_id(IdSpace::Card, thread.number, depth), stack, rect);
  Box& box = l.box(card);
  box.context = index, box.thread = thread.number, box.depth = depth, box.current = top;
  box.primary = context.primary, box.destroyed = context.is_destroyed(), box.dead = dead ? 1 : 0;
  const lab::GhostMoment::Stack* const ghost = ghost_of(l, thread);
  box.fresh = ghost != nullptr && depth >= ghost->from && depth < ghost->to;
  for (const lab::Change& change : l.state.changes)
    if (top && change.thread == thread.number &&
        (change.kind == lab::Change::Kind::Pushed || change.kind == lab::Change::Kind::CurrentReplaced))
      box.changed = true;
  if (box.changed) l.scene.focus = card;

  float right = rect.w - l.px(10);
  const float left = l.px(18), gap = l.px(8);
  if (top) {
    const float pill = l.put_pill(card, right, 0, rect.h, right - left - l.px(28),
                                  l.text(Text::PictureCurrent), Ink::OnContext, LabelShape::FilledPill);
    if (pill > 0) right -= pill + gap;
  }
  float x = left + l.put_middle(card, left, 0, rect.h, right - left, context.name, Face::Bold, Size::Title,
                                dead ? Ink::Muted : Ink::Context);
  if (!l.box(card).labels.empty()) l.box(card).labels.back().struck = context.is_destroyed();
  const std::string device = std::to_string(context.device);
  const std::string words = context.is_destroyed() ? std::string(l.text(Text::PictureDestroyed))
                            : dead                 ? std::string(l.text(Text::PictureNotActive))
                                                   : l.text(Text::PictureOnDevice, {device});
  if (right - x - gap >= l.width(words, Face::Ui, Size::Small))
    l.put_middle(card, x + gap, 0, rect.h, right - x - gap, words, Face::Ui, Size::Small, Ink::Muted);
}

// What a call that needs a context would return now.
std::string answer_now(const Layouter& l, const lab::Thread& thread) {
  if (thread.stack.empty()) return l.state.initialised ? "201" : "3";
  const std::uint32_t top = thread.stack.back();
  if (top < l.state.contexts.size() && l.state.contexts[top].is_dead()) return "709";
  return "";
}

void lay_out_empty(Layouter& l, const lab::Thread& thread, int stack) {
  const Rect rect = l.box(stack).rect;
  l.box(stack).empty = true;
  const float line = l.height(Face::Ui, Size::Body), room = rect.w - 2 * l.px(kStackPad);
  const auto centred = [&](float y, std::string_view words, Face face, Size size) {
    const float wide = std::min(l.width(words, face, size), room);
    l.put(stack, std::round((rect.w - wide) / 2), y, wide, words, face, size, Ink::Muted);
  };
  const float ghosts = height_of_ghosts(l, thread);
  if (ghosts > 0) {
    float bottom = rect.y + l.px(kStackPad) + ghosts;
    place_ghosts(l, *ghost_of(l, thread), stack, [&](float tall) {
      bottom -= tall + l.px(kCardGap);
      return Rect{rect.x + l.px(kStackPad), bottom, room, tall};
    });
  }
  const float middle = std::round((rect.h + ghosts) / 2);
  centred(middle - line - l.px(1), l.text(Text::PictureEmptyStack), Face::Ui, Size::Body);
  if (thread.alive)
    centred(middle + l.px(3), "cuMemAlloc → " + answer_now(l, thread), Face::Mono, Size::Small);
}

void lay_out_stack(Layouter& l, const lab::Thread& thread, int parent, Rect rect) {
  const int stack = l.add(BoxKind::Stack, make_id(IdSpace::Stack, thread.number), parent, rect);
  l.box(stack).thread = thread.number;
  if (thread.stack.empty()) return lay_out_empty(l, thread, stack);
  const float pad = l.px(kStackPad), inner = rect.w - 2 * pad;
  const std::string answer = answer_now(l, thread);
  std::string foot(l.text(Text::PictureBottom));
  if (!answer.empty()) foot = "cuMemAlloc → " + answer;
  const Face foot_face = answer.empty() ? Face::Ui : Face::Mono;
  const float foot_width = std::min(l.width(foot, foot_face, Size::Small), inner);
  l.put_middle(stack, std::round((rect.w - foot_width) / 2), rect.h - l.px(kFoot + 3), l.px(kFoot),
               foot_width, foot, foot_face, Size::Small, answer.empty() ? Ink::Muted : Ink::Bad);

  const std::uint32_t rows = rows_of(l, thread);
  const auto depth = static_cast<std::uint32_t>(thread.stack.size());
  float bottom = rect.bottom() - l.px(kFoot + 4);
  const auto next = [&](float tall) {
    const Rect row{rect.x + pad, bottom - tall, inner, tall};
    bottom -= tall + l.px(kCardGap);
    return row;
  };
  std::uint32_t first = 0;
  if (depth > rows) {
    first = depth - (rows - 1);
    const int fold =
        l.add(BoxKind::Fold, make_id(IdSpace::CardsFold, thread.number), stack, next(l.px(kCard)));
    l.box(fold).thread = thread.number;
    l.put_middle(fold, l.px(18), 0, l.px(kCard), inner - l.px(24),
                 l.text(Text::PictureMoreCards, {std::to_string(first)}), Face::Ui, Size::Small, Ink::Muted);
  }
  const lab::GhostMoment::Stack* const ghost = ghost_of(l, thread);
  const std::size_t ghosts_at =
      ghost == nullptr ? depth + 1 : std::clamp<std::size_t>(ghost->above, first, depth);
  for (std::uint32_t i = first; i <= depth; ++i) {
    if (i == ghosts_at) place_ghosts(l, *ghost, stack, next);
    if (i < depth) lay_out_card(l, thread, stack, i, next(l.px(kCard)));
  }
}

void lay_out_thread_title(Layouter& l, const lab::Thread& thread, int box, float wide, float tall) {
  float right = wide;
  if (!thread.agree) {
    const std::string driver = thread.driver_current < l.state.contexts.size()
                                   ? l.state.contexts[thread.driver_current].name
                                   : std::string("null");
    const float pill = l.put_pill(box, right, 0, tall, right - l.px(40),
                                  l.text(Text::PictureDriverSays, {driver}), Ink::Caution, LabelShape::Pill);
    if (pill > 0) right -= pill + l.px(6);
  }
  const float gap = l.px(6);
  std::string number = std::to_string(thread.number);
  float x = l.px(12) + gap;  // the dot of the acting thread is before it
  x += l.put_middle(box, x, 0, tall, right - x, number, Face::Bold, Size::Body, Ink::Text) + gap;
  std::string name = thread.name;
  if (thread.number == 0 && (name.empty() || name == "main")) name = l.text(Text::PictureThreadMain);
  if (name.empty()) name = l.text(Text::PictureThreadOther);
  if (!name.empty() && right - x > l.px(12))
    x += l.put_middle(box, x, 0, tall, right - x, name, Face::Ui, Size::Body, Ink::Text) + gap;
  if (!l.request.process.empty() && right - x > l.px(20))
    x += l.put_middle(box, x, 0, tall, right - x, l.request.process, Face::Ui, Size::Small, Ink::Muted) + gap;
  if (!thread.alive && right - x > l.px(20))
    l.put_middle(box, x, 0, tall, right - x, l.text(Text::PictureThreadEnded), Face::Ui, Size::Small,
                 Ink::Muted);
}

void lay_out_thread(Layouter& l, const lab::Thread& thread, Rect rect) {
  const int box = l.add(BoxKind::Thread, make_id(IdSpace::Thread, thread.number), -1, rect);
  l.box(box).thread = thread.number;
  l.box(box).acting = thread.number == l.request.acting_thread;
  l.box(box).dead = thread.alive ? 0 : 1;
  const float title = l.px(26);
  lay_out_thread_title(l, thread, box, rect.w, title);
  lay_out_stack(l, thread, box, {rect.x, rect.y + title, rect.w, rect.h - title});
}

struct ShownThreads {
  std::vector<const lab::Thread*> shown, ended;  // ended: with nothing left on their stacks
  std::size_t hidden = 0;
};

// The first ones, and in the last place the acting one if it is not among them. A thread that has ended and
// left nothing is only counted, in a chip.
ShownThreads shown_threads(const Layouter& l) {
  ShownThreads found;
  if (!l.request.filter.threads) return found;
  const bool all = l.request.unfolded.count(make_id(IdSpace::ThreadsFold, 0)) > 0;
  const bool ended_too = l.request.unfolded.count(make_id(IdSpace::EndedThreads, 0)) > 0;
  const std::size_t most = all ? 256 : kMostThreads;
  for (const lab::Thread& thread : l.state.threads) {
    const bool wanted = thread.number == l.request.acting_thread ||
                        l.request.wanted == lab::ObjectId{lab::ObjectKind::Thread, thread.number};
    if (!thread.alive && thread.stack.empty() && !wanted && !ended_too && thread.number != 0)
      found.ended.push_back(&thread);
    else if (found.shown.size() < most)
      found.shown.push_back(&thread);
    else if (wanted)
      found.shown.back() = &thread, ++found.hidden;
    else
      ++found.hidden;
  }
  return found;
}

float lay_out_ended(Layouter& l, const std::vector<const lab::Thread*>& ended, float y) {
  std::string numbers;
  for (const lab::Thread* thread : ended)
    (numbers += numbers.empty() ? "" : ", ") += std::to_string(thread->number);
  const std::string words = l.text(Text::PictureEndedThreads, {std::to_string(ended.size()), numbers});
  const float pad = l.px(12), tall = l.px(26);
  const float wide = std::min(l.request.width, l.width(words, Face::Ui, Size::Small) + 2 * pad);
  const int chip =
      l.add(BoxKind::EndedThreads, make_id(IdSpace::EndedThreads, 0), -1, {0, y + l.px(8), wide, tall});
  l.put_middle(chip, pad, 0, tall, wide - 2 * pad, words, Face::Ui, Size::Small, Ink::Muted);
  return y + l.px(8) + tall;
}

// What is different from the pinned moment, on top of everything.
float lay_out_since(Layouter& l, float y) {
  if (l.request.since_words.empty()) return y;
  const float pad = l.px(12), wide = l.request.width;
  const int box = l.add(BoxKind::Since, make_id(IdSpace::Since, 0), -1, {0, y, wide, 0});
  const float used = l.put_wrapped(box, pad, l.px(8), wide - 2 * pad, 4, l.request.since_words, Face::Ui,
                                   Size::Body, Ink::Text);
  l.box(box).rect.h = used + l.px(14);
  return l.box(box).rect.bottom() + l.px(12);
}

// Beside the stacks when there is room, above them otherwise.
float lay_out_step(Layouter& l, Rect rect, int lines) {
  const int box = l.add(BoxKind::Step, make_id(IdSpace::Step, 0), -1, rect);
  l.box(box).failed = l.request.step_failed;
  const float pad = l.px(12);
  l.put(box, pad, l.px(8), rect.w - 2 * pad, l.request.step_title, Face::Ui, Size::Small, Ink::Muted);
  const float y = l.px(8) + l.height(Face::Ui, Size::Small) + l.px(5);
  const float used = l.put_wrapped(box, pad, y, rect.w - 2 * pad, lines, l.request.step_words, Face::Bold,
                                   Size::Body, l.request.step_failed ? Ink::Bad : Ink::Text);
  l.box(box).rect.h = y + used + l.px(6);
  return l.box(box).rect.bottom();
}

// In a wide view, what is right of the threads is room for devices that would have to be scrolled to below.
std::optional<Point> room_beside(const Layouter& l) {
  if (!l.request.beside || l.scene.boxes.empty()) return {};
  float right = 0;
  for (const Box& box : l.scene.boxes) right = std::max(right, box.rect.right());
  right += l.px(kBesideThreads);
  if (l.request.width - right < l.px(kLeastDevices)) return {};
  return Point{right, 0};
}

}  // namespace

float lay_out_threads(Layouter& l, float y) {
  const ShownThreads threads = shown_threads(l);
  const std::vector<const lab::Thread*>& shown = threads.shown;
  const std::size_t hidden = threads.hidden;
  const float gap = l.px(kThreadGap), all = l.request.width;
  const auto fitting = static_cast<std::size_t>(std::max(1.0f, (all + gap) / (l.px(156) + gap)));
  const std::size_t columns = std::clamp<std::size_t>(shown.size(), 1, fitting);
  const float wide = std::min(
      std::floor((all - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns)), l.px(232));
  const float beside = all - (wide + gap) * static_cast<float>(columns) - l.px(20);
  const bool step_beside = columns == shown.size() && beside >= l.px(170);
  if (!l.request.step_title.empty() && !step_beside) y = lay_out_step(l, {0, y, all, 0}, 2) + gap;

  const float first_top = y;
  float lowest = y;
  for (std::size_t begin = 0; begin < shown.size(); begin += columns) {
    const std::size_t end = std::min(begin + columns, shown.size());
    float rows =
        static_cast<float>(l.request.low ? kLeastCardsLow : kLeastCards) * (l.px(kCard) + l.px(kCardGap));
    for (std::size_t i = begin; i < end; ++i) rows = std::max(rows, height_of_rows(l, *shown[i]));
    const float tall = l.px(26) + l.px(kStackPad) + rows - l.px(kCardGap) + l.px(kFoot + 4);
    for (std::size_t i = begin; i < end; ++i)
      lay_out_thread(l, *shown[i], {static_cast<float>(i - begin) * (wide + gap), y, wide, tall});
    y = lowest = y + tall;
    if (end < shown.size()) y += gap;
  }
  if (!l.request.step_title.empty() && step_beside) {
    const float wide_step = std::min(beside, l.px(280));
    const float top = first_top + (shown.empty() ? 0 : l.px(26));
    lowest = std::max(lowest, lay_out_step(l, {all - wide_step, top, wide_step, 0}, 6));
  }
  if (hidden > 0) {
    const int fold =
        l.add(BoxKind::Fold, make_id(IdSpace::ThreadsFold, 0), -1, {0, lowest + l.px(8), all, l.px(26)});
    l.put_middle(fold, l.px(12), 0, l.px(26), all - l.px(16),
                 l.text(Text::PictureMoreThreads, {std::to_string(hidden)}), Face::Ui, Size::Small,
                 Ink::Muted);
    lowest += l.px(34);
  }
  if (!threads.ended.empty()) lowest = lay_out_ended(l, threads.ended, lowest);
  return lowest;
}

Scene lay_out(const Request& request) {
  Layouter l(request);
  l.scene.width = request.width;
  float y = lay_out_threads(l, lay_out_since(l, 0));
  y = lay_out_devices(l, y + l.px(14), room_beside(l));
  l.scene.height = y;
  lay_out_arrows(l);
  lay_out_library_arrows(l);
  lay_out_wait_arrows(l);
  lay_out_mappings(l);
  lay_out_copies(l);
  for (Box& box : l.scene.boxes)
    if (box.kind == BoxKind::Work || box.kind == BoxKind::Share)
      continue;  // the sign stands at the object's own box
    else if (const auto since = request.since.find(object_of(box)); since != request.since.end())
      box.since = since->second;
  return std::move(l.scene);
}

}  // namespace gui::picture
