// SPDX-License-Identifier: MIT
// Programs that end in ways nobody planned: each is named, and what was recorded before stays.
#include "fixture.hpp"

using lab_test::calls;
using lab_test::output;
using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

class SessionEnds : public lab_test::Programs {
 protected:
  std::unique_ptr<lab::Session> run_main(const std::string& body) {
    return run(
        "#include \"check.hpp\"\n#include <csignal>\n#include <thread>\n#include <unistd.h>\nint main() {\n" +
        body + "\n}\n");
  }
  static void expect_signal(const lab::Session& session, int signal, const std::string& name) {
    ASSERT_TRUE(session.end());
    EXPECT_EQ(session.end()->kind, trace::EndKind::Signal);
    EXPECT_EQ(session.end()->number, signal);
    EXPECT_THAT(session.end()->in(lab::Language::English), HasSubstr(name));
    EXPECT_THAT(session.end()->in(lab::Language::Chinese), HasSubstr(name));
  }
};

}  // namespace

TEST_F(SessionEnds, a_crash_is_named_and_keeps_what_came_before) {
  const auto session = run_main("check(cuInit(0)); std::puts(\"before\"); *(volatile int*)nullptr = 1;");
  ASSERT_TRUE(session);
  expect_signal(*session, SIGSEGV, "SIGSEGV");
  EXPECT_THAT(session->end()->in(lab::Language::English), HasSubstr("invalid memory reference"));
  EXPECT_EQ(session->end()->inside, "");
  EXPECT_THAT(calls(*session), ElementsAre("cuInit"));
  EXPECT_EQ(output(*session), "before\n");
}

TEST_F(SessionEnds, a_crash_inside_a_call_names_the_call) {
  // The driver writes the result to the given address.
  const auto session = run_main("check(cuInit(0)); int* out = (int*)16; cuDeviceGetCount(out);");
  ASSERT_TRUE(session);
  expect_signal(*session, SIGSEGV, "SIGSEGV");
  EXPECT_EQ(session->end()->inside, "cuDeviceGetCount");
  EXPECT_THAT(session->end()->in(lab::Language::English), HasSubstr("in cuDeviceGetCount"));
  EXPECT_THAT(session->end()->in(lab::Language::Chinese), HasSubstr("cuDeviceGetCount"));
  const trace::Event last_call =
      session->store().at(session->store().event_of_call(session->store().calls() - 1));
  EXPECT_EQ(last_call.name, "cuDeviceGetCount");
  EXPECT_FALSE(last_call.returned);
}

TEST_F(SessionEnds, abort_is_named) {
  const auto session = run_main("std::abort();");
  ASSERT_TRUE(session);
  expect_signal(*session, SIGABRT, "SIGABRT");
}

TEST_F(SessionEnds, exit_in_the_middle_is_an_ordinary_end) {
  const auto session =
      run_main("check(cuInit(0)); std::fputs(\"unfinished\", stdout); std::fflush(stdout); _exit(3);");
  ASSERT_TRUE(session);
  EXPECT_EQ(session->end()->kind, trace::EndKind::Exit);
  EXPECT_EQ(session->end()->number, 3);
  EXPECT_EQ(output(*session), "unfinished");
}

TEST_F(SessionEnds, closing_every_descriptor_loses_nothing) {
  const auto session = run_main(
      "check(cuInit(0)); std::puts(\"before\"); for (int fd = 0; fd < 1024; ++fd) close(fd); int n; "
      "check(cuDeviceGetCount(&n)); check(cuDriverGetVersion(&n)); return 5;");
  ASSERT_TRUE(session);
  EXPECT_THAT(calls(*session), ElementsAre("cuInit", "cuDeviceGetCount", "cuDriverGetVersion"));
  EXPECT_EQ(output(*session), "before\n");
  EXPECT_EQ(session->end()->kind, trace::EndKind::Exit);
  EXPECT_EQ(session->end()->number, 5);
}

TEST_F(SessionEnds, making_its_output_shorter_is_no_harm) {
  const auto session = run_main(
      "std::puts(\"long enough\"); check(cuInit(0)); if (ftruncate(1, 0) != 0) return 1; std::puts(\"x\"); "
      "int n; "
      "check(cuDeviceGetCount(&n)); return 0;");
  ASSERT_TRUE(session);
  EXPECT_EQ(session->end()->number, 0);
  EXPECT_EQ(calls(*session).size(), 2u);
}

TEST_F(SessionEnds, killing_its_supervisor_is_an_end_too) {
  const auto session = run_main("check(cuInit(0)); kill(getppid(), SIGKILL); for (;;) pause();");
  ASSERT_TRUE(session);
  expect_signal(*session, SIGKILL, "SIGKILL");
  EXPECT_THAT(calls(*session), ElementsAre("cuInit"));
}

