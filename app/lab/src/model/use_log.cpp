// SPDX-License-Identifier: MIT
// See use_log.hpp. An event is stored as the number of its mentions, followed by the mentions: a byte for
// kind and `changed`, and the number in groups of seven bits.
#include "model/use_log.hpp"

#include <algorithm>

namespace lab {
namespace {

constexpr std::uint8_t kChanged = 0x80;
constexpr std::size_t kMostUses = 255;

}  // namespace

void UseLog::number(std::uint32_t value) {
  for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<std::uint8_t>(value | 0x80));
  bytes_.push_back(static_cast<std::uint8_t>(value));
}

void UseLog::add(const std::vector<Use>& uses) {
  if (events_++ % kBlock == 0) blocks_.push_back(bytes_.size());
  const std::size_t count = std::min(uses.size(), kMostUses);
  bytes_.push_back(static_cast<std::uint8_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    const auto kind = static_cast<std::uint8_t>(uses[i].object.kind);
    bytes_.push_back(uses[i].changed ? static_cast<std::uint8_t>(kind | kChanged) : kind);
    number(uses[i].object.number);
  }
}

void UseLog::scan(std::size_t from, std::size_t to,
                  const std::function<bool(std::size_t, const Use&)>& visit) const {
  to = std::min(to, events_);
  if (from >= to) return;
  std::size_t event = from / kBlock * kBlock, at = blocks_[from / kBlock];
  for (; event < to; ++event) {
    for (std::size_t left = bytes_[at++]; left > 0; --left) {
      Use use;
      use.changed = (bytes_[at] & kChanged) != 0;
      use.object.kind = static_cast<ObjectKind>(bytes_[at++] & ~kChanged);
      for (unsigned shift = 0;; shift += 7) {
        const std::uint8_t byte = bytes_[at++];
        use.object.number |= std::uint32_t{byte & 0x7fu} << shift;
        if (byte < 0x80) break;
      }
      if (event >= from && !visit(event, use)) return;
    }
  }
}

std::size_t UseLog::bytes() const {
  return bytes_.capacity() + blocks_.capacity() * sizeof(std::size_t);
}

}  // namespace lab
