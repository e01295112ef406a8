// SPDX-License-Identifier: MIT
// Every colour and length of the window in one table: roles, three themes, and the colours of contexts.
//
// Drawing code names roles, never colours, so that a theme is one column of theme.cpp. A context's colour
// depends only on its name ("A", "B", "P0"), so it is the same in every panel, run and language. Does not
// depend on lessons, models or drawing.
#pragma once
#include <imgui.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "lab/settings.hpp"

namespace gui {

using ThemeName = lab::ThemeChoice;

enum class Role : std::size_t {
  Window,      // behind the panels
  Panel,       // a panel
  Raised,      // cards, fields and buttons on a panel
  Hover,       // a raised thing under the mouse
  Sunken,      // inside of an empty stack, a gutter, a track
  Line,        // borders and separators
  LineStrong,  // borders that carry meaning
  Text,
  Muted,       // labels, second-rank text; readable on Window, Panel and Raised
  Accent,      // the one thing to press, the cursor of time
  AccentText,  // on Accent
  AccentSoft,  // background of the current row, line or step
  Good,        // success
  Bad,         // errors, and nothing else
  BadSoft,
  Caution,  // "what people believe", edited
  CautionSoft,
  Shadow,
  CodeText,
  CodeKeyword,
  CodeType,
  CodeFunction,  // calls of the driver API
  CodeString,
  CodeNumber,
  CodeComment,
  CodePreprocessor,
  Selection,  // selected text
  Count
};

// How one context looks. `line` is its identity (borders, bars, dots); `text` is the same hue, readable as
// text on Panel, Raised and `fill`; `fill` is an opaque tint for bars and badges; `on_line` is readable on
// `line`.
struct ContextColour {
  ImU32 line = 0, text = 0, fill = 0, on_line = 0;
};

class Theme {
 public:
  static const Theme& get(ThemeName name);

  ImU32 operator[](Role role) const { return roles_[static_cast<std::size_t>(role)]; }
  ImVec4 vec(Role role) const { return ImGui::ColorConvertU32ToFloat4((*this)[role]); }
  ContextColour context(std::string_view context_name) const;  // unknown names are Muted
  ThemeName name() const { return name_; }
  bool dark() const { return name_ == ThemeName::Dark; }
  float line_width() const { return line_width_; }      // at 100 %: hairlines
  float strong_width() const { return strong_width_; }  // at 100 %: the current card

 private:
  friend struct ThemeTable;
  ThemeName name_ = ThemeName::Dark;
  std::array<ImU32, static_cast<std::size_t>(Role::Count)> roles_{};
  float line_width_ = 1, strong_width_ = 2.5f;
};

// The grid, in pixels at 100 %; multiply by Frame::scale (Frame::px does).
inline constexpr float kGrid = 4;
inline constexpr float kGap = 8;      // between things that belong together
inline constexpr float kGutter = 12;  // between panels
inline constexpr float kMargin = 18;  // inside a panel
inline constexpr float kHeader = 44;  // of a panel
inline constexpr float kRounding = 8;

ImU32 mix(ImU32 from, ImU32 to, float amount);  // 0: from, 1: to
ImU32 with_alpha(ImU32 colour, float alpha);    // 0…1, multiplies
double contrast(ImU32 a, ImU32 b);              // WCAG 2: 1…21, of opaque colours

}  // namespace gui
