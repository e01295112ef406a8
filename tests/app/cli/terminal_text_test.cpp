// SPDX-License-Identifier: MIT
// The command line's small rules about text: what may reach a terminal, how wide it is, how --via is split,
// how an end becomes an exit status.
#include <gtest/gtest.h>

#include "runner.hpp"
#include "shell.hpp"
#include "walk.hpp"

namespace cli {
namespace {

using Words = std::vector<std::string>;

TEST(Printable, plain_text_and_chinese_stay_as_they_are) {
  EXPECT_EQ(printable("A, B\t[A] 上下文栈。\n"), "A, B\t[A] 上下文栈。\n");
}

TEST(Printable, an_escape_sequence_does_not_steer_the_terminal) {
  EXPECT_EQ(printable("\x1b[2Jgone"), "\\x1b[2Jgone");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\xc2\\x9b2J");
}

TEST(Printable, text_cannot_be_turned_around) {
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b"),
            "a\\xe2\\x80\\xaeb");
}

TEST(Printable, bytes_that_are_no_utf8_are_shown_as_bytes) {
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(printable("\xe4\xb8"), "\\xe4\\xb8");           // cut off
  EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80");           // too long a form of zero
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a surrogate pair
}

TEST(Columns, a_chinese_character_takes_two) {
  EXPECT_EQ(columns("栈 A"), 4u);
  EXPECT_EQ(padded("栈", 4), "栈  ");
  EXPECT_EQ(padded("too long", 3), "too long");
}

TEST(SplitWords, quotes_keep_a_word_together) {
  EXPECT_EQ(lab::split_launcher("srun --gres=gpu:1", "--via").value(), (Words{"srun", "--gres=gpu:1"}));
  EXPECT_EQ(lab::split_launcher("  ssh  'my host'\t\"a b\" ", "--via").value(),
            (Words{"ssh", "my host", "a b"}));
  EXPECT_EQ(lab::split_launcher("a\\ b ''", "--via").value(), (Words{"a b", ""}));
  EXPECT_EQ(lab::split_launcher("", "--via").value(), Words{});
}

TEST(SplitWords, nothing_is_expanded) {
  EXPECT_EQ(lab::split_launcher("$HOME `x` *", "--via").value(), (Words{"$HOME", "`x`", "*"}));
}

TEST(SplitWords, an_open_quote_is_a_problem) {
  EXPECT_FALSE(lab::split_launcher("ssh 'my host", "--via").has_value());
}

TEST(ParseNumber, only_whole_numbers_inside_the_bounds_pass) {
  EXPECT_EQ(parse_number("--scale", "75", 75, 250).value(), 75);
  EXPECT_EQ(parse_number("--scale", "250", 75, 250).value(), 250);
  for (const char* word : {"74", "251", "", "100%", " 100", "1e2", "99999999999999999999", "-100", "0x64"})
    EXPECT_FALSE(parse_number("--scale", word, 75, 250).has_value()) << word;
}

TEST(StatusOf, each_end_has_its_exit_status) {
  EXPECT_EQ(status_of({trace::EndKind::Exit, 7, ""}), 7);
  EXPECT_EQ(status_of({trace::EndKind::Signal, 11, "cuInit"}), 139);
  EXPECT_EQ(status_of({trace::EndKind::TimeLimit, 1, ""}), kStoppedByLimit);
  EXPECT_EQ(status_of({trace::EndKind::MemoryLimit, 1, ""}), kStoppedByLimit);
  EXPECT_EQ(status_of({trace::EndKind::OutputLimit, 1, ""}), kStoppedByLimit);
  EXPECT_EQ(status_of({trace::EndKind::Killed, 0, ""}), kInterrupted);
  EXPECT_EQ(status_of({trace::EndKind::Killed, 64, ""}), kStoppedByLimit);
}

trace::Event event_of(trace::EventKind kind) {
  trace::Event event;
  event.kind = kind;
  return event;
}

TEST(EndOf, a_run_without_an_end_has_none) {
  trace::Store store;
  EXPECT_FALSE(lab::end_of(store).has_value());
  store.append(event_of(trace::EventKind::ProcessStart));
  EXPECT_FALSE(lab::end_of(store).has_value());
}

TEST(EndOf, a_crash_names_the_call_that_never_returned) {
  trace::Store store;
  trace::Event call = event_of(trace::EventKind::Call);
  call.name = call.symbol = "cuInit";
  call.returned = false;
  call.file = "main.cpp";
  call.line = 31;
  store.append(call);
  trace::Event end = event_of(trace::EventKind::ProcessEnd);
  end.end = trace::EndKind::Signal;
  end.number = 11;
  store.append(end);
  const std::optional<lab::RunEnd> found = lab::end_of(store);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->inside, "cuInit");
  const std::string sentence = sentence_of(*found, store, lab::Language::English);
  EXPECT_NE(sentence.find("SIGSEGV"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("cuInit, main.cpp:31"), std::string::npos) << sentence;
}

TEST(EndOf, of_calls_within_calls_the_outermost_is_named_and_other_processes_do_not_count) {
  trace::Store store;
  for (const auto& [name, process, returned] : {std::tuple{"cuInit", 0U, true},
                                                {"cuMemAlloc", 0U, false},
                                                {"cudaMalloc", 0U, false},
                                                {"cuCtxCreate", 1U, false}}) {
    trace::Event call = event_of(trace::EventKind::Call);
    call.name = call.symbol = name;
    call.process = process;
    call.returned = returned;
    store.append(call);
  }
  trace::Event end = event_of(trace::EventKind::ProcessEnd);
  end.end = trace::EndKind::Signal;
  end.number = 11;
  store.append(end);
  EXPECT_EQ(lab::end_of(store)->inside, "cudaMalloc");
  store.append(event_of(trace::EventKind::ProcessEnd));  // with status 0, whatever a thread was in
  EXPECT_EQ(lab::end_of(store)->inside, "");
}

}  // namespace
}  // namespace cli
