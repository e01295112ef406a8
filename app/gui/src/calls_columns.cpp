// SPDX-License-Identifier: MIT
// See calls_columns.hpp.
#include "calls_columns.hpp"

#include <algorithm>
#include <string>

#include "popup.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

constexpr std::string_view kMenu = "calls columns";  // of key_stops.hpp

struct ColumnName {
  const char* key;  // in the settings
  Text name;
};
constexpr ColumnName kColumnNames[CallsColumns::kColumns] = {{"calls thread", Text::CallsThread},
                                                             {"calls result", Text::CallsResult},
                                                             {"calls stack", Text::CallsStack},
                                                             {"calls time", Text::CallsTime},
                                                             {"calls line", Text::CallsLine}};

}  // namespace

bool CallsColumns::shown(Column column) const {
  const auto found = settings_.layout.find(kColumnNames[column].key);
  return found == settings_.layout.end() || found->second > 0;
}

void CallsColumns::sort_by(lab::CallColumn column) {
  // The longest and the failed ones are looked for first.
  const bool begins_descending = column == lab::CallColumn::Time || column == lab::CallColumn::Result ||
                                 column == lab::CallColumn::Number;
  if (by_ != column || (column == lab::CallColumn::Number && !descending_))
    by_ = column, descending_ = begins_descending;
  else if (descending_ == begins_descending && column != lab::CallColumn::Number)
    descending_ = !descending_;
  else
    sort_as_before();
}

bool CallsColumns::draw_menu(Frame& frame, ImVec2 right_middle) {
  ButtonOptions options;
  options.style = ButtonStyle::Ghost, options.size = Size::Small, options.icon = Icon::Menu;
  options.on = open_, options.hint = frame.text(Text::CallsColumnsHint);
  const ImVec2 size = button_size(frame, "", options);
  ImGui::SetCursorScreenPos({right_middle.x - size.x, right_middle.y - size.y / 2});
  if (frame.places != nullptr)
    (*frame.places)["calls columns"] = {right_middle.x - size.x / 2, right_middle.y};
  const bool pressed = button(frame, "columns", "", options);
  bool copy = false;
  if (open_) copy = draw_open_menu(frame, {right_middle.x, right_middle.y - size.y / 2});
  if (!pressed) return copy;
  open_ = !open_;
  frame.selection.stops.begin_in(kMenu,
                                 frame.selection.hush.on ? KeyStops::From::First : KeyStops::From::Whole);
  frame.animate();
  return copy;
}

bool CallsColumns::draw_open_menu(Frame& frame, ImVec2 at) {
  const float width = frame.px(260), tall = frame.px(36 * (kColumns + 2) + 28 + 4 * (kColumns + 3) + 20);
  const ImVec2 from{std::max(0.0f, at.x - width), std::max(0.0f, at.y - tall)};
  KeyStops& stops = frame.selection.stops;
  if (stops.menu_left(kMenu)) open_ = false;
  if (open_) stops.keep_menu(kMenu);
  const KeyPlace keys(stops, kMenu, KeyStops::Arrows::Walk);
  begin_popup(frame, "calls columns", from, width, tall);
  popup_heading(frame, frame.text(Text::CallsColumns));
  for (std::size_t i = 0; i < kColumns; ++i) {
    const bool on = shown(static_cast<Column>(i));
    const std::string id = "column " + std::to_string(i);
    if (popup_choice(frame, id.c_str(), frame.text(kColumnNames[i].name), {}, {.on = on}))
      settings_.layout[kColumnNames[i].key] = on ? 0 : 1;
  }
  const bool usual = by_ == lab::CallColumn::Number && !descending_;
  if (popup_choice(frame, "calls unsorted", frame.text(Text::CallsAsMade), {}, {.on = usual}))
    sort_as_before();
  const bool copy = popup_choice(frame, "copy calls", frame.text(Text::CallsCopy), {}, {});
  const bool inside = ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows |
                                             ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  end_popup();
  if (copy || (ImGui::IsMouseClicked(0) && !inside)) open_ = false;
  return copy;
}

}  // namespace gui
