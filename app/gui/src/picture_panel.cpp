// SPDX-License-Identifier: MIT
// See picture_panel.hpp. The layout makes a scene when the moment, the width, the language or the scale has
// changed; this file moves it (picture_motion), draws it (picture_drawing) and shows what the step changed.
#include "picture_panel.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "help_card.hpp"
#include "imgui_compat.hpp"
#include "picture_copies.hpp"
#include "picture_motion.hpp"
#include "picture_since.hpp"
#include "picture_step.hpp"
#include "widgets.hpp"

namespace gui::picture {

using lab::Text;

namespace {

constexpr float kNarrowest = 180;  // of a layout, at 100 %
constexpr float kHeadOfATallBox = 110;
constexpr float kAbove = 4;       // of the scene, at 100 %
constexpr float kScrollbar = 10;  // beside a scene that is drawn small, whose margin is too

// Of key_stops.hpp: the card with an object's history.
std::string card_place(const char* picture) {
  return std::string("card of ") + picture;
}

}  // namespace

ShownRun shown_run(lab::Workbench& bench, std::uint64_t run) {
  // Another process is another picture: nothing that was selected or unfolded in this one is in that.
  const std::uint64_t picture = run + (std::uint64_t{bench.shown_process()} << 40);
  ShownRun shown{bench.model(),           bench.store(),
                 bench.cursor(),          picture,
                 bench.end().has_value(), [&bench](std::size_t moment) { bench.jump(moment); }};
  if (bench.processes().size() > 1) shown.processes = &bench.processes();
  shown.show_process = [&bench](std::uint32_t process) { bench.show_process(process); };
  shown.expected_failure = [&bench](std::size_t event) { return bench.expected_failure(event); };
  shown.variable = [&bench](const trace::Event& call, std::size_t argument) {
    return bench.variable(call, argument);
  };
  if (bench.ghost() != nullptr && bench.shown_process() == 0)
    shown.ghost = bench.ghost(), shown.before = bench.other()->model;
  return shown;
}

Request PicturePanel::request(Frame& frame, const ShownRun& run, float width) const {
  const std::size_t moment = moment_shown(run);
  Request request;
  request.state = &run.model.at(moment);
  request.language = frame.language;
  request.scale = frame.scale;
  request.width = width;
  request.unfolded = unfolded_;
  request.filter = filter_;
  request.wanted = search_.shown();
  request.line_of = [&store = run.store](std::uint64_t seq) {
    return seq < store.size() ? static_cast<int>(store.at(seq).line) : 0;
  };
  if (run.processes != nullptr)
    request.process = frame.text(Text::PictureInProcess, {std::to_string(run.model.process())});
  if (const auto pin = frame.selection.pin) {
    Since since = since_pin(run.model, run.model.aside(*pin), *request.state,
                            run.store.calls_before(std::min(*pin, run.store.size())), frame.language);
    request.since_words = std::move(since.words);
    request.since = std::move(since.marks);
  }
  if (frame.ghost && run.ghost != nullptr)
    request.ghost =
        run.ghost->at(*request.state, *run.before, run.store.calls_before(std::min(moment, run.store.size())),
                      run.over && moment == run.model.moments() ? lab::Ghost::Where::AtTheEnd
                                                                : lab::Ghost::Where::AfterCalls);
  request.beside = run.alone;
  request.host_ahead = run.model.latest().host.named;
  request.host_name = [&run](const lab::HostRegion& region) { return host_name(run, region); };
  if (moment == 0) return request;
  const trace::Event event = run.store.at(moment - 1);
  request.acting_thread = event.thread;
  for (const trace::Argument& argument : event.arguments)
    if (argument.handle_type == "CUstream" && argument.role == trace::Role::In)
      if (const lab::Object* stream = request.state->object_of(lab::ObjectKind::Stream, argument.word))
        request.about = stream->id;
  request.copies = copies_at(run.store, moment, *request.state, before_work_was_done(run, moment, event));
  if (run.alone) return request;  // who presents it says what the step did
  StepSaid said = step_said(run, moment, frame.language);
  request.step_title = std::move(said.title);
  request.step_words = std::move(said.words);
  request.step_failed = said.failed;
  return request;
}

// Everything but request() asks for the cursor's own moment, whose objects are the same: a model goes on from
// one moment to a later one quickly, and back only from a keyframe.
Scene PicturePanel::lay_out_at(Frame& frame, const ShownRun& run, ImVec2 room, float width) {
  const Meter meter{[&](std::string_view words, Face face, Size size) {
                      return std::ceil(text_size(frame, words, face, size).x);
                    },
                    [&](Face face, Size size) { return frame.fonts.height(face, size); }};
  Request wanted = request(frame, run, width);
  wanted.meter = &meter;
  wanted.low = room.y < frame.px(420);
  if (!wanted.low) wanted.least_cards = deepest_;
  return lay_out(wanted);
}

void PicturePanel::update(Frame& frame, const ShownRun& run, ImVec2 room) {
  const float margin = 2 * frame.px(kMargin), least = frame.px(kNarrowest);
  // If a stack keeps its height, the rest does not move; but on a low panel the cards would not be visible.
  const bool keep_room = room.y >= frame.px(420);
  const auto key_at = [&](float zoom) {
    return SceneKey{moment_shown(run),
                    run.model.at(run.cursor).contexts.size(),
                    run.run,
                    std::max(least, (room.x - (zoom < 1 ? frame.px(kScrollbar) : 0)) / zoom - margin),
                    frame.scale,
                    keep_room,
                    frame.language,
                    unfolded_.size(),
                    filter_,
                    search_.shown(),
                    frame.selection.pin,
                    frame.ghost ? run.ghost : nullptr};
  };
  if (key_ == key_at(view_.zoom()) && !lay_out_anew_) return;
  lay_out_anew_ = false;
  const bool same_run = key_ && key_->run == run.run;
  if (!same_run) {
    deepest_.clear(), unfolded_.clear(), life_.select({});
    search_.forget(frame);
  }
  for (const lab::Thread& thread : run.model.at(run.cursor).threads)
    deepest_[thread.number] =
        std::max(deepest_[thread.number], static_cast<std::uint32_t>(thread.stack.size()));
  const std::optional<SceneKey> old = key_;
  before_ = std::move(scene_);
  const float zoom_before = view_.zoom();
  view_.begin_fit(run.alone);
  do scene_ = lay_out_at(frame, run, room, key_at(view_.zoom()).width);
  while (view_.shrink(scene_.height, room.y - frame.px(kMargin + kAbove)));
  const SceneKey now = key_at(view_.zoom());
  const bool resized =
      !old || old->width != now.width || old->scale != now.scale || view_.zoom() != zoom_before;
  const bool moved = !old || old->moment != now.moment || old->run != now.run;
  // A new width is no story; a step is.
  started_ = frame.animations && !resized && same_run ? frame.time : -1;
  // What was searched for is shown before what the step changed.
  const lab::ObjectId wanted = search_.shown();
  const bool found = wanted && (!old || old->wanted != wanted);
  for (int i = 0; found && i < static_cast<int>(scene_.boxes.size()); ++i)
    if (const Box& box = scene_.boxes[static_cast<std::size_t>(i)];
        box.kind != BoxKind::RibbonSpan && box.kind != BoxKind::Work && box.kind != BoxKind::Share &&
        object_of(box) == wanted)
      scene_.focus = i;
  std::vector<Rect> told;
  if (found && scene_.focus >= 0) told.push_back(scene_.boxes[static_cast<std::size_t>(scene_.focus)].rect);
  if (moved && !found) told = places_told(frame, run);
  view_.tell(std::move(told));
  key_ = now;
}

// What the step changed, in the order in which it has to be seen: what was made or ended, what the layout
// takes for the middle of it, then all else that is marked as changed. Of something tall its head counts.
std::vector<Rect> PicturePanel::places_told(const Frame& frame, const ShownRun& run) const {
  using Kind = lab::Change::Kind;
  constexpr Kind kMade[] = {Kind::ContextCreated, Kind::ContextDestroyed, Kind::PrimaryActivated,
                            Kind::PrimaryDeactivated};
  const float head = frame.px(kHeadOfATallBox);
  std::vector<Rect> places;
  const auto add = [&](const Box& box) {
    Rect rect = box.rect;
    rect.h = std::min(rect.h, head);
    places.push_back(rect);
  };
  for (const lab::Change& change : run.model.at(moment_shown(run)).changes)
    for (const Box& box : scene_.boxes)
      if (box.kind == BoxKind::Context && box.context == change.context &&
          std::find(std::begin(kMade), std::end(kMade), change.kind) != std::end(kMade))
        add(box);
  if (scene_.focus >= 0) add(scene_.boxes[static_cast<std::size_t>(scene_.focus)]);
  for (const Box& box : scene_.boxes)
    if (box.changed) add(box);
  return places;
}

void PicturePanel::draw(Frame& frame, const ShownRun& run, const char* id, Tools tools) {
  if (tools == Tools::All) {
    if (search_.take_keys(frame, run)) unfold_for(run.model.at(run.cursor), search_.shown());
    if (filter_open_) draw_filter(frame, run);
    if (wanted_) life_.select(*wanted_), unfold_for(run.model.at(run.cursor), *wanted_);
  }
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float card = life_.height(frame, room.y);
  ImGui::PushID(id);
  draw_scene(frame, run, id, {room.x, room.y - card});
  if (card > 0 && life_.selected()) {
    const std::string place = card_place(id);
    if (in_card(frame, place)) frame.selection.stops.keep_menu(place);
    const KeyPlace keys(frame.selection.stops, place, KeyStops::Arrows::Walk);
    compat::begin_child("card", {room.x, card}, false, ImGuiWindowFlags_NoScrollbar);
    life_.draw(frame, run);
    compat::end_child();
  }
  ImGui::PopID();
  if (!life_.selected()) card_has_keys_ = false;
  if (tools == Tools::All) frame.selection.object = life_.selected();
}

// Draws at full size and then moves every vertex towards `anchor`: letters, lines and all become smaller or
// larger together, and the drawing code does not depend on it.
class Zoomed {
 public:
  Zoomed(ImVec2 anchor, float zoom, TextLog* log)
      : list_(*ImGui::GetWindowDrawList()), log_(log), anchor_(anchor), zoom_(zoom) {
    if (zoom_ == 1) return;
    from_ = list_.GetClipRectMin(), to_ = list_.GetClipRectMax();
    constexpr float kFar = 1e6f;
    list_.PushClipRect({-kFar, -kFar}, {kFar, kFar}, false);
    command_ = list_.CmdBuffer.Size - 1;
    corner_ = list_.VtxBuffer.Size;
    if (log_ != nullptr) texts_ = log_->texts().size(), cards_ = log_->cards().size();
  }
  ~Zoomed() {
    if (zoom_ == 1) return;
    for (int i = corner_; i < list_.VtxBuffer.Size; ++i) {
      ImVec2& at = list_.VtxBuffer[i].pos;
      at = {anchor_.x + (at.x - anchor_.x) * zoom_, anchor_.y + (at.y - anchor_.y) * zoom_};
    }
    for (int i = command_; i < list_.CmdBuffer.Size; ++i)
      list_.CmdBuffer[i].ClipRect = {from_.x, from_.y, to_.x, to_.y};
    list_.PopClipRect();
    if (log_ != nullptr)
      log_->zoom(texts_, cards_, anchor_, zoom_, {from_.x, from_.y, to_.x - from_.x, to_.y - from_.y});
  }
  Zoomed(const Zoomed&) = delete;
  Zoomed& operator=(const Zoomed&) = delete;

