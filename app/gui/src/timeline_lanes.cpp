// SPDX-License-Identifier: MIT
// See timeline_lanes.hpp.
//
// Not by colour alone: an unexpected failure has a bar with a notch above it, an expected one a diamond; work
// whose end is only inferred is hatched, with a dashed edge and a ≤ where it is known to be done at the
// latest.
#include "timeline_lanes.hpp"

#include <algorithm>
#include <cmath>

#include "picture_work.hpp"
#include "widgets.hpp"

namespace gui {

using lab::StreamKey;
using lab::Text;
using lab::WorkKind;

namespace {

constexpr float kCallRow = 17, kWorkRow = 19, kLaneGap = 6, kHead = 22;
constexpr std::uint32_t kMostDepths = 4;
constexpr std::size_t kMostFailures = 64, kMostFailuresOfOne = 8, kMostLinks = 400;
constexpr float kSign = 13;  // width of the ≤

std::size_t rows_of(const lab::ThreadLane& lane) {
  return std::clamp<std::size_t>(lane.rows.size(), 1, kMostDepths);
}

std::size_t rows_of(const lab::StreamLane& lane) {
  return std::max<std::size_t>(lane.rows.size(), 1);
}

ImU32 colour_of(const Frame& frame, WorkKind kind) {
  switch (kind) {
    case WorkKind::Kernel:
    case WorkKind::Graph:
      return frame.theme[Role::Accent];
    case WorkKind::Copy:
      return frame.theme[Role::CodeType];
    case WorkKind::Fill:
      return frame.theme[Role::CodeNumber];
    case WorkKind::Host:
      return frame.theme[Role::CodeString];
    default:
      return frame.theme[Role::Muted];
  }
}

ImU32 colour_of(const Frame& frame, trace::Purpose purpose) {
  switch (purpose) {
    case trace::Purpose::Launches:
      return frame.theme[Role::Accent];
    case trace::Purpose::Waits:
      return frame.theme[Role::Caution];
    default:
      return frame.theme[Role::Muted];
  }
}

std::uint64_t row_id(bool work, std::size_t lane, std::size_t row) {
  return std::uint64_t{work} << 63 | std::uint64_t{lane} << 16 | row;
}

bool is_point(WorkKind kind) {
  return kind == WorkKind::Record;
}

// Slanted lines within a box, for what is not certain.
void hatch(const Frame& frame, ImVec2 from, ImVec2 to, ImU32 colour) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float high = to.y - from.y, apart = frame.px(6);
  list->PushClipRect(from, to, true);
  const float first = std::floor((std::max(from.x, list->GetClipRectMin().x) - high) / apart) * apart;
  const float last = std::min(to.x, list->GetClipRectMax().x);
  for (float x = first; x < last; x += apart)
    list->AddLine({x, to.y}, {x + high, from.y}, colour, std::max(1.0f, frame.px(1)));
  list->PopClipRect();
}

void diamond(ImVec2 at, float reach, ImU32 fill) {
  ImGui::GetWindowDrawList()->AddQuadFilled({at.x, at.y - reach}, {at.x + reach, at.y}, {at.x, at.y + reach},
                                            {at.x - reach, at.y}, fill);
}

}  // namespace

// By the names of the whole run: what it is about may be gone at the moment that is shown.
std::string TimelineLanes::words_of(const Frame& frame, const lab::TimelineWork& work) {
  const bool bytes = work.kind != WorkKind::Wait;
  return picture::work_words(frame.language, work.kind, frame.bench.model().name_of(work.object),
                             bytes ? work.amount : 0);
}

float TimelineLanes::height(const Frame& frame, const lab::Timeline& timeline) const {
  float total = frame.px(kHead) + frame.px(kLaneGap);
  for (const lab::ThreadLane& lane : timeline.threads())
    total += static_cast<float>(rows_of(lane)) * frame.px(kCallRow) + frame.px(kLaneGap) +
             (ghost_.is_of(lane) ? frame.px(TimelineGhost::kRow) : 0);
  if (!timeline.streams().empty()) total += frame.px(kHead);
  for (const lab::StreamLane& lane : timeline.streams())
    total += static_cast<float>(rows_of(lane)) * frame.px(kWorkRow) + frame.px(kLaneGap);
  return total;
}

