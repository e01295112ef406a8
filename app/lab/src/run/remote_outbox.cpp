// SPDX-License-Identifier: MIT
// See remote_outbox.hpp.
#include "run/remote_outbox.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace lab {
namespace {

constexpr std::size_t kWrittenKept = std::size_t{1} << 20;

}  // namespace

void RemoteOutbox::open(int descriptor) {
  descriptor_ = descriptor;
  text_.clear();
  written_ = 0;
  last_moved_ = std::chrono::steady_clock::now();
  if (descriptor >= 0) ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

void RemoteOutbox::add(std::string_view text) {
  if (waiting() == 0) last_moved_ = std::chrono::steady_clock::now();
  text_ += text;
}

bool RemoteOutbox::write() {
  while (waiting() > 0) {
    const ssize_t n = ::write(descriptor_, text_.data() + written_, waiting());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    if (n <= 0) return false;
    written_ += static_cast<std::size_t>(n);
    last_moved_ = std::chrono::steady_clock::now();
  }
  if (waiting() == 0 || written_ > kWrittenKept) text_.erase(0, std::exchange(written_, 0));
  return true;
}

bool RemoteOutbox::stuck(std::chrono::seconds patience) const {
  return waiting() > 0 && std::chrono::steady_clock::now() - last_moved_ > patience;
}

}  // namespace lab
