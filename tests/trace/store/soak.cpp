// SPDX-License-Identifier: MIT
// Hunts torn events: 64 threads of several processes write at random into the rings of one reader, which
// checks every event that comes out; processes are killed in the middle of what they do, and in the end the
// reader is.
//
//   trace_soak [EVENTS] [SEED]
//
// Prints what it saw and ends with 1 when one event was torn, came twice, or came out of its thread's order,
// or when a program waited for a reader that is gone. The suite runs a short one, under every sanitizer; a
// long one is run by hand, see docs/benchmarks.md.
#include <sys/wait.h>

#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <thread>

#include "program.hpp"

namespace trace::test {
namespace {

constexpr std::size_t kThreadsPerProcess = 16, kProcesses = 4;
constexpr std::size_t kMostInStore = 200'000;  // events, then a new store is begun

// What the second word must be, and the result: so that no two events can be mixed without being seen.
std::uint64_t mixed(std::uint64_t value) {
  value ^= value >> 31;
  value *= 0x9e3779b97f4a7c15u;
  return value ^ (value >> 29);
}

// Writes calls until it has written enough, or is killed. Ring positions come to lie everywhere: lengths
// differ.
void write_calls(Program& program, std::uint64_t writer, std::uint64_t calls, std::uint64_t seed) {
  Thread thread(program, static_cast<std::uint32_t>(syscall(SYS_gettid)));
  if (!thread.claimed()) return;
  std::mt19937_64 random(seed + writer);
  for (std::uint64_t number = 0; number < calls; ++number) {
    const std::uint64_t word = writer << 40 | number;
    std::vector<std::uint64_t> words{word, mixed(word)};
    words.resize(2 + random() % 14, word);
    const unsigned depth =
        random() % 8 == 0 ? 1 : 0;  // inside a call of a library above the driver, now and then
    if (depth == 1) thread.enter(0, {word | std::uint64_t{1} << 39, mixed(word | std::uint64_t{1} << 39)});
    thread.enter(0, words, 0x1000, depth);
    thread.leave(static_cast<std::int32_t>(mixed(word) & 0x7fffffff), depth);
    if (depth == 1)
      thread.leave(static_cast<std::int32_t>(mixed(word | std::uint64_t{1} << 39) & 0x7fffffff));
    if (random() % 4096 == 0) std::this_thread::yield();
  }
  thread.end();
}

pid_t start_process(Program& program, std::uint64_t process, std::uint64_t calls, std::uint64_t seed) {
  const pid_t child = fork();
  if (child < 0) {  // to kill "process" -1 would be to kill all
    std::perror("fork");
    std::exit(2);
  }
  if (child != 0) return child;
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < kThreadsPerProcess; ++i) {
    threads.emplace_back(
        [&, writer = process * kThreadsPerProcess + i] { write_calls(program, writer, calls, seed); });
  }
  for (std::thread& thread : threads) thread.join();
  _exit(0);
}

struct Judge {
  std::uint64_t events = 0, torn = 0, out_of_order = 0, unfinished = 0;
  std::map<std::uint64_t, std::uint64_t> next;  // of each writer

  void look(const Store& store) {
    for (std::size_t i = 0; i < store.size(); ++i) {
      if (store.kind_at(i) == EventKind::Call) judge(store.at(i));
    }
  }
  void judge(const Event& call) {
    ++events;
    const std::uint64_t word = call.arguments.at(0).word;
    if (call.arguments.at(1).word != mixed(word)) ++torn;
    if (!call.returned) {
      ++unfinished;  // its process was killed inside
      return;
    }
    if (static_cast<std::uint64_t>(call.result) != (mixed(word) & 0x7fffffff)) ++torn;
    if ((word >> 39 & 1) != 0) return;  // around another: its number comes before, with the one inside
    std::uint64_t& wanted = next[word >> 40];
    if ((word & 0x7fffffffff) < wanted) ++out_of_order;
    wanted = (word & 0x7fffffffff) + 1;
  }
};

int hunt(std::uint64_t wanted, std::uint64_t seed) {
  auto live = make_live(1 << 16);
  Program program(*live);
  Judge judge;
  auto store = std::make_unique<Store>();
  std::mt19937_64 random(seed);
  std::uint64_t processes = 0, killed = 0;
  std::array<pid_t, kProcesses> children{};
  const std::uint64_t each = std::max<std::uint64_t>(wanted / 512, 500);
  while (judge.events + store->calls() < wanted) {
    for (pid_t& child : children) {
      if (child == 0) child = start_process(program, ++processes, each, seed);
    }
    live->poll(*store);
    if (store->size() > kMostInStore) {
      judge.look(*store);
      store = std::make_unique<Store>();
    }
    for (pid_t& child : children) {
      const bool kill_it = random() % 2000 == 0;
      if (kill_it) killed += kill(child, SIGKILL) == 0 ? 1 : 0;
      if (waitpid(child, nullptr, kill_it ? 0 : WNOHANG) == child) child = 0;
    }
  }
  for (const pid_t child : children) {
    if (child == 0) continue;
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  live->finish(*store);
  judge.look(*store);
  std::printf("events %" PRIu64 "  torn %" PRIu64 "  out of order %" PRIu64 "  unfinished %" PRIu64
              "  processes %" PRIu64 ", %" PRIu64 " of them killed\n",
              judge.events, judge.torn, judge.out_of_order, judge.unfinished, processes, killed);
  return judge.torn == 0 && judge.out_of_order == 0 ? 0 : 1;
}

// The reader is killed while threads write: they run on, and count what is lost.
int kill_reader(std::uint64_t seed) {
  int ends[2];
  if (pipe(ends) != 0) return 2;
  const pid_t reader = fork();
  if (reader < 0) return 2;
  if (reader == 0) {
    auto live = make_live(1 << 16);
    std::string path;
    for (const auto& [name, value] : live->environment())
      if (name == "DRIVERLAB_TRACE") path = value;
    if (write(ends[1], path.c_str(), path.size() + 1) < 0) _exit(2);
    Store store;
    for (;;) live->poll(store);
  }
  close(ends[1]);
  char path[256] = {};
  if (read(ends[0], path, sizeof path - 1) <= 0) return 2;
  Program program{std::string(path)};
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < kThreadsPerProcess; ++i)
    threads.emplace_back([&program, i, seed] { write_calls(program, i, 20'000, seed); });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  kill(reader, SIGKILL);
  waitpid(reader, nullptr, 0);
  for (std::thread& thread : threads) thread.join();
  std::uint64_t lost = 0;
  for (std::size_t i = 0; i < wire::kSlots; ++i) lost += wire::slots_of(program.header())[i].lost.load();
  std::printf("reader killed: all threads came to their end, %" PRIu64 " records lost\n", lost);
  return 0;
}

}  // namespace
}  // namespace trace::test

int main(int count, char** arguments) {
  const std::uint64_t events = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 300'000;
  const std::uint64_t seed = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1;
  const int torn = trace::test::hunt(events, seed);
  return torn != 0 ? torn : trace::test::kill_reader(seed);
}
