// SPDX-License-Identifier: MIT
// The bar of time: a track with one dot for each call, marks above it, the knob at the shown moment, and the
// state of the run. It also plays the run, and pins a moment.
//
// Dots have the colour of the context that is current after the call. A failure that the program expects is a
// diamond of that colour, any other failure is red. Dots that would touch are merged; a merged dot is red if
// any of its calls failed unexpectedly. The model counts the marks for each range of pixels, for runs of any
// length. Dragging jumps. Does not depend on other panels.
#include <algorithm>
#include <cmath>

#include "parting_words.hpp"
#include "view.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::RunPhase;
using lab::Text;

struct Dot {
  ImU32 colour = 0;
  bool failed = false, expected = false;  // expected: nothing failed but what the program asks for
  bool known = false;
};

class TimeView final : public View {
 public:
  Text title() const override { return Text::PanelTime; }
  void draw(Frame& frame) override;

 private:
  void collect(const Frame& frame);
  void play(Frame& frame);
  static void take_keys(Frame& frame);
  void draw_marks(Frame& frame, float left, float right, float y, std::size_t calls) const;
  void draw_steps(Frame& frame, float left, float right, float y, std::size_t calls) const;
  void draw_found(Frame& frame, float left, float right, float y, std::size_t calls) const;
  void draw_pin(Frame& frame, float left, float right, float y, std::size_t calls) const;
  void explain(Frame& frame, float part, float width) const;
  void draw_controls(Frame& frame, float left, float y);
  void draw_track(Frame& frame, float left, float right, float y);
  void draw_ghost(Frame& frame, float left, float right, float y, std::size_t calls);
  static void draw_fork(const Frame& frame, float left, float right, float fork, float y,
                        const std::string& why);
  void draw_dots(Frame& frame, float left, float right, float y, std::size_t calls);
  Dot dot_of(const Frame& frame, std::size_t first, std::size_t last) const;

  std::vector<std::uint32_t> failed_;  // call numbers, ascending
  std::size_t seen_events_ = 0, seen_calls_ = 0;
  std::uint64_t run_ = 0;
  double played_at_ = 0;  // when the last call was played
  double rate_ = 4;       // calls a second, when played
  std::vector<Dot> dots_;
  std::size_t dots_calls_ = 0;
  ThemeName dots_theme_ = ThemeName::Dark;
};

// The state of the run, as words and a colour.
std::pair<std::string, Role> standing(const Frame& frame) {
  switch (frame.bench.phase()) {
    case RunPhase::Idle:
      return {std::string(frame.text(Text::PhaseIdle)), Role::Muted};
    case RunPhase::Building:
      return {std::string(frame.text(Text::PhaseBuilding)), Role::Accent};
    case RunPhase::BuildFailed:
      return {std::string(frame.text(Text::PhaseBuildFailed)), Role::Bad};
    case RunPhase::Running:
      return {std::string(frame.text(Text::PhaseRunning)), Role::Good};
    case RunPhase::Held:
      return {std::string(frame.text(Text::PhaseHeld)), Role::Accent};
    case RunPhase::Ended:
    case RunPhase::Replaying:
      break;
  }
  const auto end = frame.bench.end();
  if (!end) return {std::string(frame.text(Text::PhaseReplaying)), Role::Muted};
  const bool well = end->kind == trace::EndKind::Exit && end->number == 0;
  return {end->in(frame.language), well ? Role::Muted : Role::Bad};
}

void TimeView::collect(const Frame& frame) {
  const trace::Store& store = frame.bench.store();
  if (run_ != frame.run || store.size() < seen_events_) {
    failed_.clear();
    dots_.clear();
    seen_events_ = seen_calls_ = dots_calls_ = 0;
    run_ = frame.run;
  }
  for (; seen_events_ < store.size(); ++seen_events_) {
    if (store.kind_at(seen_events_) != trace::EventKind::Call) continue;
    if (store.result_at(seen_events_) != 0) failed_.push_back(static_cast<std::uint32_t>(seen_calls_));
    ++seen_calls_;
  }
}

