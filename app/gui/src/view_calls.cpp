// SPDX-License-Identifier: MIT
// The list of calls: number, thread, call with arguments, result, the stack after it, duration, source line.
//
// Virtual: only the visible rows are looked up and drawn, so a million calls take no more time than thirty.
// The calls that are held or running are below the recorded ones, in pale. A click jumps; a double click
// shows the line.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "call_find.hpp"
#include "calls_columns.hpp"
#include "failure_card.hpp"
#include "formatting.hpp"
#include "help_card.hpp"
#include "imgui_compat.hpp"
#include "lab/nesting.hpp"
#include "lab/source_lines.hpp"
#include "row_scroll.hpp"
#include "view.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::RunPhase;
using lab::Text;

struct Row {
  std::string number, thread, call, result, time, line, file, frames;
  std::vector<lab::StackEntry> stack;  // bottom first
  std::size_t name_size = 0;           // of the call, which begins with the function's name
  int source_line = 0;
  std::uint32_t depth = 0;  // of a call inside another one
  bool failed = false, returned = true, agrees = true;
  bool expected = false;  // a failure that the program asks for
  std::string bare;       // of an expected failure: the result without that word
};

struct Columns {
  float number, thread, call, result, stack, time, line, right;  // left edges; thread < 0: not shown
};

constexpr float kNarrowBelow = 700;  // at 100 %: the column of threads has no room
constexpr std::size_t kOrderedAFrame = 20'000, kMostCopied = 10'000;

class CallsView final : public View {
 public:
  explicit CallsView(lab::Settings& settings) : chosen_(settings) {}
  Text title() const override { return Text::PanelCalls; }
  void draw(Frame& frame) override;
  void take(const Command& command) override {
    if (std::holds_alternative<command::FindCalls>(command)) find_.open();
  }

 private:
  void follow_order(Frame& frame);
  std::size_t calls_listed(const Frame& frame) const;
  std::size_t call_at(const Frame& frame, std::size_t row) const;
  std::optional<std::size_t> row_of_call(std::size_t call) const;
  void take_keys(Frame& frame);
  void walk_rows(Frame& frame, const KeyPress& press);
  std::string heads_to_copy(const Frame& frame) const;
  std::string line_to_copy(const Frame& frame, std::size_t call);
  void copy(Frame& frame, std::size_t from, std::size_t to);
  const Row& row_of(const Frame& frame, std::size_t event, std::size_t call);
  Columns columns(const Frame& frame) const;
  void draw_head(Frame& frame, const Columns& columns);
  void draw_rows(Frame& frame, const Columns& columns);
  void draw_call(Frame& frame, const Columns& columns, std::size_t call);
  void draw_pending(Frame& frame, const Columns& columns, const trace::Pending& pending, std::size_t number);
  void draw_stack(Frame& frame, const Columns& columns, const Row& row, float top);
  void keep_cursor_in_sight(const Frame& frame, std::size_t rows);
  void show_first_found(const Frame& frame);

  std::unordered_map<std::size_t, Row> rows_;  // by event, those asked for lately
  std::uint64_t run_ = 0;
  lab::Language language_ = lab::Language::English;  // of the rows
  float result_room_ = 0;                            // at 100 %: of the widest result that was shown
  RowScroll scroll_;
  FailureCard failure_;
  CallFind find_;
  CallsColumns chosen_;
  lab::CallOrder order_;
  bool usual_ = true;     // the list has all calls, in the order of the run
  bool looking_ = false;  // the first call that is found is yet to be shown
  std::size_t shown_call_ = 0, shown_rows_ = 0, processes_ = 1;
  lab::CallColumn shown_by_ = lab::CallColumn::Number;
  bool shown_descending_ = false, shown_only_ = false;
  float shown_height_ = 0, shown_view_ = 0;  // after a change of size the current row is looked up again
};

