// SPDX-License-Identifier: MIT
// Runs a kernel from its tree, one thread after another: slow, simple and right. What the compiler makes is
// compared with it.
//
// Every access goes through Memory, so a kernel reaches device memory and nothing else. It knows no contexts.
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
    InvalidProgramCounter,  // a call of what is no function
    Stopped
  };
  Kind kind = Kind::None;
  std::string detail;  // for logs: "st.global.u32 at line 41: 0x10"
};

class Memory {
 public:
  virtual ~Memory() = default;
  // Host view of [address, address + size) of device memory; nullptr when a kernel may not touch it.
  virtual std::byte* at(std::uint64_t address, std::uint64_t size) = 0;
};

struct Launch {
  std::uint32_t grid[3] = {1, 1, 1};
  std::uint32_t block[3] = {1, 1, 1};
  std::uint32_t dynamic_shared = 0;                      // bytes
  std::uint64_t stack_bytes = std::uint64_t{128} << 10;  // of a thread, for functions that call themselves
  std::span<const std::byte> parameters;                 // laid out as Function::parameters say
  std::array<std::uint32_t, 32> environment = {};        // %envreg0 and so on
  std::uint64_t number = 0;                              // %gridid
  // The part of the grid that is run, blocks counted by x, then y, then z; 0 blocks: all of it. Parts may be
  // run at the same time by several threads.
  std::uint64_t first_block = 0;
  std::uint64_t blocks = 0;
};

struct Environment {
  Memory* memory = nullptr;
  // Device address of a module-scope variable; 0 when there is none.
  std::function<std::uint64_t(const std::string&)> symbol;
  std::function<void(const std::string&)> print;  // device printf, one call each
  std::function<void(const std::string&)>
      complain;                // a failed assertion, in the words of the hardware's driver
  std::function<bool()> stop;  // asked now and then; true ends the kernel
  // malloc and free of kernels; without them calling one is a fault. Bytes in, address out, 0 for no room.
  std::function<std::uint64_t(std::uint64_t)> allocate;
  std::function<void(std::uint64_t)> release;
};

Fault interpret(const Module& module, const Function& kernel, const Launch& launch, Environment& environment);

// Static shared memory of a kernel in bytes: its own variables, and those of the module that its code and
// that of the functions it may call mention.
std::uint64_t shared_bytes(const Module& module, const Function& kernel);
std::uint64_t local_bytes(const Function& kernel);

}  // namespace ptx
