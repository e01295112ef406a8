// SPDX-License-Identifier: MIT
// A traced program in which the N-th allocation, mapping or wait fails, for each N: the tracer inside loses
// records and counts them, and the program does what it does without it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "trace/live.hpp"

namespace trace::test {
namespace {

namespace fs = std::filesystem;
using Variables = std::vector<std::pair<std::string, std::string>>;

class Faults : public testing::Test {
 protected:
  Faults() : folder_(fs::temp_directory_path() / ("driverlab_faults_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~Faults() override { fs::remove_all(folder_); }

  struct Seen {
    bool failed = false;  // a call failed in it
    int status = 0;
    std::string out, err;
    std::uint64_t calls = 0, lost = 0;
  };

  std::string text_of(const char* name) const {
    std::ifstream in(folder_ / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  Seen run(const std::string& what, const std::string& number, const char* kind, int at, const char* how,
           bool hold = false) {
    Live::Options options;
    options.tracer = TRACER_FOLDER;
    options.backend = FAKE_DRIVER;
    options.mark_output = false;
    options.ring_bytes = 1 << 16;
    options.hold = hold;
    std::string error;
    const auto live = Live::create(options, &error);
    EXPECT_NE(live, nullptr) << error;
    fs::remove(folder_ / "said");
    const pid_t child = fork();
    if (child == 0) {
      for (const auto& [name, value] : live->environment()) setenv(name.c_str(), value.c_str(), 1);
      for (const auto& [name, value] : Variables{{"LD_PRELOAD", FAIL_NTH},
                                                 {"FAIL_EARLY", "1"},
                                                 {"FAIL_PROGRAM", fs::path(TRACED_PROGRAM).filename()},
                                                 {"FAIL_KIND", kind},
                                                 {"FAIL_AT", std::to_string(at)},
                                                 {"FAIL_HOW", how},
                                                 {"FAIL_SAID", folder_ / "said"}})
        setenv(name.c_str(), value.c_str(), 1);
      dup2(open((folder_ / "out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
      dup2(open((folder_ / "err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
      execl(TRACED_PROGRAM, TRACED_PROGRAM, what.c_str(), number.c_str(), nullptr);
      _exit(127);
    }
    Seen seen;
    Store store;
    while (waitpid(child, &seen.status, WNOHANG) == 0) {
      live->poll(store);
      for (const Pending& call : live->pending())
        if (call.held) live->step(call.thread);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    live->finish(store);
    for (std::size_t i = 0; i < store.size(); ++i) {
      if (store.kind_at(i) == EventKind::Call) ++seen.calls;
      if (store.kind_at(i) == EventKind::Lost) seen.lost += store.at(i).number;
    }
    seen.failed = at > 0 && fs::exists(folder_ / "said");
    seen.out = text_of("out");
    seen.err = text_of("err");
    return seen;
  }

  // Until a run ends in which no call failed. The fake driver and `what` need no memory themselves.
  void hold(const std::string& what, const std::string& number, const char* kind, const char* how,
            bool held = false) {
    const Seen sound = run(what, number, kind, 0, how, held);
    ASSERT_EQ(sound.status, 0) << sound.err;
    ASSERT_GT(sound.calls, 0u);
    int failed = 0;
    for (bool more = true; more && failed < kMost; failed += more ? 1 : 0) {
      const Seen seen = run(what, number, kind, failed + 1, how, held);
      more = seen.failed;
      SCOPED_TRACE(testing::Message() << kind << " " << failed + 1 << ", " << how << ": " << seen.err);
      const auto says = [&seen](const char* words) { return seen.err.find(words) != std::string::npos; };
      if (says("cannot allocate memory for thread-local data")) continue;  // the C library gives up itself
      EXPECT_EQ(seen.status, 0);
      if (!says("no CUDA driver behind the tracer")) {
        EXPECT_EQ(seen.out, sound.out);
      }
      if (!says("this program runs untraced")) {
        EXPECT_EQ(seen.calls + seen.lost, sound.calls);
      }
    }
    EXPECT_GT(failed, 0) << "none failed: nothing was tried";
  }

  static constexpr int kMost = 60;
  fs::path folder_;
};

TEST_F(Faults, allocations_that_fail_cost_the_program_nothing) {
  hold("linked", "", "memory", "12");
}

TEST_F(Faults, mappings_that_fail_leave_the_program_untraced_and_say_so) {
  hold("linked", "", "map", "12");
  EXPECT_THAT(run("linked", "", "map", 1, "12+").err, testing::HasSubstr("this program runs untraced"));
}

TEST_F(Faults, waits_that_end_early_lose_no_call) {
  for (const char* how : {"4", "11", "4+"}) hold("linked", "", "wait", how, true);
}

}  // namespace
}  // namespace trace::test
