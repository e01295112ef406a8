// SPDX-License-Identifier: MIT
// What a compiler may not do to a program: go on for ever, be seen as its child, go on when nobody wants it.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "support.hpp"

namespace {

// A replacement for clang, as long as this object exists: the version that it prints, and what it does
// instead.
class StandInClang {
 public:
  StandInClang(const std::string& version, const std::string& instead)
      : path_(testing::TempDir() + "nvrtc_stand_in_" + std::to_string(getpid())) {
    std::filesystem::create_directory(temporary());
    if (const char* before = std::getenv("TMPDIR")) before_ = before;
    setenv("TMPDIR", temporary().c_str(), 1);
    std::ofstream(path_) << "#!/bin/sh\n[ \"$1\" = -dumpversion ] && echo " << version << " && exit\n"
                         << "[ \"$1\" = '-###' ] && exit\n"
                         << instead << "\n";
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
    setenv("PTXCC_CLANG", path_.c_str(), 1);
  }
  ~StandInClang() {
    EXPECT_TRUE(std::filesystem::is_empty(temporary())) << "what the compiler wrote is still there";
    std::filesystem::remove_all(temporary());
    before_ ? setenv("TMPDIR", before_->c_str(), 1) : unsetenv("TMPDIR");
    unsetenv("PTXCC_CLANG");
    std::filesystem::remove(path_);
  }
  StandInClang(const StandInClang&) = delete;
  StandInClang& operator=(const StandInClang&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string temporary() const { return path_ + ".temporary"; }
  std::string path_;
  std::optional<std::string> before_;
};

TEST(NvrtcLimits, a_compiler_that_goes_on_for_ever_is_ended) {
  const StandInClang slow("19", "exec sleep 1000");
  setenv("DRIVERLAB_NVRTC_SECONDS", "1", 1);
  const Answer answer = ask(ours(), {});
  unsetenv("DRIVERLAB_NVRTC_SECONDS");
  EXPECT_EQ(answer.result, NVRTC_ERROR_COMPILATION);
  EXPECT_EQ(answer.log, "nvrtc: error: compiling took more than 1 seconds\n");
}

TEST(NvrtcLimits, a_callback_ends_a_compilation) {
  const StandInClang slow("19", "exec sleep 1000");
  nvrtcProgram program = nullptr;
  ASSERT_EQ(ours().create(&program, "", nullptr, 0, nullptr, nullptr), NVRTC_SUCCESS);
  int asked = 0;
  const auto callback = [](void* payload, void*) { return ++*static_cast<int*>(payload) >= 3 ? 1 : 0; };
  ASSERT_EQ(ours().set_callback(program, callback, &asked), NVRTC_SUCCESS);
  EXPECT_EQ(ours().compile(program, 0, nullptr), NVRTC_ERROR_CANCELLED);
  EXPECT_GE(asked, 3);
  ours().destroy(&program);
}

TEST(NvrtcLimits, a_compiler_that_crashes_is_told_in_one_line) {
  const StandInClang crashing(
      "19.1.7",
      "printf 'PLEASE submit a bug report\\nStack dump:\\n1.\\tmine.cu:7:3: parsing\\n' >&2\n"
      "kill -SEGV $$");
  const Answer answer = ask(ours(), {});
  EXPECT_EQ(answer.result, NVRTC_ERROR_INTERNAL_ERROR);
  EXPECT_EQ(answer.log.rfind("ptxcc: mine.cu:7: clang 19 crashed here", 0), 0u) << answer.log;
  EXPECT_EQ(answer.log.find('\n') + 1, answer.log.size()) << answer.log;
}

TEST(NvrtcLimits, a_compiler_of_another_version_is_refused_in_the_users_language) {
  const StandInClang older("14.0.6", "exit 0");
  EXPECT_EQ(ask(ours(), {}).log,
            "ptxcc: PTXCC_CLANG names '" + older.path() +
                "', which is version 14, but clang 19 is needed; unset it, or name a clang "
                "19 (sudo apt-get install clang-19)\n");
  setenv("LC_ALL", "zh_CN.UTF-8", 1);
  const Answer chinese = ask(ours(), {});
  unsetenv("LC_ALL");
  EXPECT_EQ(chinese.result, NVRTC_ERROR_INTERNAL_ERROR);
  EXPECT_NE(chinese.log.find("需要 clang 19"), std::string::npos) << chinese.log;
}

TEST(NvrtcLimits, a_missing_compiler_is_told_with_the_remedy) {
  setenv("PTXCC_CLANG", "no-such-clang", 1);
  const Answer answer = ask(ours(), {});
  unsetenv("PTXCC_CLANG");
  EXPECT_EQ(answer.result, NVRTC_ERROR_INTERNAL_ERROR);
  EXPECT_NE(answer.log.find("sudo apt-get install clang-19"), std::string::npos) << answer.log;
}

volatile std::sig_atomic_t signals = 0;

TEST(NvrtcLimits, the_program_does_not_see_the_compiler_as_its_child) {
  struct sigaction action = {}, before = {};
  action.sa_handler = [](int) { signals = signals + 1; };
  sigaction(SIGCHLD, &action, &before);
  const Answer answer = ask(ours(), {"__global__ void seen(int* p) { *p = 1; }", {"-no-cache"}});
  EXPECT_EQ(answer.result, NVRTC_SUCCESS) << answer.log;
  EXPECT_EQ(wait(nullptr), -1);
  EXPECT_EQ(errno, ECHILD);
  EXPECT_EQ(signals, 0);
  sigaction(SIGCHLD, &before, nullptr);
}

}  // namespace
