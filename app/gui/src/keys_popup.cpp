// SPDX-License-Identifier: MIT
// The list of keys, and the version of the lab.
#include "lab/version.hpp"
#include "popup.hpp"
#include "shortcuts.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

class KeysPopup : public Popup {
 public:
  Shape shape() const override { return {.id = "keys", .width = 540}; }
  void draw(Frame& frame, float most_height) override;
};

void KeysPopup::draw(Frame& frame, float) {
  popup_heading(frame, frame.text(Text::HelpHeading));
  for (const KeyHelp& line : key_help()) {
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float height = frame.px(28), column = frame.px(180);
    badge_at(frame, {from.x + frame.px(8), from.y + frame.px(4)}, line.keys, frame.theme[Role::Raised],
             frame.theme[Role::Text], frame.theme[Role::Line]);
    draw_text_middle(frame, from.x + column, from.y, height, frame.theme[Role::Text],
                     frame.text(line.meaning), Face::Ui, Size::Body,
                     ImGui::GetContentRegionAvail().x - column);
    ImGui::Dummy({1, height});
  }
  popup_sentence(frame, lab::name_and_version(), Role::Muted);
}

}  // namespace

std::unique_ptr<Popup> make_keys_popup() {
  return std::make_unique<KeysPopup>();
}

}  // namespace gui
