// SPDX-License-Identifier: MIT
// Sharing a run, and the strip that shows long work with a button to cancel it. Part of Shell (shell.hpp).
//
// The lab writes the files; here are the choices, the progress and the names of the files.
#include <algorithm>

#include "lab/installation.hpp"
#include "lab/wall_clock.hpp"
#include "popups.hpp"
#include "shell.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::ShareKind;
using lab::Text;

std::string share_name(const lab::Workbench& bench, const char* ending) {
  const std::string lesson = bench.lesson() == nullptr ? "run" : bench.lesson()->slug;
  return lesson + lab::local_time("-%Y-%m-%d-%H%M%S") + ending;
}

}  // namespace

void Shell::share(ShareKind kind, std::size_t from, std::size_t to) {
  const char* ending = kind == ShareKind::Page ? ".html" : kind == ShareKind::Animation ? ".png" : ".trace";
  std::vector<std::string> look = {"--lang",  lab::language_word(language_),
                                   "--theme", std::string(theme_key(theme().name())),
                                   "--scale", std::to_string(settings_.scale)};
  bench_.share(kind, lab::data_home().path / "shared" / share_name(bench_, ending), from, to, std::move(look),
               share_whole_);
  popup_ = Popup::None;
}

void Shell::draw_share(Frame& frame) {
  popup_heading(frame, frame.text(Text::ShareTitle));
  const std::size_t calls = bench_.store().calls();
  if (!bench_.can_share()) {
    popup_choice(frame, "share nothing", frame.text(Text::ShareNothing), {}, {.enabled = false});
    return;
  }
  if (popup_choice(frame, "share page", frame.text(Text::SharePage), frame.text(Text::SharePageHint), {}))
    share(ShareKind::Page, 1, 0);
  if (const auto step = bench_.step_name()) {
    const std::vector<std::size_t> own = bench_.calls_of_step(*step);
    if (!own.empty() && own.back() - own.front() < lab::kMostSharedCalls) {
      const std::size_t from = own.front() + 1, to = own.back() + 1;
      const std::string words = frame.text(Text::ShareCalls, {std::to_string(from), std::to_string(to)});
      if (popup_choice(frame, "share step", frame.text(Text::ShareStep), words, {}))
        share(ShareKind::Animation, from, to);
    }
  }
  const bool fits = calls <= lab::kMostSharedCalls;
  const std::string all = fits ? frame.text(Text::ShareCalls, {"1", std::to_string(calls)})
                               : frame.text(Text::ShareTooLong, {std::to_string(lab::kMostSharedCalls)});
  if (popup_choice(frame, "share run", frame.text(Text::ShareRun), all, {.enabled = fits}))
    share(ShareKind::Animation, 1, 0);
  if (popup_choice(frame, "share recording", frame.text(Text::ShareRecording),
                   frame.text(Text::ShareRecordingHint), {}))
    share(ShareKind::Recording, 1, 0);
  const Text holds = share_whole_ ? Text::ShareWholeOn : Text::ShareWholeOff;
  if (popup_choice(frame, "share whole", frame.text(Text::ShareWhole), frame.text(holds),
                   {.on = share_whole_}))
    share_whole_ = !share_whole_;
}

// At the foot of the window, above everything, while it lasts; it takes neither keys nor the mouse beside it.
void Shell::draw_work(Frame& frame, const Layout& layout) {
  const std::optional<lab::Workbench::Work> work = bench_.work();
  working_ = work.has_value();
  // Short work is not said; what lasts has to be noticed although nothing else asks for a frame.
  if (!work && !still_ && (bench_.phase() == lab::RunPhase::Building || bench_.loading())) frame.animate(0.1);
  if (!work || still_) return;
  frame.animate(0.05);
  const std::string words = work->words.in(language_);
  const std::string_view cancel = frame.text(Text::WorkCancel);
  const ButtonOptions small{.size = Size::Small};
  const ImVec2 size = button_size(frame, cancel, small);
  const float bar = frame.px(120);
  const float width = std::min(text_size(frame, words).x + bar + size.x + frame.px(76),
                               std::max(frame.px(200), layout.bar.w - frame.px(24)));
  const float height = frame.px(46);
  const ImVec2 at{std::round((layout.bar.w - width) / 2), layout.bottom.bottom() - height - frame.px(10)};
  begin_popup(frame, "work", at, width, height + frame.px(8));
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float tall = frame.px(26), end = at.x + width - frame.px(10);
  draw_text_middle(frame, from.x + frame.px(6), from.y, tall, frame.theme[Role::Text], words, Face::Ui,
                   Size::Body, end - size.x - bar - frame.px(26) - from.x);
  const float left = end - size.x - frame.px(14) - bar, y = from.y + tall / 2 - frame.px(3);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({left, y}, {left + bar, y + frame.px(6)}, frame.theme[Role::Sunken], frame.px(3));
  // For work whose length is not known, a piece of the bar moves to and fro.
  const auto wave = static_cast<float>(std::abs(std::fmod(frame.time, 2.0) - 1.0));
  const float begins = work->part < 0 ? wave * 0.7f : 0;
  const float ends = work->part < 0 ? begins + 0.3f : static_cast<float>(work->part);
  list.AddRectFilled({left + bar * begins, y}, {left + bar * ends, y + frame.px(6)},
                     frame.theme[Role::Accent], frame.px(3));
  ImGui::SetCursorScreenPos({end - size.x, from.y});
  if (button(frame, "cancel work", cancel, small)) bench_.cancel_work();
  end_popup();
}

}  // namespace gui
