// SPDX-License-Identifier: MIT
// Which launch a worker joins, and which of its blocks it gets.
//
// A large launch has a part for each worker, the same in every launch: what a worker's core has in its caches
// is what it is asked for again, as with a static schedule of OpenMP. Who is done with its own part helps
// with the others'. A small one is handed out in the order of its blocks. Joining and leaving take a lock,
// pieces do not. Knows no threads: it is called by workers. Safe to use from several of them.
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

// Those who call, as far as the schedule has to ask them for something.
class Crew {
 public:
  virtual ~Crew() = default;
  // That many workers have to be there at the same time. Called with the lock held. False when they cannot
  // be.
  virtual bool make_room(std::uint64_t workers) = 0;
  // A launch that is work for several is about to be prepared: time to wake another.
  virtual void wake_one_for(const Slot& launch) = 0;
};

// The oldest launch that may begin and has something left. The first to meet one prepares it. `ended` is what
// leave() has answered to this worker just before: who ends a launch looks after the one that has waited for
// it.
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

// Nothing was left to take. The last one to leave tells the host that the launch has ended, and is told its
// ticket; the others get 0.
std::uint64_t leave(const Share& share);

// Whether something is posted that nobody has joined to the end, whether anyone is in a launch, and a number
// that stands still while nobody takes a piece.
struct Progress {
  bool waiting = false;
  std::uint64_t busy = 0, pieces = 0;
};
Progress progress();

}  // namespace runner
