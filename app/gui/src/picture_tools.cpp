// SPDX-License-Identifier: MIT
// The tools of a picture: the field for searching, the choice of what is shown, and the zoom that shows
// everything. Part of PicturePanel (picture_panel.hpp).
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "picture_find.hpp"
#include "picture_objects.hpp"
#include "picture_panel.hpp"
#include "widgets.hpp"

namespace gui::picture {

using lab::Text;

namespace {

constexpr float kTool = 24, kFindWidth = 210, kFilterRow = 32;

ButtonOptions small(bool on, std::string_view hint, Icon icon = Icon::None) {
  ButtonOptions options;
  options.style = ButtonStyle::Ghost, options.size = Size::Small;
  options.on = on, options.hint = hint, options.icon = icon;
  return options;
}

void remember(const Frame& frame, const char* name) {
  if (frame.places == nullptr) return;
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  (*frame.places)[name] = {(from.x + to.x) / 2, (from.y + to.y) / 2};
}

}  // namespace

// Enter goes to the next thing found, Shift Enter to the one before, Escape leaves.
void PicturePanel::take_keys(Frame& frame, const ShownRun& run) {
  if (std::exchange(find_wanted_, false)) {
    find_open_ = find_focus_ = true;
    find_.select_all();
    ImGui::SetWindowFocus();
  } else if (frame.selection.editor_focused) {
    find_focus_ = false;
  }
  if (!find_open_) return;
  frame.selection.typing = find_focus_;
  if (!find_focus_) return look_for(frame, run);  // the moment goes on under the words
  for (const KeyPress& press : frame.input.keys) {
    if (press.key == Key::Escape) {
      find_open_ = find_focus_ = false;
      wanted_ = {}, hits_.clear(), looked_for_.clear();
      return;
    }
    if (press.key == Key::Enter) {
      if (!hits_.empty())
        go_to_hit(run.model.at(run.cursor), (hit_ + (press.shift ? hits_.size() - 1 : 1)) % hits_.size());
      continue;
    }
    (void)find_.take(press);
  }
  find_.type(frame.input.text);
  look_for(frame, run);
}

void PicturePanel::look_for(Frame& frame, const ShownRun& run) {
  const std::string words = find_.text();
  if (words == looked_for_ && looked_at_ == run.cursor) return;
  const bool typed = words != looked_for_;
  looked_for_ = words, looked_at_ = run.cursor;
  const lab::State& state = run.model.at(run.cursor);
  hits_ = find_in(state, words, [&store = run.store](std::uint64_t event) -> std::string {
    if (event >= store.size()) return {};
    const trace::Event made = store.at(event);
    return made.line == 0 ? std::string() : made.file + ":" + std::to_string(made.line);
  });
  // The hit that was shown stays the shown one if this moment has it, whatever its number is now.
  const auto shown = std::find(hits_.begin(), hits_.end(), wanted_);
  if (hits_.empty())
    wanted_ = {};
  else if (typed || shown == hits_.end())
    go_to_hit(state, 0);
  else
    hit_ = static_cast<std::size_t>(shown - hits_.begin());
  frame.animate();
}

void PicturePanel::go_to_hit(const lab::State& state, std::size_t hit) {
  hit_ = hit;
  wanted_ = hits_[hit];
  unfold_for(state);
}

// What was found is behind a fold of the process, of its owner or of its module: those open.
void PicturePanel::unfold_for(const lab::State& state) {
  const lab::Object* object = state.object(wanted_);
  if (object == nullptr) return;
  const lab::ObjectId head = object->owner && object->given ? object->owner : object->id;
  unfolded_.insert(modules_fold(object->context));
  unfolded_.insert(others_fold(object->context));
  unfolded_.insert(module_fold(object->context, head));
}

void PicturePanel::draw_find(Frame& frame, ImVec2 at, float width) {
  const gui::Rect place{at.x, at.y, width, frame.px(kTool)};
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton("find", {width, place.h})) find_focus_ = true, ImGui::SetWindowFocus();
  remember(frame, "picture find");
  find_.draw(frame, place, frame.text(Text::PictureFind), Icon::Search);
  if (looked_for_.empty()) return;
  const std::string words =
      hits_.empty()
          ? std::string(frame.text(Text::PictureFindNone))
          : frame.text(Text::PictureFindOf, {std::to_string(hit_ + 1), std::to_string(hits_.size())});
  const float wide = text_size(frame, words, Face::Ui, Size::Small).x;
  draw_text_middle(frame, at.x - wide - frame.px(8), at.y, place.h, frame.theme[Role::Muted], words, Face::Ui,
                   Size::Small);
}

