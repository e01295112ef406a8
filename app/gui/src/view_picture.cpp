// SPDX-License-Identifier: MIT
// The picture's panel: threads with their stacks, devices with contexts and memory, at the moment of the
// cursor. picture_panel.hpp draws its contents; this file shows a hint if there is nothing yet.
#include "picture_panel.hpp"
#include "view.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

class PictureView : public View {
 public:
  Text title() const override { return Text::PictureTitle; }
  void draw(Frame& frame) override {
    const picture::ShownRun run = picture::shown_run(frame.bench, frame.run);
    panel_header(frame, frame.text(title()));
    const lab::State& state = run.model.at(run.cursor);
    if (run.cursor == 0 && state.devices.empty() && state.threads.empty()) {
      empty_state(frame, frame.text(Text::PictureNothingTitle), frame.text(Text::PictureNothing));
      return;
    }
    if (frame.in_tab)
      ImGui::SetCursorScreenPos(
          {ImGui::GetCursorScreenPos().x, ImGui::GetWindowPos().y + frame.px(frame.header)});
    panel_.draw_tools(frame, run);
    panel_.draw(frame, run, "picture", picture::Tools::All);
  }

  void take(const Command& command) override {
    if (std::holds_alternative<command::FindInPicture>(command)) panel_.find();
    if (const auto* object = std::get_if<command::ShowObject>(&command)) panel_.show(object->object);
  }

 private:
  picture::PicturePanel panel_;
};

}  // namespace

std::unique_ptr<View> make_picture_view() {
  return std::make_unique<PictureView>();
}

}  // namespace gui
