// SPDX-License-Identifier: MIT
// Appearance: theme, size, motion, whether the run before is shown, and whether the lab asks what a call will
// do.
#include "popup.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

class LookPopup : public Popup {
 public:
  explicit LookPopup(const PopupContext& of) : of_(of) {}
  Shape shape() const override { return {.id = "looks", .width = 300, .side = Side::Right}; }
  void draw(Frame& frame, float most_height) override;

 private:
  PopupContext of_;
};

void LookPopup::draw(Frame& frame, float) {
  popup_heading(frame, frame.text(Text::ThemeHeading));
  const Text names[] = {Text::ThemeDark, Text::ThemeLight, Text::ThemeProjector};
  const char* ids[] = {"theme dark", "theme light", "theme projector"};
  for (int i = 0; i < 3; ++i)
    if (popup_choice(frame, ids[i], frame.text(names[i]), {},
                     {.on = static_cast<int>(of_.settings.theme) == i}))
      of_.settings.theme = static_cast<lab::ThemeChoice>(i);
  ImGui::Dummy({1, frame.px(6)});
  const std::string percent = std::to_string(of_.settings.scale) + " %";
  const ImVec2 row = ImGui::GetCursorScreenPos();
  draw_text_middle(frame, row.x + frame.px(34), row.y, frame.px(32), frame.theme[Role::Text], percent,
                   Face::Bold);
  const float end = row.x + ImGui::GetContentRegionAvail().x;
  ImGui::SetCursorScreenPos({end - frame.px(88), row.y});
  if (button(frame, "smaller", "−", {.enabled = of_.settings.scale > 75, .width = frame.px(40)}))
    frame.post(command::Do{Action::Smaller});
  ImGui::SetCursorScreenPos({end - frame.px(44), row.y});
  if (button(frame, "larger", "+", {.enabled = of_.settings.scale < 250, .width = frame.px(40)}))
    frame.post(command::Do{Action::Larger});
  const std::string motion =
      std::string(frame.text(Text::ThemeMotion)) + ": " +
      std::string(frame.text(of_.settings.animations ? Text::ThemeOn : Text::ThemeOff));
  if (popup_choice(frame, "motion", motion, {}, {.on = of_.settings.animations}))
    of_.settings.animations = !of_.settings.animations;
  if (of_.settings.animations) {
    const std::string_view speeds[] = {frame.text(Text::LookMotionSlow), frame.text(Text::LookMotionNormal),
                                       frame.text(Text::LookMotionFast)};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({at.x + frame.px(34), at.y + frame.px(4)});
    const int chosen = of_.settings.motion_speed < 0.8 ? 0 : of_.settings.motion_speed > 1.5 ? 2 : 1;
    const int pressed = segmented(frame, "motion speed", speeds, 3, chosen);
    constexpr double kSpeeds[] = {0.4, 1, 2.5};
    if (pressed >= 0) of_.settings.motion_speed = kSpeeds[pressed];
    ImGui::SetCursorScreenPos({at.x, at.y + frame.px(40)});
    ImGui::Dummy({1, 1});
  }
  if (popup_choice(frame, "presenter", frame.text(Text::PresenterOpen), {}, {}))
    frame.post(command::Do{Action::Present}), frame.post(command::ClosePopup{});
  const std::string ghost = std::string(frame.text(Text::GhostShow)) + ": " +
                            std::string(frame.text(of_.settings.ghost ? Text::ThemeOn : Text::ThemeOff));
  if (popup_choice(frame, "ghost shown", ghost, {}, {.on = of_.settings.ghost}))
    frame.post(command::Do{Action::ShowGhost});
  const std::string asks = std::string(frame.text(Text::PredictSetting)) + ": " +
                           std::string(frame.text(of_.settings.predict ? Text::ThemeOn : Text::ThemeOff));
  if (popup_choice(frame, "questions", asks, {}, {.on = of_.settings.predict}))
    frame.post(command::SetPredicting{!of_.settings.predict});
}

}  // namespace

std::unique_ptr<Popup> make_look_popup(const PopupContext& of) {
  return std::make_unique<LookPopup>(of);
}

}  // namespace gui
