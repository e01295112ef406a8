// SPDX-License-Identifier: MIT
// "What will happen?": the question before a call, below the picture, and the outcome of the last answer.
//
// It has a place of its own, so that it covers nothing, and is shown only if there is something to show. If
// the student goes on without an answer, there is no further question about that call. Does not depend on how
// questions are made.
#pragma once
#include <string>
#include <vector>

#include "view.hpp"

namespace gui {

// What the driver did, and why: the rule, or the reason why the call before the cursor failed.
std::string outcome_words(const Frame& frame, const lab::Outcome& outcome);

class PredictCard {
 public:
  // The height that draw() will need in this width, at most `most`; 0 if there is nothing to show, or no room
  // for it.
  float measure(Frame& frame, float width, float most);
  // Draws at the cursor. True if the student has turned the questions off.
  bool draw(Frame& frame, float width);
  // A question was drawn in the last frame: the number keys answer it.
  bool asking() const { return shown_ && asking_; }
  // There was something to show, and the last measure() had room for all of it: the outcome and the question.
  bool shows_all() const { return shown_ && !left_out_; }
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
  bool asking_ = false, shown_ = false, left_out_ = false;
};

}  // namespace gui
