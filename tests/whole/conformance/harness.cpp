// SPDX-License-Identifier: MIT
// Runs the conformance suite: forks, lets the child run tests, and reads from a pipe what the child has
// checked. A test that crashes or hangs ends only its child; the next child goes on after it. The parent
// never calls the driver, because a driver that was started does not survive a fork. Must not depend on what
// is tested.
#include "harness.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>

namespace conformance {
namespace {

constexpr unsigned kSecondsPerTest = 60;
constexpr int kChildDescriptor = 3;

struct Test {
  std::string name;  // "group.sentence"
  Company company;
  Body body;
};

std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

// One line of the child's report, tab-separated: what kind, then its fields.
void report(const std::vector<std::string>& fields) {
  std::string line;
  for (std::string field : fields) {
    for (char& letter : field) {
      if (letter == '\n' || letter == '\t') letter = ' ';
    }
    line += (line.empty() ? "" : "\t") + field;
  }
  line += '\n';
  if (::write(kChildDescriptor, line.data(), line.size()) != static_cast<ssize_t>(line.size())) _exit(70);
}

struct Skipped {
  std::string why;
};

void leave_no_context() {
  CUcontext context = nullptr;
  while (cuCtxGetCurrent(&context) == CUDA_SUCCESS && context != nullptr &&
         cuCtxPopCurrent(&context) == CUDA_SUCCESS) {
  }
}

// The child: runs the tests until the first that must not share its process.
[[noreturn]] void run_tests(const std::vector<const Test*>& chosen, std::size_t from) {
  for (std::size_t at = from; at < chosen.size(); ++at) {
    const Test& test = *chosen[at];
    if (at > from && test.company == Company::Alone) break;
    report({"begin", std::to_string(at)});
    alarm(kSecondsPerTest);
    try {
      if (test.company == Company::Shared) {
        const CUresult started = cuInit(0);
        check(started == CUDA_SUCCESS, Origin::Told, CONFORMANCE_PLACE, "cuInit(0)", text(CUDA_SUCCESS),
              text(started));
      }
      test.body();
      report({"end"});
    } catch (const Ended&) {
      report({"end"});
    } catch (const Skipped& skipped) {
      report({"skip", skipped.why});
    }
    if (test.company == Company::Alone) break;
    leave_no_context();
  }
  std::fflush(nullptr);
  _exit(0);
}

struct Totals {
  int tests = 0, skipped = 0, failed_tests = 0;
  int checks = 0, unmeasured = 0, wrong = 0, unmeasured_wrong = 0;
  std::vector<std::string> failed, passed;
};

struct Options {
  std::string filter;
  std::set<std::string> not_yet;
  bool table = false, list = false, real = false;
};

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::stringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  return fields;
}

// What the parent knows about the test that its child is running.
class Hearing {
 public:
  Hearing(const std::vector<const Test*>& chosen, const Options& options, Totals& totals)
      : chosen_(chosen), options_(options), totals_(totals) {}

  void hear(const std::string& line) {
    const auto fields = split(line);
    if (fields.empty()) return;
    if (fields[0] == "begin") {
      current_ = std::stoul(fields.at(1));
      wrong_ = 0;
      ++totals_.tests;
    } else if (fields[0] == "check") {
      hear_check(fields);
    } else if (fields[0] == "skip") {
      ++totals_.skipped;
      std::cout << "skipped   " << name() << ": " << fields.at(1) << '\n';
      ended(false);
    } else if (fields[0] == "end") {
      ended(true);
    }
  }

  // The child has ended; returns where to go on.
  std::size_t child_ended(int status, std::size_t from) {
    if (current_) {
      const std::string how =
          WIFSIGNALED(status)
              ? (WTERMSIG(status) == SIGALRM ? "did not end within a minute"
                                             : "crashed with signal " + std::to_string(WTERMSIG(status)))
              : "left its process with " + std::to_string(WEXITSTATUS(status));
      std::cout << "DIFFERENT " << name() << ": the process " << how << '\n';
      ++wrong_;
      next_ = *current_ + 1;
      ended(true);
    }
    return std::max(next_, from + 1);
  }

 private:
  [[nodiscard]] const std::string& name() const { return chosen_.at(*current_)->name; }

  // check, holds, origin, place, what, expected, returned
  void hear_check(const std::vector<std::string>& fields) {
    const bool holds = fields.at(1) == "1";
    const bool unmeasured = fields.at(2) == "unmeasured";
    ++totals_.checks;
    totals_.unmeasured += unmeasured ? 1 : 0;
    if (options_.table) {
      std::cout << name() << '\t' << fields.at(3) << '\t' << fields.at(4) << '\t' << fields.at(5) << '\t'
                << "measured_on_h200 = " << (unmeasured ? "no" : "yes") << '\t'
                << (holds ? "same" : fields.at(6)) << '\n';
    }
    if (holds) return;
    const bool excused = unmeasured && options_.real;
    (unmeasured ? totals_.unmeasured_wrong : totals_.wrong) += 1;
    wrong_ += excused ? 0 : 1;
    if (options_.not_yet.contains(name())) return;
    std::cout << (unmeasured ? "LOOK      " : "DIFFERENT ") << name() << ": " << fields.at(3) << ": "
              << fields.at(4) << "\n            expected " << fields.at(5)
              << (unmeasured ? " (not measured yet)" : "") << ", the driver answers " << fields.at(6) << '\n';
  }

