// SPDX-License-Identifier: MIT
// Places a relocatable ELF object in memory, ready to be called.
//
// A linker for just what the compiler makes: one object, its own sections, and a few functions of the C
// library that LLVM assumes to exist. The bytes may come from a damaged file, so every offset is checked
// before it is used. Does not depend on kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace runner {

class LoadedObject {
 public:
  // Address of a function or variable that the object itself does not define; null when there is none.
  using Resolve = std::function<const void*(std::string_view name)>;

  // Null if the object is damaged or needs something that does not exist; `why` then says so.
  static std::unique_ptr<LoadedObject> load(std::span<const std::byte> object, const Resolve& resolve,
                                            std::string& why);
  ~LoadedObject();
  LoadedObject(const LoadedObject&) = delete;
  LoadedObject& operator=(const LoadedObject&) = delete;

  // Address of a symbol that the object defines, or null.
  const void* find(std::string_view name) const;

 private:
  LoadedObject() = default;

  struct Symbols;
  std::byte* memory_ = nullptr;
  std::size_t size_ = 0;
  std::unique_ptr<Symbols> symbols_;
};

}  // namespace runner
