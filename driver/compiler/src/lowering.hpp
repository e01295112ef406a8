// SPDX-License-Identifier: MIT
// A kernel on its way from PTX to LLVM: what all passes that write code share.
//
// A kernel whose threads never wait is one function that runs many blocks (lower_whole.cpp). Any other is cut
// at its stops into regions: each runs some threads of a block from one stop to the next, with what they keep
// in arrays (lower_regions.cpp).
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "body.hpp"
#include "kernel_abi/kernel_abi.hpp"
#include "program.hpp"
#include "uniform.hpp"

namespace compiler {

class Lowering {
 public:
  Lowering(const Program& program, const std::array<std::uint32_t, 3>& shape, Common common,
           bool shared_is_apart);

  // Gives the variables for which `lies_there` holds a place in the thread's part of Block::local.
  void lay_out_locals(const std::function<bool(const ptx::Variable&)>& lies_there);
  std::vector<IrType> thread_types() const;
  // A function with the parameters of Given and Common, and more.
  Value make_function(const char* name, IrType result, const std::vector<IrType>& more = {});
  // The code of the kernel in such a function.
  std::unique_ptr<Body> open_body(Value function);
  // The values of Given and Common, as far as they are the same for a block.
  Arguments load_common(Value block);

  const Program& program;
  Ir ir;
  Kernel kernel;
  Common common;
  runner::KernelDescription description;

 private:
  std::map<std::string, std::uint64_t> variable_offsets_;  // in the local memory of a thread
};

// Kernels whose threads never wait for each other.
void lower_whole(Lowering& lowering, const std::optional<RowGuard>& guard);

// What is known of a kernel that is cut into regions.
struct Analyses {
  Liveness live;
  std::map<std::uint32_t, std::uint32_t> recomputable;  // instructions, by register
  std::optional<Uniformity> uniform;                    // where groups stay together
};
void lower_regions(Lowering& lowering, const Analyses& known);

// The device functions that were called so far, and those that they call.
void lower_functions(Lowering& lowering);

// Adds what the runner has to know of the kernel.
void describe_kernel(Lowering& lowering);

}  // namespace compiler
