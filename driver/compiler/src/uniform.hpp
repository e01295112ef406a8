// SPDX-License-Identifier: MIT
// What is the same for all threads of a group: the block, or a warp if threads wait for warps.
//
// A register is uniform if it has the same value in all threads of a group whenever one of them reads it. An
// instruction is in uniform flow if all of them or none of them reach it. Conservative: what is not known to
// be uniform counts as not uniform. Works on PTX only.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "program.hpp"

namespace compiler {

class Uniformity {
 public:
  Uniformity(const Program& program, const std::array<std::uint32_t, 3>& shape);

  bool is_uniform(std::uint32_t reg) const { return !varies_[reg]; }
  // Uniform, or the thread's own x: comparisons use the first x of the group for all threads.
  bool is_part_of_it(std::uint32_t reg) const { return !varies_[reg] || thread_x_[reg]; }
  bool in_uniform_flow(std::uint32_t instruction) const { return !parted_[instruction]; }
  // Every stop is in uniform flow: threads of a group are always at the same place when they wait.
  bool keeps_groups_together() const { return together_; }
  // Where threads that diverge at this branch come together again; the size of the body for its end.
  std::uint32_t meeting_point(std::uint32_t branch) const;
  // A branch at which threads of a group may diverge.
  bool parts(std::uint32_t branch) const;

 private:
  void find_blocks();
  void find_meeting_points();
  bool follow();
  bool result_varies(const ptx::Instruction& in) const;
  bool operand_varies(const ptx::Operand& operand) const;
  bool special_varies(ptx::Special special) const;
  bool is_same_for_a_warp(const ptx::Instruction& in) const;
  bool is_thread_x(const ptx::Operand& operand) const;
  bool part(std::uint32_t branch);

  const Program& program_;
  std::array<std::uint32_t, 3> shape_;
  bool warps_in_rows_ = false;
  std::vector<bool> varies_;                       // registers
  std::vector<bool> parted_;                       // instructions
  std::vector<bool> thread_x_;                     // registers that hold %tid.x and nothing else
  std::vector<std::uint32_t> starts_;              // of blocks, in order
  std::map<std::uint32_t, std::uint32_t> number_;  // of a block, by its start
  std::vector<std::vector<std::uint32_t>> next_;   // of blocks; the last number is the end
  std::vector<std::uint32_t> meets_;               // by block
  bool together_ = true;
};

// Nothing if a group's threads may stop at different places, or its warps lie in several rows.
std::optional<Uniformity> find_uniform(const Program& program, const std::array<std::uint32_t, 3>& shape);
// Whether each warp's threads have the same y and z.
bool warps_in_rows(const std::array<std::uint32_t, 3>& shape);

}  // namespace compiler
