// SPDX-License-Identifier: MIT
// The timeline: lanes of threads and streams below a ruler with the steps of the lesson and breakpoints, and
// the shown moment as a line through all of them.
//
// The wheel and + and − zoom, a drag and the arrow keys move, Home shows all; a click goes to the call. What
// lies in the lanes is found by lab/timeline.hpp, a bounded number of events a frame, once the panel is
// drawn.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "formatting.hpp"
#include "timeline_lanes.hpp"
#include "view.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

constexpr std::size_t kEventsAtOnce = 1000, kLinesAFrame = 1000;
constexpr std::chrono::microseconds kTimeAFrame{1500};  // for a run that is longer than the lanes are
constexpr float kRuler = 34, kWidestNames = 190, kTickGap = 110, kControls = 34;
constexpr float kMostStretched = 1.6f;  // of rows
constexpr double kZoomStep = 1.5, kMoveStep = 0.15;

class TimelineView final : public View {
 public:
  Text title() const override { return Text::TimelineTitle; }
  void draw(Frame& frame) override;

 private:
  void follow(const Frame& frame);
  void follow_breakpoints(const Frame& frame);
  void follow_moment(const Frame& frame);
  void take_keys(const Frame& frame, bool hovered);
  void take_mouse(Frame& frame, bool hovered);
  void draw_controls(Frame& frame, float& top);
  void draw_ruler(Frame& frame) const;
  void draw_moment(Frame& frame) const;
  void draw_found(Frame& frame) const;
  void go_to(Frame& frame, float x) const;
  void explain(Frame& frame, const TimelineHit& hit) const;
  static void explain_ghost(Frame& frame, std::size_t event);
  float x_of(std::uint64_t instant) const;
  std::size_t moment_at(const Frame& frame, std::uint64_t instant) const;

  std::unique_ptr<lab::Timeline> timeline_;
  const trace::Store* store_ = nullptr;
  std::uint64_t run_ = 0;
  TimelineRange range_;
  TimelineLanes lanes_;
  TimelineLanes::Place place_;
  float scrolled_ = 0;
  std::size_t cursor_ = 0;
  bool dragged_ = false, on_ruler_ = false;

  std::vector<std::uint32_t> stops_;  // events at breakpoints, ascending
  std::string stops_key_;
  std::size_t stops_seen_ = 0;
};

void TimelineView::follow(const Frame& frame) {
  const trace::Store& store = frame.bench.store();
  if (timeline_ == nullptr || run_ != frame.run || store_ != &store || store.size() < timeline_->events()) {
    timeline_ = std::make_unique<lab::Timeline>(store);
    range_.fit();
    lanes_.forget();
    stops_.clear(), stops_key_.clear();
    scrolled_ = 0, cursor_ = 0, stops_seen_ = 0;
    run_ = frame.run, store_ = &store;
  }
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + kTimeAFrame;
  while (timeline_->follow_some(frame.bench.model(), kEventsAtOnce))
    if (!frame.still && Clock::now() >= end) {
      frame.animate();
      break;
    }
  follow_breakpoints(frame);
}

// Which calls are on lines with breakpoints: a part of the run in each frame.
void TimelineView::follow_breakpoints(const Frame& frame) {
  std::string key;
  for (const std::string& file : frame.bench.files())
    for (const int line : frame.bench.breakpoints(file)) key += file + ":" + std::to_string(line) + "\n";
  if (key != stops_key_) stops_.clear(), stops_key_ = key, stops_seen_ = 0;
  if (key.empty()) return;
  const trace::Store& store = frame.bench.store();
  const std::size_t end = std::min(timeline_->events(), stops_seen_ + kLinesAFrame);
  for (; stops_seen_ < end; ++stops_seen_) {
    if (store.kind_at(stops_seen_) != trace::EventKind::Call || store.depth_at(stops_seen_) != 0) continue;
    const trace::Event event = store.at(stops_seen_);
    const std::string file = event.line == 0 ? std::string() : frame.bench.file_of(event.file);
    if (file.empty()) continue;
    const int line = frame.bench.line_now(file, static_cast<int>(event.line));
    if (frame.bench.breakpoints(file).contains(line))
      stops_.push_back(static_cast<std::uint32_t>(stops_seen_));
  }
  if (stops_seen_ < timeline_->events()) frame.animate();
}

