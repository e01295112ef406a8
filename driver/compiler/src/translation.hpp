// SPDX-License-Identifier: MIT
// A kernel from PTX to LLVM: the loops over blocks and threads, and the parts between stops.
//
// A kernel whose threads never wait is one function that runs many blocks. Any other is cut at its stops into
// regions: each runs some threads of a block from one stop to the next, with what they keep in arrays.
#pragma once

#include <functional>
#include <memory>

#include "body.hpp"
#include "kernel_abi/kernel_abi.hpp"

namespace compiler {

class Translation {
 public:
  // Throws Unsupported.
  Translation(const ptx::Module& module, const ptx::Function& kernel,
              const std::array<std::uint32_t, 3>& shape);

  LLVMModuleRef module() { return ir_.module; }
  // Into regions.
  bool is_cut() const { return description_.regions != 0; }
  // Without calls, and every branch leads on.
  bool is_straight() const;

 private:
  // What is the same for all threads, loaded once: passed after the parameters of every function.
  struct Extra {
    std::vector<std::pair<std::uint64_t, unsigned>> parameters;  // offset and bytes
    std::vector<std::string> symbols;
  };

  void collect_extra();
  bool shared_is_apart() const;
  void translate_functions();
  void lay_out_locals(const std::function<bool(const ptx::Variable&)>& lies_there);
  void place_variables(Body& body);
  bool takes_address_of(const std::string& variable) const;
  void change_stack(Body& body, std::uint64_t bytes, bool enters);
  void describe();

  // ---- of every kind of kernel
  std::vector<IrType> thread_types() const;
  Value make_function(const char* name, IrType result, const std::vector<IrType>& more = {});
  std::unique_ptr<Body> open_body(Value function);
  // The values of Given and Extra, as far as they are the same for a block.
  Arguments load_common(Value block);

  // ---- whole kernels: translate_whole.cpp
  void translate_whole();
  Value make_thread(const char* name, const std::optional<std::pair<std::uint32_t, bool>>& known);
  Value make_guard(const RowGuard& guard);
  void emit_row(Value entry, Arguments& arguments, Value thread);
  void emit_guarded_row(Value entry, Arguments& arguments, Value thread, Value inside, Value guard,
                        const RowGuard& row);

  // ---- regions: translate_regions.cpp
  void translate_regions();
  std::uint32_t continuation(std::uint32_t stop) const;
  void enter(Body& body, std::uint32_t region);
  void leave(Body& body, std::uint32_t stop);
  std::optional<std::uint64_t> constant(const ptx::Operand& operand) const;
  runner::Stop describe_stop(std::uint32_t index);
  bool outlives_a_stop(const ptx::Variable& variable) const;
  Value make_region_body(std::uint32_t region);
  void make_region(std::uint32_t region, Value body);
  Value run_thread(Value body, Arguments& arguments, Value number, bool inlined);
  void run_block(Value function, Value body, Arguments arguments, Value reached);
  void run_warp(Value function, Value body, Arguments arguments, Value first, Value count, Value reached);
  void run_some(Value function, Value body, Arguments arguments, Value first, Value count, Value reached);
  void tell_reached(Value result, Value number, Value reached);
  void place_warp(Arguments& arguments, Value first);
  // If groups stay together: what is the same for a group is kept once, and computed once after the loop.
  void make_region_of_group(std::uint32_t region);
  Value make_slice(std::uint32_t region);
  std::vector<std::uint32_t> uniform_registers(std::uint32_t region) const;
  Value uniform_place(std::uint32_t reg, Value saved, Value group);
  std::vector<IrType> uniform_types(std::uint32_t region) const;
  bool is_kept_once(std::uint32_t reg) const;
  Value declare_region(std::uint32_t region);
  bool warps_in_rows() const;
  std::uint32_t start_of(std::uint32_t region) const;
  std::vector<std::uint32_t> brought_to(std::uint32_t region) const;
  std::uint64_t new_array(std::uint64_t element_bytes);
  Value element(Body& body, std::uint64_t array, unsigned bytes);
  std::uint64_t array_of_register(std::uint32_t reg);
  bool is_kept(std::uint32_t reg) const;
  void recompute(Body& body, std::uint32_t reg, std::set<std::uint32_t>& done);

  Ir ir_;
  Kernel kernel_;
  Program program_;
  Extra extra_;
  runner::KernelDescription description_;
  std::optional<Liveness> live_;
  std::map<std::uint32_t, std::uint32_t> recomputable_;
  std::vector<std::uint32_t> stop_numbers_;                 // by instruction
  std::vector<std::uint32_t> stops_;                        // instructions
  std::map<std::uint32_t, std::uint64_t> register_arrays_;  // by register; the carry flag is the last
  std::map<std::string, std::uint64_t> variable_offsets_;   // in the local memory of a thread
  std::optional<Uniformity> uniform_;                       // where groups stay together
  std::map<std::uint32_t, std::uint64_t> uniform_arrays_;   // by register, an element for each group
  std::set<std::uint32_t> outcomes_;                        // of the region that is translated now
};

}  // namespace compiler
