// SPDX-License-Identifier: MIT
// Runs untrusted kernels: for every accepted text, the interpreter ends, accesses only the memory that it was
// given, and returns a fault or none.
//
// Small launches and a limit of steps keep one input short. It does not depend on processes or devices.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/interpret.hpp"
#include "ptx/parse.hpp"

namespace {

constexpr std::uint64_t kBase = 0x10000;
constexpr std::uint64_t kMostShared = 0xc000;  // as the driver limits it (core/image.cpp)

class BoundedMemory : public ptx::Memory {
 public:
  std::byte* at(std::uint64_t address, std::uint64_t size) override {
    if (address < kBase || size > bytes_.size() || address - kBase > bytes_.size() - size) return nullptr;
    return bytes_.data() + (address - kBase);
  }

 private:
  std::vector<std::byte> bytes_ = std::vector<std::byte>(4096);
};

void run(const ptx::Module& module, const ptx::Function& kernel, const ptx::Launch& launch) {
  BoundedMemory memory;
  ptx::Environment environment;
  environment.memory = &memory;
  environment.symbol = [](const std::string& name) { return kBase + name.size() % 16 * 64; };
  std::size_t printed = 0;
  environment.print = [&](const std::string& line) { printed += line.size(); };
  environment.complain = environment.print;
  environment.stop = [looks = 0]() mutable { return ++looks > 2; };
  const ptx::Fault fault = ptx::interpret(module, kernel, launch, environment);
  if (fault.kind == ptx::Fault::Kind::None && !fault.detail.empty()) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ptx::ParseResult result = ptx::parse({reinterpret_cast<const char*>(data), size});
  if (!result.module || ptx::unresolved(*result.module)) return 0;
  unsigned runs = 0;
  for (const ptx::Function& function : result.module->functions) {
    if (!function.kernel || function.external || ++runs > 4) continue;
    if (ptx::shared_bytes(*result.module, function) > kMostShared) continue;
    // Every parameter of eight bytes is the address of the memory.
    std::vector<std::uint64_t> parameters(function.parameter_bytes / 8 + 1, kBase);
    ptx::Launch launch;
    launch.parameters = std::as_bytes(std::span(parameters)).first(function.parameter_bytes);
    run(*result.module, function, launch);
    launch.block[0] = 3;
    launch.block[1] = 12;
    launch.grid[2] = 2;
    launch.dynamic_shared = 64;
    run(*result.module, function, launch);
  }
  return 0;
}