void TimelineLanes::draw_legend(const Frame& frame, float left, float right, float top, float high) {
  const Text words[] = {Text::TimelineLegendFailed, Text::TimelineLegendExpected, Text::TimelineLegendEvent,
                        Text::TimelineLegendInferred};
  const float sign = frame.px(14), apart = frame.px(14);
  const auto width_of = [&](Text text) {
    return sign + text_size(frame, frame.text(text), Face::Ui, Size::Small).x + apart;
  };
  float wide = 0;
  for (const Text text : words) wide += width_of(text);
  if (right - wide < left) return;
  float x = right - wide + apart;
  const float middle = top + high / 2, reach = frame.px(4.5f);
  for (const Text text : words) {
    const ImVec2 at{x + reach, middle};
    if (text == Text::TimelineLegendFailed)
      ImGui::GetWindowDrawList()->AddTriangleFilled({at.x - reach, at.y - reach * 0.7f},
                                                    {at.x + reach, at.y - reach * 0.7f},
                                                    {at.x, at.y + reach * 0.9f}, frame.theme[Role::Bad]);
    else if (text == Text::TimelineLegendInferred)
      draw_text_middle(frame, x, top, high, frame.theme[Role::Text], "≤", Face::Bold, Size::Small);
    else
      diamond(at, text == Text::TimelineLegendEvent ? reach * 1.1f : reach * 0.9f,
              frame.theme[text == Text::TimelineLegendEvent ? Role::Text : Role::Muted]);
    draw_text_middle(frame, x + sign, top, high, frame.theme[Role::Muted], frame.text(text), Face::Ui,
                     Size::Small);
    x += width_of(text);
  }
}

float TimelineLanes::x_of(std::uint64_t instant) const {
  const double part = range_->part_of(timeline_->scale(), instant);
  const double wide = place_.right - place_.left;
  return place_.left + static_cast<float>(std::clamp(part, -1.0, 2.0) * wide);
}

void TimelineLanes::find(const Frame& frame, const lab::Timeline& timeline, const TimelineRange& range,
                         std::size_t width) {
  const lab::TimeScale& scale = timeline.scale();
  const Key key{timeline.revision(),        frame.run, range.instant_at(scale, 0),
                range.instant_at(scale, 1), width,     range.kind()};
  if (key == key_) return;
  key_ = key;
  rows_.clear();
  range.edges(scale, width, edges_);
}

TimelineLanes::Fate TimelineLanes::fate_of(const Frame& frame, const lab::TimelineRow& row,
                                           const lab::Stretch& at) {
  const auto failed = row.marked(at.first, at.first + at.count);
  if (failed.empty()) return Fate::Good;
  if (failed.size() > kMostFailuresOfOne || asked_ > kMostFailures) return Fate::Failed;
  asked_ += failed.size();
  const bool meant = std::all_of(failed.begin(), failed.end(), [&](std::uint32_t span) {
    return frame.bench.expected_failure(row.what(span));
  });
  return meant ? Fate::Expected : Fate::Failed;
}

const std::vector<TimelineLanes::Bar>& TimelineLanes::bars(const Frame& frame, const lab::TimelineRow& row,
                                                           std::uint64_t id, bool work) {
  const auto [place, fresh] = rows_.try_emplace(id);
  std::vector<Bar>& bars = place->second;
  if (!fresh) return bars;
  stretches_.clear();
  row.stretches(edges_, stretches_);
  const trace::Store& store = frame.bench.store();
  for (const lab::Stretch& stretch : stretches_) {
    Bar bar{stretch, {}, trace::Purpose::Other, work ? Fate::Good : fate_of(frame, row, stretch)};
    const std::uint32_t wide = stretch.to - stretch.from;
    if (!work && stretch.count == 1 && wide > 2) {
      const trace::Function function = store.function_at(row.what(stretch.first));
      bar.name = trace::name_of(function);
      bar.purpose = trace::purpose_of(function);
    }
    // Short ones side by side are one bar: what they are cannot be seen, and drawing each costs the same.
    if (!bars.empty() && bars.back().at.to >= stretch.from && bar.name.empty() && bars.back().name.empty() &&
        bar.fate == bars.back().fate && !work) {
      bars.back().at.to = std::max(bars.back().at.to, stretch.to);
      bars.back().at.count += stretch.count;
    } else {
      bars.push_back(bar);
    }
  }
  return bars;
}

