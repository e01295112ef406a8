// SPDX-License-Identifier: MIT
// Exercises: reading [[exercise]] strictly, and judging runs made by hand. For each complaint there is a run
// that earns it and one that does not.
#include "lab/exercise.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "lab/files.hpp"
#include "support/events.hpp"

namespace {

constexpr std::uint64_t kA = 0x5000a0, kP = 0x5000f0, kMemory = 0x7f0000000000;
using Names = std::vector<std::string>;

lab::Verdict judged(support::Run& run, const lab::Expectations& expect, lab::RunEnd end = {}) {
  trace::Store store;
  run.into(store);
  lab::Model model(store);
  model.follow();
  return lab::judge(expect, model, store, end);
}

std::string failures(const lab::Verdict& verdict) {
  std::string out;
  for (const lab::Finding& finding : verdict.findings)
    if (!finding.held) out += finding.sentence.in(lab::Language::English) + "\n";
  return out;
}

TEST(Judge, the_expected_exit_status_holds_and_another_does_not) {
  support::Run run;
  run.init();
  EXPECT_TRUE(judged(run, {.exit_status = 0}).passed());
  EXPECT_EQ(failures(judged(run, {.exit_status = 0}, {trace::EndKind::Exit, 1, ""})),
            "The program ended with status 1 instead of 0.\n");
  EXPECT_FALSE(judged(run, {.exit_status = 0}, {trace::EndKind::Signal, 0, ""}).passed());
}

TEST(Judge, objects_left_behind_are_named_with_their_context) {
  support::Run run;
  run.create(kA);
  run.load_module(0x10).place("main.cpp", 7);
  run.get_function(0x20, 0x10, "f");  // goes with its module, nobody has to destroy it
  run.create_stream(0x30).place("main.cpp", 9);
  run.load_library(0x40).place("main.cpp", 11);
  run.unload_module(0x10);
  EXPECT_EQ(failures(judged(run, {.no_leaks = true})),
            "Context A was never destroyed (made by cuCtxCreate).\n"
            "L1 was never destroyed (made by main.cpp:11).\n"
            "S1 in context A was never destroyed (made by main.cpp:9).\n");
}

TEST(Judge, what_goes_with_its_context_or_is_the_drivers_own_is_no_leak) {
  support::Run run;
  run.create(kA);
  run.load_module(0x10);
  run.create_stream(0x30);
  run.call("cuDeviceGetDefaultMemPool").out_handle("pool_out", "CUmemoryPool", 0x50).in("dev", 0);
  run.destroy(kA);
  EXPECT_TRUE(judged(run, {.no_leaks = true}).passed());
}

TEST(Judge, what_must_not_be_called_is_named_with_its_place) {
  support::Run run;
  run.init();
  EXPECT_TRUE(judged(run, {.never = {"cuCtxDestroy"}}).passed());
  run.destroy(kA).result(201).place("main.cpp", 5);
  EXPECT_EQ(failures(judged(run, {.never = {"cuCtxDestroy"}})),
            "cuCtxDestroy was called (main.cpp:5); the task does not allow this call.\n");
}

TEST(Judge, a_call_must_have_succeeded_often_enough) {
  support::Run run;
  run.allocate(kMemory, 64);
  run.call("cuMemAlloc").result(2);
  EXPECT_TRUE(judged(run, {.at_least = {{"cuMemAlloc", 1}}}).passed());
  EXPECT_EQ(failures(judged(run, {.at_least = {{"cuMemAlloc", 2}}})),
            "cuMemAlloc succeeded 1 time(s) instead of at least 2.\n");
  run.allocate(kMemory + 64, 64);
  EXPECT_TRUE(judged(run, {.at_least = {{"cuMemAlloc", 2}}}).passed());
}

TEST(Judge, a_call_must_not_be_made_too_often_and_the_first_too_many_is_shown) {
  support::Run run;
  run.create(kA);
  run.load_module(0x10);
  EXPECT_TRUE(judged(run, {.at_most = {{"cuModuleLoadData", 1}, {"cuMemAlloc", 1}}}).passed());
  run.call("cuModuleLoadData").result(200);
  run.load_module(0x11);
  const lab::Verdict verdict = judged(run, {.at_most = {{"cuModuleLoadData", 1}}});
  EXPECT_EQ(failures(verdict), "cuModuleLoadData was called 3 time(s) instead of at most 1.\n");
  EXPECT_EQ(verdict.findings.at(0).event, 2u);
}

TEST(Judge, the_order_is_that_of_the_first_successes) {
  const lab::Expectations expect{.order = {{"cuEventRecord", "cuStreamWaitEvent"}}};
  support::Run run;
  run.init();
  EXPECT_EQ(failures(judged(run, expect)),
            "cuEventRecord never succeeded; the task needs cuEventRecord and then cuStreamWaitEvent.\n");
  run.call("cuEventRecord").result(400);
  run.call("cuStreamWaitEvent").place("main.cpp", 7);
  run.call("cuEventRecord");
  EXPECT_EQ(failures(judged(run, expect)),
            "cuStreamWaitEvent was called before cuEventRecord (main.cpp:7); the task needs cuEventRecord "
            "first.\n");
  support::Run right;
  right.call("cuEventRecord");
  EXPECT_FALSE(judged(right, expect).passed());
  right.call("cuStreamWaitEvent");
  right.call("cuEventRecord");
  EXPECT_TRUE(judged(right, expect).passed());
}

TEST(Judge, a_wanted_answer_must_have_been_given_once) {
  support::Run run;
  run.free(kMemory).result(1);
  EXPECT_TRUE(judged(run, {.results = {"cuMemFree = CUDA_ERROR_INVALID_VALUE"}}).passed());
  EXPECT_EQ(failures(judged(run, {.results = {"cuMemFree = CUDA_ERROR_INVALID_CONTEXT"}})),
            "cuMemFree never returned CUDA_ERROR_INVALID_CONTEXT; the last time it was "
            "CUDA_ERROR_INVALID_VALUE.\n");
  EXPECT_EQ(failures(judged(run, {.results = {"cuInit = CUDA_SUCCESS"}})), "cuInit was never called.\n");
}

TEST(Judge, a_wanted_object_may_be_gone_at_the_end) {
  support::Run run;
  run.create(kA);
  run.load_module(0x10);
  run.get_function(0x20, 0x10, "vecAdd");
  run.unload_module(0x10);
  EXPECT_TRUE(judged(run, {.objects = {"A", "M1.vecAdd"}}).passed());
  EXPECT_EQ(failures(judged(run, {.objects = {"M1.vecSub"}})), "M1.vecSub was never made.\n");
}

TEST(Judge, a_call_must_have_succeeded_once) {
  support::Run run;
  run.call("cuMemAlloc").result(201);
  EXPECT_EQ(failures(judged(run, {.calls = {"cuMemAlloc"}})),
            "cuMemAlloc was called, but never succeeded.\n");
  EXPECT_EQ(failures(judged(run, {.calls = {"cuMemFree"}})), "cuMemFree was never called.\n");
  run.allocate(kMemory, 64);
  EXPECT_TRUE(judged(run, {.calls = {"cuMemAlloc"}}).passed());
}

TEST(Judge, every_device_must_have_been_asked) {
  support::Run run;
  run.call("cuDeviceGetName").in("dev", 0, trace::ValueKind::Device);
  EXPECT_FALSE(judged(run, {.every_device = {"cuDeviceGetName"}}).passed()) << "the count is unknown";
  run.call("cuDeviceGetCount").out("count", 2);
  EXPECT_EQ(failures(judged(run, {.every_device = {"cuDeviceGetName"}})),
            "cuDeviceGetName succeeded for 1 of 2 device(s).\n");
  run.call("cuDeviceGetName").in("dev", 0, trace::ValueKind::Device);
  EXPECT_FALSE(judged(run, {.every_device = {"cuDeviceGetName"}}).passed()) << "the same device twice";
  run.call("cuDeviceGetName").in("dev", 1, trace::ValueKind::Device);
  EXPECT_TRUE(judged(run, {.every_device = {"cuDeviceGetName"}}).passed());
}

TEST(Judge, an_error_is_named_with_its_place_unless_it_is_allowed) {
  support::Run run;
  run.init();
  run.call("cuMemAlloc").result(2).place("main.cpp", 12);
  EXPECT_EQ(failures(judged(run, {.no_errors = true})),
            "Call 2, cuMemAlloc, returned CUDA_ERROR_OUT_OF_MEMORY (main.cpp:12).\n");
  EXPECT_TRUE(judged(run, {.allowed_errors = Names{"CUDA_ERROR_OUT_OF_MEMORY"}}).passed());
  EXPECT_FALSE(judged(run, {.allowed_errors = Names{"CUDA_ERROR_INVALID_VALUE"}}).passed());
  EXPECT_TRUE(judged(run, {}).passed()) << "nothing is asked for";
}

TEST(Judge, a_call_that_never_returned_is_an_error) {
  support::Run run;
  run.call("cuCtxSynchronize").never_returned();
  EXPECT_FALSE(judged(run, {.no_errors = true}).passed());
}

TEST(Judge, what_was_left_behind_is_named) {
  support::Run run;
  run.create(kA).place("main.cpp", 8);
  run.allocate(kMemory, 64).place("main.cpp", 9);
  run.retain(kP);
  const std::string said = failures(judged(run, {.no_leaks = true}));
  EXPECT_NE(said.find("Allocation #1 of 64 bytes was never freed (made by main.cpp:9)"), std::string::npos)
      << said;
  EXPECT_NE(said.find("Context A was never destroyed (made by main.cpp:8)"), std::string::npos) << said;
  EXPECT_NE(said.find("The primary context P0 is still retained"), std::string::npos) << said;
  run.release();
  run.free(kMemory);
  run.destroy(kA).current(0);
  run.other(trace::EventKind::ProcessEnd);
  EXPECT_TRUE(judged(run, {.no_leaks = true}).passed());
}

TEST(Judge, what_ended_only_with_its_context_is_named) {
  support::Run run;
  run.create(kA);
  run.allocate(kMemory, 64).place("main.cpp", 9);
  run.allocate(kMemory + 64, 32).place("main.cpp", 10);
  run.load_module(0x10);
  run.get_function(0x20, 0x10, "f");
  run.create_stream(0x30).place("main.cpp", 12);
  run.free(kMemory);
  run.unload_module(0x10);
  run.destroy(kA).current(0);
  run.retain(kP);
  run.set(kP).current(kP);
  run.allocate(kMemory, 16).place("main.cpp", 20);
  run.set(0).current(0);
  run.release();
  const lab::Verdict verdict = judged(run, {.no_leaks = true, .each_ended = true});
  EXPECT_EQ(
      failures(verdict),
      "Allocation #2 of 32 bytes was not freed; it ended only with its context A (made by main.cpp:10).\n"
      "S1 was not ended by a call of its own; it ended only with its context A (made by main.cpp:12).\n"
      "Allocation #3 of 16 bytes was not freed; it ended only with its context P0 (made by "
      "main.cpp:20).\n");
  EXPECT_EQ(verdict.findings.back().event, 11u);
  EXPECT_TRUE(judged(run, {.no_leaks = true}).passed()) << "not asked for";
}

TEST(Judge, what_was_freed_before_its_context_ended_is_held) {
  support::Run run;
  run.create(kA);
  run.allocate(kMemory, 64);
  run.free(kMemory);
  run.destroy(kA).current(0);
  const lab::Verdict verdict = judged(run, {.each_ended = true});
  EXPECT_TRUE(verdict.passed());
  EXPECT_EQ(verdict.findings.size(), 1u);
}

TEST(Judge, the_end_of_the_process_frees_nobody_from_tidying_up) {
  support::Run run;
  run.create(kA);
  run.other(trace::EventKind::ProcessEnd);
  EXPECT_FALSE(judged(run, {.no_leaks = true}).passed());
}

TEST(Judge, the_final_stack_is_compared_bottom_first) {
  support::Run run;
  EXPECT_TRUE(judged(run, {.final_stack = Names{}}).passed()) << "no call, no stack";
  run.create(kA);
  EXPECT_EQ(failures(judged(run, {.final_stack = Names{}})),
            "The main thread's stack ended as [A] instead of [].\n");
  EXPECT_TRUE(judged(run, {.final_stack = Names{"A"}}).passed());
}

const lab::Expectations kWholeRun = {.exit_status = 0,
                                     .calls = {"cuInit", "cuMemFree"},
                                     .never = {"cuCtxCreate", "cuCtxDetach"},
                                     .at_least = {{"cuMemAlloc", 1}, {"cuMemFree", 2}},
                                     .at_most = {{"cuInit", 1}},
                                     .order = {{"cuInit", "cuMemFree"}},
                                     .results = {"cuMemFree = CUDA_ERROR_INVALID_VALUE"},
                                     .objects = {"A", "M1"},
                                     .no_errors = true,
                                     .no_leaks = true,
                                     .each_ended = true,
                                     .final_stack = Names{}};

TEST(Judge, a_program_that_ended_early_is_told_what_ended_it_and_not_what_it_did_not_reach) {
  support::Run run;
  run.init();
  run.create(kA).place("main.cpp", 8);
  run.allocate(kMemory, 64);
  run.call("cuMemcpyHtoD").result(1).place("main.cpp", 12);
  run.call("cuGetErrorName").process(1).place("child.cpp", 1);
  const lab::Verdict verdict = judged(run, kWholeRun, {trace::EndKind::Exit, 1, ""});
  EXPECT_EQ(
      failures(verdict),
      "The program ended with status 1 instead of 0.\n"
      "Call 4, cuMemcpyHtoD, returned CUDA_ERROR_INVALID_VALUE (main.cpp:12).\n"
      "The program ended early, after main.cpp:12. What should follow was not judged. Not seen until then: "
      "cuMemFree (0/2), cuMemFree = CUDA_ERROR_INVALID_VALUE, M1.\n"
      "cuCtxCreate was called (main.cpp:8); the task does not allow this call.\n");
  EXPECT_EQ(verdict.findings.at(2).event, 3u);
  // What was reached is there as well; nothing says that the rest has succeeded.
  std::string held;
  for (const lab::Finding& finding : verdict.findings)
    if (finding.held) held += finding.sentence.in(lab::Language::English) + "\n";
  EXPECT_EQ(held,
            "cuInit was called and succeeded.\ncuMemAlloc succeeded 1 time(s), at least 1 were asked for.\n"
            "A was made.\n");
  EXPECT_EQ(failures(judged(run, kWholeRun, {trace::EndKind::Signal, 11, ""})).find("never"),
            std::string::npos);
  // At the end of its own the same run is judged as a whole.
  const std::string whole = failures(judged(run, kWholeRun));
  EXPECT_NE(whole.find("cuMemFree was never called."), std::string::npos) << whole;
  EXPECT_NE(whole.find("Context A was never destroyed"), std::string::npos) << whole;
  EXPECT_EQ(whole.find("ended early"), std::string::npos) << whole;
}

TEST(Judge, a_program_without_calls_ended_before_its_first_call) {
  support::Run run;
  EXPECT_EQ(failures(judged(run, kWholeRun, {trace::EndKind::Signal, 11, ""})),
            "The program did not run to its end.\n"
            "The program ended before its first call. Nothing else was judged.\n");
  EXPECT_EQ(failures(judged(run, {.exit_status = 0}, {trace::EndKind::Signal, 11, ""})),
            "The program did not run to its end.\n")
      << "nothing was left out";
}

TEST(Judge, a_program_whose_workers_made_all_calls_did_not_end_before_its_first_call) {
  support::Run run;
  run.call("cuInit").process(1).place("main.cpp", 5);
  EXPECT_EQ(failures(judged(run, {.exit_status = 0, .calls = {"cuInit"}, .no_leaks = true},
                            {trace::EndKind::Exit, 1, ""})),
            "The program ended with status 1 instead of 0.\n"
            "The program ended early, and only processes that it had started made calls. "
            "What should follow was not judged.\n");
  EXPECT_EQ(failures(judged(run, {.exit_status = 0, .calls = {"cuMemFree"}}, {trace::EndKind::Exit, 1, ""})),
            "The program ended with status 1 instead of 0.\n"
            "The program ended early, and only processes that it had started made calls. "
            "What should follow was not judged. Not seen until then: cuMemFree.\n");
  // A call of its own is a place after which it ended.
  run.call("cuInit").place("main.cpp", 9);
  EXPECT_NE(failures(judged(run, {.exit_status = 0, .calls = {"cuMemFree"}}, {trace::EndKind::Exit, 1, ""}))
                .find("The program ended early, after main.cpp:9."),
            std::string::npos);
}

TEST(Judge, a_function_that_several_expectations_name_is_missed_once) {
  support::Run run;
  run.init();
  const auto not_seen = [&](const lab::Expectations& expect) {
    const std::string said = failures(judged(run, expect, {trace::EndKind::Exit, 1, ""}));
    const std::size_t at = said.find("Not seen until then: ");
    return at == std::string::npos ? std::string() : said.substr(at + 21);
  };
  EXPECT_EQ(not_seen({.exit_status = 0,
                      .calls = {"cuStreamDestroy", "cuMemFree"},
                      .at_least = {{"cuStreamDestroy", 2}},
                      .order = {{"cuInit", "cuMemFree"}}}),
            "cuStreamDestroy (0/2), cuMemFree.\n");
  EXPECT_EQ(not_seen({.exit_status = 0, .at_least = {{"cuMemFree", 2}}, .order = {{"cuInit", "cuMemFree"}}}),
            "cuMemFree (0/2).\n");
  EXPECT_EQ(not_seen({.exit_status = 0, .calls = {"cuMemFree", "cuMemFreeHost"}}),
            "cuMemFree, cuMemFreeHost.\n")
      << "another function";
}

TEST(Judge, every_expectation_yields_a_finding_also_when_it_is_met) {
  support::Run run;
  run.init();
  const lab::Verdict verdict = judged(
      run,
      {.exit_status = 0, .calls = {"cuInit"}, .no_errors = true, .no_leaks = true, .final_stack = Names{}});
  EXPECT_EQ(verdict.findings.size(), 5u);
  for (const lab::Finding& finding : verdict.findings)
    EXPECT_FALSE(finding.sentence.in(lab::Language::Chinese).empty());
}

// A lesson folder with this text as its [[exercise]].
class ReadExercise : public testing::Test {
 protected:
  void SetUp() override {
    lesson_.folder = std::filesystem::temp_directory_path() / fmt::format("exercise_test.{}", getpid());
    std::filesystem::create_directories(lesson_.folder / "exercise");
    std::filesystem::create_directories(lesson_.folder / "exercise/row_2");
    for (const char* name : {"exercise/main.cpp", "exercise/solution.cpp", "exercise/row_2/main.cpp"})
      ASSERT_TRUE(lab::write_file(lesson_.folder / name, "int main() {}\n").has_value());
  }
  void TearDown() override { std::filesystem::remove_all(lesson_.folder); }