// The call stack, where it was recorded: a line for each frame.
std::string frames_before(const trace::Store& store, std::size_t event) {
  if (event == 0 || store.kind_at(event - 1) != trace::EventKind::Stack) return {};
  constexpr std::size_t kMostShown = 24;
  std::string lines;
  std::size_t shown = 0;
  for (const lab::StackFrame& frame : lab::stack_frames(store.at(event - 1).text)) {
    if (++shown > kMostShown) return lines + "…";
    lines += frame.function.empty() ? "?" : frame.function;
    if (!frame.file.empty()) lines += "  " + frame.file.substr(frame.file.rfind('/') + 1);
    if (frame.line > 0) lines += ":" + std::to_string(frame.line);
    lines += '\n';
  }
  return lines;
}

// A narrow list is that of a small window: more of it is seen at once.
float list_width(const Frame& frame) {
  return ImGui::GetWindowWidth() - frame.px(2 * kMargin + 10);
}
bool is_narrow(const Frame& frame) {
  return list_width(frame) / frame.scale <= kNarrowBelow;
}

float row_height(const Frame& frame) {
  return frame.px(is_narrow(frame) ? 26 : 30);
}

float head_height(const Frame& frame) {
  return frame.px(is_narrow(frame) ? 26 : 28);
}

const Row& CallsView::row_of(const Frame& frame, std::size_t event, std::size_t call) {
  const auto found = rows_.find(event);
  if (found != rows_.end()) return found->second;
  if (rows_.size() > 400) rows_.clear();
  const lab::Model& model = frame.bench.model_of(event);
  const trace::Event e = frame.bench.store().at(event);
  Row row;
  row.number = std::to_string(call + 1);
  row.name_size = e.name.size();
  row.thread = std::to_string(e.thread);
  if (frame.bench.processes().size() > 1) row.thread += " · " + std::to_string(e.process);
  row.returned = e.returned;
  row.failed = e.returned && e.result != 0;
  row.time = e.returned && e.dur_ns != 0 ? duration_words(e.dur_ns) : "";  // 0: was not timed
  row.source_line = static_cast<int>(e.line);
  row.depth = e.depth;
  row.file = e.file;
  if (e.line > 0) row.line = std::to_string(e.line);
  row.result = e.returned ? result_words(e) : "";
  result_room_ = std::max(result_room_, text_size(frame, row.result).x / frame.scale);
  row.frames = frames_before(frame.bench.store(), event);
  if (event >= model.moments()) {  // not folded yet: names would be guesses
    row.call = std::string(e.name) + "(…)";
    return rows_.insert_or_assign(std::size_t(-1), std::move(row)).first->second;
  }
  row.call = model.describe(event);
  row.stack = model.stack_after(event);
  row.agrees = model.agrees(event);
  row.expected = row.failed && frame.bench.expected_failure(event);
  if (row.expected) {
    row.bare = row.result;
    (row.result += " · ") += frame.text(Text::CallsAsExpected);
    result_room_ = std::max(result_room_, text_size(frame, row.result).x / frame.scale);
  }
  return rows_.emplace(event, std::move(row)).first->second;
}