Dot TimeView::dot_of(const Frame& frame, std::size_t first, std::size_t last) const {
  Dot dot;
  const auto failure = std::lower_bound(failed_.begin(), failed_.end(), static_cast<std::uint32_t>(first));
  dot.failed = failure != failed_.end() && *failure < last;
  constexpr std::ptrdiff_t kMostAsked = 64;
  if (dot.failed) {
    const auto all = std::lower_bound(failure, failed_.end(), static_cast<std::uint32_t>(last));
    dot.expected = all - failure <= kMostAsked && std::all_of(failure, all, [&](std::uint32_t call) {
                     return frame.bench.expected_failure(frame.bench.store().event_of_call(call));
                   });
  }
  dot.colour = frame.theme[Role::Muted];
  const std::size_t event = frame.bench.store().event_of_call(last - 1);
  if (event < frame.bench.model().moments()) {
    const lab::Context* const top = frame.bench.model_of(event).top_after(event);
    if (top != nullptr) dot.colour = frame.theme.context(top->name).line;
    dot.known = true;
  }
  if (dot.failed && !dot.expected) dot.colour = frame.theme[Role::Bad];
  return dot;
}

void draw_dot(const Frame& frame, ImVec2 at, ImU32 colour, bool past, bool diamond) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float thick = std::max(1.0f, frame.px(1.3f));
  const ImU32 faint = mix(frame.theme[Role::Panel], colour, 0.75f);
  if (diamond) {
    const float reach = frame.px(5.5f);
    const ImVec2 top{at.x, at.y - reach}, right{at.x + reach, at.y}, bottom{at.x, at.y + reach},
        left{at.x - reach, at.y};
    if (past)
      list->AddQuadFilled(top, right, bottom, left, colour);
    else
      list->AddQuad(top, right, bottom, left, faint, thick);
  } else if (past) {
    list->AddCircleFilled(at, frame.px(3.5f), colour, 16);
  } else {
    list->AddCircle(at, frame.px(3.5f) - frame.px(0.5f), faint, 16, thick);
  }
}

// The sentence about a fork, from there to the right, or before it where that is too narrow.
void TimeView::draw_fork(const Frame& frame, float left, float right, float fork, float y,
                         const std::string& why) {
  const float wide = text_size(frame, why, Face::Ui, Size::Small).x, row = frame.px(18);
  const float x = std::max(left, std::min(fork, right - wide - 1));
  draw_text_middle(frame, x, y, row, frame.theme[Role::Muted], why, Face::Ui, Size::Small, right - x,
                   Cut::Meant);
}

// The run before, in grey below the dots: a line from where the two part, with a point for each call that it
// made from there on. They are as far apart as the dots, or closer where the run before was longer. Below it
// is said why, if the panel has room for that.
void TimeView::draw_ghost(Frame& frame, float left, float right, float y, std::size_t calls) {
  if (!frame.ghost || frame.bench.ghost() == nullptr) return;
  const lab::RunPair* const pair = frame.bench.pair();
  const auto other = frame.bench.other();
  const lab::Divergence& first = *pair->comparison().first;
  const trace::Store& mine = frame.bench.store();
  const trace::Store& theirs = *other->store;
  const std::size_t from_here =
      first.event_a ? mine.calls_before(*first.event_a)
                    : pair->calls_beside(lab::Side::Second, theirs.calls_before(*first.event_b));
  const std::size_t from_there =
      first.event_b ? theirs.calls_before(*first.event_b)
                    : pair->calls_beside(lab::Side::First, mine.calls_before(*first.event_a));
  // What comes of the next call is the question.
  if (frame.selection.asking && from_here >= frame.bench.call_at_cursor()) return;
  const float each = (right - left) / static_cast<float>(calls);
  const float fork = left + each * static_cast<float>(from_here), below = y + frame.px(10);
  const std::size_t more = theirs.calls() - std::min(theirs.calls(), from_there);
  const float step =
      more == 0 ? 0 : std::max(0.0f, std::min(each, (right - fork) / static_cast<float>(more)));
  const ImU32 grey = frame.theme[Role::Muted];
  const float end = fork + step * static_cast<float>(more);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float bend = std::min(fork + frame.px(6), std::max(end, fork + frame.px(3)));
  list->AddLine({fork, y}, {bend, below}, grey, frame.px(1.5f));
  list->AddLine({bend, below}, {std::max(end, bend), below}, mix(frame.theme[Role::Panel], grey, 0.5f),
                frame.px(1.5f));
  const auto apart = static_cast<std::size_t>(step > 0 ? std::max(1.0f, std::ceil(frame.px(7) / step)) : 1);
  for (std::size_t call = apart; call <= more && step > 0; call += apart)
    list->AddCircleFilled({fork + step * static_cast<float>(call), below}, frame.px(2.2f), grey, 12);
  if (frame.places != nullptr) (*frame.places)["ghost"] = {fork, below};
  const std::string why =
      parting_words(frame.bench, *other, pair->comparison(), frame.language).in(frame.language);
  const float bottom = ImGui::GetWindowPos().y + ImGui::GetWindowHeight(), line = below + frame.px(6);
  if (line + frame.px(18) <= bottom) draw_fork(frame, left, right, fork, line, why);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool over = mouse.x >= fork - frame.px(4) && mouse.x <= std::max(end, bend) + frame.px(4) &&
                    mouse.y > y + frame.px(5) && mouse.y < below + frame.px(6);
  if (over && ImGui::IsWindowHovered() && !frame.still && !frame.selection.hush.on)
    tooltip_now(frame, std::string(frame.text(Text::CompareTakeBefore)), why);
}

