// SPDX-License-Identifier: MIT
// See ptx/texture.hpp: which texels a coordinate names, and what is made of them. Arrays of any shape are
// rows, rows of layers; a coordinate that a shape lacks is 0.
#include "ptx/texture.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "formats.hpp"

namespace ptx {
namespace {

using u64 = std::uint64_t;
using i64 = std::int64_t;
using u32 = std::uint32_t;

// The formats of cuda.h.
enum Format : u32 {
  U8 = 1,
  U16 = 2,
  U32 = 3,
  S8 = 8,
  S16 = 9,
  S32 = 10,
  Half = 16,
  Float = 32,
  Unorm8 = 192,
  Unorm8x4 = 194,
  Unorm16 = 195,
  Unorm16x4 = 197,
  Snorm8 = 198,
  Snorm8x4 = 200,
  Snorm16 = 201,
  Snorm16x4 = 203
};

unsigned channel_bytes(u32 format) {
  switch (format) {
    case U8:
    case S8:
      return 1;
    case U32:
    case S32:
    case Float:
      return 4;
    default:
      return (format >= Unorm8 && format <= Unorm8x4) || (format >= Snorm8 && format <= Snorm8x4) ? 1 : 2;
  }
}

struct Texel {
  std::array<double, 4> real = {};  // as numbers, for filtering
  std::array<u32, 4> bits = {};     // as a kernel gets them
};

using Place = std::array<i64, 3>;

u32 bits_of(double value) {
  return std::bit_cast<u32>(static_cast<float>(value));
}

// -128 and -127 both are -1.
double normalized(u64 raw, unsigned bytes, bool is_signed) {
  if (!is_signed) return static_cast<double>(raw) / static_cast<double>((u64{1} << (8 * bytes)) - 1);
  const double number = bytes == 1 ? static_cast<std::int8_t>(raw) : static_cast<std::int16_t>(raw);
  return std::max(-1.0, number / static_cast<double>((u64{1} << (8 * bytes - 1)) - 1));
}

double linear_of_srgb(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

class Sampler {
 public:
  Sampler(const Texture& texture, const Instruction& in, Memory& memory)
      : texture_(texture), in_(in), memory_(memory), bytes_(channel_bytes(texture.format)) {
    const bool layers = in.geometry == Geometry::Lines || in.geometry == Geometry::Planes;
    dimensions_ = in.geometry == Geometry::Line || in.geometry == Geometry::Lines ? 1
                  : in.geometry == Geometry::Volume                               ? 3
                                                                                  : 2;
    layered_ = layers || in.geometry == Geometry::Cube || in.geometry == Geometry::Cubes;
  }

  Texel sample(const u64* numbers) {
    if (in_.types[1] == Type::S32) return by_integers(numbers);
    std::array<double, 3> at = {};
    const i64 layer = position(numbers, at);
    const double lod = level(numbers + coordinates_of(in_.geometry));
    const i64 last = texture_.level_count - 1;
    if (texture_.linear_between_levels == 0)
      return filtered(at, layer, std::clamp(static_cast<i64>(std::ceil(lod - 0.5)), i64{0}, last));
    const i64 fixed = static_cast<i64>(std::floor(std::clamp(lod, 0.0, static_cast<double>(last)) * 256));
    const Texel fine = filtered(at, layer, fixed >> 8);
    if ((fixed & 255) == 0) return fine;
    const Texel coarse = filtered(at, layer, std::min((fixed >> 8) + 1, last));
    Texel result;
    const double weight = static_cast<double>(fixed & 255) / 256;
    for (std::size_t i = 0; i < 4; ++i)
      result.real[i] = (1 - weight) * fine.real[i] + weight * coarse.real[i];
    return finished(result);
  }

  // One channel of the four texels that a linear filter would use, from the lower left one anticlockwise.
  std::array<u32, 4> gather(const u64* numbers) {
    std::array<double, 3> at = {};
    const i64 layer = position(numbers, at);
    const Place first = lower_corner(at, texture_.levels[0]);
    std::array<u32, 4> result = {};
    static constexpr i64 steps[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    for (std::size_t i = 0; i < 4; ++i) {
      const Place place = {(first[0] >> 8) + steps[i][0], (first[1] >> 8) + steps[i][1], 0};
      result.at(i) = texel(texture_.levels[0], place, layer).bits.at(in_.component);
    }
    return result;
  }

 private:
  static double real(u64 bits) {
    const double value = std::bit_cast<float>(static_cast<u32>(bits));
    return std::isnan(value) ? 0 : std::clamp(value, -1e9, 1e9);
  }

  Texel by_integers(const u64* numbers) {
    const bool has_layer = in_.geometry == Geometry::Lines || in_.geometry == Geometry::Planes;
    const i64 layer = has_layer ? static_cast<std::int32_t>(numbers[0]) : 0;
    Place place = {};
    for (std::size_t i = 0; i < dimensions_; ++i)
      place.at(i) = static_cast<std::int32_t>(numbers[i + (has_layer ? 1 : 0)]);
    const u64 lod = in_.sampling == Sampling::Level ? numbers[coordinates_of(in_.geometry)] : 0;
    const auto last = static_cast<i64>(texture_.level_count) - 1;
    return texel(texture_.levels.at(
                     static_cast<std::size_t>(std::clamp(i64{static_cast<std::int32_t>(lod)}, i64{0}, last))),
                 place, layer);
  }

  // The coordinates of the axes, and the layer.
  i64 position(const u64* numbers, std::array<double, 3>& at) const {
    if (in_.geometry == Geometry::Cube) return face(numbers, at);
    if (in_.geometry == Geometry::Cubes)
      return 6 * i64{static_cast<std::int32_t>(numbers[0])} + face(numbers + 1, at);
    const std::size_t first = layered_ ? 1 : 0;
    for (std::size_t i = 0; i < dimensions_; ++i) at.at(i) = real(numbers[first + i]);
    return layered_ ? static_cast<std::int32_t>(numbers[0]) : 0;
  }

  // The face of a cube to which a direction points, and where on it, from 0 to 1.
  static i64 face(const u64* numbers, std::array<double, 3>& at) {
    const double x = real(numbers[0]), y = real(numbers[1]), z = real(numbers[2]);
    const double ax = std::abs(x), ay = std::abs(y), az = std::abs(z);
    double s = 0, t = 0, major = 1;
    i64 result = 0;
    if (ax >= ay && ax >= az) {
      result = x < 0 ? 1 : 0;
      major = ax;
      s = x < 0 ? z : -z;
      t = -y;
    } else if (ay >= az) {
      result = y < 0 ? 3 : 2;
      major = ay;
      s = x;
      t = y < 0 ? -z : z;
    } else {
      result = z < 0 ? 5 : 4;
      major = az;
      s = z < 0 ? -x : x;
      t = -y;
    }
    if (major == 0) major = 1;
    at = {(s / major + 1) / 2, (t / major + 1) / 2, 0};
    return result;
  }

  // From what follows the coordinates.
  double level(const u64* numbers) const {
    double lod = 0;
    if (in_.sampling == Sampling::Level) lod = real(numbers[0]);
    if (in_.sampling == Sampling::Gradient) {
      const unsigned each = gradient_of(in_.geometry);
      const TextureLevel& size = texture_.levels[0];
      const std::array<double, 3> extent = {double(size.width), double(size.height), double(size.depth)};
      double longest = 0;
      for (unsigned by = 0; by < 2; ++by) {
        double squares = 0;
        for (unsigned i = 0; i < std::min(each, 3U); ++i) {
          const double step = real(numbers[by * each + i]) * extent.at(i);
          squares += step * step;
        }
        longest = std::max(longest, std::sqrt(squares));
      }
      lod = longest > 0 ? std::log2(longest) : -1e9;
    }
    lod += texture_.bias;
    return std::max<double>(texture_.least_level, std::min<double>(texture_.most_level, lod));
  }

  bool cube() const { return in_.geometry == Geometry::Cube || in_.geometry == Geometry::Cubes; }
  bool normalizes() const { return cube() || (texture_.flags & Texture::normalized) != 0; }
  static i64 extent_of(const TextureLevel& level, std::size_t axis) {
    return axis == 0 ? level.width : axis == 1 ? level.height : level.depth;
  }

  // In texels, as a number with eight bits behind the point.
  i64 fixed(double at, i64 extent) const {
    const double texels = normalizes() ? at * static_cast<double>(extent) : at;
    return static_cast<i64>(std::floor(std::clamp(texels, -1e12, 1e12) * 256 + 0.5));
  }

  Place lower_corner(const std::array<double, 3>& at, const TextureLevel& level) const {
    Place result = {};
    for (std::size_t i = 0; i < dimensions_; ++i) result.at(i) = fixed(at.at(i), extent_of(level, i)) - 128;
    return result;
  }

  Texel filtered(const std::array<double, 3>& at, i64 layer, i64 number) {
    const TextureLevel& level = texture_.levels.at(static_cast<std::size_t>(number));
    if (texture_.linear_filter == 0) {
      Place place = {};
      for (std::size_t i = 0; i < dimensions_; ++i) {
        const double texels = normalizes() ? at.at(i) * static_cast<double>(extent_of(level, i)) : at.at(i);
        place.at(i) = static_cast<i64>(std::floor(texels));
      }
      return texel(level, place, layer);
    }
    const Place corner = lower_corner(at, level);
    Texel result;
    for (unsigned part = 0; part < 1U << dimensions_; ++part) {
      Place place = {};
      double weight = 1;
      for (std::size_t i = 0; i < dimensions_; ++i) {
        const bool upper = (part >> i & 1) != 0;
        const double fraction = static_cast<double>(corner.at(i) & 255) / 256;
        weight *= upper ? fraction : 1 - fraction;
        place.at(i) = (corner.at(i) >> 8) + (upper ? 1 : 0);
      }
      if (weight == 0) continue;
      const Texel one = texel(level, place, layer);
      for (std::size_t i = 0; i < 4; ++i) result.real.at(i) += weight * one.real.at(i);
    }
    return finished(result);
  }

  static Texel finished(Texel texel) {
    for (std::size_t i = 0; i < 4; ++i) texel.bits.at(i) = bits_of(texel.real.at(i));
    return texel;
  }

  // The index on an axis as its address mode says; nothing where the border is.
  std::optional<i64> addressed(i64 index, i64 extent, std::size_t axis) const {
    if (index >= 0 && index < extent) return index;
    const u32 mode = texture_.address_mode.at(axis);
    if (mode == Texture::border && !cube()) return std::nullopt;
    if (normalizes() && !cube() && mode == Texture::wrap) return ((index % extent) + extent) % extent;
    if (normalizes() && !cube() && mode == Texture::mirror) {
      const i64 in_two = ((index % (2 * extent)) + 2 * extent) % (2 * extent);
      return in_two < extent ? in_two : 2 * extent - 1 - in_two;
    }
    return std::clamp(index, i64{0}, extent - 1);
  }

  Texel border() const {
    Texel result;
    for (std::size_t i = 0; i < 4; ++i) result.real.at(i) = texture_.border_color.at(i);
    return finished(result);
  }

  Texel texel(const TextureLevel& level, Place place, i64 layer) {
    if (texture_.linear_memory != 0 && (place[0] < 0 || place[0] >= level.width)) return {};
    for (std::size_t i = 0; i < dimensions_; ++i) {
      const auto index = addressed(place.at(i), extent_of(level, i), i);
      if (!index) return border();
      place.at(i) = *index;
    }
    if (layered_) place[2] = std::clamp(layer, i64{0}, i64{level.depth} - 1);
    const u64 size = u64{bytes_} * texture_.channels;
    const u64 address = level.address + static_cast<u64>(place[0]) * size +
                        static_cast<u64>(place[1]) * level.row + static_cast<u64>(place[2]) * level.slice;
    const std::byte* const bytes = memory_.at(address, size);
    if (bytes == nullptr) throw Fault::Kind::IllegalAddress;
    Texel result;
    for (u32 i = 0; i < texture_.channels; ++i) channel(bytes + std::size_t{i} * bytes_, i, result);
    if (texture_.channels < 4) {
      const bool numbers = is_real();
      result.real[3] = 1;
      result.bits[3] = numbers ? bits_of(1) : 1;
    }
    return result;
  }

  bool is_real() const {
    const u32 format = texture_.format;
    return format == Float || format == Half || format >= Unorm8 ||
           (bytes_ < 4 && (texture_.flags & Texture::as_integer) == 0);
  }

  void channel(const std::byte* bytes, u32 number, Texel& to) const {
    u64 raw = 0;
    std::memcpy(&raw, bytes, bytes_);
    const u32 format = texture_.format;
    const bool is_signed = format == S8 || format == S16 || format == S32 || format >= Snorm8;
    if (!is_real()) {
      const int shift = 64 - 8 * static_cast<int>(bytes_);
      const i64 whole = is_signed ? static_cast<i64>(raw << shift) >> shift : static_cast<i64>(raw);
      to.bits.at(number) = static_cast<u32>(whole);
      return;
    }
    double value = 0;
    if (format == Float)
      value = std::bit_cast<float>(static_cast<u32>(raw));
    else if (format == Half)
      value = decode(Type::F16, raw);
    else
      value = normalized(raw, bytes_, is_signed);
    if ((texture_.flags & Texture::srgb) != 0 && bytes_ == 1 && number < 3) value = linear_of_srgb(value);
    to.real.at(number) = value;
    to.bits.at(number) = format == Float ? static_cast<u32>(raw) : bits_of(value);
  }

  const Texture& texture_;
  const Instruction& in_;
  Memory& memory_;
  unsigned bytes_;
  std::size_t dimensions_ = 1;
  bool layered_ = false;
};

// ---- Surfaces --------------------------------------------------------------------------------------------

// The bytes of an access; nothing where it is dropped.
std::byte* surface_bytes(const Texture& surface, const Instruction& in, const u64* numbers, u64 size,
                         Memory& memory) {
  const TextureLevel& level = surface.levels[0];
  const u64 element = u64{channel_bytes(surface.format)} * surface.channels;
  const bool layered = in.geometry == Geometry::Lines || in.geometry == Geometry::Planes;
  const auto coordinate = [&](std::size_t i) {
    return i64{static_cast<std::int32_t>(numbers[i + (layered ? 1 : 0)])};
  };
  Place place = {coordinate(0) * (in.formatted ? static_cast<i64>(element) : 1), 0, 0};
  if (in.geometry != Geometry::Line && in.geometry != Geometry::Lines) place[1] = coordinate(1);
  if (in.geometry == Geometry::Volume) place[2] = coordinate(2);
  if (layered) place[2] = static_cast<std::int32_t>(numbers[0]);
  const i64 row = static_cast<i64>(level.width * element);
  const std::array<i64, 3> most = {row - static_cast<i64>(size), i64{level.height} - 1, i64{level.depth} - 1};
  for (std::size_t i = 0; i < 3; ++i) {
    if (place.at(i) >= 0 && place.at(i) <= most.at(i)) continue;
    if (in.outside == Outside::Trap) throw Fault::Kind::Trap;
    if (in.outside == Outside::Zero) return nullptr;
    place.at(i) = std::clamp(place.at(i), i64{0}, std::max(i64{0}, most.at(i)));
  }
  if (static_cast<u64>(place[0]) % size != 0) throw Fault::Kind::MisalignedAddress;
  std::byte* const bytes =
      memory.at(level.address + static_cast<u64>(place[0]) + static_cast<u64>(place[1]) * level.row +
                    static_cast<u64>(place[2]) * level.slice,
                size);
  if (bytes == nullptr) throw Fault::Kind::IllegalAddress;
  return bytes;
}

// sust.p: a value as the surface's format has it, limited to what it can hold.
u64 formatted(const Texture& surface, u64 value) {
  const auto whole = static_cast<i64>(static_cast<std::int32_t>(value));
  switch (surface.format) {
    case U8:
      return std::min<u64>(value & 0xffffffff, 0xff);
    case U16:
      return std::min<u64>(value & 0xffffffff, 0xffff);
    case S8:
      return static_cast<u64>(std::clamp<i64>(whole, -128, 127));
    case S16:
      return static_cast<u64>(std::clamp<i64>(whole, -32768, 32767));
    case Half:
      return encode(Type::F16, std::bit_cast<float>(static_cast<u32>(value)), Rounding::Nearest);
    default:
      return value;
  }
}

void access_surface(const Texture& surface, const Instruction& in, unsigned lanes, const u64* numbers,
                    u64* values, Memory& memory) {
  const bool stores = in.opcode == Opcode::Sust;
  const unsigned each = in.formatted ? channel_bytes(surface.format) : size_of(in.types[0]);
  const unsigned count = in.formatted ? surface.channels : lanes;
  std::byte* const bytes = surface_bytes(surface, in, numbers, u64{each} * count, memory);
  for (unsigned i = 0; i < count; ++i) {
    if (!stores) values[i] = 0;
    if (bytes == nullptr) continue;
    const u64 value = stores && in.formatted ? formatted(surface, i < lanes ? values[i] : 0) : values[i];
    if (stores)
      std::memcpy(bytes + std::size_t{i} * each, &value, each);
    else
      std::memcpy(&values[i], bytes + std::size_t{i} * each, each);
  }
}

u64 answer_of(const Texture& texture, Query query) {
  const TextureLevel& level = texture.levels[0];
  switch (query) {
    case Query::Width:
      return level.width;
    case Query::Height:
      return level.height;
    case Query::Levels:
      return texture.level_count;
    default:
      return level.depth;
  }
}

void access(const Instruction& in, unsigned lanes, u64 object, const u64* numbers, u64* values,
            Memory& memory) {
  Texture texture;
  if (object % alignof(Texture) != 0) throw Fault::Kind::IllegalAddress;
  const std::byte* const record = memory.at(object, sizeof texture);
  if (record == nullptr) throw Fault::Kind::IllegalAddress;
  const bool of_surface = in.opcode == Opcode::Suld || in.opcode == Opcode::Sust || in.opcode == Opcode::Suq;
  std::memcpy(&texture, record, sizeof texture);
  if (texture.self != (object ^ Texture::mark) || (texture.surface != 0) != of_surface)
    throw Fault::Kind::IllegalAddress;
  switch (in.opcode) {
    case Opcode::Tex: {
      const Texel result = Sampler(texture, in, memory).sample(numbers);
      std::copy(result.bits.begin(), result.bits.end(), values);
      return;
    }
    case Opcode::Tld4: {
      const std::array<u32, 4> result = Sampler(texture, in, memory).gather(numbers);
      std::copy(result.begin(), result.end(), values);
      return;
    }
    case Opcode::Suld:
    case Opcode::Sust:
      return access_surface(texture, in, lanes, numbers, values, memory);
    default:
      values[0] = answer_of(texture, in.query);
  }
}

}  // namespace

unsigned coordinates_of(Geometry geometry) {
  switch (geometry) {
    case Geometry::Line:
      return 1;
    case Geometry::Plane:
    case Geometry::Lines:
      return 2;
    case Geometry::Volume:
    case Geometry::Planes:
    case Geometry::Cube:
      return 3;
    case Geometry::Cubes:
      break;
  }
  return 4;
}

unsigned gradient_of(Geometry geometry) {
  switch (geometry) {
    case Geometry::Line:
    case Geometry::Lines:
      return 1;
    case Geometry::Plane:
    case Geometry::Planes:
      return 2;
    default:
      return 3;
  }
}

Fault::Kind access_texture(const Instruction& in, unsigned lanes, u64 object, const u64* numbers, u64* values,
                           Memory& memory) {
  try {
    access(in, lanes, object, numbers, values, memory);
  } catch (Fault::Kind kind) {
    return kind;
  }
  return Fault::Kind::None;
}

}  // namespace ptx
