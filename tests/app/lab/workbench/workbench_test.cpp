// SPDX-License-Identifier: MIT
// The workbench without a program: lessons and their files, and the time of a recorded run.
#include "bench_fixture.hpp"
#include "trace/recording.hpp"
#include "world.hpp"

using namespace lab_model_test;
using lab::RunPhase;

namespace {

class workbench : public BenchTest {
 protected:
  // cuInit, create, pop at lines 4, 7 and 8 of kSource, with output before the pop, then the end.
  fs::path record(bool with_end = true, const std::string& lesson = "first") {
    World world;
    world.other(trace::EventKind::ProcessStart, 0, "main");
    world.init().place("main.cpp", 4);
    world.create(kA).place("main.cpp", 7);
    world.other(trace::EventKind::Output, 0, "hello\n", 1);
    world.pop(kA).current(0).place("main.cpp", 8);
    if (with_end) world.other(trace::EventKind::ProcessEnd, 0, "", 3);
    trace::Store store;
    world.into(store);
    trace::RunInfo info;
    info.lesson = lesson;
    info.sources["main.cpp"] = kSource;
    info.sources["extra.hpp"] = "// extra\n";
    const fs::path path = folder_ / "run.dlab";
    std::string error;
    auto writer = trace::RecordingWriter::create(path, info, &error);
    EXPECT_TRUE(writer && writer->write(store, 0, store.size()) && writer->finish()) << error;
    return path;
  }
  void open(const fs::path& path) {
    bench().open_recording(path);
    ASSERT_EQ(bench().phase(), RunPhase::Replaying);
    ASSERT_TRUE(wait_for([this] { return bench().model().moments() >= 5 && bench().end().has_value(); }))
        << problems();
  }
};

}  // namespace

TEST_F(workbench, opening_a_lesson_shows_its_files_and_notes) {
  bench().open_lesson("1");
  ASSERT_NE(bench().lesson(), nullptr);
  EXPECT_EQ(bench().files(), std::vector<std::string>({"main.cpp"}));
  EXPECT_EQ(bench().file_text("main.cpp"), kSource);
  EXPECT_NE(bench().notes(lab::Language::English).find("notes of 01_first"), std::string::npos);
  EXPECT_NE(bench().notes(lab::Language::Chinese).find("讲义"), std::string::npos);
  EXPECT_EQ(bench().phase(), RunPhase::Idle);
  EXPECT_EQ(problems(), "");
}

TEST_F(workbench, an_unknown_lesson_is_a_problem_and_the_open_one_stays) {
  bench().open_lesson("first");
  bench().open_lesson("77");
  EXPECT_NE(problems().find("77"), std::string::npos);
  EXPECT_EQ(bench().lesson()->slug, "first");
  bench().dismiss_problems();
  EXPECT_TRUE(bench().problems().empty());
}

TEST_F(workbench, running_without_a_lesson_is_a_problem) {
  bench().run(false);
  EXPECT_EQ(bench().phase(), RunPhase::Idle);
  EXPECT_EQ(bench().problems().size(), 1u);
}

TEST_F(workbench, edits_are_kept_over_lessons_and_starts_and_never_touch_the_original) {
  bench().open_lesson("1");
  EXPECT_FALSE(bench().edited("main.cpp"));
  bench().set_file_text("main.cpp", "// mine\n");
  EXPECT_TRUE(bench().edited("main.cpp"));
  bench().open_lesson("2");
  EXPECT_EQ(bench().file_text("main.cpp"), kSource);
  bench().open_lesson("1");
  EXPECT_EQ(bench().file_text("main.cpp"), "// mine\n");
  bench().set_file_text("main.cpp", "// later\n");
  bench_.reset();  // the end of the window
  bench().open_lesson("1");
  EXPECT_EQ(bench().file_text("main.cpp"), "// later\n");
  EXPECT_EQ(content(folder_ / "lessons/01_first/main.cpp"), kSource);
}

TEST_F(workbench, restoring_brings_the_original_back_and_keeps_the_edited_one) {
  bench().open_lesson("1");
  bench().set_file_text("main.cpp", "// mine\n");
  bench().restore("main.cpp");
  EXPECT_EQ(bench().file_text("main.cpp"), kSource);
  EXPECT_FALSE(bench().edited("main.cpp"));
  bool kept = false;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "data"))
    kept |= entry.is_regular_file() && content(entry.path()) == "// mine\n";
  EXPECT_TRUE(kept);
}

TEST_F(workbench, a_broken_lesson_is_told_and_hides_no_other) {
  put(folder_ / "lessons/03_broken/lesson.toml", "title = 3\n");
  EXPECT_NE(problems().find("lesson.toml"), std::string::npos);
  bench().open_lesson("1");
  EXPECT_NE(bench().lesson(), nullptr);
}

