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

// A clang that does not end, for as long as this lives.
class SlowClang {
 public:
  SlowClang() : path_(testing::TempDir() + "nvrtc_slow_clang_" + std::to_string(getpid())) {
    std::filesystem::create_directory(temporary());
    if (const char* before = std::getenv("TMPDIR")) before_ = before;
    setenv("TMPDIR", temporary().c_str(), 1);
    std::ofstream(path_) << "#!/bin/sh\n[ \"$1\" = -dumpversion ] && echo 19 && exit\nexec sleep 1000\n";
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
    setenv("PTXCC_CLANG", path_.c_str(), 1);
  }
  ~SlowClang() {
    EXPECT_TRUE(std::filesystem::is_empty(temporary())) << "what the compiler wrote is still there";
    std::filesystem::remove_all(temporary());
    before_ ? setenv("TMPDIR", before_->c_str(), 1) : unsetenv("TMPDIR");
    unsetenv("PTXCC_CLANG");
    std::filesystem::remove(path_);
  }
  SlowClang(const SlowClang&) = delete;
  SlowClang& operator=(const SlowClang&) = delete;

 private:
  std::string temporary() const { return path_ + ".temporary"; }
  std::string path_;
  std::optional<std::string> before_;
};

TEST(NvrtcLimits, a_compiler_that_goes_on_for_ever_is_ended) {
  const SlowClang slow;
  setenv("DRIVERLAB_NVRTC_SECONDS", "1", 1);
  const Answer answer = ask(ours(), {});
  unsetenv("DRIVERLAB_NVRTC_SECONDS");
  EXPECT_EQ(answer.result, NVRTC_ERROR_COMPILATION);
  EXPECT_EQ(answer.log, "nvrtc: error: compiling took more than 1 seconds\n");
}

TEST(NvrtcLimits, a_callback_ends_a_compilation) {
  const SlowClang slow;
  nvrtcProgram program = nullptr;
  ASSERT_EQ(ours().create(&program, "", nullptr, 0, nullptr, nullptr), NVRTC_SUCCESS);
  int asked = 0;
  const auto callback = [](void* payload, void*) { return ++*static_cast<int*>(payload) >= 3 ? 1 : 0; };
  ASSERT_EQ(ours().set_callback(program, callback, &asked), NVRTC_SUCCESS);
  EXPECT_EQ(ours().compile(program, 0, nullptr), NVRTC_ERROR_CANCELLED);
  EXPECT_GE(asked, 3);
  ours().destroy(&program);
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