void PicturePanel::draw_tools(Frame& frame, const ShownRun& run) {
  const std::string_view show = frame.text(Text::PictureFilter), fit = frame.text(Text::PictureFit);
  const ButtonOptions show_options =
      small(filter_open_ || !filter_.everything(),
            filter_.everything() ? std::string_view() : frame.text(Text::PictureFilterSome));
  const ButtonOptions fit_options = small(fit_, frame.text(Text::PictureFitHint));
  const ButtonOptions find_options = small(find_open_, frame.text(Text::PictureFind), Icon::Search);
  const ImVec2 show_size = button_size(frame, show, show_options),
               fit_size = button_size(frame, fit, fit_options),
               find_size = button_size(frame, "", find_options);
  const std::string percent = std::to_string(std::lround(zoom_ * 100)) + " %";
  const ButtonOptions back_options = small(false, {});
  const ImVec2 back_size = zoom_ == 1 ? ImVec2{0, 0} : button_size(frame, percent, back_options);
  const float gap = frame.px(2);
  std::string process, process_hint;
  std::size_t next_process = 0;
  if (run.processes != nullptr) {
    const auto& all = *run.processes;
    const auto here = std::find_if(all.begin(), all.end(), [&run](const lab::ProcessSeen& one) {
      return one.number == run.model.process();
    });
    next_process = here == all.end() ? 0 : (static_cast<std::size_t>(here - all.begin()) + 1) % all.size();
    const lab::ProcessSeen& shown = here == all.end() ? all.front() : *here;
    process = frame.text(Text::PictureInProcess, {std::to_string(shown.number)});
    process_hint = frame.text(Text::PictureProcessHint,
                              {shown.command, std::to_string(shown.id), std::to_string(all.size())});
  }
  const ButtonOptions process_options = small(true, process_hint);
  const ImVec2 process_size = button_size(frame, process, process_options);
  const float of_process = process.empty() ? 0 : process_size.x + gap;
  const float all = of_process + show_size.x + fit_size.x + find_size.x + back_size.x + 3 * gap;
  const ImVec2 keep = ImGui::GetCursorScreenPos();
  ImVec2 at = panel_header_right(frame, all, show_size.y);
  at.x += frame.px(8);
  const auto next = [&](ImVec2 size) {
    ImGui::SetCursorScreenPos(at);
    at.x += size.x + gap;
  };
  if (find_open_) {
    const float width = std::min(frame.px(kFindWidth), ImGui::GetWindowWidth() * 0.34f);
    draw_find(frame, {at.x - width - frame.px(8), at.y}, width);
  }
  if (!process.empty()) {
    next(process_size);
    if (button(frame, "process", process, process_options))
      run.show_process((*run.processes)[next_process].number);
    remember(frame, "picture process");
  }
  next(find_size);
  if (button(frame, "open find", "", find_options)) {
    find_open_ = find_focus_ = !find_open_;
    if (find_open_) ImGui::SetWindowFocus();
    if (!find_open_) wanted_ = {}, hits_.clear(), looked_for_.clear();
  }
  remember(frame, "picture open find");
  next(show_size);
  if (button(frame, "filter", show, show_options)) filter_open_ = !filter_open_;
  remember(frame, "picture filter");
  next(fit_size);
  if (button(frame, "fit", fit, fit_options)) {
    fit_ = !fit_, pan_ = 0, lay_out_anew_ = to_top_ = true;
    if (!fit_) zoom_ = 1;
  }
  remember(frame, "picture fit");
  if (zoom_ != 1) {
    next(back_size);
    if (button(frame, "zoom", percent, back_options)) zoom_ = 1, pan_ = 0, fit_ = false;
  }
  ImGui::SetCursorScreenPos(keep);
}

void PicturePanel::draw_filter(Frame& frame, const ShownRun& run) {
  struct Kind {
    Text word;
    bool* shown;
  };
  const Kind kinds[] = {
      {Text::PictureFilterThreads, &filter_.threads}, {Text::PictureFilterMemory, &filter_.memory},
      {Text::PictureFilterCode, &filter_.code},       {Text::PictureFilterStreams, &filter_.streams},
      {Text::PictureFilterOther, &filter_.other},     {Text::PictureFilterDestroyed, &filter_.destroyed}};
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float left = from.x + frame.px(kMargin),
              right = left + ImGui::GetContentRegionAvail().x - 2 * frame.px(kMargin);
  ImVec2 at{left, from.y};
  const auto chip = [&](const char* id, std::string_view words, bool on) {
    const ButtonOptions options = small(on, {}, on ? Icon::Check : Icon::None);
    const ImVec2 size = button_size(frame, words, options);
    if (at.x > left && at.x + size.x > right) at = {left, at.y + frame.px(kFilterRow)};
    ImGui::SetCursorScreenPos(at);
    at.x += size.x + frame.px(4);
    const bool pressed = button(frame, id, words, options);
    remember(frame, (std::string("picture ") + id).c_str());
    return pressed;
  };
  for (std::size_t i = 0; i < std::size(kinds); ++i)
    if (chip(("kind " + std::to_string(i)).c_str(), frame.text(kinds[i].word), *kinds[i].shown))
      *kinds[i].shown = !*kinds[i].shown;
  const lab::State& state = run.model.at(run.cursor);
  for (const lab::Device& device : state.devices) {
    if (state.devices.size() < 2) break;
    const std::string number = std::to_string(device.ordinal);
    if (chip(("device " + number).c_str(), frame.text(Text::PictureFilterDevice, {number}),
             filter_.device == device.ordinal))
      filter_.device = filter_.device == device.ordinal ? lab::kNone : device.ordinal;
  }
  if (!filter_.everything() && chip("all", frame.text(Text::PictureFilterAll), false)) filter_ = {};
  ImGui::SetCursorScreenPos({from.x, at.y + frame.px(kFilterRow)});
}

}  // namespace gui::picture