TEST_F(workbench, a_recording_opens_where_something_is_seen_with_its_own_sources) {
  open(record());
  EXPECT_FALSE(bench().at_end());
  EXPECT_EQ(bench().call_at_cursor(), 2u) << "the first context is there";
  EXPECT_EQ(bench().run_name(), "run.dlab");
  EXPECT_EQ(bench().files(), std::vector<std::string>({"main.cpp", "extra.hpp"}));
  EXPECT_EQ(bench().lesson()->slug, "first");
  bench().set_file_text("main.cpp", "// no\n");
  EXPECT_EQ(bench().file_text("main.cpp"), kSource) << "what was recorded is as it was";
  EXPECT_EQ(bench().end()->kind, trace::EndKind::Exit);
  EXPECT_EQ(bench().end()->number, 3);
}

TEST_F(workbench, the_picture_is_of_the_process_whose_call_the_cursor_goes_to) {
  World world;
  world.other(trace::EventKind::ProcessStart, 0, "./parent", 100);
  world.init();
  world.create(kA);
  world.other(trace::EventKind::ProcessStart, 0, "./child", 101).process(1);
  world.init().process(1).thread(1);
  world.create(kA, 1).process(1).thread(1);
  world.other(trace::EventKind::ProcessEnd);
  trace::Store store;
  world.into(store);
  const fs::path path = folder_ / "two.dlab";
  std::string error;
  auto writer = trace::RecordingWriter::create(path, {}, &error);
  ASSERT_TRUE(writer && writer->write(store, 0, store.size()) && writer->finish()) << error;
  open(path);
  ASSERT_EQ(bench().processes().size(), 2u);
  EXPECT_EQ(bench().shown_process(), 0u);
  EXPECT_EQ(stack(bench().state()), "A");
  bench().jump_to_call(3);
  EXPECT_EQ(bench().shown_process(), 1u);
  EXPECT_EQ(stack(bench().state(), 1), "A");
  EXPECT_EQ(stack(bench().state(), 0), "-");
  bench().show_process(0);
  EXPECT_EQ(stack(bench().state(), 0), "A") << "the same moment of the other process";
  bench().show_process(7);
  EXPECT_EQ(bench().shown_process(), 0u) << "there is none of that number";
  bench().jump_to_call(2);
  EXPECT_EQ(bench().shown_process(), 1u);
  bench().back();
  EXPECT_EQ(bench().shown_process(), 0u);
}

TEST_F(workbench, back_and_step_go_call_by_call_and_know_the_place) {
  open(record());
  bench().jump(bench().model().moments());
  bench().back();
  EXPECT_EQ(bench().call_at_cursor(), 2u);
  EXPECT_FALSE(bench().at_end());
  EXPECT_EQ(stack(bench().state()), "A");
  EXPECT_EQ(bench().place(false).line, 7);
  EXPECT_EQ(bench().place(true).line, 8);
  EXPECT_EQ(bench().step_name(), "create");
  bench().back();
  EXPECT_EQ(bench().call_at_cursor(), 1u);
  EXPECT_EQ(bench().step_name(), "start");
  bench().back();
  EXPECT_EQ(bench().cursor(), 0u);
  EXPECT_EQ(bench().place(false).line, 0);
  EXPECT_EQ(bench().place(true).line, 4);
  EXPECT_EQ(bench().step_name(), "start") << "where the first call will be made";
  bench().back();
  EXPECT_EQ(bench().cursor(), 0u);
  bench().step();
  EXPECT_EQ(bench().call_at_cursor(), 1u);
  bench().step();
  bench().step();
  EXPECT_EQ(bench().call_at_cursor(), 3u);
  bench().step();
  EXPECT_TRUE(bench().at_end()) << "behind the last call lies only the end";
}

TEST_F(workbench, jumps_are_clamped_and_continue_goes_to_the_end) {
  open(record());
  bench().jump_to_call(1);
  EXPECT_EQ(bench().call_at_cursor(), 2u);
  bench().jump_to_call(1000);
  EXPECT_EQ(bench().call_at_cursor(), 3u);
  bench().jump(0);
  EXPECT_TRUE(bench().state() == lab::State{});
  bench().jump(1 << 30);
  EXPECT_TRUE(bench().at_end());
  bench().jump(1);
  bench().go_on();
  EXPECT_TRUE(bench().at_end());
  EXPECT_EQ(bench().phase(), RunPhase::Replaying);
}

TEST_F(workbench, the_end_of_a_recording_is_not_known_before_its_sources_are) {
  bench().open_recording(record());
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // read by now, and not looked at
  EXPECT_FALSE(bench().end().has_value());
  EXPECT_TRUE(wait_for([this] { return bench().end().has_value(); })) << problems();
  EXPECT_EQ(bench().file_text("main.cpp"), kSource);
}

