// SPDX-License-Identifier: MIT
// A run from start to end: calls, lines, output between the calls, holding and stepping.
#include "lab/session.hpp"

#include <atomic>

#include "fixture.hpp"

using lab_test::calls;
using lab_test::eventually;
using lab_test::output;
using testing::ElementsAre;

namespace {

constexpr const char* kThreeCalls = R"(#include "check.hpp"
int main() {
  int n = 0;
  check(cuInit(0));
  std::puts("after init");
  check(cuDeviceGetCount(&n));
  std::fputs("to stderr\n", stderr);
  check(cuDriverGetVersion(&n));
  std::puts("the end");
}
)";

class Session : public lab_test::Programs {
 protected:
  // Calls and pieces of output in the order in which the store has them.
  static std::vector<std::string> order(const lab::Session& session) {
    std::vector<std::string> found;
    bool writing = false;  // what is written between two calls may be seen in pieces
    for (std::size_t i = 0; i < session.store().size(); ++i) {
      const trace::Event event = session.store().at(i);
      const bool output = event.kind == trace::EventKind::Output;
      if (event.kind == trace::EventKind::Call) found.emplace_back(event.name);
      if (output && writing) found.back() += event.text;
      if (output && !writing) found.push_back(event.text);
      writing = output;
    }
    return found;
  }
  static const trace::Pending* held(const std::vector<trace::Pending>& pending) {
    for (const trace::Pending& call : pending)
      if (call.held) return &call;
    return nullptr;
  }
  static std::string wait_until_held(const lab::Session& session) {
    std::string name;
    EXPECT_TRUE(eventually([&] {
      const auto pending = session.pending();
      const trace::Pending* call = held(pending);
      if (call != nullptr) name = std::string(call->call.name);
      return call != nullptr;
    }));
    return name;
  }
};

}  // namespace

TEST_F(Session, records_every_call_and_its_line) {
  const auto session = run(kThreeCalls);
  ASSERT_TRUE(session);
  EXPECT_THAT(calls(*session), ElementsAre("cuInit", "cuDeviceGetCount", "cuDriverGetVersion"));
  for (std::size_t i = 0; i < session->store().size(); ++i) {
    const trace::Event event = session->store().at(i);
    if (event.kind != trace::EventKind::Call) continue;
    EXPECT_EQ(event.file, "main.cpp");
    EXPECT_EQ(event.line, event.name == "cuInit" ? 4u : event.name == "cuDeviceGetCount" ? 6u : 8u);
    EXPECT_EQ(event.result, 0);
  }
}

TEST_F(Session, output_stands_between_the_calls) {
  const auto session = run(kThreeCalls);
  ASSERT_TRUE(session);
  EXPECT_THAT(order(*session), ElementsAre("cuInit", "after init\n", "cuDeviceGetCount", "to stderr\n",
                                           "cuDriverGetVersion", "the end\n"));
}

TEST_F(Session, the_end_is_the_last_event) {
  const auto session = run("int main() { return 7; }\n");
  ASSERT_TRUE(session);
  EXPECT_FALSE(session->running());
  const trace::Event last = session->store().at(session->store().size() - 1);
  EXPECT_EQ(last.kind, trace::EventKind::ProcessEnd);
  EXPECT_EQ(last.end, trace::EndKind::Exit);
  EXPECT_EQ(last.number, 7u);
  EXPECT_EQ(session->end()->in(lab::Language::English), "ended with exit status 7");
}

TEST_F(Session, holds_before_the_first_call_and_steps_one_by_one) {
  lab::RunRequest request = request_for(kThreeCalls);
  request.hold = true;
  const auto session = start(request);
  ASSERT_TRUE(session);
  EXPECT_EQ(wait_until_held(*session), "cuInit");
  EXPECT_TRUE(calls(*session).empty());
  for (const char* next : {"cuDeviceGetCount", "cuDriverGetVersion"}) {
    const std::size_t before = session->store().calls();
    session->step_any();
    EXPECT_TRUE(eventually([&] { return session->store().calls() == before + 1; }));
    EXPECT_TRUE(eventually([&] {
      const auto pending = session->pending();
      return held(pending) != nullptr && held(pending)->call.name == next;
    }));
  }
  const auto pending = session->pending();
  ASSERT_EQ(pending.size(), 1u);
  EXPECT_EQ(pending[0].call.line, 8u);
  session->step(pending[0].thread);
  session->wait();
  EXPECT_EQ(session->store().calls(), 3u);
  EXPECT_TRUE(session->pending().empty());
}

TEST_F(Session, runs_on_after_a_hold) {
  lab::RunRequest request = request_for(kThreeCalls);
  request.hold = true;
  const auto session = start(request);
  ASSERT_TRUE(session);
  wait_until_held(*session);
  session->run_on();
  session->wait();
  EXPECT_EQ(session->end()->kind, trace::EndKind::Exit);
  EXPECT_EQ(session->store().calls(), 3u);
}