Columns CallsView::columns(const Frame& frame) const {
  const float left = ImGui::GetWindowPos().x + frame.px(kMargin);
  const float width = list_width(frame);
  const float w = width / frame.scale;  // at 100 %
  const bool narrow = is_narrow(frame);
  Columns c{};
  c.number = left;
  const std::string last = std::to_string(frame.bench.store().calls() + 9);
  const float number =
      std::max(frame.px(narrow ? 52 : 56), text_size(frame, last, Face::Bold).x + frame.px(18));
  const bool several = frame.bench.processes().size() > 1;
  const float thread =
      several
          ? text_size(frame, frame.text(Text::CallsThreadProcess), Face::Bold, Size::Small).x + frame.px(16)
          : frame.px(76);
  const bool with_thread = !narrow && chosen_.shown(CallsColumns::Thread);
  c.thread = with_thread ? left + number : -1;
  c.call = left + number + (with_thread ? thread : 0);
  c.right = left + width;
  const float line = w > 560 && chosen_.shown(CallsColumns::Line) ? frame.px(54) : 0;
  const float time = w > 820 && chosen_.shown(CallsColumns::Time) ? frame.px(90) : 0;
  const float stack = w > 620 && chosen_.shown(CallsColumns::Stack) ? std::round(width * 0.15f) : 0;
  c.line = c.right - line;
  c.time = c.line - time;
  c.stack = c.time - stack;
  const float usual = std::clamp(width * 0.17f, frame.px(w > 620 ? 186 : 150), frame.px(260));
  const float wanted = std::min(result_room_ * frame.scale + frame.px(30), width * 0.36f);
  // Without the column, whether a call failed is still told by its mark.
  c.result =
      c.stack - (chosen_.shown(CallsColumns::Result) ? std::round(std::max(usual, wanted)) : frame.px(26));
  return c;
}

void CallsView::draw_head(Frame& frame, const Columns& c) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float height = head_height(frame);
  using By = lab::CallColumn;
  const auto head = [&](float x, float end, Text key, std::optional<By> by) {
    if (x < 0 || end - x < frame.px(20)) return;
    const std::string_view words = frame.text(key);
    const bool sorted = by == chosen_.by() && (by != By::Number || chosen_.descending());
    const float wide = std::min(text_size(frame, words, Face::Bold, Size::Small).x, end - x);
    bool hovered = false;
    if (by) {
      const std::string id = "sort " + std::to_string(static_cast<int>(*by));
      ImGui::SetCursorScreenPos({x - frame.px(4), from.y});
      if (pressable(frame, id.c_str(), {wide + frame.px(16), height})) chosen_.sort_by(*by);
      hovered = ImGui::IsItemHovered() && !frame.still;
      tooltip(frame, frame.text(Text::CallsSortHint));
      draw_focus(frame, {x - frame.px(4), from.y + frame.px(2)},
                 {x + wide + frame.px(12), from.y + height - frame.px(2)});
      if (frame.places != nullptr) (*frame.places)["calls " + id] = {x + wide / 2, from.y + height / 2};
    }
    draw_text_middle(frame, x, from.y, height, frame.theme[sorted || hovered ? Role::Text : Role::Muted],
                     words, Face::Bold, Size::Small, end - x);
    if (!sorted) return;
    const float at = x + wide + frame.px(6), middle = from.y + height / 2, reach = frame.px(3);
    const float tip = chosen_.descending() ? reach : -reach;
    ImGui::GetWindowDrawList()->AddTriangleFilled({at - reach, middle - tip}, {at + reach, middle - tip},
                                                  {at, middle + tip}, frame.theme[Role::Accent]);
  };
  head(c.number, c.thread < 0 ? c.call : c.thread, Text::CallsNumber, By::Number);
  const bool several = frame.bench.processes().size() > 1;
  head(c.thread, c.call, several ? Text::CallsThreadProcess : Text::CallsThread, By::Thread);
  head(c.call, c.result, Text::CallsCall, By::Call);
  if (chosen_.shown(CallsColumns::Result)) head(c.result, c.stack, Text::CallsResult, By::Result);
  head(c.stack, c.time, Text::CallsStack, std::nullopt);
  head(c.time, c.line, Text::CallsTime, By::Time);
  head(c.line, c.right + frame.px(10), Text::CallsLine, By::Line);
  const std::size_t listed = calls_listed(frame);
  if (frame.watched != nullptr) frame.watched->listed = static_cast<int>(listed);
  if (chosen_.draw_menu(frame, {c.right + frame.px(12), from.y + height / 2})) copy(frame, 0, listed);
  ImGui::SetCursorScreenPos({from.x, from.y + height});
}

