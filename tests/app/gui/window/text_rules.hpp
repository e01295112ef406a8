// SPDX-License-Identifier: MIT
// What is wrong with the texts of a frame: cut, hidden, sticking out of their card, on one another.
//
// Works on the texts in TextLog, so it needs no picture. Does not depend on panels.
#pragma once
#include <string>
#include <vector>

#include "text_log.hpp"

namespace gui {

struct Complaint {
  std::string
      what;  // "cut", "no room", "out of reach", "sticks out of its card", "covered", "on one another"
  std::string text;   // its beginning; of two texts, the first one's
  std::string where;  // places in pixels, the window, the other text
};
// `scale` 1 = 100 %: distances of less than a pixel there are not seen.
std::vector<Complaint> complaints(const TextLog& log, float scale);

}  // namespace gui
