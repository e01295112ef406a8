// SPDX-License-Identifier: MIT
// Runs a kernel from its tree, one thread after another: slow, simple and right. Tests compare compiled code
// with it.
//
// Every access goes through Memory, so a kernel can access only device memory. Does not depend on contexts.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "ptx/module.hpp"

namespace ptx {

struct Fault {
  enum class Kind : std::uint8_t {
    None,
    IllegalAddress,
    MisalignedAddress,
    Trap,
    Assert,
    IllegalInstruction,
    InvalidProgramCounter,  // a call of an address where no function is
    Stopped
  };
  Kind kind = Kind::None;
  std::string detail;  // for logs: "st.global.u32 at line 41: 0x10"
};

class Memory {
 public:
  virtual ~Memory() = default;
  // Host view of [address, address + size) of device memory; nullptr if a kernel must not access it.
  virtual std::byte* at(std::uint64_t address, std::uint64_t size) = 0;
};

struct Launch {
  std::uint32_t grid[3] = {1, 1, 1};
  std::uint32_t block[3] = {1, 1, 1};
  std::uint32_t cluster[3] = {1, 1, 1};                  // blocks of a cluster; the grid is a multiple of it
  bool explicit_cluster = false;                         // the launch asked for clusters
  std::uint32_t dynamic_shared = 0;                      // bytes
  std::uint64_t stack_bytes = std::uint64_t{128} << 10;  // of a thread, for functions that call themselves
  std::span<const std::byte> parameters;                 // laid out as in Function::parameters
  std::array<std::uint32_t, 32> environment = {};        // %envreg0 and so on
  std::uint64_t number = 0;                              // %gridid
  std::uint32_t processor = 0;                           // %smid
  std::uint32_t processors = 1;                          // %nsmid
  // The part of the grid to run, with clusters counted by x, then y, then z; 0 clusters: the whole grid.
  // Several threads may run parts at the same time. The blocks of a cluster run in turn.
  std::uint64_t first_cluster = 0;
  std::uint64_t clusters = 0;
};

struct Environment {
  Memory* memory = nullptr;
  // Device address of a module-scope variable; 0 when there is none.
  std::function<std::uint64_t(const std::string&)> symbol;
  std::function<void(const std::string&)> print;  // called once for each device printf
  std::function<void(const std::string&)>
      complain;                // a failed assertion, in the words of the hardware's driver
  std::function<bool()> stop;  // called from time to time; true ends the kernel
  // malloc and free of kernels; without these functions, calling one is a fault. Takes a number of bytes and
  // returns an address, or 0 if there is no room.
  std::function<std::uint64_t(std::uint64_t)> allocate;
  std::function<void(std::uint64_t)> release;
};

Fault interpret(const Module& module, const Function& kernel, const Launch& launch, Environment& environment);

// Static shared memory of a kernel in bytes: its own variables, and those variables of the module that are
// used by its code or by functions that it may call.
std::uint64_t shared_bytes(const Module& module, const Function& kernel);
std::uint64_t local_bytes(const Function& kernel);

}  // namespace ptx
