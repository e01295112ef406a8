// SPDX-License-Identifier: MIT
// The tour at the first start: five cards, each next to the panel that it is about.
//
// Enter or its button shows the next card, Escape ends it; the rest of the window can be used meanwhile.
#pragma once
#include <optional>

#include "pages.hpp"
#include "view.hpp"

namespace gui {

class Tour {
 public:
  void start() { card_ = 0; }
  int card() const { return card_; }  // from 0; -1: none is shown
  // True when the key was for the tour.
  bool take(const KeyPress& press);
  // `covered`: something is open above the panels; `front`: what is shown where panels share a place. Returns
  // what is to be shown there for the card: the panel that it is about, and after the tour the notes.
  std::optional<Tab> draw(Frame& frame, const Layout& layout, bool covered, Tab front);

 private:
  static constexpr int kCards = 5;
  int card_ = -1, seen_ = -1;  // seen: the one of the frame before
};

}  // namespace gui
