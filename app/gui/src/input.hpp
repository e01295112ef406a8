// SPDX-License-Identifier: MIT
// What was pressed and typed since the last frame, in the order in which it happened.
//
// Taken from the window system's callbacks through a queue, because ImGui alone loses keys that go down and
// up within one frame. Views that take keys (the editor) read these lists while they have the focus.
#pragma once
#include <string>
#include <vector>

namespace gui {

enum class Key {
  None,
  Left,
  Right,
  Up,
  Down,
  PageUp,
  PageDown,
  Home,
  End,
  Insert,
  Delete,
  Backspace,
  Enter,
  Tab,
  Escape,
  Space,
  Plus,
  Minus,
  Slash,
  BracketLeft,
  BracketRight,
  Digit0,
  Digit1,
  Digit2,
  Digit3,
  Digit4,
  Digit5,
  Digit6,
  Digit7,
  Digit8,
  Digit9,
  A,
  B,
  C,
  D,
  E,
  F,
  G,
  H,
  I,
  J,
  K,
  L,
  M,
  N,
  O,
  P,
  Q,
  R,
  S,
  T,
  U,
  V,
  W,
  X,
  Y,
  Z,
  F1,
  F2,
  F3,
  F4,
  F5,
  F6,
  F7,
  F8,
  F9,
  F10,
  F11,
  F12
};

struct KeyPress {
  Key key = Key::None;
  bool ctrl = false, shift = false, alt = false;
  bool repeat = false;
};

struct Input {
  std::vector<KeyPress> keys;  // presses and repeats; those that the shell used as shortcuts are not in here
  std::string text;            // typed characters, UTF-8; all of them were typed after the last of the keys
};

}  // namespace gui
