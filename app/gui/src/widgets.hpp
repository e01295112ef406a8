// SPDX-License-Identifier: MIT
// The widgets of which every panel is made, drawn with ImDrawList in the theme's style.
//
// Each works at the current ImGui cursor unless it takes a position, advances the cursor, and can be reached
// by keyboard if it can be pressed. Ids follow ImGui's rules: unique within the window. Nothing here depends
// on lessons.
#pragma once
#include <imgui.h>

#include <functional>
#include <string_view>

#include "view.hpp"

namespace gui {

// Text without layout. `clip` > 0 ends it with … at that width; where that may happen (Cut::Meant) the whole
// text is shown under the mouse. Returns the width drawn. All text of the window is drawn here, so that tests
// know where all of it is: no panel calls ImGui's own text functions.
ImVec2 text_size(const Frame& frame, std::string_view text, Face face = Face::Ui, Size size = Size::Body);
float draw_text(const Frame& frame, ImVec2 at, ImU32 colour, std::string_view text, Face face = Face::Ui,
                Size size = Size::Body, float clip = 0, Cut cut = Cut::Defect);
// Centred vertically in [top, top + height).
float draw_text_middle(const Frame& frame, float x, float top, float height, ImU32 colour,
                       std::string_view text, Face face = Face::Ui, Size size = Size::Body, float clip = 0,
                       Cut cut = Cut::Defect);
// A paragraph in lines of at most `width`, broken by the rules of both scripts. Moves no cursor; returns its
// height, which paragraph_height() returns before drawing. Only visible lines are drawn.
float draw_paragraph(const Frame& frame, ImVec2 at, float width, ImU32 colour, std::string_view text,
                     Face face = Face::Ui, Size size = Size::Body);
float paragraph_height(const Frame& frame, float width, std::string_view text, Face face = Face::Ui,
                       Size size = Size::Body);

// A filled, bordered, rounded rectangle. border 0 draws none.
void draw_card(const Frame& frame, ImVec2 from, ImVec2 to, ImU32 fill, ImU32 border, float border_width = 1);
void draw_dashed_card(const Frame& frame, ImVec2 from, ImVec2 to, ImU32 fill, ImU32 border,
                      float border_width = 1);
void draw_dashed_line(const Frame& frame, ImVec2 from, ImVec2 to, ImU32 colour, float width = 1);

enum class Icon {
  None,
  Play,
  Step,
  Back,
  Restart,
  Stop,
  Forward,
  Chevron,
  Sun,
  Moon,
  Screen,
  Dot,
  Check,
  Cross,
  Copy,
  Search,
  Warning,
  Keyboard,
  Menu,
  Pin,
  Lanes,
  Folder
};
void draw_icon(const Frame& frame, Icon icon, ImVec2 centre, float size, ImU32 colour);

enum class ButtonStyle { Plain, Primary, Ghost, Danger };
struct ButtonOptions {
  Icon icon = Icon::None;
  ButtonStyle style = ButtonStyle::Plain;
  bool enabled = true;
  bool on = false;                 // a pressed toggle
  std::string_view shortcut = {};  // shown small after the label
  std::string_view hint = {};      // tooltip
  float width = 0;                 // 0: as wide as it needs
  Size size = Size::Body;
};
ImVec2 button_size(const Frame& frame, std::string_view label, const ButtonOptions& options = {});
bool button(Frame& frame, const char* id, std::string_view label, const ButtonOptions& options = {});

// Something that can be pressed, by a click or by the keyboard (key_stops.hpp). ImGui's item is the last one
// then. `preferred` is what the keyboard begins with in a pop-up.
bool pressable(const Frame& frame, const char* id, ImVec2 size, bool preferred = false);
// The same without an item of ImGui's: `id` is of the open window. It is scrolled into sight when the
// keyboard comes to it.
KeyStops::Here key_stop(const Frame& frame, const char* id, ImVec2 from, ImVec2 to, bool preferred = false);
// A frame around what was noted last as something that can be pressed, while the keyboard stands on it.
void draw_focus(const Frame& frame, ImVec2 from, ImVec2 to);
// The same where a pop-up has a cursor of its own.
void draw_chosen(const Frame& frame, ImVec2 from, ImVec2 to);

// A small rounded label; returns its size. badge_at draws at a place and moves no cursor.
ImVec2 badge_size(const Frame& frame, std::string_view text, Size size = Size::Small);
ImVec2 badge_at(const Frame& frame, ImVec2 at, std::string_view text, ImU32 fill, ImU32 colour,
                ImU32 border = 0, Size size = Size::Small);
// The badge of a context in its colours; primary ones have a dashed border. A badge under the mouse sets
// Selection::hovered.context.
ImVec2 context_badge_at(Frame& frame, ImVec2 at, std::string_view context_name, bool alive = true);

// Two or more choices side by side, one pressed; returns the index pressed now, or -1.
int segmented(Frame& frame, const char* id, const std::string_view* labels, int count, int selected);

// Whether the mouse has rested for a while on the thing whose corner this is. Asked each frame for what is
// under the mouse: at most a button and the words on it.
bool rested(const Frame& frame, ImVec2 corner);
// While the item just drawn is hovered (after a short while): a card with wrapped text.
void tooltip(const Frame& frame, std::string_view text);
void tooltip_now(const Frame& frame, std::string_view title, std::string_view text);  // at the mouse, no test
// The same card with what `draw` puts into it; `what` is the hint that tests see.
void tooltip_card(const Frame& frame, std::string_view what, const std::function<void()>& draw);

// The strip on top of a panel, with the title on the left (none if a tab names the panel). Returns the height
// used; the cursor is then below it, at the panel's left edge. The caller may place things on its right
// (panel_header_right returns the place).
float panel_header(const Frame& frame, std::string_view title);
ImVec2 panel_header_right(const Frame& frame, float width, float height);

// A bar between two panels. Returns by how much it was dragged this frame, in pixels.
enum class Axis { Horizontal, Vertical };  // Horizontal: moves left and right
float splitter(Frame& frame, const char* id, ImVec2 from, ImVec2 to, Axis axis);

// Middle of the free space: a sentence in muted letters, for empty states.
void empty_state(const Frame& frame, std::string_view title, std::string_view text);

// The theme's scrollbar for windows that begin between the two calls.
void push_scrollbar(const Frame& frame);
void pop_scrollbar();
// The arrow keys, Home and End scroll the open window, where its place has the keyboard and no other use for
// them.
void scroll_by_keys(const Frame& frame);
// Begin/End of a scrolling child in the theme's style, without border or padding; keys scroll it, too. Always
// end it.
bool begin_scroll(const Frame& frame, const char* id, ImVec2 size);
void end_scroll();

}  // namespace gui
