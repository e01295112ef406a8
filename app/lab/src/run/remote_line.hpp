// SPDX-License-Identifier: MIT
// The messages of two labs over a launcher's standard input and output. They are lines of plain text, because
// launchers hold back incomplete lines, put banners in front, and change line ends.
//
//   @dl+ BASE64       a piece of a message
//   @dl. KIND BASE64  the last piece; KIND is one letter
//
// Other lines are not ours. Nothing here depends on what the messages mean.
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
  bool damaged() const { return damaged_; }  // after an impossible line or message; reading has stopped then
  const std::string& foreign() const { return foreign_; }  // the last few lines that were no message

 private:
  void line(std::string_view text);

  std::string rest_, body_, foreign_;
  std::deque<RemoteMessage> messages_;
  bool damaged_ = false;
};

}  // namespace lab
