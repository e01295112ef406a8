// SPDX-License-Identifier: MIT
// Messages as lines: whatever goes in comes out, through anything that launchers do to lines; and what is no
// message is not taken for one.
#include "run/remote_line.hpp"

#include <gtest/gtest.h>

#include "run/remote_messages.hpp"

namespace {

using lab::RemoteLines;
using lab::RemoteMessage;

std::string all_bytes(std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i * 31 + i / 256);
  return bytes;
}

TEST(RemoteLines, any_bytes_of_any_length_come_back) {
  for (const std::size_t size : {0u, 1u, 2u, 3u, 2999u, 3000u, 3001u, 6000u, 70000u}) {
    RemoteLines lines;
    lines.add(lab::lines_of({'e', all_bytes(size)}));
    const auto message = lines.next();
    ASSERT_TRUE(message) << size;
    EXPECT_EQ(message->kind, 'e');
    EXPECT_EQ(message->body, all_bytes(size)) << size;
    EXPECT_FALSE(lines.next());
    EXPECT_FALSE(lines.damaged());
  }
}

TEST(RemoteLines, pieces_may_be_cut_anywhere) {
  const std::string text = lab::lines_of({'a', all_bytes(5000)}) + lab::lines_of({'b', "x"});
  RemoteLines lines;
  for (const char c : text) lines.add(std::string_view(&c, 1));
  EXPECT_EQ(lines.next()->body, all_bytes(5000));
  EXPECT_EQ(lines.next()->body, "x");
}

TEST(RemoteLines, banners_and_other_line_ends_do_no_harm) {
  std::string text =
      "Welcome to gpubox!\r\n\n" + lab::lines_of({'a', "one"}) + "motd\n" + lab::lines_of({'b', "two"});
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
  RemoteLines lines;
  lines.add(text);
  EXPECT_EQ(lines.next()->body, "one");
  EXPECT_EQ(lines.next()->body, "two");
  EXPECT_NE(lines.foreign().find("Welcome to gpubox!"), std::string::npos);
  EXPECT_FALSE(lines.damaged());
}

TEST(RemoteLines, what_cannot_be_a_message_is_damage_and_nothing_follows) {
  for (const char* text : {"@dl. a ???\n", "@dl+ \x01\n"}) {
    RemoteLines lines;
    lines.add(text);
    lines.add(lab::lines_of({'b', "x"}));
    EXPECT_TRUE(lines.damaged()) << text;
    EXPECT_FALSE(lines.next());
  }
}

TEST(RemoteLines, a_line_without_end_does_not_fill_the_memory) {
  RemoteLines lines;
  for (int i = 0; i < 1000; ++i) lines.add(std::string(10000, 'x'));
  EXPECT_LT(lines.foreign().size(), 10000u);
}

TEST(RemoteMessages, nonsense_is_nothing) {
  for (const char* words :
       {"", "x", "[]", "{}", "{\"key\":-1}", "{\"key\":99999999}", "{\"command\":[1,2]}"}) {
    EXPECT_FALSE(lab::order_from(words)) << words;
    EXPECT_FALSE(lab::pending_from(words)) << words;
  }
  EXPECT_FALSE(lab::problem_from("{\"key\":99999999}"));
  EXPECT_FALSE(lab::end_from("{\"kind\":99}"));
  EXPECT_TRUE(lab::breakpoints_from("nonsense").empty());
}

// Copied at the depth of a million calls, each of these took the stack with it.
TEST(RemoteMessages, what_lies_too_deep_is_nonsense) {
  const auto nested = [](const std::string& before, const std::string& after) {
    return before + std::string(1'000'000, '[') + std::string(1'000'000, ']') + after;
  };
  EXPECT_FALSE(
      lab::order_from(nested(R"({"command":["x"],"lesson":{"sources":["x"],"own_libraries":)", "}}")));
  EXPECT_FALSE(lab::start_from(nested(R"({"breakpoints":)", "}")));
  EXPECT_FALSE(lab::build_from(nested(R"({"ok":true,"diagnostics":)", "}")));
  EXPECT_FALSE(lab::interception_from(nested(R"({"kind":0,"names":)", "}")));
  EXPECT_FALSE(lab::hello_from(std::string(1'000'000, '[')));
  EXPECT_TRUE(lab::breakpoints_from(nested("", "")).empty());
}

TEST(RemoteMessages, brackets_in_a_text_are_not_deep) {
  lab::Problem problem{lab::Text::RemoteBroken, {std::string(1000, '[')}};
  const auto back = lab::problem_from(lab::to_message(problem));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->values, problem.values);
}

TEST(RemoteMessages, an_order_comes_back_as_it_was_given) {
  lab::RemoteOrder order;
  order.driver = "embedded";
  order.lesson = lab::Lesson{};
  order.lesson->sources = {"main.cpp"};
  order.lesson->kernels = {"kernels.cu"};
  order.lesson->limits.seconds = 7;
  const auto back = lab::order_from(lab::to_message(order));
  ASSERT_TRUE(back && back->lesson);
  EXPECT_EQ(back->lesson->sources, order.lesson->sources);
  EXPECT_EQ(back->lesson->kernels, order.lesson->kernels);
  EXPECT_EQ(back->lesson->limits.seconds, 7);
}

TEST(RemoteMessages, a_start_comes_back_as_it_was_given) {
  lab::RemoteStart start;
  start.stacks = start.preload = true;
  start.language = lab::Language::Chinese;
  start.trace_bytes = std::uint64_t{3} << 30;
  start.breakpoints = {{"main.cpp", 7}};
  const auto back = lab::start_from(lab::to_message(start));
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->hold);
  EXPECT_TRUE(back->stacks);
  EXPECT_TRUE(back->preload);
  EXPECT_EQ(back->language, lab::Language::Chinese);
  EXPECT_EQ(back->trace_bytes, start.trace_bytes);
  EXPECT_EQ(back->breakpoints, start.breakpoints);
  const auto without = lab::start_from("{\"memory\":-1,\"preload\":1}");
  ASSERT_TRUE(without);
  EXPECT_FALSE(without->preload);
  EXPECT_EQ(without->trace_bytes, 0u);
}

TEST(RemoteMessages, the_way_into_a_program_comes_back_with_its_reason) {
  const lab::Interception way{lab::Interception::Kind::Preload,
                              lab::Problem{lab::Text::InterceptionFullPath, {"./opens", "/x/libcuda.so.1"}},
                              {"libnvrtc.so.13"}};
  const auto back = lab::interception_from(lab::to_message(way));
  ASSERT_TRUE(back && back->why);
  EXPECT_EQ(back->kind, way.kind);
  EXPECT_EQ(back->names, way.names);
  EXPECT_EQ(back->why->in(lab::Language::English), way.why->in(lab::Language::English));
  EXPECT_FALSE(lab::interception_from(lab::to_message(lab::Interception{}))->why);
  for (const char* words : {"", "[]", "{\"kind\":9}", "{\"kind\":-1}"})
    EXPECT_FALSE(lab::interception_from(words));
}

}  // namespace
