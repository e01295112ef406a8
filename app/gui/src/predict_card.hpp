// SPDX-License-Identifier: MIT
// "What will happen?": the question before a call, below the picture, and how the last answer came out.
//
// Takes room of its own, so that it covers nothing, and only where there is something to say. Whoever goes on
// without an answer is asked no more about that call. Knows the workbench's questions; not how they are made.
#pragma once
#include <string>
#include <vector>

#include "view.hpp"

namespace gui {

class PredictCard {
 public:
  // The height that draw() will need in this width, at most `most`; 0 when there is nothing to ask or to
  // tell, or no room for it.
  float measure(Frame& frame, float width, float most);
  // At the cursor. True when the student wants to be asked no more.
  bool draw(Frame& frame, float width);
  // Something is asked and was drawn in the last frame: the numbers answer it.
  bool asking() const { return shown_ && asking_; }
  std::string_view verdict() const;  // of the last answer: "", "waiting", "right", "wrong", "open"

 private:
  struct Part {
    std::string text;
    float width = 0;  // of its lines, at most
    bool strong = false;
  };
  static Face face_of(const Part& part) { return part.strong ? Face::Bold : Face::Ui; }
  void say(std::string text, float width, bool strong);
  void tell(const Frame& frame, const lab::Prediction& prediction, float width);
  static float draw_part(const Frame& frame, ImVec2 at, const Part& part, ImU32 colour);  // its height
  void draw_choices(Frame& frame, ImVec2 from, float width);
  float height_of(const Frame& frame, float inner) const;
  float choices_height(const Frame& frame, float width) const;

  enum class Verdict { None, Waiting, Right, Wrong, Open };
  std::vector<Part> told_, asked_;
  std::vector<std::string> choices_;
  Verdict verdict_ = Verdict::None;
  bool asking_ = false, shown_ = false;
};

}  // namespace gui
