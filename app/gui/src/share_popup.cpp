// SPDX-License-Identifier: MIT
// Sharing a run. The lab writes the files; here are the choices and the names of the files.
#include "lab/installation.hpp"
#include "lab/wall_clock.hpp"
#include "popup.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::ShareKind;
using lab::Text;

std::string share_name(const lab::Workbench& bench, const char* ending) {
  const std::string lesson = bench.lesson() == nullptr ? "run" : bench.lesson()->slug;
  return lesson + lab::local_time("-%Y-%m-%d-%H%M%S") + ending;
}

class SharePopup : public Popup {
 public:
  explicit SharePopup(const PopupContext& of) : of_(of) {}
  Shape shape() const override { return {.id = "share", .width = 440, .side = Side::Right}; }
  void draw(Frame& frame, float most_height) override;

 private:
  void share(const Frame& frame, ShareKind kind, std::size_t from, std::size_t to);

  PopupContext of_;
  bool whole_ = false;  // names of this machine are left in; off again at each start of the window
};

void SharePopup::share(const Frame& frame, ShareKind kind, std::size_t from, std::size_t to) {
  const char* ending = kind == ShareKind::Page ? ".html" : kind == ShareKind::Animation ? ".png" : ".trace";
  std::vector<std::string> look = {"--lang",  lab::language_word(frame.language),
                                   "--theme", std::string(theme_key(frame.theme.name())),
                                   "--scale", std::to_string(of_.settings.scale)};
  of_.bench.share(kind, lab::data_home().path / "shared" / share_name(of_.bench, ending), from, to,
                  std::move(look), whole_);
  of_.commands.emplace_back(command::ClosePopup{});
}

void SharePopup::draw(Frame& frame, float) {
  popup_heading(frame, frame.text(Text::ShareTitle));
  const std::size_t calls = of_.bench.store().calls();
  if (!of_.bench.can_share()) {
    popup_choice(frame, "share nothing", frame.text(Text::ShareNothing), {}, {.enabled = false});
    return;
  }
  if (popup_choice(frame, "share page", frame.text(Text::SharePage), frame.text(Text::SharePageHint), {}))
    share(frame, ShareKind::Page, 1, 0);
  if (const auto step = of_.bench.step_name()) {
    const std::vector<std::size_t> own = of_.bench.calls_of_step(*step);
    if (!own.empty() && own.back() - own.front() < lab::kMostSharedCalls) {
      const std::size_t from = own.front() + 1, to = own.back() + 1;
      const std::string words = frame.text(Text::ShareCalls, {std::to_string(from), std::to_string(to)});
      if (popup_choice(frame, "share step", frame.text(Text::ShareStep), words, {}))
        share(frame, ShareKind::Animation, from, to);
    }
  }
  const bool fits = calls <= lab::kMostSharedCalls;
  const std::string all = fits ? frame.text(Text::ShareCalls, {"1", std::to_string(calls)})
                               : frame.text(Text::ShareTooLong, {std::to_string(lab::kMostSharedCalls)});
  if (popup_choice(frame, "share run", frame.text(Text::ShareRun), all, {.enabled = fits}))
    share(frame, ShareKind::Animation, 1, 0);
  if (popup_choice(frame, "share recording", frame.text(Text::ShareRecording),
                   frame.text(Text::ShareRecordingHint), {}))
    share(frame, ShareKind::Recording, 1, 0);
  const Text holds = whole_ ? Text::ShareWholeOn : Text::ShareWholeOff;
  if (popup_choice(frame, "share whole", frame.text(Text::ShareWhole), frame.text(holds), {.on = whole_}))
    whole_ = !whole_;
}

}  // namespace

std::unique_ptr<Popup> make_share_popup(const PopupContext& of) {
  return std::make_unique<SharePopup>(of);
}

}  // namespace gui
