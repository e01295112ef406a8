// SPDX-License-Identifier: MIT
// Settings survive a start, a broken file, and a newer version's keys.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "lab/settings.hpp"

namespace {

namespace fs = std::filesystem;

class settings : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("driverlab_settings_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    path_ = folder_ / "deeper" / "settings.json";
  }
  void TearDown() override { fs::remove_all(folder_); }
  void put(const std::string& text) {
    fs::create_directories(path_.parent_path());
    std::ofstream(path_) << text;
  }
  std::string content(const fs::path& path) {
    std::ostringstream out;
    out << std::ifstream(path).rdbuf();
    return out.str();
  }
  fs::path folder_, path_;
};

}  // namespace

TEST_F(settings, places_that_make_no_sense_are_left_out) {
  put(R"({"places": {"a": 3, "b": {"file": 1, "line": -4, "exercise": 7,
      "breakpoints": {"main.cpp": [0, -1, 2.5, "x", 7, 9999999999], "k.cu": 5}}}})");
  const lab::Settings read = lab::read_settings(path_);
  ASSERT_EQ(read.places.size(), 1u);
  EXPECT_EQ(read.places.at("b"), (lab::Settings::Place{"", 0, "", {{"main.cpp", {7}}}, {}, {}}));
}

TEST_F(settings, an_exercise_that_an_earlier_version_left_open_is_the_first) {
  put(R"({"places": {"a": {"exercise": true}, "b": {"exercise": false}}})");
  const lab::Settings read = lab::read_settings(path_);
  EXPECT_EQ(read.places.at("a").exercise, "repair");
  EXPECT_EQ(read.places.at("b").exercise, "");
}

TEST_F(settings, what_is_written_is_read_back) {
  lab::Settings written;
  written.lesson = "context_stack";
  written.language = lab::Language::Chinese;
  written.theme = lab::ThemeChoice::Projector;
  written.scale = 150;
  written.driver = lab::DriverChoice::Embedded;
  written.width = 1280;
  written.height = 720;
  written.layout["notes"] = 0.25;
  written.animations = false;
  written.predict = false;
  written.ghost = false;
  written.recent = {"/runs/new.dlrec", "/runs/old.dlrec"};
  written.program = {"./a.out 3", "/work", "A=1"};
  written.places["04"] = {"main.cpp", 12, "predict", {{"main.cpp", {3, 9}}}, "code", "push", 41};
  ASSERT_TRUE(lab::write_settings(path_, written));
  const lab::Settings read = lab::read_settings(path_);
  EXPECT_EQ(read.lesson, "context_stack");
  EXPECT_EQ(read.language, lab::Language::Chinese);
  EXPECT_EQ(read.theme, lab::ThemeChoice::Projector);
  EXPECT_EQ(read.scale, 150);
  EXPECT_EQ(read.driver, lab::DriverChoice::Embedded);
  EXPECT_EQ(read.width, 1280);
  EXPECT_EQ(read.height, 720);
  EXPECT_EQ(read.layout.at("notes"), 0.25);
  EXPECT_FALSE(read.animations);
  EXPECT_FALSE(read.ghost);
  EXPECT_TRUE(read == written);
}

TEST_F(settings, lessons_are_named_without_the_number_that_they_had) {
  put(R"({"lesson": "14_vector_add", "places": {"14_vector_add": {"file": "a.cpp"},
      "05_threads": {"file": "b.cpp"}, "threads": {"file": "c.cpp"}}})");
  const lab::Settings read = lab::read_settings(path_);
  EXPECT_EQ(read.lesson, "vector_add");
  ASSERT_EQ(read.places.size(), 2u);
  EXPECT_EQ(read.places.at("vector_add").file, "a.cpp");
  EXPECT_EQ(read.places.at("threads").file, "c.cpp");
}

TEST_F(settings, a_missing_file_gives_defaults_and_is_not_broken) {
  bool broken = true;
  const lab::Settings read = lab::read_settings(path_, &broken);
  EXPECT_FALSE(broken);
  EXPECT_EQ(read.scale, 100);
  EXPECT_FALSE(read.language.has_value());
}

TEST_F(settings, a_file_that_is_no_json_is_kept_beside_the_new_one) {
  for (const std::string text : {"{\"lesson\": ", "[1, 2]", "\xff\xfe", ""}) {
    put(text);
    bool broken = false;
    EXPECT_EQ(lab::read_settings(path_, &broken).scale, 100);
    EXPECT_TRUE(broken) << text;
    EXPECT_EQ(content(path_.string() + ".broken"), text);
    EXPECT_FALSE(fs::exists(path_));
  }
}

TEST_F(settings, values_of_the_wrong_kind_or_size_have_their_defaults) {
  put(R"({"lesson": 4, "language": "xx", "theme": [], "scale": 1000, "width": -1, "height": "tall",
          "driver": "quantum", "layout": {"notes": 7, "code": 0.5, "x": "y"}, "animations": 3})");
  bool broken = true;
  const lab::Settings read = lab::read_settings(path_, &broken);
  EXPECT_FALSE(broken);
  EXPECT_EQ(read.lesson, "");
  EXPECT_FALSE(read.language.has_value());
  EXPECT_EQ(read.theme, lab::ThemeChoice::Dark);
  EXPECT_EQ(read.scale, 100);
  EXPECT_EQ(read.width, 1600);
  EXPECT_EQ(read.height, 1000);
  EXPECT_EQ(read.driver, lab::DriverChoice::Auto);
  EXPECT_EQ(read.layout.size(), 1u);
  EXPECT_TRUE(read.animations);
}

TEST_F(settings, keys_of_a_newer_version_are_written_back) {
  put(R"({"scale": 200, "hologram": {"depth": 3}})");
  lab::Settings read = lab::read_settings(path_);
  read.scale = 125;
  ASSERT_TRUE(lab::write_settings(path_, read));
  EXPECT_NE(content(path_).find("\"depth\": 3"), std::string::npos);
  EXPECT_EQ(lab::read_settings(path_).scale, 125);
}

TEST_F(settings, a_folder_that_cannot_be_written_is_a_problem_and_no_crash) {
  put("x");
  EXPECT_FALSE(lab::write_settings(path_ / "below_a_file" / "settings.json", lab::Settings{}));
}
