// SPDX-License-Identifier: MIT
// The workbench with real programs: built, run on the embedded driver under the tracer, stepped, stopped.
#include "bench_fixture.hpp"
#include "world.hpp"

using namespace lab_model_test;
using lab::RunPhase;

namespace {

class live : public BenchTest {
 protected:
  bool ended() {
    return wait_for([this] { return bench().phase() == RunPhase::Ended && bench().at_end(); });
  }
  bool held(std::size_t calls) {
    return wait_for(
        [this, calls] { return bench().phase() == RunPhase::Held && bench().call_at_cursor() == calls; });
  }
};

constexpr const char* kCrash = R"(#include <cuda.h>
int main() {
  cuInit(0);
  *(volatile int*)8 = 1;
}
)";

constexpr const char* kForever = R"(#include <cuda.h>
int main() {
  cuInit(0);
  for (volatile int i = 0;; i = i + 1) {}
}
)";

}  // namespace

TEST_F(live, a_run_ends_with_every_call_and_its_line) {
  bench().open_lesson("1");
  bench().run(false);
  EXPECT_EQ(bench().phase(), RunPhase::Building);
  ASSERT_TRUE(ended()) << problems() << (bench().build() ? bench().build()->output : "");
  EXPECT_EQ(bench().call_at_cursor(), 3u);
  EXPECT_EQ(bench().end()->kind, trace::EndKind::Exit);
  EXPECT_EQ(bench().place(false).file, "main.cpp");
  EXPECT_EQ(bench().place(false).line, 8);
  bench().back();
  EXPECT_EQ(stack(bench().state()), "A");
  EXPECT_EQ(bench().step_name(), "create");
}

TEST_F(live, marks_of_a_run_move_with_the_text_and_go_with_the_line_that_they_were_of) {
  bench().open_lesson("1");
  bench().run(false);
  ASSERT_TRUE(ended()) << problems();
  EXPECT_FALSE(bench().changed_since_run("main.cpp"));
  EXPECT_EQ(bench().line_now("main.cpp", 7), 7);
  std::string text = bench().file_text("main.cpp");
  text.insert(text.find("  cuInit"), "  // one line\n  // and another\n");
  text.replace(text.find("cuCtxPopCurrent(&a)"), 19, "cuCtxPopCurrent(nullptr)");
  bench().set_file_text("main.cpp", text);
  EXPECT_TRUE(bench().changed_since_run("main.cpp"));
  EXPECT_EQ(bench().line_now("main.cpp", 3), 3);
  EXPECT_EQ(bench().line_now("main.cpp", 7), 9);
  EXPECT_EQ(bench().line_now("main.cpp", 8), 0);  // another call is there now
  bench().run(false);
  ASSERT_TRUE(ended()) << problems();
  EXPECT_EQ(bench().line_now("main.cpp", 7), 7);
}

TEST_F(live, a_text_that_does_not_compile_has_no_run_and_the_one_before_can_be_compared) {
  bench().open_lesson("1");
  bench().run(false);
  ASSERT_TRUE(ended()) << problems();
  bench().set_file_text("main.cpp", "int main() { return 1 + ; }\n");
  bench().run(false);
  ASSERT_TRUE(wait_for([this] { return bench().phase() == RunPhase::BuildFailed; }));
  EXPECT_EQ(bench().store().calls(), 0u);
  EXPECT_FALSE(bench().end());
  EXPECT_TRUE(bench().has_run_before());
}

