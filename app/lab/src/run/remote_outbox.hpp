// SPDX-License-Identifier: MIT
// Bytes that are still to be written to the other side of a connection. Writing never waits: a side that
// reads nothing must not block the window, or the end of a program. Nothing here depends on messages.
#pragma once
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace lab {

class RemoteOutbox {
 public:
  void open(int descriptor);  // makes it non-blocking; drops what was left for an earlier one
  void close() { open(-1); }
  void add(std::string_view text);
  bool write();  // as much as there is room for; false: the other side does not read any more
  std::size_t waiting() const { return text_.size() - written_; }
  // When bytes were last written, or began to wait.
  std::chrono::steady_clock::time_point last_moved() const { return last_moved_; }
  bool stuck(std::chrono::seconds patience) const;  // something has waited for so long

 private:
  int descriptor_ = -1;
  std::string text_;
  std::size_t written_ = 0;
  std::chrono::steady_clock::time_point last_moved_ = std::chrono::steady_clock::now();
};

}  // namespace lab
