// SPDX-License-Identifier: MIT
// The output of the program, in its order between the calls; output after the shown moment is pale. Before a
// run, it shows the compiler's messages, if there are any.
//
// The bytes are those that the program wrote: control characters are removed here. Does not depend on other
// panels.
#include <fmt/format.h>

#include <algorithm>

#include "find_line.hpp"
#include "formatting.hpp"
#include "view.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::RunPhase;
using lab::Text;

constexpr float kLine = 22;                 // at 100 %
constexpr std::size_t kMostLines = 20'000;  // kept for showing; older ones go

struct Line {
  std::string text;
  std::size_t event = 0;
  bool error = false;       // written to stderr
  bool open = false;        // its end has not been written yet
  std::uint64_t zeros = 0;  // shown as words instead of the text
};

class OutputView final : public View {
 public:
  Text title() const override { return Text::PanelOutput; }
  void draw(Frame& frame) override;
  void take(const Command& command) override {
    find_wanted_ = find_wanted_ || std::holds_alternative<command::FindInOutput>(command);
  }

 private:
  struct Place {
    std::size_t line = 0, begin = 0;  // bytes of its text
  };
  void look_for_words(Frame& frame);
  void draw_marks(const Frame& frame, std::size_t line, ImVec2 from, float line_height) const;
  void collect(const Frame& frame);
  void take_line(std::string_view text, std::size_t event, bool error);
  void draw_lines(Frame& frame);
  void draw_build(Frame& frame, const lab::BuildResult& build);

  std::vector<Line> lines_;
  std::size_t seen_ = 0;
  FindLine find_{"output find", Text::FindInOutputField};
  bool find_wanted_ = false;
  std::vector<Place> places_;
  std::string marked_;        // the words that have these places
  std::size_t searched_ = 0;  // the value of seen_ then
  std::size_t shown_ = 0;
  std::uint64_t run_ = 0;
};

void OutputView::take_line(std::string_view text, std::size_t event, bool error) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    // A line that another stream did not finish is carried on.
    if (lines_.empty() || !lines_.back().open || lines_.back().error != error)
      lines_.push_back({{}, event, error, true, 0});
    Line& line = lines_.back();
    line.text += text.substr(0, std::min<std::size_t>(end, 4000));
    line.event = event;
    if (end == text.size()) return;
    line.open = false;
    text.remove_prefix(end + 1);
  }
}

void OutputView::collect(const Frame& frame) {
  const trace::Store& store = frame.bench.store();
  if (run_ != frame.run || store.size() < seen_) {
    lines_.clear();
    seen_ = shown_ = 0;
    run_ = frame.run;
  }
  for (; seen_ < store.size(); ++seen_) {
    if (store.kind_at(seen_) != trace::EventKind::Output) continue;
    const trace::Event event = store.at(seen_);
    if (event.zeros != 0)
      lines_.push_back({{}, seen_, event.number == 2, false, event.zeros});
    else
      take_line(printable(event.text), seen_, event.number == 2);
  }
  if (lines_.size() > kMostLines) lines_.erase(lines_.begin(), lines_.end() - static_cast<long>(kMostLines));
}

// The places of the words in the line above; goes to the one that is looked at.
void OutputView::look_for_words(Frame& frame) {
  if (marked_ != find_.words() || searched_ != seen_) {
    marked_ = find_.words(), searched_ = seen_;
    places_.clear();
    for (std::size_t i = 0; i < lines_.size() && !marked_.empty(); ++i)
      for (const std::size_t begin : places_of(marked_, lines_[i].text)) places_.push_back({i, begin});
    const auto top = static_cast<std::size_t>(ImGui::GetScrollY() / frame.px(kLine));
    const auto nearest = std::partition_point(places_.begin(), places_.end(),
                                              [top](const Place& place) { return place.line < top; });
    find_.found(places_.size(),
                nearest == places_.end() ? 0 : static_cast<std::size_t>(nearest - places_.begin()));
    frame.animate();
  }
  const std::optional<std::size_t> looked_at = find_.looked_at();
  if (!find_.went() || !looked_at) return;
  frame.animate();
  const Place& place = places_[*looked_at];
  const float line = frame.px(kLine), y = static_cast<float>(place.line) * line,
              high = ImGui::GetWindowHeight(), wide = ImGui::GetWindowWidth();
  if (y < ImGui::GetScrollY() || y + line > ImGui::GetScrollY() + high)
    ImGui::SetScrollY(std::max(0.0f, y - (high - line) / 2));
  const std::string_view text = lines_[place.line].text;
  const float left = frame.px(kMargin) + text_size(frame, text.substr(0, place.begin), Face::Mono).x,
              right = left + text_size(frame, text.substr(place.begin, marked_.size()), Face::Mono).x;
  if (left < ImGui::GetScrollX() || right > ImGui::GetScrollX() + wide)
    ImGui::SetScrollX(std::max(0.0f, right + frame.px(kMargin) - wide));
}

