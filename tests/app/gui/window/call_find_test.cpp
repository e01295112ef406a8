// SPDX-License-Identifier: MIT
// Finding calls in the window: what Ctrl+F opens, that it leaves the moment where it is until somebody goes
// on, and that a sorted list goes on with the run.
//
// Drives the whole window without a display, over a recording from a real GPU.
#include <gtest/gtest.h>

#include <filesystem>

#include "lab/call_search.hpp"
#include "lab/text.hpp"
#include "stage.hpp"

namespace gui {
namespace {

namespace fs = std::filesystem;

class CallFinding : public testing::Test {
 protected:
  void SetUp() override {
    stage_.open_recording(fs::path(GUI_RECORDINGS) / "h200_05_context_stack.dlrec");
    ASSERT_GT(stage_.bench().store().calls(), 20u);
    stage_.begin(Look{});
    stage_.bench().jump_to_call(0);
    stage_.draw();
    stage_.press({Key::F, true});
  }
  bool drawn(const std::string& words) {
    for (const DrawnText& text : stage_.draw().texts())
      if (text.text == words) return true;
    return false;
  }
  std::vector<std::size_t> pushes() {
    std::vector<std::size_t> calls;
    const trace::Store& store = stage_.bench().store();
    for (std::size_t call = 0; call < store.calls(); ++call)
      if (store.at(store.event_of_call(call)).name == "cuCtxPushCurrent") calls.push_back(call);
    return calls;
  }
  Stage stage_;
};

TEST_F(CallFinding, enter_goes_from_one_to_the_next_and_back_and_typing_stays) {
  const std::vector<std::size_t> calls = pushes();
  ASSERT_GT(calls.size(), 1u);
  stage_.type("name:cuCtxPushCurrent");
  EXPECT_TRUE(
      drawn(lab::text(lab::Text::FindCallsCount, lab::Language::English, {std::to_string(calls.size())})));
  EXPECT_EQ(stage_.bench().call_at_cursor(), 1u);
  stage_.press({Key::Enter});
  stage_.draw();
  EXPECT_EQ(stage_.bench().call_at_cursor(), calls[0] + 1);
  stage_.press({Key::F3});
  stage_.draw();
  EXPECT_EQ(stage_.bench().call_at_cursor(), calls[1] + 1);
  stage_.press({Key::F3, false, true});
  stage_.draw();
  EXPECT_EQ(stage_.bench().call_at_cursor(), calls[0] + 1);
}

TEST_F(CallFinding, a_mistake_is_told_below_the_field) {
  stage_.type("nome:x");
  const auto query = lab::CallQuery::parse("nome:x");
  ASSERT_FALSE(query);
  std::string all;
  for (const DrawnText& text : stage_.draw().texts()) all += text.text + " ";
  EXPECT_NE(all.find("“nome:” at character 1 is no field."), std::string::npos) << all;
}

TEST_F(CallFinding, tab_takes_the_completion) {
  stage_.type("na");
  stage_.draw();
  stage_.press({Key::Tab});
  EXPECT_TRUE(drawn("name:"));
}

TEST_F(CallFinding, escape_closes_it_and_F3_is_the_timeline_again) {
  EXPECT_EQ(stage_.shell().places().count("find calls"), (stage_.draw(), 1u));
  stage_.press({Key::Escape});
  stage_.draw();
  EXPECT_EQ(stage_.shell().places().count("find calls"), 0u);
  stage_.press({Key::F3});
  stage_.draw();
  EXPECT_EQ(stage_.shell().places().count("timeline left"), 1u);
}

TEST_F(CallFinding, a_new_search_lists_all_calls_again_where_the_one_before_listed_only_what_it_found) {
  // cuCtxGetCurrent and cuCtxPopCurrent, as the list has them.
  const auto others = [this] {
    for (const DrawnText& text : stage_.draw().texts())
      if (text.text.starts_with("(&pctx")) return true;
    return false;
  };
  stage_.bench().jump_to_call(9);
  stage_.type("name:cuCtxPushCurrent");
  ASSERT_TRUE(others());
  ASSERT_TRUE(stage_.click("find only"));
  ASSERT_FALSE(others());
  ASSERT_TRUE(stage_.click("find close"));
  stage_.draw();
  stage_.press({Key::F, true});
  stage_.draw();
  stage_.type("name:cuCtxPushCurrent");
  EXPECT_TRUE(others());
}

TEST_F(CallFinding, a_sorted_list_leaves_the_moment_and_steps_go_on_in_the_run) {
  stage_.press({Key::Escape});
  stage_.draw();
  ASSERT_TRUE(stage_.click("calls sort 2"));
  stage_.draw();
  EXPECT_EQ(stage_.bench().call_at_cursor(), 1u);
  stage_.press({Key::F10});
  stage_.draw();
  EXPECT_EQ(stage_.bench().call_at_cursor(), 2u);
}

TEST_F(CallFinding, the_hints_of_buttons_at_the_edge_stay_in_the_window) {
  const Look look;
  for (const auto& [place, words] : {std::pair{"find close", lab::Text::FindCallsClose},
                                     {"find only", lab::Text::FindCallsOnlyHint},
                                     {"calls columns", lab::Text::CallsColumnsHint}}) {
    stage_.point_at({1, 1});
    stage_.draw(10);
    stage_.point_at(stage_.shell().places().at(place));
    stage_.draw(200);
    const std::string hint(lab::text(words, lab::Language::English));
    bool shown = false;
    for (const DrawnText& text : stage_.draw().texts()) {
      if (text.text != hint) continue;
      shown = true;
      EXPECT_LE(text.box.right(), look.width) << hint;
      EXPECT_LE(text.box.bottom(), look.height) << hint;
    }
    EXPECT_TRUE(shown) << hint;
  }
}

}  // namespace
}  // namespace gui
