// SPDX-License-Identifier: MIT
// Constants of the recording file: versions, kinds of chunks, limits, the check sum. Shared by its writer and
// its reader; trace/FORMAT.md explains them.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace trace::format {

inline constexpr std::string_view kMagic = "DLABREC\n";
inline constexpr std::uint16_t kMajor = 4;  // raised when old readers would misread
inline constexpr std::uint16_t kMinor = 3;  // raised when something was added that old readers may skip
inline constexpr std::size_t kFileHeader = 16;

// Events: one after another, as up to version 3; Columns: field by field.
// WorkTimes: when work in streams ran, since 4.3.
enum class ChunkKind : std::uint32_t { Info = 1, Events = 2, End = 3, Columns = 4, WorkTimes = 5 };
inline constexpr std::uint32_t kChunkMark = 0x4b4e4843;  // "CHNK"
inline constexpr std::size_t kChunkHeader = 20;          // mark, kind, packed bytes, plain bytes, check

inline constexpr std::uint64_t kMostPlainBytes = 64u << 20;  // of one chunk; for the rest: RecordingLimits

// A chunk is written when it has this much: the first one soon, so that of a short run that finds no more
// room a part stays, and each twice as much as the one before.
inline constexpr std::size_t kFirstFlushBytes = 4 << 10;
inline constexpr std::size_t kFlushBytes = 256 << 10;

inline void put32(std::uint8_t* at, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) at[i] = static_cast<std::uint8_t>(value >> (8 * i));
}
inline std::uint32_t get32(const std::uint8_t* at) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value |= std::uint32_t{at[i]} << (8 * i);
  return value;
}

// FNV-1a over the chunk header before the check, then the packed bytes.
inline std::uint32_t check_of(std::span<const std::uint8_t> header, std::span<const std::uint8_t> packed) {
  std::uint32_t hash = 2166136261u;
  for (const auto part : {header, packed}) {
    for (const std::uint8_t byte : part) hash = (hash ^ byte) * 16777619u;
  }
  return hash;
}

}  // namespace trace::format