void TimeView::draw_dots(Frame& frame, float left, float right, float y, std::size_t calls) {
  const float apart = frame.px(9);
  const auto room = static_cast<std::size_t>(std::max(1.0f, (right - left) / apart));
  const std::size_t count = std::min(calls, room);
  if (dots_.size() != count || dots_calls_ != calls || dots_theme_ != frame.theme.name()) {
    dots_.assign(count, {});
    dots_calls_ = calls;
    dots_theme_ = frame.theme.name();
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = i * calls / count, last = std::max(first + 1, (i + 1) * calls / count);
    if (!dots_[i].known) dots_[i] = dot_of(frame, first, last);
    const float x = left + (right - left) * static_cast<float>(last) / static_cast<float>(calls);
    const bool past = last <= frame.bench.call_at_cursor();
    const bool secret = !past && frame.selection.asking;  // what comes out is the question
    const ImU32 colour = dots_[i].known && !secret ? dots_[i].colour : frame.theme[Role::Line];
    // Not by colour alone: a line above what failed, a diamond for what was meant to fail.
    const bool failed = dots_[i].failed && !secret;
    draw_dot(frame, {x, y}, colour, past, failed && dots_[i].expected);
    if (failed && !dots_[i].expected)
      list->AddLine({x, y - frame.px(8.5f)}, {x, y - frame.px(4.5f)}, frame.theme[Role::Bad], frame.px(2));
  }
}

// Forward at the chosen speed, to the end of what is known; a program that still runs is waited for.
void TimeView::play(Frame& frame) {
  double& rate = frame.selection.play_rate;
  if (rate <= 0 || frame.still) return;
  lab::Workbench& bench = frame.bench;
  if (rate < 0.5) rate = rate_;  // asked for by the key
  if (played_at_ == 0) played_at_ = frame.time;
  const auto due = static_cast<std::size_t>(std::max(0.0, (frame.time - played_at_) * rate));
  if (due > 0) {
    played_at_ += static_cast<double>(due) / rate;
    const std::size_t known =
        bench.store().calls_before(std::min(bench.model().moments(), bench.store().size()));
    const std::size_t wanted = std::min(known, bench.call_at_cursor() + due);
    if (wanted > bench.call_at_cursor()) bench.jump_to_call(wanted - 1);
    const RunPhase phase = bench.phase();
    if (wanted == known && phase != RunPhase::Running && phase != RunPhase::Building) rate = 0;
  }
  if (rate > 0)
    frame.animate(std::max(0.0, 1 / rate - (frame.time - played_at_)));
  else
    played_at_ = 0;
}

// The arrow keys move the knob, a call at a time.
void TimeView::take_keys(Frame& frame) {
  Selection& selection = frame.selection;
  if (!selection.stops.here() || selection.typing || frame.still) return;
  const std::size_t calls = frame.bench.store().calls();
  for (const KeyPress& press : frame.input.keys) {
    if (press.ctrl || press.shift || press.alt) continue;
    const std::size_t now = frame.bench.call_at_cursor();
    std::size_t wanted = now;
    if (press.key == Key::Left) wanted = now - std::min<std::size_t>(now, 1);
    if (press.key == Key::Right) wanted = std::min(now + 1, calls);
    if (press.key == Key::Home) wanted = 0;
    if (press.key == Key::End) wanted = calls;
    if (wanted == now || (selection.asking && wanted > now)) continue;  // that is what is asked
    selection.play_rate = 0;
    selection.stops.leave();
    if (wanted == 0)
      frame.bench.jump(0);
    else
      frame.bench.jump_to_call(wanted - 1);
    frame.animate();
  }
}

