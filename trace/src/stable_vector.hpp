// SPDX-License-Identifier: MIT
// A vector whose elements never move: one thread appends, and others read elements that exist already.
//
// The caller has to let the readers know of a new element: by a release store after push_back and an acquire
// load before reading. Here only the table of chunks is atomic. Each chunk is twice as large as the one
// before, so 32 of them are enough for any memory.
#pragma once
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <utility>

namespace trace {

template <class T, std::size_t kFirstChunk = 1024>
class StableVector {
 public:
  StableVector() = default;
  StableVector(const StableVector&) = delete;
  StableVector& operator=(const StableVector&) = delete;
  ~StableVector() {
    for (auto& chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
  }

  const T& operator[](std::size_t index) const { return *place(index); }
  T& operator[](std::size_t index) { return *place(index); }

  // Writer only, as is everything below.
  void push_back(T value) {
    const auto [chunk, offset] = split(size_);
    if (offset == 0 && chunks_[chunk].load(std::memory_order_relaxed) == nullptr) {
      chunks_[chunk].store(new T[kFirstChunk << chunk](), std::memory_order_release);
      capacity_ += kFirstChunk << chunk;
    }
    *place(size_) = std::move(value);
    ++size_;
  }
  std::size_t size() const { return size_; }
  std::size_t capacity_bytes() const { return capacity_ * sizeof(T); }

 private:
  static std::pair<std::size_t, std::size_t> split(std::size_t index) {
    const std::size_t above = index / kFirstChunk + 1;
    const std::size_t chunk = static_cast<std::size_t>(std::bit_width(above)) - 1;
    return {chunk, index - ((std::size_t{1} << chunk) - 1) * kFirstChunk};
  }
  T* place(std::size_t index) const {
    const auto [chunk, offset] = split(index);
    return chunks_[chunk].load(std::memory_order_acquire) + offset;
  }

  std::array<std::atomic<T*>, 32> chunks_{};
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace trace
