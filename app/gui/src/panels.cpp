// SPDX-License-Identifier: MIT
// See panels.hpp.
#include "panels.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "imgui_compat.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

constexpr float kLowHeader = 38, kLowestHeader = 30;  // of panels in a small window, at 100 %
constexpr double kUsualLanes = 0.3;                   // of the height below the bar

double fraction(const lab::Settings& settings, const char* name, double normal) {
  const auto found = settings.layout.find(name);
  return found == settings.layout.end() ? normal : found->second;
}

// Beside a question in such a place, hardly anything of the picture is left.
bool is_low(const Frame& frame, const Rect& place) {
  return place.h < frame.px(300);
}
// How much of the picture's place a question may take.
float usual_share(const Frame& frame, const Rect& place) {
  return is_low(frame, place) ? 0.75f : 0.6f;
}
// The same where the list of calls has given way: the answers have to fit, in every font.
constexpr float kShareOfLowWindow = 0.9f;
// The same of the place of notes and code.
constexpr float kShareOfColumn = 0.65f;

// A panel's child window: background drawn, no padding, no scrolling of its own. `focus` is the panel's name
// where the keyboard goes from one to the next: notes and exercise share one.
void draw_panel(Frame& frame, const char* id, const Rect& place, View& view, std::string_view focus = {}) {
  if (focus.empty()) focus = id;
  if (place.w < 8 || place.h < 8) return;
  ImGui::SetCursorScreenPos(place.from());
  const KeyPlace keys(frame.selection.stops, focus);
  compat::begin_child(id, {place.w, place.h}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  if (frame.places != nullptr)
    (*frame.places)["panel " + std::string(id)] = {place.x + place.w / 2, place.y + place.h / 2};
  Selection& selection = frame.selection;
  const bool wanted = selection.focus_wanted == focus;
  if (wanted) ImGui::SetWindowFocus();
  view.draw(frame);
  if (wanted) selection.focus_wanted.clear();
  draw_panel_focus(frame, focus, place);
  compat::end_child();
}

// `tab`: the one in front, where panels share a place.
Panel panel_at(const Layout& layout, ImVec2 mouse, Tab tab) {
  const bool wide = layout.arrangement == Arrangement::Wide;
  const bool code = wide || tab == Tab::Code;
  if (layout.lanes.holds(mouse)) return Panel::Timeline;
  if (layout.bottom.holds(mouse) || layout.calls.holds(mouse)) return Panel::Bottom;
  if (code && layout.show_output && layout.output.holds(mouse)) return Panel::Output;
  if (code && (layout.code.holds(mouse) || layout.step.holds(mouse))) return Panel::Code;
  if (layout.picture.holds(mouse) && (layout.arrangement != Arrangement::Stacked || tab == Tab::Picture))
    return Panel::Picture;
  return layout.notes.holds(mouse) && (wide || tab == Tab::Notes) ? Panel::Notes : Panel::None;
}

void draw_background(const Frame& frame, const Rect& from, const Rect& to) {
  if (from.w < 1 || to.h < 1) return;
  const bool outlined = frame.theme.name() == ThemeName::Projector || frame.theme.name() == ThemeName::Light;
  draw_card(frame, from.from(), to.to(), frame.theme[Role::Panel], outlined ? frame.theme[Role::Line] : 0,
            frame.theme.line_width());
}

}  // namespace

void draw_panel_focus(const Frame& frame, std::string_view panel, const Rect& place) {
  const Selection& selection = frame.selection;
  if (frame.still || selection.focus != panel || selection.typing || !selection.stops.whole(panel)) return;
  if (frame.watched != nullptr) ++frame.watched->rings;
  const float in = frame.px(2);
  ImGui::GetWindowDrawList()->AddRect({place.x + in, place.y + in}, {place.right() - in, place.bottom() - in},
                                      frame.theme[Role::Accent], frame.px(kRounding), 0, frame.px(2));
}

struct Panels::Views {
  Views(const PresenterWalk& walk, lab::Settings& settings)
      : calls(make_calls_view(settings)), presenter(make_presenter_view(walk)) {}
  std::unique_ptr<View> notes = make_notes_view(), exercise = make_exercise_view(), step = make_step_view(),
                        code = make_code_view(), picture = make_picture_view(), output = make_output_view(),
                        time = make_time_view(), calls, timeline = make_timeline_view(),
                        compare = make_compare_view(), presenter;
};