TEST_F(SessionEnds, a_child_that_calls_the_driver_is_another_process) {
  const auto session = run_main(
      "check(cuInit(0)); if (fork() == 0) { int n; cuDriverGetVersion(&n); _exit(0); } usleep(300000); "
      "return 0;");
  ASSERT_TRUE(session);
  bool seen = false;
  for (std::size_t i = 0; i < session->store().size(); ++i) {
    const trace::Event event = session->store().at(i);
    if (event.kind == trace::EventKind::Call && event.name == "cuDriverGetVersion") {
      seen = true;
      EXPECT_NE(event.process, 0u);
    }
  }
  EXPECT_TRUE(seen);
}

TEST_F(SessionEnds, processes_that_go_on_behind_its_end_are_ended_and_counted) {
  const auto session = run_main(
      "check(cuInit(0)); int ready[2]; if (pipe(ready) != 0) return 1; if (fork() == 0) { setsid(); int n; "
      "for (int i = 0;; ++i) { cuDriverGetVersion(&n); if (i == 3 && write(ready[1], \"x\", 1) != 1) "
      "_exit(1); "
      "usleep(10000); } } char c; return read(ready[0], &c, 1) == 1 ? 0 : 2;");
  ASSERT_TRUE(session);
  EXPECT_EQ(session->end()->kind, trace::EndKind::Exit);
  EXPECT_EQ(session->end()->number, 0);
  EXPECT_EQ(session->end()->left_running, 1);
  EXPECT_GE(session->end()->calls_of_others, 4u);
  for (const lab::Language language : {lab::Language::English, lab::Language::Chinese})
    EXPECT_THAT(session->end()->in(language), HasSubstr(std::to_string(session->end()->calls_of_others)));
  const auto again = lab::end_of(session->store());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->in(lab::Language::English), session->end()->in(lab::Language::English));
}

TEST_F(SessionEnds, processes_that_end_soon_after_it_are_not_called_left) {
  const auto session = run_main("check(cuInit(0)); if (fork() == 0) { usleep(30000); _exit(0); } return 0;");
  ASSERT_TRUE(session);
  EXPECT_EQ(session->end()->left_running, 0);
  EXPECT_THAT(session->end()->in(lab::Language::English), testing::Not(HasSubstr("left running")));
}

TEST_F(SessionEnds, debug_information_that_ends_its_reader_costs_lines_and_nothing_else) {
  const std::string source =
      "#include \"check.hpp\"\nint main() { check(cuInit(0)); int n; check(cuDeviceGetCount(&n)); return 3; "
      "}\n";
  const auto whole = run(source);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->store().at(whole->store().event_of_call(0)).line, 2u);
  EXPECT_TRUE(whole->end()->unread.empty());
  installation.line_reader = folder.write("reader", "#!/bin/sh\nkill -SEGV $$\n");
  fs::permissions(installation.line_reader, fs::perms::owner_all);
  const auto session = run(source);
  ASSERT_TRUE(session);
  EXPECT_THAT(calls(*session), ElementsAre("cuInit", "cuDeviceGetCount"));
  EXPECT_EQ(session->store().at(session->store().event_of_call(0)).line, 0u);
  EXPECT_EQ(session->end()->number, 3);
  const std::string name = fs::path(session->request().command[0]).filename();
  for (const lab::Language language : {lab::Language::English, lab::Language::Chinese}) {
    EXPECT_THAT(session->end()->in(language), HasSubstr(name));
    EXPECT_THAT(whole->end()->in(language), testing::Not(HasSubstr(name)));
  }
  const auto again = lab::end_of(session->store());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->in(lab::Language::English), session->end()->in(lab::Language::English));
}

TEST_F(SessionEnds, what_an_end_says_further_is_bounded) {
  lab::RunEnd end;
  end.set_further("0\n" + std::string(1 << 20, 'x') + "\nb\nc\nd\ne");
  EXPECT_EQ(end.unread.size(), 5u);
  EXPECT_LT(end.in(lab::Language::English).size(), 1000u);
  end.set_further("");
  EXPECT_EQ(end.further(), "");
  end.left_running = 2;
  end.unread = {"a\nb"};
  lab::RunEnd again;
  again.set_further(end.further());
  EXPECT_EQ(again.left_running, 2);
  EXPECT_EQ(again.unread, std::vector<std::string>{"a b"});
}

TEST_F(SessionEnds, every_kind_of_end_has_a_sentence_in_both_languages) {
  using trace::EndKind;
  for (const EndKind kind : {EndKind::Exit, EndKind::Signal, EndKind::TimeLimit, EndKind::MemoryLimit,
                             EndKind::OutputLimit, EndKind::Killed, EndKind::TraceLost}) {
    for (const char* inside : {"", "cuInit"}) {
      const lab::RunEnd end{kind, 9, inside};
      const std::string english = end.in(lab::Language::English), chinese = end.in(lab::Language::Chinese);
      EXPECT_FALSE(english.empty());
      EXPECT_NE(english, chinese);
      EXPECT_EQ(english.find('{'), std::string::npos) << english;
      EXPECT_EQ(chinese.find('{'), std::string::npos) << chinese;
    }
  }
  for (int signal = 1; signal < 65; ++signal)
    EXPECT_FALSE((lab::RunEnd{EndKind::Signal, signal, ""}).in(lab::Language::Chinese).empty());
}
