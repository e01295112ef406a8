// SPDX-License-Identifier: MIT
// Limits on time, memory, output and processes: reached, each ends the run with everything recorded so far,
// and nothing of it stays behind.
#include <signal.h>
#include <sys/wait.h>

#include <sstream>

#include "fixture.hpp"

using lab_test::calls;
using lab_test::eventually;
using lab_test::output;

namespace {

class SessionLimits : public lab_test::Programs {
 protected:
  static void expect_end(const lab::Session& session, trace::EndKind kind, int number) {
    ASSERT_TRUE(session.end());
    EXPECT_EQ(session.end()->kind, kind) << session.end()->in(lab::Language::English);
    EXPECT_EQ(session.end()->number, number);
    const std::string english = session.end()->in(lab::Language::English);
    const std::string chinese = session.end()->in(lab::Language::Chinese);
    EXPECT_NE(english, chinese);
    const trace::Event last = session.store().at(session.store().size() - 1);
    EXPECT_EQ(last.kind, trace::EventKind::ProcessEnd);
    EXPECT_EQ(last.end, kind);
  }
  // The process ids that a program printed, one a line.
  static std::vector<pid_t> printed_ids(const lab::Session& session) {
    std::vector<pid_t> ids;
    std::istringstream words(output(session));
    for (pid_t id = 0; words >> id;) ids.push_back(id);
    return ids;
  }
  static bool gone(pid_t id) { return ::kill(id, 0) != 0; }
};

}  // namespace

TEST_F(SessionLimits, an_endless_loop_is_stopped_by_the_time_limit) {
  lab::RunRequest request = request_for(
      "#include \"check.hpp\"\nint main() { cuInit(0); for (volatile int i = 0;;) "
      "i = i + 1; }\n");
  request.limits.seconds = 0.5;
  const auto session = run(request);
  ASSERT_TRUE(session);
  expect_end(*session, trace::EndKind::TimeLimit, 1);
  EXPECT_THAT(calls(*session), testing::ElementsAre("cuInit"));
}