// Above the track, by pixels: what failed, what launched, where a stack changed. Shapes differ, not only
// colours; each has a row of its own within the few pixels that there are.
void TimeView::draw_marks(Frame& frame, float left, float right, float y, std::size_t calls) const {
  const lab::Model& model = frame.bench.model();
  const trace::Store& store = frame.bench.store();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float apart = frame.px(5), size = frame.px(3);
  const auto room = static_cast<std::size_t>(std::max(1.0f, (right - left) / apart));
  const std::size_t count = std::min(calls, room);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = i * calls / count, last = std::max(first + 1, (i + 1) * calls / count);
    const std::size_t from = store.event_of_call(first), to = store.event_of_call(last - 1) + 1;
    if (to > model.moments()) break;
    const float x = left + (right - left) * static_cast<float>(last) / static_cast<float>(calls);
    if (model.marks(lab::Mark::Stack, from, to) > 0)
      list->AddTriangleFilled({x - size, y - frame.px(9)}, {x + size, y - frame.px(9)}, {x, y - frame.px(5)},
                              frame.theme[Role::Muted]);
    if (model.marks(lab::Mark::Launch, from, to) > 0)
      list->AddTriangleFilled({x, y - frame.px(15)}, {x + size, y - frame.px(11)},
                              {x - size, y - frame.px(11)}, frame.theme[Role::Accent]);
    // What was meant to fail has its diamond below. Where the dot is not looked up yet, the mark goes a frame
    // later.
    const std::size_t dot = dots_calls_ == calls ? ((first + 1) * dots_.size() - 1) / calls : dots_.size();
    const bool meant = dot < dots_.size() && dots_[dot].known && dots_[dot].expected;
    if (model.marks(lab::Mark::Failed, from, to) > 0 && !meant)
      list->AddRectFilled({x - size * 0.8f, y - frame.px(21)}, {x + size * 0.8f, y - frame.px(17)},
                          frame.theme[Role::Bad]);
  }
}

// Below the track, between it and the dots: where the steps of the notes begin, as long as there are few.
void TimeView::draw_steps(Frame& frame, float left, float right, float y, std::size_t calls) const {
  const auto& starts = frame.bench.step_starts();
  if (starts.size() > static_cast<std::size_t>(std::max(1.0f, (right - left) / frame.px(14)))) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const lab::Workbench::StepStart& start : starts) {
    const float x =
        left + (right - left) * (static_cast<float>(start.call) + 0.5f) / static_cast<float>(calls);
    list->AddLine({x, y + frame.px(4)}, {x, y + frame.px(11)}, frame.theme[Role::LineStrong], frame.px(1.5f));
  }
}

// The calls that are looked for: across the track, and no two closer than a mark is wide.
void TimeView::draw_found(Frame& frame, float left, float right, float y, std::size_t calls) const {
  if (frame.selection.finding.calls == nullptr) return;
  const std::vector<std::uint32_t>& found = frame.selection.finding.calls->found();
  const std::size_t secret = frame.selection.asking ? frame.bench.call_at_cursor() : calls;
  const float each = (right - left) / static_cast<float>(calls);
  const auto apart = static_cast<std::size_t>(std::max(1.0f, frame.px(3) / each));
  for (auto call = found.begin(); call != found.end() && *call < secret;
       call = std::lower_bound(call, found.end(), *call + apart)) {
    const float x = left + each * static_cast<float>(*call + 1);
    ImGui::GetWindowDrawList()->AddRectFilled({x - frame.px(1), y - frame.px(5)},
                                              {x + frame.px(1), y + frame.px(5)}, frame.theme[Role::Caution]);
  }
}

void TimeView::draw_pin(Frame& frame, float left, float right, float y, std::size_t calls) const {
  if (!frame.selection.pin) return;
  const trace::Store& store = frame.bench.store();
  const std::size_t call = store.calls_before(std::min(*frame.selection.pin, store.size()));
  const float x = left + (right - left) * static_cast<float>(call) / static_cast<float>(calls);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine({x, y - frame.px(18)}, {x, y + frame.px(10)}, frame.theme[Role::Good], frame.px(2));
  draw_icon(frame, Icon::Pin, {x, y - frame.px(18)}, frame.px(13), frame.theme[Role::Good]);
}

