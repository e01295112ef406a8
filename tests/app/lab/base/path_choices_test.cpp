// SPDX-License-Identifier: MIT
// Paths that are being typed, words of a command, and the list of files that were opened last.
#include "lab/path_choices.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace {

namespace fs = std::filesystem;

class path_choices : public testing::Test {
 protected:
  path_choices() {
    std::string pattern = testing::TempDir() + "choicesXXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    fs::create_directories(folder_ / "runs");
    fs::create_directories(folder_ / ".hidden");
    for (const char* name : {"Run2.dlrec", "run1.trace", "notes.txt", "other.dlrec"})
      std::ofstream(folder_ / name) << name;
  }
  ~path_choices() override { fs::remove_all(folder_); }
  std::string names(const std::string& typed, std::size_t most = 10) {
    std::string all;
    for (const lab::PathChoice& each : lab::path_choices((folder_ / typed).string(), most))
      all += each.name + (each.folder ? "/ " : " ");
    return all;
  }
  fs::path folder_;
};

TEST_F(path_choices, are_folders_and_recordings_that_begin_as_typed_in_any_capitals) {
  EXPECT_EQ(names(""), "runs/ Run2.dlrec other.dlrec run1.trace ");
  EXPECT_EQ(names("ru"), "runs/ Run2.dlrec run1.trace ");
  EXPECT_EQ(names("ru", 2), "runs/ Run2.dlrec ");
  EXPECT_EQ(names("nothing"), "");
  EXPECT_EQ(names("no such folder/x"), "");
}

TEST_F(path_choices, names_with_a_dot_are_hidden_until_a_dot_is_typed) {
  EXPECT_EQ(names("").find(".hidden"), std::string::npos);
  EXPECT_EQ(names(".h"), ".hidden/ ");
}

TEST_F(path_choices, a_tilde_is_the_users_home) {
  const char* home = std::getenv("HOME");
  ASSERT_NE(home, nullptr);
  EXPECT_EQ(lab::typed_path("~/a/b"), fs::path(home) / "a/b");
  EXPECT_EQ(lab::typed_path("~a/b"), fs::path("~a/b"));
  EXPECT_EQ(lab::typed_path("/a"), fs::path("/a"));
}

TEST_F(path_choices, a_program_is_a_file_that_can_be_started) {
  EXPECT_FALSE(lab::is_program(folder_ / "notes.txt"));
  fs::permissions(folder_ / "notes.txt", fs::perms::owner_all);
  EXPECT_TRUE(lab::is_program(folder_ / "notes.txt"));
  EXPECT_FALSE(lab::is_program(folder_ / "runs")) << "a folder";
}

TEST_F(path_choices, source_code_is_known_by_its_name) {
  for (const char* name : {"main.cu", "a/b.cpp", "scale.ptx", "x.h"})
    EXPECT_TRUE(lab::is_source(name)) << name;
  for (const char* name : {"run.dlrec", "cu", "train.py", "a.out"})
    EXPECT_FALSE(lab::is_source(name)) << name;
}

TEST_F(path_choices, the_newest_recent_file_is_first_and_each_is_there_once) {
  std::vector<std::string> recent;
  for (int i = 0; i < 30; ++i) lab::note_recent(recent, "/runs/" + std::to_string(i));
  EXPECT_LT(recent.size(), 30u);
  EXPECT_EQ(recent.front(), "/runs/29");
  const std::size_t size = recent.size();
  lab::note_recent(recent, "/runs/./27");
  EXPECT_EQ(recent.front(), "/runs/27");
  EXPECT_EQ(recent.size(), size);
  EXPECT_EQ(std::count(recent.begin(), recent.end(), "/runs/27"), 1);
}

TEST_F(path_choices, a_word_is_quoted_where_it_has_to_be) {
  EXPECT_EQ(lab::quoted_word("/usr/bin/true"), "/usr/bin/true");
  EXPECT_EQ(lab::quoted_word("/my files/a\"b"), "\"/my files/a\\\"b\"");
}

}  // namespace