  lab::Result<std::vector<lab::Exercise>> read(const std::string& text) {
    EXPECT_TRUE(lab::write_file(lesson_.folder / "lesson.toml", text).has_value());
    return lab::read_exercises(lesson_);
  }
  std::string mistake(const std::string& text) {
    const auto exercises = read(text);
    return exercises ? "none" : exercises.error().in(lab::Language::English);
  }
  static constexpr const char* kSecond =
      "[[exercise]]\nname = \"row_2\"\ngrade = \"predict\"\nstart = \"exercise/row_2/main.cpp\"\n"
      "start_fails_with = \"x\"\nsolution = \"exercise/solution.cpp\"\n"
      "[exercise.title]\nen = \"A row\"\nzh = \"一串\"\n[exercise.task]\nen = \"Say.\"\nzh = \"说。\"\n"
      "[exercise.expect]\nat_least = [\"cuInit = 2\"]\nat_most = [\"cuInit = 3\"]\n"
      "order = [\"cuInit < cuMemAlloc\"]\n";
  static constexpr const char* kWhole =
      "[[exercise]]\nname = \"repair\"\ngrade = \"write\"\n"
      "title = {en = \"All\", zh = \"全部\"}\nstart = \"exercise/main.cpp\"\nstart_fails_with = "
      "\"x\"\nsolution = "
      "\"exercise/solution.cpp\"\n"
      "[exercise.task]\nen = \"Do.\"\nzh = \"做。\"\n[[exercise.hints]]\nen = \"So.\"\nzh = \"这样。\"\n"
      "[exercise.expect]\nexit = 0\ncalls = [\"cuInit\"]\nno_leaks = true\neach_ended = true\nfinal_stack = "
      "[]\n";
  static std::string with(std::string from, const std::string& to) {
    std::string text = kWhole;
    text.replace(text.find(from), from.size(), to);
    return text;
  }
  lab::Lesson lesson_;
};

TEST_F(ReadExercise, a_lesson_may_have_none) {
  const auto exercises = read("sources = []\n");
  ASSERT_TRUE(exercises.has_value());
  EXPECT_TRUE(exercises->empty());
}

TEST_F(ReadExercise, a_whole_one_is_read) {
  const auto exercises = read(kWhole);
  ASSERT_TRUE(exercises.has_value()) << exercises.error().in(lab::Language::English);
  ASSERT_EQ(exercises->size(), 1u);
  const lab::Exercise& exercise = exercises->front();
  EXPECT_EQ(exercise.name, "repair");
  EXPECT_EQ(exercise.grade, lab::Grade::Write);
  EXPECT_EQ(exercise.title[0], "All");
  EXPECT_EQ(exercise.task[1], "做。");
  EXPECT_EQ(exercise.hints.size(), 1u);
  EXPECT_EQ(exercise.expect.exit_status, 0);
  EXPECT_TRUE(exercise.expect.each_ended);
  EXPECT_EQ(exercise.expect.final_stack, Names{});
  EXPECT_FALSE(exercise.expect.allowed_errors.has_value());
  EXPECT_EQ(lab::exercise_as_lesson(lesson_, exercise).sources, Names{"exercise/main.cpp"});
}

TEST_F(ReadExercise, several_are_read_in_their_order) {
  const auto exercises = read(std::string(kWhole) + kSecond);
  ASSERT_TRUE(exercises.has_value()) << exercises.error().in(lab::Language::English);
  ASSERT_EQ(exercises->size(), 2u);
  const lab::Exercise* second = lab::exercise_named(*exercises, "row_2");
  ASSERT_EQ(second, &(*exercises)[1]);
  EXPECT_EQ(second->grade, lab::Grade::Predict);
  EXPECT_EQ(second->expect.at_least.at(0).call, "cuInit");
  EXPECT_EQ(second->expect.at_least.at(0).times, 2);
  EXPECT_EQ(second->expect.at_most.at(0).times, 3);
  EXPECT_EQ(second->expect.order.at(0).first, "cuInit");
  EXPECT_EQ(second->expect.order.at(0).then, "cuMemAlloc");
  EXPECT_EQ(lab::exercise_named(*exercises, "row"), nullptr);
}

TEST_F(ReadExercise, a_single_table_is_the_one_repair_of_its_lesson) {
  std::string single = kWhole;
  const std::size_t start = single.find("start");
  single = "[exercise]\n" + single.substr(start);
  const auto exercises = read(single);
  ASSERT_TRUE(exercises.has_value()) << exercises.error().in(lab::Language::English);
  ASSERT_EQ(exercises->size(), 1u);
  EXPECT_EQ(exercises->front().name, "repair");
  EXPECT_EQ(exercises->front().grade, lab::Grade::Repair);
  EXPECT_FALSE(exercises->front().title[1].empty());
  EXPECT_EQ(exercises->front().start, "exercise/main.cpp");
}

TEST_F(ReadExercise, names_are_words_and_unique_and_grades_are_four) {
  const auto says = [this](const std::string& text, const std::string& words) {
    EXPECT_THAT(mistake(text), testing::HasSubstr(words));
  };
  says(with("\"repair\"", "\"Repair\""), "lesson.toml:2");
  says(with("\"write\"", "\"hard\""), "lesson.toml:3");
  for (const char* grade : {"repair", "write", "predict", "project"})
    says(with("\"write\"", "\"hard\""), fmt::format("\"{}\"", grade));
  says(with("grade = \"write\"\n", ""), "grade");
  std::string same = kSecond;
  same.replace(same.find("row_2"), 5, "repair");
  says(std::string(kWhole) + same, "lesson.toml:21");
  says(std::string(kWhole) + same, "“repair” is the name of another exercise");
  same = kSecond;
  same.replace(same.find("exercise/row_2/"), 15, "exercise/");
  says(std::string(kWhole) + same, "“exercise/main.cpp” is the start of another exercise");
}

TEST_F(ReadExercise, wrong_answers_are_read_and_their_files_must_be_there) {
  const std::string wrong = "[[exercise.wrong]]\nfile = \"exercise/solution.cpp\"\nfails_with = \"y\"\n";
  const auto exercises = read(kWhole + wrong);
  ASSERT_TRUE(exercises.has_value()) << exercises.error().in(lab::Language::English);
  const std::vector<lab::Exercise::WrongAnswer>& answers = exercises->front().wrong;
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].file, "exercise/solution.cpp");
  EXPECT_EQ(answers[0].fails_with, "y");
  const std::string line = std::to_string(std::count(kWhole, kWhole + std::strlen(kWhole), '\n') + 2);
  const std::string gone =
      mistake(kWhole + std::string("[[exercise.wrong]]\nfile = \"exercise/gone.cpp\"\n"));
  EXPECT_NE(gone.find("lesson.toml:" + line), std::string::npos) << gone;
  EXPECT_NE(gone.find("gone.cpp"), std::string::npos) << gone;
  EXPECT_NE(mistake(kWhole + wrong + "say = 1\n").find("say"), std::string::npos);
  EXPECT_NE(mistake(with("[[exercise]]\n", "[[exercise]]\nwrong = 1\n")).find("[[exercise.wrong]]"),
            std::string::npos);
}

