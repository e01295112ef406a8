// SPDX-License-Identifier: MIT
// Threads of a warp that communicate through volatile shared memory without a barrier, as in code for GPUs
// before Volta.
//
// On those GPUs, they run each instruction together. Here threads run one after another between the places
// where they wait, so there is such a place before and after every volatile store to shared memory. It waits
// only for those threads of the warp that can still reach it (BarWarp without a mask), so no thread waits
// there for ever.
#include <algorithm>

#include "passes.hpp"

namespace ptx {
namespace {

// Generic addresses may be shared ones where a shared address is made generic anywhere.
bool makes_shared_generic(const Module& module) {
  const auto makes = [](const Instruction& in) {
    return in.opcode == Opcode::Cvta && in.space == Space::Shared && !in.to_space;
  };
  return std::any_of(module.functions.begin(), module.functions.end(), [&](const Function& function) {
    return std::any_of(function.body.begin(), function.body.end(), makes);
  });
}

Instruction meeting(const Instruction& before) {
  Instruction in;
  in.root = "bar";
  in.opcode = Opcode::BarWarp;
  in.warp_mask = false;
  in.line = before.line;
  return in;
}

}  // namespace

void separate_volatile_stores(Module& module) {
  const bool generic = makes_shared_generic(module);
  const auto speaks = [&](const Instruction& in) {
    return in.opcode == Opcode::St && in.order == Order::Volatile &&
           (in.space == Space::Shared || (generic && in.space == Space::Generic));
  };
  for (Function& function : module.functions) {
    if (std::none_of(function.body.begin(), function.body.end(), speaks)) continue;
    std::map<std::uint32_t, std::vector<Instruction>> before;
    for (std::uint32_t i = 0; i < function.body.size(); ++i) {
      if (!speaks(function.body[i])) continue;
      if (before[i].empty()) before[i].push_back(meeting(function.body[i]));
      before[i + 1].push_back(meeting(function.body[i]));
    }
    put_before(function, std::move(before));
  }
}

void put_before(Function& function, std::map<std::uint32_t, std::vector<Instruction>> what) {
  std::vector<Instruction> body;
  std::vector<std::uint32_t> place;  // where an instruction went, with what was put before it
  place.reserve(function.body.size() + 1);
  auto next = what.begin();
  for (std::uint32_t i = 0; i <= function.body.size(); ++i) {
    place.push_back(static_cast<std::uint32_t>(body.size()));
    if (next != what.end() && next->first == i) {
      for (Instruction& in : next->second) body.push_back(std::move(in));
      ++next;
    }
    if (i < function.body.size()) body.push_back(std::move(function.body[i]));
  }
  for (Instruction& in : body) {
    if (in.opcode == Opcode::Bra) in.target = place[in.target];
    for (std::uint32_t& target : in.targets) target = place[target];
  }
  function.body = std::move(body);
}

}  // namespace ptx
