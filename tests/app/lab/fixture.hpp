// SPDX-License-Identifier: MIT
// What the tests of this folder share: a folder that goes away, variables that are put back, a lesson written
// on the spot, and a run of a small program from its source to its end.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "lab/builder.hpp"
#include "lab/session.hpp"
#include "lab/workspace.hpp"

namespace lab_test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "lab-run-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::filesystem::path& file, std::string_view text) const {
    std::filesystem::create_directories((path_ / file).parent_path());
    std::ofstream(path_ / file, std::ios::binary) << text;
    return path_ / file;
  }

 private:
  std::filesystem::path path_;
};

class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() {
    if (old_)
      ::setenv(name_, old_->c_str(), 1);
    else
      ::unsetenv(name_);
  }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

inline std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Waits until `true_at_last` holds, ten seconds at most.
inline bool eventually(const std::function<bool()>& true_at_last) {
  for (int i = 0; i < 1000; ++i) {
    if (true_at_last()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

// A problem says what it has to in both languages.
inline void expect_in_both(const lab::Problem& problem, const std::string& value) {
  EXPECT_THAT(problem.in(lab::Language::English), testing::HasSubstr(value));
  EXPECT_THAT(problem.in(lab::Language::Chinese), testing::HasSubstr(value));
  EXPECT_NE(problem.in(lab::Language::English), problem.in(lab::Language::Chinese));
}

// Programs are built with the embedded toolkit of this build, in a cache that the tests share from run to
// run: what they begin with is compiled ahead only once.
class Programs : public testing::Test {
 protected:
  void SetUp() override {
    auto parts = lab::find_installation();
    ASSERT_TRUE(parts) << parts.error().in(lab::Language::English);
    installation = *parts;
    auto chosen = lab::choose_driver(lab::DriverChoice::Embedded, installation);
    ASSERT_TRUE(chosen) << chosen.error().in(lab::Language::English);
    driver = *chosen;
    lesson.sources = {"main.cpp"};
    lesson.folder = folder.path() / "source";
  }
  lab::BuildResult build(const std::string& source) {
    folder.write("source/main.cpp", source);
    return lab::build_lesson(lesson, lesson.folder, driver, installation);
  }
  lab::RunRequest request_for(const std::string& source) {
    const lab::BuildResult built = build(source);
    EXPECT_TRUE(built.ok) << built.output
                          << (built.problem ? built.problem->in(lab::Language::English) : std::string());
    lab::RunRequest request;
    request.command = {built.program.string()};
    request.working_folder = request.source_folder = lesson.folder;
    request.driver = driver;
    request.limits.seconds = 120;
    return request;
  }
  std::unique_ptr<lab::Session> start(const lab::RunRequest& request) {
    auto session = lab::Session::start(request, installation);
    EXPECT_TRUE(session) << session.error().in(lab::Language::English);
    return session ? std::move(*session) : nullptr;
  }
  std::unique_ptr<lab::Session> run(const lab::RunRequest& request) {
    auto session = start(request);
    if (session) session->wait();
    return session;
  }
  std::unique_ptr<lab::Session> run(const std::string& source) { return run(request_for(source)); }

  TemporaryFolder folder;
  Variable cache{"XDG_CACHE_HOME", LAB_RUN_TEST_CACHE};
  lab::Installation installation;
  lab::Driver driver;
  lab::Lesson lesson;
};

inline std::vector<std::string> calls(const lab::Session& session) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < session.store().size(); ++i)
    if (session.store().kind_at(i) == trace::EventKind::Call) names.emplace_back(session.store().at(i).name);
  return names;
}

// What a run printed on stdout (1) or stderr (2).
inline std::string output(const lab::Session& session, std::uint64_t stream = 1) {
  std::string text;
  for (std::size_t i = 0; i < session.store().size(); ++i) {
    if (session.store().kind_at(i) != trace::EventKind::Output) continue;
    const trace::Event event = session.store().at(i);
    if (event.number == stream) text += event.text;
  }
  return text;
}

}  // namespace lab_test
