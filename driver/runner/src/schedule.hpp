// SPDX-License-Identifier: MIT
// Which launch a worker joins, and which of its blocks it gets.
//
// A large launch has a part for each worker, the same part in every launch: so a worker uses again the data
// that is in the caches of its core, as with a static schedule of OpenMP. A worker that has finished its own
// part helps with those of the others. A small launch is distributed in the order of its blocks. Joining and
// leaving take a lock, taking pieces does not. Called by workers; safe to use from several of them.
#pragma once

#include <cstdint>

#include "kernel_code.hpp"

namespace runner {

struct Grid;

// A worker's share in a launch.
struct Share {
  Grid* grid = nullptr;
  bool first = false;              // of the workers in this launch
  bool others_could_help = false;  // blocks are left, or another launch may begin
  // Of a cooperative launch: the one block that this worker has.
  std::uint64_t block = 0;
  explicit operator bool() const { return grid != nullptr; }
};

// How many parts a large launch gets. Before anything else.
void set_part_count(unsigned workers);

// The workers, as far as the schedule needs something from them.
class Crew {
 public:
  virtual ~Crew() = default;
  // So many workers have to run at the same time. Called with the lock held. False if that is impossible.
  virtual bool make_room(std::uint64_t workers) = 0;
  // A launch that is work for several workers will be prepared now: another one should be woken.
  virtual void wake_one_for(const Slot& launch) = 0;
};

// The oldest launch that may begin and has blocks left. The first worker that gets it prepares it. `ended` is
// what leave() has just returned to this worker: the worker that ends a launch takes care of the launch that
// has waited for it.
Share join_oldest(std::uint64_t ended, Crew& crew);
const Slot& slot_of(const Share& share);
KernelCode& code_of(const Share& share);

// What is left of a joined launch, for one worker.
class SharePieces : public Pieces {
 public:
  SharePieces(const Share& share, unsigned worker) : share_(share), worker_(worker) {}
  bool take(std::uint64_t& first, std::uint64_t& count) override;

 private:
  const Share& share_;
  const unsigned worker_;
  bool taken_ = false;
};

// To be called when nothing is left to take. The last worker to leave reports the end of the launch to the
// host, and gets its ticket; the others get 0.
std::uint64_t leave(const Share& share);

// Whether a posted launch has not been taken completely, whether any worker is in a launch, and a number that
// changes whenever a worker takes a piece.
struct Progress {
  bool waiting = false;
  std::uint64_t busy = 0, pieces = 0;
};
Progress progress();

}  // namespace runner
