// SPDX-License-Identifier: MIT
// The run that is shown, without a workbench: a session, a recording, or none, and all that belongs to it.
#include "workbench/shown_run.hpp"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "run/last_run.hpp"
#include "workbench/sharing.hpp"

namespace {

const char* const kRecording = REAL_RECORDINGS "/h200_05_context_stack.dlrec";

class shown_run : public testing::Test {
 protected:
  void fold_all() {
    while (shown_.fold()) {
    }
  }

  lab::DataHome home_;
  lab::ProblemList problems_;
  lab::OpenFiles files_{home_, problems_, std::make_shared<lab::Wake>(),
                        [](const std::string&, const std::string*) {}};
  lab::ShownRun shown_{files_, std::make_shared<lab::Wake>()};
};

TEST_F(shown_run, is_empty_at_first) {
  EXPECT_FALSE(shown_.any());
  EXPECT_EQ(shown_.store().size(), 0u);
  EXPECT_EQ(shown_.cursor().moments(), 0u);
  EXPECT_FALSE(shown_.growing());
  EXPECT_FALSE(shown_.held());
  EXPECT_FALSE(shown_.ended());
}

TEST_F(shown_run, that_is_a_session_has_ended_when_its_last_event_is_in_the_picture) {
  const auto session = lab::session_of_past(kRecording);
  ASSERT_NE(session, nullptr);
  shown_.show_session(session, session->request().info);
  EXPECT_TRUE(shown_.any());
  EXPECT_EQ(&shown_.store(), &session->store());
  EXPECT_EQ(shown_.owner(), session);
  EXPECT_FALSE(shown_.text().sources().empty());
  EXPECT_FALSE(shown_.ended());
  fold_all();
  EXPECT_TRUE(shown_.ended());
  EXPECT_TRUE(shown_.cursor().at_end());
  EXPECT_TRUE(shown_.end());
  EXPECT_TRUE(shown_.pending().empty());
  EXPECT_EQ(shown_.place(true).line, 0);  // there is no next call
  EXPECT_GT(shown_.place(false).line, 0);
  EXPECT_TRUE(shown_.step_name());
  EXPECT_FALSE(shown_.expected_failure(session->store().size()));  // no event
}

TEST_F(shown_run, that_is_a_recording_has_its_sources_once_they_are_taken) {
  const auto session = lab::session_of_past(kRecording);
  shown_.show_session(session, session->request().info);
  fold_all();
  shown_.show_recording(kRecording);
  EXPECT_EQ(shown_.session(), nullptr);
  EXPECT_TRUE(shown_.growing());
  EXPECT_TRUE(shown_.text().sources().empty());
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!shown_.recording()->done && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ASSERT_TRUE(shown_.recording()->done);
  EXPECT_FALSE(shown_.recording()->take());
  EXPECT_FALSE(shown_.growing());
  shown_.take_sources_of_recording();
  EXPECT_TRUE(shown_.files().empty());
  shown_.list_files();
  EXPECT_FALSE(shown_.files().empty());
  fold_all();
  EXPECT_EQ(shown_.cursor().known_calls(), session->store().calls());
  EXPECT_FALSE(shown_.ended());  // only a session ends
}

TEST_F(shown_run, another_one_begins_everything_anew) {
  const auto session = lab::session_of_past(kRecording);
  shown_.show_session(session, session->request().info);
  fold_all();
  const auto known = shown_.cursor().known_calls();
  EXPECT_FALSE(shown_.steps().starts(shown_.store(), known).empty());
  shown_.show_nothing();
  EXPECT_FALSE(shown_.any());
  EXPECT_EQ(shown_.cursor().moments(), 0u);
  EXPECT_TRUE(shown_.text().sources().empty());
  EXPECT_TRUE(shown_.steps().starts(shown_.store(), 0).empty());
}

TEST(sharing, ends_with_what_was_written_or_with_a_problem) {
  lab::ProblemList problems;
  lab::Sharing sharing(problems);
  EXPECT_FALSE(sharing.work());
  EXPECT_FALSE(sharing.take());
  const auto shared = [&](const std::filesystem::path& output) {
    lab::ShareRequest request;
    request.kind = lab::ShareKind::Recording;
    request.recording = kRecording;
    request.output = output;
    sharing.start(std::move(request));
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (sharing.busy() && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return sharing.take();
  };
  const auto file =
      std::filesystem::temp_directory_path() / ("driverlab_sharing_" + std::to_string(getpid()) + ".dlrec");
  EXPECT_TRUE(shared(file));
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_FALSE(sharing.take());  // once
  EXPECT_TRUE(problems.all().empty());
  std::filesystem::remove(file);
  EXPECT_FALSE(shared("/proc/nothing/run.dlrec"));
  EXPECT_EQ(problems.all().size(), 1u);
}

}  // namespace