TEST_F(live, a_failure_that_the_program_asks_for_is_known_and_another_is_not) {
  put_lesson("03_third",
             "#include <cuda.h>\n#define expect(error, ...) (void)(error), (void)(__VA_ARGS__)\n"
             "int main() {\n  int count = 0;\n"
             "  expect(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));\n"
             "  expect(CUDA_ERROR_INVALID_VALUE, cuDeviceGetCount(&count));\n"
             "  cuDeviceGetCount(&count);\n  cuInit(0);\n  cuDeviceGetCount(&count);\n}\n");
  bench().open_lesson("3");
  bench().run(false);
  ASSERT_TRUE(ended()) << problems();
  const auto expected = [this](std::size_t call) {
    return bench().expected_failure(bench().store().event_of_call(call));
  };
  EXPECT_TRUE(expected(0));
  EXPECT_FALSE(expected(1));  // another error than the one asked for
  EXPECT_FALSE(expected(2));  // nobody asked
  EXPECT_FALSE(expected(3));  // no failure
  EXPECT_EQ(bench().variable(bench().store().at(bench().store().event_of_call(4)), 0), "count");
  EXPECT_EQ(bench().file_of("/elsewhere/main.cpp"), "main.cpp");
  EXPECT_EQ(bench().file_of("other.cpp"), "");
  EXPECT_EQ(bench().file_of(""), "");
  bench().run(false);
  ASSERT_TRUE(ended()) << problems();
  bench().compare_with_run_before();
  ASSERT_TRUE(bench().other());
  const trace::Store& before = *bench().other()->store;
  EXPECT_EQ(bench().variable_beside(before.at(before.event_of_call(4)), 0), "count");
}

TEST_F(live, the_run_before_is_kept_and_held_against_the_new_one) {
  bench().open_lesson("1");
  EXPECT_FALSE(bench().has_run_before());
  bench().run(false);
  ASSERT_TRUE(ended()) << problems();
  EXPECT_FALSE(bench().has_run_before());
  bench().compare_with_run_before();  // there is none: nothing happens
  EXPECT_FALSE(bench().other());
  std::string text = bench().file_text("main.cpp");
  text.insert(text.rfind("  cuCtxPopCurrent"), "  cuCtxSynchronize();\n");
  bench().set_file_text("main.cpp", text);
  bench().run(false);
  ASSERT_TRUE(wait_for([this] { return bench().has_run_before() && bench().phase() == RunPhase::Ended; }))
      << problems();
  bench().compare_with_run_before();
  ASSERT_TRUE(wait_for([this] { return bench().pair() != nullptr; }));
  EXPECT_EQ(bench().other()->store->calls(), 3u);
  EXPECT_FALSE(bench().other()->recording);
  EXPECT_EQ(bench().pair()->comparison().calls, 2u);
  ASSERT_TRUE(bench().pair()->comparison().first);
  EXPECT_EQ(bench().pair()->calls_beside(lab::Side::First, 4), 3u);  // both at their pop
  bench().open_lesson("2");
  EXPECT_FALSE(bench().other());
  EXPECT_EQ(bench().pair(), nullptr);
}

TEST_F(live, a_file_beside_the_run_that_is_no_recording_is_told_and_not_shown) {
  bench().open_lesson("1");
  bench().run(false);
  ASSERT_TRUE(ended()) << problems();
  put(folder_ / "no.dlrec", "this is no recording");
  EXPECT_FALSE(bench().compare_with(folder_ / "no.dlrec"));
  EXPECT_FALSE(bench().other());
  EXPECT_NE(problems().find("no.dlrec"), std::string::npos);
  EXPECT_EQ(bench().pair(), nullptr);
}

TEST_F(live, lines_are_stepped_in_both_directions) {
  bench().open_lesson("1");
  bench().run(false);
  ASSERT_TRUE(ended()) << problems();
  EXPECT_TRUE(bench().jump_line(lab::Direction::Back));
  EXPECT_EQ(bench().place(false).line, 7);
  EXPECT_TRUE(bench().jump_line(lab::Direction::Back));
  EXPECT_EQ(bench().place(false).line, 4);
  EXPECT_FALSE(bench().jump_line(lab::Direction::Back));
  bench().jump(0);
  EXPECT_FALSE(bench().jump_line(lab::Direction::Back));
  for (const int line : {4, 7, 8}) {
    EXPECT_TRUE(bench().jump_line(lab::Direction::Forward));
    EXPECT_EQ(bench().place(false).line, line);
  }
  EXPECT_FALSE(bench().jump_line(lab::Direction::Forward));
}

