// SPDX-License-Identifier: MIT
// The way of a thread through a function: which instructions it comes to, and how it leaves.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "body.hpp"
#include "uniform.hpp"

namespace compiler {

// The guard of an instruction whose value is known.
struct KnownGuard {
  std::uint32_t instruction = 0;
  bool value = false;
};

struct Flow {
  std::function<void()> end = {};                // ends the LLVM block in which a thread ends
  std::function<void(std::uint32_t)> stop = {};  // the same, where it stops at an instruction
  const std::vector<bool>* stops = nullptr;      // by instruction; none without
  std::optional<KnownGuard> known = std::nullopt;
  // Only what is the same for all threads of a group: what varies is left out, and a branch at which they
  // diverge goes to the place where they meet again.
  const Uniformity* only_uniform = nullptr;
};

// From an instruction on, everything that can be reached without passing a stop.
void emit_flow(Body& body, const Flow& flow, std::uint32_t from);

}  // namespace compiler
