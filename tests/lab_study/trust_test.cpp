// SPDX-License-Identifier: MIT
// No work is lost and nothing runs on unasked: saving while typing, and builds that are stopped.
#include <signal.h>
#include <sys/stat.h>

#include "lab_model/bench_fixture.hpp"

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
  put(compiler, "#!/bin/sh\ncase \"$*\" in *-fsyntax-only*) exit 0 ;; esac\necho $$ > '" +
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
  EXPECT_TRUE(bench().problems().empty()) << problems();  // who stops a build need not be told so
  ::unsetenv("DRIVERLAB_CXX");
}

}  // namespace
