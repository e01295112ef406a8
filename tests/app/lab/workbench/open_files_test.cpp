// SPDX-License-Identifier: MIT
// The student's copies of a lesson's files, without a workbench: what is told of a change, and that no text
// is lost.
#include "workbench/open_files.hpp"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

class open_files : public testing::Test {
 protected:
  void SetUp() override {
    static int count = 0;
    folder_ = fs::temp_directory_path() /
              ("driverlab_open_files_" + std::to_string(getpid()) + "_" + std::to_string(++count));
    home_.path = folder_ / "data";
    lesson_.folder = folder_ / "lessons/01_first";
    lesson_.slug = "first";
    lesson_.sources = {"main.cpp"};
    put(lesson_.folder / "main.cpp", "int main() {}\n");
  }
  void TearDown() override { fs::remove_all(folder_); }

  static void put(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  std::string on_disk(const std::string& file) {
    std::ostringstream out;
    out << std::ifstream(files_.folder() / file, std::ios::binary).rdbuf();
    return out.str();
  }
  bool polled_until(auto condition) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < until) {
      files_.save_soon();
      files_.look_outside();
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
  }

  fs::path folder_;
  lab::DataHome home_;
  lab::Lesson lesson_;
  lab::ProblemList problems_;
  std::string told_;  // each change: the file, and what was there before
  lab::OpenFiles files_{home_, problems_, std::make_shared<lab::Wake>(),
                        [this](const std::string& file, const std::string* before) {
                          told_ += file + (before ? " was " + *before : " read") + ";";
                        }};
};

TEST_F(open_files, each_change_is_told_with_what_was_there_before) {
  files_.open(lesson_);
  EXPECT_EQ(told_, "main.cpp read;");
  told_.clear();
  files_.type("main.cpp", "typed");
  files_.type("main.cpp", "typed");  // no change
  files_.type("other.cpp", "no file of the lesson");
  EXPECT_EQ(told_, "main.cpp was int main() {}\n;");
  EXPECT_TRUE(files_.edited("main.cpp"));
  told_.clear();
  files_.restore("main.cpp");
  EXPECT_EQ(told_, "main.cpp read;");
  EXPECT_FALSE(files_.edited("main.cpp"));
}

TEST_F(open_files, typed_text_is_unsaved_until_it_is_on_the_disk) {
  files_.open(lesson_);
  files_.type("main.cpp", "typed");
  EXPECT_EQ(files_.unsaved(), std::set<std::string>{"main.cpp"});
  EXPECT_TRUE(polled_until([&] { return on_disk("main.cpp") == "typed"; }));
  EXPECT_TRUE(files_.unsaved().empty());
  files_.type("main.cpp", "more");
  const fs::path copies = files_.folder();
  files_.close();
  EXPECT_FALSE(files_.is_open());
  std::string last;
  std::getline(std::ifstream(copies / "main.cpp"), last);
  EXPECT_EQ(last, "more");
}

TEST_F(open_files, what_cannot_be_saved_is_told_once_and_withdrawn_when_it_is_saved) {
  files_.open(lesson_);
  const fs::path copies = files_.folder();
  fs::remove_all(copies);
  put(copies, "a file where a folder should be");
  files_.type("main.cpp", "typed");
  EXPECT_FALSE(files_.save());
  EXPECT_FALSE(files_.save());
  EXPECT_EQ(problems_.all().size(), 1u);
  EXPECT_EQ(files_.texts().at("main.cpp"), "typed");
  fs::remove(copies);
  EXPECT_TRUE(files_.save());
  EXPECT_TRUE(problems_.all().empty());
  EXPECT_EQ(on_disk("main.cpp"), "typed");
}

TEST_F(open_files, text_that_was_given_up_is_not_written) {
  files_.open(lesson_);
  files_.type("main.cpp", "typed");
  files_.discard_unsaved();
  EXPECT_TRUE(files_.save());
  EXPECT_EQ(on_disk("main.cpp"), "int main() {}\n");
}

TEST_F(open_files, what_another_program_writes_is_taken_over_as_an_edit) {
  files_.open(lesson_);
  EXPECT_TRUE(polled_until([&] { return !files_.texts().empty(); }));
  told_.clear();
  put(files_.folder() / "main.cpp", "theirs");
  EXPECT_TRUE(polled_until([&] { return files_.texts().at("main.cpp") == "theirs"; }));
  EXPECT_EQ(told_, "main.cpp was int main() {}\n;");
  EXPECT_TRUE(files_.unsaved().empty());
}

TEST_F(open_files, a_text_of_either_language_counts_as_the_original_of_now) {
  put(lesson_.folder / "main.cpp", "// one\nint main() {}\n");
  put(lesson_.folder / "words.zh.toml", "[[comment]]\nen = \"one\"\nzh = \"一\"\n");
  files_.open(lesson_);
  const std::string english = files_.texts().at("main.cpp");
  files_.set_language(lab::Language::Chinese);
  EXPECT_EQ(files_.language_of("main.cpp"), lab::Language::Chinese);
  EXPECT_EQ(files_.texts().at("main.cpp"), "// 一\nint main() {}\n");
  EXPECT_EQ(files_.in_language_of_now("main.cpp", english), "// 一\nint main() {}\n");
  EXPECT_EQ(files_.in_language_of_now("main.cpp", "mine"), "mine");
}

}  // namespace
