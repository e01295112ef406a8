// SPDX-License-Identifier: MIT
// What the course offers a teacher is read strictly: a slip is named with file, line and what was expected.
#include "lab/teaching.hpp"

#include <gmock/gmock.h>

#include "bench_fixture.hpp"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kNotes = R"(print = []
[[show]]
step = "start"
text.en = "One card."
text.zh = "一张卡片。"
[[ask]]
step = "start"
question.en = "How many?"
question.zh = "几张？"
expected.en = "One."
expected.zh = "一张。"
[[ask.wrong]]
heard.en = "Two."
heard.zh = "两张。"
reply.en = "Count them."
reply.zh = "数一数。"
)";

constexpr const char* kSessions = R"([[session]]
title.en = "Beginning"
title.zh = "开始"
lessons = ["01"]
goal.en = "Students can begin."
goal.zh = "学生能开始。"
[[session.part]]
minutes = 90
lesson = "first"
step = "start"
what.en = "Run it."
what.zh = "运行。"
)";

class teaching : public lab_model_test::BenchTest {
 protected:
  std::filesystem::path lessons() { return folder_ / "lessons"; }
  lab::Result<lab::TeachingNotes> notes(const std::string& text) {
    put(lessons() / "01_first/teaching.toml", text);
    return lab::read_teaching(*bench().catalogue().find("first"));
  }
  lab::Result<std::vector<lab::TeachingSession>> sessions(const std::string& text) {
    put(lessons() / "sessions.toml", text);
    return lab::read_sessions(bench().catalogue());
  }
  template <class Read>
  static void expect_mistake(const Read& read, const std::string& place, const std::string& words) {
    ASSERT_FALSE(read);
    for (const auto language : {lab::Language::English, lab::Language::Chinese}) {
      EXPECT_THAT(read.error().in(language), HasSubstr(place));
      EXPECT_THAT(read.error().in(language), HasSubstr(words));
    }
  }
  static std::string with(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  }
};

TEST_F(teaching, a_lesson_and_a_course_may_be_without) {
  const auto read = lab::read_teaching(*bench().catalogue().find("first"));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->shows.empty() && read->asks.empty() && read->print.empty());
  const auto plan = lab::read_sessions(bench().catalogue());
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->empty());
}

TEST_F(teaching, all_of_it_is_read) {
  const auto read = notes(kNotes);
  ASSERT_TRUE(read) << read.error().in(lab::Language::English);
  ASSERT_EQ(read->shows.size(), 1u);
  EXPECT_EQ(read->shows[0].text[1], "一张卡片。");
  ASSERT_EQ(read->asks.size(), 1u);
  EXPECT_EQ(read->asks[0].expected[0], "One.");
  ASSERT_EQ(read->asks[0].wrong.size(), 1u);
  EXPECT_EQ(read->asks[0].wrong[0].reply[0], "Count them.");
  const auto plan = sessions(kSessions);
  ASSERT_TRUE(plan) << plan.error().in(lab::Language::English);
  ASSERT_EQ(plan->size(), 1u);
  EXPECT_THAT(plan->front().lessons, ElementsAre(1));
  ASSERT_EQ(plan->front().parts.size(), 1u);
  EXPECT_EQ(plan->front().parts[0].minutes, 90);
  EXPECT_EQ(plan->front().parts[0].lesson, 1);
  EXPECT_EQ(plan->front().parts[0].step.name, "start");
  EXPECT_EQ(lab::minutes_of(plan->front()), 90);
  EXPECT_EQ(lab::session_of(*plan, 1), 1u);
  EXPECT_EQ(lab::session_of(*plan, 2), std::nullopt);
}

TEST_F(teaching, a_step_is_called_by_its_heading_in_the_notes_and_by_its_name_where_there_is_none) {
  bench();
  put(lessons() / "01_first/notes.md", "Opening.\n\n<!-- step: start -->\n\n## The first call\n\nWords.\n");
  put(lessons() / "01_first/notes.zh.md", "<!-- step: start -->\n一段话。\n\n## 别处的标题\n");
  const auto read = notes(kNotes);
  ASSERT_TRUE(read) << read.error().in(lab::Language::English);
  EXPECT_THAT(read->shows[0].step.heading, ElementsAre("The first call", "start"));
  EXPECT_THAT(read->asks[0].step.heading, ElementsAre("The first call", "start"));
  const auto plan = sessions(kSessions);
  ASSERT_TRUE(plan) << plan.error().in(lab::Language::English);
  const lab::SessionPart& part = plan->front().parts[0];
  EXPECT_EQ(lab::place_words(part, lab::Language::English), "01, to the end of “The first call”");
  EXPECT_EQ(lab::place_words(part, lab::Language::Chinese), "01，运行到“start”结束");
}

TEST_F(teaching, a_step_that_the_lesson_has_not_is_named_with_those_that_it_has) {
  expect_mistake(notes(with(kNotes, "step = \"start\"", "step = \"stop\"")), "01_first/teaching.toml:3",
                 "start");
  expect_mistake(sessions(with(kSessions, "step = \"start\"", "step = \"stop\"")), "sessions.toml:10",
                 "start");
}

TEST_F(teaching, a_lesson_that_is_not_there_is_named) {
  expect_mistake(sessions(with(kSessions, "[\"01\"]", "[\"77\"]")), "sessions.toml:4", "77");
  expect_mistake(sessions(with(kSessions, "lesson = \"first\"", "lesson = \"last\"")), "sessions.toml:9",
                 "last");
  expect_mistake(sessions(with(kSessions, "lesson = \"first\"\n", "")), "sessions.toml:7", "lesson");
}

TEST_F(teaching, a_figure_is_there_in_both_languages) {
  put(lessons() / "01_first/figures/push.svg", "<svg/>");
  const std::string text = with(kNotes, "[]", "[\"figures/push.svg\"]");
  expect_mistake(notes(text), "01_first/teaching.toml:1", "figures/push.zh.svg");
  put(lessons() / "01_first/figures/push.zh.svg", "<svg/>");
  EXPECT_TRUE(notes(text));
}

TEST_F(teaching, a_missing_language_and_a_missing_time_are_named) {
  expect_mistake(notes(with(kNotes, "reply.zh = \"数一数。\"\n", "")), "teaching.toml", "zh");
  expect_mistake(sessions(with(kSessions, "minutes = 90\n", "")), "sessions.toml:7", "minutes = 1 … 255");
  expect_mistake(sessions(with(kSessions, "90", "\"long\"")), "sessions.toml:8", "minutes");
  expect_mistake(notes("[[show"), "teaching.toml:1", "");
}

}  // namespace
