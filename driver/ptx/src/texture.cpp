// SPDX-License-Identifier: MIT
// See ptx/texture.hpp: which texels a coordinate names, and what is made of them. Arrays of any shape are
// rows, rows of layers; a coordinate that a shape lacks is 0.
#include "ptx/texture.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include "formats.hpp"

namespace ptx {
namespace {

using u64 = std::uint64_t;
using i64 = std::int64_t;
using u32 = std::uint32_t;

// The formats of cuda.h.
enum ChannelFormat : u32 {
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
  std::array<double, 4> real =
      {};                        // as numbers, for filtering: of 8 and 16 bits in units of 1/65535 or 1/32767
  std::array<u32, 4> bits = {};  // as a kernel gets them
};
// One of those that a filter adds up, in 256ths.
struct Tap {
  const TextureLevel* level;
  std::array<std::int64_t, 3> place;
  i64 weight;
};

using TexelPlace = std::array<i64, 3>;

// Filtered values are rounded to nearest, ties away from zero; NaN has one form, and subnormal numbers are
// zero.
u32 bits_of(double value) {
  if (std::isnan(value)) return 0x7fffffff;
  if (std::abs(value) < 0x1p-126) return 0;
  if (std::isinf(value)) return std::bit_cast<u32>(static_cast<float>(value));
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::bit_cast<u32>(
      static_cast<float>(std::ldexp(std::round(std::ldexp(fraction, 24)), exponent - 24)));
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
    const i64 last = texture_.level_count - 1;
    const i64 lod = std::clamp(level(numbers + coordinates_of(in_.geometry)), i64{0}, last << 8);
    const bool between = texture_.linear_between_levels != 0;
    const i64 first = between ? lod >> 8 : (lod + 128) >> 8;
    const i64 fraction = between ? lod & 255 : 0;
    if (texture_.linear_filter == 0 && fraction == 0) return nearest(at, layer, first);
    std::vector<Tap> taps;
    add_taps(taps, at, first, 256 - fraction, false);
    if (fraction != 0) add_taps(taps, at, first + 1, fraction, true);
    return sum(taps, layer);
  }

