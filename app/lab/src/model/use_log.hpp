// SPDX-License-Identifier: MIT
// Which calls concerned which objects, in the order of events: two to three bytes for each mention, read by
// scanning. A million calls take a few megabytes, so scanning all of them takes milliseconds, and nothing has
// to be kept for each object.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "lab/object.hpp"

namespace lab {

struct Use {
  ObjectId object;
  bool changed = false;  // the call changed it, and did not only use it
  bool operator==(const Use&) const = default;
};

class UseLog {
 public:
  void add(const std::vector<Use>& uses);  // of the next event
  // Every mention in events [from, to), in order; stops if `visit` returns false.
  void scan(std::size_t from, std::size_t to,
            const std::function<bool(std::size_t event, const Use&)>& visit) const;
  static constexpr std::size_t kBlock = 1024;  // events; the beginning of each block is found at once
  std::size_t bytes() const;

 private:
  void number(std::uint32_t value);
  std::vector<std::uint8_t> bytes_;
  std::vector<std::size_t> blocks_;  // where the events of each block begin
  std::size_t events_ = 0;
};

}  // namespace lab
