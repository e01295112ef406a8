// SPDX-License-Identifier: MIT
// See text_rules.hpp.
#include "text_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gui {
namespace {

// Letters fill about three fifths of a line of text; that much of two lines must not meet.
constexpr float kLeading = 0.2f;

Rect common(const Rect& a, const Rect& b) {
  Rect r;
  r.x = std::max(a.x, b.x), r.y = std::max(a.y, b.y);
  r.w = std::min(a.right(), b.right()) - r.x, r.h = std::min(a.bottom(), b.bottom()) - r.y;
  return r;
}

bool blank(const std::string& text) {
  return text.find_first_not_of(" \t\n") == std::string::npos;
}

Rect letters(const DrawnText& text) {
  Rect r = text.box;
  r.y += r.h * kLeading, r.h *= 1 - 2 * kLeading;
  return r;
}

std::string root_of(const std::string& window) {
  return window.substr(0, window.find('/'));
}

std::string place(const Rect& r) {
  return fmt::format("{:.0f},{:.0f} {:.0f}x{:.0f}", r.x, r.y, r.w, r.h);
}

class Judge {
 public:
  Judge(const TextLog& log, float scale) : log_(log), slack_(std::max(1.0f, scale)) {}

  std::vector<Complaint> judge() {
    for (const DrawnText& text : log_.texts()) {
      if (blank(text.text)) continue;
      one(text);
      const Rect sight = common(letters(text), text.seen);
      if (sight.w > 0 && sight.h > 0) in_sight_.push_back({&text, sight});
    }
    for (const Seen& seen : in_sight_) on_cards(seen);
    pairs();
    return std::move(found_);
  }

 private:
  struct Seen {
    const DrawnText* text;
    Rect sight;
  };

  void complain(const char* what, const DrawnText& text, const std::string& more = {}) {
    std::string where = place(text.box) + " in " + text.window;
    if (!more.empty()) where += ", " + more;
    found_.push_back({what, text.text.substr(0, 70), where});
  }

  void one(const DrawnText& text) {
    if (text.lost)
      complain("no room", text);
    else if (text.shortened && text.cut == Cut::Defect)
      complain("cut", text);
    const Rect box = letters(text), &reach = text.reach;
    if (box.x < reach.x - slack_ || box.right() > reach.right() + slack_ || box.y < reach.y - slack_ ||
        box.bottom() > reach.bottom() + slack_)
      complain("out of reach", text, "which shows " + place(reach));
  }

  // The card that a text lies on is the last one before it that holds its beginning; it must hold its end.
  void on_cards(const Seen& seen) {
    const DrawnText& text = *seen.text;
    const float middle = text.box.y + text.box.h / 2;
    const DrawnCard* under = nullptr;
    for (const DrawnCard& card : log_.cards()) {
      if (card.window != text.window) continue;
      if (card.order < text.order) {
        if (card.box.holds({text.box.x + slack_, middle})) under = &card;
      } else if (card.opaque) {
        const Rect hidden = common(card.box, seen.sight);
        if (hidden.w > slack_ && hidden.h > slack_) complain("covered", text, "by " + place(card.box));
      }
    }
    if (under == nullptr) return;
    const Rect box = letters(text);
    if (box.right() > under->box.right() + slack_ || box.y < under->box.y - slack_ ||
        box.bottom() > under->box.bottom() + slack_)
      complain("sticks out of its card", text, "card " + place(under->box));
  }

  void pairs() {
    std::sort(in_sight_.begin(), in_sight_.end(),
              [](const Seen& a, const Seen& b) { return a.sight.y < b.sight.y; });
    for (std::size_t i = 0; i < in_sight_.size(); ++i)
      for (std::size_t j = i + 1; j < in_sight_.size(); ++j) {
        const Seen &a = in_sight_[i], &b = in_sight_[j];
        if (b.sight.y >= a.sight.bottom()) break;
        const Rect both = common(a.sight, b.sight);
        if (both.w <= slack_ || both.h <= slack_) continue;
        if (root_of(a.text->window) != root_of(b.text->window)) continue;  // one opened above the other
        complain("on one another", *a.text,
                 "\"" + b.text->text.substr(0, 70) + "\" at " + place(b.text->box));
      }
  }

  const TextLog& log_;
  float slack_;
  std::vector<Seen> in_sight_;
  std::vector<Complaint> found_;
};

}  // namespace

std::vector<Complaint> complaints(const TextLog& log, float scale) {
  return Judge(log, scale).judge();
}

}  // namespace gui