TEST_F(Session, is_held_in_the_middle_of_a_loop) {
  const auto session =
      start(request_for("#include \"check.hpp\"\nint main() { int v; for (;;) cuDriverGetVersion(&v); }\n"));
  ASSERT_TRUE(session);
  ASSERT_TRUE(eventually([&] { return session->store().calls() > 100; }));
  session->hold();
  EXPECT_EQ(wait_until_held(*session), "cuDriverGetVersion");
  const std::size_t calls_then = session->store().calls();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(session->store().calls(), calls_then);
  session->stop();
  session->wait();
}

TEST_F(Session, a_loop_of_calls_loses_none) {
  const auto session =
      run("#include \"check.hpp\"\nint main() { int v; for (int i = 0; i < 200000; ++i) "
          "cuDriverGetVersion(&v); }\n");
  ASSERT_TRUE(session);
  EXPECT_EQ(session->store().calls(), 200000u);
}

TEST_F(Session, tells_of_the_end_and_of_what_came_before) {
  const auto session = start(request_for(kThreeCalls));
  ASSERT_TRUE(session);
  std::atomic<int> told = 0;
  std::atomic<bool> end_told = false;
  session->set_on_change([&, s = session.get()] {
    ++told;
    if (!s->running()) end_told = true;
  });
  session->wait();
  EXPECT_TRUE(eventually([&] { return end_told.load(); }));
  EXPECT_GE(told, 1);
}

TEST_F(Session, tells_of_the_end_to_one_who_comes_late) {
  const auto session = run(kThreeCalls);
  ASSERT_TRUE(session);
  bool end_told = false;
  session->set_on_change([&, s = session.get()] { end_told = !s->running(); });
  EXPECT_TRUE(end_told);
}

TEST_F(Session, destroying_it_ends_the_program) {
  pid_t program = 0;
  {
    const auto session =
        start(request_for("#include \"check.hpp\"\n#include <unistd.h>\nint main() { cuInit(0); "
                          "std::printf(\"%d\\n\", getpid()); "
                          "std::fflush(stdout); sleep(1000); }\n"));
    ASSERT_TRUE(session);
    ASSERT_TRUE(eventually([&] { return !output(*session).empty(); }));
    program = std::stoi(output(*session));
    EXPECT_EQ(::kill(program, 0), 0);
  }
  EXPECT_NE(::kill(program, 0), 0);
}

TEST_F(Session, two_runs_at_once_do_not_mix) {
  const lab::RunRequest request = request_for(kThreeCalls);
  const auto first = start(request), second = start(request);
  ASSERT_TRUE(first && second);
  first->wait();
  second->wait();
  EXPECT_EQ(first->store().calls(), 3u);
  EXPECT_EQ(second->store().calls(), 3u);
  EXPECT_EQ(output(*first), output(*second));
}

TEST_F(Session, stdin_is_empty) {
  const auto session = run("#include <cstdio>\nint main() { return std::getchar() == EOF ? 0 : 1; }\n");
  ASSERT_TRUE(session);
  EXPECT_EQ(session->end()->number, 0);
}

TEST_F(Session, a_program_that_is_not_there_is_named) {
  lab::RunRequest request;
  request.driver = driver;
  for (const char* name : {"no-such-program-anywhere", "/nowhere/program", "/etc/passwd", "/tmp"}) {
    request.command = {name};
    const auto session = lab::Session::start(request, installation);
    ASSERT_FALSE(session) << name;
    lab_test::expect_in_both(session.error(), name);
  }
  request.command.clear();
  EXPECT_FALSE(lab::Session::start(request, installation));
}

TEST_F(Session, a_file_that_is_no_program_is_named_with_the_reason) {
  const auto file = folder.write("program", "\x01\x02 no program");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  lab::RunRequest request;
  request.driver = driver;
  request.command = {file.string()};
  const auto session = lab::Session::start(request, installation);
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().key, lab::Text::ProgramNotStarted);
  lab_test::expect_in_both(session.error(), file.string());
}

TEST_F(Session, without_a_driver_library_says_so) {
  lab::RunRequest request = request_for(kThreeCalls);
  request.driver.library = folder.path() / "libcuda.so.1";
  const auto session = lab::Session::start(request, installation);
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().key, lab::Text::DriverLibraryMissing);
  lab_test::expect_in_both(session.error(), request.driver.library.string());
}

TEST_F(Session, without_the_tracer_says_how_to_make_it) {
  const lab::RunRequest request = request_for(kThreeCalls);
  installation.tracer = folder.path();
  const auto session = lab::Session::start(request, installation);
  ASSERT_FALSE(session);
  lab_test::expect_in_both(session.error(), "`tools/lab`");
}