// A moment that was gone to is brought into view; where the reader is otherwise stays.
void TimelineView::follow_moment(const Frame& frame) {
  const std::size_t cursor = frame.bench.cursor();
  if (std::exchange(cursor_, cursor) != cursor)
    range_.show(timeline_->scale(), timeline_->instant_of(cursor));
}

float TimelineView::x_of(std::uint64_t instant) const {
  const double part = std::clamp(range_.part_of(timeline_->scale(), instant), -1.0, 2.0);
  return place_.left + static_cast<float>(part) * (place_.right - place_.left);
}

// After all events that were over at this instant: they are in the order in which they ended.
std::size_t TimelineView::moment_at(const Frame& frame, std::uint64_t instant) const {
  std::size_t low = 0, high = std::min(timeline_->events(), frame.bench.model().moments());
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (timeline_->instant_of(middle + 1) <= instant)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void TimelineView::go_to(Frame& frame, float x) const {
  const double part = (x - place_.left) / std::max(1.0f, place_.right - place_.left);
  const std::size_t moment = moment_at(frame, range_.instant_at(timeline_->scale(), part));
  const std::size_t calls = frame.bench.store().calls_before(moment);
  if (calls == frame.bench.call_at_cursor()) return;
  if (calls == 0)
    frame.bench.jump(0);
  else
    frame.bench.jump_to_call(calls - 1);
}

void TimelineView::take_keys(const Frame& frame, bool hovered) {
  const bool mine = frame.selection.focus == "timeline" || (hovered && frame.selection.focus.empty());
  if (!mine || frame.selection.editor_focus.now || frame.selection.typing) return;
  const lab::TimeScale& scale = timeline_->scale();
  const float visible = place_.bottom - place_.top;
  // The moment stays where it is, if it is in view.
  const double moment = range_.part_of(scale, timeline_->instant_of(frame.bench.cursor()));
  const double part = moment >= 0 && moment <= 1 ? moment : 0.5;
  for (const KeyPress& press : frame.input.keys) {
    if (press.ctrl || press.alt) continue;
    switch (press.key) {
      case Key::Plus:
        range_.zoom(scale, kZoomStep, part);
        break;
      case Key::Minus:
        range_.zoom(scale, 1 / kZoomStep, part);
        break;
      case Key::Left:
        range_.move(scale, -kMoveStep);
        break;
      case Key::Right:
        range_.move(scale, kMoveStep);
        break;
      case Key::Home:
        range_.fit();
        break;
      case Key::Up:
        scrolled_ -= frame.px(24);
        break;
      case Key::Down:
        scrolled_ += frame.px(24);
        break;
      case Key::PageUp:
        scrolled_ -= visible;
        break;
      case Key::PageDown:
        scrolled_ += visible;
        break;
      default:
        continue;
    }
    frame.animate();
  }
}

void TimelineView::take_mouse(Frame& frame, bool hovered) {
  const ImGuiIO& io = ImGui::GetIO();
  const lab::TimeScale& scale = timeline_->scale();
  const float wide = std::max(1.0f, place_.right - place_.left);
  if (hovered && io.MouseWheel != 0) {
    if (io.MousePos.x < place_.left || io.KeyCtrl)
      scrolled_ -= io.MouseWheel * frame.px(48);
    else if (io.KeyShift)
      range_.move(scale, -io.MouseWheel * kMoveStep);
    else
      range_.zoom(scale, std::pow(kZoomStep, io.MouseWheel),
                  std::clamp((io.MousePos.x - place_.left) / wide, 0.0f, 1.0f));
    frame.animate();
  }
  if (ImGui::IsItemActivated()) {
    dragged_ = false;
    on_ruler_ = io.MousePos.y < place_.top && io.MousePos.x >= place_.left;
  }
  if (ImGui::IsItemActive()) {
    if (on_ruler_) {
      frame.selection.play_rate = 0;
      return go_to(frame, std::clamp(io.MousePos.x, place_.left, place_.right));
    }
    if (ImGui::IsMouseDragging(0, frame.px(4)) || dragged_) {
      dragged_ = true;
      range_.move(scale, -io.MouseDelta.x / wide);
      scrolled_ -= io.MouseDelta.y;
    }
  } else if (ImGui::IsItemDeactivated() && !dragged_ && !on_ruler_) {
    const auto hit = lanes_.at(io.MousePos);
    frame.selection.play_rate = 0;
    if (hit && hit->event < frame.bench.model().moments())
      frame.bench.jump(hit->event + 1);
    else if (io.MousePos.x >= place_.left)
      go_to(frame, io.MousePos.x);
  }
}

void TimelineView::draw_controls(Frame& frame, float& top) {
  const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const float high = frame.px(kControls), right = from.x + size.x - frame.px(kMargin);
  const lab::TimeScale& scale = timeline_->scale();
  const float named = draw_text_middle(frame, from.x + frame.px(kMargin), top, high, frame.theme[Role::Muted],
                                       frame.text(title()), Face::Bold, Size::Small);
  float x = from.x + frame.px(kMargin) + named + frame.px(14);
  ButtonOptions options;
  options.style = ButtonStyle::Ghost, options.size = Size::Small;
  const auto place = [&](const char* id, std::string_view label, std::string_view hint) {
    options.hint = hint;
    const ImVec2 wide = button_size(frame, label, options);
    if (x + wide.x > right) return false;
    ImGui::SetCursorScreenPos({x, top + (high - wide.y) / 2});
    if (frame.places != nullptr) (*frame.places)[id] = {x + wide.x / 2, top + high / 2};
    x += wide.x + frame.px(2);
    return button(frame, id, label, options);
  };
  if (place("timeline in", "+", frame.text(Text::TimelineCloser))) range_.zoom(scale, kZoomStep, 0.5);
  if (place("timeline out", "−", frame.text(Text::TimelineFarther))) range_.zoom(scale, 1 / kZoomStep, 0.5);
  if (place("timeline fit", frame.text(Text::TimelineFit), frame.text(Text::TimelineFitHint))) range_.fit();
  using Kind = TimelineRange::Kind;
  for (const Kind kind : {Kind::Steps, Kind::Clock}) {
    options.on = range_.kind() == kind;
    const bool steps = kind == Kind::Steps;
    if (place(steps ? "timeline steps" : "timeline clock",
              frame.text(steps ? Text::TimelineSteps : Text::TimelineClock),
              frame.text(steps ? Text::TimelineStepsHint : Text::TimelineClockHint)))
      range_.set_kind(kind);
  }
  TimelineLanes::draw_legend(frame, x + frame.px(10), right, top, high);
  top += high;
}

// Calls or times, the steps of the lesson, breakpoints.
void TimelineView::draw_ruler(Frame& frame) const {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const lab::TimeScale& scale = timeline_->scale();
  const float top = place_.top - frame.px(kRuler), line = place_.top - frame.px(1);
  const float row = frame.px(16), step_row = top + row;
  list->AddLine({place_.left, line}, {place_.right, line}, frame.theme[Role::Line], frame.px(1));
  const auto ticks = static_cast<int>((place_.right - place_.left) / frame.px(kTickGap));
  const float moment = x_of(timeline_->instant_of(frame.bench.cursor()));
  std::size_t last = ~std::size_t{0};
  for (int i = 0; i < ticks; ++i) {
    const double part = (i + 0.5) / ticks;
    const float x = place_.left + static_cast<float>(part) * (place_.right - place_.left);
    const std::uint64_t instant = range_.instant_at(scale, part);
    const std::size_t call = frame.bench.store().calls_before(moment_at(frame, instant));
    const bool clock = range_.kind() == TimelineRange::Kind::Clock;
    if (!clock && std::exchange(last, call) == call) continue;
    const std::string words =
        clock ? duration_words(instant) : frame.text(Text::TimelineCall, {std::to_string(call)});
    list->AddLine({x, top + row - frame.px(4)}, {x, top + row}, frame.theme[Role::LineStrong], frame.px(1));
    const float wide = text_size(frame, words, Face::Ui, Size::Small).x + frame.px(12);
    if (moment < x - frame.px(6) || moment > x + wide)
      draw_text(frame, {x + frame.px(3), top}, frame.theme[Role::Muted], words, Face::Ui, Size::Small);
  }
  const trace::Store& store = frame.bench.store();
  const auto& starts = frame.bench.step_starts();
  float free = place_.left;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t event = store.event_of_call(starts[i].call);
    const float x = x_of(store.time_at(event));
    const bool more = i + 1 < starts.size();
    const float next = more ? x_of(store.time_at(store.event_of_call(starts[i + 1].call))) : place_.right;
    if (next < place_.left || x > place_.right) continue;
    const float from = std::max(x, place_.left);
    if (x >= place_.left)
      list->AddLine({x, step_row}, {x, place_.bottom}, with_alpha(frame.theme[Role::LineStrong], 0.5f),
                    frame.px(1));
    const float room = std::min(next, place_.right) - from - frame.px(8);
    const float wide = text_size(frame, starts[i].step, Face::Ui, Size::Small).x;
    if (from < free || room < std::min(wide, frame.px(40))) continue;
    draw_text_middle(frame, from + frame.px(4), step_row, row, frame.theme[Role::Text], starts[i].step,
                     Face::Ui, Size::Small, room, Cut::Meant);
    free = from + std::min(wide, room) + frame.px(8);
  }
  float before = -1e9f;
  for (auto stop = std::partition_point(
           stops_.begin(), stops_.end(),
           [&](std::uint32_t event) { return store.time_at(event) < range_.instant_at(scale, 0); });
       stop != stops_.end(); ++stop) {
    const float x = x_of(store.time_at(*stop));
    if (x > place_.right) break;
    if (x - before < frame.px(4)) continue;
    list->AddCircleFilled({x, line}, frame.px(4), frame.theme[Role::Bad], 12);
    if (frame.places != nullptr)
      (*frame.places)["timeline stop " + std::to_string(store.calls_before(*stop) + 1)] = {x, line};
    before = x;
  }
}

