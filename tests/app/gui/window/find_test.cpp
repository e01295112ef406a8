// SPDX-License-Identifier: MIT
// Searching the picture: each thing found is drawn, wherever it was folded away, and the count beside the
// field is that of the moment.
//
// Drives the whole window without a display, over a recording made here.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include <unistd.h>

#include "lab/text.hpp"
#include "stage.hpp"
#include "support/events.hpp"
#include "trace/recording.hpp"

namespace gui {
namespace {

namespace fs = std::filesystem;

constexpr int kFillers = 150;  // functions before the one that is looked for, so that it is folded away

// A module for each needle, whose function of that name is the last of many.
fs::path two_needles(const fs::path& folder) {
  support::Run run;
  run.init();
  run.create(0x5000a0);
  std::uint64_t function = 0x9000;
  for (const std::uint64_t module : {0x10, 0x20}) {
    run.load_module(module).current(0x5000a0);
    for (int i = 0; i < kFillers; ++i)
      run.get_function(++function, module, "filler" + std::to_string(i)).current(0x5000a0);
    run.get_function(++function, module, "needle" + std::to_string(module)).current(0x5000a0);
  }
  trace::Store store;
  run.into(store);
  const fs::path file = folder / ("needles-" + std::to_string(getpid()) + ".trace");
  std::string error;
  const auto writer = trace::RecordingWriter::create(file, {}, &error);
  EXPECT_TRUE(writer && writer->write(store, 0, store.size()) && writer->finish()) << error;
  return file;
}

class Find : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path file = two_needles(testing::TempDir());
    stage_.open_recording(file);
    fs::remove(file);
    ASSERT_GT(stage_.bench().store().calls(), 2u * kFillers);
    stage_.begin(Look{});
    stage_.bench().jump_to_call(stage_.bench().store().calls() - 1);
    stage_.draw();
    stage_.point_at(stage_.shell().places().at("panel picture"));
    stage_.draw();
    stage_.press({Key::F, true});
    stage_.type("needle");
    stage_.draw();
  }
  // The function that is marked as found is drawn, and this is its place among how many.
  bool shown(int place, int count) {
    bool said = false;
    const std::string words = lab::text(lab::Text::PictureFindOf, lab::Language::English,
                                        {std::to_string(place), std::to_string(count)});
    for (const DrawnText& text : stage_.draw().texts()) said = said || text.text == words;
    return said && stage_.shell().places().count("picture found") > 0;
  }
  Stage stage_;
};

TEST_F(Find, each_thing_found_is_unfolded_when_its_turn_comes) {
  EXPECT_TRUE(shown(1, 2));
  stage_.press({Key::Enter});
  EXPECT_TRUE(shown(2, 2));
  stage_.press({Key::Enter});
  EXPECT_TRUE(shown(1, 2));
}

TEST_F(Find, a_moment_that_has_less_counts_less) {
  stage_.press({Key::Enter});
  EXPECT_TRUE(shown(2, 2));
  stage_.bench().jump_to_call(kFillers + 10);  // the second module is not loaded yet
  EXPECT_TRUE(shown(1, 1));
  stage_.bench().jump_to_call(stage_.bench().store().calls() - 1);
  EXPECT_TRUE(shown(1, 2));
  stage_.bench().jump_to_call(1);
  EXPECT_FALSE(shown(1, 1));
  EXPECT_EQ(stage_.shell().places().count("picture found"), 0u);
}

}  // namespace
}  // namespace gui
