// SPDX-License-Identifier: MIT
// See cache/kernel_cache.hpp: names of files, checksums, owners and permissions, and the limit of the
// cache's size.
#include "cache/kernel_cache.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <system_error>
#include <utility>

namespace runner {
namespace {

constexpr std::uint64_t kFileMagic = 0x31434b424c56440a;
constexpr std::uint64_t kDefaultMostBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kLargestMostBytes = std::uint64_t{4} << 30;
constexpr std::uint64_t kUnseenShare = 16;

struct FileHeader {
  std::uint64_t magic = kFileMagic;
  std::array<std::uint64_t, 2> key = {};
  std::uint64_t bytes = 0;
  std::array<std::uint64_t, 2> checksum = {};
};

std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93;
  value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93;
  return value ^ (value >> 32);
}

std::array<std::uint64_t, 2> checksum_of(std::span<const std::byte> bytes) {
  return CacheKey().add(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())).value();
}

class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

  bool read_all(void* to, std::size_t bytes) const {
    for (auto* at = static_cast<std::byte*>(to); bytes > 0;) {
      const ssize_t got = ::read(descriptor_, at, bytes);
      if (got <= 0) return false;
      at += got;
      bytes -= static_cast<std::size_t>(got);
    }
    return true;
  }
  bool write_all(const void* from, std::size_t bytes) const {
    for (const auto* at = static_cast<const std::byte*>(from); bytes > 0;) {
      const ssize_t put = write(descriptor_, at, bytes);
      if (put <= 0) return false;
      at += put;
      bytes -= static_cast<std::size_t>(put);
    }
    return true;
  }

 private:
  int descriptor_;
};

// The files contain code that runs with this user's rights, and the checksum is no secret: so only this user
// and root may have written them.
bool is_trusted(int descriptor, mode_t kind) {
  struct stat status = {};
  return fstat(descriptor, &status) == 0 && (status.st_mode & S_IFMT) == kind &&
         (status.st_uid == geteuid() || status.st_uid == 0) && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// A message, once for each folder: otherwise it would not be clear why everything is compiled again each
// time.
void say_not_used(std::string path, int folder) {
  static std::mutex mutex;
  static std::set<std::string> said;
  struct stat status = {};
  const std::lock_guard lock(mutex);
  if (fstat(folder, &status) != 0 || !said.insert(path).second) return;
  for (char& c : path)
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = '?';
  if (status.st_uid != geteuid() && status.st_uid != 0)
    std::fprintf(
        stderr,
        "driverlab: compiled kernels are not kept in %s: it belongs to another user. Set CUDA_CACHE_PATH "
        "to a folder of your own.\n",
        path.c_str());
  else
    std::fprintf(
        stderr,
        "driverlab: compiled kernels are not kept in %s: others may write there (mode %03o). Take that "
        "away: chmod go-w '%s'\n",
        path.c_str(), static_cast<unsigned>(status.st_mode & 0777), path.c_str());
}

// Only files with such names are ours; other files in the folder are never removed.
bool is_kept_name(const std::string& name) {
  return name.size() == 32 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::string default_folder() {
  const char* const given = std::getenv("CUDA_CACHE_PATH");
  if (given != nullptr && *given != '\0') return std::string(given) + "/driverlab";
  const char* const caches = std::getenv("XDG_CACHE_HOME");
  if (caches != nullptr && *caches == '/') return std::string(caches) + "/driverlab/kernels";
  const char* const home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return std::string(home) + "/.cache/driverlab/kernels";
  return "";
}

}  // namespace

CacheKey& CacheKey::add(std::string_view text) {
  add(text.size());
  for (std::size_t at = 0; at < text.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, std::min<std::size_t>(8, text.size() - at));
    first_ = (first_ ^ mix(word)) * 0x9fb21c651e98df25;
    first_ ^= first_ >> 29;
    second_ = mix(second_ + word);
  }
  return *this;
}

CacheKey& CacheKey::add(std::uint64_t number) {
  first_ = mix(first_ ^ mix(number));
  second_ = mix(second_ + number + 0x9e3779b97f4a7c15);
  return *this;
}

std::string CacheKey::name() const {
  std::array<char, 33> text = {};
  std::snprintf(text.data(), text.size(), "%016llx%016llx", static_cast<unsigned long long>(mix(first_)),
                static_cast<unsigned long long>(mix(second_)));
  return text.data();
}

KernelCache::KernelCache(std::string folder, std::uint64_t most_bytes)
    : folder_(std::move(folder)), most_bytes_(most_bytes) {}