// What a row says in which row, where the list is not the run as it went.
void CallsView::follow_order(Frame& frame) {
  const lab::CallOrder::Wanted wanted{chosen_.by(), chosen_.descending(),
                                      find_.only() ? find_.search() : nullptr};
  usual_ = wanted.usual();
  if (usual_) return;
  while (order_.follow_some(frame.bench.store(), wanted, kOrderedAFrame))
    if (!frame.still) {
      frame.animate();
      break;
    }
}

std::size_t CallsView::calls_listed(const Frame& frame) const {
  return usual_ ? frame.bench.store().calls() : order_.rows();
}

std::size_t CallsView::call_at(const Frame& frame, std::size_t row) const {
  return usual_ ? lab::call_of_row(frame.bench.store(), row, frame.bench.store().calls())
                : order_.call_at(row);
}

std::optional<std::size_t> CallsView::row_of_call(std::size_t call) const {
  return usual_ ? std::optional(call) : order_.row_of(call);
}

// The keys of the list: the moment goes from row to row, and Enter shows the line of the call.
void CallsView::walk_rows(Frame& frame, const KeyPress& press) {
  const std::size_t rows = calls_listed(frame), calls = frame.bench.call_at_cursor();
  if (rows == 0 || press.ctrl || press.alt) return;
  const std::optional<std::size_t> now = calls > 0 ? row_of_call(calls - 1) : std::nullopt;
  if (press.key == Key::Enter && calls > 0) {
    const trace::Event event = frame.bench.store().at(frame.bench.store().event_of_call(calls - 1));
    if (event.line > 0)
      frame.post(command::ShowSource{std::string(event.file), static_cast<int>(event.line), true});
    return;
  }
  std::size_t row = now.value_or(0);
  if (press.key == Key::Home || (press.key == Key::Down && !now))
    row = 0;
  else if (press.key == Key::End)
    row = rows - 1;
  else if (press.key == Key::Down)
    row = std::min(row + 1, rows - 1);
  else if (press.key == Key::Up)
    row -= std::min<std::size_t>(row, 1);
  else
    return;
  // What comes after a question is not shown before it is answered.
  const std::size_t call = call_at(frame, row);
  if (frame.selection.asking && call >= calls) return;
  frame.selection.play_rate = 0;
  frame.selection.stops.leave();
  frame.bench.jump_to_call(call);
  frame.animate();
}

// Ctrl+C copies the call of the moment, as a line of a table.
void CallsView::take_keys(Frame& frame) {
  const Selection& selection = frame.selection;
  const bool mine =
      selection.focus == "calls" ||
      (selection.focus.empty() && ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows));
  if (!mine || selection.editor_focus.now || selection.typing) return;
  for (const KeyPress& press : frame.input.keys) {
    if (selection.focus == "calls") walk_rows(frame, press);
    if (press.key != Key::C || !press.ctrl || press.shift || press.alt) continue;
    const std::size_t calls = frame.bench.call_at_cursor();
    if (calls == 0) continue;
    ImGui::SetClipboardText(line_to_copy(frame, calls - 1).c_str());
    frame.post(command::Say{{Text::CallsCopied, {"1"}}});
  }
}

std::string CallsView::heads_to_copy(const Frame& frame) const {
  std::string line(frame.text(Text::CallsNumber));
  const auto add = [&](CallsColumns::Column column, Text name) {
    if (chosen_.shown(column)) (line += '\t') += frame.text(name);
  };
  add(CallsColumns::Thread, Text::CallsThread);
  (line += '\t') += frame.text(Text::CallsCall);
  add(CallsColumns::Result, Text::CallsResult);
  add(CallsColumns::Stack, Text::CallsStack);
  add(CallsColumns::Time, Text::CallsTime);
  add(CallsColumns::Line, Text::CallsLine);
  return line + '\n';
}

