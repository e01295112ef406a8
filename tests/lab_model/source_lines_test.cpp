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

#include "lab/source_lines.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

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

fs::path source_folder() {
  return fs::path(__FILE__).parent_path();
}

}  // namespace

TEST(source_lines, the_line_of_a_call_is_found_and_is_relative_to_its_folder) {
  lab::SourceLines lines(source_folder());
  lines.map("/proc/self/exe", own_bias());
  const std::uint32_t line = __LINE__ + 1;
  const std::uint64_t address = my_return_address();
  const auto place = lines.find(address);
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->file, "source_lines_test.cpp");
  EXPECT_EQ(place->line, line);
}

TEST(source_lines, a_line_of_the_program_that_is_inlined_is_its_own_place) {
  lab::SourceLines lines(source_folder());
  lines.map("/proc/self/exe", own_bias());
  std::uint32_t line = 0;
  const std::uint64_t address = asked_inline(line);
  const auto place = lines.find(address);
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->file, "source_lines_test.cpp");
  EXPECT_EQ(place->line, line);
}

TEST(source_lines, a_file_outside_the_folder_keeps_its_path) {
  lab::SourceLines lines("/nowhere/at/all");
  lines.map("/proc/self/exe", own_bias());
  const auto place = lines.find(my_return_address());
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(fs::path(place->file).filename(), "source_lines_test.cpp");
  EXPECT_TRUE(fs::path(place->file).is_absolute());
}

TEST(source_lines, an_address_in_no_module_has_no_place_until_its_module_is_mapped) {
  lab::SourceLines lines(source_folder());
  const std::uint64_t address = my_return_address();
  EXPECT_FALSE(lines.find(address).has_value());
  EXPECT_FALSE(lines.find(0).has_value());
  lines.map("/proc/self/exe", own_bias());
  EXPECT_TRUE(lines.find(address).has_value());
}

TEST(source_lines, files_that_are_missing_or_no_elf_are_no_error) {
  lab::SourceLines lines(source_folder());
  lines.map("/nowhere/program", 0);
  lines.map(__FILE__, 0);
  lines.map("/dev/null", 0);
  lines.map("/", 0);
  EXPECT_FALSE(lines.find(0x401000).has_value());
}

TEST(source_lines, a_library_without_debug_information_has_no_lines) {
  Dl_info info;
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&gnu_get_libc_version), &info), 0);
  lab::SourceLines lines(source_folder());
  lines.map(info.dli_fname, reinterpret_cast<std::uint64_t>(info.dli_fbase));
  EXPECT_FALSE(lines.find(reinterpret_cast<std::uint64_t>(&gnu_get_libc_version) + 4).has_value());
}

TEST(source_lines, a_program_that_runs_in_many_processes_is_read_once) {
  lab::SourceLines lines(source_folder());
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
  lab::SourceLines lines(source_folder());
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
#ifdef __SANITIZE_ADDRESS__
  // libdw forgets lines that it had read before the damage; those of whole programs it gives back, as other
  // tests see.
  const __lsan::ScopedDisabler not_ours;
#endif
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
    lab::SourceLines lines(source_folder());
    lines.map(path, 0);
    for (std::uint64_t step = 0; step < 40; ++step) lines.find(inside + step * 16);
  }
  fs::remove_all(folder);
}