Panels::Panels(Pages& pages, lab::Settings& settings)
    : pages_(pages), settings_(settings), all_(std::make_unique<Views>(walk_, settings)) {}

Panels::~Panels() = default;

void Panels::take(const Command& command) {
  for (View* view :
       {all_->notes.get(), all_->code.get(), all_->output.get(), all_->picture.get(), all_->calls.get()})
    view->take(command);
}

void Panels::draw(Frame& frame, const Layout& layout, float width, float height, float below_bar) {
  exercise_drawn_ = false;
  if (pages_.maximized() != Panel::None) return draw_maximized(frame, layout, below_bar);
  Layout shown = layout;
  draw_all(frame, shown);
  draw_splitters(frame, shown, width, height);
}

Splits Panels::splits() const {
  Splits splits;
  splits.notes = static_cast<float>(fraction(settings_, "notes", splits.notes));
  splits.picture = static_cast<float>(fraction(settings_, "picture", splits.picture));
  splits.bottom = static_cast<float>(fraction(settings_, "bottom", splits.bottom));
  splits.output = static_cast<float>(fraction(settings_, "output", splits.output));
  splits.step = static_cast<float>(fraction(settings_, "step", splits.step));
  if (timeline_shown()) splits.lanes = static_cast<float>(fraction(settings_, "lanes", kUsualLanes));
  return clamp_splits(splits);
}

void Panels::keep(const Splits& wanted) {
  const Splits splits = clamp_splits(wanted);
  settings_.layout["notes"] = splits.notes;
  settings_.layout["picture"] = splits.picture;
  settings_.layout["bottom"] = splits.bottom;
  settings_.layout["output"] = splits.output;
  settings_.layout["step"] = splits.step;
  if (splits.lanes > 0) settings_.layout["lanes"] = splits.lanes;
}

bool Panels::timeline_shown() const {
  return fraction(settings_, "timeline", 0) > 0;
}

void Panels::show_timeline(bool on) {
  settings_.layout["timeline"] = on ? 1 : 0;
}

void Panels::draw_all(Frame& frame, Layout& layout) {
  const bool wide = layout.arrangement == Arrangement::Wide,
             stacked = layout.arrangement == Arrangement::Stacked;
  const Tab tab = !stacked && pages_.tab() == Tab::Picture ? Tab::Code : pages_.tab();
  const Rect card = place_of_card(frame, layout);
  if (layout.step.h > 0 && tab == Tab::Code) fit_step(layout, all_->step->height_in(frame, layout.step.w));
  pages_.arrange(layout.arrangement, layout.show_output);
  const Rect picture = place_of_picture(frame, layout);
  const bool all_of_it = picture.bottom() > layout.picture.bottom();
  Rect row;
  if (!wide) {
    draw_background(frame, layout.tabs, all_of_it ? picture : card.h > 0 ? card : layout.notes);
    row = draw_tabs(frame, layout);
  } else {
    if (layout.notes.w > 0) draw_background(frame, layout.notes, layout.notes);
    draw_background(frame, layout.code.w > 0 ? layout.code : layout.output,
                    layout.show_output ? layout.output : layout.code);
  }
  if (!stacked) draw_background(frame, layout.picture, layout.picture);
  if (!all_of_it) draw_background(frame, layout.bottom, layout.bottom);
  if (layout.arrangement == Arrangement::Tabs) draw_background(frame, layout.calls, layout.calls);

  pages_.point_at(panel_at(layout, ImGui::GetIO().MousePos, tab));
  frame.in_tab = !wide;
  if (wide || tab == Tab::Notes) draw_side(frame, layout);
  if (wide || tab == Tab::Code)
    draw_code(frame, layout, row);
  else
    frame.selection.editor_focus.now = false;
  frame.in_tab = stacked;
  frame.header = wide ? kHeader : kLowHeader;
  if (card.h > 0) {
    draw_panel(frame, "picture", picture, *all_->picture);
    draw_question(frame, card);
  } else if (!stacked || tab == Tab::Picture) {
    draw_picture(frame, picture,
                 picture.h > layout.picture.h ? kShareOfLowWindow : usual_share(frame, picture));
  }
  frame.in_tab = false;
  frame.header = kHeader;
  if (all_of_it) return;
  draw_panel(frame, "time", layout.time, *all_->time);
  draw_timeline(frame, layout);
  draw_panel(frame, "calls", layout.calls, *all_->calls);
}