KernelCache KernelCache::from_environment() {
  const char* const disabled = std::getenv("CUDA_CACHE_DISABLE");
  if (disabled != nullptr && std::strcmp(disabled, "1") == 0) return {"", 0};
  std::uint64_t most = kDefaultMostBytes;
  if (const char* const text = std::getenv("CUDA_CACHE_MAXSIZE")) {
    char* end = nullptr;
    const unsigned long long wanted = std::strtoull(text, &end, 10);
    if (end != text && *end == '\0') most = std::min<std::uint64_t>(wanted, kLargestMostBytes);
  }
  return {most == 0 ? "" : default_folder(), most};
}

// All files are opened through its descriptor, so a folder that replaces it later is not used. -1: no usable
// folder.
int KernelCache::open_folder() const {
  const int folder = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0 || is_trusted(folder, S_IFDIR)) return folder;
  say_not_used(folder_, folder);
  close(folder);
  return -1;
}

std::optional<std::vector<std::byte>> KernelCache::find(const CacheKey& key) const {
  if (!on()) return std::nullopt;
  const File folder(open_folder());
  if (!folder.is_open()) return std::nullopt;
  const std::string name = key.name();
  // A FIFO is not waited for.
  const File file(openat(folder.descriptor(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open() || !is_trusted(file.descriptor(), S_IFREG)) return std::nullopt;
  struct stat status = {};
  FileHeader header;
  std::vector<std::byte> bytes;
  const auto whole = [&] {
    if (fstat(file.descriptor(), &status) != 0 || !file.read_all(&header, sizeof header)) return false;
    if (header.magic != kFileMagic || header.key != key.value()) return false;
    if (static_cast<std::uint64_t>(status.st_size) != sizeof header + header.bytes) return false;
    bytes.resize(header.bytes);
    return file.read_all(bytes.data(), bytes.size()) && checksum_of(bytes) == header.checksum;
  };
  if (!whole()) {
    unlinkat(folder.descriptor(), name.c_str(), 0);
    return std::nullopt;
  }
  futimens(file.descriptor(), nullptr);  // used now: what is removed is what was used longest ago
  return bytes;
}

void KernelCache::keep(const CacheKey& key, std::span<const std::byte> bytes) const {
  if (!on() || bytes.size() > most_bytes_) return;
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(folder_).parent_path(), ignored);
  mkdir(folder_.c_str(), 0700);  // whatever the umask: a folder that a group may write is not used
  const File folder(open_folder());
  if (!folder.is_open()) return;
  static std::atomic<unsigned> count{0};
  const std::string name = key.name();
  const std::string part = name + "." + std::to_string(getpid()) + "." + std::to_string(count++) + ".part";
  FileHeader header;
  header.key = key.value();
  header.bytes = bytes.size();
  header.checksum = checksum_of(bytes);
  const int in = folder.descriptor();
  {
    const File file(openat(in, part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file.is_open()) return;
    if (!file.write_all(&header, sizeof header) || !file.write_all(bytes.data(), bytes.size())) {
      unlinkat(in, part.c_str(), 0);
      return;
    }
  }
  if (renameat(in, part.c_str(), in, name.c_str()) != 0) unlinkat(in, part.c_str(), 0);
  if (look_again(sizeof header + bytes.size())) shrink();
}

// Each process may write a share unseen; shrink() keeps that much free.
bool KernelCache::look_again(std::uint64_t more) const {
  const std::uint64_t share = most_bytes_ / kUnseenShare;
  std::uint64_t before = unseen_bytes_.load();
  while (!unseen_bytes_.compare_exchange_weak(before,
                                              before > share || more > share - before ? 0 : before + more)) {
  }
  return before > share || more > share - before;
}

// Not by the library's iterator, which ends the process where it has no memory.
void KernelCache::shrink() const {
  struct Kept {
    timespec used{};
    std::uint64_t bytes = 0;
    std::string name;
  };
  const int folder = open_folder();
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(folder < 0 ? nullptr : fdopendir(folder), closedir);
  if (listing == nullptr) {
    if (folder >= 0) close(folder);
    return;
  }
  std::vector<Kept> kept;
  std::uint64_t total = 0;
  const std::time_t now = std::time(nullptr);
  while (const dirent* const entry = readdir(listing.get())) {
    struct stat status = {};
    const std::string name = entry->d_name;
    if (fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
      continue;
    // Left behind by a process that was killed while it wrote.
    constexpr std::time_t kHour = 3600;
    if (name.ends_with(".part") && now - status.st_mtim.tv_sec > kHour) unlinkat(folder, entry->d_name, 0);
    if (!is_kept_name(name)) continue;
    kept.push_back({status.st_mtim, static_cast<std::uint64_t>(status.st_size), name});
    total += kept.back().bytes;
  }
  if (total <= most_bytes_ - most_bytes_ / kUnseenShare) return;
  std::sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) {
    return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
  });
  for (const Kept& file : kept) {
    if (total <= most_bytes_ / 4 * 3) break;
    unlinkat(folder, file.name.c_str(), 0);
    total -= file.bytes;
  }
}

}  // namespace runner
