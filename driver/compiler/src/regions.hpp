// SPDX-License-Identifier: MIT
// A kernel that is cut into regions: one function for each part between two stops.
//
// Region 0 begins with the kernel, region n + 1 behind stop n. lower_regions.cpp has what concerns each
// thread, lower_groups.cpp what is kept once for a group of threads that stay together.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "lowering.hpp"

namespace compiler {

class Regions {
 public:
  Regions(Lowering& lowering, const Analyses& known)
      : lowering_(lowering),
        program_(lowering.program),
        ir_(lowering.ir),
        kernel_(lowering.kernel),
        description_(lowering.description),
        known_(known) {}
  void lower();

 private:
  // Of every region: a pointer to the block, the threads to run, and where to say how far each came.
  struct Entry {
    Value function, block, first, count, reached;
  };

  std::uint32_t continuation(std::uint32_t stop) const;
  std::uint32_t start_of(std::uint32_t region) const;
  std::vector<std::uint32_t> brought_to(std::uint32_t region) const;
  bool outlives_a_stop(const ptx::Variable& variable) const;

  // ---- what a thread keeps
  std::uint64_t new_array(std::uint64_t element_bytes);
  Value element(Body& body, std::uint64_t array, unsigned bytes);
  std::uint64_t array_of_register(std::uint32_t reg);
  bool is_kept(std::uint32_t reg) const;
  void recompute(Body& body, std::uint32_t reg, std::set<std::uint32_t>& done);
  void enter(Body& body, std::uint32_t region, bool only_uniform);
  void leave(Body& body, std::uint32_t stop);
  std::optional<std::uint64_t> constant(const ptx::Operand& operand) const;
  runner::Stop describe_stop(std::uint32_t index);

  // ---- the functions of a region
  Value make_region_body(std::uint32_t region);
  void make_region(std::uint32_t region, Value body);
  Entry declare_region(std::uint32_t region);
  Value run_thread(Value body, Arguments& arguments, Value number, bool inlined);
  void run_block(const Entry& entry, Value body, Arguments arguments);
  void run_warp(const Entry& entry, Value body, Arguments arguments);
  void run_some(const Entry& entry, Value body, Arguments arguments);
  void tell_reached(Value result, Value number, Value reached);
  void place_warp(Arguments& arguments, Value first);

  // ---- what is kept once for a group: lower_groups.cpp
  void make_region_of_group(std::uint32_t region);
  Value make_slice(std::uint32_t region);
  std::vector<std::uint32_t> uniform_registers(std::uint32_t region) const;
  Value uniform_place(std::uint32_t reg, Value saved, Value group);
  std::vector<IrType> uniform_types(std::uint32_t region) const;
  bool is_kept_once(std::uint32_t reg) const;

  Lowering& lowering_;
  const Program& program_;
  Ir& ir_;
  Kernel& kernel_;
  runner::KernelDescription& description_;
  const Analyses& known_;
  std::vector<std::uint32_t> stop_numbers_;                 // by instruction
  std::vector<std::uint32_t> stops_;                        // instructions
  std::map<std::uint32_t, std::uint64_t> register_arrays_;  // by register; the carry flag is the last
  std::map<std::uint32_t, std::uint64_t> uniform_arrays_;   // by register, an element for each group
  std::set<std::uint32_t> outcomes_;                        // of the region that is lowered now
};

}  // namespace compiler