// What is under the mouse: the call, or how many of each kind if one pixel is several calls.
void TimeView::explain(Frame& frame, float part, float width) const {
  const trace::Store& store = frame.bench.store();
  const lab::Model& model = frame.bench.model();
  const std::size_t calls = store.calls();
  const float each = width / static_cast<float>(calls);
  const auto here = static_cast<std::size_t>(std::lround(part * static_cast<float>(calls)));
  if (here == 0 || here > calls) return;
  const std::size_t around = each >= 1 ? 0 : static_cast<std::size_t>(1 / each);
  const std::size_t first = here - 1, last = std::min(calls, here + around);
  const std::size_t from = store.event_of_call(first), to = store.event_of_call(last - 1) + 1;
  if (to > model.moments()) return;
  std::string title, text;
  const auto add = [&text](const std::string& line) { (text += text.empty() ? "" : "\n") += line; };
  if (last - first == 1) {
    const trace::Event event = store.at(from);
    title = frame.text(Text::TimeHover, {std::to_string(here), std::string(event.name)});
    add(frame.bench.model_of(from).describe(from));
    if (frame.selection.asking && here > frame.bench.call_at_cursor())
      add(event.file + ":" + std::to_string(event.line));
    else if (event.result != 0 || !event.returned)
      add("→ " + std::to_string(event.result) + " " + std::string(trace::result_name(event)) +
          (frame.bench.expected_failure(from) ? " · " + std::string(frame.text(Text::CallsAsExpected)) : ""));
    const auto& starts = frame.bench.step_starts();
    const auto after =
        std::upper_bound(starts.begin(), starts.end(), first,
                         [](std::size_t call, const auto& start) { return call < start.call; });
    if (after != starts.begin()) add(frame.text(Text::TimeHoverStep, {(after - 1)->step}));
    if (event.line > 0) add(event.file + ":" + std::to_string(event.line));
  } else {
    title = frame.text(Text::TimeHoverCalls, {std::to_string(first + 1), std::to_string(last)});
    const std::pair<lab::Mark, Text> kinds[] = {{lab::Mark::Failed, Text::TimeHoverFailed},
                                                {lab::Mark::Launch, Text::TimeHoverLaunch},
                                                {lab::Mark::Stack, Text::TimeHoverStack}};
    for (const auto& [mark, words] : kinds)
      if (const std::size_t count = model.marks(mark, from, to); count > 0)
        add(frame.text(words, {std::to_string(count)}));
  }
  add(std::string(frame.text(Text::TimeLegend)));
  tooltip_now(frame, title, text);
}

// Play, its speed, the pin, and the ways to two runs and to the timeline; below the panel's name.
void TimeView::draw_controls(Frame& frame, float left, float y) {
  Selection& selection = frame.selection;
  const bool playing = selection.play_rate > 0;
  ButtonOptions options;
  options.style = ButtonStyle::Ghost, options.size = Size::Small;
  float x = left;
  const auto place = [&](const char* name, std::string_view label) {
    const ImVec2 size = button_size(frame, label, options);
    ImGui::SetCursorScreenPos({x, y - size.y / 2});
    if (frame.places != nullptr) (*frame.places)[name] = {x + size.x / 2, y};
    x += size.x + frame.px(1);
    return button(frame, name, label, options);
  };
  options.icon = playing ? Icon::Stop : Icon::Play;
  options.hint = frame.text(playing ? Text::TimePause : Text::TimePlay), options.on = playing;
  if (place("play", "")) selection.play_rate = playing ? 0 : rate_, played_at_ = 0;
  const int rate = static_cast<int>(rate_);
  const std::string hint = frame.text(Text::TimeSpeed, {std::to_string(rate)});
  options.icon = Icon::None, options.hint = hint, options.on = false;
  if (place("speed", std::to_string(rate) + "/s")) {
    constexpr int kRates[] = {1, 2, 4, 10, 30, 60};
    const auto* const next = std::upper_bound(std::begin(kRates), std::end(kRates), rate);
    rate_ = next == std::end(kRates) ? kRates[0] : *next;
    if (playing) selection.play_rate = rate_;
  }
  options.icon = Icon::Pin, options.on = selection.pin.has_value();
  options.hint = frame.text(selection.pin ? Text::TimeUnpin : Text::TimePin);
  if (place("pin", "")) frame.post(command::Do{Action::PinMoment});
  options.icon = Icon::Copy, options.on = false, options.hint = frame.text(Text::TimeCompare);
  if (place("compare runs", "")) frame.post(command::Do{Action::CompareRuns});
  options.icon = Icon::Lanes, options.on = selection.timeline;
  options.hint = frame.text(selection.timeline ? Text::TimelineClose : Text::TimelineOpen);
  if (place("timeline", "")) frame.post(command::Do{Action::ShowTimeline});
}

