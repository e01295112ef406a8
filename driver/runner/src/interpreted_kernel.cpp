// SPDX-License-Identifier: MIT
// A kernel run by the reference interpreter, block by block.
//
// Slow and right; used if there is no compiler. Memory is mapped where the kernel expects it, so an address
// is used as it is, and a bad one causes a fault of the processor.
#include "interpreted_kernel.hpp"

#include <algorithm>

#include "device_heap.hpp"
#include "mapped_memory.hpp"
#include "output.hpp"
#include "process.hpp"
#include "ptx/interpret.hpp"
#include "ptx/parse.hpp"

namespace runner {
namespace {

class InterpretedKernel : public KernelCode {
 public:
  InterpretedKernel(ptx::Module module, const std::string& name, const ModuleText& text)
      : module_(std::move(module)), kernel_(module_.find(name)), text_(text) {
    if (kernel_ == nullptr) end_with(Outcome::LaunchFailed);
  }

  std::uint64_t units(const Slot& slot) const override { return clusters_of(slot); }

  void run(const Slot& slot, Pieces& pieces, unsigned index) override {
    ptx::Launch launch;
    std::copy(slot.grid, slot.grid + 3, launch.grid);
    std::copy(slot.block, slot.block + 3, launch.block);
    std::copy(slot.cluster, slot.cluster + 3, launch.cluster);
    launch.explicit_cluster = slot.explicit_cluster != 0;
    launch.dynamic_shared = slot.dynamic_shared;
    launch.stack_bytes = slot.stack_bytes;
    launch.parameters = std::span(slot.parameters, slot.parameter_bytes);
    launch.environment = environment_of(slot);
    launch.number = slot.ticket;
    launch.processor = processor_of(slot, index);
    launch.processors = slot.processors;
    MappedMemory memory;
    ptx::Environment environment;
    environment.memory = &memory;
    environment.symbol = [&](const std::string& symbol) {
      const auto found = text_.symbols.find(symbol);
      return found == text_.symbols.end() ? 0 : found->second;
    };
    environment.print = [](const std::string& line) { print(OutputKind::Stdout, line); };
    environment.complain = [](const std::string& line) { print(OutputKind::Stderr, line); };
    environment.allocate = allocate_on_heap;
    environment.release = free_on_heap;
    while (pieces.take(launch.first_cluster, launch.clusters)) {
      const ptx::Fault fault = ptx::interpret(module_, *kernel_, launch, environment);
      if (fault.kind != ptx::Fault::Kind::None) end_with(outcome_of(fault.kind));
    }
  }

 private:
  ptx::Module module_;
  const ptx::Function* kernel_;
  const ModuleText& text_;
};

}  // namespace

std::unique_ptr<KernelCode> interpret_kernel(const ModuleText& module, const std::string& name) {
  ptx::ParseResult parsed = ptx::parse(module.text);
  if (!parsed.module) end_with(Outcome::LaunchFailed);
  return std::make_unique<InterpretedKernel>(std::move(*parsed.module), name, module);
}

}  // namespace runner
