// SPDX-License-Identifier: MIT
// CUDA_VISIBLE_DEVICES, read as an H200's driver was measured to read it.
//
// Numbers are read as strtol reads them, so that "0abc" is 0. A list of UUIDs has nothing else in it, and the
// beginning of one will do while only one card has it. The first entry that names no card ends the list.
#include "core/visible_devices.hpp"

#include <strings.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace driver {
namespace {

constexpr const char* kPrefix = "GPU-";
constexpr std::size_t kPrefixSize = 4;

std::optional<int> card_of_number(const std::string& word, int count) {
  char* end = nullptr;
  const long number = std::strtol(word.c_str(), &end, 10);
  if (end == word.c_str() || number < 0 || number >= count) return std::nullopt;
  return static_cast<int>(number);
}

std::optional<int> card_of_uuid(const std::string& word, const std::vector<std::string>& uuids) {
  if (word.compare(0, kPrefixSize, kPrefix) != 0) return std::nullopt;
  std::optional<int> found;
  for (std::size_t card = 0; card < uuids.size(); ++card) {
    const std::size_t compared = std::min(word.size(), uuids[card].size());
    if (strncasecmp(word.c_str(), uuids[card].c_str(), compared) != 0) continue;
    if (found) return std::nullopt;  // it could be either
    found = static_cast<int>(card);
  }
  return word.size() > kPrefixSize ? found : std::nullopt;
}

}  // namespace

CUresult visible_devices(const char* text, const std::vector<std::string>& uuids, std::vector<int>& cards) {
  cards.clear();
  const int count = static_cast<int>(uuids.size());
  if (text == nullptr) {
    for (int card = 0; card < count; ++card) cards.push_back(card);
    return CUDA_SUCCESS;
  }
  const bool by_uuid = std::strncmp(text, kPrefix, kPrefixSize) == 0;
  for (std::string_view left = text;;) {
    const std::size_t comma = left.find(',');
    const std::string word(left.substr(0, comma));
    const std::optional<int> card = by_uuid ? card_of_uuid(word, uuids) : card_of_number(word, count);
    if (!card) break;
    if (std::find(cards.begin(), cards.end(), *card) != cards.end()) return CUDA_ERROR_INVALID_DEVICE;
    cards.push_back(*card);
    if (comma == std::string_view::npos) break;
    left.remove_prefix(comma + 1);
  }
  return cards.empty() ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}

}  // namespace driver
