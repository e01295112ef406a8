// SPDX-License-Identifier: MIT
// Draws a scene's boxes in the theme's colours, with a tooltip for each.
//
// Private to the picture. A context is recognised by its colour; each of its states (current, primary,
// floating, destroyed) also has a form of its own: thick, dashed, loose, struck.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "picture_motion.hpp"
#include "picture_run.hpp"
#include "view.hpp"

namespace gui::picture {

class Drawing {
 public:
  // `selected`: the object whose history is shown; `found`: the one that was searched for; None for none.
  // Only what is between `visible_from` and `visible_to` on the screen is drawn.
  Drawing(Frame& frame, const lab::State& state, ImVec2 origin, lab::ObjectId selected, lab::ObjectId found,
          ImVec2 visible_from, ImVec2 visible_to)
      : frame_(frame),
        state_(state),
        origin_(origin),
        selected_(selected),
        found_(found),
        visible_from_(visible_from),
        visible_to_(visible_to) {}
  // `under`: index in `scene` of the box under the mouse, or -1.
  void draw(const std::vector<Sprite>& sprites, const Scene& scene, float progress, int under);

 private:
  void sprite(const Sprite& sprite);
  void card(const Sprite& sprite, ImVec2 from, ImVec2 to);
  void context(const Sprite& sprite, ImVec2 from, ImVec2 to);
  void allocation(const Sprite& sprite, ImVec2 from, ImVec2 to);
  void stack(const Sprite& sprite, ImVec2 from, ImVec2 to);
  void object(const Sprite& sprite, ImVec2 from, ImVec2 to);
  void rounded_path(const std::vector<Point>& route, float corner) const;
  void library_arrow(const Arrow& arrow, const std::vector<Sprite>& sprites, std::size_t first, float alpha);
  void lane(const Box& box, ImVec2 from, ImVec2 to, ImU32 fill, ImU32 line, float width);
  void work(const Sprite& sprite, ImVec2 from, ImVec2 to);
  void edge(const Arrow& arrow, const std::vector<Sprite>& sprites, std::size_t first, float alpha);
  void mapping(const Arrow& arrow, const std::vector<Sprite>& sprites, std::size_t first, float alpha);
  void share(const Sprite& sprite, ImVec2 from, ImVec2 to);
  ContextColour green(lab::ObjectId green) const;
  void wait_arrow(const Arrow& arrow, const std::vector<Sprite>& sprites, std::size_t first, float alpha);
  void host_memory(const Sprite& sprite, ImVec2 from, ImVec2 to);
  void ghost(const Sprite& sprite, ImVec2 from, ImVec2 to);
  void stretch(const Sprite& sprite, ImVec2 from, ImVec2 to);
  void copy(const Arrow& arrow, const std::vector<Sprite>& sprites, std::size_t first, float progress);
  void ribbon_span(const Sprite& sprite, ImVec2 from, ImVec2 to);
  void glow(ImVec2 from, ImVec2 to, ImU32 colour, float alpha);
  void labels(const Sprite& sprite);
  void marks(const Sprite& sprite, ImVec2 from, ImVec2 to);
  void arrow(const Arrow& arrow, const std::vector<Sprite>& sprites, std::size_t first, float alpha);
  ContextColour colour(std::uint32_t context) const;
  ImU32 ink(const Box& box, const Label& label) const;
  bool lit(const Box& box) const;
  bool stood_on(lab::ObjectId object) const;  // by the keyboard

  Frame& frame_;
  const lab::State& state_;
  ImVec2 origin_;
  lab::ObjectId selected_, found_;
  ImVec2 visible_from_, visible_to_;
  int under_ = -1;
  mutable std::vector<std::optional<ContextColour>> colours_;  // by context; for as long as this is: a frame
};

struct Hint {
  std::string title, text;
};
Hint hint_for(const Box& box, const Scene& scene, const Frame& frame, const ShownRun& run);

}  // namespace gui::picture