void TimelineLanes::draw_name(const Frame& frame, float y, float high, std::string_view name,
                              std::string_view more) const {
  const float room = place_.left - place_.x - frame.px(14);
  const float wide = draw_text_middle(frame, place_.x, y, high, frame.theme[Role::Text], name, Face::Ui,
                                      Size::Small, room, Cut::Meant);
  const float left = room - wide - frame.px(8);
  if (!more.empty() && text_size(frame, more, Face::Ui, Size::Small).x <= left)
    draw_text_middle(frame, place_.x + wide + frame.px(8), y, high, frame.theme[Role::Muted], more, Face::Ui,
                     Size::Small);
}

void TimelineLanes::draw_head(const Frame& frame, float& y, std::string_view words) const {
  const float high = frame.px(kHead);
  if (is_visible(y, y + high)) {
    // The lines of the steps begin anew below it: through words they would be taken for letters.
    ImGui::GetWindowDrawList()->AddRectFilled({place_.left, y}, {place_.right, y + high},
                                              frame.theme[Role::Panel]);
    draw_text_middle(frame, place_.x, y, high, frame.theme[Role::Muted], words, Face::Bold, Size::Small,
                     place_.right - place_.x, Cut::Meant);
  }
  y += high;
}

void TimelineLanes::draw_calls(const Frame& frame, const Row& row) const {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 panel = frame.theme[Role::Panel], text = frame.theme[Role::Text];
  const float high = row.bottom - row.top;
  for (const Bar& bar : *row.bars) {
    const float from = place_.left + static_cast<float>(bar.at.from);
    const float to = place_.left + static_cast<float>(bar.at.to);
    const bool failed = bar.fate == Fate::Failed;
    const ImU32 colour = failed ? frame.theme[Role::Bad] : colour_of(frame, bar.purpose);
    if (to - from <= frame.px(3) || bar.at.count > 1) {
      list->AddRectFilled({from, row.top}, {to, row.bottom}, mix(panel, colour, failed ? 1.0f : 0.5f));
      continue;
    }
    list->AddRectFilled({from, row.top}, {to - 1, row.bottom}, mix(panel, colour, 0.35f));
    list->AddRectFilled({from, row.top}, {std::min(from + frame.px(2), to), row.bottom}, colour);
    const float x = std::max(from, place_.left) + frame.px(5), room = to - x - frame.px(3);
    if (room > frame.px(34) && !bar.name.empty())
      draw_text_middle(frame, x, row.top, high, text, bar.name, Face::Mono, Size::Small, room, Cut::Meant);
  }
  draw_failures(frame, row);
}

// A call that has not returned, from when it began: at the newest moment the right end is open.
void TimelineLanes::draw_pending(const Frame& frame, const trace::Event& call, float y, float each) const {
  const float top = y + static_cast<float>(std::min(call.depth, kMostDepths - 1)) * each;
  const float from = std::max(x_of(call.t_ns), place_.left), to = place_.right;
  if (to - from < 2) return;
  if (frame.places != nullptr)
    frame.places->insert({{"timeline pending " + std::string(call.name), {from, top + each / 2}},
                          {"timeline pending ends", {to, top + each / 2}}});
  draw_dashed_card(frame, {from, top}, {to, top + each - frame.px(2)},
                   with_alpha(frame.theme[Role::Good], 0.15f), frame.theme[Role::Good]);
  const float room = to - from - frame.px(8);
  if (room > frame.px(34))
    draw_text_middle(frame, from + frame.px(4), top, each - frame.px(2), frame.theme[Role::Text], call.name,
                     Face::Mono, Size::Small, room, Cut::Meant);
}

