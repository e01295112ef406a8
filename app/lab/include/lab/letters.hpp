// SPDX-License-Identifier: MIT
// Small letters for comparisons that take no notice of capitals: of Latin letters alone, in any language.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>

namespace lab {

constexpr char small_letter(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

inline std::string lower_case(std::string_view text) {
  std::string made(text);
  std::transform(made.begin(), made.end(), made.begin(), small_letter);
  return made;
}

inline bool begins_with(std::string_view text, std::string_view beginning) {
  return text.size() >= beginning.size() &&
         std::ranges::equal(text.substr(0, beginning.size()), beginning, {}, small_letter, small_letter);
}

}  // namespace lab
