// SPDX-License-Identifier: MIT
// The question before text that could not be saved would be lost: save it elsewhere, drop it, or stay.
//
// Esc, a click outside and everything else that closes it means to stay: only a choice drops the text.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "popup.hpp"
#include "text_field.hpp"

namespace gui {

class UnkeptPopup : public Popup {
 public:
  explicit UnkeptPopup(const PopupContext& of) : of_(of) {}
  // Before it opens: the files, and what is done (command::Leave) when none of their text will be lost by it.
  void ask(std::vector<std::string> files, std::function<void()> then);
  Shape shape() const override { return {.id = "unkept", .width = 560, .keys = Keys::Own}; }
  bool take(const KeyPress& press) override;
  bool type(std::string_view text) override { return field_.type(text), true; }
  void add_text(Fonts& fonts, lab::Language) override { fonts.add_text(field_.text()); }
  void draw(Frame& frame, float most_height) override;

 private:
  enum class Choice { SaveElsewhere, Discard, Stay };
  void settle(Choice choice);

  PopupContext of_;
  std::function<void()> then_;
  std::vector<std::string> files_;
  std::optional<lab::Problem> problem_;  // of the last try to save them elsewhere
  int choice_ = 0;
  TextField field_;  // where to save them
};

}  // namespace gui