// The code with what is above and below it: the current step's text and the output of the program. The names
// of the files are beside the tabs, so that there is one row of them.
void Panels::draw_code(Frame& frame, const Layout& layout, const Rect& row) {
  const float in = frame.px(1);
  const auto line = [&](const Rect& below) {
    ImGui::GetWindowDrawList()->AddLine({below.x + in, below.y}, {below.right() - in, below.y},
                                        frame.theme[Role::Line],
                                        std::max(1.0f, frame.px(frame.theme.line_width())));
  };
  if (layout.step.h > 0) draw_panel(frame, "step", layout.step, *all_->step);
  draw_panel(frame, "code", layout.code, *all_->code);
  if (row.w > 0) {
    const KeyPlace keys(frame.selection.stops, "code");
    ImGui::SetCursorScreenPos(row.from());
    compat::begin_child("code row", {row.w, row.h}, false,
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    all_->code->draw_in_row(frame);
    compat::end_child();
  }
  frame.in_tab = false;
  if (layout.step.h > 0) line(layout.code);
  if (layout.show_output && layout.code.w > 0) line(layout.output);
  const float usual = std::exchange(frame.header, row.w > 0 ? kLowestHeader : kHeader);
  if (layout.show_output) draw_panel(frame, "output", layout.output, *all_->output);
  frame.header = usual;
}

// Between the strip of time and the calls, with a line to both.
void Panels::draw_timeline(Frame& frame, const Layout& layout) {
  if (layout.lanes.h <= 0) return;
  draw_panel(frame, "timeline", layout.lanes, *all_->timeline);
  const float in = frame.px(1), thick = std::max(1.0f, frame.px(frame.theme.line_width()));
  for (const float y : {layout.lanes.y, layout.lanes.bottom()})
    ImGui::GetWindowDrawList()->AddLine({layout.lanes.x + in, y}, {layout.lanes.right() - in, y},
                                        frame.theme[Role::Line], thick);
}

// A low window has no room for the picture, a question and the list of calls. What a question says, and what
// comes of an answer, is more than a row of the list: the list gives way. Where the place is low it always
// does: otherwise it would depend on a pixel of the font whether an outcome stands beside the list.
Rect Panels::place_of_picture(Frame& frame, const Layout& layout) {
  const Rect& usual = layout.picture;
  if (layout.arrangement != Arrangement::Stacked || pages_.tab() != Tab::Picture) return usual;
  if (frame.bench.question() == nullptr && frame.bench.prediction() == nullptr) return usual;
  if (!is_low(frame, usual) && measure_card(frame, usual, usual_share(frame, usual)) > 0 &&
      predict_card_.shows_all())
    return usual;
  const Rect whole{usual.x, usual.y, usual.w, layout.bottom.bottom() - usual.y};
  return measure_card(frame, whole, kShareOfLowWindow) > 0 ? whole : usual;
}

// Where the calls are below a low picture, a question would leave hardly anything of it: the question stands
// below the notes or the code, which give up a part of their place. No height: it stands below the picture,
// or nothing is asked.
Rect Panels::place_of_card(Frame& frame, Layout& layout) {
  if (layout.arrangement != Arrangement::Tabs || !is_low(frame, layout.picture)) return {};
  const float card = measure_card(frame, layout.notes, kShareOfColumn);
  return card > 0 ? take_from_column(layout, card, frame.scale) : Rect{};
}

float Panels::measure_card(Frame& frame, const Rect& place, float share) {
  return predict_card_.measure(frame, place.w, place.h * share);
}

// The picture, and below it the question about the next call, which gets at most this share of the height.
void Panels::draw_picture(Frame& frame, const Rect& place, float share) {
  const float card = measure_card(frame, place, share);
  Rect above = place, below = place;
  above.h -= card;
  below.y += above.h, below.h = card;
  draw_panel(frame, "picture", above, *all_->picture);
  draw_question(frame, below);
}

// What was measured.
void Panels::draw_question(Frame& frame, const Rect& place) {
  frame.selection.asking = predict_card_.asking();
  if (place.h <= 0) return;
  const bool in_tab = std::exchange(frame.in_tab, true);
  const KeyPlace keys(frame.selection.stops, "picture");
  ImGui::SetCursorScreenPos(place.from());
  compat::begin_child("predict", {place.w, place.h}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  if (predict_card_.draw(frame, place.w)) frame.post(command::SetPredicting{false});
  compat::end_child();
  frame.in_tab = in_tab;
}

// The notes or the exercise. Where both have no tab, a choice between the two stands above them.
void Panels::draw_side(Frame& frame, const Layout& layout) {
  exercise_drawn_ = pages_.exercise() && frame.bench.exercise() != nullptr;
  View& view = exercise_drawn_ ? *all_->exercise : *all_->notes;
  const char* id = exercise_drawn_ ? "exercise" : "notes";
  const bool tabs = pages_.maximized() == Panel::None && layout.arrangement != Arrangement::Wide;
  if (frame.bench.exercise() == nullptr || tabs || layout.notes.h < 120 * frame.scale)
    return draw_panel(frame, id, layout.notes, view, "notes");
  const float strip = frame.px(kHeader);
  const std::string_view names[] = {frame.text(lab::Text::NotesTitle), frame.text(lab::Text::ExerciseTitle)};
  ImGui::SetCursorScreenPos({layout.notes.x + frame.px(kMargin - 4), layout.notes.y + frame.px(8)});
  const int pressed = segmented(frame, "side", names, 2, pages_.exercise() ? 1 : 0);
  if (pressed >= 0) pages_.show_exercise(pressed == 1);
  Rect rest = layout.notes;
  rest.y += strip, rest.h -= strip;
  const bool in_tab = std::exchange(frame.in_tab, true);
  draw_panel(frame, id, rest, view, "notes");
  frame.in_tab = in_tab;
}

// One panel in the place of all.
void Panels::draw_maximized(Frame& frame, const Layout& layout, float below_bar) {
  Layout whole = layout;
  const float top = layout.bar.bottom() + frame.px(kGutter) + below_bar;
  const Rect room{layout.bottom.x, top, layout.bottom.w, std::max(1.0f, layout.bottom.bottom() - top)};
  draw_background(frame, room, room);
  frame.selection.editor_focus.now = false;
  measure_card(frame, room, 0);  // a question that is not drawn is not asked
  switch (pages_.maximized()) {
    case Panel::Notes:
      whole.notes = room;
      return draw_side(frame, whole);
    case Panel::Code:
      return draw_panel(frame, "code", room, *all_->code);
    case Panel::Output:
      return draw_panel(frame, "output", room, *all_->output);
    case Panel::Picture:
      return draw_picture(frame, room, usual_share(frame, room));
    case Panel::Timeline:
      return draw_panel(frame, "timeline", room, *all_->timeline);
    case Panel::Bottom: {
      Rect time = room, calls = room;
      time.h = std::min(layout.time.h, room.h);
      calls.y += time.h, calls.h -= time.h;
      draw_panel(frame, "time", time, *all_->time);
      return draw_panel(frame, "calls", calls, *all_->calls);
    }
    case Panel::Compare: {
      Rect time = room, runs = room;
      time.h = std::min(layout.time.h, room.h), time.y = room.bottom() - time.h;
      runs.h -= time.h;
      draw_panel(frame, "time", time, *all_->time);
      return draw_panel(frame, "compare", runs, *all_->compare);
    }
    case Panel::Presenter:
      walk_.follow(frame.bench);
      frame.selection.asking = walk_.stop() == PresenterWalk::Stop::Question;
      return draw_panel(frame, "presenter", room, *all_->presenter);
    case Panel::None:
      return;
  }
}

Rect Panels::draw_tabs(Frame& frame, const Layout& layout) {
  constexpr lab::Text kNames[] = {lab::Text::PanelNotes, lab::Text::PanelCode, lab::Text::PanelPicture};
  const std::vector<Page> all = pages_.all(frame.bench.exercise() != nullptr);
  const Page shown = pages_.shown(frame.bench.exercise() != nullptr);
  const lab::Verdict* verdict = frame.bench.verdict();
  float x = layout.tabs.x + frame.px(kMargin) - frame.px(10);
  for (const Page& page : all) {
    const auto number = static_cast<std::size_t>(page.tab);
    const std::string_view name = frame.text(page.exercise ? lab::Text::ExerciseTitle : kNames[number]);
    const std::string id = page.exercise ? "side1" : "tab" + std::to_string(number);
    const bool marked = page.exercise && verdict != nullptr;
    const float words = text_size(frame, name, Face::Bold).x,
                width = words + frame.px(20) + (marked ? frame.px(18) : 0);
    ImGui::SetCursorScreenPos({x, layout.tabs.y});
    if (ImGui::InvisibleButton(id.c_str(), {width, std::max(1.0f, layout.tabs.h)})) pages_.show(page);
    const bool on = page == shown, hovered = ImGui::IsItemHovered() && !frame.still;
    if (frame.places != nullptr) (*frame.places)[id] = {x + width / 2, layout.tabs.y + layout.tabs.h / 2};
    draw_text_middle(frame, x + frame.px(10), layout.tabs.y + frame.px(2), layout.tabs.h,
                     frame.theme[on || hovered ? Role::Text : Role::Muted], name, Face::Bold);
    if (marked)
      draw_icon(frame, verdict->passed() ? Icon::Check : Icon::Cross,
                {x + words + frame.px(21), layout.tabs.y + frame.px(2) + layout.tabs.h / 2}, frame.px(12),
                frame.theme[verdict->passed() ? Role::Good : Role::Bad]);
    if (on)
      ImGui::GetWindowDrawList()->AddRectFilled({x + frame.px(8), layout.tabs.bottom() - frame.px(3)},
                                                {x + width - frame.px(8), layout.tabs.bottom()},
                                                frame.theme[Role::Accent], frame.px(1.5f));
    x += width + frame.px(4);
  }
  ImGui::GetWindowDrawList()->AddLine({layout.tabs.x + 1, layout.tabs.bottom()},
                                      {layout.tabs.right() - 1, layout.tabs.bottom()},
                                      frame.theme[Role::Line]);
  return {x, layout.tabs.y, std::max(0.0f, layout.tabs.right() - x), layout.tabs.h};
}

void Panels::draw_splitters(Frame& frame, const Layout& layout, float width, float height) {
  Splits changed = splits();
  const float across = std::max(1.0f, width), down = std::max(1.0f, height);
  bool moved = false;
  const auto drag = [&](const char* id, const Rect& place, Axis axis, float& value, float length,
                        float sign) {
    if (place.w < 1 || place.h < 1) return;
    const float by = splitter(frame, id, place.from(), place.to(), axis);
    if (by == 0) return;
    value += sign * by / std::max(1.0f, length);
    moved = true;
  };
  drag("split notes", layout.split_notes, Axis::Horizontal, changed.notes, across, 1);
  const float tabs = layout.arrangement == Arrangement::Tabs ? 1.25f : 1.0f;
  drag("split picture", layout.split_picture, Axis::Horizontal, changed.picture, across * tabs, -1);
  if (layout.arrangement == Arrangement::Tabs) {
    drag("split bottom", layout.split_bottom, Axis::Vertical, changed.bottom, down, -1);
    drag("split lanes", layout.split_lanes, Axis::Vertical, changed.lanes, down, -1);
  } else {
    // The upper edge pulls the timeline up where it is shown; its lower edge takes from the calls.
    float& pulled = changed.lanes > 0 ? changed.lanes : changed.bottom;
    drag("split bottom", layout.split_bottom, Axis::Vertical, pulled, down, -1);
    float lanes = changed.lanes;
    drag("split lanes", layout.split_lanes, Axis::Vertical, lanes, down, 1);
    changed.bottom -= lanes - changed.lanes;
    changed.lanes = lanes;
  }
  const bool code_shown = layout.arrangement == Arrangement::Wide || pages_.tab() != Tab::Notes;
  if (layout.step.h > 0 && code_shown)
    drag("split step", layout.split_step, Axis::Vertical, changed.step,
         layout.step.h + layout.code.h + layout.output.h, 1);
  if (layout.show_output && code_shown)
    drag("split output", layout.split_output, Axis::Vertical, changed.output, layout.code.h + layout.output.h,
         -1);
  if (moved) keep(changed);
}

}  // namespace gui
