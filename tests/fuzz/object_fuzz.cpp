// SPDX-License-Identifier: MIT
// Objects from a damaged cache: whatever the bytes, the loader follows no offset out of them, and refuses
// with a word what it cannot place. What it places is not called.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "object_loader.hpp"

namespace {

int outside = 0;

const void* resolve(std::string_view name) {
  return name.size() % 2 == 1 ? &outside : nullptr;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string why;
  const auto loaded = runner::LoadedObject::load(std::as_bytes(std::span(data, size)), resolve, why);
  if ((loaded == nullptr) == why.empty()) __builtin_trap();
  if (loaded != nullptr) {
    for (const char* name : {"square_of", "count", "", "outside"}) {
      // What is found can be read.
      const auto* found = static_cast<const volatile unsigned char*>(loaded->find(name));
      if (found != nullptr && name[0] != '\0') outside += found[0];
    }
  }
  return 0;
}
