// SPDX-License-Identifier: MIT
// What is said at the end of a run whose recording had no room for all of its calls, and what the recording
// then holds.
#include "sinks.hpp"
#include "runner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include <unistd.h>

#include "trace/recording.hpp"

namespace cli {
namespace {

std::uint64_t output_bytes(const trace::Store& store) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < store.size(); ++i)
    if (store.kind_at(i) == trace::EventKind::Output) bytes += store.at(i).text.size();
  return bytes;
}

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
  for (const auto& [language, says] : {std::pair{lab::Language::English, std::string("later calls and ")},
                                       std::pair{lab::Language::Chinese, std::string("次调用和 ")}}) {
    Shell shell;
    shell.language = language;
    testing::internal::CaptureStderr();
    {
      auto sinks = Sinks::open(shell, options, store, info);
      ASSERT_TRUE(sinks);
      while ((*sinks)->take(10)) continue;
      (*sinks)->finish();
      EXPECT_TRUE((*sinks)->it_failed());
      Followed run;
      run.sinks = std::move(*sinks);
      EXPECT_EQ(status_of(run), kUsage);
      run.end.number = 5;
      EXPECT_EQ(status_of(run), 5) << "the program's own status comes first";
    }
    const std::string said = testing::internal::GetCapturedStderr();
    trace::Store kept;
    trace::RunInfo same;
    EXPECT_EQ(trace::read_recording(path, kept, same).problem, trace::RecordingProblem::None);
    EXPECT_GT(kept.calls(), 0u);
    ASSERT_LT(kept.calls(), store.calls());
    EXPECT_NE(said.find(' ' + std::to_string(store.calls() - kept.calls()) + ' '), std::string::npos) << said;
    const std::uint64_t bytes = output_bytes(store) - output_bytes(kept);
    EXPECT_NE(said.find(says + std::to_string(bytes) + ' '), std::string::npos) << said;
    std::filesystem::remove(path);
  }
}

TEST(Sinks, zeros_that_the_program_did_not_write_are_one_line) {
  trace::Store store;
  trace::Event output;
  output.kind = trace::EventKind::Output;
  output.number = 1;
  for (const auto& [text, zeros] :
       {std::pair{"one, ", 0ull}, std::pair{"", 8589934592ull}, std::pair{"two\n", 0ull}}) {
    output.text = text;
    output.zeros = zeros;
    store.append(output);
  }
  for (const auto& [language, says] :
       {std::pair{lab::Language::English, "[8589934592 bytes of zeros that the program did not write]"},
        std::pair{lab::Language::Chinese, "[8589934592 个零字节，并非程序所写]"}}) {
    Shell shell;
    shell.language = language;
    testing::internal::CaptureStdout();
    const auto sinks = Sinks::open(shell, {}, store, {});
    ASSERT_TRUE(sinks);
    (*sinks)->finish();
    const std::string said = testing::internal::GetCapturedStdout();
    const std::size_t begin = said.find("one"), zeros = said.find(says), end = said.find("two");
    EXPECT_TRUE(begin < zeros && zeros < end && end != std::string::npos) << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 3) << said;
  }
}

// A program whose last calls were recorded, and whose output found no room behind them.
TEST(Sinks, that_only_output_found_no_room_is_a_failure_too) {
  trace::Store store;
  trace::Event output;
  output.kind = trace::EventKind::Output;
  output.number = 1;
  output.text = "a line\n";
  for (int i = 0; i < 20; ++i) store.append(output);
  const std::string path =
      (std::filesystem::temp_directory_path() / ("driverlab_full_" + std::to_string(getpid()))).string();
  SinkOptions options;
  options.record = path;
  options.walk = false;
  for (const bool full : {true, false}) {
    if (!full) options.limits = {};
    if (full) options.limits.events = 15;
    const Shell shell;
    testing::internal::CaptureStderr();
    const auto sinks = Sinks::open(shell, options, store, {});
    ASSERT_TRUE(sinks);
    (*sinks)->finish();
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ((*sinks)->it_failed(), full);
    EXPECT_EQ(said.find("0 later calls and ") != std::string::npos, full) << said;
    std::filesystem::remove(path);
  }
}

}  // namespace
}  // namespace cli
