// SPDX-License-Identifier: MIT
// Images from strangers: whatever the bytes, telling them apart and unpacking them stays in bounds, and gives
// a program or a result and a word why not.
//
// The first byte chooses: the rest as it is; as the text of a fatbin that is packed as it should be, so that
// what is behind zstd and LZ4 is reached; as a fatbin's entries; as the body of a linked image.
#include <lz4.h>
#include <zstd.h>

#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "core/image.hpp"
#include "ptx/linked_image.hpp"

namespace {

enum class Packing : std::uint64_t { Plain = 0, Lz4 = 0x2000, Zstd = 0x8000 };

template <typename Value>
void put(std::string& bytes, std::size_t at, Value value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::string packed(std::string_view text, Packing packing) {
  if (packing == Packing::Plain) return std::string(text);
  std::string result;
  if (packing == Packing::Zstd) {
    result.resize(ZSTD_compressBound(text.size()));
    result.resize(ZSTD_compress(result.data(), result.size(), text.data(), text.size(), 1));
  } else {
    result.resize(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))));
    result.resize(static_cast<std::size_t>(LZ4_compress_default(
        text.data(), result.data(), static_cast<int>(text.size()), static_cast<int>(result.size()))));
  }
  return result;
}

std::string entry(std::string_view text, Packing packing, std::uint32_t arch) {
  const std::string payload = packed(text, packing);
  std::string result(64, '\0');
  put<std::uint16_t>(result, 0, 1);
  put<std::uint32_t>(result, 4, 64);
  put<std::uint64_t>(result, 8, payload.size());
  put<std::uint32_t>(result, 16, static_cast<std::uint32_t>(payload.size()));
  put<std::uint32_t>(result, 28, arch);
  put<std::uint64_t>(result, 40, static_cast<std::uint64_t>(packing));
  put<std::uint64_t>(result, 56, text.size());
  return result + payload;
}

std::string fatbin(std::string_view entries) {
  std::string result(16, '\0');
  put<std::uint32_t>(result, 0, 0xBA55ED50);
  put<std::uint16_t>(result, 4, 1);
  put<std::uint16_t>(result, 6, 16);
  put<std::uint64_t>(result, 8, entries.size());
  return result.append(entries);
}

std::string image_of(unsigned choice, std::string_view rest) {
  switch (choice % 8) {
    case 1:
      return fatbin(entry(rest, Packing::Plain, 75));
    case 2:
      return fatbin(entry(rest, Packing::Lz4, 75));
    case 3:
      return fatbin(entry(rest, Packing::Zstd, 75) + entry(rest, Packing::Plain, 80));
    case 4:
      return fatbin(rest);
    case 5:
      return ptx::make_linked_image(rest, 89);
    case 6: {
      // What is packed is damaged.
      std::string bytes = fatbin(entry(rest, Packing::Zstd, 75));
      bytes[bytes.size() - 1 - rest.size() % 7] ^= static_cast<char>(choice);
      return bytes;
    }
    default:
      return std::string(rest);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const driver::Device device(0, 0, nullptr);
  if (size < 1) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string made = image_of(data[0], rest);
  // A copy of exactly this size, so that a step beyond it is seen.
  const std::vector<char> image(made.begin(), made.end());
  const auto bytes = std::as_bytes(std::span(image));
  const driver::ImageResult result = driver::read_image(driver::find_text(bytes, device), device);
  if ((result.result == CUDA_SUCCESS) != (result.image != nullptr)) __builtin_trap();
  if (result.result == CUDA_ERROR_INVALID_PTX && result.log.empty()) __builtin_trap();
  // What is packed well comes out as it went in.
  const unsigned choice = data[0] % 8;
  if (choice == 1 || choice == 2 || choice == 5) {
    const driver::ImageText text = driver::find_text(bytes, device);
    const std::string_view whole = rest.substr(0, rest.find('\0'));
    if (text.result == CUDA_SUCCESS && !rest.empty() && text.text != whole) __builtin_trap();
  }
  // As a bare pointer it says itself how long it is: what was made here says so rightly.
  if (choice >= 1 && choice <= 5 &&
      driver::read_image(driver::find_text(made.c_str(), device), device).result != result.result)
    __builtin_trap();
  return 0;
}