void TimeView::draw_track(Frame& frame, float left, float right, float y) {
  const std::size_t calls = frame.bench.store().calls();
  const float length = right - left;
  ImGui::SetCursorScreenPos({left - frame.px(8), y - frame.px(12)});
  ImGui::InvisibleButton("track", {std::max(1.0f, length + frame.px(16)), frame.px(38)});
  if (frame.places != nullptr) {
    (*frame.places)["track left"] = {left, y};
    (*frame.places)["track right"] = {right, y};
  }
  const bool hovered = ImGui::IsItemHovered() && !frame.still, active = ImGui::IsItemActive();
  if (active) frame.selection.play_rate = 0;
  if (active && calls > 0) {
    const float part = std::clamp((ImGui::GetIO().MousePos.x - left) / std::max(1.0f, length), 0.0f, 1.0f);
    const auto call = static_cast<std::size_t>(std::lround(part * static_cast<float>(calls)));
    if (call != frame.bench.call_at_cursor()) {
      if (call == 0)
        frame.bench.jump(0);
      else
        frame.bench.jump_to_call(call - 1);
    }
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float half = frame.px(2);
  list->AddRectFilled({left, y - half}, {right, y + half}, frame.theme[Role::Line], half);
  if (calls == 0) return;
  draw_marks(frame, left, right, y, calls);
  draw_steps(frame, left, right, y, calls);
  const float part = static_cast<float>(frame.bench.call_at_cursor()) / static_cast<float>(calls);
  const float knob = left + length * part;
  list->AddRectFilled({left, y - half}, {knob, y + half}, frame.theme[Role::Accent], half);
  draw_found(frame, left, right, y, calls);
  draw_dots(frame, left, right, y + frame.px(18), calls);
  draw_ghost(frame, left, right, y + frame.px(18), calls);
  draw_pin(frame, left, right, y, calls);
  const float radius = frame.px(hovered || active ? 9 : 8);
  list->AddCircleFilled({knob, y}, radius + frame.px(2), frame.theme[Role::Panel], 32);
  list->AddCircleFilled({knob, y}, radius, frame.theme[Role::Accent], 32);
  if (hovered && !active && ImGui::GetIO().MousePos.y < y + frame.px(23))
    explain(frame, std::clamp((ImGui::GetIO().MousePos.x - left) / std::max(1.0f, length), 0.0f, 1.0f),
            length);
}

void TimeView::draw(Frame& frame) {
  collect(frame);
  take_keys(frame);
  play(frame);
  const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const float y = from.y + frame.px(24), row = frame.px(28), margin = frame.px(kMargin);
  const std::string_view name = frame.text(Text::PanelTime);
  draw_text_middle(frame, from.x + margin, y - row / 2, row, frame.theme[Role::Muted], name, Face::Bold,
                   Size::Small);

  const std::size_t calls = frame.bench.store().calls();
  const std::string count =
      calls == 0 ? std::string(frame.text(Text::TimeNoCalls))
                 : frame.text(Text::TimeCallOf,
                              {std::to_string(frame.bench.call_at_cursor()), std::to_string(calls)});
  const auto [words, role] = standing(frame);
  const float count_width = text_size(frame, count, Face::Bold, Size::Small).x;
  const float words_width = std::min(text_size(frame, words, Face::Ui, Size::Small).x, size.x * 0.32f);
  const float right = from.x + size.x - margin;
  draw_text_middle(frame, right - count_width, y - row / 2, row, frame.theme[Role::Text], count, Face::Bold,
                   Size::Small);
  const float column = std::max(count_width, words_width);
  draw_text_middle(frame, right - words_width, y + frame.px(5), row, frame.theme[role], words, Face::Ui,
                   Size::Small, words_width + 1);
  draw_controls(frame, from.x + margin - frame.px(8), y + frame.px(22));
  const float left = from.x + margin + frame.px(168);
  draw_track(frame, left, std::max(left + 1, right - column - frame.px(28)), y);
}

}  // namespace

std::unique_ptr<View> make_time_view() {
  return std::make_unique<TimeView>();
}

}  // namespace gui
