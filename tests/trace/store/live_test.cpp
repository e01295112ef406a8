// SPDX-License-Identifier: MIT
// The live reader: order over threads, calls that never return, holding, marks, loss.
#include "trace/live.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <map>
#include <random>
#include <thread>

#include "api/work_times.hpp"
#include "program.hpp"

namespace trace::test {
namespace {

constexpr std::uint32_t kOtherThread = 1'000'000;  // ids of no thread here: never the main one
const auto nap = [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };

// Polls until `done` or a few seconds went by.
template <class Done>
bool poll_until(Live& live, Store& store, Done done) {
  for (int i = 0; i < 5000; ++i) {
    live.poll(store);
    if (done()) return true;
    nap();
  }
  return false;
}

TEST(Live, calls_arrive_with_number_name_time_and_thread) {
  auto live = make_live();
  Program program(*live);
  Thread thread(program);
  thread.plain(wire::RecordKind::ProcessStart, 77, "./program");
  thread.plain(wire::RecordKind::ThreadStart, 0, "main");
  thread.enter(0, {5}, 0x4321);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  thread.leave(3);
  Store store;
  EXPECT_EQ(live->poll(store), 3u);
  EXPECT_EQ(store.at(0).kind, EventKind::ProcessStart);
  EXPECT_EQ(store.at(0).text, "./program");
  EXPECT_EQ(store.at(0).number, 77u);
  EXPECT_EQ(store.at(1).kind, EventKind::ThreadStart);
  EXPECT_EQ(store.at(1).text, "main");
  const Event call = store.at(2);
  EXPECT_EQ(call.kind, EventKind::Call);
  EXPECT_EQ(call.thread, 0u);
  EXPECT_EQ(call.result, 3);
  EXPECT_EQ(call.address, 0x4321u);
  EXPECT_TRUE(call.returned);
  EXPECT_GE(call.dur_ns, 4'000'000u);
  EXPECT_LE(call.dur_ns, 500'000'000u);
  EXPECT_EQ(live->poll(store), 0u);
}

// The driver's clock is tied to that of the calls by the record.
TEST(Live, times_of_work_are_told_in_the_time_of_the_calls_and_are_no_events) {
  auto live = make_live();
  Program program(*live);
  Thread thread(program);
  thread.enter(0, {5}, 0x4321);
  const std::uint64_t enqueued = wire::monotonic_ns();
  nap();
  thread.leave(0);
  const auto self = static_cast<std::uint64_t>(wire::slots_of(program.header())[0].thread.load());
  const api::WorkTime times[] = {{enqueued, enqueued + 100, enqueued + 300, self},
                                 {enqueued, enqueued, enqueued, self + 1}};
  thread.plain(wire::RecordKind::WorkTimes, wire::monotonic_ns(),
               std::string(reinterpret_cast<const char*>(times), sizeof times));
  Store store;
  EXPECT_EQ(live->poll(store), 1u);
  ASSERT_EQ(store.work_times(), 1u);  // of a thread that made no call nothing is known
  const WorkTime time = store.work_time_at(0);
  const Event call = store.at(0);
  EXPECT_EQ(time.thread, call.thread);
  EXPECT_GE(time.enqueued + 200'000, call.t_ns);
  EXPECT_LE(time.enqueued, call.t_ns + call.dur_ns);
  EXPECT_EQ(time.began - time.enqueued, 100u);
  EXPECT_EQ(time.ended - time.began, 200u);
}

TEST(Live, causes_come_before_effects_over_threads) {
  auto live = make_live();
  Program program(*live);
  constexpr std::uint64_t rounds = 1'000;
  std::atomic<std::uint64_t> turn{0};
  const auto play = [&](std::uint64_t me) {
    Thread thread(program, kOtherThread + static_cast<std::uint32_t>(me));
    for (std::uint64_t i = me; i < rounds; i += 2) {
      while (turn.load(std::memory_order_acquire) != i) std::this_thread::yield();
      thread.call(0, {i});  // finished before the other thread begins its own
      turn.store(i + 1, std::memory_order_release);
    }
  };
  std::atomic<int> finished{0};
  const auto play_all = [&](std::uint64_t me) {
    play(me);
    ++finished;
  };
  std::thread one(play_all, 0), two(play_all, 1);
  Store store;
  while (finished < 2) live->poll(store);  // a full ring waits for this reader, however slow the machine
  one.join();
  two.join();
  live->poll(store);
  live->finish(store);
  ASSERT_EQ(store.size(), rounds);
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < rounds; ++i) {
    const Event event = store.at(i);
    ASSERT_EQ(event.arguments.at(0).word, i);
    ASSERT_GE(event.t_ns + event.dur_ns, last);
    last = event.t_ns + event.dur_ns;
  }
}

// As long as there was one thread only, its clock is read without a fence.
TEST(Live, a_call_that_waited_for_the_first_call_of_a_new_thread_comes_after_it) {
  auto live = make_live();
  Program program(*live);
  Store store;
  Thread first(program);
  constexpr std::uint64_t rounds = 100;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    program.header()->several.store(0);  // as if the one before had never been
    std::atomic<bool> done{false};
    first.enter(1, {i});
    std::thread other([&] {
      Thread second(program, kOtherThread + static_cast<std::uint32_t>(i));
      second.call(0, {i});
      done.store(true, std::memory_order_release);
      second.end();
    });
    while (!done.load(std::memory_order_acquire)) {
    }
    first.leave();
    other.join();
    EXPECT_EQ(program.header()->several.load(), 1u);
    live->poll(store);
  }
  live->finish(store);
  ASSERT_EQ(store.calls(), 2 * rounds);
  for (std::uint64_t i = 0; i < rounds; ++i) {
    const Event cause = store.at(store.event_of_call(2 * i)),
                effect = store.at(store.event_of_call(2 * i + 1));
    ASSERT_NE(cause.thread, 0u) << i;
    ASSERT_EQ(effect.thread, 0u) << i;
    ASSERT_LE(cause.t_ns + cause.dur_ns, effect.t_ns + effect.dur_ns) << i;
  }
}

// The first call of a new thread, and one that waited for it, may both come between two steps of a reader
// that is slow. Here it is made slow at any of its steps, by signals.
TEST(Live, a_new_threads_first_call_comes_before_its_effect_wherever_the_reader_is_held_up) {
  struct sigaction late = {}, before = {};
  late.sa_handler = [](int) {
    const std::uint64_t begin = wire::monotonic_ns();
    while (wire::monotonic_ns() - begin < 100'000) {
    }
  };
  sigaction(SIGUSR1, &late, &before);
  constexpr std::uint64_t lives = 10, threads = 200;
  for (std::uint64_t round = 0; round < lives; ++round) {
    auto live = make_live();
    Program program(*live);
    Store store;
    std::atomic<bool> finished{false}, read{false};
    std::thread reader([&] {
      while (!finished) live->poll(store);
      read = true;
    });
    std::thread disturber([&] {
      while (!read) {
        pthread_kill(reader.native_handle(), SIGUSR1);
        std::this_thread::sleep_for(std::chrono::microseconds(150));
      }
    });
    {
      Thread first(program);
      std::vector<std::unique_ptr<Thread>> others;  // each in a slot that nobody had before
      for (std::uint64_t i = 0; i < threads; ++i) {
        others.push_back(std::make_unique<Thread>(program, kOtherThread + static_cast<std::uint32_t>(i)));
        others.back()->call(0, {i});
        first.call(0, {i});
      }
      finished = true;
      disturber.join();
      reader.join();
    }
    live->finish(store);
    ASSERT_EQ(store.calls(), 2 * threads);
    for (std::uint64_t i = 0; i < 2 * threads; ++i) {
      const Event event = store.at(store.event_of_call(i));
      ASSERT_EQ(event.arguments.at(0).word, i / 2) << round << ": " << i;
      ASSERT_EQ(event.thread == 0, i % 2 == 1) << round << ": " << i;
    }
  }
  sigaction(SIGUSR1, &before, nullptr);
}

TEST(Live, a_clock_that_seems_to_go_back_a_little_does_not_turn_a_threads_calls_around) {
  auto live = make_live();
  Program program(*live);
  Thread thread(program);
  Store store;
  thread.shift = 0;
  thread.call(0, {1});
  thread.shift = -5'000;
  thread.call(0, {2});
  thread.shift = 0;
  thread.call(0, {3});
  live->finish(store);
  ASSERT_EQ(store.calls(), 3u);
  for (std::uint64_t i = 0; i < 3; ++i)
    EXPECT_EQ(store.at(store.event_of_call(i)).arguments.at(0).word, i + 1);
}

TEST(Live, the_main_thread_is_0_and_others_count_up_as_they_appear) {
  auto live = make_live();
  Program program(*live);
  Thread second(program, kOtherThread), third(program, kOtherThread + 1), main_thread(program);
  third.call(0, {1});
  second.call(0, {2});
  main_thread.call(0, {3});
  Store store;
  live->poll(store);
  EXPECT_EQ(store.at(0).thread, 1u);
  EXPECT_EQ(store.at(1).thread, 2u);
  EXPECT_EQ(store.at(2).thread, 0u);
}

// The program counts its processes in memory that it can overwrite.
TEST(Live, processes_have_the_numbers_in_which_they_appear_whatever_the_program_calls_them) {
  auto live = make_live();
  Program program(*live);
  Store store;
  const auto call_from = [&](std::uint32_t thread, std::uint32_t number, std::uint32_t id) {
    Thread made(program, thread);
    made.slot().process_number = number;
    made.slot().process = id;
    made.call(0, {thread});
    live->poll(store);
  };
  const auto self = static_cast<std::uint32_t>(getpid());
  call_from(kOtherThread, 0, self);
  call_from(kOtherThread + 1, 0xffffffff, self + 1);
  call_from(kOtherThread + 2, 0xffffffff, self + 2);  // another one of the same number
  call_from(kOtherThread + 3, 0, self + 3);           // one that pretends to be the program itself
  call_from(kOtherThread + 4, 0xffffffff, self + 1);  // a second thread
  call_from(kOtherThread + 5, 7, self + 1);           // the same id after exec
  call_from(kOtherThread + 6, 0, self);
  std::vector<std::uint32_t> processes;
  for (std::size_t i = 0; i < store.size(); ++i) processes.push_back(store.at(i).process);
  EXPECT_EQ(processes, (std::vector<std::uint32_t>{0, 1, 2, 3, 1, 4, 0}));
}

TEST(Live, slots_are_used_again_after_threads_ended) {
  auto live = make_live();
  Program program(*live);
  Store store;
  constexpr std::uint32_t threads = 1000;
  for (std::uint32_t i = 0; i < threads; ++i) {
    Thread thread(program, kOtherThread + i);
    ASSERT_TRUE(thread.claimed()) << i;
    thread.call(0, {i});
    thread.end();
    live->poll(store);
  }
  live->finish(store);
  EXPECT_EQ(store.calls(), threads);
  EXPECT_EQ(store.thread_at(store.event_of_call(threads - 1)), threads);
}

TEST(Live, a_call_that_never_returned_is_pending_and_then_kept_as_such) {
  auto live = make_live();
  Program program(*live);
  Thread thread(program);
  thread.call(0, {1});
  thread.enter(1, {0xbad});
  Store store;
  live->poll(store);
  EXPECT_EQ(store.size(), 1u);
  const auto pending = live->pending();
  ASSERT_EQ(pending.size(), 1u);
  EXPECT_EQ(pending[0].thread, 0u);
  EXPECT_FALSE(pending[0].held);
  EXPECT_EQ(pending[0].call.arguments.at(0).word, 0xbadu);
  EXPECT_FALSE(pending[0].call.returned);
  EXPECT_EQ(live->finish(store), 1u);
  EXPECT_FALSE(store.at(1).returned);
  EXPECT_EQ(store.at(1).dur_ns, 0u);
  EXPECT_TRUE(live->pending().empty());
}

TEST(Live, nothing_is_lost_when_the_program_is_killed_inside_a_call) {
  auto live = make_live();
  const pid_t child = fork();
  if (child == 0) {
    Program program(*live);
    Thread thread(program);
    for (std::uint64_t i = 0; i < 100; ++i) thread.call(0, {i});
    thread.enter(1, {0xdead});
    raise(SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  Store store;
  live->finish(store);
  ASSERT_EQ(store.size(), 101u);
  EXPECT_TRUE(store.at(99).returned);
  EXPECT_FALSE(store.at(100).returned);
  EXPECT_EQ(store.at(100).arguments.at(0).word, 0xdeadu);
}

TEST(Live, says_how_much_output_there_was_before_each_call) {
  auto live = make_live();
  Program program(*live);
  Thread thread(program);
  thread.enter_marked(0, 10, 0);
  thread.leave();
  thread.enter_marked(0, wire::kUnknownMark, 7);  // stdout was closed: what was known stays
  thread.leave();
  Store store;
  std::vector<std::array<std::uint64_t, 3>> seen;
  live->poll(store, [&](std::uint64_t out, std::uint64_t err) { seen.push_back({store.size(), out, err}); });
  const std::vector<std::array<std::uint64_t, 3>> expected{{0, 10, 0}, {1, 10, 7}};
  EXPECT_EQ(seen, expected);
}

TEST(Live, held_calls_wait_are_pending_and_go_one_at_a_time) {
  auto live = make_live(1 << 16, true);
  Program program(*live);
  std::atomic<int> done{0};
  std::thread runner([&] {
    Thread thread(program);
    for (std::uint64_t i = 0; i < 5; ++i) {
      thread.enter(0, {i});
      thread.producer.wait_while_held();
      thread.leave();
      ++done;
    }
  });
  Store store;
  const auto held = [&] { return !live->pending().empty() && live->pending()[0].held; };
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(poll_until(*live, store, held));
    EXPECT_EQ(live->pending()[0].call.arguments.at(0).word, static_cast<std::uint64_t>(i));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ASSERT_EQ(done.load(), i);
    live->step(0);
    ASSERT_TRUE(poll_until(*live, store, [&] { return done.load() == i + 1; }));
  }
  EXPECT_TRUE(live->holding());
  live->hold_all(false);
  EXPECT_TRUE(poll_until(*live, store, [&] { return store.calls() == 5; }));
  runner.join();
}

TEST(Live, a_step_for_one_thread_leaves_the_other_held) {
  auto live = make_live(1 << 16, true);
  Program program(*live);
  std::atomic<int> done[2] = {0, 0};
  const auto run = [&](std::uint32_t me) {
    Thread thread(program, kOtherThread + me);
    thread.enter(0, {me});
    thread.producer.wait_while_held();
    thread.leave();
    ++done[me];
  };
  std::thread one(run, 0), two(run, 1);
  Store store;
  ASSERT_TRUE(poll_until(*live, store, [&] {
    const auto pending = live->pending();
    return pending.size() == 2 && pending[0].held && pending[1].held;
  }));
  const Pending chosen = live->pending()[1];
  const auto who = static_cast<std::size_t>(chosen.call.arguments.at(0).word);
  live->step(chosen.thread);
  EXPECT_TRUE(poll_until(*live, store, [&] { return done[who].load() == 1; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(done[1 - who].load(), 0);
  live->hold_all(false);
  one.join();
  two.join();
}

TEST(Live, a_held_program_runs_on_when_the_reader_goes) {
  auto live = make_live(1 << 16, true);
  Program program(*live);
  std::thread runner([&] {
    Thread thread(program);
    thread.enter(0, {});
    thread.producer.wait_while_held();
  });
  Store store;
  ASSERT_TRUE(poll_until(*live, store, [&] { return !live->pending().empty(); }));
  live.reset();
  runner.join();
}

TEST(Live, source_places_are_asked_for_once_and_after_their_module) {
  auto live = make_live();
  Program program(*live);
  Thread thread(program);
  std::vector<std::string> asked;
  live->set_on_module([&](const std::string& path, std::uint64_t bias) {
    asked.push_back(path + "@" + std::to_string(bias));
  });
  live->set_annotate([&](std::uint64_t address, std::string& file, std::uint32_t& line) {
    asked.push_back(std::to_string(address));
    file = "main.cpp";
    line = 12;
  });
  thread.plain(wire::RecordKind::Module, 4096, "/bin/program");
  for (int i = 0; i < 3; ++i) {
    thread.enter(0, {}, 99);
    thread.leave();
  }
  thread.enter(0, {}, 100);
  Store store;
  live->poll(store);
  const auto pending = live->pending();
  EXPECT_EQ(asked, (std::vector<std::string>{"/bin/program@4096", "99", "100"}));
  EXPECT_EQ(store.at(3).file, "main.cpp");
  EXPECT_EQ(store.at(3).line, 12u);
  EXPECT_EQ(pending.at(0).call.line, 12u);
}

TEST(Live, lost_records_are_an_event) {
  auto live = make_live();
  Program program(*live);
  Thread thread(program);
  thread.call(0, {1});
  thread.slot().lost.fetch_add(5);
  program.header()->lost.fetch_add(2);
  Store store;
  live->poll(store);
  ASSERT_EQ(store.size(), 2u);
  EXPECT_EQ(store.at(1).kind, EventKind::Lost);
  EXPECT_EQ(store.at(1).number, 7u);
  EXPECT_EQ(live->poll(store), 0u);
}

// The program may write there whatever it likes.
TEST(Live, a_count_of_lost_records_that_cannot_be_stands_for_one) {
  auto live = make_live();
  Program program(*live);
  Thread thread(program);
  thread.call(3, {});
  Store store;
  program.header()->lost.store(~std::uint64_t{0} - 1);
  thread.slot().lost.store(std::uint64_t{1} << 63);
  live->poll(store);
  ASSERT_EQ(store.size(), 2u);
  EXPECT_EQ(store.at(1).number, 2u);
  program.header()->lost.fetch_add(4);  // over the end
  live->poll(store);
  EXPECT_EQ(store.at(2).number, 4u);
}

TEST(Live, a_record_that_was_no_call_is_not_lost_twice) {
  auto live = make_live();
  Program program(*live);
  Thread thread(program);
  thread.call(3, {});
  thread.slot().lost.fetch_add(1);
  Store store;
  live->poll(store);
  thread.slot().lost.fetch_sub(1);
  EXPECT_EQ(live->poll(store), 0u);
  thread.slot().lost.fetch_add(3);
  live->poll(store);
  std::uint64_t lost = 0;
  for (std::size_t i = 1; i < store.size(); ++i) lost += store.at(i).number;
  EXPECT_EQ(lost, 3u);
}

TEST(Live, memory_has_a_limit_beyond_which_calls_are_counted_and_contexts_are_still_followed) {
  Live::Options options;
  options.tracer = "/nowhere";
  options.backend = "/nowhere/libcuda.so.1";
  options.most_bytes = 2 << 20;
  std::string error;
  auto live = Live::create(options, &error);
  Program program(*live);
  Thread thread(program);
  Store store;
  constexpr std::uint64_t kCalls = 100'000;
  for (std::uint64_t i = 0; i < kCalls; ++i) {
    thread.call(0, {i});
    if (i % 1000 == 0) live->poll(store);
  }
  live->poll(store);
  const std::size_t kept = store.calls();
  EXPECT_LT(kept, kCalls);
  EXPECT_LT(store.bytes(), options.most_bytes * 5 / 4);
  EXPECT_LT(store.size() - kept, 40u);  // not one line for each of them
  thread.enter(0, {1});
  thread.leave_current(0, 0xc0de);
  live->finish(store);
  EXPECT_EQ(store.calls(), kept + 1);
  std::uint64_t lost = 0;
  for (std::size_t i = 0; i < store.size(); ++i)
    if (store.kind_at(i) == EventKind::Lost) lost += store.at(i).number;
  EXPECT_EQ(kept + lost, kCalls);
}

TEST(Live, without_a_limit_nothing_is_dropped) {
  auto live = make_live();
  Program program(*live);
  Thread thread(program);
  Store store;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    thread.call(0, {i});
    if (i % 500 == 0) live->poll(store);
  }
  live->finish(store);
  EXPECT_EQ(store.calls(), 20'000u);
  EXPECT_EQ(store.size(), 20'000u);
}

TEST(Live, outlives_a_program_that_scribbles_over_all_of_it) {
  std::mt19937_64 random(9);
  for (int round = 0; round < 60; ++round) {
    auto live = make_live();
    Program program(*live);
    Store store;
    for (std::uint32_t i = 0; i < 3; ++i) {
      Thread thread(program, kOtherThread + i);
      for (std::uint64_t n = 0; n < 20; ++n) thread.call(0, {n});
    }
    auto* words = reinterpret_cast<std::uint64_t*>(program.header());
    const std::size_t slots_end = (wire::kSlotsOffset + 4 * sizeof(wire::Slot)) / 8;
    const std::size_t ring = wire::kRingsOffset / 8;
    for (int i = 0; i < 100; ++i) {
      words[random() % slots_end] = random() >> (random() % 64);
      words[ring + random() % 100] = random() >> (random() % 64);
      if (i % 10 == 0) live->poll(store);
    }
    live->pending();
    live->step(0);
    live->finish(store);
    for (std::size_t i = 0; i < store.size(); ++i) store.at(i);
  }
}

TEST(Live, the_program_cannot_shrink_the_memory_under_the_reader) {
  auto live = make_live();
  std::string path;
  for (const auto& [name, value] : live->environment()) {
    if (name == "DRIVERLAB_TRACE") path = value;
  }
  EXPECT_NE(truncate(path.c_str(), 0), 0);
  Store store;
  EXPECT_EQ(live->poll(store), 0u);
}

TEST(Live, the_rest_of_a_toolkit_comes_after_the_tracer_and_before_what_was_there) {
  setenv("LD_LIBRARY_PATH", "/some/where", 1);
  Live::Options options;
  options.tracer = "/nowhere";
  options.backend = "/toolkit/lib/libcuda.so.1";
  options.libraries = {"/toolkit/lib"};
  std::string error;
  const auto live = Live::create(options, &error);
  ASSERT_NE(live, nullptr) << error;
  std::map<std::string, std::string> environment;
  for (const auto& [name, value] : live->environment()) environment[name] = value;
  EXPECT_EQ(environment["LD_LIBRARY_PATH"], "/nowhere:/toolkit/lib:/some/where");
  unsetenv("LD_LIBRARY_PATH");
}

TEST(Live, names_its_variables_and_keeps_the_library_path_there_was) {
  setenv("LD_LIBRARY_PATH", "/some/where", 1);
  auto live = make_live();
  std::map<std::string, std::string> environment;
  for (const auto& [name, value] : live->environment()) environment[name] = value;
  EXPECT_EQ(environment["LD_LIBRARY_PATH"], "/nowhere:/some/where");
  EXPECT_EQ(environment["DRIVERLAB_BACKEND"], "/nowhere/libcuda.so.1");
  unsetenv("LD_LIBRARY_PATH");
}

}  // namespace
}  // namespace trace::test
