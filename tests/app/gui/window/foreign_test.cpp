// SPDX-License-Identifier: MIT
// What the window makes of little room, and of recordings that no lesson belongs to.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include <unistd.h>

#include "lab/version.hpp"
#include "stage.hpp"
#include "trace/recording.hpp"

namespace gui {
namespace {

namespace fs = std::filesystem;

// Two calls of a program of one file, whose text comes along or does not.
fs::path foreign_program(bool with_source, const trace::RunInfo& info) {
  trace::Store store;
  for (const int line : {2, 3}) {
    trace::Event call;
    call.kind = trace::EventKind::Call;
    call.name = call.symbol = "cuInit";
    call.file = "program.cpp";
    call.line = static_cast<std::uint32_t>(line);
    store.append(call);
  }
  const fs::path file = fs::path(testing::TempDir()) / ("foreign_" + std::to_string(getpid()) + ".dlrec");
  std::string error;
  const auto writer = trace::RecordingWriter::create(file, info, &error);
  EXPECT_TRUE(writer && writer->write(store, 0, store.size())) << error;
  if (with_source) {
    EXPECT_TRUE(writer->add_sources({{"program.cpp", "int main() {\n  cuInit(0);\n  cuInit(0);\n}\n"}}));
  }
  EXPECT_TRUE(writer->finish());
  return file;
}

class ForeignProgram : public testing::Test {
 protected:
  void open(bool with_source, const Look& look, const trace::RunInfo& info = {}) {
    const fs::path file = foreign_program(with_source, info);
    stage_.open_recording(file);
    fs::remove(file);
    stage_.begin(look);
    stage_.bench().jump_to_call(1);
    stage_.draw();
  }
  bool says(const std::string& words) {
    std::string all;
    for (const DrawnText& text : stage_.draw().texts()) all += text.text + " ";
    return all.find(words) != std::string::npos;
  }
  bool there(const std::string& place) { return stage_.shell().places().count(place) > 0; }
  Stage stage_;
};

TEST_F(ForeignProgram, has_its_source_beside_the_picture_and_no_notes) {
  open(true, Look{});
  EXPECT_TRUE(there("panel code"));
  EXPECT_TRUE(there("file program.cpp"));
  EXPECT_TRUE(there("panel output"));
  EXPECT_FALSE(there("panel notes"));
}

TEST_F(ForeignProgram, without_a_source_leaves_the_column_to_what_it_printed) {
  open(false, Look{});
  EXPECT_FALSE(there("panel code"));
  EXPECT_TRUE(there("panel output"));
  EXPECT_FALSE(there("panel notes"));
  EXPECT_TRUE(there("panel picture"));
}

TEST_F(ForeignProgram, says_below_the_drivers_which_driverlab_recorded_it) {
  trace::RunInfo info;
  info.made_by = "driverlab 1.2.3";
  open(true, Look{}, info);
  ASSERT_TRUE(stage_.click("driver"));
  EXPECT_TRUE(says("driverlab 1.2.3"));
}

TEST_F(ForeignProgram, of_an_older_driverlab_leaves_that_out) {
  open(true, Look{});
  ASSERT_TRUE(stage_.click("driver"));
  EXPECT_FALSE(says("driverlab"));
}

TEST_F(ForeignProgram, does_not_hide_which_driverlab_shows_it) {
  trace::RunInfo info;
  info.made_by = "driverlab 1.2.3";
  open(true, Look{}, info);
  stage_.press({Key::F1});
  EXPECT_TRUE(says(lab::name_and_version()));
  EXPECT_FALSE(says("driverlab 1.2.3"));
}

TEST_F(ForeignProgram, shows_code_where_notes_and_code_share_a_place) {
  open(true, Look{.width = 1280, .height = 800, .scale = 150});
  EXPECT_TRUE(there("panel code"));
}

TEST_F(ForeignProgram, is_walked_round_by_the_keyboard_past_what_it_has_not) {
  open(false, Look{});
  for (int i = 0; i < 6; ++i) {
    stage_.press({Key::F6});
    stage_.draw();
    for (const char* nowhere : {R"("focus":"notes")", R"("focus":"code")"})
      EXPECT_EQ(stage_.shell().state_line().find(nowhere), std::string::npos);
  }
}

TEST_F(ForeignProgram, is_stepped_with_the_mouse_in_the_narrowest_window) {
  for (const auto language : {lab::Language::English, lab::Language::Chinese})
    for (const auto& [width, scale] : {std::pair{1280, 250}, std::pair{800, 200}, std::pair{1000, 150}}) {
      const Look look{.width = width, .height = 800, .scale = scale, .language = language};
      open(true, look);
      stage_.bench().jump_to_call(0);
      const std::size_t before = stage_.bench().call_at_cursor();
      ASSERT_TRUE(stage_.click("step")) << look.words();
      stage_.draw();
      EXPECT_EQ(stage_.bench().call_at_cursor(), before + 1) << look.words();
    }
}

}  // namespace
}  // namespace gui
