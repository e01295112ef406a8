// SPDX-License-Identifier: MIT
// Reads the debug information of one file for the lab, in a separate process: libdw reads out of bounds if a
// file is damaged, and then only this process crashes. Started only by the lab. Nothing here depends on
// programs or runs.
//
// Descriptor 3 is the file. Descriptor 1 is a socket: the lab writes an address in the file, sixteen
// hexadecimal digits at most, and a newline; it gets the text of the frames there and an empty line.
#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "debug_file.hpp"

namespace {

constexpr int kLab = 1, kFile = 3;
constexpr rlim_t kMostSeconds = 60;  // of processor time, because a killed lab cannot stop this process
constexpr std::size_t kMostText = 256 << 10;  // of one reply
constexpr std::size_t kLongestAsk = 17;

void limit(int what, rlim_t most) {
  const rlimit both{most, most};
  ::setrlimit(static_cast<__rlimit_resource_t>(what), &both);
}

void limit_this_process(rlim_t memory_bytes) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CPU, kMostSeconds);
  // Sanitizers map far more than they use.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  limit(RLIMIT_AS, memory_bytes);
#else
  static_cast<void>(memory_bytes);
#endif
}

std::string answer(lines::DebugFile& file, std::uint64_t inside) {
  std::string text;
  for (const lab::StackFrame& frame : file.frames(inside))
    if (text.size() < kMostText) lab::add_frame(text, frame);
  return text + '\n';
}

bool write_all(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(kLab, text.data() + done, text.size() - done);
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("driverlab-lines is started by driverlab.\n", stderr);
    return 2;
  }
  limit_this_process(std::strtoull(argv[1], nullptr, 10));
  lines::DebugFile file(kFile);
  char ask[kLongestAsk];
  for (std::size_t held = 0; held < sizeof ask;) {
    const ssize_t n = ::read(kLab, ask + held, sizeof ask - held);
    if (n <= 0) ::_exit(0);
    held += static_cast<std::size_t>(n);
    if (ask[held - 1] != '\n') continue;
    std::uint64_t inside = 0;
    std::from_chars(ask, ask + held, inside, 16);
    held = 0;
    if (!write_all(answer(file, inside))) ::_exit(0);
  }
  return 2;
}
