// SPDX-License-Identifier: MIT
// A linked image: an ELF file with PTX text in it, in place of the machine code that a cubin has. The
// driver's linker makes it, and NVRTC for a real architecture.
//
// Its machine is 190, as of cubins, and it has no sections: the header (64 bytes), whose identification ends
// with "DLab", then the number of bytes of the text (8, little endian), the text and a zero. Bytes 48 to 51
// of the header say for which architecture it is, as in a cubin of CUDA 13 (truth cubin_of_linker, step 8).
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace ptx {

inline constexpr std::size_t kElfHeader = 64;
inline constexpr std::uint16_t kCudaMachine = 190;
inline constexpr std::size_t kLinkedMark = 12;  // where "DLab" stands

// `architecture` is 89 for 8.9.
inline std::string make_linked_image(std::string_view text, int architecture) {
  std::string image(kElfHeader, '\0');
  const auto put = [&image](std::size_t at, auto value) {
    std::memcpy(image.data() + at, &value, sizeof value);
  };
  const unsigned char identification[16] = {0x7f, 'E', 'L', 'F', 2,   1,   1,   0x41,
                                            8,    0,   0,   0,   'D', 'L', 'a', 'b'};
  std::memcpy(image.data(), identification, sizeof identification);
  put(16, std::uint16_t{2});
  put(18, kCudaMachine);
  put(20, std::uint32_t{1});
  put(48, 0x06000004U | static_cast<std::uint32_t>(architecture) << 8U);
  put(52, static_cast<std::uint16_t>(kElfHeader));
  const std::uint64_t size = text.size();
  image.append(reinterpret_cast<const char*>(&size), sizeof size);
  image += text;
  image += '\0';
  return image;
}

}  // namespace ptx