TEST_F(workbench, a_recording_of_a_lesson_that_had_another_number_opens_that_lesson) {
  open(record(true, "14_first"));
  ASSERT_NE(bench().lesson(), nullptr) << problems();
  EXPECT_EQ(bench().lesson()->folder.filename(), "01_first");
  EXPECT_EQ(bench().calls_of_step("start"), std::vector<std::size_t>({0}));
}

TEST_F(workbench, steps_of_the_notes_know_their_calls) {
  open(record());
  EXPECT_EQ(bench().calls_of_step("start"), std::vector<std::size_t>({0}));
  EXPECT_EQ(bench().calls_of_step("create"), std::vector<std::size_t>({1, 2}));
  EXPECT_TRUE(bench().calls_of_step("nothing").empty());
}

TEST_F(workbench, a_recording_cut_off_shows_what_there_is_and_says_so) {
  const fs::path path = record();
  const std::string whole = content(path);
  put(path, whole.substr(0, whole.size() - 3));
  bench().open_recording(path);
  ASSERT_TRUE(wait_for([this] { return !bench().problems().empty(); }));
  EXPECT_NE(problems().find("run.dlab"), std::string::npos);
  EXPECT_EQ(bench().phase(), RunPhase::Replaying);
}

TEST_F(workbench, what_is_no_recording_is_told_apart_from_what_cannot_be_opened) {
  put(folder_ / "letter.txt", "Dear reader, this is no recording of anything at all.\n");
  bench().open_recording(folder_ / "letter.txt");
  ASSERT_TRUE(wait_for([this] { return bench().problems().size() == 1; }));
  EXPECT_EQ(bench().problems()[0].key, lab::Text::RecordingNotARecording);
  bench().open_recording(folder_ / "missing.dlab");
  ASSERT_TRUE(wait_for([this] { return bench().problems().size() == 2; }));
  EXPECT_EQ(bench().problems()[1].key, lab::Text::RecordingCannotOpen);
  bench().open_lesson("1");
  EXPECT_EQ(bench().phase(), RunPhase::Idle) << "and the window lives on";
}

TEST_F(workbench, it_asks_to_be_polled_from_other_threads) {
  std::atomic<int> woken = 0;
  bench().set_wake([&woken] { ++woken; });
  bench().open_recording(record());
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(120);
  while (woken == 0 && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_GT(woken, 0);
}

TEST_F(workbench, a_recording_of_no_lesson_closes_the_lesson) {
  bench().open_lesson("1");
  open(record(true, ""));
  EXPECT_EQ(bench().lesson(), nullptr);
  EXPECT_EQ(bench().exercise(), nullptr);
  EXPECT_TRUE(bench().read_only());
  EXPECT_FALSE(bench().can_run());
  bench().open_lesson("1");
  EXPECT_EQ(bench().file_text("main.cpp"), kSource);
  EXPECT_TRUE(bench().can_run());
  EXPECT_EQ(bench().run_name(), "");
}

TEST_F(workbench, a_program_that_is_not_there_is_a_problem_and_the_lesson_stays) {
  bench().open_lesson("1");
  bench().open_program({"./a.out", "/no/such/folder", ""});
  EXPECT_NE(problems().find("/no/such/folder"), std::string::npos);
  EXPECT_NE(bench().lesson(), nullptr);
  EXPECT_FALSE(bench().program_open());
}

TEST_F(workbench, a_recording_that_cannot_be_opened_leaves_what_is_shown) {
  open(record());
  bench().open_recording(folder_ / "no such.dlrec");
  EXPECT_NE(problems().find("no such.dlrec"), std::string::npos);
  EXPECT_EQ(bench().run_name(), "run.dlab");
  EXPECT_EQ(bench().store().calls(), 3u);
}

TEST_F(workbench, a_file_that_is_no_recording_leaves_what_is_shown_and_what_is_beside_it) {
  open(record());
  std::ofstream(folder_ / "notes.txt") << "no recording";
  EXPECT_FALSE(bench().open_recording(folder_ / "notes.txt"));
  EXPECT_NE(problems().find("notes.txt is not a recording"), std::string::npos) << problems();
  EXPECT_EQ(bench().run_name(), "run.dlab");
  EXPECT_EQ(bench().store().calls(), 3u);
  bench().dismiss_problems();
  EXPECT_FALSE(bench().compare_with(folder_ / "notes.txt"));
  EXPECT_NE(problems().find("notes.txt is not a recording"), std::string::npos) << problems();
  EXPECT_FALSE(bench().other().has_value());
}
