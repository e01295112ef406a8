// SPDX-License-Identifier: MIT
// The cache of compiled kernels: what was kept is found, what was damaged is not, and many may use it at
// once.
#include "cache/kernel_cache.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace {

namespace fs = std::filesystem;
using runner::CacheKey;
using runner::KernelCache;

std::vector<std::byte> bytes_of(std::size_t size, unsigned char start = 1) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(start + i * 7);
  return bytes;
}

class KernelCacheTest : public ::testing::Test {
 protected:
  KernelCacheTest() : folder_(fs::temp_directory_path() / ("kernel_cache_test." + std::to_string(getpid()))) {
    fs::remove_all(folder_);
  }
  ~KernelCacheTest() override { fs::remove_all(folder_); }

  KernelCache cache(std::uint64_t most = 1 << 20) const { return {folder_.string(), most}; }
  fs::path file_of(const CacheKey& key) const { return folder_ / key.name(); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST(CacheKey, texts_are_told_from_their_neighbours) {
  EXPECT_NE(CacheKey().add("ab").add("c").name(), CacheKey().add("a").add("bc").name());
  EXPECT_NE(CacheKey().add("a").name(), CacheKey().add(std::string_view("a\0", 2)).name());
  EXPECT_EQ(CacheKey().add("ab").name(), CacheKey().add("ab").name());
  EXPECT_EQ(32U, CacheKey().name().size());
}

TEST_F(KernelCacheTest, what_was_kept_is_found) {
  const CacheKey key = CacheKey().add("kernel");
  EXPECT_FALSE(cache().find(key));
  cache().keep(key, bytes_of(5000));
  ASSERT_TRUE(cache().find(key));
  EXPECT_EQ(bytes_of(5000), *cache().find(key));
  EXPECT_FALSE(cache().find(CacheKey().add("another")));
}

TEST_F(KernelCacheTest, a_file_with_one_wrong_byte_is_not_found_and_goes) {
  const CacheKey key = CacheKey().add("kernel");
  cache().keep(key, bytes_of(300));
  const auto size = fs::file_size(file_of(key));
  for (std::uintmax_t at = 0; at < size; ++at) {
    cache().keep(key, bytes_of(300));
    {
      std::fstream file(file_of(key), std::ios::in | std::ios::out | std::ios::binary);
      file.seekg(static_cast<std::streamoff>(at));
      const int old = file.get();
      file.seekp(static_cast<std::streamoff>(at));
      file.put(static_cast<char>(old ^ 0x10));
    }
    ASSERT_FALSE(cache().find(key)) << "byte " << at;
    ASSERT_FALSE(fs::exists(file_of(key)));
  }
}

TEST_F(KernelCacheTest, a_file_cut_anywhere_is_not_found) {
  const CacheKey key = CacheKey().add("kernel");
  cache().keep(key, bytes_of(200));
  const auto size = fs::file_size(file_of(key));
  for (std::uintmax_t cut = 0; cut < size; ++cut) {
    cache().keep(key, bytes_of(200));
    fs::resize_file(file_of(key), cut);
    ASSERT_FALSE(cache().find(key)) << cut;
  }
}

TEST_F(KernelCacheTest, another_kernels_file_under_this_name_is_not_found) {
  const CacheKey mine = CacheKey().add("mine"), other = CacheKey().add("other");
  cache().keep(other, bytes_of(100));
  fs::rename(file_of(other), file_of(mine));
  EXPECT_FALSE(cache().find(mine));
}

TEST_F(KernelCacheTest, the_oldest_go_when_it_grows_beyond_its_limit) {
  const KernelCache small = cache(10'000);
  for (unsigned i = 0; i < 8; ++i) {
    const CacheKey key = CacheKey().add(std::uint64_t{i});
    small.keep(key, bytes_of(1800));
    if (fs::exists(file_of(key)))
      fs::last_write_time(file_of(key), fs::file_time_type::clock::now() - std::chrono::hours(100 - i));
  }
  std::uintmax_t total = 0;
  for (const auto& entry : fs::directory_iterator(folder_)) total += entry.file_size();
  EXPECT_LE(total, 10'000U);
  EXPECT_FALSE(small.find(CacheKey().add(std::uint64_t{0})));
  EXPECT_TRUE(small.find(CacheKey().add(std::uint64_t{7})));
}

TEST_F(KernelCacheTest, a_process_that_keeps_many_small_kernels_stays_below_the_limit_all_the_time) {
  const KernelCache small = cache(100'000);
  for (std::uint64_t i = 0; i < 400; ++i) {
    small.keep(CacheKey().add(i), bytes_of(500));
    std::uintmax_t total = 0;
    for (const auto& entry : fs::directory_iterator(folder_)) total += entry.file_size();
    ASSERT_LE(total, 100'000U) << "after " << i;
  }
}

TEST_F(KernelCacheTest, what_another_process_left_beyond_the_limit_goes_with_the_first_kernel_kept) {
  for (std::uint64_t i = 0; i < 40; ++i) cache().keep(CacheKey().add(i), bytes_of(1000));
  cache(20'000).keep(CacheKey().add("kernel"), bytes_of(1000));
  EXPECT_LE(files(), 20U);
}

TEST_F(KernelCacheTest, files_that_are_not_its_own_are_left_alone) {
  cache().keep(CacheKey().add("kernel"), bytes_of(10));
  std::ofstream(folder_ / "notes.txt") << std::string(50'000, 'x');
  const KernelCache tiny = cache(200);
  tiny.keep(CacheKey().add("next"), bytes_of(100));
  EXPECT_TRUE(fs::exists(folder_ / "notes.txt"));
}

TEST_F(KernelCacheTest, many_processes_write_and_read_the_same_keys) {
  constexpr int processes = 8;
  std::vector<pid_t> children;
  for (int child = 0; child < processes; ++child) {
    const pid_t pid = fork();
    if (pid == 0) {
      for (unsigned round = 0; round < 300; ++round) {
        const CacheKey key = CacheKey().add(std::uint64_t{round % 5});
        cache().keep(key, bytes_of(4000, static_cast<unsigned char>(round % 5)));
        const auto found = cache().find(key);
        if (found && *found != bytes_of(4000, static_cast<unsigned char>(round % 5))) _exit(1);
      }
      _exit(0);
    }
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = -1;
    waitpid(pid, &status, 0);
    EXPECT_EQ(0, status);
  }
  EXPECT_EQ(5U, files());  // and nothing half-written stays behind
}

TEST_F(KernelCacheTest, a_folder_that_cannot_be_written_is_no_error) {
  std::ofstream(folder_.string()) << "a file where the folder should be";
  cache().keep(CacheKey().add("kernel"), bytes_of(10));
  EXPECT_FALSE(cache().find(CacheKey().add("kernel")));
}

// Kernels kept by another user would run as this one.
TEST_F(KernelCacheTest, a_folder_that_others_may_write_is_not_used_and_left_as_it_is) {
  const CacheKey key = CacheKey().add("kernel"), other = CacheKey().add("other");
  for (const mode_t mode : {mode_t{0777}, mode_t{01777}, mode_t{0770}, mode_t{0702}}) {
    fs::remove_all(folder_);
    cache().keep(key, bytes_of(100));
    ASSERT_EQ(0, chmod(folder_.c_str(), mode));
    EXPECT_FALSE(cache().find(key)) << std::oct << mode;
    cache().keep(other, bytes_of(100));
    EXPECT_EQ(1U, files()) << std::oct << mode;
  }
}

TEST_F(KernelCacheTest, a_folder_that_is_not_used_for_its_mode_is_said_once_with_the_remedy) {
  for (const mode_t mode : {mode_t{0775}, mode_t{0755}, mode_t{0700}}) {
    const fs::path folder = folder_ / std::to_string(mode);
    const KernelCache cache(folder.string(), 1 << 20);
    cache.keep(CacheKey().add("kernel"), bytes_of(100));
    ASSERT_EQ(0, chmod(folder.c_str(), mode));
    testing::internal::CaptureStderr();
    for (int i = 0; i < 3; ++i) {
      cache.find(CacheKey().add("kernel"));
      cache.keep(CacheKey().add("another"), bytes_of(10));
    }
    const std::string words = testing::internal::GetCapturedStderr();
    if (mode != 0775) {
      EXPECT_EQ(words, "") << std::oct << mode;
      continue;
    }
    EXPECT_NE(words.find("(mode 775)"), std::string::npos) << words;
    EXPECT_NE(words.find("chmod go-w '" + folder.string() + "'"), std::string::npos) << words;
    EXPECT_EQ(std::count(words.begin(), words.end(), '\n'), 1) << words;
  }
}

TEST_F(KernelCacheTest, a_file_that_others_may_write_is_not_used_until_it_is_kept_anew) {
  const CacheKey key = CacheKey().add("kernel");
  for (const mode_t mode : {mode_t{0666}, mode_t{0620}, mode_t{0602}}) {
    cache().keep(key, bytes_of(100));
    ASSERT_EQ(0, chmod(file_of(key).c_str(), mode));
    EXPECT_FALSE(cache().find(key)) << std::oct << mode;
    cache().keep(key, bytes_of(100));
    EXPECT_TRUE(cache().find(key)) << std::oct << mode;
  }
}

TEST_F(KernelCacheTest, what_is_no_plain_file_is_not_used_and_not_waited_for) {
  const CacheKey key = CacheKey().add("kernel"), pipe = CacheKey().add("pipe");
  cache().keep(key, bytes_of(100));
  const fs::path target = folder_ / "target";
  fs::rename(file_of(key), target);
  fs::create_symlink(target, file_of(key));
  ASSERT_EQ(0, mkfifo(file_of(pipe).c_str(), 0600));
  EXPECT_FALSE(cache().find(key));
  EXPECT_FALSE(cache().find(pipe));
}

TEST_F(KernelCacheTest, what_another_user_put_there_is_not_used) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files to another user";
  const CacheKey key = CacheKey().add("kernel");
  cache().keep(key, bytes_of(100));
  ASSERT_EQ(0, chown(file_of(key).c_str(), 65534, 65534));
  EXPECT_FALSE(cache().find(key));
  ASSERT_EQ(0, chown(file_of(key).c_str(), 0, 0));
  EXPECT_TRUE(cache().find(key));
  ASSERT_EQ(0, chown(folder_.c_str(), 65534, 65534));
  EXPECT_FALSE(cache().find(key));
}

TEST_F(KernelCacheTest, what_root_put_there_is_used) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can leave something for another user";
  const CacheKey key = CacheKey().add("kernel");
  cache().keep(key, bytes_of(100));
  ASSERT_EQ(0, chmod(folder_.c_str(), 0755));
  ASSERT_EQ(0, chmod(file_of(key).c_str(), 0644));
  const pid_t pid = fork();
  if (pid == 0) _exit(setuid(65534) == 0 && cache().find(key) ? 0 : 1);
  int status = -1;
  waitpid(pid, &status, 0);
  EXPECT_EQ(0, status);
}

TEST_F(KernelCacheTest, its_own_folder_is_used_whatever_the_umask_and_by_a_symlink) {
  const mode_t before = umask(0002);
  const CacheKey key = CacheKey().add("kernel");
  cache().keep(key, bytes_of(100));
  umask(before);
  EXPECT_TRUE(cache().find(key));
  const fs::path link = folder_ / "link";
  fs::create_directory_symlink(folder_, link);
  EXPECT_TRUE(KernelCache(link.string(), 1 << 20).find(key));
}

TEST_F(KernelCacheTest, the_real_drivers_variables_are_heard) {
  ::setenv("CUDA_CACHE_PATH", "/somewhere", 1);
  EXPECT_EQ("/somewhere/driverlab", KernelCache::from_environment().folder());
  ::setenv("CUDA_CACHE_DISABLE", "1", 1);
  EXPECT_FALSE(KernelCache::from_environment().on());
  ::unsetenv("CUDA_CACHE_DISABLE");
  ::setenv("CUDA_CACHE_MAXSIZE", "0", 1);
  EXPECT_FALSE(KernelCache::from_environment().on());
  ::unsetenv("CUDA_CACHE_MAXSIZE");
  ::unsetenv("CUDA_CACHE_PATH");
  ::setenv("XDG_CACHE_HOME", "/caches", 1);
  EXPECT_EQ("/caches/driverlab/kernels", KernelCache::from_environment().folder());
  ::unsetenv("XDG_CACHE_HOME");
}

}  // namespace
