// SPDX-License-Identifier: MIT
// The cutting of a program's output into events.
#include "run/output_files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "fixture.hpp"

namespace {

class Output : public testing::Test {
 protected:
  void print(int which, const std::string& text) {
    ASSERT_EQ(::write(files->descriptor(which), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  std::optional<lab::OutputFiles> files = lab::OutputFiles::create(1 << 20);
  trace::Store store;
};

}  // namespace

TEST_F(Output, is_taken_up_to_a_mark_and_not_twice) {
  print(0, "one\ntwo\n");
  EXPECT_EQ(files->append_until({4, 0}, 7, store), 1u);
  EXPECT_EQ(files->append_until({4, 0}, 7, store), 0u);
  EXPECT_EQ(files->append_until({8, 0}, 9, store), 1u);
  EXPECT_EQ(store.at(0).text, "one\n");
  EXPECT_EQ(store.at(0).number, 1u);
  EXPECT_EQ(store.at(0).t_ns, 7u);
  EXPECT_EQ(store.at(1).text, "two\n");
}
TEST_F(Output, of_which_there_is_too_much_for_the_memory_is_left_out_and_counted) {
  files = lab::OutputFiles::create(std::uint64_t{1} << 40, 4 << 20);
  const std::string lines = std::string(999, 'x') + "\n";
  std::uint64_t printed = 0, kept = 0;
  for (int i = 0; i < 20'000; ++i, printed += lines.size()) {
    print(0, lines);
    if (i % 100 == 0) files->append_until(files->sizes(), 0, store);
  }
  files->append_rest(0, store);
  for (std::size_t i = 0; i < store.size(); ++i)
    if (store.kind_at(i) == trace::EventKind::Output) kept += store.at(i).text.size();
  EXPECT_LE(store.bytes(), 5u << 20);
  EXPECT_GT(kept, 1u << 20);
  const trace::Event last = store.at(store.size() - 1);
  EXPECT_EQ(last.kind, trace::EventKind::Lost);
  EXPECT_EQ(last.number, 0u) << "of calls";
  EXPECT_EQ(last.text, std::to_string(printed - kept));
  struct stat about{};
  ASSERT_EQ(::fstat(files->descriptor(0), &about), 0);
  EXPECT_LT(about.st_blocks * 512, 3 << 20) << "what was read takes no memory";
}
TEST_F(Output, that_fits_is_all_kept) {
  files = lab::OutputFiles::create(std::uint64_t{1} << 40, 4 << 20);
  print(0, std::string(1 << 20, 'x') + "\n");
  files->append_rest(0, store);
  EXPECT_EQ(files->left_out(), 0u);
  EXPECT_EQ(store.at(store.size() - 1).kind, trace::EventKind::Output);
}
TEST_F(Output, of_a_file_that_a_program_made_longer_the_zeros_are_counted) {
  for (const off_t size : {off_t{8} << 30, (off_t{6} << 20) + 1000}) {
    for (const bool looked_at : {false, true}) {
      files = lab::OutputFiles::create(std::uint64_t{1} << 40);
      trace::Store seen;
      const auto look = [&] {
        if (looked_at) files->append_until(files->sizes(), 0, seen);
      };
      print(1, "one\n");
      look();
      ASSERT_EQ(::ftruncate(files->descriptor(1), size), 0);
      look();
      look();
      print(1, "two\n");
      look();
      files->append_rest(0, seen);
      ASSERT_EQ(seen.size(), 3u) << size;
      EXPECT_EQ(seen.at(0).text, "one\n");
      EXPECT_EQ(seen.at(1).text, "");
      EXPECT_EQ(seen.at(1).zeros, static_cast<std::uint64_t>(size) - 4);
      EXPECT_EQ(seen.at(1).number, 2u);
      EXPECT_EQ(seen.at(2).text, "two\n");
      EXPECT_EQ(seen.at(2).zeros, 0u);
    }
  }
}
TEST_F(Output, zeros_that_are_not_written_are_counted_wherever_they_are) {
  files = lab::OutputFiles::create(std::uint64_t{1} << 40);
  std::uint64_t zeros = 0, size = 0;
  std::string lines, seen;
  for (int i = 0; i < 50; ++i) {
    const std::string line = std::to_string(i) + std::string(static_cast<std::size_t>(i) * 700, 'x') + "\n";
    lines += line;
    print(0, line);
    size += line.size();
    const std::uint64_t more = (4 << 20) + 997 * static_cast<std::uint64_t>(i);
    zeros += more;
    size += more;
    ASSERT_EQ(::ftruncate(files->descriptor(0), static_cast<off_t>(size)), 0);
    if (i % 3 == 0) files->append_until(files->sizes(), 0, store);
  }
  files->append_rest(0, store);
  std::uint64_t counted = 0;
  for (std::size_t i = 0; i < store.size(); ++i) {
    seen += store.at(i).text;
    counted += store.at(i).zeros;
  }
  EXPECT_EQ(seen, lines);
  EXPECT_EQ(counted, zeros);
  EXPECT_EQ(store.size(), 100u) << "one event for each line and one for what follows it";
}
TEST_F(Output, zeros_that_are_written_are_kept) {
  const std::string bytes = "one" + std::string(100'000, '\0') + "two" + std::string(9000, '\0');
  print(0, bytes);
  files->append_rest(0, store);
  std::string seen;
  for (std::size_t i = 0; i < store.size(); ++i) seen += store.at(i).text;
  EXPECT_EQ(seen, bytes);
}
TEST_F(Output, a_file_that_a_program_emptied_goes_on) {
  print(0, "one\n");
  files->append_until(files->sizes(), 0, store);
  ASSERT_EQ(::ftruncate(files->descriptor(0), 0), 0);
  files->append_until(files->sizes(), 0, store);
  print(0, "two\n");
  files->append_until(files->sizes(), 0, store);
  ASSERT_EQ(store.size(), 2u);
  EXPECT_EQ(store.at(1).text, "two\n");
}
TEST_F(Output, of_stderr_is_told_apart) {
  print(1, "oh");
  files->append_until(files->sizes(), 0, store);
  EXPECT_EQ(store.at(0).number, 2u);
}
TEST_F(Output, keeps_every_byte) {
  const std::string bytes("a\0b\xff\x80", 5);
  print(0, bytes);
  files->append_until(files->sizes(), 0, store);
  EXPECT_EQ(store.at(0).text, bytes);
}
TEST_F(Output, a_mark_beyond_the_end_is_no_harm) {
  print(0, "x");
  EXPECT_EQ(files->append_until({1000, 1000}, 0, store), 1u);
  EXPECT_EQ(store.at(0).text, "x");
}
TEST_F(Output, large_output_is_cut_after_lines) {
  std::string lines;
  while (lines.size() < 300'000) lines += "a line of text\n";
  print(0, lines);
  files->append_until(files->sizes(), 0, store);
  std::string all;
  for (std::size_t i = 0; i < store.size(); ++i) {
    EXPECT_EQ(store.at(i).text.back(), '\n');
    all += store.at(i).text;
  }
  EXPECT_GT(store.size(), 3u);
  EXPECT_EQ(all, lines);
}
TEST_F(Output, one_long_line_is_cut_between_characters) {
  std::string line;
  while (line.size() < 200'000) line += "栈";
  print(0, line);
  files->append_until(files->sizes(), 0, store);
  std::string all;
  for (std::size_t i = 0; i < store.size(); ++i) {
    EXPECT_EQ(store.at(i).text.size() % 3, 0u);
    all += store.at(i).text;
  }
  EXPECT_EQ(all, line);
}
TEST_F(Output, a_character_that_is_written_in_two_pieces_is_shown_in_one) {
  const std::string stack = "栈";
  print(0, "a" + stack.substr(0, 2));
  EXPECT_EQ(files->append_until(files->sizes(), 0, store), 1u);
  EXPECT_EQ(store.at(0).text, "a");
  EXPECT_EQ(files->append_until(files->sizes(), 0, store), 0u);
  print(0, stack.substr(2) + "b");
  EXPECT_EQ(files->append_until(files->sizes(), 0, store), 1u);
  EXPECT_EQ(store.at(1).text, stack + "b");
}
TEST_F(Output, a_character_without_end_is_kept_at_the_end) {
  print(1, "a\xe6");
  EXPECT_EQ(files->append_until(files->sizes(), 0, store), 1u);
  EXPECT_EQ(files->append_rest(0, store), 1u);
  EXPECT_EQ(store.at(0).text + store.at(1).text, "a\xe6");
}
TEST_F(Output, no_more_than_the_limit_is_kept) {
  files = lab::OutputFiles::create(10);
  print(0, "123456789012345");
  files->append_until(files->sizes(), 0, store);
  EXPECT_EQ(store.at(0).text, "1234567890");
  EXPECT_EQ(files->append_until(files->sizes(), 0, store), 0u);
}
