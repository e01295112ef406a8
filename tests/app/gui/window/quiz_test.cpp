// SPDX-License-Identifier: MIT
// The questions at the end of a lesson in the notes: answered by mouse and keys, and no text of them cut.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "stage.hpp"

namespace gui {
namespace {

// Answers are kept. OwnHome comes first, so that it is there before the stage and goes after it.
class Quiz : private OwnHome, public testing::Test {
 protected:
  void open(const Look& look = {}) {
    stage_.open_recording(GUI_RECORDINGS "/h200_05_context_stack.dlrec");
    stage_.begin(look);
    bench().jump_to_call(0);
    stage_.draw();
    ASSERT_EQ(bench().quiz().size(), 3u);
  }
  lab::Workbench& bench() { return stage_.bench(); }
  bool says(std::string_view words) { return stage_.shell().state_line().find(words) != std::string::npos; }
  bool there(const std::string& place) { return stage_.shell().places().count(place) > 0; }
  bool in_sight(std::string_view words) {
    const TextLog& log = stage_.draw();
    return std::any_of(log.texts().begin(), log.texts().end(), [words](const DrawnText& text) {
      return text.text.find(words) != std::string::npos &&
             text.seen.holds({text.box.x + 1, text.box.y + text.box.h / 2});
    });
  }
  std::size_t right_of(std::size_t question) {
    const auto& answers = bench().quiz().at(question).answers;
    return static_cast<std::size_t>(
        std::find_if(answers.begin(), answers.end(), [](const auto& each) { return each.right; }) -
        answers.begin());
  }
  std::size_t wrong_of(std::size_t question) { return right_of(question) == 0 ? 1 : 0; }
  void press_number(std::size_t number, bool alt = false) {
    KeyPress press;
    press.key = static_cast<Key>(static_cast<std::size_t>(Key::Digit0) + number);
    press.alt = alt;
    stage_.press(press);
    stage_.draw();
  }
  Stage stage_;
};

TEST_F(Quiz, stands_in_the_notes_after_the_recap_and_before_what_to_try) {
  open();
  stage_.shell().show_question(0);
  const TextLog& log = stage_.draw();
  const auto top_of = [&log](std::string_view words) {
    for (const DrawnText& text : log.texts())
      if (text.text == words && text.window.find("notes") != std::string::npos) return text.box.y;
    return -1e6f;
  };
  const float title = top_of(lab::text(lab::Text::QuizTitle, lab::Language::English));
  EXPECT_GT(title, 0);
  EXPECT_EQ(top_of("In five lines"), -1e6f) << "above what is in sight";
  EXPECT_LT(title, top_of("Question 1 of 3"));
  stage_.point_at({800, 500});
  float try_it = -1e6f;
  for (int notch = 0; notch < 60 && try_it < 0; ++notch) {
    stage_.turn(-1);
    try_it = in_sight("Try it") ? 1.0f : -1e6f;
  }
  EXPECT_GT(try_it, 0) << "what stands below the questions comes into sight";
}

TEST_F(Quiz, a_click_on_a_wrong_answer_says_why_and_another_one_may_be_tried) {
  open();
  stage_.shell().show_question(0);
  stage_.draw();
  const std::string wrong = fmt::format("quiz 1 answer {}", wrong_of(0) + 1);
  ASSERT_TRUE(stage_.click(wrong)) << wrong;
  EXPECT_TRUE(bench().quiz_tried(0, wrong_of(0)));
  EXPECT_FALSE(bench().quiz_solved(0));
  EXPECT_TRUE(in_sight(lab::text(lab::Text::QuizWrong, lab::Language::English)));
  EXPECT_TRUE(says("\"quiz_answered\":1,\"quiz_right\":0"));
  ASSERT_TRUE(stage_.click(fmt::format("quiz 1 answer {}", right_of(0) + 1)));
  EXPECT_TRUE(bench().quiz_solved(0));
  EXPECT_TRUE(in_sight(lab::text(lab::Text::PredictRight, lab::Language::English)));
  EXPECT_TRUE(says("\"quiz_answered\":1,\"quiz_right\":0")) << "the first answer counts";
}

TEST_F(Quiz, numbers_answer_the_question_in_sight_and_0_shows_its_step) {
  open();
  press_number(1);
  EXPECT_TRUE(says("\"quiz_tried\":0")) << "no question is in sight";
  stage_.shell().show_question(0);
  stage_.draw();
  ASSERT_TRUE(says("\"quiz_asked\":1"));
  press_number(0);
  EXPECT_TRUE(says("\"quiz_tried\":0")) << "nothing was answered whose step could be shown";
  press_number(9);
  EXPECT_TRUE(says("\"quiz_tried\":0")) << "there is no ninth answer";
  press_number(wrong_of(0) + 1);
  EXPECT_TRUE(bench().quiz_tried(0, wrong_of(0)));
  EXPECT_TRUE(says("\"quiz_asked\":1")) << "it may be tried again";
  press_number(right_of(0) + 1);
  EXPECT_TRUE(bench().quiz_solved(0));
  EXPECT_FALSE(says("\"quiz_asked\":1"));
  press_number(0);
  const std::string about = bench().quiz()[0].about;
  EXPECT_EQ(bench().step_name(), about);
  EXPECT_TRUE(says("\"notes_step\":\"" + about + "\""));
  EXPECT_TRUE(there("note " + about)) << "in the notes as well";
}

TEST_F(Quiz, in_the_notes_0_comes_back_to_the_first_question_that_is_not_solved) {
  open();
  press_number(0);
  EXPECT_TRUE(says("\"quiz_asked\":0")) << "the notes have not the keyboard";
  while (!says("\"focus\":\"notes\"")) stage_.press({Key::F6}), stage_.draw();
  press_number(0);
  EXPECT_TRUE(says("\"quiz_asked\":1"));
  press_number(right_of(0) + 1);
  press_number(0);
  EXPECT_EQ(bench().step_name(), bench().quiz()[0].about);
  EXPECT_FALSE(there("quiz 2 answer 1"));
  press_number(0);
  EXPECT_TRUE(says("\"quiz_asked\":2"));
}

// Where its title takes too much of a low window, the first question comes without it.
TEST_F(Quiz, a_question_that_was_gone_to_is_the_one_that_is_asked_at_every_scale) {
  for (const int scale : {100, 150, 200}) {
    open({1366, 768, scale});
    for (std::size_t question = 0; question < 3; ++question) {
      stage_.shell().show_question(question);
      stage_.draw();
      EXPECT_TRUE(says(fmt::format("\"quiz_asked\":{}", question + 1)))
          << question + 1 << ", " << scale << " %";
    }
  }
}

TEST_F(Quiz, its_link_shows_the_step_once_an_answer_was_tried) {
  open();
  stage_.shell().show_question(2);
  stage_.draw();
  EXPECT_FALSE(there("quiz 3 step"));
  bench().answer_quiz(2, 0);
  stage_.draw();
  for (int notch = 0; notch < 20 && !there("quiz 3 step"); ++notch) {
    stage_.point_at({800, 500});
    stage_.turn(-1);
    stage_.draw();
  }
  ASSERT_TRUE(stage_.click("quiz 3 step"));
  stage_.draw();
  EXPECT_EQ(bench().step_name(), bench().quiz()[2].about);
  EXPECT_TRUE(there("note " + bench().quiz()[2].about));
}

// The question about the next call comes first, unless the notes have the keyboard.
TEST_F(Quiz, a_question_about_the_next_call_keeps_its_numbers) {
  open();
  stage_.shell().settings().predict = true;
  bench().set_predicting(true);
  stage_.shell().show_question(0);
  stage_.draw();
  stage_.press({Key::Escape});  // all panels, and the notes as they were
  for (std::size_t call = 0; call < bench().store().calls() && !says("\"asking\":true"); ++call) {
    bench().jump(bench().store().event_of_call(call));
    stage_.shell().go_to_question(0);
    stage_.draw();
  }
  ASSERT_TRUE(says("\"asking\":true"));
  ASSERT_FALSE(says("\"quiz_asked\":0")) << "both are in sight";
  while (!says("\"focus\":\"notes\"")) stage_.press({Key::F6}), stage_.draw();
  press_number(1);
  EXPECT_TRUE(says("\"quiz_tried\":1"));
  EXPECT_TRUE(says("\"asked\":0"));
  while (!says("\"focus\":\"picture\"")) stage_.press({Key::F6}), stage_.draw();
  press_number(1);
  EXPECT_TRUE(says("\"quiz_tried\":1"));
  EXPECT_TRUE(says("\"asked\":1"));
}

TEST_F(Quiz, in_the_editor_digits_are_text_and_alt_answers) {
  open();
  stage_.shell().go_to_question(0);
  stage_.draw();
  ASSERT_TRUE(stage_.click("code"));
  stage_.draw();
  ASSERT_TRUE(says("\"editor\":true"));
  ASSERT_FALSE(says("\"quiz_asked\":0"));
  press_number(1);
  EXPECT_TRUE(says("\"quiz_tried\":0"));
  press_number(1, true);
  EXPECT_TRUE(says("\"quiz_tried\":1"));
}

// Before any answer and after all of them, from the first question to below the last.
void expect_whole_questions(lab::Language language) {
  Stage stage;
  std::string found;
  std::size_t cards = 0;
  for (const Look& look :
       {Look{1366, 768, 100, ThemeName::Dark, language}, Look{1600, 1000, 150, ThemeName::Light, language},
        Look{1600, 1000, 200, ThemeName::Projector, language}}) {
    stage.begin(look);
    for (const lab::Lesson& lesson : stage.bench().catalogue().lessons) {
      stage.bench().open_lesson(lesson.slug);
      stage.draw();
      const auto complain = [&](std::size_t question) {
        for (const Complaint& each : stage.complaints())
          found += fmt::format("{}: \"{}\" at {}, lesson {}, question {}, {}\n", each.what, each.text,
                               each.where, lesson.slug, question + 1, look.words());
      };
      const std::vector<lab::QuizQuestion>& quiz = stage.bench().quiz();
      stage.shell().show_question(0);
      if (!quiz.empty()) complain(0);
      for (std::size_t question = 0; question < quiz.size(); ++question)
        for (std::size_t answer = 0; answer < quiz[question].answers.size(); ++answer)
          stage.bench().answer_quiz(question, answer);
      stage.point_at({static_cast<float>(look.width) / 2, static_cast<float>(look.height) / 2});
      for (std::size_t question = 0; question < quiz.size(); ++question, ++cards) {
        stage.shell().show_question(question);
        complain(question);
        const std::string link = fmt::format("quiz {} step", question + 1);  // what stands lowest on its card
        for (int notch = 0; notch < 40 && stage.shell().places().count(link) == 0; ++notch) {
          stage.turn(-1);
          complain(question);
        }
        EXPECT_EQ(stage.shell().places().count(link), 1u)
            << link << " of " << lesson.slug << ", " << look.words();
      }
      stage.point_at({-1e6f, -1e6f});
    }
  }
  EXPECT_GT(cards, 0u);
  EXPECT_TRUE(found.empty()) << found;
}

TEST_F(Quiz, shows_every_text_whole_in_english) {
  expect_whole_questions(lab::Language::English);
}

TEST_F(Quiz, shows_every_text_whole_in_chinese) {
  expect_whole_questions(lab::Language::Chinese);
}

}  // namespace
}  // namespace gui
