// SPDX-License-Identifier: MIT
// Recordings from strangers: whatever the bytes, reading ends, stays in bounds and yields well-formed events.
//
// The first byte chooses: the rest as a whole file, or as the contents of one chunk that is packed and
// checked correctly, so that the decoder behind zstd and checksum is reached, too.
#include <zstd.h>

#include <sstream>
#include <string>
#include <vector>

#include "recording_format.hpp"
#include "recording_reader.hpp"

namespace {

namespace format = trace::format;

std::string chunk(std::uint32_t kind, std::string_view plain) {
  std::vector<std::uint8_t> packed(ZSTD_compressBound(plain.size()));
  packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 1));
  std::uint8_t header[format::kChunkHeader];
  format::put32(header, format::kChunkMark);
  format::put32(header + 4, kind);
  format::put32(header + 8, static_cast<std::uint32_t>(packed.size()));
  format::put32(header + 12, static_cast<std::uint32_t>(plain.size()));
  format::put32(header + 16, format::check_of(std::span(header, 16), packed));
  return std::string(reinterpret_cast<char*>(header), sizeof header) +
         std::string(packed.begin(), packed.end());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::string file(rest);
  if (data[0] % 5 != 0) {
    file = std::string("DLABREC\n\1\0\0\0\0\0\0\0", 16) + chunk(data[0] % 5u, rest);
  }
  std::istringstream in(file);
  trace::Store store;
  trace::RunInfo info;
  trace::read_recording(in, store, info);
  for (std::size_t i = 0; i < store.size(); ++i) {
    if (store.at(i).seq != i) __builtin_trap();
  }
  return 0;
}
