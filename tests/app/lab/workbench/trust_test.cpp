// SPDX-License-Identifier: MIT
// No work is lost and nothing runs on unasked: saving while typing, and builds that are stopped.
#include <signal.h>
#include <sys/stat.h>

#include "bench_fixture.hpp"

namespace {

class trust : public lab_model_test::BenchTest {};

TEST_F(trust, typed_text_reaches_the_disk_without_a_run) {
  bench().open_lesson("first");
  bench().set_file_text("main.cpp", "int main() {}\n");
  const auto copy = folder_ / "data/workspace/01_first/main.cpp";
  EXPECT_TRUE(wait_for([&] { return content(copy) == "int main() {}\n"; }));
}

TEST_F(trust, typing_on_does_not_put_the_save_off_for_ever) {
  bench().open_lesson("first");
  const auto copy = folder_ / "data/workspace/01_first/main.cpp";
  std::string typed;
  EXPECT_TRUE(wait_for([&] {
    typed += "/";
    bench().set_file_text("main.cpp", typed);
    return content(copy).starts_with("//");
  }));
}

TEST_F(trust, what_cannot_be_saved_is_said_and_kept) {
  bench().open_lesson("first");
  const auto copies = folder_ / "data/workspace/01_first";
  lab_model_test::fs::remove_all(copies);
  put(copies, "a file where a folder should be");
  bench().set_file_text("main.cpp", "mine");
  EXPECT_TRUE(wait_for([&] { return !problems().empty(); }));
  EXPECT_EQ(bench().file_text("main.cpp"), "mine");
}

TEST_F(trust, what_cannot_be_saved_is_not_run_and_the_file_the_reason_and_the_remedy_are_said) {
  bench().open_lesson("first");
  const auto copies = folder_ / "data/workspace/01_first";
  lab_model_test::fs::remove_all(copies);
  put(copies, "a file where a folder should be");
  bench().set_file_text("main.cpp", "int main() { return 7; }\n");
  bench().run(false);
  EXPECT_EQ(bench().phase(), lab::RunPhase::Idle);
  EXPECT_NE(problems().find("Nothing was run: " + copies.string()), std::string::npos) << problems();
  EXPECT_NE(problems().find("Not a directory"), std::string::npos) << problems();
  EXPECT_NE(problems().find("Make room"), std::string::npos) << problems();
  // Saving is tried again by itself a moment later, and when the window is to close; nothing was run all the
  // same.
  EXPECT_FALSE(wait_for([&] { return problems().find("Nothing was run") == std::string::npos; }, 1.5))
      << problems();
  EXPECT_FALSE(bench().unkept().empty());
  EXPECT_NE(problems().find("Nothing was run"), std::string::npos) << problems();
  EXPECT_EQ(bench().problems().size(), 1u) << problems();
  lab_model_test::fs::remove(copies);
  bench().run(false);  // put right: it is saved, the complaint goes, and the new text runs
  EXPECT_TRUE(bench().problems().empty()) << problems();
  EXPECT_TRUE(wait_for([&] { return bench().phase() == lab::RunPhase::Ended; }));
  ASSERT_TRUE(bench().end());
  EXPECT_EQ(bench().end()->number, 7);
}

TEST_F(trust, a_file_that_vanished_is_written_back_and_runs) {
  bench().open_lesson("first");
  const std::string mine = "int main() { return 5; }\n";
  bench().set_file_text("main.cpp", mine);
  const auto copy = folder_ / "data/workspace/01_first/main.cpp";
  ASSERT_TRUE(wait_for([&] { return content(copy) == mine; }));
  lab_model_test::fs::remove(copy);
  bench().run(false);
  EXPECT_EQ(content(copy), mine);
  EXPECT_TRUE(wait_for([&] { return bench().phase() == lab::RunPhase::Ended; }));
  ASSERT_TRUE(bench().end());
  EXPECT_EQ(bench().end()->number, 5);
}

TEST_F(trust, a_folder_that_vanished_is_made_again_without_a_key_pressed) {
  bench().open_lesson("first");
  const auto copies = folder_ / "data/workspace/01_first";
  const std::string mine = bench().file_text("main.cpp");
  lab_model_test::fs::remove_all(copies);
  EXPECT_TRUE(wait_for([&] { return content(copies / "main.cpp") == mine; }));
  EXPECT_TRUE(bench().problems().empty()) << problems();
}

TEST_F(trust, what_is_kept_nowhere_is_not_dropped_for_another_lesson_exercise_or_recording) {
  bench().open_lesson("first");
  const auto copies = folder_ / "data/workspace/01_first";
  lab_model_test::fs::remove_all(copies);
  put(copies, "a file where a folder should be");
  bench().set_file_text("main.cpp", "mine");
  EXPECT_EQ(bench().unkept(), std::vector<std::string>{"main.cpp"});
  bench().open_lesson("second");
  bench().open_recording(folder_ / "some.dlrec");
  bench().restore("main.cpp");
  ASSERT_NE(bench().lesson(), nullptr);
  EXPECT_EQ(bench().lesson()->number, 1);
  EXPECT_EQ(bench().file_text("main.cpp"), "mine");

  const auto kept = bench().keep_elsewhere(folder_ / "elsewhere");
  ASSERT_TRUE(kept);
  EXPECT_EQ(content(*kept / "main.cpp"), "mine");
  EXPECT_TRUE(bench().unkept().empty());
  bench().open_lesson("second");
  EXPECT_EQ(bench().lesson()->number, 2);
}

TEST_F(trust, text_elsewhere_is_never_written_over_and_a_folder_that_cannot_be_written_is_said) {
  bench().open_lesson("first");
  const auto copies = folder_ / "data/workspace/01_first";
  lab_model_test::fs::remove_all(copies);
  put(copies, "a file where a folder should be");
  put(folder_ / "elsewhere/01_first/main.cpp", "of last week");
  bench().set_file_text("main.cpp", "mine");
  ASSERT_FALSE(bench().unkept().empty());
  EXPECT_FALSE(bench().keep_elsewhere(copies));
  EXPECT_FALSE(bench().unkept().empty());
  ASSERT_TRUE(bench().keep_elsewhere(folder_ / "elsewhere"));
  EXPECT_EQ(content(folder_ / "elsewhere/01_first/main.cpp"), "of last week");
  EXPECT_EQ(content(folder_ / "elsewhere/01_first-2/main.cpp"), "mine");
}

TEST_F(trust, what_the_user_lets_go_is_asked_about_once) {
  bench().open_lesson("first");
  const auto copies = folder_ / "data/workspace/01_first";
  lab_model_test::fs::remove_all(copies);
  put(copies, "a file where a folder should be");
  bench().set_file_text("main.cpp", "mine");
  ASSERT_FALSE(bench().unkept().empty());
  bench().discard_unkept();
  EXPECT_TRUE(bench().unkept().empty());
  bench().set_file_text("main.cpp", "mine again");
  EXPECT_FALSE(bench().unkept().empty());
}

TEST_F(trust, progress_that_cannot_be_saved_is_said_once_and_saved_when_that_is_put_right) {
  const auto file = folder_ / "data/progress.json";
  lab_model_test::fs::create_symlink(file, file);  // leads nowhere, for ever
  bench().open_lesson("first");
  ASSERT_TRUE(wait_for([&] { return !bench().problems().empty(); }, 20));
  EXPECT_NE(problems().find(file.string()), std::string::npos) << problems();
  EXPECT_NE(problems().find("progress cannot be saved"), std::string::npos) << problems();
  bench().open_lesson("second");
  for (int i = 0; i < 100; ++i) bench().poll(), std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(bench().problems().size(), 1u) << problems();
  lab_model_test::fs::remove(file);
  bench_.reset();  // the window closes
  EXPECT_NE(content(file).find("\"first\""), std::string::npos) << content(file);
  EXPECT_NE(content(file).find("\"second\""), std::string::npos) << content(file);
}

TEST_F(trust, that_progress_is_not_saved_is_no_longer_said_once_it_is) {
  const auto file = folder_ / "data/progress.json";
  lab_model_test::fs::create_symlink(file, file);
  bench().open_lesson("first");
  ASSERT_TRUE(wait_for([&] { return !bench().problems().empty(); }, 20));
  lab_model_test::fs::remove(file);
  bench().open_lesson("second");
  EXPECT_TRUE(wait_for([&] { return bench().problems().empty(); })) << problems();
}

TEST_F(trust, saved_text_is_never_asked_about) {
  bench().open_lesson("first");
  bench().set_file_text("main.cpp", "mine");
  EXPECT_TRUE(bench().unkept().empty());
  EXPECT_EQ(content(folder_ / "data/workspace/01_first/main.cpp"), "mine");
  EXPECT_TRUE(bench().problems().empty()) << problems();
}

TEST_F(trust, an_untouched_lesson_is_not_written) {
  bench().open_lesson("first");
  const auto copy = folder_ / "data/workspace/01_first/main.cpp";
  const auto before = lab_model_test::fs::last_write_time(copy);
  bench().set_file_text("main.cpp", bench().file_text("main.cpp"));
  for (int i = 0; i < 20; ++i) bench().poll();
  EXPECT_EQ(lab_model_test::fs::last_write_time(copy), before);
  EXPECT_TRUE(bench().problems().empty());
}

TEST_F(trust, stopping_a_build_ends_the_compiler) {
  // Compiles everything but main.cpp at once, and that never.
  const auto compiler = folder_ / "slow-g++";
  put(compiler, "#!/bin/sh\ncase \"$*\" in *-fsyntax-only* | *-E*) exit 0 ;; esac\necho $$ > '" +
                    (folder_ / "pid").string() + "'\nexec sleep 1000\n");
  ::chmod(compiler.c_str(), 0755);
  ::setenv("DRIVERLAB_CXX", compiler.c_str(), 1);
  bench().open_lesson("first");
  bench().run(false);
  int compiling = 0;
  EXPECT_TRUE(wait_for([&] { return (compiling = std::atoi(content(folder_ / "pid").c_str())) > 0; }));
  EXPECT_EQ(bench().phase(), lab::RunPhase::Building);
  bench().stop();
  EXPECT_EQ(bench().phase(), lab::RunPhase::Idle);
  EXPECT_TRUE(wait_for([&] { return ::kill(compiling, 0) != 0; }));
  EXPECT_TRUE(bench().problems().empty()) << problems();  // a user who stops a build needs no message
  ::unsetenv("DRIVERLAB_CXX");
}

}  // namespace
