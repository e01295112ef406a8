// SPDX-License-Identifier: MIT
// See popups.hpp.
#include "popups.hpp"

#include <algorithm>
#include <utility>

namespace gui {

Popups::Popups(const PopupContext& of) {
  auto unkept = std::make_unique<UnkeptPopup>(of);
  unkept_ = unkept.get();
  const auto put = [this](PopupName name, std::unique_ptr<Popup> popup) {
    all_[static_cast<std::size_t>(name)] = std::move(popup);
  };
  put(PopupName::Lessons, make_lesson_list(of));
  put(PopupName::Driver, make_driver_popup(of));
  put(PopupName::Look, make_look_popup(of));
  put(PopupName::Keys, make_keys_popup());
  put(PopupName::Search, make_search_popup(of));
  put(PopupName::Find, make_find_popup(of));
  put(PopupName::Share, make_share_popup(of));
  put(PopupName::Files, make_files_popup(of));
  put(PopupName::Trace, make_trace_popup(of));
  put(PopupName::Unkept, std::move(unkept));
  put(PopupName::Teaching, std::make_unique<TeachingPage>(of.bench));
}

void Popups::toggle(PopupName name) {
  const bool of_program = name == PopupName::Driver && shown_ == PopupName::Trace;
  back_to_ = of_program ? PopupName::Trace : PopupName::None;
  shown_ = shown_ == name ? PopupName::None : name;
  opened_ = any();
  if (any()) of(shown_).open();
}

void Popups::leave() {
  shown_ = std::exchange(back_to_, PopupName::None);
  opened_ = any();
}

std::string Popups::place_of_keys() const {
  if (!any() || of(shown_).shape().keys == Keys::Own) return {};
  return "pop-up " + std::string(of(shown_).shape().id);
}

void Popups::ask_about_unkept(std::vector<std::string> files, std::function<void()> then) {
  unkept_->ask(std::move(files), std::move(then));
  if (shown_ != PopupName::Unkept) toggle(PopupName::Unkept);
}

void Popups::follow_lesson() {
  if (shown_ == PopupName::Teaching) of(shown_).open();
}

bool Popups::take(const KeyPress& press) {
  if (!any()) return false;
  if (press.key == Key::Escape) return leave(), true;
  return of(shown_).take(press);
}

bool Popups::type(std::string_view text) {
  return any() && of(shown_).type(text);
}

void Popups::add_text(Fonts& fonts, lab::Language language) {
  if (any()) of(shown_).add_text(fonts, language);
}

void Popups::draw(Frame& frame, const Layout& layout) {
  if (!any()) return;
  const Popup::Shape shape = of(shown_).shape();
  const float under = layout.bar.bottom() + frame.px(6), right = layout.bar.right() - frame.px(12);
  const float most = std::max(frame.px(120), layout.bottom.bottom() - under);
  const float width = std::min(frame.px(shape.width), right - frame.px(12));
  const float wanted = shape.side == Popup::Side::Lesson   ? layout.bar.x + frame.px(150)
                       : shape.side == Popup::Side::Middle ? (right - width) / 2
                                                           : right;
  const KeyPlace place(frame.selection.stops, place_of_keys(), KeyStops::Arrows::Walk);
  // With the mouse in hand nothing is stood on before a key says so.
  if (opened_)
    frame.selection.stops.begin_in(place_of_keys(),
                                   frame.selection.hush.on ? KeyStops::From::First : KeyStops::From::Whole);
  begin_popup(frame, shape.id, {std::max(frame.px(8), std::min(wanted, right - width)), under}, width, most);
  of(shown_).draw(frame, most);
  const bool elsewhere = ImGui::IsMouseClicked(0) &&
                         !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows |
                                                 ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                         !opened_;
  if (std::exchange(opened_, false)) ImGui::SetWindowFocus();
  end_popup();
  // A click on the bar toggles by itself.
  if (elsewhere && ImGui::GetIO().MousePos.y > layout.bar.bottom()) close();
}

}  // namespace gui
