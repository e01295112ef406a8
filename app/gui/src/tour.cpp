// SPDX-License-Identifier: MIT
// See tour.hpp.
#include "tour.hpp"

#include <algorithm>
#include <utility>

#include "popup.hpp"
#include "widgets.hpp"

namespace gui {

using lab::Text;

bool Tour::take(const KeyPress& press) {
  if (card_ < 0 || (press.key != Key::Escape && press.key != Key::Enter)) return false;
  card_ = press.key == Key::Escape || card_ == kCards - 1 ? -1 : card_ + 1;
  return true;
}

std::optional<Tab> Tour::draw(Frame& frame, const Layout& layout, bool covered, Tab front) {
  // If panels share a place, the one that the card is about comes to the front; after the tour, the notes do.
  std::optional<Tab> wanted;
  constexpr Tab kTabs[] = {Tab::Notes, Tab::Code, Tab::Picture};
  if (card_ < 0 && seen_ >= 0 && front == kTabs[std::min(seen_, 2)]) {
    wanted = Tab::Notes;
    frame.animate();
  }
  if (card_ < 0) seen_ = -1;
  if (card_ < 0 || frame.still || covered) return wanted;
  struct Card {
    Text text;
    Rect about;
  };
  const Rect lower = layout.bottom;
  const Card cards[] = {{Text::TourNotes, layout.notes},
                        {Text::TourCode, layout.code},
                        {Text::TourPicture, layout.picture},
                        {Text::TourTime, lower},
                        {Text::TourBar, layout.bar}};
  card_ = std::min(card_, kCards - 1);
  if (std::exchange(seen_, card_) != card_ && card_ < 3) {
    wanted = kTabs[card_];
    frame.animate();
  }
  const Card& card = cards[card_];
  const float width = std::min(frame.px(360), layout.bar.w - frame.px(24));
  const float x = std::clamp(card.about.x + (card.about.w - width) / 2, frame.px(12),
                             std::max(frame.px(12), layout.bar.right() - width - frame.px(12)));
  const bool below = card_ == kCards - 1;
  const bool above = card_ == kCards - 2;
  // Next to flat panels; at the bottom of tall ones, because the card is about their title and first lines.
  const float y = below   ? card.about.bottom() + frame.px(12)
                  : above ? card.about.y - frame.px(170)
                          : std::max(card.about.y + frame.px(70), card.about.bottom() - frame.px(190));
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const auto surround = [&](const Rect& place) {
    list.AddRect(place.from(), place.to(), frame.theme[Role::Accent], frame.px(kRounding), 0, frame.px(3));
  };
  surround(card.about);
  if (above && layout.arrangement == Arrangement::Tabs) surround(layout.calls);
  begin_popup(frame, "tour", {x, std::max(y, frame.px(8))}, width, frame.px(400));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = width - frame.px(36);
  const float tall = draw_paragraph(frame, {at.x + frame.px(8), at.y + frame.px(6)}, room,
                                    frame.theme[Role::Text], frame.text(card.text));
  ImGui::Dummy({room, tall + frame.px(18)});
  const ImVec2 row = ImGui::GetCursorScreenPos();
  const std::string_view next = frame.text(card_ == kCards - 1 ? Text::TourEnd : Text::TourNext);
  ButtonOptions primary;
  primary.style = ButtonStyle::Primary;
  const float wide = button_size(frame, next, primary).x;
  bool skip = false;
  if (card_ < kCards - 1)
    skip = button(frame, "tour skip", frame.text(Text::TourSkip), {.style = ButtonStyle::Ghost});
  ImGui::SetCursorScreenPos({at.x + width - wide - frame.px(24), row.y});
  if (button(frame, "tour next", next, primary)) card_ = card_ == kCards - 1 ? -1 : card_ + 1;
  if (skip) card_ = -1;
  end_popup();
  return wanted;
}

}  // namespace gui
