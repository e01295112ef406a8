// SPDX-License-Identifier: MIT
// The tools of a picture: the button of the search, the choice of what is shown, and the zoom that shows
// everything. Part of PicturePanel (picture_panel.hpp).
#include <imgui.h>

#include <algorithm>
#include <cmath>

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

// What was found is behind a fold of the process, of its owner or of its module: those open.
void PicturePanel::unfold_for(const lab::State& state, lab::ObjectId wanted) {
  const lab::Object* object = state.object(wanted);
  if (object == nullptr) return;
  const lab::ObjectId head = object->owner && object->given ? object->owner : object->id;
  unfolded_.insert(modules_fold(object->context));
  unfolded_.insert(others_fold(object->context));
  unfolded_.insert(module_fold(object->context, head));
}

void PicturePanel::draw_tools(Frame& frame, const ShownRun& run) {
  const std::string_view show = frame.text(Text::PictureFilter), fit = frame.text(Text::PictureFit);
  const ButtonOptions show_options =
      small(filter_open_ || !filter_.everything(),
            filter_.everything() ? std::string_view() : frame.text(Text::PictureFilterSome));
  const ButtonOptions fit_options = small(view_.fits(), frame.text(Text::PictureFitHint));
  const ButtonOptions find_options = small(search_.is_open(), frame.text(Text::PictureFind), Icon::Search);
  const ImVec2 show_size = button_size(frame, show, show_options),
               fit_size = button_size(frame, fit, fit_options),
               find_size = button_size(frame, "", find_options);
  const std::string percent = std::to_string(std::lround(view_.zoom() * 100)) + " %";
  const ButtonOptions back_options = small(false, {});
  const ImVec2 back_size = view_.zoom() == 1 ? ImVec2{0, 0} : button_size(frame, percent, back_options);
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
  const KeyOrder order(frame.selection.stops, KeyOrder::Of::LastRow);
  const ImVec2 keep = ImGui::GetCursorScreenPos();
  ImVec2 at = panel_header_right(frame, all, show_size.y);
  at.x += frame.px(8);
  const auto next = [&](ImVec2 size) {
    ImGui::SetCursorScreenPos(at);
    at.x += size.x + gap;
  };
  if (search_.is_open()) {
    const float width = std::min(frame.px(kFindWidth), ImGui::GetWindowWidth() * 0.34f);
    search_.draw(frame, {at.x - width - frame.px(8), at.y}, {width, frame.px(kTool)});
  }
  if (!process.empty()) {
    next(process_size);
    if (button(frame, "process", process, process_options))
      run.show_process((*run.processes)[next_process].number);
    remember(frame, "picture process");
  }
  next(find_size);
  if (button(frame, "open find", "", find_options)) search_.toggle();
  remember(frame, "picture open find");
  next(show_size);
  if (button(frame, "filter", show, show_options)) filter_open_ = !filter_open_;
  remember(frame, "picture filter");
  next(fit_size);
  if (button(frame, "fit", fit, fit_options)) view_.toggle_fit(), lay_out_anew_ = true;
  remember(frame, "picture fit");
  if (view_.zoom() != 1) {
    next(back_size);
    if (button(frame, "zoom", percent, back_options)) view_.full_size();
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