TEST_F(ReadExercise, mistakes_are_named_with_line_and_key) {
  const auto names = [this](const std::string& text, const std::string& place, const std::string& key) {
    const std::string said = mistake(text);
    EXPECT_NE(said.find("lesson.toml:" + place), std::string::npos) << said;
    EXPECT_NE(said.find(key), std::string::npos) << said;
  };
  names(with("exit = 0", "exit = \"0\""), "15:", "exit");
  names(with("exit = 0", "exit = 256"), "15:", "exit");
  names(with("exit = 0", "exits = 0"), "15:", "exits");
  names(with("calls = [\"cuInit\"]", "calls = \"cuInit\""), "16:", "calls");
  names(with("calls = [\"cuInit\"]", "calls = [1]"), "16:", "calls");
  for (const char* bad : {"cuInit", "cuInit = many", "cuInit = 0", "cuInit = 2x", " = 2"})
    for (const char* key : {"at_least", "at_most"})
      names(with("calls = [\"cuInit\"]", fmt::format("{} = [\"{}\"]", key, bad)), "16:", key);
  names(with("calls = [\"cuInit\"]", "order = [\"cuInit, cuMemAlloc\"]"), "16:", "order");
  names(with("no_leaks = true", "no_leaks = 1"), "17:", "no_leaks");
  names(with("zh = \"做。\"\n", ""), "8:", "zh");
  names(with("exercise/main.cpp", "exercise/none.cpp"), "5:", "none.cpp");
  names(with("exercise/main.cpp", "../../../etc/passwd"), "5:", "passwd");
  names(with("exit = 0", "exit ="), "15:", "TOML");
  EXPECT_NE(mistake("exercise = 3\n").find("[[exercise]]"), std::string::npos);
}

}  // namespace
