// SPDX-License-Identifier: MIT
// What a texture or surface object is to kernels: a record in device memory, whose address is the object's
// handle. The driver writes it; the interpreter and compiled kernels read texels with it.
//
// Numbers (formats, modes, flags) are those of cuda.h, which this library does not see.
#pragma once
#include <array>
#include <cstdint>

#include "ptx/interpret.hpp"
#include "ptx/module.hpp"

namespace ptx {

struct TextureLevel {
  std::uint64_t address = 0;
  std::uint64_t row = 0;    // bytes from a row to the next
  std::uint64_t slice = 0;  // bytes from a layer to the next
  std::uint32_t width = 1, height = 1, depth = 1;
  std::uint32_t padding = 0;
};

struct Texture {
  static constexpr std::uint64_t kMark = 0x7465787475726573;
  static constexpr std::uint32_t kMostLevels = 18;
  static constexpr std::uint32_t kWrap = 0, kClamp = 1, kMirror = 2, kBorder = 3;      // address modes
  static constexpr std::uint32_t kAsInteger = 0x01, kNormalized = 0x02, kSrgb = 0x10;  // flags

  std::uint64_t self = 0;  // its own address and the mark
  std::uint32_t surface = 0;
  std::uint32_t linear_memory = 0;  // of addresses instead of an array: nothing outside is read
  std::uint32_t has_depth = 0;      // of layers, too
  std::uint32_t format = 0;
  std::uint32_t channels = 1;
  std::uint32_t flags = 0;
  std::array<std::uint32_t, 3> address_mode = {};
  std::uint32_t linear_filter = 0;
  std::uint32_t linear_between_levels = 0;
  float bias = 0, least_level = 0, most_level = 0;
  std::array<float, 4> border_color = {};
  std::uint32_t level_count = 1;
  std::array<TextureLevel, kMostLevels> levels = {};
};

// How many coordinates an instruction has, the layer included: what is written behind them is not read.
unsigned coordinates_of(Geometry geometry);
// And how many of each gradient.
unsigned gradient_of(Geometry geometry);
// What tex, tld4, txq, suld, sust and suq do. `numbers`: the coordinates, then the level or the gradients.
// `values`: four of a texture; `lanes` of a surface, which sust reads.
Fault::Kind access_texture(const Instruction& in, unsigned lanes, std::uint64_t object,
                           const std::uint64_t* numbers, std::uint64_t* values, Memory& memory);

}  // namespace ptx
