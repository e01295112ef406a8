// SPDX-License-Identifier: MIT
// Notes laid out for one width: every word with its place, boxes, code blocks and the extent of each step.
//
// Made once per width and language, drawn every frame. Does not depend on the run.
#pragma once
#include <imgui.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "markdown/document.hpp"
#include "view.hpp"

namespace gui::markdown {

class Page {
 public:
  // Beside the text, and below all of it; at 100 %.
  static constexpr float kSide = 14, kBelow = 24;
  // Close: for a place of few lines.
  enum class Lines { Apart, Close };
  // Words are measured with the frame's fonts; `width` is that of the column.
  static Page lay_out(const Frame& frame, const Document& document, float width, Lines lines = Lines::Apart);

  struct Step {
    int index = 0;  // in Document::steps
    float top = 0, bottom = 0;
  };
  float height() const { return height_; }
  const std::vector<Step>& steps() const { return steps_; }
  const Step* step_at(float y) const;

  // Space for a figure; its caption is below it. The figure is drawn by code that has the run.
  struct Figure {
    std::string step;
    float x = 0, y = 0, w = 0, h = 0;
  };
  const std::vector<Figure>& figures() const { return figures_; }

  // Marks the places of the words, which are in lower case; "" marks none. Returns how many there are.
  std::size_t mark(std::string_view words);
  float top_of(std::size_t place) const;  // of its first line
  void look_at(std::optional<std::size_t> place) { looked_at_ = place; }

  struct Pressed {
    int step = -1;  // a step was clicked
  };
  // Draws the visible part at `origin`. `current` is the step to highlight, -1 for none.
  Pressed draw(Frame& frame, ImVec2 origin, int current, int hovered);

 private:
  friend class PageMaker;
  // What is between a word and the one before it: words of one paragraph are found together.
  enum class Joint { Apart, Space, None };
  struct Word {
    Joint joint = Joint::Apart;
    float x = 0, y = 0, w = 0, h = 0;
    std::string text;
    Face face = Face::Ui;
    Size size = Size::Body;
    Role role = Role::Text;
    bool oblique = false, code = false, struck = false;
    int link = -1, term = -1;
  };
  enum class ShapeKind { Claim, Bar, Code, Rule, TableLine, TableHead };
  struct Shape {
    ShapeKind kind = ShapeKind::Rule;
    float x = 0, y = 0, w = 0, h = 0;
    std::string code;  // Code: what the button copies
  };
  void draw_shape(Frame& frame, ImVec2 origin, const Shape& shape, std::size_t index);
  struct Mark {
    std::size_t place = 0, word = 0, begin = 0, end = 0;  // bytes of the word
  };
  void draw_mark(const Frame& frame, ImVec2 origin, const Mark& mark) const;
  static void draw_ground(const Frame& frame, ImVec2 origin, const Word& word);
  void draw_word(Frame& frame, ImVec2 origin, const Word& word) const;
  static void copy_link(const Frame& frame, const std::string& address);
  // Steps and links, for the keyboard; those that are out of sight, too. Returns the step that it pressed.
  int note_stops(const Frame& frame, ImVec2 origin) const;
  void draw_step(const Frame& frame, ImVec2 origin, const Step& step, bool current, bool hovered) const;

  std::vector<Word> words_;
  std::vector<Shape> shapes_;
  std::vector<Mark> marks_;  // a place may be in several words
  std::optional<std::size_t> looked_at_;
  std::vector<Step> steps_;
  std::vector<Figure> figures_;
  std::vector<std::string> links_;
  float width_ = 0, height_ = 0;
  std::size_t copied_ = static_cast<std::size_t>(-1);
  double copied_at_ = 0;
  bool over_control_ = false;
};

}  // namespace gui::markdown
