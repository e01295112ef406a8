// SPDX-License-Identifier: MIT
// Regions of kernels in which the threads of a group (a block or a warp) are always together at their stops.
//
// What is the same for the whole group is kept once instead of once for each thread. In the loop over the
// threads it is constant, and after the loop it is computed again: the next stop, and the values of uniform
// registers there.

// An example:
//   before:
//     bar.sync 0;
//     ret;
//   after:
//     %reached = call i16 @body0(…
//     …
//     %stop = call i32 @slice0(…
//     ret i32 %stop

#include <algorithm>

#include "flow.hpp"
#include "regions.hpp"

namespace compiler {

bool Regions::is_kept_once(std::uint32_t reg) const {
  return known_.uniform && reg < program_.kernel.registers.size() && known_.uniform->is_uniform(reg);
}

// Kept once, and needed from the beginning of a region on.
std::vector<std::uint32_t> Regions::uniform_registers(std::uint32_t region) const {
  std::vector<std::uint32_t> found;
  if (region == 0) return found;
  const std::vector<std::uint32_t> brought = brought_to(region);
  const std::vector<bool>& live = known_.live.at(start_of(region));
  for (std::uint32_t reg = 0; reg < program_.kernel.registers.size(); ++reg) {
    if (live[reg] && is_kept(reg) && is_kept_once(reg) &&
        std::find(brought.begin(), brought.end(), reg) == brought.end())
      found.push_back(reg);
  }
  return found;
}

Value Regions::uniform_place(std::uint32_t reg, Value saved, Value group) {
  auto found = uniform_arrays_.find(reg);
  if (found == uniform_arrays_.end()) {
    const std::uint64_t groups = program_.by_warps ? (kernel_.threads() + 31) / 32 : 1;
    found = uniform_arrays_.emplace(reg, description_.saved_bytes).first;
    description_.saved_bytes += (groups * 8 + 63) / 64 * 64;
  }
  return ir_.offset(ir_.offset(saved, found->second), ir_.mul(ir_.fit(group, ir_.i64, false), ir_.wide(8)));
}

// The uniform part of a region: where it leads, with the registers that are kept once put in place.
Value Regions::make_slice(std::uint32_t region) {
  Value function =
      lowering_.make_function(("slice" + std::to_string(region)).c_str(), ir_.i32, uniform_types(region));
  ir_.mark(function, "alwaysinline");
  ir_.continue_at(ir_.block(function));
  const std::unique_ptr<Body> body = lowering_.open_body(function);
  const auto stop = [&](std::uint32_t index) {
    const std::uint32_t next = stop_numbers_[index] + 1;
    Value group = program_.by_warps ? ir_.right(body->given.linear, ir_.word(5)) : ir_.word(0);
    for (const std::uint32_t reg : uniform_registers(next)) {
      Value value = body->register_value(reg);
      Value place = uniform_place(reg, body->given.saved, group);
      ir_.store(ir_.fit(value, LLVMTypeOf(value) == ir_.i1 ? ir_.i8 : LLVMTypeOf(value), false), place);
    }
    LLVMBuildRet(ir_.at, ir_.word(stop_numbers_[index]));
  };
  const auto end = [this] { LLVMBuildRet(ir_.at, ir_.word(runner::kThreadEnded)); };
  body->open();
  enter(*body, region, true);
  emit_flow(*body, {.end = end, .stop = stop, .stops = &program_.stops, .only_uniform = &*known_.uniform},
            start_of(region));
  return function;
}

void Regions::make_region_of_group(std::uint32_t region) {
  Value body = make_region_body(region), slice = make_slice(region);
  const Entry entry = declare_region(region);
  Arguments arguments = lowering_.load_common(entry.block);
  Value group = program_.by_warps ? ir_.right(entry.first, ir_.word(5)) : ir_.word(0);
  for (const std::uint32_t reg : uniform_registers(region)) {
    IrType type = ir_.bits_of(program_.kernel.register_types[reg]);
    Value value = ir_.load(type == ir_.i1 ? ir_.i8 : type, uniform_place(reg, arguments.given.saved, group));
    arguments.more.push_back(type == ir_.i1 ? LLVMBuildTrunc(ir_.at, value, type, "") : value);
  }
  if (program_.by_warps)
    run_warp(entry, body, arguments);
  else
    run_block(entry, body, arguments);
  if (program_.by_warps) place_warp(arguments, entry.first);
  LLVMBuildRet(ir_.at, ir_.call(LLVMGlobalGetValueType(slice), slice, arguments.values()));
}

}  // namespace compiler
