// SPDX-License-Identifier: MIT
// The tour at the first start: five cards, each next to the panel that it is about. Part of Shell
// (shell.hpp).
//
// Enter or its button shows the next card, Escape ends it; the rest of the window can be used meanwhile.
#include <algorithm>
#include <utility>

#include "popups.hpp"
#include "shell.hpp"
#include "widgets.hpp"

namespace gui {

using lab::Text;

void Shell::draw_tour(Frame& frame, const Layout& layout) {
  // If panels share a place, the one that the card is about comes to the front; after the tour, the notes do.
  constexpr Tab kTabs[] = {Tab::Notes, Tab::Code, Tab::Picture};
  if (tour_ < 0 && tour_seen_ >= 0 && tab_ == kTabs[std::min(tour_seen_, 2)]) {
    tab_ = Tab::Notes;
    frame.animate();
  }
  if (tour_ < 0) tour_seen_ = -1;
  if (tour_ < 0 || still_ || popup_ != Popup::None) return;
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
  constexpr int kCards = 5;
  tour_ = std::min(tour_, kCards - 1);
  if (std::exchange(tour_seen_, tour_) != tour_ && tour_ < 3) {
    tab_ = kTabs[tour_];
    frame.animate();
  }
  const Card& card = cards[tour_];
  const float width = std::min(frame.px(360), layout.bar.w - frame.px(24));
  const float x = std::clamp(card.about.x + (card.about.w - width) / 2, frame.px(12),
                             std::max(frame.px(12), layout.bar.right() - width - frame.px(12)));
  const bool below = tour_ == kCards - 1;
  const bool above = tour_ == kCards - 2;
  // Next to flat panels; at the bottom of tall ones, because the card is about their title and first lines.
  const float y = below   ? card.about.bottom() + frame.px(12)
                  : above ? card.about.y - frame.px(170)
                          : std::max(card.about.y + frame.px(70), card.about.bottom() - frame.px(190));
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRect(card.about.from(), card.about.to(), frame.theme[Role::Accent], frame.px(kRounding), 0,
               frame.px(3));
  begin_popup(frame, "tour", {x, std::max(y, frame.px(8))}, width, frame.px(400));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = width - frame.px(36);
  const float tall = draw_paragraph(frame, {at.x + frame.px(8), at.y + frame.px(6)}, room,
                                    frame.theme[Role::Text], frame.text(card.text));
  ImGui::Dummy({room, tall + frame.px(18)});
  const ImVec2 row = ImGui::GetCursorScreenPos();
  const std::string_view next = frame.text(tour_ == kCards - 1 ? Text::TourEnd : Text::TourNext);
  ButtonOptions primary;
  primary.style = ButtonStyle::Primary;
  const float wide = button_size(frame, next, primary).x;
  bool skip = false;
  if (tour_ < kCards - 1)
    skip = button(frame, "tour skip", frame.text(Text::TourSkip), {.style = ButtonStyle::Ghost});
  ImGui::SetCursorScreenPos({at.x + width - wide - frame.px(24), row.y});
  if (button(frame, "tour next", next, primary)) tour_ = tour_ == kCards - 1 ? -1 : tour_ + 1;
  if (skip) tour_ = -1;
  end_popup();
}

}  // namespace gui