TEST_F(live, the_steps_of_the_source_begin_where_their_first_calls_are) {
  bench().open_lesson("1");
  EXPECT_TRUE(bench().step_starts().empty());
  bench().run(false);
  ASSERT_TRUE(ended()) << problems();
  const auto& starts = bench().step_starts();
  ASSERT_EQ(starts.size(), 2u);
  EXPECT_EQ(starts[0].step, "start");
  EXPECT_EQ(starts[0].call, 0u);
  EXPECT_EQ(starts[1].step, "create");
  EXPECT_EQ(starts[1].call, 1u);
}

TEST_F(live, stepping_holds_before_each_call_and_the_past_is_free_to_visit) {
  bench().open_lesson("1");
  bench().step();
  ASSERT_TRUE(held(0)) << problems();
  EXPECT_EQ(bench().place(true).line, 4);
  bench().step();
  ASSERT_TRUE(held(1));
  EXPECT_EQ(bench().place(true).line, 7);
  bench().step();
  ASSERT_TRUE(held(2));
  EXPECT_EQ(stack(bench().state()), "A");
  bench().back();
  EXPECT_EQ(bench().call_at_cursor(), 1u);
  EXPECT_EQ(bench().phase(), RunPhase::Held) << "the program waits meanwhile";
  bench().step();
  EXPECT_EQ(bench().call_at_cursor(), 2u) << "forward in the past releases nothing";
  EXPECT_EQ(bench().phase(), RunPhase::Held);
  bench().go_on();
  ASSERT_TRUE(ended());
  EXPECT_EQ(bench().call_at_cursor(), 3u);
}

TEST_F(live, a_run_has_not_ended_before_its_last_event_was_taken_in) {
  bench().open_lesson("1");
  bench().step();
  ASSERT_TRUE(held(0)) << problems();
  bench().go_on();
  while (!bench().end()) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // nobody polls
  EXPECT_NE(bench().phase(), RunPhase::Ended);
  ASSERT_TRUE(ended());
  EXPECT_EQ(bench().call_at_cursor(), 3u);
}

TEST_F(live, what_does_not_compile_is_told_with_its_line) {
  put_lesson("01_first", "int main() {\n  return x;\n}\n");
  bench().open_lesson("1");
  bench().run(false);
  ASSERT_TRUE(wait_for([this] { return bench().phase() == RunPhase::BuildFailed; }));
  ASSERT_FALSE(bench().build()->diagnostics.empty());
  EXPECT_EQ(bench().build()->diagnostics[0].line, 2);
  EXPECT_EQ(bench().problems().size(), 1u);
  bench().go_on();
  ASSERT_TRUE(wait_for([this] { return bench().phase() == RunPhase::BuildFailed; }));
  EXPECT_EQ(bench().problems().size(), 1u) << "the same mistake is told once";
  bench().set_file_text("main.cpp", kSource);
  bench().go_on();
  ASSERT_TRUE(ended()) << problems();
  EXPECT_EQ(bench().call_at_cursor(), 3u);
  EXPECT_TRUE(bench().problems().empty()) << "what was mended is no problem any more: " << problems();
}

TEST_F(live, a_crash_keeps_everything_that_happened_before) {
  put_lesson("01_first", kCrash);
  bench().open_lesson("1");
  bench().run(false);
  ASSERT_TRUE(ended()) << problems();
  EXPECT_EQ(bench().end()->kind, trace::EndKind::Signal);
  EXPECT_EQ(bench().end()->number, 11);
  EXPECT_EQ(bench().call_at_cursor(), 1u);
  EXPECT_TRUE(bench().state().initialised);
  EXPECT_TRUE(bench().state().ended);
}

TEST_F(live, an_endless_program_can_be_stopped_and_run_again) {
  put_lesson("01_first", kForever);
  bench().open_lesson("1");
  bench().run(false);
  ASSERT_TRUE(wait_for([this] { return bench().call_at_cursor() == 1; })) << problems();
  EXPECT_EQ(bench().phase(), RunPhase::Running);
  bench().stop();
  ASSERT_TRUE(ended());
  EXPECT_EQ(bench().end()->kind, trace::EndKind::Killed);
  bench().set_file_text("main.cpp", kSource);
  bench().run(false);
  ASSERT_TRUE(
      wait_for([this] { return bench().phase() == RunPhase::Ended && bench().call_at_cursor() == 3; }));
}