std::string CallsView::line_to_copy(const Frame& frame, std::size_t call) {
  const Row& row = row_of(frame, frame.bench.store().event_of_call(call), call);
  std::string line = row.number;
  const auto add = [&](CallsColumns::Column column, const std::string& words) {
    if (chosen_.shown(column)) (line += '\t') += words;
  };
  add(CallsColumns::Thread, row.thread);
  (line += '\t') += row.call;
  add(CallsColumns::Result, row.returned ? row.result : std::string(frame.text(Text::CallsNeverReturned)));
  std::string stack;
  for (const lab::StackEntry& entry : row.stack) (stack += stack.empty() ? "" : " ") += entry.name;
  add(CallsColumns::Stack, stack);
  add(CallsColumns::Time, row.time);
  add(CallsColumns::Line,
      row.line.empty() ? row.line : row.file.substr(row.file.rfind('/') + 1) + ":" + row.line);
  return line + '\n';
}

// As they are listed: sorted, and only those that are found.
void CallsView::copy(Frame& frame, std::size_t from, std::size_t to) {
  if (frame.selection.asking) to = std::min(to, frame.bench.call_at_cursor());
  const std::size_t end = std::min(to, from + kMostCopied);
  std::string table = heads_to_copy(frame);
  for (std::size_t row = from; row < end; ++row) table += line_to_copy(frame, call_at(frame, row));
  ImGui::SetClipboardText(table.c_str());
  frame.post(command::Say{
      end < to ? lab::Problem{Text::CallsCopiedSome, {std::to_string(end - from), std::to_string(to)}}
               : lab::Problem{Text::CallsCopied, {std::to_string(end - from)}}});
}

void CallsView::draw_stack(Frame& frame, const Columns& c, const Row& row, float top) {
  const float end = c.time - frame.px(8), gap = frame.px(5), y = top + (row_height(frame) - frame.px(20)) / 2;
  // The top of the stack is what counts: where not all fit, the bottom is folded away.
  float width = 0;
  std::size_t first = row.stack.size();
  const float fold = badge_size(frame, "… 99").x + gap;
  while (first > 0) {
    const float next = badge_size(frame, row.stack[first - 1].name).x + gap;
    if (c.stack + width + next + (first > 1 ? fold : 0) > end && first < row.stack.size()) break;
    width += next;
    --first;
  }
  float x = c.stack;
  if (first > 0) {
    const std::string more = "… " + std::to_string(first);
    x += draw_text_middle(frame, x, top, row_height(frame), frame.theme[Role::Muted], more, Face::Bold,
                          Size::Small) +
         gap;
  }
  for (std::size_t i = first; i < row.stack.size(); ++i)
    x += context_badge_at(frame, {x, y}, row.stack[i].name, row.stack[i].alive).x + gap;
  if (row.agrees) return;
  draw_icon(frame, Icon::Warning, {x + frame.px(8), top + row_height(frame) / 2}, frame.px(15),
            frame.theme[Role::Bad]);
  if (ImGui::IsMouseHoveringRect({x, top}, {x + frame.px(18), top + row_height(frame)}))
    tooltip_now(frame, {}, frame.text(Text::CallsDisagree));
}

