// "What will happen?": the question before a call, below the picture, and how the last answer came out.
//
// Takes room of its own, so that it covers nothing, and only where there is something to say. Whoever goes on
// without an answer is asked no more about that call. Knows the workbench's questions; not how they are made.
#pragma once
#include <string>
#include <vector>

#include "markdown/wrap.hpp"
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
  struct Paragraph {
    std::string text;
    std::vector<markdown::Line> lines;
    bool strong = false;
  };
  void say(const Frame& frame, std::string text, float width, bool strong);
  void tell(const Frame& frame, const lab::Prediction& prediction, float width);
  float draw_paragraph(Frame& frame, ImVec2 at, const Paragraph& paragraph, ImU32 colour) const;
  void draw_choices(Frame& frame, ImVec2 from, float width);
  float height_of(const Frame& frame, float inner) const;
  float choices_height(const Frame& frame, float width) const;

  enum class Verdict { None, Waiting, Right, Wrong, Open };
  std::vector<Paragraph> told_, asked_;
  std::vector<std::string> choices_;
  Verdict verdict_ = Verdict::None;
  bool asking_ = false, shown_ = false;
};

}  // namespace gui
