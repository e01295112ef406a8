// SPDX-License-Identifier: MIT
// Looking for words in a laid-out page: they are found across lines and across changes of style, in one
// paragraph, and marked where they stand.
#include <algorithm>
#include <cmath>

#include "find_line.hpp"
#include "markdown/page.hpp"
#include "widgets.hpp"

namespace gui::markdown {
namespace {

struct Stretch {
  std::size_t word = 0, begin = 0;  // where its text begins in that of the paragraph
};

}  // namespace

std::size_t Page::mark(std::string_view words) {
  marks_.clear(), looked_at_.reset();
  std::size_t places = 0;
  for (std::size_t first = 0; !words.empty() && first < words_.size();) {
    std::string text;
    std::vector<Stretch> stretches;
    std::size_t next = first;
    do {
      const Word& word = words_[next];
      if (word.joint == Joint::Space && next > first) text += ' ';
      stretches.push_back({next, text.size()});
      text += word.text;
      ++next;
    } while (next < words_.size() && words_[next].joint != Joint::Apart);
    for (const std::size_t from : places_of(words, text)) {
      const std::size_t to = from + words.size();
      for (const Stretch& stretch : stretches) {
        const std::size_t end = stretch.begin + words_[stretch.word].text.size();
        if (stretch.begin >= to || end <= from) continue;
        marks_.push_back({places, stretch.word, std::max(from, stretch.begin) - stretch.begin,
                          std::min(to, end) - stretch.begin});
      }
      ++places;
    }
    first = next;
  }
  return places;
}

float Page::top_of(std::size_t place) const {
  const auto at = std::lower_bound(marks_.begin(), marks_.end(), place,
                                   [](const Mark& mark, std::size_t wanted) { return mark.place < wanted; });
  return at == marks_.end() ? height_ : words_[at->word].y;
}

void Page::draw_mark(const Frame& frame, ImVec2 origin, const Mark& mark) const {
  const Word& word = words_[mark.word];
  const std::string_view text = word.text;
  const float before = text_size(frame, text.substr(0, mark.begin), word.face, word.size).x,
              wide = text_size(frame, text.substr(mark.begin, mark.end - mark.begin), word.face, word.size).x;
  const Rect place{std::round(origin.x + word.x) + before, origin.y + word.y, wide, word.h};
  if (!ImGui::IsRectVisible(place.from(), place.to())) return;
  draw_found_mark(frame, place, looked_at_ == mark.place);
}

}  // namespace gui::markdown
