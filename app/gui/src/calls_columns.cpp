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
  const ImVec2 size = ButtonMenu::size(frame);
  const ImVec2 corner{right_middle.x - size.x, right_middle.y - size.y / 2};
  if (frame.places != nullptr)
    (*frame.places)["calls columns"] = {right_middle.x - size.x / 2, right_middle.y};
  const float width = frame.px(260), tall = frame.px(36 * (kColumns + 2) + 28 + 4 * (kColumns + 3) + 20);
  const Rect menu{std::max(0.0f, right_middle.x - width), std::max(0.0f, corner.y - tall), width, tall};
  bool copy = false;
  menu_.draw(frame, "columns", corner, frame.text(Text::CallsColumnsHint), menu,
             [&] { return copy = draw_choices(frame); });
  return copy;
}

bool CallsColumns::draw_choices(Frame& frame) {
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
  return popup_choice(frame, "copy calls", frame.text(Text::CallsCopy), {}, {});
}

}  // namespace gui
