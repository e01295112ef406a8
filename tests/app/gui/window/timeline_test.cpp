// SPDX-License-Identifier: MIT
// What stands on the ruler of the timeline, over a recording from a real GPU: a dot for each call on a line
// with a breakpoint.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "stage.hpp"

namespace gui {
namespace {

class TimelineOfARun : private OwnHome, public testing::Test {
 protected:
  TimelineOfARun() {
    stage_.open_recording(GUI_RECORDINGS "/h200_19_streams_events.dlrec");
    stage_.begin({});
    stage_.press({Key::F3});
    stage_.draw(8);
  }
  lab::Workbench& bench() { return stage_.bench(); }
  // By number of the call; where each dot is.
  std::map<int, float> dots() {
    stage_.draw(8);
    constexpr std::string_view kStop = "timeline stop ";
    std::map<int, float> found;
    for (const auto& [name, at] : stage_.shell().places())
      if (name.starts_with(kStop)) found[std::stoi(name.substr(kStop.size()))] = at.x;
    return found;
  }
  // The lines of the lesson's own file with the numbers of the calls on them, of those that the program
  // makes.
  std::map<int, std::set<int>> calls_by_line(const std::string& file) {
    const trace::Store& store = bench().store();
    std::map<int, std::set<int>> lines;
    for (std::size_t call = 0; call < store.calls(); ++call) {
      const trace::Event event = store.at(store.event_of_call(call));
      if (event.depth == 0 && event.line > 0 && bench().file_of(event.file) == file)
        lines[bench().line_now(file, static_cast<int>(event.line))].insert(static_cast<int>(call) + 1);
    }
    return lines;
  }
  Stage stage_;
};

TEST_F(TimelineOfARun, a_breakpoint_is_a_dot_at_each_call_of_its_line) {
  const std::string file = bench().files().front();
  const auto lines = calls_by_line(file);
  ASSERT_GT(lines.size(), 10u);
  EXPECT_TRUE(dots().empty());
  std::set<int> wanted;
  for (const int line : {std::next(lines.begin(), 2)->first, std::prev(lines.end(), 3)->first}) {
    bench().toggle_breakpoint(file, line);
    wanted.insert(lines.at(line).begin(), lines.at(line).end());
  }
  const std::map<int, float> found = dots();
  const float left = stage_.shell().places().at("timeline left").x,
              right = stage_.shell().places().at("timeline right").x;
  ASSERT_GE(found.size(), 2u);  // two calls side by side are one dot
  float before = left - 1;
  for (const auto& [call, x] : found) {
    EXPECT_TRUE(wanted.contains(call)) << call;
    EXPECT_GT(x, before) << call;  // in the order in which they were made
    before = x;
  }
  EXPECT_LE(before, right);
}

TEST_F(TimelineOfARun, a_breakpoint_that_is_taken_away_takes_its_dots_along) {
  const std::string file = bench().files().front();
  const int line = calls_by_line(file).rbegin()->first;
  bench().toggle_breakpoint(file, line);
  EXPECT_FALSE(dots().empty());
  bench().toggle_breakpoint(file, line);
  EXPECT_TRUE(dots().empty());
}

TEST_F(TimelineOfARun, a_breakpoint_on_a_line_without_a_call_has_no_dot) {
  const std::string file = bench().files().front();
  const auto lines = calls_by_line(file);
  int line = 1;
  while (lines.contains(line)) ++line;
  bench().toggle_breakpoint(file, line);
  EXPECT_TRUE(dots().empty());
}

}  // namespace
}  // namespace gui