void CallsView::draw_call(Frame& frame, const Columns& c, std::size_t call) {
  const std::size_t event = frame.bench.store().event_of_call(call);
  const Row& row = row_of(frame, event, call);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float height = row_height(frame), in = frame.px(8);
  const ImVec2 a{ImGui::GetWindowPos().x + in, from.y}, b{c.right + in, from.y + height};
  ImGui::PushID(static_cast<int>(call));
  ImGui::SetCursorScreenPos(a);
  if (ImGui::InvisibleButton("row", {b.x - a.x, height}) && !compat::ctrl_held())
    frame.bench.jump_to_call(call);
  const bool hovered = ImGui::IsItemHovered() && !frame.still;
  if (hovered && ImGui::IsMouseDoubleClicked(0) && row.source_line > 0)
    frame.post(command::ShowSource{row.file, row.source_line, true});
  ImGui::PopID();
  if (hovered) frame.selection.hovered.event = event;
  if (hovered && !row.frames.empty() && ImGui::GetIO().MousePos.x >= c.time)
    tooltip_now(frame, frame.text(Text::CallStack), row.frames);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::size_t cursor = frame.bench.call_at_cursor();
  const bool current = call + 1 == cursor, future = call >= cursor;
  const lab::CallSearch* const found = frame.selection.finding.calls;
  if (found != nullptr && found->holds(call) && !(future && frame.selection.asking)) {
    if (!current) draw_card(frame, a, b, with_alpha(frame.theme[Role::CautionSoft], 0.7f), 0);
    list->AddRectFilled({a.x, a.y + frame.px(4)}, {a.x + frame.px(4), b.y - frame.px(4)},
                        frame.theme[Role::Caution], frame.px(2));
  }
  if (current)
    draw_card(frame, a, b, frame.theme[row.failed && !row.expected ? Role::BadSoft : Role::AccentSoft], 0);
  else if (hovered)
    draw_card(frame, a, b, frame.theme[Role::Hover], 0);
  const ImU32 faint = mix(frame.theme[Role::Panel], frame.theme[Role::Muted], 0.85f);
  const ImU32 text = future ? faint : frame.theme[Role::Text];
  draw_text_middle(frame, c.number, from.y, height, text, row.number, current ? Face::Bold : Face::Ui);
  if (c.thread >= 0) draw_text_middle(frame, c.thread, from.y, height, text, row.thread);
  const float gap = frame.px(12);
  const std::string_view whole = row.call, name = whole.substr(0, row.name_size),
                         rest = whole.substr(name.size());
  const float left = c.call + frame.px(18) * static_cast<float>(std::min<std::uint32_t>(row.depth, 4));
  const float room = c.result - left - gap;
  const float name_width =
      draw_text_middle(frame, left, from.y, height, future ? faint : frame.theme[Role::CodeFunction], name,
                       Face::Mono, Size::Body, room, Cut::Meant);
  if (room > name_width + frame.px(20))
    draw_text_middle(frame, left + name_width, from.y, height, future ? faint : frame.theme[Role::CodeText],
                     rest, Face::Mono, Size::Body, room - name_width, Cut::Meant);
  // Where the arguments are cut, all of them are shown under the mouse instead.
  const bool cut = name_width + text_size(frame, rest, Face::Mono).x > room;
  const float over = ImGui::GetIO().MousePos.x;
  if (hovered && over >= left && over < left + (cut ? name_width : room))
    help_card_in(frame, cut ? name : whole, {left, from.y});
  const auto end = row.returned ? std::nullopt : frame.bench.end();
  const bool stopped = end && end->asked_to();
  const Role mood = stopped                       ? Role::Muted
                    : row.expected                ? Role::Caution
                    : !row.returned || row.failed ? Role::Bad
                                                  : Role::Good;
  if (future && frame.selection.asking) {  // what comes out is the question
    list->AddCircle({c.result + frame.px(5), from.y + height / 2}, frame.px(3.5f), faint, 16, frame.px(1.5f));
    if (c.right - c.line > frame.px(20)) draw_text_middle(frame, c.line, from.y, height, text, row.line);
    return;
  }
  if (mood == Role::Bad)
    draw_icon(frame, Icon::Cross, {c.result + frame.px(5), from.y + height / 2}, frame.px(12),
              frame.theme[mood]);
  else if (mood == Role::Caution)  // an expected failure: shown by shape as well as by colour
    draw_icon(frame, Icon::Check, {c.result + frame.px(5), from.y + height / 2}, frame.px(12),
              frame.theme[mood]);
  else
    list->AddCircleFilled({c.result + frame.px(5), from.y + height / 2}, frame.px(3.5f),
                          with_alpha(frame.theme[mood], future ? 0.6f : 1.0f), 16);
  std::string_view result = row.returned ? std::string_view(row.result)
                            : stopped    ? frame.text(Text::CallsStoppedHere)
                                         : frame.text(Text::CallsNeverReturned);
  const float result_room = c.stack - c.result - frame.px(26);
  if (row.expected && text_size(frame, result).x > result_room) result = row.bare;  // its mark says it too
  const ImU32 result_colour = future && mood != Role::Bad ? faint : frame.theme[mood];
  if (chosen_.shown(CallsColumns::Result)) {
    const float left_of_result = c.result + frame.px(18);
    draw_text_middle(frame, left_of_result, from.y, height, result_colour, result, Face::Ui, Size::Body,
                     result_room, Cut::Meant);
    if (hovered && over >= c.result && over < c.stack && text_size(frame, result).x <= result_room)
      help_card_in(frame, result, {left_of_result, from.y}, Size::Body, Face::Ui);
  }
  if (c.time - c.stack > frame.px(30)) draw_stack(frame, c, row, from.y);
  if (c.line - c.time > frame.px(20)) draw_text_middle(frame, c.time, from.y, height, text, row.time);
  if (c.right - c.line > frame.px(20)) draw_text_middle(frame, c.line, from.y, height, text, row.line);
}

