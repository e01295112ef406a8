// SPDX-License-Identifier: MIT
// All pop-ups, and which of them is shown: at most one.
//
// A key goes to the one that is shown; Escape and a click elsewhere close it. What it asks for by a command
// is done after the key, or at the end of the frame.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "layout.hpp"
#include "popup.hpp"
#include "teaching_page.hpp"
#include "unkept_popup.hpp"

namespace gui {

class Popups {
 public:
  explicit Popups(const PopupContext& of);

  PopupName shown() const { return shown_; }
  bool any() const { return shown_ != PopupName::None; }
  void toggle(PopupName name);
  void close() { shown_ = back_to_ = PopupName::None; }
  // The same, but the choice of a driver goes back to the program that is to be traced with it.
  void leave();
  // Of key_stops.hpp: the one that is shown; "" if it has a cursor of its own.
  std::string place_of_keys() const;
  // Asks what is to become of these files before `then`.
  void ask_about_unkept(std::vector<std::string> files, std::function<void()> then);
  // The lesson that is open is another one: what was read from its files is read again.
  void follow_lesson();
  bool take(const KeyPress& press);
  bool type(std::string_view text);
  void add_text(Fonts& fonts, lab::Language language);
  void draw(Frame& frame, const Layout& layout);

 private:
  Popup& of(PopupName name) { return *all_[static_cast<std::size_t>(name)]; }
  const Popup& of(PopupName name) const { return *all_[static_cast<std::size_t>(name)]; }

  UnkeptPopup* unkept_ = nullptr;                        // one of them
  std::array<std::unique_ptr<Popup>, kPopupNames> all_;  // by PopupName; None has none
  PopupName shown_ = PopupName::None, back_to_ = PopupName::None;
  bool opened_ = false;  // since the last frame
};

}  // namespace gui
