// SPDX-License-Identifier: MIT
// What the reference semantics need here: device memory, which is mapped where the kernel expects it, and the
// outcome that their faults are.
#pragma once
#include "process.hpp"
#include "ptx/interpret.hpp"

namespace runner {

class MappedMemory : public ptx::Memory {
 public:
  std::byte* at(std::uint64_t address, std::uint64_t) override {
    return reinterpret_cast<std::byte*>(address);
  }
};

inline Outcome outcome_of(ptx::Fault::Kind kind) {
  switch (kind) {
    case ptx::Fault::Kind::IllegalAddress:
      return Outcome::IllegalAddress;
    case ptx::Fault::Kind::MisalignedAddress:
      return Outcome::MisalignedAddress;
    case ptx::Fault::Kind::Assert:
      return Outcome::Assert;
    case ptx::Fault::Kind::InvalidProgramCounter:
      return Outcome::InvalidProgramCounter;
    case ptx::Fault::Kind::IllegalInstruction:
      return Outcome::IllegalInstruction;
    case ptx::Fault::Kind::None:
    case ptx::Fault::Kind::Trap:
    case ptx::Fault::Kind::Stopped:
      break;
  }
  return Outcome::LaunchFailed;
}

}  // namespace runner
