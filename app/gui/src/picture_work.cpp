// SPDX-License-Identifier: MIT
// See picture_work.hpp.
#include "picture_work.hpp"

#include <algorithm>
#include <unordered_map>

#include "formatting.hpp"

namespace gui::picture {
namespace {

using lab::StreamKey;
using lab::Text;
using lab::WorkKind;

constexpr float kLane = 24, kLaneGap = 7, kMark = 18, kMarkGap = 3, kLanePad = 10;
constexpr std::size_t kFewStreams = 4, kMostLanes = 6, kMostLanesUnfolded = 64, kMostLaneMarks = 8;
constexpr std::size_t kMostWaitArrows = 12;

std::uint64_t lane_id(const Lane& lane) {
  if (lane.object != nullptr) return object_box(lane.object->id);
  const bool legacy = lane.stream.kind == StreamKey::Kind::Legacy;
  return make_id(IdSpace::Lane, lane.stream.context, legacy ? 0 : lane.stream.number + 1);
}

std::uint64_t more_id(const Box& lane) {
  const std::uint64_t which = lane.object ? 0xffffff : lane.context;
  return make_id(IdSpace::WorkMore, which, lane.id);
}

// A mark of an event has the event's name beside it.
std::string mark_words(const lab::WorkItem& item) {
  const bool of_event = item.kind == WorkKind::Record || item.kind == WorkKind::Wait;
  return of_event && item.object ? lab::object_name(item.object) : std::string();
}

float mark_width(const Layouter& l, const lab::WorkItem& item) {
  const std::string words = mark_words(item);
  return l.px(kMark) + (words.empty() ? 0 : std::ceil(l.width(words, Face::Ui, Size::Small)) + l.px(5));
}

void place_mark(Layouter& l, const lab::WorkItem& item, int lane, const Rect& rect) {
  const int box = l.add(BoxKind::Work, make_id(IdSpace::Work, 0, item.event), lane, rect);
  Box& made = l.box(box);
  made.context = l.box(lane).context, made.work = item.kind, made.object = item.object;
  made.changed = item.event + 1 == l.state.events;
  if (made.changed && l.scene.focus < 0) l.scene.focus = box;  // what the call made comes first
  WorkMark mark = *l.scene.mark_of(l.box(lane));
  mark.event = item.event;
  if (item.kind == WorkKind::Wait) mark.waits_for = item.amount;
  l.mark(box, mark);
  if (const std::string words = mark_words(item); !words.empty())
    l.put_middle(box, l.px(kMark + 1), 0, rect.h, rect.w - l.px(kMark + 1), words, Face::Ui, Size::Small,
                 Ink::Text);
}

// Shorter than in sentences: the form and the words under the mouse say the rest.
std::string lane_words(const Layouter& l, const StreamKey& stream) {
  if (stream.kind == StreamKey::Kind::Legacy) return std::string(l.text(Text::PictureLegacyLane));
  if (stream.kind == StreamKey::Kind::PerThread)
    return l.text(Text::PicturePerThreadLane, {std::to_string(stream.number)});
  return stream_words(l.state, l.request.language, stream);
}

// The latest marks that have room, and before them the number of the others.
void place_marks(Layouter& l, const lab::StreamWork& work, int lane, float x, const Rect& outer) {
  const float room = outer.right() - l.px(kLanePad) - x, gap = l.px(kMarkGap);
  const auto words_for = [](std::uint64_t more) { return "+" + std::to_string(more); };
  const auto more_width = [&](std::uint64_t more) {
    return more == 0 ? 0 : std::ceil(l.width(words_for(more), Face::Ui, Size::Small)) + 2 * gap;
  };
  std::size_t shown = 0;
  float wide = 0;
  const float widest = more_width(work.waiting());  // of any such number
  while (shown < work.items.size() && shown < kMostLaneMarks) {
    const float with = wide + mark_width(l, work.items[work.items.size() - 1 - shown]) + gap;
    if (with + (work.waiting() == shown + 1 ? 0 : widest) > room) break;
    wide = with;
    ++shown;
  }
  const std::uint64_t more = work.waiting() - shown;
  const float top = outer.y + std::round((outer.h - l.px(kMark)) / 2);
  if (more > 0) {
    const float taken = std::min(more_width(more), room);
    if (taken <= 0) return;
    const int box = l.add(BoxKind::Work, more_id(l.box(lane)), lane, {x, top, taken, l.px(kMark)});
    l.box(box).context = l.box(lane).context, l.box(box).more = true;
    l.mark(box, WorkMark(*l.scene.mark_of(l.box(lane))));
    l.put_middle(box, 0, 0, l.px(kMark), taken, words_for(more), Face::Ui, Size::Small, Ink::Muted);
    x += taken;
  }
  for (std::size_t i = work.items.size() - shown; i < work.items.size(); ++i) {
    const float width = mark_width(l, work.items[i]);
    place_mark(l, work.items[i], lane, {x, top, width, l.px(kMark)});
    x += width + gap;
  }
  const std::string words = l.text(Text::PictureWorkWaiting, {std::to_string(work.waiting())});
  const float wanted = l.width(words, Face::Ui, Size::Small), right = outer.right() - l.px(kLanePad);
  if (right - x >= wanted + l.px(8))
    l.put_middle(lane, right - wanted - outer.x, 0, outer.h, wanted, words, Face::Ui, Size::Small,
                 Ink::Muted);
}

}  // namespace

bool is_enqueued_now(const lab::State& state) {
  return std::any_of(state.work.streams.begin(), state.work.streams.end(), [&](const auto& one) {
    return !one.second.items.empty() && one.second.items.back().event + 1 == state.events;
  });
}

std::uint64_t object_box(lab::ObjectId id) {
  return make_id(IdSpace::Object, static_cast<std::uint64_t>(id.kind), id.number);
}

std::uint64_t lanes_fold(std::uint32_t context) {
  return make_id(IdSpace::ObjectsFold, context, 3);
}

std::string stream_words(const lab::State& state, lab::Language language, const StreamKey& stream) {
  switch (stream.kind) {
    case StreamKey::Kind::Legacy:
      return std::string(lab::text(Text::PictureLegacyStream, language));
    case StreamKey::Kind::PerThread:
      return lab::text(Text::PicturePerThreadStream, language, {std::to_string(stream.number)});
    case StreamKey::Kind::Made:
      break;
  }
  return state.name_of({lab::ObjectKind::Stream, stream.number});
}

std::string work_words(const lab::State& state, lab::Language language, WorkKind kind, lab::ObjectId object,
                       std::uint64_t bytes) {
  return work_words(language, kind, state.name_of(object), bytes);
}

std::string work_words(lab::Language language, WorkKind kind, const std::string& name, std::uint64_t bytes) {
  const auto say = [&](Text key) { return std::string(lab::text(key, language)); };
  const auto with = [&](const std::string& word, const std::string& more) {
    return more.empty() ? word : word + " " + more;
  };
  const std::string size = bytes > 0 ? size_words(bytes, language) : std::string();
  switch (kind) {
    case WorkKind::Kernel:
      return with(say(Text::WorkKernel), name);
    case WorkKind::Copy:
      return with(say(Text::WorkCopy), size);
    case WorkKind::Fill:
      return with(say(Text::WorkFill), size);
    case WorkKind::Host:
      return say(Text::WorkHost);
    case WorkKind::Allocate:
      return with(say(Text::WorkAllocate), name);
    case WorkKind::Free:
      return with(say(Text::WorkFree), name);
    case WorkKind::Graph:
      return with(say(Text::WorkGraph), name);
    case WorkKind::Record:
      return with(say(Text::WorkRecord), name);
    case WorkKind::Wait:
      return with(say(Text::WorkWait), name);
    case WorkKind::WaitValue:
      return say(Text::WorkWaitValue);
    case WorkKind::WriteValue:
      return say(Text::WorkWriteValue);
    case WorkKind::Other:
      break;
  }
  return say(Text::WorkOther);
}

LanePlan plan_lanes(const Layouter& l, std::uint32_t context, std::vector<const lab::Object*>& objects) {
  LanePlan plan;
  if (!l.request.filter.streams) return plan;
  const auto is_stream = [](const lab::Object* object) { return object->id.kind == lab::ObjectKind::Stream; };
  const auto streams = static_cast<std::size_t>(std::count_if(objects.begin(), objects.end(), is_stream));
  const std::size_t most =
      l.request.unfolded.count(lanes_fold(context)) > 0 ? kMostLanesUnfolded : kMostLanes;
  std::vector<const lab::Object*> rest;
  const auto add = [&](Lane lane) {
    if (plan.lanes.size() < most) {
      plan.lanes.push_back(lane);
      return true;
    }
    if (lane.work != nullptr) ++plan.hidden;
    return false;
  };
  for (const lab::Object* object : objects) {
    const StreamKey key{context, StreamKey::Kind::Made, object->id.number};
    const lab::StreamWork* work = is_stream(object) ? l.state.work.of(key) : nullptr;
    const bool lane = is_stream(object) && (streams <= kFewStreams || work != nullptr);
    if (!lane || !add({key, object, work})) rest.push_back(object);
  }
  if (context != lab::kNone)
    for (auto it = l.state.work.streams.lower_bound({context, StreamKey::Kind::Legacy, 0});
         it != l.state.work.streams.end() && it->first.context == context &&
         it->first.kind != StreamKey::Kind::Made;
         ++it)
      add({it->first, nullptr, &it->second});
  objects = std::move(rest);
  const std::size_t rows = plan.lanes.size() + (plan.hidden > 0 ? 1 : 0);
  plan.height = static_cast<float>(rows) * (l.px(kLane) + l.px(kLaneGap));
  return plan;
}

void place_lanes(Layouter& l, const LanePlan& plan, std::uint32_t context, int parent, float x, float y,
                 float width) {
  for (const Lane& lane : plan.lanes) {
    const Rect rect{x, y, width, l.px(kLane)};
    const int box =
        l.add(lane.object != nullptr ? BoxKind::Object : BoxKind::Lane, lane_id(lane), parent, rect);
    Box& made = l.box(box);
    made.context = context;
    if (lane.object != nullptr) {
      made.object = lane.object->id;
      made.changed = std::any_of(l.state.changes.begin(), l.state.changes.end(),
                                 [&](const lab::Change& change) { return change.object == made.object; });
      if (made.changed || (l.scene.focus < 0 && made.object == l.request.about)) l.scene.focus = box;
    }
    WorkMark mark;
    mark.stream = lane.stream;
    l.mark(box, mark);
    const float pad = l.px(kLanePad);
    // Almost half of a narrow lane is kept for the marks.
    const float room = lane.work != nullptr ? std::max(width * 0.55f, width - l.px(220)) : width - 2 * pad;
    const float used =
        l.put_middle(box, pad, 0, rect.h, room, lane_words(l, lane.stream), Face::Ui, Size::Small, Ink::Text);
    std::uint64_t capture = 0;
    if (const lab::Capture* captured = l.state.graphs.capture_of(lane.stream, &capture)) {
      const std::string words = l.text(Text::PictureCapturing, {std::to_string(captured->shape.count)});
      const float wanted = l.width(words, Face::Ui, Size::Small), left = pad + used + l.px(8);
      if (lane.work == nullptr && left + wanted + pad <= width)
        l.put_middle(box, left, 0, rect.h, wanted, words, Face::Ui, Size::Small, Ink::Muted);
    }
    if (lane.work != nullptr) place_marks(l, *lane.work, box, x + pad + used + l.px(8), rect);
    y += rect.h + l.px(kLaneGap);
  }
  if (plan.hidden == 0) return;
  const int box = l.add(BoxKind::Fold, lanes_fold(context), parent, {x, y, width, l.px(kLane)});
  l.put_middle(box, l.px(4), 0, l.px(kLane), width - l.px(8),
               l.text(Text::PictureMoreLanes, {std::to_string(plan.hidden)}), Face::Ui, Size::Small,
               Ink::Muted);
}

void lay_out_wait_arrows(Layouter& l) {
  std::unordered_map<std::uint64_t, int> records;
  std::vector<int> waits;
  for (int i = 0; i < static_cast<int>(l.scene.boxes.size()); ++i) {
    const WorkMark* mark = l.scene.mark_of(l.box(i));
    if (mark == nullptr || l.box(i).kind != BoxKind::Work || mark->graph || l.box(i).more) continue;
    if (l.box(i).work == WorkKind::Record) records[mark->event] = i;
    if (mark->waits_for != lab::kNoEvent) waits.push_back(i);
  }
  std::size_t count = 0;
  for (const int wait : waits) {
    const auto record = records.find(l.scene.mark_of(l.box(wait))->waits_for);
    if (record == records.end() || l.box(record->second).parent == l.box(wait).parent) continue;
    Arrow arrow;
    arrow.id = l.box(wait).id, arrow.from = wait, arrow.to = record->second;
    arrow.of_wait = true;
    l.scene.arrows.push_back(arrow);
    if (++count == kMostWaitArrows) break;
  }
}

}  // namespace gui::picture
