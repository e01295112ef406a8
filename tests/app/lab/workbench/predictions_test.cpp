// SPDX-License-Identifier: MIT
// Questions before the calls of a run: of a held one, of its past, and of recordings; answered, skipped,
// counted.
#include <algorithm>

#include "bench_fixture.hpp"

namespace {

class predictions : public lab_model_test::BenchTest {
 protected:
  // Held before cuCtxCreate, the first call of which something is to be learnt.
  void hold_at_create() {
    bench().open_lesson("first");
    bench().set_predicting(true);
    bench().run(true);
    ASSERT_TRUE(wait_for([&] { return bench().phase() == lab::RunPhase::Held; })) << problems();
    step_to(1);
    ASSERT_NE(bench().question(), nullptr);
  }
  void step_to(std::size_t calls) {
    bench().step();
    ASSERT_TRUE(wait_for([&] {
      return bench().call_at_cursor() == calls && bench().phase() == lab::RunPhase::Held;
    })) << problems();
  }
  std::size_t choice(const std::string& value) {
    const auto& choices = bench().question()->choices;
    const auto found =
        std::find_if(choices.begin(), choices.end(), [&](const auto& each) { return each.value == value; });
    EXPECT_NE(found, choices.end()) << value;
    return static_cast<std::size_t>(found - choices.begin());
  }
  bool known() {
    return wait_for([&] { return bench().prediction() != nullptr && bench().prediction()->known; });
  }
};

TEST_F(predictions, an_answer_lets_the_held_call_run_and_is_judged_by_what_it_did) {
  hold_at_create();
  bench().answer(choice("[A]"));
  ASSERT_TRUE(known());
  EXPECT_TRUE(bench().prediction()->right());
  EXPECT_EQ(bench().prediction()->call, "cuCtxCreate");
  EXPECT_EQ(bench().call_at_cursor(), 2u);
  EXPECT_EQ(bench().score(), (lab::Score{1, 1, 1, 1}));
  ASSERT_TRUE(wait_for([&] { return bench().question() != nullptr; })) << "cuCtxPopCurrent is asked about";
  bench().answer(choice("[A]"));
  ASSERT_TRUE(known());
  EXPECT_FALSE(bench().prediction()->right());
  EXPECT_EQ(bench().score(), (lab::Score{2, 1, 0, 1}));
  bench_.reset();  // waits for what is being written
  EXPECT_EQ(bench().progress().lessons.at("first").predicted, 2);
  EXPECT_EQ(bench().progress().lessons.at("first").predicted_right, 1);
  bench().open_lesson("first");
  EXPECT_EQ(bench().score(), (lab::Score{2, 1, 0, 0})) << "what was answered on earlier days counts";
}

TEST_F(predictions, who_steps_on_without_an_answer_loses_nothing) {
  hold_at_create();
  step_to(2);
  EXPECT_EQ(bench().prediction(), nullptr);
  EXPECT_EQ(bench().score(), lab::Score{});
}

TEST_F(predictions, the_past_is_asked_too_but_each_call_once) {
  hold_at_create();
  step_to(2);
  bench().back();
  ASSERT_NE(bench().question(), nullptr);
  bench().answer(choice("[]"));
  EXPECT_EQ(bench().call_at_cursor(), 2u) << "the answer goes on to it";
  ASSERT_NE(bench().prediction(), nullptr);
  EXPECT_FALSE(bench().prediction()->right());
  bench().back();
  EXPECT_EQ(bench().question(), nullptr) << "its outcome is known";
  EXPECT_EQ(bench().prediction(), nullptr);
  EXPECT_EQ(bench().score().asked, 1u);
  bench().step();
  EXPECT_NE(bench().prediction(), nullptr) << "and is told again where it happened";
}

TEST_F(predictions, switched_off_nothing_is_asked) {
  hold_at_create();
  bench().set_predicting(false);
  EXPECT_EQ(bench().question(), nullptr);
  bench().answer(0);
  EXPECT_EQ(bench().call_at_cursor(), 1u);
  bench().set_predicting(true);
  EXPECT_NE(bench().question(), nullptr);
}

TEST_F(predictions, an_answer_beyond_the_choices_changes_nothing) {
  hold_at_create();
  bench().answer(99);
  EXPECT_NE(bench().question(), nullptr);
  EXPECT_EQ(bench().prediction(), nullptr);
}

TEST_F(predictions, another_run_asks_anew) {
  hold_at_create();
  bench().answer(choice("[A]"));
  ASSERT_TRUE(known());
  bench().run(true);
  ASSERT_TRUE(wait_for([&] {
    return bench().phase() == lab::RunPhase::Held && bench().store().calls() == 0;
  })) << problems();
  EXPECT_EQ(bench().prediction(), nullptr);
  step_to(1);
  EXPECT_NE(bench().question(), nullptr);
}

TEST_F(predictions, a_recording_is_asked_about_and_does_not_count_for_the_course) {
  bench().set_predicting(true);
  bench().open_recording(RECORDINGS "/context_stack.trace");
  ASSERT_TRUE(wait_for([&] { return !bench().loading(); })) << problems();
  while (bench().poll()) {
  }
  std::size_t asked = 0, right = 0;
  for (std::size_t call = 0; call < bench().store().calls(); ++call) {
    bench().jump(bench().store().event_of_call(call));
    const lab::Question* question = bench().question();
    if (question == nullptr) continue;
    bench().answer(question->choices.size() - 1);
    ASSERT_NE(bench().prediction(), nullptr) << call;
    if (!bench().prediction()->outcome) continue;
    ++asked;
    right += bench().prediction()->right();
    EXPECT_EQ(bench().call_at_cursor(), call + 1);
  }
  EXPECT_GT(asked, 5u);
  EXPECT_EQ(right, 0u) << "this lesson does nothing that the choices do not name";
  EXPECT_EQ(bench().score().asked, asked);
  EXPECT_TRUE(bench().progress().lessons.empty() ||
              bench().progress().lessons.begin()->second.predicted == 0);
}

// The question about each comes when its first inner call begins, and it is judged by the state when it has
// returned.
TEST_F(predictions, calls_of_the_runtime_are_asked_about_as_a_whole_and_what_they_call_is_not) {
  bench().set_predicting(true);
  bench().open_recording(REAL_RECORDINGS "/h200_18_interop.dlrec");
  ASSERT_TRUE(wait_for([&] { return !bench().loading(); })) << problems();
  while (bench().poll()) {
  }
  std::map<std::string, std::vector<std::string>> right;  // by call
  for (std::size_t call = 0; call < bench().store().calls(); ++call) {
    bench().jump(bench().store().event_of_call(call));
    const lab::Question* question = bench().question();
    if (question == nullptr) continue;
    const std::vector<lab::Question::Choice> choices = question->choices;
    bench().answer(0);
    const lab::Prediction* prediction = bench().prediction();
    ASSERT_NE(prediction, nullptr) << call;
    const std::size_t asked = bench().call_at_cursor();
    ASSERT_GT(asked, call);
    EXPECT_EQ(bench().store().at(bench().store().event_of_call(asked - 1)).depth, 0u) << call;
    if (prediction->outcome) right[prediction->call].push_back(choices[prediction->outcome->choice].value);
  }
  EXPECT_EQ(right["cudaMalloc"], (std::vector<std::string>{"[P0]", "A"}));
  EXPECT_EQ(right["cudaSetDevice"], std::vector<std::string>{"[P0, P0]"});
  EXPECT_EQ(right["cuCtxCreate"], std::vector<std::string>{"[P0, A]"});
}

}  // namespace