// Above the bars, so that none of them hides a mark that is wider than its call.
void TimelineLanes::draw_failures(const Frame& frame, const Row& row) const {
  const float reach = frame.px(4), middle = (row.top + row.bottom) / 2;
  for (const Bar& bar : *row.bars) {
    if (bar.fate == Fate::Good) continue;
    const float from = place_.left + static_cast<float>(bar.at.from);
    const float to = place_.left + static_cast<float>(bar.at.to);
    if (bar.fate == Fate::Failed) {
      const float x = std::max((from + std::min(to, from + 2 * reach)) / 2, place_.left);
      ImGui::GetWindowDrawList()->AddTriangleFilled({x - reach, row.top - 2}, {x + reach, row.top - 2},
                                                    {x, row.top + reach * 1.5f}, frame.theme[Role::Bad]);
      continue;
    }
    const bool beside = !bar.name.empty() && to - from >= 3 * reach;
    diamond({beside ? to - 2 * reach : (from + to) / 2, middle}, reach, frame.theme[Role::Muted]);
  }
}

// From when it was enqueued, over when it ran, to when it is known to be done.
void TimelineLanes::draw_item(const Frame& frame, const lab::TimelineWork& work, const Row& row, float from,
                              float to, float free) const {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 colour = colour_of(frame, work.kind), panel = frame.theme[Role::Panel];
  const float middle = std::round((row.top + row.bottom) / 2), thin = std::max(1.0f, frame.px(1));
  const float high = row.bottom - row.top, least = frame.px(34);
  // Inside of its box if there is room; beside it where nothing follows.
  const auto words = [&](float begin, float end, float after) {
    std::string name = words_of(frame, work);
    if (work.piled > 0) name += " +" + std::to_string(work.piled);
    float x = std::max(begin, place_.left) + frame.px(5);
    float room = std::min(end, place_.right) - x - frame.px(2);
    const float wide = text_size(frame, name, Face::Ui, Size::Small).x;
    const float beside = std::min(free, place_.right) - after - frame.px(10);
    if (room < wide && beside > room) x = after + frame.px(5), room = beside;
    if (room >= std::min(wide, least))
      draw_text_middle(frame, x, row.top, high, frame.theme[Role::Text], name, Face::Ui, Size::Small,
                       std::max(room, wide < room ? wide + 1 : room), Cut::Meant);
  };
  const float begins = x_of(work.enqueued);
  if (is_point(work.kind)) {
    const float at = work.measured() ? x_of(work.ran_to) : begins;
    if (at > from)
      list->AddLine({from, middle}, {at, middle}, colour, thin);
    else if (!work.measured())
      draw_dashed_line(frame, {at, middle}, {to, middle}, colour, thin);
    if (at < place_.left || at > place_.right) return;
    diamond({at, middle}, frame.px(5), frame.theme[Role::Text]);
    return words(at + frame.px(2), at + frame.px(4), at + frame.px(4));
  }
  if (work.measured()) {
    const float runs = x_of(work.ran_from), ends = std::max(x_of(work.ran_to), runs + 1);
    list->AddLine({from, middle}, {std::max(from, runs), middle}, mix(panel, colour, 0.8f), frame.px(2));
    list->AddLine({from, row.top + frame.px(3)}, {from, row.bottom - frame.px(3)}, colour, frame.px(2));
    list->AddRectFilled({runs, row.top}, {ends, row.bottom}, mix(panel, colour, 0.5f));
    list->AddRect({runs, row.top}, {ends, row.bottom}, colour, 0, 0, thin);
    return words(runs, ends, ends);
  }
  list->AddRectFilled({from, row.top}, {to, row.bottom}, mix(panel, colour, 0.12f));
  hatch(frame, {from, row.top}, {to, row.bottom}, mix(panel, colour, 0.45f));
  draw_dashed_line(frame, {from, row.top}, {to, row.top}, colour, thin);
  draw_dashed_line(frame, {from, row.bottom}, {to, row.bottom}, colour, thin);
  list->AddLine({from, row.top}, {from, row.bottom}, colour, frame.px(2));
  const bool known = work.done != lab::kOpenEnd;
  if (known) draw_dashed_line(frame, {to, row.top}, {to, row.bottom}, colour, frame.px(2));
  const float sign = frame.px(kSign);
  const bool signed_here = to - from > sign + frame.px(4) && to <= place_.right;
  if (signed_here) {
    list->AddRectFilled({to - sign, row.top + 1}, {to - 1, row.bottom - 1}, panel);
    draw_text_middle(frame, to - sign + frame.px(2), row.top, high, frame.theme[Role::Text],
                     known ? "≤" : "?", Face::Bold, Size::Small);
  }
  const float wide = std::min(to, place_.right) - std::max(from, place_.left);
  words(wide > least + sign ? from : to, to - (signed_here ? sign : 0), to);
}

