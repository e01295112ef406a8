// SPDX-License-Identifier: MIT
// See picture_search.hpp.
#include "picture_search.hpp"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "picture_find.hpp"
#include "widgets.hpp"

namespace gui::picture {

using lab::Text;

void Search::toggle() {
  if (open_) return close();
  open_ = focus_ = claims_ = true;
  ImGui::SetWindowFocus();
}

void Search::close() {
  open_ = focus_ = false;
  shown_ = {}, hits_.clear(), looked_for_.clear();
}

void Search::forget(Frame& frame) {
  shown_ = {}, hits_.clear(), looked_for_.clear();
  if (open_) frame.animate();
}

bool Search::take_keys(Frame& frame, const ShownRun& run) {
  const void*& owner = frame.selection.field;
  if (std::exchange(wanted_open_, false)) {
    open_ = focus_ = claims_ = true;
    field_.select_all();
    ImGui::SetWindowFocus();
  }
  if (std::exchange(claims_, false))
    owner = this;
  else if (frame.selection.editor_focus.now || owner != this)
    focus_ = false;
  if (!open_ && owner == this) owner = nullptr;
  if (!open_) return false;
  frame.selection.typing = focus_;
  if (!focus_) return look(frame, run);  // the moment goes on under the words
  bool went = false;
  for (const KeyPress& press : frame.input.keys) {
    if (press.key == Key::Escape) {
      close();
      owner = nullptr;
      frame.selection.stops.leave();
      return false;
    }
    if (press.key != Key::Enter) {
      (void)field_.take(press);
    } else if (!hits_.empty()) {
      go_to((hit_ + (press.shift ? hits_.size() - 1 : 1)) % hits_.size());
      went = true;
    }
  }
  field_.type(frame.input.text);
  return look(frame, run) || went;
}

bool Search::look(Frame& frame, const ShownRun& run) {
  const std::string words = field_.text();
  if (words == looked_for_ && looked_at_ == run.cursor) return false;
  const bool typed = words != looked_for_;
  looked_for_ = words, looked_at_ = run.cursor;
  hits_ = find_in(run.model.at(run.cursor), words, [&store = run.store](std::uint64_t event) -> std::string {
    if (event >= store.size()) return {};
    const trace::Event made = store.at(event);
    return made.line == 0 ? std::string() : made.file + ":" + std::to_string(made.line);
  });
  frame.animate();
  // The hit that was shown stays the shown one if this moment has it, whatever its number is now.
  const auto shown = std::find(hits_.begin(), hits_.end(), shown_);
  if (hits_.empty()) {
    shown_ = {};
    return false;
  }
  if (!typed && shown != hits_.end()) {
    hit_ = static_cast<std::size_t>(shown - hits_.begin());
    return false;
  }
  go_to(0);
  return true;
}

void Search::go_to(std::size_t hit) {
  hit_ = hit;
  shown_ = hits_[hit];
}

void Search::draw(Frame& frame, ImVec2 at, ImVec2 size) {
  const gui::Rect place{at.x, at.y, size.x, size.y};
  const FieldKeys keys = field_stop(frame, "find", place, focus_);
  if (keys == FieldKeys::Taken) focus_ = claims_ = true, ImGui::SetWindowFocus(), frame.animate();
  if (keys == FieldKeys::Lost) focus_ = false;
  if (frame.places != nullptr) (*frame.places)["picture find"] = {at.x + size.x / 2, at.y + size.y / 2};
  field_.draw(frame, place, frame.text(Text::PictureFind), Icon::Search,
              focus_ ? TextField::Caret::Shown : TextField::Caret::Hidden);
  if (looked_for_.empty()) return;
  const std::string words =
      hits_.empty()
          ? std::string(frame.text(Text::PictureFindNone))
          : frame.text(Text::PictureFindOf, {std::to_string(hit_ + 1), std::to_string(hits_.size())});
  const float wide = text_size(frame, words, Face::Ui, Size::Small).x;
  draw_text_middle(frame, at.x - wide - frame.px(8), at.y, place.h, frame.theme[Role::Muted], words, Face::Ui,
                   Size::Small);
}

}  // namespace gui::picture
