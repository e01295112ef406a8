// SPDX-License-Identifier: MIT
// Which lesson teaches a word of the driver API, the runtime or NVRTC.
//
// create() reads the programs of all lessons once, which takes some milliseconds for this course.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "lab/catalogue.hpp"

namespace lab {

class LessonsByWord {
 public:
  static LessonsByWord create(const Catalogue& catalogue);
  // The slug of the first lesson that lists the word as taught; where none does, of the first whose program
  // uses it; "" where none does that either.
  std::string_view find(std::string_view word) const;

 private:
  std::map<std::string, std::string, std::less<>> lessons_;
};

}  // namespace lab
