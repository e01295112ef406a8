// SPDX-License-Identifier: MIT
// See occupancy.hpp: the manual's arithmetic, with the device's own figures.
#include "core/occupancy.hpp"

#include <algorithm>
#include <vector>

#include "ptx/interpret.hpp"

namespace driver {
namespace {

constexpr int kWarp = 32;

int figure(const Device& device, CUdevice_attribute attribute) {
  return std::max(0, device.attribute(attribute).value_or(0));
}

// First and last place of each register; loops are not followed, which is why this is an estimate.
void note(const ptx::Operand& operand, std::size_t at,
          std::vector<std::pair<std::size_t, std::size_t>>& lives) {
  for (const ptx::Operand& part : operand.parts) note(part, at, lives);
  const bool reg = operand.kind == ptx::Operand::Kind::Register || operand.has_reg;
  if (!reg || operand.reg >= lives.size()) return;
  lives[operand.reg].first = std::min(lives[operand.reg].first, at);
  lives[operand.reg].second = std::max(lives[operand.reg].second, at + 1);
}

}  // namespace

unsigned most_threads_of(const ptx::Function& code) {
  // .reqntid does not count here (truth launch_limits, steps 23 and 38).
  if (code.required_threads[0] != 0 || code.max_threads == 0) return kMostThreads;
  return std::min(kMostThreads, code.max_threads);
}

std::uint64_t static_shared(const Function& function) {
  std::uint64_t bytes = function.static_shared.load(std::memory_order_relaxed);
  if (bytes == Function::kUnknown) {
    bytes = ptx::shared_bytes(function.module->image().tree, *function.code);
    function.static_shared.store(bytes, std::memory_order_relaxed);
  }
  return bytes;
}

int estimated_registers(const ptx::Function& code, unsigned most_wanted) {
  std::vector<std::pair<std::size_t, std::size_t>> lives(code.registers.size(), {code.body.size(), 0});
  for (std::size_t i = 0; i < code.body.size(); ++i) {
    for (const ptx::Operand& operand : code.body[i].operands) note(operand, i, lives);
  }
  std::vector<int> change(code.body.size() + 2);
  for (std::size_t reg = 0; reg < lives.size(); ++reg) {
    if (lives[reg].second == 0) continue;
    const int words = code.register_types[reg] == ptx::Type::Pred  ? 0
                      : ptx::size_of(code.register_types[reg]) > 4 ? 2
                                                                   : 1;
    change[lives[reg].first] += words;
    change[lives[reg].second] -= words;
  }
  int alive = 0, most = 0;
  for (const int step : change) most = std::max(most, alive += step);
  const int limit = code.max_registers != 0 ? static_cast<int>(std::min(code.max_registers, 255U)) : 255;
  const unsigned threads = std::max(1U, code.max_threads);
  const int fitting = code.max_threads != 0 ? static_cast<int>(65536 / threads) : 255;
  const int wanted = most_wanted != 0 ? static_cast<int>(std::clamp(most_wanted, 24U, 255U)) : 255;
  return std::clamp(most + 8, 16, std::max(16, std::min({limit, wanted, 255, fitting})));
}

int blocks_per_multiprocessor(const Function& function, int threads, std::uint64_t dynamic_shared) {
  const Device& device = function.module->context().device();
  if (threads <= 0 || static_cast<unsigned>(threads) > kMostThreads) return 0;
  const int warps = (threads + kWarp - 1) / kWarp;
  int blocks = figure(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  blocks =
      std::min(blocks, figure(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / (warps * kWarp));
  // A warp's registers come in units of 256.
  const int per_warp =
      (estimated_registers(*function.code, function.module->image().most_registers) * kWarp + 255) / 256 *
      256;
  blocks = std::min(
      blocks, figure(device, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR) / (per_warp * warps));
  // Truth dynamic_shared, step 41.
  if (dynamic_shared > function.settings().most_dynamic_shared(static_shared(function))) return 0;
  const std::uint64_t own = static_shared(function) + dynamic_shared;
  const auto most =
      static_cast<std::uint64_t>(figure(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  if (own > most) return 0;
  const std::uint64_t block =
      own + static_cast<std::uint64_t>(figure(device, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK));
  const auto all =
      static_cast<std::uint64_t>(figure(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR));
  if (block != 0)
    blocks = static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(blocks), all / block));
  return blocks;
}

}  // namespace driver
