// SPDX-License-Identifier: MIT
// Helpers that the generated recorders need for arguments: structs by value, lengths, texts. No header of
// NVIDIA's or of ours is needed for them, and they do not depend on a function.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace trace::interpose {

// A struct passed by value, as bytes.
template <std::size_t kBytes>
struct ByValue {
  unsigned char bytes[kBytes];
};

// A length argument; negative ones are the driver's to refuse.
template <class Integer>
inline std::size_t size_of(Integer length) {
  return length < Integer{0} ? 0 : static_cast<std::size_t>(length);
}
// A length that the driver wrote.
template <std::size_t kBytes>
inline std::size_t size_at(const void* length) {
  std::size_t size = 0;
  if (length != nullptr) std::memcpy(&size, length, kBytes);
  return size;
}
inline const char* text_at(const void* place) {
  return place == nullptr ? nullptr : *static_cast<const char* const*>(place);
}

}  // namespace trace::interpose
