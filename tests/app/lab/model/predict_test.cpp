// SPDX-License-Identifier: MIT
// Questions about the next call: asked where something is to be learnt, with the driver's answer among the
// choices, and not asked elsewhere.
#include "lab/predict.hpp"

#include "world.hpp"

using namespace lab_model_test;
using lab::QuestionKind;

namespace {

// The question before the last call of a run, and what the driver then did.
struct Asked {
  lab::State before, after;
  trace::Event finished;
  std::optional<lab::Question> question;
  std::string right;      // value of the right choice; "?" when it cannot be seen
  std::string fact, why;  // of the outcome, in English

  explicit Asked(World& world) {
    for (support::Call& call : world.calls()) {
      before = after;
      lab::apply(after, call.event());
    }
    trace::Event call = world.calls().back().event();
    finished = call;
    for (trace::Argument& argument : call.arguments) argument.out.reset();  // it has not run yet
    call.returned = false;
    question = lab::question_before(before, call);
    if (!question) return;
    const auto outcome = lab::outcome_of(*question, before, after, finished);
    right = outcome ? question->choices[outcome->choice].value : "?";
    if (outcome) fact = outcome->fact.in(lab::Language::English);
    if (outcome && outcome->why) why = outcome->why->in(lab::Language::English);
  }
  std::string values() const {
    std::string out;
    for (const lab::Question::Choice& choice : question->choices) out += choice.value + " ";
    return out;
  }
};

World one_context() {
  World world;
  world.init();
  world.create(kA);
  return world;
}

}  // namespace

TEST(predict, setting_a_context_is_asked_as_a_stack_with_the_belief_that_it_pushes) {
  World world = one_context();
  world.create(kB);
  world.set(kA).current(kA);
  const Asked asked(world);
  ASSERT_TRUE(asked.question);
  EXPECT_EQ(asked.question->kind, QuestionKind::Stack);
  EXPECT_EQ(asked.values(), "[A, A] [A, B, A] [A, B]  ");
  EXPECT_EQ(asked.right, "[A, A]");
}

TEST(predict, a_context_about_to_be_made_has_its_name_in_the_choices) {
  World world = one_context();
  world.create(kB);
  const Asked asked(world);
  ASSERT_TRUE(asked.question);
  EXPECT_EQ(asked.right, "[A, B]");
}

TEST(predict, retaining_a_primary_is_asked_with_the_belief_that_it_pushes) {
  World world;
  world.init();
  world.call("cuDeviceGetCount").out("count", 1);
  world.retain(kP);
  const Asked asked(world);
  ASSERT_TRUE(asked.question);
  EXPECT_EQ(asked.values(), "[P0] []  ");
  EXPECT_EQ(asked.right, "[]");
}

TEST(predict, destroying_a_context_that_owns_something_asks_what_becomes_of_it) {
  World world = one_context();
  world.allocate(kMemory, 64);
  world.destroy(kA);
  const Asked asked(world);
  ASSERT_TRUE(asked.question);
  EXPECT_EQ(asked.question->kind, QuestionKind::Survival);
  EXPECT_EQ(asked.right, "gone");
}

TEST(predict, popping_a_context_that_owns_something_frees_nothing) {
  World world = one_context();
  world.allocate(kMemory, 64);
  world.pop(kA);
  const Asked asked(world);
  ASSERT_TRUE(asked.question);
  EXPECT_EQ(asked.question->kind, QuestionKind::Survival);
  EXPECT_EQ(asked.right, "stays");
}

TEST(predict, a_call_without_a_context_is_asked_for_its_answer) {
  World world;
  world.init();
  world.allocate(kMemory, 64).result(201);
  const Asked asked(world);
  ASSERT_TRUE(asked.question);
  EXPECT_EQ(asked.question->kind, QuestionKind::Result);
  EXPECT_EQ(asked.right, "CUDA_ERROR_INVALID_CONTEXT");
}

TEST(predict, a_function_of_another_context_is_asked_for_its_answer) {
  World world = one_context();
  world.load_module(0x10);
  world.get_function(0x20, 0x10, "f");
  world.create(kB);
  world.launch(0x20).result(400);
  const Asked asked(world);
  ASSERT_TRUE(asked.question);
  EXPECT_EQ(asked.right, "CUDA_ERROR_INVALID_HANDLE");
}

TEST(predict, with_two_contexts_the_owner_of_memory_is_asked) {
  World world = one_context();
  world.create(kB);
  world.allocate(kMemory, 64);
  const Asked asked(world);
  ASSERT_TRUE(asked.question);
  EXPECT_EQ(asked.question->kind, QuestionKind::Owner);
  EXPECT_EQ(asked.values(), "A B process  ");
  EXPECT_EQ(asked.right, "B");
}

TEST(predict, a_library_belongs_to_nobody_even_with_one_context) {
  World world = one_context();
  world.load_library(0x10);
  const Asked asked(world);
  ASSERT_TRUE(asked.question);
  EXPECT_EQ(asked.right, "process");
}

TEST(predict, an_outcome_that_nobody_thought_of_is_something_else) {
  World world;
  world.init();
  world.allocate(kMemory, 64).result(2);
  const Asked asked(world);
  ASSERT_TRUE(asked.question);
  EXPECT_EQ(asked.right, "");
  EXPECT_EQ(asked.question->choices.back().value, "");
}

