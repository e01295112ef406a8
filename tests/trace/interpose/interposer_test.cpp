// SPDX-License-Identifier: MIT
// The interposed libcuda.so.1 in a program of its own, in front of the fake driver.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <thread>

#include "trace/live.hpp"

namespace trace::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Interposer : public testing::Test {
 protected:
  Interposer() {
    folder_ = fs::temp_directory_path() / ("driverlab_interposer_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    options_.tracer = TRACER_FOLDER;
    options_.backend = FAKE_DRIVER;
    options_.mark_output = false;
  }
  ~Interposer() override { fs::remove_all(folder_); }

  void create() {
    std::string error;
    live_ = Live::create(options_, &error);
    ASSERT_NE(live_, nullptr) << error;
  }
  pid_t start(const std::vector<std::string>& arguments) {
    const pid_t child = fork();
    if (child != 0) return child;
    for (const auto& [name, value] : live_->environment()) setenv(name.c_str(), value.c_str(), 1);
    for (const std::string& name : unset_) unsetenv(name.c_str());
    const int out = open((folder_ / "out").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_TRUNC, 0600);
    const int err = open((folder_ / "err").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_TRUNC, 0600);
    dup2(out, 1);
    dup2(err, 2);
    std::vector<char*> argv{program_.data()};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  std::string program_ = TRACED_PROGRAM;
  // As run(), but looks only in `stopped`, whenever the program has stopped itself; it goes on behind that.
  void run_with_stops(const std::vector<std::string>& arguments, const std::function<void()>& stopped) {
    create();
    const pid_t child = start(arguments);
    while (waitpid(child, &status_, WUNTRACED) == child && WIFSTOPPED(status_)) {
      stopped();
      kill(child, SIGCONT);
    }
    live_->finish(store_);
  }
  // Runs to the end; the wait status is kept.
  void run(const std::vector<std::string>& arguments, const Live::BeforeCall& before_call = {}) {
    if (live_ == nullptr) create();
    const pid_t child = start(arguments);
    while (waitpid(child, &status_, WNOHANG) == 0) {
      live_->poll(store_, before_call);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    live_->finish(store_, before_call);
  }
  void expect_exit(int status) {
    EXPECT_TRUE(WIFEXITED(status_));
    EXPECT_EQ(WEXITSTATUS(status_), status) << text_of("err");
  }
  // Of the program's way to print.
  void expect_output_measured_before_each_call(const std::vector<std::string>& arguments) {
    options_.mark_output = true;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> marks;
    run(arguments, [&](std::uint64_t out, std::uint64_t err) { marks.emplace_back(out, err); });
    expect_exit(0);
    const std::vector<std::pair<std::uint64_t, std::uint64_t>> expected{{4, 0}, {16, 4}};
    EXPECT_EQ(marks, expected);
  }
  std::string text_of(const char* name) const {
    std::ifstream in(folder_ / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::vector<Event> calls() const { return of_kind(EventKind::Call); }
  std::vector<Event> of_kind(EventKind kind) const {
    std::vector<Event> found;
    for (std::size_t i = 0; i < store_.size(); ++i) {
      if (store_.kind_at(i) == kind) found.push_back(store_.at(i));
    }
    return found;
  }
  std::vector<std::string> symbols() const {
    std::vector<std::string> all;
    for (const Event& call : calls()) all.emplace_back(call.symbol);
    return all;
  }

  fs::path folder_;
  Live::Options options_;
  std::vector<std::string> unset_;
  std::unique_ptr<Live> live_;
  Store store_;
  int status_ = 0;
};

TEST_F(Interposer, keeps_the_first_bytes_that_a_successful_copy_took_or_brought) {
  run({"copies"});
  expect_exit(0);
  const auto all = calls();
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[1].arguments.at(1).text, "00010203");
  EXPECT_EQ(all[1].arguments.at(1).kind, ValueKind::HostPointer);
  EXPECT_EQ(all[2].arguments.at(1).text.size(), 2u * 4096);
  EXPECT_EQ(all[2].arguments.at(1).text.substr(0, 10), "0001020304");
  EXPECT_EQ(all[3].arguments.at(0).text, "000102");
  EXPECT_EQ(all[4].arguments.at(1).text, "");  // it failed
  EXPECT_EQ(all[5].arguments.at(1).text, "");  // nobody could read there, and nothing crashed
}

TEST_F(Interposer, keeps_no_more_bytes_of_copies_than_some_megabytes_a_process) {
  run({"many_copies"});
  expect_exit(0);
  std::size_t bytes = 0;
  for (const Event& call : calls())
    if (call.name == "cuMemcpyHtoD") bytes += call.arguments.at(1).text.size() / 2;
  EXPECT_EQ(calls().size(), 10'001u);
  EXPECT_GT(bytes, std::size_t{1} << 20);
  EXPECT_LE(bytes, std::size_t{4} << 20);
}

TEST_F(Interposer, records_a_linked_program_with_arguments_results_and_the_current_context) {
  run({"linked"});
  expect_exit(0);
  EXPECT_EQ(text_of("out"), "Fake device 1\n");
  EXPECT_THAT(symbols(), ElementsAre("cuInit", "cuDeviceGetName", "cuCtxCreate_v2", "cuMemAlloc_v2",
                                     "cuMemAlloc_v2", "cuCtxPopCurrent_v2"));
  const auto all = calls();
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[1].arguments.at(0).text, "Fake device");
  EXPECT_EQ(all[1].arguments.at(1).word, 64u);
  const std::uint64_t context = all[2].arguments.at(0).out.value();
  EXPECT_EQ(all[2].name, "cuCtxCreate");
  EXPECT_EQ(all[2].arguments.at(0).handle_type, "CUcontext");
  EXPECT_EQ(all[2].arguments.at(0).kind, ValueKind::Handle);
  EXPECT_EQ(all[2].arguments.at(1).word, 8u);
  EXPECT_EQ(all[2].arguments.at(1).text, "CU_CTX_MAP_HOST");
  EXPECT_EQ(all[2].current, context);
  EXPECT_FALSE(all[3].current.has_value());  // an allocation cannot change it
  EXPECT_EQ(all[3].arguments.at(1).word, 4096u);
  EXPECT_EQ(all[3].arguments.at(0).kind, ValueKind::DevicePointer);
  EXPECT_TRUE(all[3].arguments.at(0).out.has_value());
  EXPECT_EQ(all[4].result, 1);
  EXPECT_FALSE(all[4].arguments.at(0).out.has_value());  // nothing was written
  EXPECT_EQ(all[5].arguments.at(0).out, context);
  EXPECT_EQ(all[5].current, 0u);
  for (const Event& call : all) EXPECT_EQ(call.thread, 0u);
}

TEST_F(Interposer, hands_on_and_records_arguments_in_registers_and_on_the_stack) {
  run({"arguments"});
  expect_exit(0);
  const auto all = calls();
  ASSERT_EQ(all.size(), 4u);
  ASSERT_EQ(all[1].symbol, "cuLaunchKernel");
  std::vector<std::uint64_t> words;
  for (const Argument& argument : all[1].arguments) words.push_back(argument.word);
  EXPECT_THAT(words, ElementsAre(0xf00, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0));
}

TEST_F(Interposer, takes_of_a_register_no_more_than_the_argument_is_wide) {
  run({"arguments"});
  expect_exit(0);
  const auto all = calls();
  ASSERT_EQ(all.size(), 4u);
  ASSERT_EQ(all[2].symbol, "cuDeviceGetAttribute");
  EXPECT_EQ(all[2].arguments.at(1).word, 16u);
  EXPECT_EQ(all[2].arguments.at(1).text, "CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT");
  EXPECT_EQ(static_cast<std::int64_t>(all[2].arguments.at(2).word), -3);
  EXPECT_EQ(static_cast<std::int64_t>(all[2].arguments.at(0).out.value()), -16);
  EXPECT_EQ(static_cast<std::int64_t>(all[3].arguments.at(0).out.value()), -2);
}

TEST_F(Interposer, goes_on_behind_exceptions_that_passed_through_calls) {
  run({"throws"});
  expect_exit(0);
  std::vector<std::string> expected{"cuMemFree_v2", "cuModuleGetFunction", FORWARDED_NAME_TEXT,
                                    "cuMemAlloc_v2"};
  std::erase(expected, "");  // where every name is described
  EXPECT_EQ(symbols(), expected);
  for (const Event& call : calls()) {
    EXPECT_EQ(call.returned, call.symbol == "cuMemAlloc_v2");
    EXPECT_EQ(call.depth, 0u);
  }
}

TEST_F(Interposer, records_what_the_end_of_a_thread_inside_a_call_calls) {
  run({"ends_inside"});
  expect_exit(0);
  EXPECT_THAT(symbols(), ElementsAre("cuMemFree_v2", "cuMemAlloc_v2"));
}

TEST_F(Interposer, thousands_of_threads_at_one_time_are_recorded) {
  run({"crowd", "1000"});
  expect_exit(0);
  EXPECT_EQ(calls().size(), 2001u);
  EXPECT_TRUE(of_kind(EventKind::Lost).empty());
}

TEST_F(Interposer, hundreds_of_processes_at_one_time_are_recorded) {
  run({"children", "300"});
  expect_exit(0);
  EXPECT_EQ(calls().size(), 301u);
  EXPECT_EQ(of_kind(EventKind::ProcessStart).size(), 301u);
  EXPECT_TRUE(of_kind(EventKind::Lost).empty());
}

TEST_F(Interposer, of_more_threads_than_can_be_traced_every_call_is_recorded_or_counted_as_lost) {
  options_.most_threads = 4;
  run({"crowd", "20"});
  expect_exit(0);
  std::uint64_t lost = 0;
  for (const Event& event : of_kind(EventKind::Lost)) lost += event.number;
  EXPECT_GE(calls().size(), 7u);
  EXPECT_GT(lost, 0u);
  EXPECT_EQ(calls().size() + lost, 41u);
}

// A handler of a signal that interrupts a record cannot write one of its own.
TEST_F(Interposer, every_call_of_a_handler_of_signals_is_recorded_or_counted_as_lost) {
  run({"signals"});
  expect_exit(0);
  std::uint64_t lost = 0;
  for (const Event& event : of_kind(EventKind::Lost)) lost += event.number;
  EXPECT_GT(lost, 0u);
  EXPECT_EQ(std::to_string(calls().size() + lost) + "\n", text_of("out"));
}

TEST_F(Interposer, a_handler_of_a_signal_does_not_run_while_the_driver_is_loaded) {
  run({"signal_while_loading"});
  expect_exit(0);
  EXPECT_EQ(calls().size(), 2u);
  EXPECT_TRUE(of_kind(EventKind::Lost).empty());
}

TEST_F(Interposer, what_the_driver_calls_itself_is_neither_recorded_nor_lost) {
  run({"linked"});
  expect_exit(0);
  EXPECT_TRUE(of_kind(EventKind::Lost).empty());
  EXPECT_EQ(calls().size(), 6u);
}

TEST_F(Interposer, processes_that_end_without_a_word_make_room_for_others) {
  options_.most_threads = 4;
  run({"short_children", "50"});
  expect_exit(0);
  EXPECT_EQ(calls().size(), 51u);
  EXPECT_TRUE(of_kind(EventKind::Lost).empty());
}

TEST_F(Interposer, a_program_that_execs_again_and_again_makes_room_for_itself) {
  options_.most_threads = 2;
  run({"execs_again", "20"});
  expect_exit(0);
  EXPECT_EQ(calls().size(), 21u);
  EXPECT_TRUE(of_kind(EventKind::Lost).empty());
}

TEST_F(Interposer, loses_no_thread_while_a_slow_reader_has_not_seen_the_end_of_others) {
  options_.most_threads = 200;
  create();
  const pid_t child = start({"many_threads"});
  while (waitpid(child, &status_, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    live_->poll(store_);
  }
  live_->finish(store_);
  expect_exit(0);
  EXPECT_EQ(calls().size(), 600u);
  EXPECT_TRUE(of_kind(EventKind::Lost).empty());
}

TEST_F(Interposer, times_calls_that_take_no_time_once_where_they_come_thick_and_fast_on_one_thread) {
  run_with_stops({"quick"}, [this] {
    while (live_->poll(store_) > 0) {
    }  // a look that finds nothing: the next call is timed
  });
  expect_exit(0);
  const std::vector<Event> all = calls();
  ASSERT_EQ(all.size(), 1 + 1000 + 1 + 1 + 100);
  std::size_t once = 0;
  for (std::size_t i = 1; i <= 1000; ++i) once += all[i].dur_ns == 0 ? 1 : 0;
  EXPECT_GT(once, 0u);
  std::uint64_t last = 0;
  for (const Event& call : all) {
    EXPECT_TRUE(call.returned);
    EXPECT_GE(call.t_ns + call.dur_ns, last);
    last = call.t_ns + call.dur_ns;
  }
  for (std::size_t i = 1001; i < all.size(); ++i) EXPECT_GT(all[i].dur_ns, 0u) << i;
}

// Whether the program is busy depends on how fast it was stopped and sent on, so there are many bursts.
TEST_F(Interposer, reads_no_clock_for_calls_that_take_no_time_while_a_program_is_busy) {
  constexpr std::size_t kBursts = 40, kCalls = 301;
  run_with_stops({"busy", std::to_string(kBursts)}, [this] { live_->poll(store_); });
  expect_exit(0);
  const std::vector<Event> all = calls();
  ASSERT_EQ(all.size(), 1 + kBursts * kCalls);
  std::size_t untimed = 0;
  for (std::size_t burst = 1; burst < kBursts; ++burst) {
    const Event* const first = &all[1 + burst * kCalls];
    const Event& allocation = first[kCalls - 1];
    for (std::size_t i = 0; i + 1 < kCalls; ++i) {
      EXPECT_GE(first[i].t_ns, first[i - 1].t_ns + first[i - 1].dur_ns);
      EXPECT_LE(first[i].t_ns + first[i].dur_ns, allocation.t_ns);
    }
    EXPECT_GT(allocation.t_ns, first[-1].t_ns + first[-1].dur_ns);
    untimed += first[1].t_ns == first[kCalls - 2].t_ns ? 1 : 0;
  }
  EXPECT_GT(untimed, 0u);
}

// How many calls that are depends on what a note costs; at least 60 are as good as promised.
TEST_F(Interposer, times_every_call_that_output_is_noted_before) {
  options_.mark_output = true;
  std::vector<std::size_t> noted;
  const auto note = [&](std::uint64_t, std::uint64_t) { noted.push_back(store_.size()); };
  run_with_stops({"busy", "20"}, [&] { live_->poll(store_, note); });
  expect_exit(0);
  EXPECT_GE(noted.size(), 60u);
  for (const std::size_t i : noted) {
    if (store_.kind_at(i) != EventKind::Call || store_.kind_at(i - 1) != EventKind::Call) continue;
    EXPECT_GT(store_.at(i).t_ns, store_.at(i - 1).t_ns) << i;
  }
}

TEST_F(Interposer, says_which_process_it_is_and_where_the_caller_lies) {
  run({"places"});
  expect_exit(0);
  const auto starts = of_kind(EventKind::ProcessStart);
  ASSERT_EQ(starts.size(), 1u);
  EXPECT_THAT(starts[0].text, HasSubstr("places"));
  const auto modules = of_kind(EventKind::ModuleMapped);
  ASSERT_EQ(modules.size(), 1u);
  EXPECT_EQ(fs::canonical(modules[0].text), fs::canonical(TRACED_PROGRAM));
  const auto all = calls();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_GT(all[1].address, all[0].address);
  EXPECT_LT(all[1].address - all[0].address, 200u);
  EXPECT_GT(all[0].address, modules[0].number);
}

// More than there is room for at first.
TEST_F(Interposer, tells_once_where_each_of_many_libraries_lies) {
  constexpr int count = 1500;
  for (int number = 0; number < count; ++number)
    fs::copy_file(CALLING_LIBRARY, folder_ / (std::to_string(number) + ".so"));
  run({"libraries", folder_, std::to_string(count)});
  expect_exit(0);
  EXPECT_EQ(calls().size(), 2U * count);
  EXPECT_TRUE(of_kind(EventKind::Lost).empty());
  std::map<std::string, int> told;
  for (const Event& module : of_kind(EventKind::ModuleMapped)) ++told[std::string(module.text)];
  for (int number = 0; number < count; ++number)
    ASSERT_EQ(told[folder_ / (std::to_string(number) + ".so")], 1) << number;
}

TEST_F(Interposer, is_found_by_dlopen_under_both_names) {
  for (const char* name : {"libcuda.so.1", "libcuda.so"}) {
    live_.reset();
    run({"dlopen", name});
    expect_exit(0);
  }
  EXPECT_THAT(symbols(), ElementsAre("cuInit", "cuInit", "cuInit", "cuInit"));
}

TEST_F(Interposer, hands_out_its_own_functions_where_the_program_asks_for_the_drivers) {
  run({"entry_points"});
  expect_exit(0);
  EXPECT_EQ(text_of("out"), "1 1 1 1 1\n");
  EXPECT_THAT(symbols(), ElementsAre("cuInit", "cuGetProcAddress_v2", "cuMemAlloc_v2", "cuGetProcAddress_v2",
                                     "cuGetProcAddress_v2", "cuGetProcAddress_v2"));
  EXPECT_EQ(calls()[1].arguments.at(0).text, "cuMemAlloc");
}

TEST_F(Interposer, forked_children_are_processes_of_their_own) {
  run({"forks"});
  expect_exit(0);
  std::vector<std::uint32_t> processes;
  for (const Event& call : calls()) processes.push_back(call.process);
  EXPECT_THAT(processes, ElementsAre(0, 1, 2, 0));
  EXPECT_EQ(calls()[1].arguments.at(1).word, 100u);
  EXPECT_NE(calls()[1].thread, 0u);
  EXPECT_EQ(calls()[3].thread, 0u);
  EXPECT_EQ(of_kind(EventKind::ProcessStart).size(), 3u);
}

TEST_F(Interposer, children_of_a_program_that_overwrote_the_count_of_processes_are_recorded_and_numbered) {
  run({"forks_with_a_wrong_count"});
  expect_exit(0);
  std::vector<std::uint32_t> processes;
  std::set<std::uint32_t> threads;
  for (const Event& call : calls()) {
    processes.push_back(call.process);
    threads.insert(call.thread);
  }
  EXPECT_THAT(processes, ElementsAre(0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 0));
  EXPECT_EQ(threads.size(), 11u);
  EXPECT_TRUE(of_kind(EventKind::Lost).empty());
}

TEST_F(Interposer, a_program_that_execs_goes_on_as_another_process) {
  run({"execs"});
  expect_exit(0);
  EXPECT_EQ(calls().size(), 7u);
  EXPECT_EQ(calls().front().process, 0u);
  EXPECT_EQ(calls().back().process, 1u);
}

TEST_F(Interposer, threads_have_numbers_names_and_ends) {
  options_.ring_bytes = 1 << 16;  // so that they wait for the reader, too
  run({"threads"});
  expect_exit(0);
  std::set<std::string> names;
  for (const Event& start : of_kind(EventKind::ThreadStart)) names.insert(start.text);
  EXPECT_EQ(names, (std::set<std::string>{"", "worker 0", "worker 1", "worker 2", "worker 3"}));
  EXPECT_EQ(of_kind(EventKind::ThreadEnd).size(), 4u);
  EXPECT_EQ(calls().size(), 20'001u);
  std::uint64_t next[5] = {};
  for (const Event& call : calls()) {
    ASSERT_LT(call.thread, 5u);
    if (call.thread != 0) {
      ASSERT_EQ(call.arguments.at(1).word, ++next[call.thread]);
    }
  }
  EXPECT_TRUE(of_kind(EventKind::Lost).empty());
}

TEST_F(Interposer, output_is_measured_before_each_call) {
  expect_output_measured_before_each_call({"prints"});
}

TEST_F(Interposer, output_is_measured_before_each_call_also_where_a_thread_is_held_up_while_it_measures) {
  expect_output_measured_before_each_call({"prints_slowly"});
}

TEST_F(Interposer, nothing_is_lost_when_the_program_closes_every_descriptor) {
  options_.mark_output = true;
  run({"closes"});
  expect_exit(0);
  EXPECT_THAT(symbols(), ElementsAre("cuInit", "cuInit"));
}

TEST_F(Interposer, the_call_that_crashed_is_the_last_and_never_returned) {
  run({"crashes"});
  EXPECT_TRUE(WIFSIGNALED(status_));
  const auto all = calls();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].symbol, "cuMemFree_v2");
  EXPECT_FALSE(all[1].returned);
  EXPECT_EQ(all[1].arguments.at(0).word, 0xdeadu);
}

TEST_F(Interposer, wild_pointers_are_the_drivers_to_judge) {
  run({"wild"});
  expect_exit(0);
  const auto all = calls();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].arguments.at(2).text, "");
  EXPECT_EQ(all[1].arguments.at(2).text, "saxpy");
  EXPECT_TRUE(all[2].arguments.at(2).null);
  EXPECT_EQ(all[3].arguments.at(2).text, std::string(4096, 'x') + "…");
}

TEST_F(Interposer, names_without_a_description_are_forwarded_with_every_register_and_recorded_by_name) {
  run({"forwarded"});
  expect_exit(0);
  const auto all = calls();
  ASSERT_EQ(all.size(), 3u);
  for (const Event& call : all) {
    EXPECT_EQ(call.name, FORWARDED_NAME_TEXT);
    EXPECT_EQ(call.result, 4711);
    EXPECT_TRUE(call.arguments.empty());
    EXPECT_TRUE(call.current.has_value());  // it may have changed anything
  }
}

TEST_F(Interposer, a_function_of_a_newer_driver_is_recorded_by_the_name_that_it_was_asked_for_by) {
  run({"newer"});
  expect_exit(0);
  EXPECT_THAT(symbols(), ElementsAre("cuGetProcAddress_v2", "cuGetProcAddress_v2", "cuNewerThanThis",
                                     "cuNewerThanThis", "cuNewerThanThis"));
}

TEST_F(Interposer, a_function_that_the_driver_lacks_is_not_supported) {
  run({"missing"});
  expect_exit(0);
  EXPECT_EQ(calls().at(0).result, 801);
}

TEST_F(Interposer, without_a_driver_every_call_says_so_and_one_line_names_the_remedy) {
  options_.backend = "/nowhere/libcuda.so.1";
  run({"init"});
  expect_exit(34);
  const std::string said = text_of("err");
  EXPECT_THAT(said, HasSubstr("/nowhere/libcuda.so.1"));
  EXPECT_THAT(said, HasSubstr("DRIVERLAB_BACKEND"));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1);
}

TEST_F(Interposer, that_is_its_own_driver_says_so_and_does_not_hang) {
  options_.backend = fs::path(TRACER_FOLDER) / "libcuda.so.1";
  run({"init"});
  expect_exit(34);
  const std::string said = text_of("err");
  EXPECT_THAT(said, HasSubstr("DRIVERLAB_BACKEND names the tracer itself"));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1);
}

