// SPDX-License-Identifier: MIT
// Source lines from return addresses: the test asks for its own, and for files that are no help.
#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <malloc.h>

#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "lab/installation.hpp"
#include "lab/source_lines.hpp"

namespace {

namespace fs = std::filesystem;

std::uint64_t own_bias() {
  std::uint64_t bias = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        *static_cast<std::uint64_t*>(result) = info->dlpi_addr;
        return 1;  // the first one is the program itself
      },
      &bias);
  return bias;
}

[[gnu::noinline]] std::uint64_t my_return_address() {
  return reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
}

// Inlined into its caller, as the toolkit's headers are; but it lies in the program's own folder.
[[gnu::always_inline]] inline std::uint64_t asked_inline(std::uint32_t& line) {
  line = __LINE__ + 1;
  return my_return_address();
}

lab::LineReading reading() {
  static const auto installation = lab::find_installation();
  return installation ? lab::LineReading{.reader = installation->line_reader} : lab::LineReading{};
}

// A reader that does what a damaged file makes of one: these commands of a shell.
class Reader {
 public:
  explicit Reader(const std::string& commands)
      : path_(fs::temp_directory_path() / ("source_lines_reader_" + std::to_string(getpid()))),
        count_(path_.string() + "_starts") {
    std::ofstream(path_) << "#!/bin/sh\necho >> " << count_.string() << "\n" << commands;
    fs::permissions(path_, fs::perms::owner_all);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() {
    fs::remove(path_);
    fs::remove(count_);
  }
  std::uintmax_t starts() const { return fs::file_size(count_); }
  lab::LineReading reading(double seconds) const { return {.reader = path_, .seconds = seconds}; }

 private:
  fs::path path_, count_;
};

// Nothing is found in the program of this test, and that is said.
void expect_given_up(const lab::LineReading& reading) {
  lab::SourceLines lines(fs::path(__FILE__).parent_path(), reading);
  lines.map("/proc/self/exe", own_bias());
  const std::uint64_t address = reinterpret_cast<std::uint64_t>(&own_bias) + 8;
  EXPECT_FALSE(lines.find(address).has_value());
  EXPECT_EQ(lines.unread(), std::vector<std::string>{"exe"});
  for (std::uint64_t other = 1; other < 20; ++other) EXPECT_FALSE(lines.find(address + other).has_value());
  std::optional<lab::SourcePlace> place;
  EXPECT_EQ(lab::stack_frames(lines.frames({address}, "", place)).size(), 1u);
  EXPECT_FALSE(place.has_value());
}

void expect_given_up_once(const Reader& reader, double seconds = 20) {
  expect_given_up(reader.reading(seconds));
  EXPECT_EQ(reader.starts(), 1u);
}

fs::path source_folder() {
  return fs::path(__FILE__).parent_path();
}

}  // namespace

TEST(source_lines, the_line_of_a_call_is_found_and_is_relative_to_its_folder) {
  lab::SourceLines lines(source_folder(), reading());
  lines.map("/proc/self/exe", own_bias());
  const std::uint32_t line = __LINE__ + 1;
  const std::uint64_t address = my_return_address();
  const auto place = lines.find(address);
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->file, "source_lines_test.cpp");
  EXPECT_EQ(place->line, line);
}

TEST(source_lines, a_line_of_the_program_that_is_inlined_is_its_own_place) {
  lab::SourceLines lines(source_folder(), reading());
  lines.map("/proc/self/exe", own_bias());
  std::uint32_t line = 0;
  const std::uint64_t address = asked_inline(line);
  const auto place = lines.find(address);
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->file, "source_lines_test.cpp");
  EXPECT_EQ(place->line, line);
}

TEST(source_lines, a_file_outside_the_folder_keeps_its_path) {
  lab::SourceLines lines("/nowhere/at/all", reading());
  lines.map("/proc/self/exe", own_bias());
  const auto place = lines.find(my_return_address());
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(fs::path(place->file).filename(), "source_lines_test.cpp");
  EXPECT_TRUE(fs::path(place->file).is_absolute());
}

TEST(source_lines, an_address_in_no_module_has_no_place_until_its_module_is_mapped) {
  lab::SourceLines lines(source_folder(), reading());
  const std::uint64_t address = my_return_address();
  EXPECT_FALSE(lines.find(address).has_value());
  EXPECT_FALSE(lines.find(0).has_value());
  lines.map("/proc/self/exe", own_bias());
  EXPECT_TRUE(lines.find(address).has_value());
}

TEST(source_lines, files_that_are_missing_or_no_elf_are_no_error) {
  lab::SourceLines lines(source_folder(), reading());
  lines.map("/nowhere/program", 0);
  lines.map(__FILE__, 0);
  lines.map("/dev/null", 0);
  lines.map("/", 0);
  EXPECT_FALSE(lines.find(0x401000).has_value());
}

TEST(source_lines, a_library_without_debug_information_has_no_lines) {
  Dl_info info;
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&gnu_get_libc_version), &info), 0);
  lab::SourceLines lines(source_folder(), reading());
  lines.map(info.dli_fname, reinterpret_cast<std::uint64_t>(info.dli_fbase));
  EXPECT_FALSE(lines.find(reinterpret_cast<std::uint64_t>(&gnu_get_libc_version) + 4).has_value());
}

