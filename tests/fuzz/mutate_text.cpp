// SPDX-License-Identifier: MIT
// Changes texts of PTX by lines and words, so that more of what is tried is PTX still. Half of the time the
// fuzzer's own changes are made, dictionary included.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using Random = std::minstd_rand;

std::size_t below(Random& random, std::size_t limit) {
  return limit == 0 ? 0 : random() % limit;
}

struct Piece {
  std::size_t begin = 0, size = 0;
};

std::vector<Piece> lines_of(std::string_view text) {
  std::vector<Piece> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back({at, end - at});
    at = end;
  }
  return lines;
}

// Names, numbers, and words behind a dot, with the dot.
std::vector<Piece> words_of(std::string_view text) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '%';
  };
  std::vector<Piece> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + (text[at] == '.' ? 1 : 0);
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > at) words.push_back({at, end - at});
    at = end > at ? end : at + 1;
  }
  return words;
}

std::string copy(std::string_view text, Piece piece) {
  return std::string(text.substr(piece.begin, piece.size));
}

void change_lines(std::string& text, Random& random) {
  const std::vector<Piece> lines = lines_of(text);
  if (lines.empty()) return;
  const Piece from = lines[below(random, lines.size())];
  const Piece to = lines[below(random, lines.size())];
  const std::string line = copy(text, from);
  switch (random() % 3) {
    case 0:
      text.insert(to.begin, line);
      break;
    case 1:
      text.replace(to.begin, to.size, line);
      break;
    default:
      text.erase(from.begin, from.size);
  }
}

void change_words(std::string& text, Random& random) {
  static constexpr const char* own[] = {".u8",   ".s8",     ".u16",       ".s16",       ".u32",
                                        ".s32",  ".u64",    ".s64",       ".f16",       ".f32",
                                        ".f64",  ".bf16",   ".b8",        ".b16",       ".b32",
                                        ".b64",  ".f16x2",  ".sat",       ".ftz",       ".rn",
                                        ".rz",   ".rm",     ".rp",        ".rni",       ".hi",
                                        ".wide", ".lo",     ".cc",        ".v2",        ".v4",
                                        ".sync", ".approx", ".global",    ".shared",    ".local",
                                        "0",     "1",       "-1",         "31",         "32",
                                        "63",    "64",      "255",        "0xffffffff", "0x8000000000000000",
                                        "%tid",  "%r1",     "%d1",        "%p1",        "%f1",
                                        "%h1",   "%g1",     "0f7FC00000", "0fFF800000", "0d0000000000000001"};
  const std::vector<Piece> words = words_of(text);
  if (words.empty()) return;
  const Piece from = words[below(random, words.size())];
  const Piece to = words[below(random, words.size())];
  const std::string word = random() % 2 == 0 ? copy(text, from) : own[below(random, std::size(own))];
  switch (random() % 4) {
    case 0:
      text.insert(to.begin + to.size, word);
      break;
    case 1:
      text.erase(to.begin, to.size);
      break;
    default:
      text.replace(to.begin, to.size, word);
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  Random random(seed + 1);
  if (random() % 2 == 0) return LLVMFuzzerMutate(data, size, most);
  std::string text(reinterpret_cast<const char*>(data), size);
  for (std::size_t changes = 1 + below(random, 3); changes > 0; --changes) {
    if (random() % 3 == 0)
      change_lines(text, random);
    else
      change_words(text, random);
  }
  const std::size_t result = std::min(text.size(), most);
  std::memcpy(data, text.data(), result);
  return result;
}
