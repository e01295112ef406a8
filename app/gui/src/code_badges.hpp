// SPDX-License-Identifier: MIT
// The results of the run next to the lines of the code: for each line the last call made there, up to the
// cursor.
//
// Updated step by step, so that following a run reads each call once; after a jump, only the calls shortly
// before the cursor are read. Draws nothing.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "editor/editor.hpp"
#include "view.hpp"

namespace gui {

class CodeBadges {
 public:
  void update(const Frame& frame);
  // Lines of this file (0-based) with their words.
  const std::map<int, editor::Badge>& of(const std::string& file);

 private:
  void take(const Frame& frame, std::size_t event);
  std::size_t cursor_ = 0;
  std::uint64_t run_ = 0;
  lab::Language language_ = lab::Language::English;
  std::map<std::string, std::map<int, editor::Badge>> words_;
};

editor::Badge badge_for(const Frame& frame, std::size_t event);

}  // namespace gui
