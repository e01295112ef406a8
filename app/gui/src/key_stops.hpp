// SPDX-License-Identifier: MIT
// The keyboard's way through what can be pressed: which place of the window has the keyboard, what can be
// pressed there, and which of it the keyboard stands on.
//
// A place is a panel, the bar, a pop-up or a menu. What is drawn in it and can be pressed is a stop, in the
// order of the drawing unless a KeyOrder says otherwise. Tab and Shift+Tab go from one to the next, Enter and
// Space press it, Escape goes back to the place as a whole; in the bar, in pop-ups and in menus the arrow
// keys walk too. Only the place that has the keyboard is noted, so there is never more than one ring.
//
// Pure: neither ImGui nor the window. ImGui's own keyboard navigation is off, because each of its versions
// has another order and Tab reaches buttons only in the newer ones.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "input.hpp"

namespace gui {

class KeyStops {
 public:
  using Id = std::uint32_t;  // 0: none
  enum class Arrows { OfPlace, Walk };

  // Before a frame.

  void follow(std::string_view place);  // the one that has the keyboard, "" if none has
  // `typing`: a field of the place has the plain keys. False: the key is not for the stops.
  bool take(const KeyPress& press, bool typing);
  // The next time that this place has the keyboard, it stands on nothing, or on its first stop.
  enum class From { Whole, First };
  void begin_in(std::string_view place, From from);
  void forget();  // the mouse is used

  // While a frame is drawn.

  void begin_frame();  // follow() comes after it
  struct Here {
    bool on = false, arrived = false, pressed = false;  // arrived: by the last key
  };
  // Something that can be pressed; `preferred` is the first to stand on in a place that opens.
  Here stop(Id id, float x, float y, bool preferred = false);
  bool is_on(Id id) const { return id != 0 && id == current_id(); }
  bool has_left(Id id) const { return id != 0 && left_ == id; }  // by the last key
  bool here() const { return drawing_here_; }                    // the place that is drawn has the keyboard
  bool on_nothing() const { return current_id() == 0; }
  bool on_last() const { return last_on_; }   // it stands on the stop that was noted last
  void stand_on(Id id);                       // in the place that is drawn: its field was clicked or opened
  void leave();                               // what it stood on is closed
  void start_at(Id id) { start_ = id; }       // Tab goes on from there where it stands on nothing
  void keep_tab() { tab_kept_next_ = true; }  // a field has a use of its own for Tab
  // Set by whoever scrolls the window under a stop, or by keys: nothing else may scroll it meanwhile.
  void note_scroll() { scrolled_ = true; }
  bool scrolled() const { return scrolled_; }
  // The place that is drawn has the keyboard and no stop has the arrow keys.
  bool arrows_are_free() const { return drawing_here_ && (arrows_ == Arrows::OfPlace || stops_.empty()); }
  // It has the keyboard, and stands on none of its stops.
  bool whole(std::string_view place) const { return active_ == place && current_id() == 0; }

  // A menu of a place takes the keyboard while it says so in each frame; Escape asks it to close.
  void keep_menu(std::string_view name) { menu_next_ = name; }
  std::string_view menu() const { return menu_; }
  bool menu_left(std::string_view name) const { return menu_left_ == name; }
  void close_menu() { menu_left_ = menu_; }

  // True when something is drawn differently now.
  bool end_frame();

 private:
  friend class KeyPlace;
  friend class KeyOrder;
  struct Stop {
    Id id = 0;
    float x = 0, y = 0;
    bool preferred = false;
  };
  Id current_id() const;
  void step(bool back);

  std::string active_;                 // the place that has the keyboard
  std::map<std::string, Id> current_;  // by place: where it stands
  std::vector<Stop> at_end_;           // of those of this frame: what comes after all others
  std::vector<Stop> stops_, drawn_;    // of the active place: in the last frame, in this one so far
  Arrows arrows_ = Arrows::OfPlace;    // the active place's
  std::string menu_, menu_next_, menu_left_;
  std::string first_wanted_;  // the place that is to stand on its first stop
  Id pressed_ = 0, left_ = 0, start_ = 0;
  bool arrived_ = false, last_on_ = false, drawing_here_ = false, scrolled_ = false;
  bool tab_kept_ = false, tab_kept_next_ = false;
};

// What is drawn while it exists belongs to this place.
class KeyPlace {
 public:
  KeyPlace(KeyStops& stops, std::string_view name, KeyStops::Arrows arrows = KeyStops::Arrows::OfPlace);
  ~KeyPlace() { stops_.drawing_here_ = before_; }
  KeyPlace(const KeyPlace&) = delete;
  KeyPlace& operator=(const KeyPlace&) = delete;

 private:
  KeyStops& stops_;
  bool before_;
};

// What is noted while it exists is put in order: in a row from left to right, on a page from top to bottom;
// the last row comes after all else of its place, although it is drawn before.
class KeyOrder {
 public:
  enum class Of { Row, Page, LastRow };
  KeyOrder(KeyStops& stops, Of of) : stops_(stops), of_(of), begin_(stops.drawn_.size()) {}
  ~KeyOrder();
  KeyOrder(const KeyOrder&) = delete;
  KeyOrder& operator=(const KeyOrder&) = delete;

 private:
  KeyStops& stops_;
  Of of_;
  std::size_t begin_;
};

}  // namespace gui
