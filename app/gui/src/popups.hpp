// The frame of whatever opens above the panels: a plain window of a given width. Always end it.
#pragma once
#include "view.hpp"

namespace gui {

bool begin_popup(Frame& frame, const char* id, ImVec2 at, float width, float most_height);
void end_popup();

}  // namespace gui