TEST(predict, ordinary_calls_are_not_asked_about) {
  World world = one_context();
  world.allocate(kMemory, 64);
  EXPECT_FALSE(Asked(world).question) << "one context: it can only be its";
  world.call("cuCtxSynchronize");
  EXPECT_FALSE(Asked(world).question);
  world.free(kMemory);
  EXPECT_FALSE(Asked(world).question);
  world.call("cuDeviceGetCount").out("count", 1);
  EXPECT_FALSE(Asked(world).question);
  world.push(kA).process(1);
  EXPECT_FALSE(Asked(world).question) << "a child process is listed, not followed";
}

TEST(predict, a_call_that_never_returned_or_failed_leaves_a_question_open) {
  World world = one_context();
  world.push(kA).never_returned();
  EXPECT_EQ(Asked(world).right, "?");
  World failed = one_context();
  failed.push(kA).result(999);
  EXPECT_EQ(Asked(failed).right, "?");
}

TEST(predict, every_sentence_has_its_values_in_both_languages) {
  World world = one_context();
  world.allocate(kMemory, 64);
  world.pop(kA);
  const Asked asked(world);
  ASSERT_TRUE(asked.question);
  for (const lab::Language language : {lab::Language::English, lab::Language::Chinese}) {
    EXPECT_EQ(asked.question->words.in(language).find('{'), std::string::npos);
    for (const lab::Question::Choice& choice : asked.question->choices)
      EXPECT_EQ(choice.words.in(language).find('{'), std::string::npos);
    const auto outcome = lab::outcome_of(*asked.question, asked.before, asked.after, asked.finished);
    ASSERT_TRUE(outcome && outcome->why);
    EXPECT_EQ((outcome->fact.in(language) + outcome->why->in(language)).find('{'), std::string::npos);
  }
}

TEST(predict, an_outcome_is_told_with_the_rule_that_it_bears_out) {
  World world = one_context();
  world.create(kB);
  const Asked created(world);
  EXPECT_EQ(created.fact, "The stack of main is now [A, B].");
  EXPECT_EQ(created.why, "Creating a context also pushes it.");
  world.set(kA).current(kA);
  EXPECT_EQ(Asked(world).why, "Setting replaces the top; it does not push.");
  world.allocate(kMemory, 64);
  EXPECT_EQ(Asked(world).why,
            "A was current on the calling thread, and cuMemAlloc makes things for the current context.");
  world.destroy(kA);
  const Asked destroyed(world);
  EXPECT_EQ(destroyed.fact, "All that A owned no longer exists.");
  EXPECT_EQ(destroyed.why, "What a context owns ends with it.");
}

TEST(predict, a_rule_that_the_outcome_contradicts_is_not_given) {
  World world;
  world.init();
  world.call("cuDeviceGetCount").out("count", 1);
  world.retain(kP).current(kP);  // a driver that makes a retained context current: none does
  const Asked asked(world);
  ASSERT_TRUE(asked.question);
  EXPECT_EQ(asked.why.find("makes nothing current") != std::string::npos, asked.right == "[]") << asked.fact;
  World failed;
  failed.init();
  failed.allocate(kMemory, 64).result(201);
  EXPECT_EQ(Asked(failed).why, "") << "lab::explain() knows why calls fail";
  EXPECT_EQ(Asked(failed).fact, "cuMemAlloc returned CUDA_ERROR_INVALID_CONTEXT.");
}

TEST(predict, a_score_counts_what_was_right_and_how_many_in_a_row) {
  lab::Score score;
  for (const bool right : {true, true, false, true}) score.add(right);
  EXPECT_EQ(score, (lab::Score{4, 3, 1, 2}));
}

TEST(predict, setting_the_runtimes_device_is_asked_with_the_belief_that_it_pushes) {
  World world = one_context();
  world.call("cuDeviceGetCount").out("count", 1);
  world.retain(kP);
  world.set(kA).current(kA);
  world.call("cudaSetDevice").in("device", 0).current(kP);
  const Asked asked(world);
  ASSERT_TRUE(asked.question);
  EXPECT_EQ(asked.question->kind, QuestionKind::Stack);
  EXPECT_EQ(asked.values(), "[A, P0] [A] [P0]  ");
  EXPECT_EQ(asked.right, "[P0]");
  EXPECT_NE(asked.why.find("replaces the top"), std::string::npos) << asked.why;
}

TEST(predict, what_the_runtime_makes_where_a_context_is_current_is_asked_and_elsewhere_who_becomes_current) {
  World world;
  world.init();
  world.call("cuDeviceGetCount").out("count", 1);
  world.retain(kP);
  world.call("cudaMalloc").in("size", 64).out("devPtr", kMemory).current(kP);
  const Asked first(world);
  ASSERT_TRUE(first.question);
  EXPECT_EQ(first.values(), "[P0] []  ");
  World second = one_context();
  second.call("cuDeviceGetCount").out("count", 1);
  second.retain(kP);
  second.call("cudaMalloc").in("size", 64).out("devPtr", kMemory);
  const Asked owner(second);
  ASSERT_TRUE(owner.question);
  EXPECT_EQ(owner.question->kind, QuestionKind::Owner);
  EXPECT_EQ(owner.values(), "A P0 process  ");
}

TEST(predict, what_a_library_does_inside_its_call_is_not_asked_about) {
  World world = one_context();
  world.create(kB);
  world.set(kA).current(kA);
  trace::Event call = world.calls().back().event();
  const Asked asked(world);
  ASSERT_TRUE(asked.question);
  call.depth = 1;
  EXPECT_FALSE(lab::question_before(asked.before, call));
}
