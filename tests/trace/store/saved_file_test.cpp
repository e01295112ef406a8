// SPDX-License-Identifier: MIT
// What is saved takes the place of a regular file only; devices, pipes and links stay what they are.
#include "trace/saved_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>

#include "trace/recording.hpp"

namespace {
constinit thread_local int fails_in = 0;  // which allocation of this thread from now on; 0: none
}

// Not in line: g++ would see malloc() where it looks for operator new.
[[gnu::noinline]] void* operator new(std::size_t size) {
  const bool fails = fails_in == 1;
  if (fails_in > 0) --fails_in;
  void* const got = fails ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (got == nullptr) throw std::bad_alloc();
  return got;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace trace::test {
namespace {

namespace fs = std::filesystem;

class Saved : public testing::Test {
 protected:
  Saved() {
    std::string name = (fs::temp_directory_path() / "driverlab_saved_XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~Saved() override { fs::remove_all(folder_); }

  static std::string content(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void put(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
  static bool save(const fs::path& path, std::string_view text) {
    const auto file = SavedFile::create(path);
    return file && file->write(text) && file->commit();
  }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), {}); }

  fs::path folder_;
};

TEST_F(Saved, a_file_is_replaced_at_once_and_keeps_its_mode) {
  const fs::path path = folder_ / "file";
  put(path, "old");
  ASSERT_EQ(chmod(path.c_str(), 0640), 0);
  const auto file = SavedFile::create(path);
  ASSERT_NE(file, nullptr) << std::strerror(errno);
  ASSERT_TRUE(file->write("new"));
  EXPECT_EQ(content(path), "old");
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(content(path), "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms{0640});
  EXPECT_EQ(files(), 1);
}

TEST_F(Saved, for_which_there_is_no_memory_leaves_nothing_else) {
  const fs::path path = folder_ / "a file with a name that is long enough to need memory";
  put(path, "old");
  int failed = 0;
  for (bool more = true; more && failed < 1000; failed += more ? 1 : 0) {
    fails_in = failed + 1;
    try {
      const auto file = SavedFile::create(path);
      more = fails_in == 0;
      fails_in = 0;
    } catch (const std::bad_alloc&) {
      fails_in = 0;
    }
    ASSERT_EQ(files(), 1) << "allocation " << failed + 1;
  }
  EXPECT_GT(failed, 5);
  EXPECT_EQ(content(path), "old");
}

TEST_F(Saved, what_is_discarded_leaves_the_old_file_alone) {
  put(folder_ / "file", "old");
  const auto file = SavedFile::create(folder_ / "file");
  ASSERT_TRUE(file->write("new"));
  file->discard();
  EXPECT_FALSE(file->commit());
  EXPECT_EQ(content(folder_ / "file"), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(Saved, what_is_left_without_a_word_is_discarded) {
  put(folder_ / "file", "old");
  ASSERT_TRUE(SavedFile::create(folder_ / "file")->write("new"));
  EXPECT_EQ(content(folder_ / "file"), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(Saved, no_two_have_the_same_temporary_name) {
  const auto one = SavedFile::create(folder_ / "file"), two = SavedFile::create(folder_ / "file");
  EXPECT_NE(one->temporary(), two->temporary());
  EXPECT_EQ(one->temporary().string().find(std::to_string(getpid())), std::string::npos);
}

TEST_F(Saved, a_name_as_long_as_a_name_may_be_is_saved) {
  const fs::path path = folder_ / std::string(255, 'x');
  ASSERT_TRUE(save(path, "new")) << std::strerror(errno);
  EXPECT_EQ(content(path), "new");
}

TEST_F(Saved, behind_a_link_the_file_is_replaced_and_the_link_stays) {
  put(folder_ / "file", "old");
  fs::create_directory(folder_ / "below");
  fs::create_symlink("../file", folder_ / "below/near");
  fs::create_symlink(folder_ / "below/near", folder_ / "link");
  ASSERT_TRUE(save(folder_ / "link", "new")) << std::strerror(errno);
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "below/near"));
  EXPECT_FALSE(fs::is_symlink(folder_ / "file"));
  EXPECT_EQ(content(folder_ / "file"), "new");
}

TEST_F(Saved, behind_a_link_to_nothing_the_file_is_made) {
  fs::create_symlink("file", folder_ / "link");
  ASSERT_TRUE(save(folder_ / "link", "new")) << std::strerror(errno);
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(content(folder_ / "file"), "new");
}

TEST_F(Saved, links_in_a_circle_are_refused) {
  fs::create_symlink("b", folder_ / "a");
  fs::create_symlink("a", folder_ / "b");
  EXPECT_EQ(SavedFile::create(folder_ / "a"), nullptr);
  EXPECT_EQ(errno, ELOOP);
}

TEST_F(Saved, a_pipe_gets_the_bytes_and_stays) {
  const fs::path path = folder_ / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_TRUE(save(path, "bytes")) << std::strerror(errno);
  char got[16] = {};
  EXPECT_EQ(read(reader, got, sizeof got), 5);
  EXPECT_STREQ(got, "bytes");
  close(reader);
  EXPECT_TRUE(fs::is_fifo(path));
  EXPECT_EQ(files(), 1);
}

TEST_F(Saved, a_pipe_that_nobody_reads_is_refused_and_stays) {
  const fs::path path = folder_ / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(SavedFile::create(path), nullptr);
  EXPECT_EQ(errno, ENXIO);
  EXPECT_TRUE(fs::is_fifo(path));
}

TEST_F(Saved, folders_and_sockets_are_refused_and_stay) {
  EXPECT_EQ(SavedFile::create(folder_), nullptr);
  EXPECT_EQ(errno, EISDIR);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un name = {};
  name.sun_family = AF_UNIX;
  std::strncpy(name.sun_path, (folder_ / "socket").c_str(), sizeof name.sun_path - 1);
  ASSERT_EQ(bind(socket, reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
  EXPECT_EQ(SavedFile::create(folder_ / "socket"), nullptr);
  EXPECT_TRUE(fs::is_socket(folder_ / "socket"));
  close(socket);
}

// Nodes of the test's own, so that no mistake can harm the system's.
TEST_F(Saved, a_device_gets_the_bytes_and_stays) {
  const fs::path null = folder_ / "null", full = folder_ / "full", disk = folder_ / "disk";
  if (mknod(null.c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0) GTEST_SKIP() << "only root makes devices";
  if (const int tried = open(null.c_str(), O_WRONLY | O_CLOEXEC); tried < 0)
    GTEST_SKIP() << "no devices in this folder";
  else
    close(tried);
  fs::create_symlink("null", folder_ / "link");
  EXPECT_TRUE(save(null, "bytes")) << std::strerror(errno);
  EXPECT_TRUE(save(folder_ / "link", "bytes")) << std::strerror(errno);
  EXPECT_TRUE(fs::is_character_file(null));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  auto recording = RecordingWriter::create(null, {}, nullptr);
  ASSERT_NE(recording, nullptr);
  EXPECT_TRUE(recording->finish());
  EXPECT_TRUE(fs::is_character_file(null));

  ASSERT_EQ(mknod(full.c_str(), S_IFCHR | 0600, makedev(1, 7)), 0);
  const auto file = SavedFile::create(full);
  ASSERT_NE(file, nullptr);
  EXPECT_FALSE(file->write("bytes"));
  EXPECT_EQ(file->error(), ENOSPC);
  file->discard();
  EXPECT_TRUE(fs::is_character_file(full));

  ASSERT_EQ(mknod(disk.c_str(), S_IFBLK | 0600, makedev(1, 250)), 0);
  EXPECT_EQ(SavedFile::create(disk), nullptr);
  EXPECT_TRUE(fs::is_block_file(disk));
}

TEST_F(Saved, what_is_open_is_written_where_it_is_open) {
  const int file = open((folder_ / "file").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  struct stat before = {}, after = {};
  ASSERT_EQ(fstat(file, &before), 0);
  ASSERT_TRUE(save("/dev/fd/" + std::to_string(file), "bytes")) << std::strerror(errno);
  ASSERT_EQ(stat((folder_ / "file").c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_EQ(content(folder_ / "file"), "bytes");
  close(file);
}

}  // namespace
}  // namespace trace::test