// The calls that are looked for: a mark on the ruler, and a thin line through the lanes.
void TimelineView::draw_found(Frame& frame) const {
  if (frame.selection.finding.calls == nullptr) return;
  const trace::Store& store = frame.bench.store();
  const lab::TimeScale& scale = timeline_->scale();
  const std::vector<std::uint32_t>& found = frame.selection.finding.calls->found();
  const std::size_t known = store.calls_before(timeline_->events());
  const std::size_t end = frame.selection.asking ? std::min(known, frame.bench.call_at_cursor()) : known;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float top = place_.top - frame.px(1), reach = frame.px(4);
  const double wide = std::max(1.0f, place_.right - place_.left), apart = frame.px(3) / wide;
  const auto first_after = [&](double part) {  // the first that was over at this part of the width
    const std::uint64_t instant = range_.instant_at(scale, part);
    return std::partition_point(found.begin(), found.end(), [&](std::uint32_t call) {
      return timeline_->instant_of(store.event_of_call(call) + 1) < instant;
    });
  };
  int drawn = 0;
  for (auto call = first_after(0); call != found.end() && *call < end;) {
    const double part = range_.part_of(scale, store.time_at(store.event_of_call(*call)));
    if (part > 1) break;
    if (part >= 0) {
      const float x = place_.left + static_cast<float>(part * wide);
      list->AddTriangleFilled({x - reach, top - 2 * reach}, {x + reach, top - 2 * reach}, {x, top},
                              frame.theme[Role::Caution]);
      list->AddLine({x, place_.top}, {x, place_.bottom}, with_alpha(frame.theme[Role::Caution], 0.45f),
                    frame.px(1));
      ++drawn;
    }
    call = std::max(call + 1, first_after(part + apart));
  }
  if (frame.watched != nullptr) frame.watched->marks = drawn;
}

