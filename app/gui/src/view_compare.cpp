// SPDX-License-Identifier: MIT
// Two runs side by side: the shown one on the left, the other one on the right, both at the same place, with
// one sentence about the difference. One scrubber moves both.
//
// The workbench decides which calls correspond (lab/run_pair.hpp); this file only draws the result.
#include <algorithm>

#include "imgui_compat.hpp"
#include "parting_words.hpp"
#include "picture_panel.hpp"
#include "view.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Divergence;
using lab::Text;

constexpr float kInset = 12, kRow = 28;

class CompareView final : public View {
 public:
  Text title() const override { return Text::CompareTitle; }
  void draw(Frame& frame) override;

 private:
  void draw_choices(Frame& frame, float right);
  float draw_sentence(Frame& frame, const lab::Workbench::Other& other);
  void draw_side(Frame& frame, const picture::ShownRun& run, const std::string& name, const char* id,
                 picture::PicturePanel& panel);
  picture::PicturePanel first_, second_;
  std::uint64_t other_run_ = 0;  // counts the runs that were shown on the right
  const trace::Store* other_seen_ = nullptr;
};

// What can be shown on the right: the previous run or a recording from hardware; and the button to close it.
void CompareView::draw_choices(Frame& frame, float right) {
  lab::Workbench& bench = frame.bench;
  const KeyOrder order(frame.selection.stops, KeyOrder::Of::Row);
  const ImVec2 window = ImGui::GetWindowPos();
  float x = right;
  const auto place = [&](const char* id, std::string_view words, ButtonOptions options) {
    options.size = Size::Small;
    const ImVec2 size = button_size(frame, words, options);
    x -= size.x + frame.px(6);
    const ImVec2 at{x, window.y + frame.px(2) + (frame.px(kHeader) - size.y) / 2};
    ImGui::SetCursorScreenPos(at);
    if (frame.places != nullptr) (*frame.places)[id] = {at.x + size.x / 2, at.y + size.y / 2};
    return button(frame, id, words, options);
  };
  ButtonOptions close;
  close.style = ButtonStyle::Ghost, close.icon = Icon::Cross, close.hint = frame.text(Text::CompareClose);
  if (place("compare close", "", close)) frame.post(command::Do{Action::CompareRuns});
  const auto other = bench.other();
  ButtonOptions choice;
  const std::filesystem::path hardware = bench.hardware_recording();
  if (!hardware.empty()) {
    choice.on = other && other->recording && other->file == hardware.filename().string();
    if (place("compare hardware", frame.text(Text::CompareTakeHardware), choice))
      bench.compare_with(hardware);
  }
  choice.on = other && other->recording && !(other->file == hardware.filename().string()),
  choice.enabled = true;
  if (place("compare file", frame.text(Text::CompareTakeFile), choice))
    frame.post(command::Toggle{PopupName::Files});
  choice.on = other && !other->recording, choice.enabled = bench.has_run_before();
  if (place("compare before", frame.text(Text::CompareTakeBefore), choice)) bench.compare_with_run_before();
}

float CompareView::draw_sentence(Frame& frame, const lab::Workbench::Other& other) {
  const lab::RunPair* pair = frame.bench.pair();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float wide = ImGui::GetContentRegionAvail().x - 2 * frame.px(kMargin);
  const ImVec2 at{from.x + frame.px(kMargin), from.y};
  const bool parts = pair != nullptr && pair->comparison().first.has_value();
  const std::string words =
      pair != nullptr
          ? parting_words(frame.bench, other, pair->comparison(), frame.language).in(frame.language)
      : other.loading ? std::string(frame.text(Text::CompareLoading))
                      : std::string(frame.text(Text::CompareLooking));
  ButtonOptions options;
  options.size = Size::Small, options.style = ButtonStyle::Primary;
  const std::string_view go = frame.text(Text::CompareGo);
  const ImVec2 size = button_size(frame, go, options);
  const float room = wide - 2 * frame.px(kInset) - (parts ? size.x + frame.px(kInset) : 0);
  const float tall = 2 * frame.px(9) + 2 * frame.fonts.height(Face::Ui, Size::Body);
  draw_card(frame, at, {at.x + wide, at.y + tall}, frame.theme[parts ? Role::AccentSoft : Role::Raised],
            frame.theme[parts ? Role::Accent : Role::Line], frame.theme.line_width());
  const float used = paragraph_height(frame, room, words);
  draw_paragraph(frame,
                 {at.x + frame.px(kInset), at.y + std::max(frame.px(8), std::round((tall - used) / 2))}, room,
                 frame.theme[Role::Text], words);
  if (parts) {
    ImGui::SetCursorScreenPos({at.x + wide - frame.px(kInset) - size.x, at.y + (tall - size.y) / 2});
    if (frame.places != nullptr)
      (*frame.places)["compare go"] = {at.x + wide - frame.px(kInset) - size.x / 2, at.y + tall / 2};
    if (button(frame, "compare go", go, options)) {
      const Divergence& first = *pair->comparison().first;
      if (first.event_a)
        frame.bench.jump(*first.event_a + 1);
      else  // the left has ended there
        frame.bench.jump_to_call(
            pair->calls_beside(lab::Side::Second, other.store->calls_before(*first.event_b) + 1));
    }
  }
  ImGui::SetCursorScreenPos({from.x, at.y + tall + frame.px(8)});
  return tall;
}

