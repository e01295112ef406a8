// SPDX-License-Identifier: MIT
// See mapped_file.hpp. lines/main.cpp describes the messages between this and the reader.
#include "run/mapped_file.hpp"

#include <elf.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include "base/spawn.hpp"

namespace lab {
namespace {

constexpr int kFileThere = 3;                 // the descriptor in the reader
constexpr std::size_t kMostAnswer = 1 << 20;  // bytes
constexpr std::size_t kMostSegments = 1024;

template <class Object>
bool read_at(int file, std::uint64_t offset, Object* objects, std::size_t count) {
  const auto bytes = static_cast<ssize_t>(count * sizeof(Object));
  return offset <= INT64_MAX &&
         ::pread(file, objects, count * sizeof(Object), static_cast<off_t>(offset)) == bytes;
}

// The headers of the segments of a 64-bit program for this machine; none of anything else.
std::vector<Elf64_Phdr> segments(int file) {
  Elf64_Ehdr header;
  if (!read_at(file, 0, &header, 1)) return {};
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) return {};
  if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum > kMostSegments) return {};
  std::vector<Elf64_Phdr> found(header.e_phnum);
  if (!read_at(file, header.e_phoff, found.data(), found.size())) return {};
  return found;
}

}  // namespace

void MappedFile::open_once() {
  if (opened_) return;
  opened_ = true;
  FileDescriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat about{};
  if (!file || ::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) return;
  for (const Elf64_Phdr& one : segments(file.get()))
    if (one.p_type == PT_LOAD && (one.p_flags & PF_X) != 0 && one.p_vaddr + one.p_memsz >= one.p_vaddr)
      ranges_.push_back({one.p_vaddr, one.p_vaddr + one.p_memsz});
  file_ = std::move(file);
}

bool MappedFile::holds(std::uint64_t inside) {
  open_once();
  return std::any_of(ranges_.begin(), ranges_.end(),
                     [inside](const Range& range) { return inside >= range.from && inside < range.to; });
}

const std::vector<StackFrame>& MappedFile::frames(std::uint64_t inside, const LineReading& reading) {
  const auto [kept, unknown] = frames_.try_emplace(inside);
  std::vector<StackFrame>& frames = kept->second;
  std::string answer;
  if (!unknown || given_up_ || !holds(inside)) return frames;
  if (!ask(inside, reading, answer)) {
    given_up_ = true;
    stop_reader();
    return frames;
  }
  frames = stack_frames(answer);
  for (StackFrame& frame : frames) {
    if (frame.line > 0 && frame.line <= kMostLines && !frame.file.empty()) continue;
    frame.file.clear();
    frame.line = 0;
  }
  return frames;
}

bool MappedFile::start_reader(const LineReading& reading) {
  if (reader_ > 0) return true;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  socket_ = FileDescriptor(ends[0]);
  const FileDescriptor theirs(ends[1]);
  SpawnRequest request;
  request.arguments = {reading.reader.string(), std::to_string(reading.memory_bytes)};
  request.environment = environment_with({});
  request.output = theirs.get();
  request.pass = {{file_.get(), kFileThere}};
  reader_ = spawn(request);
  return reader_ > 0;
}

// False: the reader ended, took too long, or sent more than it may.
bool MappedFile::ask(std::uint64_t inside, const LineReading& reading, std::string& answer) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const auto seconds = [begin] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  if (!start_reader(reading)) return false;
  const std::string words = fmt::format("{:x}\n", inside);
  bool good =
      ::send(socket_.get(), words.data(), words.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(words.size());
  const auto complete = [&answer] { return answer == "\n" || answer.ends_with("\n\n"); };
  while (good && !complete()) {
    const double left = reading.seconds - taken_ - seconds();
    pollfd wait{socket_.get(), POLLIN, 0};
    if (left <= 0 || ::poll(&wait, 1, static_cast<int>(left * 1000) + 1) < 0) {
      good = left > 0 && errno == EINTR;
      continue;
    }
    char block[16384];
    const ssize_t n = ::recv(socket_.get(), block, sizeof block, MSG_DONTWAIT);
    if (n > 0) answer.append(block, static_cast<std::size_t>(n));
    good = (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR))) && answer.size() <= kMostAnswer;
  }
  taken_ += seconds();
  return good;
}

void MappedFile::stop_reader() {
  socket_.reset();
  if (reader_ <= 0) return;
  ::kill(reader_, SIGKILL);
  while (::waitpid(reader_, nullptr, 0) < 0 && errno == EINTR) {
  }
  reader_ = -1;
}

}  // namespace lab