void TimelineLanes::draw_work(const Frame& frame, const lab::StreamLane& lane, const Row& row) const {
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect({place_.left, place_.top}, {place_.right, place_.bottom}, true);
  for (std::size_t i = 0; i < row.bars->size(); ++i) {
    const Bar& bar = (*row.bars)[i];
    const float from = place_.left + static_cast<float>(bar.at.from);
    const float to = place_.left + static_cast<float>(bar.at.to);
    const float free = i + 1 < row.bars->size() ? place_.left + static_cast<float>((*row.bars)[i + 1].at.from)
                                                : place_.right;
    const lab::TimelineWork& work = lane.items[lane.rows[row.row].what(bar.at.first)];
    if (bar.at.count == 1 && (to - from > frame.px(4) || is_point(work.kind)))
      draw_item(frame, work, row, from, to, free);
    else
      list->AddRectFilled({from, row.top}, {to, row.bottom},
                          mix(frame.theme[Role::Panel], colour_of(frame, work.kind), 0.7f));
  }
  list->PopClipRect();
}

void TimelineLanes::draw_threads(const Frame& frame, const lab::Timeline& timeline, float& y) {
  draw_head(frame, y, frame.text(Text::TimelineThreads));
  const lab::State& state = frame.bench.model().latest();
  const bool several = frame.bench.processes().size() > 1;
  for (std::size_t i = 0; i < timeline.threads().size(); ++i) {
    const lab::ThreadLane& lane = timeline.threads()[i];
    const float each = frame.px(kCallRow * place_.stretched),
                calls = static_cast<float>(rows_of(lane)) * each;
    const float high = calls + (ghost_.is_of(lane) ? frame.px(TimelineGhost::kRow * place_.stretched) : 0);
    if (is_visible(y, y + high)) {
      const lab::Thread* const known = state.thread(lane.thread);
      std::string name = frame.text(Text::TimelineThread, {std::to_string(lane.thread)});
      const std::string more =
          several ? frame.text(Text::PictureInProcess, {std::to_string(lane.process)}) : std::string();
      if (known != nullptr && !known->name.empty()) name = known->name;
      draw_name(frame, y, each, name, more);
      for (std::size_t row = 0; row < rows_of(lane) && row < lane.rows.size(); ++row) {
        const float top = y + static_cast<float>(row) * each;
        Row shown{&bars(frame, lane.rows[row], row_id(false, i, row), false),
                  false,
                  static_cast<std::uint32_t>(i),
                  static_cast<std::uint32_t>(row),
                  top,
                  top + each - frame.px(2)};
        draw_calls(frame, shown);
        drawn_.push_back(shown);
      }
      for (const trace::Pending& pending : pending_)
        if (pending.call.thread == lane.thread) draw_pending(frame, pending.call, y, each);
      ghost_.draw(frame, lane,
                  {place_.left, place_.right, y + calls - frame.px(2), y + calls + frame.px(1),
                   y + high - frame.px(1)},
                  edges_, [this](std::uint64_t instant) { return x_of(instant); });
    }
    y += high + frame.px(kLaneGap);
  }
}

