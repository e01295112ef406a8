// SPDX-License-Identifier: MIT
// A bit for each event, with counts, so that "how many in this range" takes two look-ups for a range of any
// length. About one and a half bits an event.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lab {

class RankBits {
 public:
  void push(bool bit) {
    if (size_ % 64 == 0) {
      words_.push_back(0);
      before_.push_back(total_);
    }
    if (bit) {
      words_.back() |= std::uint64_t{1} << (size_ % 64);
      ++total_;
    }
    ++size_;
  }
  // How many are set among the first `index`, which may be beyond the end.
  std::size_t count_before(std::size_t index) const {
    if (index >= size_) return total_;
    const std::uint64_t below = words_[index / 64] & ((std::uint64_t{1} << (index % 64)) - 1);
    return before_[index / 64] + static_cast<std::size_t>(std::popcount(below));
  }
  std::size_t bytes() const {
    return words_.capacity() * sizeof(std::uint64_t) + before_.capacity() * sizeof(std::uint32_t);
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> before_;
  std::uint32_t total_ = 0;
  std::size_t size_ = 0;
};

}  // namespace lab
