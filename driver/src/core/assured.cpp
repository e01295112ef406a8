// SPDX-License-Identifier: MIT
// Reserve: pieces with cells in them. The first is in the library's own memory, of which pages are used when
// a cell is; the others are never freed.
#include "core/assured.hpp"

#include <array>
#include <functional>
#include <mutex>

namespace driver {
namespace {

struct alignas(std::max_align_t) Cell {
  std::byte bytes[Reserve::kCellBytes];
};

struct Piece {
  std::array<Cell, Reserve::kCellsAtOnce> cells;
  std::array<std::atomic<bool>, Reserve::kCellsAtOnce> taken;

  bool holds(const Cell* cell) const {
    const std::less<const Cell*> before;
    return !before(cell, cells.data()) && before(cell, cells.data() + cells.size());
  }
};

constinit Piece first{};
constexpr std::size_t kMostPieces = 64;
constinit std::array<std::atomic<Piece*>, kMostPieces> pieces{&first};
constinit std::atomic<std::size_t> piece_count{1};

}  // namespace

void* Reserve::take(std::size_t bytes) {
  if (bytes > kCellBytes) throw std::bad_alloc();
  for (std::size_t at = 0; at < piece_count.load(std::memory_order_acquire); ++at) {
    Piece& piece = *pieces[at];
    for (std::size_t i = 0; i < kCellsAtOnce; ++i) {
      std::atomic<bool>& taken = piece.taken[i];
      if (taken.load(std::memory_order_relaxed) || taken.exchange(true, std::memory_order_acquire)) continue;
      free_cells.fetch_sub(1, std::memory_order_relaxed);
      return &piece.cells[i];
    }
  }
  throw std::bad_alloc();
}

bool Reserve::give_back(void* memory) {
  const auto* const cell = static_cast<const Cell*>(memory);
  for (std::size_t at = 0; at < piece_count.load(std::memory_order_acquire); ++at) {
    Piece& piece = *pieces[at];
    if (!piece.holds(cell)) continue;
    piece.taken[static_cast<std::size_t>(cell - piece.cells.data())].store(false, std::memory_order_release);
    free_cells.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  return false;
}

bool Reserve::grow() {
  static constinit std::mutex growing;
  const std::lock_guard lock(growing);
  if (free_cells.load(std::memory_order_relaxed) >= kEnough) return true;
  const std::size_t at = piece_count.load(std::memory_order_relaxed);
  if (at == kMostPieces) return false;
  auto* const piece = new (std::nothrow) Piece{};
  if (piece == nullptr) return false;
  pieces[at] = piece;
  piece_count.store(at + 1, std::memory_order_release);
  free_cells.fetch_add(kCellsAtOnce, std::memory_order_relaxed);
  return true;
}

}  // namespace driver
