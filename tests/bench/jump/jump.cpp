// SPDX-License-Identifier: MIT
// How long a jump to any moment of a long run takes, and what the run costs in memory.
//
//   bench_jump [CALLS | RECORDING]
//
// Without a recording it makes a run of 1,000,000 calls: a few threads that push, pop and set contexts, and
// allocate, copy and free so that about 10,000 allocations are alive. Goals: a jump in at most 16 ms, at most
// 200 bytes a call.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/long_run.hpp"
#include "bench/times.hpp"
#include "lab/model.hpp"
#include "trace/recording.hpp"

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void jumps(const lab::Model& model, const char* what, const std::vector<std::size_t>& moments) {
  std::vector<double> times;
  double worst_processor = 0;
  for (const std::size_t moment : moments) {
    const double processor = bench::processor_milliseconds();
    const auto start = Clock::now();
    (void)model.at(moment);
    times.push_back(milliseconds_since(start));
    worst_processor = std::max(worst_processor, bench::processor_milliseconds() - processor);
  }
  bench::Figures figures;
  figures.add(std::move(times));
  fmt::print("{:<28} median {:6.3f} ms   p99 {:6.3f} ms   worst {:6.3f} ms (of the processor {:.3f} ms)\n",
             what, figures.median, figures.p99, figures.worst, worst_processor);
}

}  // namespace

int main(int argc, char** argv) {
  trace::Store store;
  const std::string argument = argc > 1 ? argv[1] : "1000000";
  if (const long calls = std::atol(argument.c_str()); calls > 0) {
    bench::Program program(store);
    while (store.calls() < static_cast<std::size_t>(calls)) program.make_call();
  } else {
    trace::RunInfo info;
    const auto start = Clock::now();
    if (trace::read_recording(argument, store, info).problem != trace::RecordingProblem::None) {
      fmt::print(stderr, "{} cannot be read as a recording.\n", argument);
      return 1;
    }
    fmt::print("reading the recording          {:.0f} ms\n", milliseconds_since(start));
  }
  lab::Model model(store);
  const auto start = Clock::now();
  model.follow();
  const double folding = milliseconds_since(start);
  if (store.calls() == 0) {
    fmt::print("no calls\n");
    return 1;
  }
  const auto calls = static_cast<double>(store.calls());
  fmt::print("calls {}, events {}, live allocations at the end {}, stacks up to {} deep\n", store.calls(),
             store.size(), model.latest().allocations.size(), [&model] {
               std::size_t deepest = 0;
               for (const lab::Thread& thread : model.latest().threads)
                 deepest = std::max(deepest, thread.stack.size());
               return deepest;
             }());
  fmt::print("folding all of it once         {:.0f} ms ({:.0f} ns a call)\n", folding, folding * 1e6 / calls);

  std::mt19937_64 random(2);
  std::vector<std::size_t> anywhere(2000);
  for (std::size_t& moment : anywhere) moment = random() % (model.moments() + 1);
  jumps(model, "jump to a random moment", anywhere);
  std::vector<std::size_t> backwards;
  for (std::size_t i = 0; i < 1000 && i < model.moments(); ++i) backwards.push_back(model.moments() - i);
  jumps(model, "one event back, 1,000 times", backwards);
  std::vector<std::size_t> forwards(backwards.rbegin(), backwards.rend());
  jumps(model, "one event on, 1,000 times", forwards);

  const std::size_t lines = std::min<std::size_t>(20000, model.moments());
  const auto words = Clock::now();
  std::size_t bytes = 0;
  for (std::size_t i = model.moments() - lines; i < model.moments(); ++i)
    bytes += lab::event_json(model, store, i).size();
  fmt::print("a line of --events             {:.1f} us, {} bytes\n",
             milliseconds_since(words) * 1e3 / static_cast<double>(lines), bytes / lines);
  fmt::print("store {:.1f} + model {:.1f} = {:.1f} bytes a call (goal: at most 200)\n",
             static_cast<double>(store.bytes()) / calls, static_cast<double>(model.bytes()) / calls,
             static_cast<double>(store.bytes() + model.bytes()) / calls);
  return 0;
}
