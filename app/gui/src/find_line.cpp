// SPDX-License-Identifier: MIT
// See find_line.hpp.
#include "find_line.hpp"
#include "lab/letters.hpp"

#include <algorithm>
#include <cmath>

#include "imgui_compat.hpp"
#include "lab/call_query.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

constexpr float kHigh = 36, kField = 30, kLeastField = 60;  // at 100 %

}  // namespace

std::vector<std::size_t> places_of(std::string_view needle, std::string_view text) {
  std::vector<std::size_t> places;
  if (needle.empty()) return places;
  const std::string wanted = lab::lower_case(needle), whole = lab::lower_case(text);
  for (std::size_t at = whole.find(wanted); at != std::string::npos;
       at = whole.find(wanted, at + wanted.size()))
    places.push_back(at);
  return places;
}

void draw_found_mark(const Frame& frame, const Rect& place, bool looked_at) {
  const float in = std::round(place.h * 0.12f);
  const ImVec2 from{place.x - frame.px(1), place.y + in},
      to{place.right() + frame.px(1), place.bottom() - in};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(from, to, frame.theme[Role::Selection], frame.px(2));
  if (looked_at) list.AddRect(from, to, frame.theme[Role::Accent], frame.px(2), 0, frame.px(2));
}

void FindLine::open(Selection& selection) {
  open_ = focused_ = fresh_ = true;
  selection.field = this;
  field_.select_all();
}

void FindLine::close(Frame& frame) {
  open_ = focused_ = false;
  words_.clear(), placed_.clear();
  places_ = place_ = 0;
  if (frame.selection.field == this) frame.selection.field = nullptr;
  frame.selection.stops.leave();
  frame.animate();
}

void FindLine::go(bool back) {
  if (places_ == 0) return;
  place_ = (place_ + (back ? places_ - 1 : 1)) % places_;
  went_ = true;
}

void FindLine::follow(Frame& frame) {
  if (!open_) return;
  Selection& selection = frame.selection;
  if (std::exchange(fresh_, false)) focus_ = selection.focus;
  if (selection.editor_focus.now || selection.focus != focus_ || selection.field != this) focused_ = false;
  // The one whose field was used last goes on by F3; after that was closed, the one that is left.
  const bool mine = (selection.field == this || selection.field == nullptr) && !selection.editor_focus.now;
  for (const KeyPress& press : frame.input.keys) {
    if (press.key == Key::F3 && !press.ctrl && !press.alt) {
      if (mine) go(press.shift);
      continue;
    }
    if (!focused_) continue;
    if (press.key == Key::Escape) return close(frame);
    if (press.key == Key::Enter)
      go(press.shift);
    else if (press.key == Key::Up || press.key == Key::Down)
      go(press.key == Key::Up);
    else
      (void)field_.take(press);
  }
  if (focused_) field_.type(frame.input.text);
  words_ = lab::lower_case(field_.text());
  selection.typing = selection.typing || focused_;
  selection.finding.on = selection.finding.on || mine;
}

void FindLine::found(std::size_t places, std::size_t nearest) {
  places_ = places;
  if (words_ != placed_) {
    placed_ = words_;
    place_ = nearest;
    went_ = places > 0;
  }
  if (place_ >= places_) place_ = places_ == 0 ? 0 : places_ - 1;
}

std::optional<std::size_t> FindLine::looked_at() const {
  if (!open_ || places_ == 0) return std::nullopt;
  return place_;
}

float FindLine::height(const Frame& frame) const {
  return open_ ? frame.px(kHigh) : 0;
}

void FindLine::draw(Frame& frame, ImVec2 at, float width) {
  if (!open_) return;
  const float high = frame.px(kHigh), margin = frame.px(kMargin), box = frame.px(kField);
  ImGui::SetCursorScreenPos(at);
  compat::begin_child(id_.c_str(), {width, high}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const KeyOrder order(frame.selection.stops, KeyOrder::Of::Row);
  const float middle = at.y + high / 2;
  float right = at.x + width - margin;
  const auto place = [&](const char* id, Icon icon, std::string_view label, Text hint, bool enabled) {
    const ButtonOptions options{.icon = icon,
                                .style = ButtonStyle::Ghost,
                                .enabled = enabled,
                                .hint = frame.text(hint),
                                .size = Size::Small};
    const ImVec2 size = button_size(frame, label, options);
    right -= size.x + frame.px(2);
    ImGui::SetCursorScreenPos({right, middle - size.y / 2});
    if (frame.places != nullptr) (*frame.places)[id_ + " " + id] = {right + size.x / 2, middle};
    return button(frame, id, label, options);
  };
  const bool any = places_ > 0;
  const bool closed = place("close", Icon::Cross, "", Text::FindCallsClose, true);
  if (place("next", Icon::None, "↓", Text::FindNextPlace, any)) go(false);
  if (place("previous", Icon::None, "↑", Text::FindPreviousPlace, any)) go(true);
  if (!words_.empty()) {
    const std::string count =
        any ? frame.text(Text::PictureFindOf, {std::to_string(place_ + 1), std::to_string(places_)})
            : std::string(frame.text(Text::PictureFindNone));
    const float wide = text_size(frame, count, Face::Ui, Size::Small).x;
    if (right - wide - frame.px(20) - at.x - margin >= frame.px(kLeastField)) {
      right -= wide + frame.px(10);
      draw_text_middle(frame, right, at.y, high, frame.theme[any ? Role::Muted : Role::Bad], count, Face::Ui,
                       Size::Small);
    }
  }
  const Rect line{at.x + margin, middle - box / 2,
                  std::max(frame.px(kLeastField), right - frame.px(10) - at.x - margin), box};
  const FieldKeys keys = field_stop(frame, "field", line, focused_);
  if (keys == FieldKeys::Taken) {
    focused_ = true, focus_ = frame.selection.focus;
    frame.selection.field = this;
    frame.animate();
  }
  if (keys == FieldKeys::Lost) focused_ = false;
  const bool on_field = ImGui::IsItemHovered();
  if (frame.places != nullptr) (*frame.places)[id_] = {line.x + line.w / 2, middle};
  field_.draw(frame, line, frame.text(field_words_), Icon::Search,
              focused_ ? TextField::Caret::Shown : TextField::Caret::Hidden);
  if (frame.watched != nullptr) frame.watched->hits = static_cast<int>(places_);
  compat::end_child();
  if (ImGui::IsMouseClicked(0) && !on_field) focused_ = false;
  if (closed) close(frame);
}

}  // namespace gui
