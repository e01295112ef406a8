// SPDX-License-Identifier: MIT
// What a pop-up is: a plain window above the panels, which the shell opens and closes.
//
// A pop-up draws into the window that Popups opens for it, keeps its own small state, and changes nothing but
// the settings that it is about: everything else it asks for with a command. It must not depend on other
// pop-ups. The functions below draw what pop-ups and messages share: the window's frame (every begin_popup()
// is followed by an end_popup()), its heading, and lists to choose from.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"
#include "pages.hpp"
#include "view.hpp"

namespace gui {

// Keys::Own: it has a cursor of its own; otherwise the keys walk what can be pressed in it.
enum class Keys { OfStops, Own };

class Popup {
 public:
  enum class Side { Lesson, Middle, Right };  // below the lesson's title, in the middle, at the right edge
  struct Shape {
    const char* id;
    float width;  // at 100 %
    Side side = Side::Middle;
    Keys keys = Keys::OfStops;
  };
  virtual ~Popup() = default;
  virtual Shape shape() const = 0;
  // It is shown from the next frame on.
  virtual void open() {}
  // A key, before the frame; false: it is not for this pop-up.
  virtual bool take(const KeyPress& press) { return (void)press, false; }
  // What was typed, before the frame; false likewise.
  virtual bool type(std::string_view text) { return (void)text, false; }
  // Gives the fonts the text that did not come with a lesson.
  virtual void add_text(Fonts& fonts, lab::Language language) { (void)fonts, (void)language; }
  // `most_height` is the most that its window can have.
  virtual void draw(Frame& frame, float most_height) = 0;
};

// What a pop-up works with between frames, too; all of it is the shell's.
struct PopupContext {
  lab::Workbench& bench;
  lab::Settings& settings;
  std::vector<Command>& commands;
  const Pages& pages;
};
// Made by the files of the same names.
std::unique_ptr<Popup> make_lesson_list(const PopupContext& of);
std::unique_ptr<Popup> make_driver_popup(const PopupContext& of);
std::unique_ptr<Popup> make_look_popup(const PopupContext& of);
std::unique_ptr<Popup> make_keys_popup();
std::unique_ptr<Popup> make_search_popup(const PopupContext& of);
std::unique_ptr<Popup> make_find_popup(const PopupContext& of);
std::unique_ptr<Popup> make_share_popup(const PopupContext& of);

std::unique_ptr<Popup> make_files_popup(const PopupContext& of);
std::unique_ptr<Popup> make_trace_popup(const PopupContext& of);

bool begin_popup(Frame& frame, const char* id, ImVec2 at, float width, float most_height);
void end_popup();
// Moves the cursor of a list as the key says; false: the key is not for a list.
bool walk(Key key, std::size_t& choice, std::size_t count);
void popup_heading(Frame& frame, std::string_view text);
// A muted paragraph, or one in another colour.
void popup_sentence(Frame& frame, std::string_view text, Role role = Role::Muted);
struct PopupChoice {
  bool on = false, enabled = true, lit = false;  // on: the present one; lit: the one that Enter chooses
  bool done = false, open = false;               // a check mark; a bar on the left edge
  std::string_view note = {};                    // to the right of the text
  Role note_role = Role::Good;
  Cut cut = Cut::Meant;  // of the text, where there is no room for it
};
// A choice in a list: text, and where it is not empty a muted second line. True when pressed.
bool popup_choice(Frame& frame, const char* id, std::string_view label, std::string_view second,
                  const PopupChoice& how);

// Scrolls a list when the keys have moved its cursor, and leaves it to the mouse otherwise.
class ChoiceInSight {
 public:
  // The choice is looked for again, although it did not change.
  void forget() { choice_ = kNone; }
  // The item is the last one drawn. What is between `above`, a place in the list, and the item comes into
  // sight with it.
  void keep(std::size_t choice, float above = 1e9f);

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t choice_ = kNone;
};

}  // namespace gui
