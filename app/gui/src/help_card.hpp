// SPDX-License-Identifier: MIT
// What the word of the driver API under the mouse means: a card with its declaration, its parameters, the
// errors that it may return, and the lesson that teaches it. Ctrl+click opens that lesson.
//
// Whoever draws the word finds it under the mouse; the texts are the lab's (lab/api_help.hpp).
#pragma once
#include <imgui.h>

#include <string_view>

#include "view.hpp"

namespace gui {

// For a word under the mouse, with its upper left corner. Nothing is shown for other words, and while the
// mouse does not rest. True where the word has a card, shown or not.
bool help_card(const Frame& frame, std::string_view word, ImVec2 corner);

// The word in a text of one line at this distance from its left end, and where the word begins; empty beside
// all words.
struct WordUnder {
  std::string_view word;
  float left = 0;
};
WordUnder word_under(const Frame& frame, std::string_view text, float x, Size size = Size::Body,
                     Face face = Face::Mono);
// A text of one line that is under the mouse, drawn at this place: the card of the word in it.
bool help_card_in(const Frame& frame, std::string_view text, ImVec2 at, Size size = Size::Body,
                  Face face = Face::Mono);

}  // namespace gui