TEST(source_lines, a_program_that_runs_in_many_processes_is_read_once) {
  lab::SourceLines lines(source_folder(), reading());
  const std::uint64_t address = my_return_address(), apart = std::uint64_t{1} << 48;
  std::size_t held = 0;
  for (std::uint64_t process = 0; process < 200; ++process) {
    lines.map("/proc/self/exe", own_bias() + process * apart);
    const auto place = lines.find(address + process * apart);
    ASSERT_TRUE(place.has_value()) << process;
    EXPECT_EQ(place->file, "source_lines_test.cpp");
    if (process == 0) held = mallinfo2().uordblks;
  }
  EXPECT_LT(mallinfo2().uordblks, held + (1u << 20));
}

TEST(source_lines, a_program_that_was_built_again_in_its_place_is_another) {
  const fs::path folder = fs::temp_directory_path() / ("source_lines_again_" + std::to_string(getpid()));
  fs::create_directories(folder);
  const fs::path path = folder / "program";
  const std::uint64_t inside = my_return_address() - own_bias(), apart = std::uint64_t{1} << 48;
  lab::SourceLines lines(source_folder(), reading());
  std::ofstream(path) << "no program";
  lines.map(path, 0);
  EXPECT_FALSE(lines.find(inside).has_value());
  fs::remove(path);
  fs::copy_file(fs::read_symlink("/proc/self/exe"), path);
  lines.map(path, apart);
  EXPECT_TRUE(lines.find(inside + apart).has_value());
  fs::remove_all(folder);
}

TEST(source_lines, a_damaged_program_is_read_without_harm) {
  std::ifstream in("/proc/self/exe", std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(in)), {});
  ASSERT_GT(good.size(), 10000u);
  const std::uint64_t inside = my_return_address() - own_bias();
  const fs::path folder = fs::temp_directory_path() / ("source_lines_" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::mt19937 random(7);
  for (int round = 0; round < 12; ++round) {
    std::string bad = good;
    if (round < 4) bad.resize(good.size() * static_cast<std::size_t>(round + 1) / 5);
    for (int i = 0; i < 2000; ++i) bad[64 + random() % (bad.size() - 64)] = static_cast<char>(random());
    const fs::path path = folder / "program";
    std::ofstream(path, std::ios::binary) << bad;
    lab::SourceLines lines(source_folder(), reading());
    lines.map(path, 0);
    for (std::uint64_t step = 0; step < 40; ++step) lines.find(inside + step * 16);
  }
  fs::remove_all(folder);
}

TEST(source_lines, a_reader_that_dies_costs_the_lines_of_its_file_and_is_said) {
  expect_given_up_once(Reader("kill -SEGV $$\n"));
  expect_given_up_once(Reader("exit 0\n"));
  expect_given_up_once(Reader("read ask <&1; printf 'own\\tsource.cpp\\t3\\n'; exit 1\n"));
  expect_given_up({.reader = "/nowhere/driverlab-lines"});
}

TEST(source_lines, a_reader_that_says_nothing_is_not_waited_for) {
  expect_given_up_once(Reader("exec sleep 600\n"), 0.5);
}

TEST(source_lines, a_reader_that_does_not_stop_talking_is_ended) {
  expect_given_up_once(Reader("exec yes\n"));
}

TEST(source_lines, what_a_reader_makes_up_is_no_place) {
  const Reader reader(
      "while read ask <&1; do printf 'f\\tsource_lines_test.cpp\\t4000000000\\nno frame\\ng\\t\\t7\\n"
      "h\\tx.cpp\\t-3\\ni\\ty.cpp\\t99999999999999999999\\n\\n'; done\n");
  lab::SourceLines lines(source_folder(), reader.reading(20));
  lines.map("/proc/self/exe", own_bias());
  EXPECT_FALSE(lines.find(my_return_address()).has_value());
  EXPECT_TRUE(lines.unread().empty());
}

TEST(source_lines, files_that_are_whole_are_not_called_unread) {
  lab::SourceLines lines(source_folder(), reading());
  Dl_info info;
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&gnu_get_libc_version), &info), 0);
  lines.map("/proc/self/exe", own_bias());
  lines.map(info.dli_fname, reinterpret_cast<std::uint64_t>(info.dli_fbase));
  EXPECT_TRUE(lines.find(my_return_address()).has_value());
  EXPECT_FALSE(lines.find(reinterpret_cast<std::uint64_t>(&gnu_get_libc_version) + 4).has_value());
  EXPECT_FALSE(lines.find(own_bias() + 1).has_value());
  EXPECT_TRUE(lines.unread().empty());
}

// More files than there are readers at a time: each is found, and found again by a reader of its own.
TEST(source_lines, any_number_of_files_is_read) {
  const fs::path folder = fs::temp_directory_path() / ("source_lines_many_" + std::to_string(getpid()));
  fs::create_directories(folder);
  lab::SourceLines lines(source_folder(), reading());
  const std::uint64_t address = my_return_address(), second = my_return_address();
  const std::uint64_t apart = std::uint64_t{1} << 48;
  constexpr std::uint64_t kFiles = 12;
  for (std::uint64_t i = 0; i < kFiles; ++i) {
    const fs::path path = folder / std::to_string(i);
    fs::copy_file(fs::read_symlink("/proc/self/exe"), path);
    lines.map(path, own_bias() + i * apart);
    EXPECT_TRUE(lines.find(address + i * apart).has_value()) << i;
  }
  fs::remove_all(folder);
  for (std::uint64_t i = 0; i < kFiles; ++i) EXPECT_TRUE(lines.find(second + i * apart).has_value()) << i;
  EXPECT_TRUE(lines.unread().empty());
}
