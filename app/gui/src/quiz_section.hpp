// SPDX-License-Identifier: MIT
// "Check yourself": the questions of the lesson, a part of the notes.
//
// An answer that was tried keeps its mark and says why it is right or wrong; all of them may be tried. The
// numbers on the keyboard belong to one question in sight, the first that is not solved; the shell takes
// them. Laid out anew when the width, the language or an answer changes. Knows the workbench's questions;
// view_notes.cpp has what is around them.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "markdown/page.hpp"
#include "view.hpp"

namespace gui {

class QuizSection {
 public:
  // For a column of the notes, whose steps have titles there. The fonts have to be those of the frame.
  void lay_out(const Frame& frame, const markdown::Document& notes, float width);
  float height() const { return height_; }  // 0: the lesson has no questions
  // Where a question begins below the section's top: the first one with the section's title, where most of
  // the question then still fits into what is visible.
  float top_of(std::size_t question, float visible) const;
  // Top and bottom of an answer with its explanation, below the section's top.
  std::pair<float, float> place_of(std::size_t question, std::size_t answer) const;
  // At `origin`, in a window that scrolls; takes clicks.
  void draw(Frame& frame, ImVec2 origin);

 private:
  struct Key {
    std::string lesson, tried;  // tried: a letter for each answer
    const void* questions = nullptr;
    int answered = 0, right = 0;
    lab::Language language = lab::Language::English;
    float width = 0, scale = 0;
    bool operator==(const Key&) const = default;
  };
  // Text with code in it.
  struct Words {
    markdown::Page page;
    float x = 0, y = 0;
  };
  struct Answer {
    float top = 0, bottom = 0;
    bool tried = false, right = false;
    Words text, because;  // because: once it was tried
  };
  struct Card {
    float top = 0, bottom = 0;
    bool solved = false;
    Words text;
    std::vector<Answer> answers;
    std::string step;  // words that lead there; "" while no answer was tried
    float step_top = 0, step_bottom = 0;
  };

  static Key key_of(const Frame& frame, float width);
  void add_card(const Frame& frame, const markdown::Document& notes, const lab::QuizQuestion& question,
                std::size_t number);
  void add_answer(const Frame& frame, const lab::QuizAnswer& answer, bool tried, Card& card);
  // Puts the text below y_ and returns it; y_ is below it then.
  Words put(const Frame& frame, float x, float width, const markdown::Document& text);
  void find_asked(Frame& frame, ImVec2 origin) const;
  void draw_card_of(Frame& frame, ImVec2 origin, std::size_t number);
  void draw_answer(Frame& frame, ImVec2 origin, std::size_t question, std::size_t number);
  void draw_step(Frame& frame, ImVec2 origin, std::size_t question) const;
  static void answer(Frame& frame, std::size_t question, std::size_t number);
  void note_stops(Frame& frame, ImVec2 origin) const;  // for the keyboard, also those out of sight

  Key key_;
  Words title_;
  std::string keys_, score_;
  float keys_top_ = 0, score_top_ = 0;
  std::vector<Card> cards_;
  float width_ = 0, height_ = 0, y_ = 0;
};

}  // namespace gui
