// SPDX-License-Identifier: MIT
// From a press of Run to the first event: the time of the lab (an edited source, building, starting under the
// tracer, the first call in the store and reported), compared with a bare compile and start of the same
// source with the same flags, precompiled headers included, until the program's first call. Bare and lab
// alternate, so that a busy machine slows both.
//
//   bench_run_start [LESSON [ROUNDS]]     prints medians, the ratio and the goal
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/spawn.hpp"
#include "build/precompiled.hpp"
#include "build/toolchain.hpp"
#include "lab/files.hpp"
#include "lab/session.hpp"

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
constexpr double kGoal = 1.25;

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

struct Bench {
  lab::Installation installation;
  lab::Lesson lesson;
  lab::Driver driver;
  fs::path folder;
  std::string source;
  int edits = 0;

  // A source that was never compiled before.
  void edit() {
    const auto saved = lab::write_file(folder / "main.cpp", source + "// " + std::to_string(++edits) + "\n");
    if (!saved) throw std::runtime_error(saved.error().in(lab::Language::English));
  }
  std::vector<std::string> bare_command() const;
  double bare() const;
  double lab(double* building) const;
};

std::vector<std::string> Bench::bare_command() const {
  std::string words;
  const auto toolchain = lab::choose_toolchain(&words);
  lab::PrecompileRequest request{*toolchain,
                                 lab::leading_includes(source),
                                 lab::language_flags(),
                                 {installation.lessons / "check.hpp", driver.include / "cuda.h"}};
  for (const fs::path& include : {installation.lessons, driver.include})
    request.flags.push_back("-I" + include.string());
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const lab::Precompiled precompiled = lab::precompile(request, fs::path(cache) / "driverlab", nullptr);
  if (precompiled.arguments.empty())
    throw std::runtime_error("no precompiled header: the comparison would be unfair");
  std::vector<std::string> command{toolchain->compiler.string()};
  command.insert(command.end(), request.flags.begin(), request.flags.end());
  command.insert(command.end(), precompiled.arguments.begin(), precompiled.arguments.end());
  command.insert(command.end(), {"main.cpp", "-o", (folder / "bare").string()});
  if (!toolchain->linker.empty()) command.push_back("-fuse-ld=" + toolchain->linker);
  command.insert(command.end(), {"-L" + driver.library_folder.string(), "-lcuda"});
  return command;
}

// Compile, start without a tracer, run to the first call, which is cuInit in the lessons for which this
// works.
double Bench::bare() const {
  const std::vector<std::string> command = bare_command();
  const auto begin = Clock::now();
  const auto compiled = lab::run_to_end(
      {.arguments = command, .environment = lab::compiler_environment(), .folder = folder}, {});
  if (compiled.status != 0) throw std::runtime_error(compiled.output);
  const auto ran = lab::run_to_end(
      {.arguments = {(folder / "bare").string()},
       .environment = lab::environment_with({std::string("LD_LIBRARY_PATH=") + FIRST_CALL_FOLDER})},
      {});
  if (ran.status != 0) throw std::runtime_error(ran.output);
  return milliseconds_since(begin);
}

// As the window does it, until the first call is reported.
double Bench::lab(double* building) const {
  std::mutex mutex;
  std::condition_variable changed;
  const auto begin = Clock::now();
  const lab::BuildResult built = lab::build_lesson(lesson, folder, driver, installation);
  if (!built.ok || built.cached) throw std::runtime_error("not built: " + built.output);
  *building = milliseconds_since(begin);
  lab::RunRequest request;
  request.command = {built.program.string()};
  request.driver = driver;
  request.source_folder = request.working_folder = folder;
  auto session = lab::Session::start(request, installation);
  if (!session) throw std::runtime_error(session.error().in(lab::Language::English));
  (*session)->set_on_change([&] {
    const std::scoped_lock lock(mutex);
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::seconds(20), [&] { return (*session)->store().calls() > 0; });
  }
  const double taken = milliseconds_since(begin);
  (*session)->set_on_change({});
  (*session)->wait();
  return taken;
}

int run(const char* name, int rounds) {
  std::string scratch = (fs::temp_directory_path() / "bench-run-XXXXXX").string();
  if (::mkdtemp(scratch.data()) == nullptr) return 1;
  ::setenv("XDG_CACHE_HOME", (scratch + "/cache").c_str(), 1);
  Bench bench;
  bench.installation = lab::find_installation().value();
  bench.lesson = lab::read_catalogue(bench.installation.lessons).find(name).value();
  bench.driver = lab::choose_driver(lab::DriverChoice::Embedded, bench.installation).value();
  bench.folder = fs::path(scratch) / "source";
  fs::create_directories(bench.folder);
  bench.source = lab::read_file(bench.lesson.folder / "main.cpp").value();
  std::vector<double> bare, whole, building;
  double built = 0;
  bench.edit();
  const double first = bench.lab(&built);
  for (int i = 0; i < rounds; ++i) {
    bench.edit();
    bare.push_back(bench.bare());
    bench.edit();
    whole.push_back(bench.lab(&built));
    building.push_back(built);
  }
  const double ratio = median(whole) / median(bare);
  fmt::print("lesson {}, {} rounds, medians\n", bench.lesson.folder.filename().string(), rounds);
  fmt::print("  bare compile and start            {:7.1f} ms\n", median(bare));
  fmt::print("  Run to the first event            {:7.1f} ms   of it building {:.1f}\n", median(whole),
             median(building));
  fmt::print("  the very first Run, nothing cached{:7.1f} ms\n", first);
  fmt::print("  ratio {:.2f}, goal at most {:.2f}: {}\n", ratio, kGoal, ratio <= kGoal ? "met" : "MISSED");
  fs::remove_all(scratch);
  return ratio <= kGoal ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? argv[1] : "05", argc > 2 ? std::max(1, std::atoi(argv[2])) : 15);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