void CallsView::draw_pending(Frame& frame, const Columns& c, const trace::Pending& pending,
                             std::size_t number) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float height = row_height(frame);
  const ImU32 muted = frame.theme[Role::Muted];
  draw_text_middle(frame, c.number, from.y, height, muted, std::to_string(number));
  if (c.thread >= 0) draw_text_middle(frame, c.thread, from.y, height, muted, std::to_string(pending.thread));
  const std::string call = frame.bench.model().describe(pending.call);
  const float left =
      c.call + frame.px(18) * static_cast<float>(std::min<std::uint32_t>(pending.call.depth, 4));
  draw_text_middle(frame, left, from.y, height, muted, call, Face::Mono, Size::Body,
                   c.result - left - frame.px(12), Cut::Meant);
  ImGui::GetWindowDrawList()->AddCircle({c.result + frame.px(5), from.y + height / 2}, frame.px(3.5f),
                                        frame.theme[Role::Accent], 16, frame.px(1.5f));
  if (chosen_.shown(CallsColumns::Result))
    draw_text_middle(frame, c.result + frame.px(18), from.y, height, frame.theme[Role::Accent],
                     frame.text(pending.held ? Text::CallsNext : Text::CallsRunning));
  if (c.right - c.line > frame.px(20) && pending.call.line > 0)
    draw_text_middle(frame, c.line, from.y, height, muted, std::to_string(pending.call.line));
  ImGui::Dummy({1, height});
}

void CallsView::keep_cursor_in_sight(const Frame& frame, std::size_t rows) {
  const std::size_t call = frame.bench.call_at_cursor();
  const float height = row_height(frame), view = ImGui::GetWindowHeight();
  scroll_.measure(static_cast<double>(rows), view / height);
  const bool same_order =
      chosen_.by() == shown_by_ && chosen_.descending() == shown_descending_ && find_.only() == shown_only_;
  shown_by_ = chosen_.by(), shown_descending_ = chosen_.descending(), shown_only_ = find_.only();
  const bool same_room = height == shown_height_ && view == shown_view_ && same_order;
  if (call == shown_call_ && rows == shown_rows_ && same_room && !frame.still) return;
  const std::optional<std::size_t> row = call == 0 ? std::optional<std::size_t>(0) : row_of_call(call - 1);
  if (row) scroll_.show(static_cast<double>(*row), frame.still || !same_room);
  shown_call_ = call;
  shown_rows_ = rows;
  shown_height_ = height;
  shown_view_ = view;
}

