// SPDX-License-Identifier: MIT
// A long run of random calls, the same for the same seed: for what has to hold at every moment of any run.
#pragma once
#include <random>
#include <utility>
#include <vector>

#include "world.hpp"

namespace lab_model_test {

// Calls as a program might make them, with threads, failures, frees, dead contexts and disagreements.
inline void scramble(World& world, std::size_t calls, unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&random](std::uint64_t n) { return random() % n; };
  std::vector<std::uint64_t> memory;
  std::uint64_t next_address = kMemory;
  for (std::size_t i = 0; i < calls; ++i) {
    const std::uint64_t handle = 0x1000 + 16 * pick(6);
    const auto thread = static_cast<std::uint32_t>(pick(3));
    support::Call* call = nullptr;
    const std::uint64_t object = 0x2000 + 16 * pick(4);
    switch (pick(22)) {
      case 0:
        call = &world.create(handle, pick(2));
        break;
      case 1:
        call = &world.destroy(handle);
        break;
      case 2:
        call = &world.push(handle);
        break;
      case 3:
        call = &world.pop(handle);
        break;
      case 4:
        call = &world.set(pick(2) != 0 ? handle : 0);
        break;
      case 5:
        call = &world.retain(0x9000 + 16 * pick(2), pick(2));
        break;
      case 6:
        call = &world.release(pick(2));
        break;
      case 7:
        call = &world.call("cuCtxSynchronize").current(pick(2) != 0 ? handle : 0x9000);
        break;
      case 8:
        call = &world.other(trace::EventKind::ThreadEnd);
        break;
      case 12:
        call = &world.load_module(object);
        break;
      case 13:
        call = &world.unload_module(object);
        break;
      case 14:
        call = pick(2) != 0 ? &world.get_function(0x3000 + 16 * pick(4), object, "f")
                            : &world.get_global(0x4000 + 64 * pick(4), 64, object, "g");
        break;
      case 15:
        call = pick(4) == 0 ? &world.unload_library(object) : &world.load_library(object);
        break;
      case 16:
        call = &world.get_kernel(0x3000 + 16 * pick(4), object, "k");
        break;
      case 17:
        call = pick(2) != 0 ? &world.kernel_function(0x3000 + 16 * pick(4), 0x3000 + 16 * pick(4))
                            : &world.launch(0x3000 + 16 * pick(4), object);
        break;
      case 18:
        call = pick(2) != 0 ? &world.create_event(object) : &world.destroy_event(object);
        break;
      case 19:
        call = pick(2) != 0 ? &world.create_stream(object) : &world.destroy_stream(object);
        break;
      case 9:
      case 10:
      case 11:
        memory.push_back(next_address += 512);
        call = &world.allocate(next_address, 1 + pick(512));
        break;
      default:
        if (memory.empty()) continue;
        std::swap(memory[pick(memory.size())], memory.back());
        call = &world.free(memory.back());
        memory.pop_back();
    }
    call->thread(thread);
    if (pick(10) == 0) call->result(201);
  }
}

}  // namespace lab_model_test