 private:
  ImDrawList& list_;
  TextLog* log_;
  std::size_t texts_ = 0, cards_ = 0;
  ImVec2 anchor_, from_, to_;
  float zoom_;
  int command_ = 0, corner_ = 0;
};

void PicturePanel::draw_scene(Frame& frame, const ShownRun& run, const char* id, ImVec2 room) {
  begin_scroll(frame, id, room);
  // Another zoom is another height, and where it was scrolled to may lie below all of it.
  const float scrolled_back = view_.scroll_to_top(frame);
  const float margin = frame.px(kMargin), top = frame.px(kAbove);
  view_.move_by_mouse(frame, room, scene_.width + 2 * margin);
  update(frame, run, room);
  take_keys(frame);
  if (const auto wanted = std::exchange(wanted_, std::nullopt); wanted && *wanted)
    for (const Box& box : scene_.boxes)
      if (object_of(box) == *wanted) {
        view_.tell({box.rect});
        frame.animate();
        break;
      }
  view_.keep_in_view(frame, top, room.y);
  const float zoom = view_.zoom();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 origin{corner.x + view_.pan() + margin * zoom, corner.y + scrolled_back + top};

  float progress = 1;
  if (started_ >= 0) {
    progress = static_cast<float>((frame.time - started_) / kMotionSeconds * frame.motion_speed);
    if (progress >= 1)
      progress = 1, started_ = -1;
    else
      frame.animate();
  }
  ImGui::Dummy({room.x - frame.px(2), scene_.height * zoom + top + margin});
  const lab::State& state = run.model.at(run.cursor);
  const ImVec2 clip_from = ImGui::GetWindowDrawList()->GetClipRectMin(),
               clip_to = ImGui::GetWindowDrawList()->GetClipRectMax();
  const auto unzoomed = [&](ImVec2 at) {
    return ImVec2{origin.x + (at.x - origin.x) / zoom, origin.y + (at.y - origin.y) / zoom};
  };
  Drawing drawing(frame, state, origin, life_.selected(), search_.shown(), unzoomed(clip_from),
                  unzoomed(clip_to));
  const bool inside = !frame.still && ImGui::IsWindowHovered();
  const ImVec2 mouse = unzoomed(ImGui::GetIO().MousePos);
  const int under = inside ? scene_.box_at(mouse.x - origin.x, mouse.y - origin.y) : -1;
  {
    const Zoomed zoomed(origin, zoom, frame.texts);
    drawing.draw(between(before_, scene_, progress, frame.scale), scene_, progress, under);
  }
  place_boxes(frame, origin);
  note_stops(frame, origin, id);
  if (under >= 0) {
    const Box& box = scene_.boxes[static_cast<std::size_t>(under)];
    if (box.context < state.contexts.size())
      frame.selection.hovered.context = state.contexts[box.context].name;
    explain(frame, run, box, {mouse.x - origin.x, mouse.y - origin.y}, origin);
    if (ImGui::IsMouseClicked(0)) {
      press(box);
      // The card takes space from the picture, but what was clicked stays visible.
      if (object_of(box)) view_.tell({box.rect});
      frame.animate();
    }
  }
  end_scroll();
}

// For tests that click: the left end of each box that can be clicked, by the name of what it shows; and where
// contexts end.
void PicturePanel::place_boxes(const Frame& frame, ImVec2 origin) const {
  if (frame.places == nullptr) return;
  const float zoom = view_.zoom();
  const lab::ObjectId wanted = search_.shown();
  for (const Box& box : scene_.boxes) {
    if (wanted && box.kind != BoxKind::Work && box.kind != BoxKind::Share && object_of(box) == wanted)
      frame.places->emplace("picture found",
                            ImVec2{origin.x + box.rect.x * zoom, origin.y + box.rect.y * zoom});
    std::string name;
    switch (box.kind) {
      case BoxKind::Context:
        name = "context " + std::to_string(box.context);
        break;
      case BoxKind::Allocation:
        name = "allocation " + std::to_string(box.allocation);
        break;
      case BoxKind::HostMemory:
        if (box.piece) continue;  // the program's own: it is nothing that the driver made
        name = "allocation " + std::to_string(box.allocation);
        break;
      case BoxKind::Object:
        name = lab::object_name(box.object);
        break;
      case BoxKind::EndedThreads:
        name = "ended threads";
        break;
      default:
        continue;
    }
    const ImVec2 at{origin.x + (box.rect.x + frame.px(8)) * zoom,
                    origin.y + (box.rect.y + frame.px(8)) * zoom};
    if (!ImGui::IsRectVisible(at, {at.x + 1, at.y + 1})) continue;
    (*frame.places)["picture " + name] = at;
    if (box.kind == BoxKind::Context)
      (*frame.places)["picture end of " + name] = {origin.x + box.rect.right() * zoom, at.y};
  }
}

void PicturePanel::take_keys(Frame& frame) {
  const Selection& selection = frame.selection;
  if (!selection.stops.here() || selection.typing || selection.editor_focus.now) return;
  const bool left = life_.selected() && selection.stops.on_nothing() &&
                    selection.stops.has_left(ImGui::GetID(stop_name(life_.selected()).c_str()));
  const bool escape = std::any_of(
      frame.input.keys.begin(), frame.input.keys.end(),
      [](const KeyPress& press) { return press.key == Key::Escape && !press.ctrl && !press.alt; });
  if (left || escape) life_.select({}), frame.animate();
}

// What can be selected or unfolded, in the order in which it is laid out. Tab selects one thing after
// another; Enter goes into the card with its history.
void PicturePanel::note_stops(Frame& frame, ImVec2 origin, const char* id) {
  KeyStops& stops = frame.selection.stops;
  if (!stops.here()) return;
  if (life_.selected()) stops.start_at(ImGui::GetID(stop_name(life_.selected()).c_str()));
  const float zoom = view_.zoom();
  std::set<lab::ObjectId> noted;
  for (const Box& box : scene_.boxes) {
    const lab::ObjectId object = object_of(box);
    const bool fold = box.kind == BoxKind::Fold || box.kind == BoxKind::EndedThreads;
    if (!fold && (!object || !noted.insert(object).second)) continue;
    const ImVec2 from{origin.x + box.rect.x * zoom, origin.y + box.rect.y * zoom},
        to{origin.x + box.rect.right() * zoom, origin.y + box.rect.bottom() * zoom};
    const std::string name = fold ? "fold " + std::to_string(box.id) : stop_name(object);
    const KeyStops::Here here = stops.stop(ImGui::GetID(name.c_str()), from.x, from.y);
    draw_focus(frame, from, to);
    if (here.on && frame.watched != nullptr) frame.watched->stop = name;
    if (here.arrived) {
      life_.select(fold ? lab::ObjectId{} : object);
      view_.tell({box.rect});
      frame.animate();
    }
    if (!here.pressed) continue;
    if (fold) {
      press(box);
    } else {
      life_.select(object);
      card_has_keys_ = true;
      stops.begin_in(card_place(id), KeyStops::From::First);
    }
    frame.animate();
  }
}

// Escape leads from the card back to the picture, as its end does.
bool PicturePanel::in_card(const Frame& frame, const std::string& place) {
  card_has_keys_ =
      card_has_keys_ && !frame.selection.focus.empty() && !frame.selection.stops.menu_left(place);
  return card_has_keys_;
}

void PicturePanel::press(const Box& box) {
  switch (box.kind) {
    case BoxKind::Fold:
    case BoxKind::EndedThreads:
      unfolded_.insert(box.id);
      break;
    default:
      life_.select(object_of(box));  // a click beside everything closes the card
      break;
  }
}

void PicturePanel::explain(Frame& frame, const ShownRun& run, const Box& box, ImVec2 mouse, ImVec2 origin) {
  if (box.kind == BoxKind::Step && explain_word(frame, box, mouse, origin)) return;
  const Hint hint = hint_for(box, scene_, frame, run);
  if (!hint.title.empty() || !hint.text.empty()) tooltip_now(frame, hint.title, hint.text);
}

// Texts are measured at full size: the zoom has been taken from the mouse's place.
bool PicturePanel::explain_word(const Frame& frame, const Box& box, ImVec2 mouse, ImVec2 origin) const {
  for (const Label& label : box.labels) {
    const Rect place{box.rect.x + label.at.x, box.rect.y + label.at.y, label.at.w, label.at.h};
    if (!place.holds(mouse.x, mouse.y)) continue;
    const WordUnder under = word_under(frame, label.text, mouse.x - place.x, label.size, label.face);
    const float zoom = view_.zoom();
    return help_card(frame, under.word,
                     {origin.x + (place.x + under.left) * zoom, origin.y + place.y * zoom});
  }
  return false;
}

}  // namespace gui::picture