  void ended(bool counts) {
    if (wrong_ > 0) ++totals_.failed_tests;
    if (counts) (wrong_ > 0 ? totals_.failed : totals_.passed).push_back(name());
    next_ = *current_ + 1;
    current_.reset();
    std::cout.flush();
  }

  const std::vector<const Test*>& chosen_;
  const Options& options_;
  Totals& totals_;
  std::optional<std::size_t> current_;
  std::size_t next_ = 0;
  int wrong_ = 0;
};

// Runs as many tests as one child can, from `from`; returns the first that has not run.
std::size_t run_child(const std::vector<const Test*>& chosen, std::size_t from, Hearing& hearing) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    if (ends[1] != kChildDescriptor) {
      dup2(ends[1], kChildDescriptor);
      close(ends[1]);
    }
    run_tests(chosen, from);
  }
  close(ends[1]);
  std::string pending;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    pending.append(buffer, static_cast<std::size_t>(got));
    for (std::size_t end = 0; (end = pending.find('\n')) != std::string::npos; pending.erase(0, end + 1)) {
      hearing.hear(pending.substr(0, end));
    }
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return hearing.child_ended(status, from);
}

std::set<std::string> read_names(const char* path) {
  std::ifstream file(path);
  if (!file) {
    std::cerr << "cannot read " << path << '\n';
    std::exit(2);
  }
  std::set<std::string> names;
  for (std::string line; std::getline(file, line);) {
    line = line.substr(0, line.find('#'));
    line.erase(line.find_last_not_of(" \t") + 1);
    if (!line.empty()) names.insert(line);
  }
  return names;
}

// In a child, because asking starts the driver.
bool on_a_real_gpu() {
  const pid_t child = fork();
  if (child == 0) {
    char name[64] = "";
    cuInit(0);
    cuDeviceGetName(name, sizeof name, 0);
    _exit(std::strncmp(name, "Embedded GPU", 12) == 0 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status != 0;
}

Options read_options(int count, char** words) {
  Options options;
  for (int at = 1; at < count; ++at) {
    const std::string word = words[at];
    if (word == "--table") {
      options.table = true;
    } else if (word == "--list") {
      options.list = true;
    } else if (word == "--not-yet" && at + 1 < count) {
      options.not_yet = read_names(words[++at]);
    } else if (!word.starts_with("-")) {
      options.filter = word;
    } else {
      std::cerr << "usage: conformance [--table] [--list] [--not-yet FILE] [PART_OF_A_NAME]\n";
      std::exit(2);
    }
  }
  options.real = on_a_real_gpu();
  return options;
}

// Tests listed as not yet right must differ, the others must not.
int verdict(const Options& options, const Totals& totals) {
  int complaints = 0;
  for (const auto& name : totals.failed) complaints += options.not_yet.contains(name) ? 0 : 1;
  for (const auto& name : totals.passed) {
    if (!options.not_yet.contains(name)) continue;
    std::cout << "RIGHT NOW " << name << ": take it off the list of what is not yet right\n";
    ++complaints;
  }
  std::cout << totals.tests << " tests, " << totals.skipped << " skipped; " << totals.checks << " checks, "
            << totals.wrong << " different; " << totals.unmeasured << " of them not measured on an H200 yet, "
            << totals.unmeasured_wrong << " different\n";
  std::cout << (complaints == 0 ? "conforms" : std::to_string(complaints) + " tests do not conform");
  if (!options.not_yet.empty()) std::cout << "; " << options.not_yet.size() << " are listed as not yet right";
  std::cout << '\n';
  return complaints == 0 ? 0 : 1;
}

}  // namespace

bool add(const char* group, const char* name, Company company, Body body) {
  tests().push_back({std::string(group) + "." + name, company, body});
  return true;
}

void end_test() {
  throw Ended{};
}

void skip(const std::string& why) {
  throw Skipped{why};
}

void check(bool holds, Origin origin, Place place, const char* what, const std::string& expected,
           const std::string& answered) {
  const char* const slash = std::strrchr(place.file, '/');
  report({"check", holds ? "1" : "0", origin == Origin::Unmeasured ? "unmeasured" : "told",
          (slash != nullptr ? slash + 1 : place.file) + (":" + std::to_string(place.line)), what,
          expected.empty() ? "(empty)" : expected, answered.empty() ? "(empty)" : answered});
}

std::string text(CUresult result) {
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  return name != nullptr ? name : "no result: " + std::to_string(static_cast<int>(result));
}

}  // namespace conformance

int main(int count, char** words) {
  using namespace conformance;
  const Options options = read_options(count, words);
  auto all = tests();
  std::stable_sort(all.begin(), all.end(), [](const Test& a, const Test& b) { return a.name < b.name; });
  std::vector<const Test*> chosen;
  for (const Test& test : all) {
    if (test.name.find(options.filter) != std::string::npos) chosen.push_back(&test);
  }
  if (options.list) {
    for (const Test* test : chosen) std::cout << test->name << '\n';
    return 0;
  }
  Totals totals;
  Hearing hearing(chosen, options, totals);
  for (std::size_t at = 0; at < chosen.size();) at = run_child(chosen, at, hearing);
  return verdict(options, totals);
}
