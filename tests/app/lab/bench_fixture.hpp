// SPDX-License-Identifier: MIT
// A workbench over lessons and a data folder of its own, in a temporary place that goes away with the test.
#pragma once
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "lab/workbench.hpp"

namespace lab_model_test {

namespace fs = std::filesystem;

inline constexpr const char* kSource = R"(#include <cuda.h>
// step: start
int main() {
  cuInit(0);
  // step: create
  CUcontext a;
  cuCtxCreate(&a, 0, 0, 0);
  cuCtxPopCurrent(&a);
}
)";

class BenchTest : public testing::Test {
 protected:
  void SetUp() override {
    static int count = 0;
    folder_ = fs::temp_directory_path() /
              ("driverlab_workbench_" + std::to_string(getpid()) + "_" + std::to_string(++count));
    fs::create_directories(folder_ / "data");
    setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    if (auto found = lab::find_installation()) installation_ = *found;
    installation_.lessons = folder_ / "lessons";
    put_lesson("01_first", kSource);
    put_lesson("02_second", kSource);
  }
  void TearDown() override {
    bench_.reset();
    // Headers may still be being compiled into the cache in the background.
    std::error_code error;
    for (int attempt = 0; attempt < 100; ++attempt) {
      fs::remove_all(folder_, error);
      if (!error && !fs::exists(folder_)) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  void put(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  std::string content(const fs::path& path) {
    std::ostringstream out;
    out << std::ifstream(path, std::ios::binary).rdbuf();
    return out.str();
  }
  void put_lesson(const std::string& name, const std::string& source, const std::string& more = {}) {
    const fs::path lesson = folder_ / "lessons" / name;
    put(lesson / "lesson.toml",
        "sources = [\"main.cpp\"]\nteaches = [\"cuInit\"]\ndocuments = [\"1\"]\n"
        "[title]\nen = \"First\"\nzh = \"第一课\"\n[summary]\nen = \"Sum\"\nzh = \"摘要\"\n" +
            more);
    put(lesson / "main.cpp", source);
    put(lesson / "notes.md", "<!-- step: start -->\nnotes of " + name + "\n");
    put(lesson / "notes.zh.md", "<!-- step: start -->\n" + name + " 的讲义\n");
    // Every lesson is compiled with the header beside the lessons.
    put(folder_ / "lessons" / "check.hpp", "#pragma once\n#include <cuda.h>\n");
  }
  lab::Workbench& bench() {
    if (!bench_) {
      lab::DataHome home;
      home.path = folder_ / "data";
      bench_ = std::make_unique<lab::Workbench>(installation_, home);
      bench_->choose(lab::DriverChoice::Embedded);
    }
    return *bench_;
  }
  template <class Condition>
  bool wait_for(Condition condition, double seconds = 120) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < until) {
      bench().poll();
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
  }
  std::string problems() {
    std::string out;
    for (const lab::Problem& problem : bench().problems()) out += problem.in(lab::Language::English) + "\n";
    return out;
  }

  fs::path folder_;
  lab::Installation installation_;
  std::unique_ptr<lab::Workbench> bench_;
};

}  // namespace lab_model_test