TEST_F(live, a_restart_in_the_middle_begins_anew) {
  bench().open_lesson("1");
  bench().run(true);
  ASSERT_TRUE(held(0)) << problems();
  bench().step();
  ASSERT_TRUE(held(1));
  bench().run(true);
  ASSERT_TRUE(
      wait_for([this] { return bench().phase() == RunPhase::Held && bench().call_at_cursor() == 0; }));
}

TEST_F(live, running_again_keeps_the_moment) {
  bench().open_lesson("1");
  bench().run(false);
  ASSERT_TRUE(ended()) << problems();
  bench().jump_to_call(0);
  ASSERT_FALSE(bench().at_end());
  bench().run(false);
  ASSERT_TRUE(wait_for([this] { return bench().phase() == RunPhase::Ended && bench().store().calls() > 1; }));
  EXPECT_EQ(bench().call_at_cursor(), 1u);
  EXPECT_FALSE(bench().at_end());
}

TEST_F(live, running_again_stays_at_the_moment_when_the_next_call_comes_late) {
  const fs::path go_on = folder_ / "go_on";
  put(go_on, "");
  put_lesson("03_third",
             "#include <cuda.h>\n#include <unistd.h>\nint main() {\n  cuInit(0);\n  while (access(\"" +
                 go_on.string() + "\", F_OK) != 0) usleep(1000);\n  int count;\n" +
                 "  cuDeviceGetCount(&count);\n  cuDeviceGetCount(&count);\n}\n");
  bench().open_lesson("3");
  bench().run(false);
  ASSERT_TRUE(ended()) << problems();
  bench().jump_to_call(0);
  fs::remove(go_on);
  bench().run(false);
  ASSERT_TRUE(wait_for([this] { return bench().store().calls() == 1 && bench().call_at_cursor() == 1; }));
  ASSERT_EQ(bench().phase(), RunPhase::Running);
  put(go_on, "");
  ASSERT_TRUE(wait_for([this] { return bench().phase() == RunPhase::Ended; }));
  EXPECT_EQ(bench().store().calls(), 3u);
  EXPECT_EQ(bench().call_at_cursor(), 1u) << "the last call known was the kept one, and the run was followed";
  EXPECT_FALSE(bench().at_end());
}

TEST_F(live, a_program_of_ones_own_is_traced_like_a_lesson) {
  bench().open_lesson("1");
  bench().run(false);
  ASSERT_TRUE(ended()) << problems();
  const fs::path program = bench().build()->program;
  const fs::path own = folder_ / "own program";
  fs::copy_file(program, own);
  put(folder_ / "main.cpp", "int mine;\n");
  bench().open_program({"'./own program' x", folder_.string(), "MINE=1"});
  EXPECT_EQ(bench().lesson(), nullptr);
  EXPECT_EQ(bench().run_name(), "'./own program' x");
  ASSERT_TRUE(held(0)) << problems();
  bench().step();
  ASSERT_TRUE(held(1)) << problems();
  bench().go_on();
  ASSERT_TRUE(ended()) << problems();
  EXPECT_TRUE(bench().read_only());
  EXPECT_EQ(problems(), "");
  bench().run(false);
  ASSERT_TRUE(wait_for([this] { return bench().phase() == RunPhase::Ended && bench().store().calls() > 1; }));
  EXPECT_EQ(content(folder_ / "main.cpp"), "int mine;\n");
  bench().open_lesson("1");
  EXPECT_FALSE(bench().program_open());
  EXPECT_FALSE(bench().read_only());
}

TEST_F(live, a_missing_program_is_named) {
  bench().open_program({"./not-there", folder_.string(), ""});
  ASSERT_TRUE(wait_for([this] { return !problems().empty(); }));
  EXPECT_NE(problems().find("not-there"), std::string::npos);
}
