// SPDX-License-Identifier: MIT
// What two labs say to each other over a launcher's standard input and output: messages as lines of plain
// text, because launchers hold back what is no line, put banners in front, and turn line ends.
//
//   @dl+ BASE64       a piece of a message
//   @dl. KIND BASE64  the last piece; KIND is one letter
//
// Lines that begin otherwise are somebody else's words. Knows nothing of what messages mean.
#pragma once
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace lab {

struct RemoteMessage {
  char kind = 0;
  std::string body;  // any bytes
};

std::string lines_of(const RemoteMessage& message);

class RemoteLines {
 public:
  void add(std::string_view bytes);
  std::optional<RemoteMessage> next();
  bool damaged() const { return damaged_; }  // a line or a message that cannot be; nothing is read any more
  const std::string& foreign() const { return foreign_; }  // the last few lines that were no message

 private:
  void line(std::string_view text);

  std::string rest_, body_, foreign_;
  std::deque<RemoteMessage> messages_;
  bool damaged_ = false;
};

}  // namespace lab