TEST_F(Interposer, without_a_trace_it_only_forwards) {
  unset_ = {"DRIVERLAB_TRACE"};
  run({"linked"});
  expect_exit(0);
  EXPECT_EQ(text_of("out"), "Fake device 1\n");
  EXPECT_EQ(text_of("err"), "");
  EXPECT_EQ(store_.size(), 0u);
}

TEST_F(Interposer, a_held_program_goes_call_by_call) {
  options_.hold = true;
  create();
  const pid_t child = start({"linked"});
  const auto wait_for_held = [this]() -> std::string {
    for (int i = 0; i < 5000; ++i) {
      live_->poll(store_);
      const auto pending = live_->pending();
      if (pending.size() == 1 && pending[0].held) return std::string(pending[0].call.symbol);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return "nothing is held";
  };
  std::vector<std::string> seen;
  for (int i = 0; i < 3; ++i) {
    seen.push_back(wait_for_held());
    EXPECT_EQ(calls().size(), static_cast<std::size_t>(i));
    live_->step(0);
  }
  EXPECT_THAT(seen, ElementsAre("cuInit", "cuDeviceGetName", "cuCtxCreate_v2"));
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_EQ(wait_for_held(), "cuMemAlloc_v2");
  live_->hold_all(false);
  waitpid(child, &status_, 0);
  live_->finish(store_);
  expect_exit(0);
  EXPECT_EQ(calls().size(), 6u);
  EXPECT_LT(calls()[3].dur_ns, 50'000'000u);  // the time it was held does not count
}

#ifdef SANITIZED_PROGRAM
TEST_F(Interposer, a_program_with_a_sanitizer_is_traced_like_any_other) {
  program_ = SANITIZED_PROGRAM;
  run({"linked"});
  expect_exit(0);
  EXPECT_EQ(symbols().size(), 6u);  // the driver's own calls are not among them, though found in the tracer
  EXPECT_TRUE(of_kind(EventKind::Lost).empty());
}
#endif

// Else every recorder asks the loader where its thread's data is, some six times a call.
TEST_F(Interposer, finds_the_threads_data_without_a_call) {
  std::ifstream file(std::string(TRACER_FOLDER) + "/libcuda.so.1", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  ASSERT_GE(bytes.size(), sizeof(ElfW(Ehdr)));
  ElfW(Ehdr) head;
  std::memcpy(&head, bytes.data(), sizeof head);
  bool is_static = false;
  for (std::size_t i = 0; i < head.e_phnum; ++i) {
    ElfW(Phdr) part;
    ASSERT_LE(head.e_phoff + (i + 1) * sizeof part, bytes.size());
    std::memcpy(&part, bytes.data() + head.e_phoff + i * sizeof part, sizeof part);
    if (part.p_type != PT_DYNAMIC) continue;
    for (std::size_t at = 0; at + sizeof(ElfW(Dyn)) <= part.p_filesz; at += sizeof(ElfW(Dyn))) {
      ElfW(Dyn) entry;
      std::memcpy(&entry, bytes.data() + part.p_offset + at, sizeof entry);
      is_static |= entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_STATIC_TLS) != 0;
    }
  }
  EXPECT_TRUE(is_static);
}

TEST_F(Interposer, exports_nothing_but_the_driver_api_and_what_the_libraries_beside_it_record_by) {
  const std::string command = std::string("nm -D --defined-only ") + TRACER_FOLDER +
                              "/libcuda.so.1 | grep -v ' cu' | grep -vw driverlab_outer_calls | wc -l";
  FILE* pipe = popen(command.c_str(), "r");
  int count = -1;
  ASSERT_EQ(fscanf(pipe, "%d", &count), 1);
  pclose(pipe);
  EXPECT_EQ(count, 0);
}

}  // namespace
}  // namespace trace::test
