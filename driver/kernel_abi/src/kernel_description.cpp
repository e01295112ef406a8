// SPDX-License-Identifier: MIT
// KernelDescription (kernel_abi.hpp) as a row of words and back. The words may come from a file on
// disk, so every count is checked against what is there.
#include <cstring>

#include "kernel_abi/kernel_abi.hpp"

namespace runner {
namespace {

class WordReader {
 public:
  WordReader(const std::uint64_t* words, std::size_t count) : words_(words), left_(count) {}
  std::uint64_t word() {
    if (left_ == 0) {
      whole_ = false;
      return 0;
    }
    --left_;
    return *words_++;
  }
  // A count of things that take a word or more each.
  std::size_t count() {
    const std::uint64_t value = word();
    if (value > left_) whole_ = false;
    return whole_ ? value : 0;
  }
  bool whole() const { return whole_; }

 private:
  const std::uint64_t* words_;
  std::size_t left_;
  bool whole_ = true;
};

void put(std::vector<std::uint64_t>& words, const std::string& text) {
  words.push_back((text.size() + 7) / 8);
  words.push_back(text.size());
  for (std::size_t at = 0; at < text.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, std::min<std::size_t>(8, text.size() - at));
    words.push_back(word);
  }
}

std::string text(WordReader& reader) {
  const std::size_t words = reader.count();
  const std::uint64_t size = reader.word();
  std::string result;
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t word = reader.word();
    result.append(reinterpret_cast<const char*>(&word), sizeof word);
  }
  result.resize(std::min<std::uint64_t>(size, result.size()));
  return result;
}

StopValue value(WordReader& reader) {
  StopValue read;
  read.array = reader.word();
  read.constant = reader.word();
  return read;
}

}  // namespace

std::vector<std::uint64_t> encode(const KernelDescription& d) {
  std::vector<std::uint64_t> words{kErnelAbi,     d.static_shared, d.local_bytes,
                                   d.saved_bytes, d.regions,       d.by_warps};
  words.push_back(d.symbols.size());
  for (const std::string& symbol : d.symbols) put(words, symbol);
  words.push_back(d.stops.size());
  for (const Stop& stop : d.stops) {
    words.insert(words.end(), {static_cast<std::uint64_t>(stop.kind), stop.region, stop.packed[0],
                               stop.packed[1], stop.wide ? 1U : 0U, stop.result, stop.predicate});
    for (const StopValue* each : {&stop.a, &stop.b, &stop.c, &stop.mask})
      words.insert(words.end(), {each->array, each->constant});
  }
  return words;
}

bool decode(const std::uint64_t* words, std::size_t count, KernelDescription& d) {
  WordReader reader(words, count);
  if (reader.word() != kErnelAbi) return false;
  d.static_shared = reader.word();
  d.local_bytes = reader.word();
  d.saved_bytes = reader.word();
  d.regions = static_cast<std::uint32_t>(reader.word());
  d.by_warps = static_cast<std::uint32_t>(reader.word());
  d.symbols.resize(reader.count());
  for (std::string& symbol : d.symbols) symbol = text(reader);
  d.stops.resize(reader.count());
  for (Stop& stop : d.stops) {
    stop.kind = static_cast<StopKind>(reader.word());
    stop.region = static_cast<std::uint32_t>(reader.word());
    stop.packed[0] = reader.word();
    stop.packed[1] = reader.word();
    stop.wide = reader.word() != 0;
    stop.result = reader.word();
    stop.predicate = reader.word();
    for (StopValue* each : {&stop.a, &stop.b, &stop.c, &stop.mask}) *each = value(reader);
    if (stop.region >= d.regions) return false;
  }
  return reader.whole();
}

}  // namespace runner
