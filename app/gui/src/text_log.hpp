// SPDX-License-Identifier: MIT
// The texts of a frame and their places, for tests: every text with its box, and every card below texts.
//
// draw_text() (widgets.hpp) draws all text, and notes it here if a log is attached to the frame; the window
// attaches none. tests/app/gui/window reads the log to check that no text is cut or covered by another. The
// tests decide what is wrong.
#pragma once
#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "layout.hpp"

namespace gui {

// Whether a text may end with …: only if its length is not limited (a path, a call's arguments, a title in
// the bar). The whole text is then shown under the mouse. Middle: so that the … stands in the middle, because
// the end of a path is the name of the file.
enum class Cut { Defect, Meant, Middle };

struct DrawnText {
  std::string text;    // all of it, also where it was shortened
  std::string window;  // ImGui's name, "root/child/…"
  Rect box;            // a line of the font high
  Rect seen;           // the visible part of the window
  Rect reach;          // `seen`, and what scrolling makes visible
  std::size_t order = 0;
  Cut cut = Cut::Defect;
  bool shortened = false;
  bool lost = false;  // there was not even room for the …
};

struct DrawnCard {
  std::string window;
  Rect box;
  std::size_t order = 0;
  bool opaque = false;  // hides what was drawn before it
};

class TextLog {
 public:
  void clear() { texts_.clear(), cards_.clear(), order_ = 0, by_hand_ = 0; }
  // Both are in the current ImGui window.
  void text(std::string_view text, const Rect& box, Cut cut, bool shortened, bool lost);
  void card(const Rect& box, bool opaque);
  // What was drawn there before in this window is hidden on purpose: a badge over the end of a long line.
  void hide(const Rect& box);

  // What was noted since so many texts and cards is drawn smaller or larger around `anchor`, within `clip`.
  void zoom(std::size_t texts, std::size_t cards, ImVec2 anchor, float zoom, const Rect& clip);

  const std::vector<DrawnText>& texts() const { return texts_; }
  const std::vector<DrawnCard>& cards() const { return cards_; }

  // While one exists, its panel scrolls what is drawn, and not ImGui. `log` may be null.
  class ScrolledByHand {
   public:
    explicit ScrolledByHand(TextLog* log) : log_(log) {
      if (log_ != nullptr) ++log_->by_hand_;
    }
    ~ScrolledByHand() {
      if (log_ != nullptr) --log_->by_hand_;
    }
    ScrolledByHand(const ScrolledByHand&) = delete;
    ScrolledByHand& operator=(const ScrolledByHand&) = delete;

   private:
    TextLog* log_;
  };

 private:
  std::vector<DrawnText> texts_;
  std::vector<DrawnCard> cards_;
  std::size_t order_ = 0;
  int by_hand_ = 0;
};

}  // namespace gui