void TimelineLanes::draw_streams(const Frame& frame, const lab::Timeline& timeline, float& y) {
  stream_tops_.assign(timeline.streams().size(), 0);
  stream_bottoms_ = stream_tops_;
  if (timeline.streams().empty()) return;
  const bool measured =
      std::any_of(timeline.streams().begin(), timeline.streams().end(),
                  [](const auto& lane) { return !lane.items.empty() && lane.items.front().measured(); });
  draw_head(frame, y, frame.text(measured ? Text::TimelineStreamsMeasured : Text::TimelineStreamsInferred));
  const lab::State& state = frame.bench.model().latest();
  for (const std::uint32_t i : timeline.stream_order()) {
    const lab::StreamLane& lane = timeline.streams()[i];
    const float each = frame.px(kWorkRow * place_.stretched), high = static_cast<float>(rows_of(lane)) * each;
    stream_tops_[i] = y, stream_bottoms_[i] = y + high;
    if (is_visible(y, y + high)) {
      std::string name = picture::stream_words(state, frame.language, lane.key);
      if (lane.key.context != lab::kNone && lane.key.context < state.contexts.size())
        name.insert(0, state.contexts[lane.key.context].name + " · ");
      const bool free = lane.key.kind == StreamKey::Kind::Made && !lane.with_legacy;
      draw_name(frame, y, each, name, free ? frame.text(Text::TimelineNonBlocking) : std::string_view());
      for (std::size_t row = 0; row < lane.rows.size(); ++row) {
        const float top = y + static_cast<float>(row) * each;
        Row shown{&bars(frame, lane.rows[row], row_id(true, i, row), true),
                  true,
                  i,
                  static_cast<std::uint32_t>(row),
                  top,
                  top + each - frame.px(3)};
        draw_work(frame, lane, shown);
        drawn_.push_back(shown);
      }
    }
    y += high + frame.px(kLaneGap);
  }
}

// Beside the names: which streams wait for the legacy stream of their context, and it for them.
void TimelineLanes::draw_bracket(const Frame& frame, const lab::Timeline& timeline) const {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 colour = frame.theme[Role::Caution];
  const float x = place_.left - frame.px(7), tick = frame.px(4), thick = frame.px(2);
  for (std::size_t i = 0; i < timeline.streams().size(); ++i) {
    const lab::StreamLane& legacy = timeline.streams()[i];
    if (legacy.key.kind != StreamKey::Kind::Legacy) continue;
    const float from = stream_tops_[i] + frame.px(kWorkRow * place_.stretched) / 2;
    float to = from;
    for (std::size_t k = 0; k < timeline.streams().size(); ++k) {
      const lab::StreamLane& lane = timeline.streams()[k];
      if (!lane.with_legacy || lane.process != legacy.process || lane.key.context != legacy.key.context)
        continue;
      const float y = stream_tops_[k] + frame.px(kWorkRow * place_.stretched) / 2;
      list->AddLine({x, y}, {x + tick, y}, colour, thick);
      to = std::max(to, y);
    }
    if (to == from) continue;
    list->AddLine({x, from}, {x + tick, from}, colour, thick);
    list->AddLine({x, from}, {x, to}, colour, thick);
  }
}

// Where what waits was released, and what released it.
void TimelineLanes::draw_links(const Frame& frame, const lab::Timeline& timeline) const {
  const auto& links = timeline.links();
  const auto target = [&](const lab::TimelineLink& link) -> const lab::TimelineWork& {
    return timeline.streams()[link.to_lane].items[link.to_item];
  };
  const std::uint64_t begin = edges_.front(), end = edges_.back();
  const auto first = std::partition_point(links.begin(), links.end(), [&](const lab::TimelineLink& link) {
    const lab::TimelineWork& work = target(link);
    return work.end() < begin && work.enqueued < begin;
  });
  ImDrawList* list = ImGui::GetWindowDrawList();
  std::size_t drawn = 0;
  std::vector<std::pair<ImVec2, ImVec2>> lines;
  std::vector<bool> legacy;
  for (auto link = first; link != links.end() && target(*link).enqueued < end; ++link) {
    if (++drawn > kMostLinks) return;  // too dense to be told from each other
    const lab::TimelineWork& from = timeline.streams()[link->from_lane].items[link->from_item];
    const lab::TimelineWork& to = target(*link);
    const auto y_of = [&](std::uint32_t lane, const lab::TimelineWork& work) {
      return stream_tops_[lane] +
             (static_cast<float>(work.row) + 0.5f) * frame.px(kWorkRow * place_.stretched) - frame.px(1.5f);
    };
    const bool measured = from.measured() && to.measured();
    if (measured && from.ran_to <= to.enqueued) continue;  // it held nothing up
    const std::uint64_t released = to.kind == WorkKind::Wait ? to.ran_to : to.ran_from;
    lines.emplace_back(ImVec2{x_of(measured ? from.ran_to : from.enqueued), y_of(link->from_lane, from)},
                       ImVec2{x_of(measured ? released : to.enqueued), y_of(link->to_lane, to)});
    legacy.push_back(link->legacy);
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto [from, to] = lines[i];
    const ImU32 colour = frame.theme[legacy[i] ? Role::Caution : Role::Text];
    const float bend = std::max(frame.px(14), std::abs(to.x - from.x) / 2), reach = frame.px(5);
    const ImVec2 tip{to.x, to.y};
    list->AddBezierCubic(from, {from.x + bend, from.y}, {tip.x - bend, tip.y}, {tip.x - reach, tip.y}, colour,
                         frame.px(1.5f));
    list->AddTriangleFilled({tip.x - reach, tip.y - reach * 0.7f}, tip, {tip.x - reach, tip.y + reach * 0.7f},
                            colour);
  }
}

