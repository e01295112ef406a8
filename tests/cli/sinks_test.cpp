// SPDX-License-Identifier: MIT
// What is said at the end of a run whose recording had no room for all of its calls, and what the recording
// then holds.
#include "sinks.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include <unistd.h>

#include "trace/recording.hpp"

namespace cli {
namespace {

TEST(Sinks, that_a_recording_is_full_is_said_and_it_is_read_again) {
  trace::Store store;
  trace::RunInfo info;
  ASSERT_EQ(trace::read_recording(RECORDINGS "/h200_05_context_stack.dlrec", store, info).problem,
            trace::RecordingProblem::None);
  const std::string path =
      (std::filesystem::temp_directory_path() / ("driverlab_full_" + std::to_string(getpid()))).string();
  SinkOptions options;
  options.record = path;
  options.quiet = true;
  options.limits.events = store.size() / 2;
  for (const auto& [language, says] : {std::pair{lab::Language::English, "later calls are not in it"},
                                       std::pair{lab::Language::Chinese, "次调用不在其中"}}) {
    Shell shell;
    shell.language = language;
    testing::internal::CaptureStderr();
    {
      const auto sinks = Sinks::open(shell, options, store, info);
      ASSERT_TRUE(sinks);
      while ((*sinks)->take(10)) continue;
      (*sinks)->finish();
    }
    const std::string said = testing::internal::GetCapturedStderr();
    trace::Store kept;
    trace::RunInfo same;
    EXPECT_EQ(trace::read_recording(path, kept, same).problem, trace::RecordingProblem::None);
    EXPECT_GT(kept.calls(), 0u);
    ASSERT_LT(kept.calls(), store.calls());
    EXPECT_NE(said.find(says), std::string::npos) << said;
    EXPECT_NE(said.find(' ' + std::to_string(store.calls() - kept.calls()) + ' '), std::string::npos) << said;
    std::filesystem::remove(path);
  }
}

}  // namespace
}  // namespace cli