void TimelineView::draw_moment(Frame& frame) const {
  const float x = x_of(timeline_->instant_of(frame.bench.cursor()));
  if (x < place_.left - 1 || x > place_.right + 1) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float top = place_.top - frame.px(kRuler), reach = frame.px(6);
  // What comes of the next call is the question.
  if (frame.selection.asking)
    list->AddRectFilled({x, place_.top}, {place_.right, place_.bottom}, frame.theme[Role::Panel]);
  else  // what is to come is fainter, as everywhere
    list->AddRectFilled({x, place_.top}, {place_.right, place_.bottom},
                        with_alpha(frame.theme[Role::Panel], 0.45f));
  list->AddLine({x, top}, {x, place_.bottom}, frame.theme[Role::Accent], frame.px(2));
  list->AddTriangleFilled({x - reach, top}, {x + reach, top}, {x, top + reach * 1.4f},
                          frame.theme[Role::Accent]);
  if (frame.places != nullptr) (*frame.places)["timeline moment"] = {x, top + reach / 2};
}

void TimelineView::explain(Frame& frame, const TimelineHit& hit) const {
  const trace::Store& store = frame.bench.store();
  if (hit.event >= frame.bench.model().moments()) return;
  if (frame.selection.asking && hit.event >= frame.bench.cursor()) return;
  std::string title, text;
  const auto add = [&text](const std::string& line) { (text += text.empty() ? "" : "\n") += line; };
  const auto call = [&](std::size_t event) {
    return std::to_string(store.calls_before(event) + 1) + " " +
           std::string(trace::name_of(store.function_at(event)));
  };
  if (hit.count > 1) {
    title = frame.text(Text::TimelineSeveral, {std::to_string(hit.count)});
    add(std::string(frame.text(hit.work ? Text::TimelineSeveralWork : Text::TimelineSeveralCalls)));
    return tooltip_now(frame, title, text);
  }
  if (!hit.work) {
    const trace::Event event = store.at(hit.event);
    title = call(hit.event);
    add(frame.bench.model_of(hit.event).describe(hit.event));
    if (!event.returned)
      add(std::string(frame.text(Text::TimelineNeverReturned)));
    else
      add(frame.text(Text::TimelineTook, {duration_words(event.dur_ns)}));
    if (event.result != 0)
      add("→ " + std::to_string(event.result) + " " + std::string(trace::result_name(event)) +
          (frame.bench.expected_failure(hit.event) ? " · " + std::string(frame.text(Text::CallsAsExpected))
                                                   : ""));
    return tooltip_now(frame, title, text);
  }
  const lab::StreamLane& lane = timeline_->streams()[hit.lane];
  const lab::TimelineWork& work = lane.items[hit.item];
  title = TimelineLanes::words_of(frame, work);
  add(frame.text(Text::TimelineEnqueuedBy, {call(work.event)}));
  if (work.kind == lab::WorkKind::Wait && work.amount != lab::kNoEvent)
    add(frame.text(Text::PictureHintWaitsFor, {call(work.amount)}));
  if (work.measured())
    add(frame.text(Text::TimelineRan, {duration_words(work.ran_from - std::min(work.ran_from, work.enqueued)),
                                       duration_words(work.ran_to - work.ran_from)}));
  else if (work.done != lab::kOpenEnd)
    add(frame.text(Text::TimelineDoneAtLatest, {call(work.proof)}));
  else
    add(std::string(frame.text(Text::TimelineNotKnownDone)));
  if (lane.key.kind == lab::StreamKey::Kind::Legacy)
    add(std::string(frame.text(Text::TimelineLegacy)));
  else if (lane.with_legacy)
    add(std::string(frame.text(Text::TimelineBlocking)));
  tooltip_now(frame, title, text);
}