void CompareView::draw_side(Frame& frame, const picture::ShownRun& run, const std::string& name,
                            const char* id, picture::PicturePanel& panel) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float wide = ImGui::GetContentRegionAvail().x, room = wide - 2 * frame.px(kMargin);
  draw_text_middle(frame, from.x + frame.px(kMargin), from.y, frame.px(kRow), frame.theme[Role::Muted], name,
                   Face::Bold, Size::Small, room, Cut::Middle);
  const std::size_t calls = run.calls();
  std::string words(frame.text(Text::CompareBeforeFirst));
  Role mood = Role::Text;
  if (calls > 0) {
    const std::size_t event = run.store.event_of_call(calls - 1);
    const trace::Event call = run.store.at(event);
    if (call.returned && call.result != 0)
      mood = run.expected_failure && run.expected_failure(event) ? Role::Caution : Role::Bad;
    words = std::to_string(calls) + "  " + run.model.describe(event);
    if (call.returned)
      words += (mood == Role::Caution ? " ✓ → " : " → ") + std::to_string(call.result) + " " +
               std::string(trace::result_name(call));
  }
  draw_text_middle(frame, from.x + frame.px(kMargin), from.y + frame.px(kRow - 6), frame.px(kRow),
                   frame.theme[mood], words, Face::Mono, Size::Small, room, Cut::Meant);
  ImGui::SetCursorScreenPos({from.x, from.y + frame.px(2 * kRow - 4)});
  panel.draw(frame, run, id, picture::Tools::None);
}

void CompareView::draw(Frame& frame) {
  lab::Workbench& bench = frame.bench;
  if (!bench.other() && bench.has_run_before()) bench.compare_with_run_before();
  panel_header(frame, frame.text(title()));
  const ImVec2 below = ImGui::GetCursorScreenPos();
  draw_choices(frame, ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - frame.px(kMargin) + frame.px(8));
  ImGui::SetCursorScreenPos(below);
  const auto other = bench.other();
  if (!other || other->model == nullptr) {
    empty_state(frame, frame.text(Text::CompareNothingTitle), frame.text(Text::CompareNothing));
    return;
  }
  if (other->store != other_seen_) ++other_run_, other_seen_ = other->store;
  draw_sentence(frame, *other);

  const lab::RunPair* pair = bench.pair();
  const std::size_t calls = bench.call_at_cursor();
  const std::size_t known =
      other->store->calls_before(std::min(other->model->moments(), other->store->size()));
  const std::size_t theirs =
      std::min(known, pair != nullptr ? pair->calls_beside(lab::Side::First, calls) : calls);
  picture::ShownRun left = picture::shown_run(bench, frame.run);
  left.ghost = nullptr;  // it is beside
  const picture::ShownRun right{*other->model,
                                *other->store,
                                bench.at_end() && !other->loading ? other->model->moments()
                                : theirs == 0                     ? 0
                                              : other->store->event_of_call(theirs - 1) + 1,
                                other_run_,
                                !other->loading,
                                [&bench, &store = *other->store, pair](std::size_t moment) {
                                  const std::size_t made = store.calls_before(std::min(moment, store.size()));
                                  const std::size_t mine =
                                      pair != nullptr ? pair->calls_beside(lab::Side::Second, made) : made;
                                  if (mine == 0)
                                    bench.jump(0);
                                  else
                                    bench.jump_to_call(mine - 1);
                                },
                                nullptr,
                                {},
                                [&bench](std::size_t event) { return bench.expected_failure_beside(event); },
                                [&bench](const trace::Event& call, std::size_t argument) {
                                  return bench.variable_beside(call, argument);
                                }};
  const auto name_of = [](const std::string& driver) { return driver.empty() ? std::string("?") : driver; };
  const std::string left_name = frame.text(Text::CompareThis, {name_of(bench.driver_description())});
  const std::string right_name = other->recording
                                     ? frame.text(Text::CompareFile, {other->file, name_of(other->driver)})
                                     : frame.text(Text::CompareBefore, {name_of(other->driver)});
  const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float half = std::floor(room.x / 2);
  compat::begin_child("left", {half, room.y}, false, ImGuiWindowFlags_NoScrollbar);
  draw_side(frame, left, left_name, "left", first_);
  compat::end_child();
  ImGui::SetCursorScreenPos({corner.x + half, corner.y});
  compat::begin_child("right", {room.x - half, room.y}, false, ImGuiWindowFlags_NoScrollbar);
  const std::optional<std::size_t> pin = std::exchange(frame.selection.pin, std::nullopt);  // of the left run
  draw_side(frame, right, right_name, "right", second_);
  frame.selection.pin = pin;
  compat::end_child();
  ImGui::GetWindowDrawList()->AddLine({corner.x + half, corner.y}, {corner.x + half, corner.y + room.y},
                                      frame.theme[Role::Line], std::max(1.0f, frame.px(1)));
}

}  // namespace

std::unique_ptr<View> make_compare_view() {
  return std::make_unique<CompareView>();
}

}  // namespace gui
