// SPDX-License-Identifier: MIT
// A session through a launcher is a session: it is held, stepped, stopped at lines, and ended from here.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "lab/remote.hpp"
#include "lab/session.hpp"
#include "lab/version.hpp"
#include "run/remote_impl.hpp"

namespace {

constexpr const char* kProgram = R"(#include "check.hpp"
int main() {
  check(cuInit(0));
  CUdevice device = 0;
  check(cuDeviceGet(&device, 0));
  CUcontext context = nullptr;
  check(create_context(&context, 0, device));
  check(cuCtxDestroy(context));
}
)";

constexpr const char* kManyCalls = R"(#include <cstdio>
#include <cstdlib>
#include "check.hpp"
int main() {
  for (const char* name : {"LD_PRELOAD", "DRIVERLAB_LANGUAGE"}) {
    const char* value = std::getenv(name);
    std::printf("%s=%s\n", name, value ? value : "nothing");
  }
  check(cuInit(0));
  int count = 0;
  for (int i = 0; i < 50000; ++i) check(cuDeviceGetCount(&count));
}
)";

class RemoteSession : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("DRIVERLAB_REMOTE", VIA_TEST_DRIVERLAB, 1);
    char name[] = "/tmp/remote_session_XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    folder_ = name;
    ::setenv("TMPDIR", (folder_ / "scratch").c_str(), 1);
    std::filesystem::create_directory(folder_ / "scratch");
    installation_ = lab::find_installation().value();
    lesson_ = lab::read_catalogue(installation_.lessons).find("3").value();
    lesson_.kernels.clear();
    for (const std::string& file : lesson_.files()) std::ofstream(folder_ / file) << "";
    std::ofstream(folder_ / lesson_.sources.front()) << kProgram;
  }
  void TearDown() override {
    EXPECT_TRUE(eventually([this] { return std::filesystem::is_empty(folder_ / "scratch"); }))
        << "something stayed over there";
    std::filesystem::remove_all(folder_);
    ::unsetenv("TMPDIR");
  }

  template <class Condition>
  static bool eventually(Condition condition) {
    for (int i = 0; i < 12000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  std::unique_ptr<lab::Session> start(bool hold) {
    lab::RunRequest request;
    request.hold = hold;
    return start(std::move(request));
  }
  std::unique_ptr<lab::Session> start(lab::RunRequest request) {
    const auto remote = lab::Remote::connect({"env"});
    if (!remote) return ADD_FAILURE() << remote.error().in(lab::Language::English), nullptr;
    const lab::BuildResult built = (*remote)->build(lesson_, folder_, lab::DriverChoice::Embedded);
    if (!built.ok) return ADD_FAILURE() << built.output, nullptr;
    EXPECT_NE((*remote)->driver().description, "");
    request.remote = *remote;
    auto session = lab::Session::start(request, installation_);
    if (!session) return ADD_FAILURE() << session.error().in(lab::Language::English), nullptr;
    return std::move(*session);
  }

  static std::string held(const lab::Session& session) {
    for (const trace::Pending& call : session.pending())
      if (call.held) return std::string(call.call.name) + ":" + std::to_string(call.call.line);
    return {};
  }

  std::filesystem::path folder_;
  lab::Installation installation_;
  lab::Lesson lesson_;
};

TEST_F(RemoteSession, what_is_asked_of_the_tracer_is_asked_over_there) {
  std::ofstream(folder_ / lesson_.sources.front()) << kManyCalls;
  lab::RunRequest request;
  request.stacks = request.preload = true;
  request.language = lab::Language::Chinese;
  request.trace_bytes = std::size_t{1} << 20;
  const auto session = start(std::move(request));
  ASSERT_TRUE(session);
  session->wait();
  std::uint64_t lost = 0;
  std::string said, stack;
  const trace::Store& store = session->store();
  for (std::size_t i = 0; i < store.size(); ++i) {
    const trace::Event event = store.at(i);
    if (event.kind == trace::EventKind::Lost) lost += event.number;
    if (event.kind == trace::EventKind::Output) said += event.text;
    if (event.kind == trace::EventKind::Stack) stack = event.text;
  }
  EXPECT_NE(said.find("libcuda.so.1"), std::string::npos) << "LD_PRELOAD there: " << said;
  EXPECT_NE(said.find("DRIVERLAB_LANGUAGE=zh"), std::string::npos) << said;
  EXPECT_NE(stack.find("main"), std::string::npos) << "the last stack: " << stack;
  EXPECT_GT(lost, 0u);
  EXPECT_GT(store.calls(), 1000u);
  EXPECT_EQ(store.calls() + lost, 50'001u);
  EXPECT_EQ(session->interception().kind, lab::Interception::Kind::LibraryPath);
}

TEST_F(RemoteSession, it_is_held_and_stepped_call_by_call) {
  const auto session = start(true);
  ASSERT_TRUE(session);
  for (const char* wanted : {"cuInit:3", "cuDeviceGet:5", "cuCtxCreate:7", "cuCtxDestroy:8"}) {
    ASSERT_TRUE(eventually([&] { return held(*session) == wanted; })) << wanted << ", " << held(*session);
    session->step_any();
  }
  session->wait();
  EXPECT_EQ(session->store().calls(), 4u);
  ASSERT_TRUE(session->end());
  EXPECT_EQ(session->end()->kind, trace::EndKind::Exit);
  EXPECT_FALSE(session->trouble());
}

TEST_F(RemoteSession, it_stops_at_a_line) {
  const auto session = start(true);
  ASSERT_TRUE(session);
  ASSERT_TRUE(eventually([&] { return held(*session) == "cuInit:3"; }));
  session->set_breakpoints({{lesson_.sources.front(), 7}});
  session->run_on();
  ASSERT_TRUE(eventually([&] { return held(*session) == "cuCtxCreate:7"; })) << held(*session);
  session->set_breakpoints({});
  session->run_on();
  session->wait();
  EXPECT_EQ(session->store().calls(), 4u);
}

TEST_F(RemoteSession, it_is_stopped_while_it_is_held) {
  const auto session = start(true);
  ASSERT_TRUE(session);
  ASSERT_TRUE(eventually([&] { return !held(*session).empty(); }));
  session->stop();
  session->wait();
  ASSERT_TRUE(session->end());
  EXPECT_EQ(session->end()->kind, trace::EndKind::Killed);
}

TEST_F(RemoteSession, letting_go_of_it_ends_it) {
  auto session = start(true);
  ASSERT_TRUE(session);
  session.reset();
}

TEST_F(RemoteSession, a_connection_without_a_run_leaves_nothing) {
  const auto remote = lab::Remote::connect({"env"});
  ASSERT_TRUE(remote);
}

// A side that says it lives, and reads nothing.
TEST_F(RemoteSession, a_side_that_takes_nothing_is_given_up_by_the_one_that_asks) {
  const auto script = folder_ / "deaf";
  std::ofstream(script) << "#!/bin/sh\necho '"
                        << lab::lines_of(
                               {lab::kTellHello, lab::to_message(lab::RemoteHello{std::string(lab::version()),
                                                                                  lab::kTextCount})})
                        << "'\nwhile sleep 0.1; do echo '" << lab::lines_of({lab::kTellAlive, {}})
                        << "'; done\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  ::setenv("DRIVERLAB_REMOTE", script.c_str(), 1);
  const auto remote = lab::Remote::connect({"env"});
  ASSERT_TRUE(remote) << remote.error().in(lab::Language::English);
  (*remote)->impl().silence_ends = std::chrono::seconds(1);
  std::ofstream(folder_ / lesson_.sources.front()) << std::string(1 << 20, '/');
  const lab::BuildResult built = (*remote)->build(lesson_, folder_, lab::DriverChoice::Embedded);
  ASSERT_TRUE(built.problem);
  EXPECT_EQ(built.problem->key, lab::Text::RemoteStuck) << built.problem->in(lab::Language::English);
}

TEST_F(RemoteSession, a_side_that_takes_nothing_is_given_up_by_the_one_that_serves) {
  int orders[2], words[2];
  ASSERT_EQ(::pipe2(orders, O_CLOEXEC), 0);
  ASSERT_EQ(::pipe2(words, O_CLOEXEC), 0);
  const pid_t server = ::fork();
  if (server == 0) {
    ::close(orders[1]);
    ::close(words[0]);
    ::_exit(lab::serve(orders[0], words[1], installation_, std::chrono::seconds(1)));
  }
  ::close(orders[0]);
  ::close(words[1]);
  lab::RemoteOrder order;
  order.driver = "embedded";
  order.command = {"/bin/sh", "-c", "echo $$ > pid; head -c 1000000 /dev/urandom; exec sleep 1000"};
  order.folder = folder_.string();
  const auto ask = [&](char kind, const std::string& body) {
    const std::string text = lab::lines_of({kind, body});
    return ::write(orders[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
  };
  ::signal(SIGPIPE, SIG_IGN);
  ASSERT_TRUE(ask(lab::kAskRequest, lab::to_message(order)));
  ASSERT_TRUE(ask(lab::kAskBuild, {}));
  lab::RemoteStart start;
  start.trace_bytes = std::uint64_t{64} << 20;
  ASSERT_TRUE(ask(lab::kAskGo, lab::to_message(start)));
  int status = 0;
  EXPECT_TRUE(eventually([&] {
    ask(lab::kAskAlive, {});
    return ::waitpid(server, &status, WNOHANG) == server;
  }));
  pid_t program = 0;
  std::ifstream(folder_ / "pid") >> program;
  ASSERT_GT(program, 0) << "it was never started";
  EXPECT_TRUE(eventually([&] { return ::kill(program, 0) != 0; })) << "the program runs on";
  ::close(orders[1]);
  ::close(words[0]);
  ::kill(server, SIGKILL);
}

TEST_F(RemoteSession, another_version_is_refused) {
  const auto script = folder_ / "old";
  std::ofstream(script)
      << "#!/bin/sh\nexec 3<&0\necho '@dl. h eyJ2ZXJzaW9uIjoiMC4wIiwic2VudGVuY2VzIjoxfQ=='\n"
         "cat <&3 > /dev/null\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  ::setenv("DRIVERLAB_REMOTE", script.c_str(), 1);
  const auto remote = lab::Remote::connect({"env"});
  ASSERT_FALSE(remote);
  EXPECT_EQ(remote.error().key, lab::Text::RemoteVersion);
}

}  // namespace