  // One channel of the four texels that a linear filter would use, from the lower left one anticlockwise.
  std::array<u32, 4> gather(const u64* numbers) {
    std::array<double, 3> at = {};
    const i64 layer = position(numbers, at);
    const TexelPlace first = lower_corner(at, texture_.levels[0]);
    std::array<u32, 4> result = {};
    static constexpr i64 kSteps[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    for (std::size_t i = 0; i < 4; ++i) {
      const TexelPlace place = {(first[0] >> 8) + kSteps[i][0], (first[1] >> 8) + kSteps[i][1], 0};
      result.at(i) = texel(texture_.levels[0], place, layer).bits.at(in_.component);
    }
    return result;
  }

 private:
  static double real(u64 bits) {
    const double value = std::bit_cast<float>(static_cast<u32>(bits));
    return std::isnan(value) ? 0 : std::clamp(value, -1e9, 1e9);
  }

  // Measured: what is outside is zero, whatever the address mode, and so is all of an array of one dimension
  // (truth read_formats, read_2d).
  Texel by_integers(const u64* numbers) {
    const bool has_layer = in_.geometry == Geometry::Lines || in_.geometry == Geometry::Planes;
    if (dimensions_ == 1 && texture_.linear_memory == 0) return {};
    const i64 layer = has_layer ? static_cast<u32>(numbers[0]) : 0;
    const u64 lod = in_.sampling == Sampling::Level ? numbers[coordinates_of(in_.geometry)] : 0;
    if (static_cast<u32>(lod) >= texture_.level_count) return {};
    const TextureLevel& level = texture_.levels.at(static_cast<u32>(lod));
    TexelPlace place = {};
    for (std::size_t i = 0; i < dimensions_; ++i) {
      place.at(i) = static_cast<std::int32_t>(numbers[i + (has_layer ? 1 : 0)]);
      if (place.at(i) < 0 || place.at(i) >= extent_of(level, i)) return {};
    }
    return texel(level, place, layer);
  }

  // The coordinates of the axes, and the layer.
  i64 position(const u64* numbers, std::array<double, 3>& at) const {
    if (in_.geometry == Geometry::Cube) return face(numbers, at);
    if (in_.geometry == Geometry::Cubes)
      return 6 * std::min(i64{static_cast<u32>(numbers[0])}, i64{texture_.levels[0].depth} / 6 - 1) +
             face(numbers + 1, at);
    const std::size_t first = layered_ ? 1 : 0;
    for (std::size_t i = 0; i < dimensions_; ++i) at.at(i) = real(numbers[first + i]);
    return layered_ ? static_cast<u32>(numbers[0]) : 0;
  }

  // The face of a cube to which a direction points, and where on it, from 0 to 1.
  static i64 face(const u64* numbers, std::array<double, 3>& at) {
    const double x = real(numbers[0]), y = real(numbers[1]), z = real(numbers[2]);
    const double ax = std::abs(x), ay = std::abs(y), az = std::abs(z);
    double s = 0, t = 0, major = 1;
    i64 result = 0;
    if (ax > ay && ax > az) {
      result = x < 0 ? 1 : 0;
      major = ax;
      s = x < 0 ? z : -z;
      t = -y;
    } else if (ay > az) {
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

  // In 256ths, from what follows the coordinates. Measured: the bias is added to what is cut off, and to no
  // level that the instruction does not name (truth read_levels).
  i64 level(const u64* numbers) const {
    const auto limited = [&](i64 lod) {
      return std::max(in_256ths(texture_.least_level), std::min(in_256ths(texture_.most_level), lod));
    };
    if (in_.sampling == Sampling::Base) return limited(0);
    double lod = real(numbers[0]);
    if (in_.sampling == Sampling::Gradient) {
      const unsigned each = gradient_of(in_.geometry);
      double longest = 0;
      for (unsigned by = 0; by < 2; ++by) {
        double squares = 0;
        for (unsigned i = 0; i < std::min(each, 3U); ++i) {
          const double step =
              real(numbers[by * each + i]) * static_cast<double>(extent_of(texture_.levels[0], i));
          squares += step * step;
        }
        longest = std::max(longest, std::sqrt(squares));
      }
      lod = longest > 0 ? std::log2(longest) : -1000;
    }
    return limited(in_256ths(lod) + in_256ths(texture_.bias));
  }
  static i64 in_256ths(double value) {
    return std::isnan(value) ? 0 : static_cast<i64>(std::clamp(value, -1000.0, 1000.0) * 256);
  }

  bool cube() const { return in_.geometry == Geometry::Cube || in_.geometry == Geometry::Cubes; }
  bool normalizes() const { return cube() || (texture_.flags & Texture::kNormalized) != 0; }
  static i64 extent_of(const TextureLevel& level, std::size_t axis) {
    return axis == 0 ? level.width : axis == 1 ? level.height : level.depth;
  }

  // In texels, as a number with eight bits behind the point.
  i64 fixed(double at, i64 extent) const {
    const double texels = normalizes() ? at * static_cast<double>(extent) : at;
    return static_cast<i64>(std::floor(std::clamp(texels, -1e12, 1e12) * 256 + 0.5));
  }

  TexelPlace lower_corner(const std::array<double, 3>& at, const TextureLevel& level) const {
    TexelPlace result = {};
    for (std::size_t i = 0; i < dimensions_; ++i) result.at(i) = fixed(at.at(i), extent_of(level, i)) - 128;
    // A line is read as the middle between a row outside and its only row: where the border is, it counts.
    if (in_.geometry == Geometry::Line) result[1] = -128;
    return result;
  }

  Texel nearest(const std::array<double, 3>& at, i64 layer, i64 number) {
    return texel(texture_.levels.at(static_cast<std::size_t>(number)), whole_place(at, number), layer);
  }
  TexelPlace whole_place(const std::array<double, 3>& at, i64 number) const {
    const TextureLevel& level = texture_.levels.at(static_cast<std::size_t>(number));
    TexelPlace place = {};
    for (std::size_t i = 0; i < dimensions_; ++i) {
      const double texels = normalizes() ? at.at(i) * static_cast<double>(extent_of(level, i)) : at.at(i);
      place.at(i) = static_cast<i64>(std::floor(texels));
    }
    return place;
  }

  // Weights have eight bits, and so has each product of them: the weight of the last corner is rounded, and
  // the others are what it leaves. Measured: truth weights, read_2d, read_3d.
  void add_taps(std::vector<Tap>& taps, const std::array<double, 3>& at, i64 number, i64 all,
                bool coarse) const {
    const TextureLevel& level = texture_.levels.at(static_cast<std::size_t>(number));
    if (texture_.linear_filter == 0) return taps.push_back({&level, whole_place(at, number), all});
    const auto product = [](i64 a, i64 b) { return (a * b + 128) >> 8; };
    const TexelPlace corner = lower_corner(at, level);
    const i64 a = corner[0] & 255, b = corner[1] & 255;
    const auto shares = [&](i64 of) {
      const i64 both = product(product(a, b), of), x = product(a, of), y = product(b, of);
      return std::array<i64, 4>{of - x - y + both, x - both, y - both, both};
    };
    const std::array<i64, 4> whole = shares(256), other = shares(256 - all), own = shares(all),
                             slice = shares(corner[2] & 255);
    for (unsigned i = 0; i < 4; ++i) {
      TexelPlace place = {(corner[0] >> 8) + (i & 1), (corner[1] >> 8) + (i >> 1), corner[2] >> 8};
      if (dimensions_ != 3) {
        taps.push_back({&level, place, coarse ? own.at(i) : whole.at(i) - other.at(i)});
        continue;
      }
      taps.push_back({&level, place, product(whole.at(i) - slice.at(i), all)});
      place[2] += 1;
      taps.push_back({&level, place, product(slice.at(i), all)});
    }
  }

  Texel sum(const std::vector<Tap>& taps, i64 layer) {
    Texel result;
    for (const Tap& tap : taps) {
      if (tap.weight == 0) continue;
      const Texel one = texel(*tap.level, tap.place, layer);
      for (std::size_t i = 0; i < 4; ++i)
        result.real.at(i) += static_cast<double>(tap.weight) / 256 * one.real.at(i);
    }
    return finished(result);
  }

  // Of 8 and 16 bits in whole units, of halves as a half.
  Texel finished(Texel texel) const {
    for (std::size_t i = 0; i < 4; ++i) {
      double& value = texel.real.at(i);
      if (unit() != 1) {
        value = std::floor(value + 0.5) / unit();
      } else if (texture_.format == Half && value != 0 && std::isfinite(value)) {
        int exponent = 0;
        const double fraction = std::frexp(value, &exponent);
        const int digits = std::min(11, exponent + 24);
        value = std::ldexp(std::round(std::ldexp(fraction, digits)), exponent - digits);
      }
      texel.bits.at(i) = bits_of(value);
    }
    return texel;
  }
  // How many units a normalized 1 is; 1 for what is no normalized integer.
  double unit() const {
    const u32 format = texture_.format;
    if (!is_real() || format == Float || format == Half || (texture_.flags & Texture::kSrgb) != 0) return 1;
    return is_signed() ? 32767 : 65535;
  }
  bool is_signed() const {
    const u32 format = texture_.format;
    return format == S8 || format == S16 || format == S32 || format >= Snorm8;
  }

  // The index on an axis as its address mode says; nothing where the border is.
  std::optional<i64> addressed(i64 index, i64 extent, std::size_t axis) const {
    if (index >= 0 && index < extent) return index;
    const u32 mode = texture_.address_mode.at(axis);
    if (mode == Texture::kBorder && !cube()) return std::nullopt;
    if (normalizes() && !cube() && mode == Texture::kWrap) return ((index % extent) + extent) % extent;
    if (normalizes() && !cube() && mode == Texture::kMirror) {
      const i64 in_two = ((index % (2 * extent)) + 2 * extent) % (2 * extent);
      return in_two < extent ? in_two : 2 * extent - 1 - in_two;
    }
    return std::clamp(index, i64{0}, extent - 1);
  }

  Texel border() const {
    Texel result;
    for (std::size_t i = 0; i < 4; ++i) {
      result.real.at(i) = texture_.border_color.at(i) * unit();
      result.bits.at(i) = std::bit_cast<u32>(texture_.border_color.at(i));
    }
    return result;
  }

  Texel texel(const TextureLevel& level, TexelPlace place, i64 layer) {
    if (texture_.linear_memory != 0 && (place[0] < 0 || place[0] >= level.width)) return {};
    for (std::size_t i = 0; i < std::max(dimensions_, std::size_t{2}); ++i) {
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
    return result;
  }

  bool is_real() const {
    const u32 format = texture_.format;
    return format == Float || format == Half || format >= Unorm8 ||
           (bytes_ < 4 && (texture_.flags & Texture::kAsInteger) == 0);
  }

  void channel(const std::byte* bytes, u32 number, Texel& to) const {
    u64 raw = 0;
    std::memcpy(&raw, bytes, bytes_);
    const u32 format = texture_.format;
    if (!is_real()) {
      const int shift = 64 - 8 * static_cast<int>(bytes_);
      const i64 whole = is_signed() ? static_cast<i64>(raw << shift) >> shift : static_cast<i64>(raw);
      to.bits.at(number) = static_cast<u32>(whole);
      return;
    }
    double value = 0;
    if (format == Float)
      value = std::bit_cast<float>(static_cast<u32>(raw));
    else if (format == Half)
      value = decode(Type::F16, raw);
    else
      value = normalized(raw, bytes_, is_signed());
    if ((texture_.flags & Texture::kSrgb) != 0 && bytes_ == 1 && number < 3) value = linear_of_srgb(value);
    to.real.at(number) = value * unit();
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
  TexelPlace place = {coordinate(0) * (in.formatted ? static_cast<i64>(element) : 1), 0, 0};
  if (in.geometry != Geometry::Line && in.geometry != Geometry::Lines) place[1] = coordinate(1);
  if (in.geometry == Geometry::Volume) place[2] = coordinate(2);
  if (layered) place[2] = static_cast<std::int32_t>(numbers[0]);
  const i64 row = static_cast<i64>(level.width * element);
  const std::array<i64, 3> most = {row - static_cast<i64>(size), i64{level.height} - 1, i64{level.depth} - 1};
  for (std::size_t i = 0; i < 3; ++i) {
    if (place.at(i) >= 0 && place.at(i) <= most.at(i)) continue;
    if (in.outside == Outside::Trap) throw Fault::Kind::IllegalAddress;  // measured: 700
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
    case Half: {
      const float number = std::bit_cast<float>(static_cast<u32>(value));
      if (std::isnan(number)) return ((value >> 16) & 0x8000) | 0x7fff;
      return encode(Type::F16, number, Rounding::Zero);
    }
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

u64 answer_of(const Texture& texture, Query query, u64 number) {
  if (number >= texture.level_count) return 0;
  const TextureLevel& level = texture.levels.at(number);
  switch (query) {
    case Query::Width:
      return level.width;
    case Query::Height:
      return texture.linear_memory != 0 ? 0 : level.height;
    case Query::Depth:
      break;
  }
  return texture.has_depth != 0 ? level.depth : 0;
}

void access(const Instruction& in, unsigned lanes, u64 object, const u64* numbers, u64* values,
            Memory& memory) {
  Texture texture;
  if (object % alignof(Texture) != 0) throw Fault::Kind::IllegalAddress;
  const std::byte* const record = memory.at(object, sizeof texture);
  if (record == nullptr) throw Fault::Kind::IllegalAddress;
  const bool of_surface = in.opcode == Opcode::Suld || in.opcode == Opcode::Sust || in.opcode == Opcode::Suq;
  std::memcpy(&texture, record, sizeof texture);
  if (texture.self != (object ^ Texture::kMark) || (texture.surface != 0) != of_surface)
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
      values[0] =
          answer_of(texture, in.query, in.sampling == Sampling::Level ? static_cast<u32>(numbers[0]) : 0);
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