// What is typed shows its first place from the moment on; the moment itself stays.
void CallsView::show_first_found(const Frame& frame) {
  if (!looking_ || find_.search() == nullptr || find_.search()->found().empty()) return;
  looking_ = false;
  const std::size_t calls = frame.bench.call_at_cursor();
  const auto first = find_.search()->next(calls == 0 ? 0 : calls - 1, lab::Direction::Forward);
  const bool here = calls > 0 && find_.search()->holds(calls - 1);
  if (const auto row = row_of_call(here ? calls - 1 : *first))
    scroll_.show(static_cast<double>(*row), frame.still);
}

void CallsView::draw_rows(Frame& frame, const Columns& c) {
  const std::size_t calls = calls_listed(frame);
  const auto pending = find_.only() ? std::vector<trace::Pending>() : frame.bench.pending();
  const std::size_t rows = calls + pending.size();
  keep_cursor_in_sight(frame, rows);
  show_first_found(frame);
  const ImVec2 from = ImGui::GetWindowPos();
  const float height = row_height(frame), end = from.y + ImGui::GetWindowHeight();
  auto row = static_cast<std::size_t>(scroll_.top());
  const TextLog::ScrolledByHand by_hand(frame.texts);
  float y = from.y - std::round(static_cast<float>(scroll_.top() - static_cast<double>(row)) * height);
  for (; row < rows && y < end; ++row, y += height) {
    ImGui::SetCursorScreenPos({from.x, y});
    if (row < calls)
      draw_call(frame, c, call_at(frame, row));
    else
      draw_pending(frame, c, pending[row - calls], frame.bench.store().calls() + row - calls + 1);
  }
  scroll_.draw(frame, "bar");
}

void CallsView::draw(Frame& frame) {
  const std::size_t processes = frame.bench.processes().size();
  if (language_ != frame.language) rows_.clear(), language_ = frame.language;
  if (run_ != frame.run || processes_ != processes) {
    rows_.clear();
    processes_ = processes;
    result_room_ = 0;
    run_ = frame.run;
    shown_call_ = shown_rows_ = 0;
    scroll_.move_to(0);
  }
  rows_.erase(std::size_t(-1));
  looking_ = find_.follow(frame) || looking_;
  follow_order(frame);
  take_keys(frame);
  if (frame.bench.store().calls() == 0 && frame.bench.pending().empty()) {
    if (frame.bench.phase() == RunPhase::Building)
      empty_state(frame, {}, frame.text(Text::CallsBuilding));
    else
      empty_state(frame, frame.text(Text::CallsEmptyTitle), frame.text(Text::CallsEmpty));
    return;
  }
  if (find_.is_open()) {
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float high = find_.height(frame);
    find_.draw(frame, from, ImGui::GetContentRegionAvail().x);
    ImGui::SetCursorScreenPos({from.x, from.y + high});
  }
  const Columns c = columns(frame);
  // A low panel does without the heads of the columns, so that the row of the current call is whole.
  if (ImGui::GetContentRegionAvail().y >= head_height(frame) + row_height(frame)) draw_head(frame, c);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImVec2 room = ImGui::GetContentRegionAvail();
  room.y -= std::clamp(room.y - row_height(frame), 0.0f, frame.px(8));
  const float in = frame.px(kMargin) / 2, width = room.x - 2 * in;
  const float why = failure_.measure(frame, width, room.y - 2 * row_height(frame));
  room.y -= why;
  if (room.y < 1) return;
  compat::begin_child("rows", room, false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  draw_rows(frame, c);
  compat::end_child();
  if (why == 0) return;
  ImGui::SetCursorScreenPos({from.x + in, from.y + room.y + frame.px(6)});
  failure_.draw(frame, width);
}

}  // namespace

std::unique_ptr<View> make_calls_view(lab::Settings& settings) {
  return std::make_unique<CallsView>(settings);
}

}  // namespace gui
