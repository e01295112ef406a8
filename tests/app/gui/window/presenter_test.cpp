// SPDX-License-Identifier: MIT
// The presenter's view: two keys walk the whole lesson with its questions, forth and back, and no text of it
// is cut on the screens of a hall.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "presenter_walk.hpp"
#include "stage.hpp"

namespace gui {
namespace {

using Stop = PresenterWalk::Stop;

class Presenter : private OwnHome, public testing::Test {
 protected:
  Presenter() { stage_.open_recording(GUI_RECORDINGS "/h200_05_context_stack.dlrec"); }
  lab::Workbench& bench() { return stage_.bench(); }
  // What is shown: the stop, the calls before the cursor and the question of the lesson.
  using Place = std::tuple<Stop, std::size_t, std::size_t>;
  static Place place_of(const PresenterWalk& walk, lab::Workbench& bench) {
    return {walk.stop(), bench.call_at_cursor(), walk.quiz()};
  }
  // Every stop from the beginning to where one more key shows the same.
  std::vector<Place> walk_to_end(PresenterWalk& walk) {
    bench().jump(0);
    walk.begin();
    std::vector<Place> places = {place_of(walk, bench())};
    for (int i = 0; i < 1000; ++i) {
      walk.forward(bench());
      if (place_of(walk, bench()) == places.back()) break;
      places.push_back(place_of(walk, bench()));
    }
    return places;
  }
  Stage stage_;
};

TEST_F(Presenter, walks_every_call_and_every_question_of_the_lesson) {
  PresenterWalk walk;
  const std::vector<Place> places = walk_to_end(walk);
  std::size_t calls = 0, questions = 0, answers = 0, quiz = 0, quiz_answers = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Stop stop = std::get<0>(places[i]);
    calls += stop == Stop::Call && std::get<1>(places[i]) > 0 ? 1 : 0;
    questions += stop == Stop::Question ? 1 : 0;
    answers += stop == Stop::Answer ? 1 : 0;
    quiz += stop == Stop::QuizQuestion ? 1 : 0;
    quiz_answers += stop == Stop::QuizAnswer ? 1 : 0;
    if (stop != Stop::Question) continue;
    ASSERT_LT(i + 2, places.size());
    EXPECT_EQ(std::get<0>(places[i + 1]), Stop::Answer);
    EXPECT_EQ(std::get<1>(places[i + 1]), std::get<1>(places[i]) + 1);
    EXPECT_EQ(std::get<0>(places[i + 2]), Stop::Call);
  }
  EXPECT_EQ(calls, bench().store().calls());
  EXPECT_GT(questions, 3u);
  EXPECT_EQ(questions, answers);
  EXPECT_EQ(quiz, bench().quiz().size());
  EXPECT_EQ(quiz_answers, quiz);
}

TEST_F(Presenter, goes_back_the_way_that_it_came) {
  PresenterWalk walk;
  std::vector<Place> places = walk_to_end(walk);
  while (places.size() > 1) {
    places.pop_back();
    walk.back(bench());
    const auto [stop, calls, quiz] = places.back();
    ASSERT_EQ(walk.stop(), stop) << places.size();
    ASSERT_EQ(bench().call_at_cursor(), calls) << places.size();
  }
}

TEST_F(Presenter, shows_the_call_where_something_else_moved_the_cursor) {
  PresenterWalk walk;
  walk_to_end(walk);
  ASSERT_EQ(walk.stop(), Stop::QuizAnswer);
  bench().jump_to_call(4);
  walk.follow(bench());
  EXPECT_EQ(walk.stop(), Stop::Call);
}

TEST_F(Presenter, a_number_answers_for_the_class_and_counts_for_nobody) {
  PresenterWalk walk;
  bench().jump(0);
  walk.begin();
  for (int i = 0; i < 200 && walk.stop() != Stop::Question; ++i) walk.forward(bench());
  ASSERT_EQ(walk.stop(), Stop::Question);
  EXPECT_FALSE(walk.choose(99, bench()));
  EXPECT_TRUE(walk.take({.key = Key::Digit2}, bench()));
  EXPECT_EQ(walk.stop(), Stop::Answer);
  EXPECT_EQ(walk.chosen(), 1u);
  ASSERT_NE(walk.outcome(), nullptr);
  EXPECT_EQ(bench().score().asked, 0u);
}

TEST_F(Presenter, no_text_of_any_stop_is_cut_in_a_hall) {
  for (const auto& [width, height] : {std::pair{1920, 1080}, {1280, 720}})
    for (const lab::Language language : {lab::Language::English, lab::Language::Chinese}) {
      stage_.begin({.width = width, .height = height, .language = language});
      bench().jump(0);
      stage_.draw();
      stage_.press({Key::F12});
      stage_.draw();
      ASSERT_TRUE(stage_.shell().presenting());
      EXPECT_GT(stage_.shell().scale(), 1.6f);
      for (int i = 0; i < 60; ++i) {
        stage_.press({Key::PageDown});
        for (const Complaint& complaint : stage_.complaints())
          ADD_FAILURE() << width << "x" << height << ' ' << lab::language_word(language) << ", key " << i
                        << ": " << complaint.what << ": " << complaint.text << " at " << complaint.where;
      }
      stage_.press({Key::F12});
      stage_.draw();
      EXPECT_FALSE(stage_.shell().presenting());
      EXPECT_EQ(stage_.shell().scale(), 1);
    }
}

}  // namespace
}  // namespace gui