void OutputView::draw_marks(const Frame& frame, std::size_t line, ImVec2 from, float line_height) const {
  auto at = std::partition_point(places_.begin(), places_.end(),
                                 [line](const Place& place) { return place.line < line; });
  const std::string_view text = lines_[line].text;
  for (; at != places_.end() && at->line == line; ++at) {
    const float before = text_size(frame, text.substr(0, at->begin), Face::Mono).x,
                wide = text_size(frame, text.substr(at->begin, marked_.size()), Face::Mono).x;
    draw_found_mark(frame, {from.x + frame.px(kMargin) + before, from.y, wide, line_height},
                    find_.looked_at() == static_cast<std::size_t>(at - places_.begin()));
  }
}

void OutputView::draw_lines(Frame& frame) {
  const float line_height = frame.px(kLine);
  const std::size_t cursor = frame.bench.cursor();
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(lines_.size()), line_height);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const Line& line = lines_[static_cast<std::size_t>(i)];
      const ImVec2 from = ImGui::GetCursorScreenPos();
      ImU32 colour = frame.theme[line.error ? Role::Caution : Role::CodeText];
      if (line.event >= cursor) colour = mix(frame.theme[Role::Panel], colour, 0.45f);
      const std::string text =
          line.zeros != 0 ? frame.text(Text::OutputZeros, {std::to_string(line.zeros)}) : line.text;
      draw_marks(frame, static_cast<std::size_t>(i), from, line_height);
      draw_text_middle(frame, from.x + frame.px(kMargin), from.y, line_height, colour, text, Face::Mono);
      ImGui::Dummy({text_size(frame, text, Face::Mono).x + frame.px(2 * kMargin), line_height});
    }
  }
  const auto printed =
      static_cast<std::size_t>(std::partition_point(lines_.begin(), lines_.end(),
                                                    [&](const Line& line) { return line.event < cursor; }) -
                               lines_.begin());
  if (printed != shown_ || frame.still) {  // keep the newest printed line in view while stepping
    const float bottom = static_cast<float>(printed) * line_height;
    ImGui::SetScrollY(std::max(0.0f, bottom - ImGui::GetWindowHeight() + frame.px(6)));
    shown_ = printed;
  }
  look_for_words(frame);
}

void OutputView::draw_build(Frame& frame, const lab::BuildResult& build) {
  const float margin = frame.px(kMargin), room = ImGui::GetWindowWidth() - 2 * margin;
  const auto paragraph = [&](std::string_view text, Role role) {
    if (text.empty()) return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float tall = draw_paragraph(frame, {at.x + margin, at.y}, room, frame.theme[role],
                                      text.substr(0, 60'000), Face::Mono);
    ImGui::Dummy({1, tall + frame.px(6)});
  };
  paragraph(build.command, Role::Muted);
  if (build.problem) paragraph(build.problem->in(frame.language), Role::Bad);
  paragraph(printable(build.output), Role::CodeText);
}

void OutputView::draw(Frame& frame) {
  collect(frame);
  panel_header(frame, frame.text(Text::PanelOutput));
  const lab::BuildResult* build = frame.bench.build();
  const bool failed = frame.bench.phase() == RunPhase::BuildFailed && build != nullptr;
  if (build != nullptr && build->ok && build->seconds >= 0.05 && frame.bench.phase() != RunPhase::Building &&
      !frame.still) {
    const std::string words = frame.text(Text::OutputBuildOk, {fmt::format("{:.1f}", build->seconds)});
    const ImVec2 extent = text_size(frame, words, Face::Ui, Size::Small);
    draw_text(frame, panel_header_right(frame, extent.x, extent.y), frame.theme[Role::Muted], words, Face::Ui,
              Size::Small);
  }
  if (std::exchange(find_wanted_, false) && !failed && !lines_.empty()) find_.open(frame.selection);
  if (!failed && !lines_.empty()) find_.follow(frame);
  if (!failed && lines_.empty()) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(frame, {at.x + frame.px(kMargin), at.y}, frame.theme[Role::Muted],
              frame.text(Text::OutputEmpty), Face::Ui, Size::Body,
              ImGui::GetWindowWidth() - frame.px(2 * kMargin));
    return;
  }
  if (find_.is_open() && !failed) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    find_.draw(frame, at, ImGui::GetContentRegionAvail().x);
    ImGui::SetCursorScreenPos({at.x, at.y + find_.height(frame)});
  }
  ImVec2 room = ImGui::GetContentRegionAvail();
  room.y -= frame.px(8);
  if (room.y < 1) return;
  begin_scroll(frame, "text", room);
  if (failed)
    draw_build(frame, *build);
  else
    draw_lines(frame);
  end_scroll();
}

}  // namespace

std::unique_ptr<View> make_output_view() {
  return std::make_unique<OutputView>();
}

}  // namespace gui
