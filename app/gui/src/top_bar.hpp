// SPDX-License-Identifier: MIT
// The bar on top: lesson, transport, driver, language, scale, appearance.
#pragma once
#include "commands.hpp"
#include "layout.hpp"
#include "view.hpp"

namespace gui {

// `open` is the pop-up that is shown, `percent` the scale that the user chose. What is pressed is posted.
void draw_top_bar(Frame& frame, const Rect& bar, PopupName open, int percent);

}  // namespace gui
