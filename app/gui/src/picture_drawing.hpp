// Draws a scene's boxes in the theme's colours, and says what each of them is.
//
// Private to the picture. A context's identity is its colour; every state of it (current, primary, floating,
// destroyed) also has a form of its own: thick, dashed, loose, struck.
#pragma once
#include <string>
#include <vector>

#include "picture_motion.hpp"
#include "view.hpp"

namespace gui::picture {

class Drawing {
 public:
  // `selected`: the object whose life is shown; None for none.
  Drawing(Frame& frame, const lab::State& state, ImVec2 origin, lab::ObjectId selected = {})
      : frame_(frame), state_(state), origin_(origin), selected_(selected) {}
  // `under`: index in `scene` of the box under the mouse, or -1.
  void draw(const std::vector<Sprite>& sprites, const Scene& scene, float progress, int under);

 private:
  void sprite(const Sprite& sprite);
  void card(const Sprite& sprite, ImVec2 from, ImVec2 to);
  void context(const Sprite& sprite, ImVec2 from, ImVec2 to);
  void allocation(const Sprite& sprite, ImVec2 from, ImVec2 to);
  void stack(const Sprite& sprite, ImVec2 from, ImVec2 to);
  void object(const Sprite& sprite, ImVec2 from, ImVec2 to);
  void library_arrow(const Arrow& arrow, const std::vector<Sprite>& sprites, std::size_t first, float alpha);
  void ribbon_span(const Sprite& sprite, ImVec2 from, ImVec2 to);
  void glow(ImVec2 from, ImVec2 to, ImU32 colour, float alpha);
  void labels(const Sprite& sprite);
  void arrow(const Arrow& arrow, const std::vector<Sprite>& sprites, std::size_t first, float alpha);
  ContextColour colour(std::uint32_t context) const;
  ImU32 ink(const Box& box, const Label& label) const;
  bool lit(const Box& box) const;

  Frame& frame_;
  const lab::State& state_;
  ImVec2 origin_;
  lab::ObjectId selected_;
  int under_ = -1;
};

struct Hint {
  std::string title, text;
};
// What a click on it selects: None for what has no life of its own.
lab::ObjectId object_of(const Box& box);
Hint hint_for(const Box& box, const Frame& frame);

}  // namespace gui::picture