// A call of the run before.
void TimelineView::explain_ghost(Frame& frame, std::size_t event) {
  const auto other = frame.bench.other();
  if (!other || event >= other->model->moments()) return;
  const std::string call = std::to_string(other->store->calls_before(event) + 1) + " " +
                           std::string(trace::name_of(other->store->function_at(event)));
  tooltip_now(frame, frame.text(Text::GhostBefore, {call}), other->model->describe(event));
}

void TimelineView::draw(Frame& frame) {
  follow(frame);
  const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  float top = from.y;
  draw_controls(frame, top);
  const float margin = frame.px(kMargin);
  place_.x = from.x + margin;
  place_.left = std::round(place_.x + std::min(frame.px(kWidestNames), size.x * 0.24f));
  place_.right = std::max(place_.left + 1, std::floor(from.x + size.x - margin));
  place_.top = top + frame.px(kRuler);
  place_.bottom = from.y + size.y - frame.px(6);
  if (place_.bottom - place_.top < frame.px(10)) return;
  if (timeline_->threads().empty()) {
    ImGui::SetCursorScreenPos({from.x, top});
    return empty_state(frame, frame.text(Text::TimeNoCalls), frame.text(Text::TimelineEmpty));
  }
  ImGui::SetCursorScreenPos({place_.x, top});
  ImGui::InvisibleButton("lanes", {place_.right - place_.x, place_.bottom - top});
  const bool hovered = ImGui::IsItemHovered() && !frame.still;
  if (!frame.still) {
    take_keys(frame, hovered);
    take_mouse(frame, hovered);
  }
  follow_moment(frame);
  lanes_.follow(frame, *timeline_, range_);
  const float needed = lanes_.height(frame, *timeline_), visible = place_.bottom - place_.top;
  scrolled_ = std::clamp(scrolled_, 0.0f, std::max(0.0f, needed - visible));
  place_.stretched = std::clamp(visible / needed, 1.0f, kMostStretched);
  place_.scrolled = scrolled_;
  if (frame.places != nullptr) {
    (*frame.places)["timeline left"] = {place_.left, place_.top - frame.px(kRuler) / 2};
    if (frame.watched != nullptr)
      frame.watched->timeline = std::max(1, static_cast<int>(1000 * range_.shown(timeline_->scale())));
    (*frame.places)["timeline right"] = {place_.right, place_.top - frame.px(kRuler) / 2};
  }
  draw_ruler(frame);
  {
    const TextLog::ScrolledByHand scrolls(frame.texts);
    lanes_.draw(frame, *timeline_, range_, place_);
  }
  if (needed > visible) {  // where among the lanes these are
    const float x = place_.right + frame.px(7), from_top = place_.top + visible * scrolled_ / needed;
    ImGui::GetWindowDrawList()->AddRectFilled({x, from_top},
                                              {x + frame.px(4), from_top + visible * visible / needed},
                                              frame.theme[Role::LineStrong], frame.px(2));
  }
  if (frame.places != nullptr)
    if (const auto first = lanes_.place_of_work()) (*frame.places)["timeline work"] = *first;
  draw_found(frame);
  draw_moment(frame);
  if (!hovered || ImGui::IsItemActive()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (const auto hit = lanes_.at(mouse))
    explain(frame, *hit);
  else if (const auto before = lanes_.ghost_at(mouse))
    explain_ghost(frame, *before);
}

}  // namespace

std::unique_ptr<View> make_timeline_view() {
  return std::make_unique<TimelineView>();
}

}  // namespace gui
