// SPDX-License-Identifier: MIT
// The run before in the window: the sentence beside the fork, the branch in the lanes, and the key that hides
// and shows all of it. Without a display, over recordings that are made here.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>

#include <unistd.h>

#include "stage.hpp"
#include "support/events.hpp"
#include "trace/recording.hpp"

namespace gui {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kA = 0x5000a0, kB = 0x5000b0, kMemory = 0x7f0000000000;

class GhostShown : public testing::Test {
 protected:
  static fs::path recorded(const std::function<void(support::Run&)>& program) {
    static int number = 0;
    support::Run run;
    program(run);
    trace::Store store;
    run.into(store);
    const fs::path file = fs::path(testing::TempDir()) /
                          ("ghost-" + std::to_string(getpid()) + "-" + std::to_string(++number) + ".trace");
    std::string error;
    const auto writer = trace::RecordingWriter::create(file, {}, &error);
    EXPECT_TRUE(writer && writer->write(store, 0, store.size()) && writer->finish()) << error;
    return file;
  }
  void open(const std::function<void(support::Run&)>& now, const std::function<void(support::Run&)>& before,
            Look look = {}) {
    const fs::path shown = recorded(now), other = recorded(before);
    stage_.open_recording(shown);
    ASSERT_TRUE(stage_.bench().compare_with(other, lab::Workbench::Beside::RunBefore));
    ASSERT_TRUE(stage_.wait_while([this] { return stage_.bench().pair() == nullptr; }));
    fs::remove(shown), fs::remove(other);
    stage_.begin(look);
    stage_.press({Key::F2});  // no questions
    stage_.draw();
  }
  bool there(const std::string& place) { return stage_.shell().places().count(place) > 0; }
  bool reads(std::string_view words) {
    const TextLog& log = stage_.draw();
    return std::any_of(log.texts().begin(), log.texts().end(),
                       [&](const DrawnText& text) { return text.text.find(words) != std::string::npos; });
  }
  // Below the strip of time; what is longer than its place is cut.
  bool says_at_the_fork(std::string_view words) {
    const TextLog& log = stage_.draw();
    return std::any_of(log.texts().begin(), log.texts().end(), [&](const DrawnText& text) {
      return text.window.find("/time") != std::string::npos && text.text.starts_with(words);
    });
  }
  Stage stage_;
};

void with_the_push(support::Run& run) {
  run.init();
  run.create(kA);
  run.create(kB);
  run.push(kA);
  run.allocate(kMemory, 4096).current(kA);
  run.free(kMemory).current(kA);
}
void without_the_push(support::Run& run) {
  run.init();
  run.create(kA);
  run.create(kB);
  run.allocate(kMemory, 8192).current(kB);
  run.free(kMemory).current(kB);
}

TEST_F(GhostShown, beside_the_fork_one_sentence_says_where_and_why) {
  open(without_the_push, with_the_push);
  EXPECT_TRUE(there("ghost"));
  EXPECT_TRUE(says_at_the_fork("At call 4 the runs part: in this run, cuMemAlloc("));
}

TEST_F(GhostShown, in_chinese_the_sentence_is_chinese) {
  Look look;
  look.language = lab::Language::Chinese;
  open(without_the_push, with_the_push, look);
  EXPECT_TRUE(says_at_the_fork("两次运行在第 4 次调用处分开：这一次调用了 cuMemAlloc("));
}

TEST_F(GhostShown, an_entry_of_the_run_before_is_on_the_stack_from_the_fork_on) {
  open(without_the_push, with_the_push);
  stage_.bench().jump_to_call(2);
  EXPECT_FALSE(reads("A · run before"));
  stage_.bench().jump_to_call(3);
  EXPECT_TRUE(reads("A · run before"));
}

TEST_F(GhostShown, equal_runs_show_no_ghost_and_take_no_room_for_one) {
  open(with_the_push, with_the_push);
  EXPECT_EQ(stage_.bench().ghost(), nullptr);
  EXPECT_FALSE(there("ghost"));
  EXPECT_FALSE(reads("· run before"));
}

TEST_F(GhostShown, a_recording_of_another_machine_is_no_run_before) {
  open(without_the_push, with_the_push);
  const fs::path other = recorded(with_the_push);
  ASSERT_TRUE(stage_.bench().compare_with(other));
  ASSERT_TRUE(stage_.wait_while([this] { return stage_.bench().pair() == nullptr; }));
  fs::remove(other);
  EXPECT_EQ(stage_.bench().ghost(), nullptr);
  EXPECT_FALSE(reads("· run before"));
}

TEST_F(GhostShown, a_key_hides_and_shows_all_of_it) {
  open(without_the_push, with_the_push);
  stage_.bench().jump_to_call(3);
  ASSERT_TRUE(reads("· run before"));
  stage_.press({Key::F4, false, true});
  EXPECT_FALSE(reads("· run before"));
  EXPECT_FALSE(there("ghost"));
  EXPECT_FALSE(stage_.shell().settings().ghost);  // which are written when the window closes
  stage_.press({Key::F4, false, true});
  EXPECT_TRUE(reads("· run before"));
  EXPECT_TRUE(there("ghost"));
}

TEST_F(GhostShown, the_card_of_the_appearance_hides_it_too) {
  open(without_the_push, with_the_push);
  ASSERT_TRUE(stage_.shell().open("look"));
  stage_.draw();
  ASSERT_TRUE(stage_.click("ghost shown"));
  EXPECT_FALSE(there("ghost"));
}

TEST_F(GhostShown, in_the_lanes_the_thread_that_parts_forks_and_no_other) {
  const auto program = [](const char* name) {
    return [name](support::Run& run) {
      with_the_push(run);
      run.call("cuCtxSynchronize").thread(1).result(201);
      run.call(name).thread(1).result(201);
      run.call("cuCtxSynchronize").thread(2).result(201);
    };
  };
  open(program("cuCtxGetFlags"), program("cuCtxGetDevice"));
  stage_.press({Key::F3});
  stage_.draw();
  ASSERT_TRUE(there("timeline ghost of thread 1"));
  EXPECT_FALSE(there("timeline ghost of thread 0") || there("timeline ghost of thread 2"));
  stage_.press({Key::F4, false, true});
  stage_.draw();
  EXPECT_FALSE(there("timeline ghost of thread 1"));
}

TEST_F(GhostShown, a_ghost_in_the_lanes_says_which_call_it_was) {
  open(without_the_push, with_the_push);
  stage_.press({Key::F3});
  stage_.draw();
  ASSERT_TRUE(there("timeline ghost of thread 0"));
  stage_.point_at(stage_.shell().places().at("timeline ghost of thread 0"));
  EXPECT_TRUE(reads("4 cuCtxPushCurrent · run before"));
}

TEST_F(GhostShown, the_ghost_does_not_give_the_answer_to_a_question_away) {
  open(without_the_push, with_the_push);
  stage_.bench().jump_to_call(2);
  ASSERT_TRUE(says_at_the_fork("At call 4 the runs part"));
  stage_.press({Key::F2});
  stage_.draw();
  ASSERT_NE(stage_.bench().question(), nullptr);
  EXPECT_FALSE(says_at_the_fork("At call 4 the runs part"));
}

TEST_F(GhostShown, no_text_is_cut_or_covered_at_any_size) {
  for (const lab::Language language : {lab::Language::English, lab::Language::Chinese})
    for (const Look& look : every_look(language)) {
      open(without_the_push, with_the_push, look);
      stage_.bench().jump_to_call(3);
      for (const Complaint& complaint : stage_.complaints())
        ADD_FAILURE() << look.words() << ": " << complaint.what << " '" << complaint.text << "' "
                      << complaint.where;
    }
}

}  // namespace
}  // namespace gui
