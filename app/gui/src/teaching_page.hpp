// SPDX-License-Identifier: MIT
// The page for the teacher: what to show, to ask and to print in the open lesson, and the sessions of the
// plan.
//
// It reads the files of lab/teaching.hpp whenever it opens, and asks for the place that was chosen by a
// command. One cursor moves through what can be chosen.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "lab/teaching.hpp"
#include "popup.hpp"

namespace gui {

class TeachingPage : public Popup {
 public:
  explicit TeachingPage(const lab::Workbench& bench) : bench_(&bench) {}
  Shape shape() const override { return {.id = "teaching", .width = 760, .keys = Keys::Own}; }
  // Reads the files of the lesson that is open, and the plan; the cursor goes to the step of the run's
  // cursor.
  void open() override;
  bool take(const KeyPress& press) override;
  void add_text(Fonts& fonts, lab::Language language) override;
  void draw(Frame& frame, float most_height) override;

 private:
  enum class Page { Lesson, Sessions };
  // What is said about one step: an entry of the notes' shows or asks.
  struct Item {
    bool ask = false;
    std::size_t index = 0;
  };

  void show(Page page);
  void put_in_order();
  void choose_step(const std::optional<std::string>& step);
  const lab::TeachingStep& step_of(const Item& item) const;
  void draw_page(Frame& frame);
  void draw_lesson(Frame& frame);
  void draw_item(Frame& frame, const Item& item);
  void draw_ask(Frame& frame, const lab::TeachingAsk& ask);
  void draw_print(Frame& frame);
  void draw_sessions(Frame& frame);
  void draw_part(Frame& frame, const lab::SessionPart& part);
  // True when pressed, or chosen by Enter.
  bool choice(Frame& frame, std::string_view label, std::string_view second, bool on = false);
  // What belongs to the last choice ends here: all of it comes into sight with the cursor.
  void end_of_choice(const Frame& frame);

  const lab::Workbench* bench_;  // the shell's
  std::optional<lab::Lesson> lesson_;
  lab::TeachingNotes notes_;
  std::vector<lab::TeachingSession> sessions_;
  std::optional<lab::Problem> lesson_problem_, sessions_problem_;  // why one of them could not be read
  std::vector<Item> items_;                                        // in the order of the lesson's steps
  std::optional<lab::Language> text_added_;
  std::optional<std::size_t> session_of_lesson_;  // from 1
  std::size_t session_ = 0;                       // the one that is shown, from 0
  Page page_ = Page::Lesson;
  std::size_t choice_ = 0, drawn_ = 0;  // the cursor; how many choices were drawn
  float choice_top_ = 0;                // where the last choice drawn begins
  bool enter_ = false;
  int seeking_ = 0;                 // frames in which the cursor is still brought into sight
  float height_ = 0, page_by_ = 0;  // of all of the page at the last frame; by how many screens to scroll
};

}  // namespace gui