void TimelineLanes::draw(const Frame& frame, const lab::Timeline& timeline, const TimelineRange& range,
                         const Place& place) {
  place_ = place;
  timeline_ = &timeline, range_ = &range;
  asked_ = 0;
  drawn_.clear();
  ghost_.begin_frame();
  const lab::RunPhase phase = frame.bench.phase();
  const bool under_way = phase == lab::RunPhase::Running || phase == lab::RunPhase::Held;
  pending_ = under_way ? frame.bench.pending() : std::vector<trace::Pending>{};
  const float wide = std::max(1.0f, place.right - place.left);
  find(frame, timeline, range, static_cast<std::size_t>(wide));
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect({place.x, place.top}, {place.right, place.bottom}, true);
  float y = place.top - place.scrolled;
  // Names stand beside the lanes, so the lanes alone are clipped to their width.
  draw_threads(frame, timeline, y);
  draw_streams(frame, timeline, y);
  draw_bracket(frame, timeline);
  list->PushClipRect({place.left, place.top}, {place.right, place.bottom}, true);
  draw_links(frame, timeline);
  list->PopClipRect();
  list->PopClipRect();
}

std::optional<ImVec2> TimelineLanes::place_of_work() const {
  for (const Row& row : drawn_)
    if (row.work && !row.bars->empty()) {
      const lab::Stretch& at = row.bars->front().at;
      return ImVec2{place_.left + static_cast<float>(at.from + at.to) / 2, (row.top + row.bottom) / 2};
    }
  return std::nullopt;
}

std::optional<TimelineHit> TimelineLanes::at(ImVec2 mouse) const {
  if (mouse.x < place_.left || mouse.x >= place_.right || mouse.y < place_.top || mouse.y >= place_.bottom)
    return std::nullopt;
  const auto pixel = static_cast<std::uint32_t>(mouse.x - place_.left);
  for (const Row& row : drawn_) {
    if (mouse.y < row.top || mouse.y >= row.bottom) continue;
    const auto after = std::upper_bound(row.bars->begin(), row.bars->end(), pixel,
                                        [](std::uint32_t at, const Bar& bar) { return at < bar.at.from; });
    if (after == row.bars->begin()) return std::nullopt;
    const Bar& bar = *std::prev(after);
    // A pixel beside a thin one is near enough.
    if (pixel > bar.at.to + 1) return std::nullopt;
    TimelineHit hit{row.work, row.lane, bar.at.first, bar.at.count, 0, 0};
    if (row.work) {
      const lab::StreamLane& lane = timeline_->streams()[row.lane];
      hit.item = lane.rows[row.row].what(bar.at.first);
      hit.event = lane.items[hit.item].event;
    } else {
      hit.event = timeline_->threads()[row.lane].rows[row.row].what(bar.at.first);
    }
    return hit;
  }
  return std::nullopt;
}

}  // namespace gui