TEST_F(SessionLimits, time_held_does_not_count) {
  lab::RunRequest request = request_for("#include \"check.hpp\"\nint main() { cuInit(0); }\n");
  request.limits.seconds = 0.4;
  request.hold = true;
  const auto session = start(request);
  ASSERT_TRUE(session);
  ASSERT_TRUE(eventually([&] { return !session->pending().empty(); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(1000));
  EXPECT_TRUE(session->running());
  session->run_on();
  session->wait();
  expect_end(*session, trace::EndKind::Exit, 0);
}

TEST_F(SessionLimits, a_program_that_ignores_signals_is_stopped_all_the_same) {
  lab::RunRequest request = request_for(
      "#include <csignal>\n#include <unistd.h>\nint main() { for (int i = 1; i < 32; ++i) std::signal(i, "
      "SIG_IGN); "
      "for (;;) pause(); }\n");
  request.limits.seconds = 0.3;
  expect_end(*run(request), trace::EndKind::TimeLimit, 1);
}

TEST_F(SessionLimits, memory_without_end_is_stopped) {
  lab::RunRequest request = request_for(
      "#include \"check.hpp\"\n#include <vector>\n#include <unistd.h>\nint main() { cuInit(0); "
      "std::vector<std::vector"
      "<char>> all; for (;;) { all.emplace_back(8 << 20, 'x'); usleep(5000); } }\n");
  request.limits.memory_bytes = 200 << 20;
  const auto session = run(request);
  ASSERT_TRUE(session);
  expect_end(*session, trace::EndKind::MemoryLimit, 200);
  EXPECT_EQ(calls(*session).size(), 1u);
}

TEST_F(SessionLimits, memory_of_its_children_counts_too) {
  lab::RunRequest request = request_for(
      "#include <sys/mman.h>\n#include <unistd.h>\n#include <cstring>\nint main() { for (int i = 0; i < 4; "
      "++i) if "
      "(fork() == 0) { std::size_t n = 80 << 20; void* p = mmap(nullptr, n, 3, MAP_PRIVATE | MAP_ANONYMOUS, "
      "-1, 0); "
      "std::memset(p, 1, n); for (;;) pause(); } for (;;) pause(); }\n");
  request.limits.memory_bytes = 200 << 20;
  expect_end(*run(request), trace::EndKind::MemoryLimit, 200);
}

TEST_F(SessionLimits, a_gigabyte_of_output_is_stopped_and_its_beginning_kept) {
  lab::RunRequest request = request_for(
      "#include \"check.hpp\"\nint main() { cuInit(0); for (long i = 0; i < 1L << 24; ++i) "
      "std::printf(\"%063ld\\n\", "
      "i); }\n");
  request.limits.output_bytes = 1 << 20;
  const auto session = run(request);
  ASSERT_TRUE(session);
  expect_end(*session, trace::EndKind::OutputLimit, 1);
  const std::string printed = output(*session);
  EXPECT_EQ(printed.size(), 1u << 20);
  EXPECT_EQ(printed.substr(0, 64), std::string(63, '0') + "\n");
}

TEST_F(SessionLimits, fifty_children_that_sleep_are_all_gone_afterwards) {
  const auto session = run(R"(#include <cstdio>
#include <unistd.h>
int main() {
  for (int i = 0; i < 50; ++i) {
    const int child = fork();
    if (child == 0) {
      sleep(1000);
      _exit(0);
    }
    std::printf("%d\n", child);
  }
}
)");
  ASSERT_TRUE(session);
  expect_end(*session, trace::EndKind::Exit, 0);
  const auto ids = printed_ids(*session);
  EXPECT_EQ(ids.size(), 50u);
  for (const pid_t id : ids) EXPECT_TRUE(gone(id)) << id;
}

TEST_F(SessionLimits, a_grandchild_that_left_the_session_is_gone_too) {
  const auto session = run(R"(#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>
int main() {
  const int child = fork();
  if (child == 0) {
    setsid();
    const int grandchild = fork();
    if (grandchild == 0) {
      setpgid(0, 0);
      sleep(1000);
      _exit(0);
    }
    std::printf("%d\n", grandchild);
    std::fflush(stdout);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
}
)");
  ASSERT_TRUE(session);
  const auto ids = printed_ids(*session);
  ASSERT_EQ(ids.size(), 1u);
  EXPECT_TRUE(gone(ids[0]));
}

TEST_F(SessionLimits, a_fork_bomb_is_stopped) {
  lab::RunRequest request = request_for(
      "#include <unistd.h>\nint main() { usleep(1000); for (;;) { if (fork() < 0) usleep(1000); "
      "usleep(3000); } }\n");
  request.limits.seconds = 100;  // the limit of processes is what ends it, however busy the machine is
  const auto session = run(request);
  ASSERT_TRUE(session);
  expect_end(*session, trace::EndKind::Killed, 1024);
  EXPECT_THAT(session->end()->in(lab::Language::English), testing::HasSubstr("1024"));
}

TEST_F(SessionLimits, stopping_is_an_end_too) {
  const auto session = start(request_for("#include <unistd.h>\nint main() { for (;;) pause(); }\n"));
  ASSERT_TRUE(session);
  session->stop();
  session->wait();
  expect_end(*session, trace::EndKind::Killed, 0);
}

TEST_F(SessionLimits, when_the_lab_is_killed_the_program_goes) {
  const lab::RunRequest request = request_for(
      "#include <cstdio>\n#include <unistd.h>\nint main() { std::printf(\"%d\\n\", getpid()); "
      "std::fflush(stdout); "
      "for (;;) pause(); }\n");
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t another_lab = ::fork();
  if (another_lab == 0) {
    auto session = lab::Session::start(request, installation);
    if (!session || !eventually([&] { return !output(**session).empty(); })) ::_exit(1);
    const int id = std::stoi(output(**session));
    if (::write(ends[1], &id, sizeof id) != sizeof id) ::_exit(1);
    for (;;) ::pause();
  }
  pid_t program = 0;
  ASSERT_EQ(::read(ends[0], &program, sizeof program), static_cast<ssize_t>(sizeof program));
  EXPECT_FALSE(gone(program));
  ::kill(another_lab, SIGKILL);
  ::waitpid(another_lab, nullptr, 0);
  EXPECT_TRUE(eventually([&] { return gone(program); }));
  ::close(ends[0]);
  ::close(ends[1]);
}
