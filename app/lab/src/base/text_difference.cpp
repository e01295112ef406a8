// SPDX-License-Identifier: MIT
// See text_difference.hpp. Equal lines at the beginning and the end of both texts are set aside; for the
// rest, the longest common subsequence is computed.
#include "lab/text_difference.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/lines.hpp"

namespace lab {
namespace {

constexpr std::size_t kMostCells = 8'000'000;

}  // namespace

std::vector<DifferenceLine> difference_of(std::string_view before, std::string_view after) {
  const std::vector<std::string_view> a = lines_in(before), b = lines_in(after);
  std::size_t head = 0, tail = 0;
  const std::size_t shorter = std::min(a.size(), b.size());
  while (head < shorter && a[head] == b[head]) ++head;
  while (tail < shorter - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  const std::size_t n = a.size() - head - tail, m = b.size() - head - tail;
  // length[i * (m + 1) + j]: of the common subsequence of what begins at i and j.
  std::vector<std::uint32_t> length;
  const bool searched = (n + 1) * (m + 1) <= kMostCells;
  if (searched) {
    length.assign((n + 1) * (m + 1), 0);
    for (std::size_t i = n; i-- > 0;)
      for (std::size_t j = m; j-- > 0;)
        length[i * (m + 1) + j] = a[head + i] == b[head + j]
                                      ? length[(i + 1) * (m + 1) + j + 1] + 1
                                      : std::max(length[(i + 1) * (m + 1) + j], length[i * (m + 1) + j + 1]);
  }
  std::vector<DifferenceLine> out;
  using Kind = DifferenceLine::Kind;
  const auto number = [](std::size_t index) { return static_cast<int>(index) + 1; };
  const auto same = [&](std::size_t i, std::size_t j) {
    out.push_back({Kind::Same, number(i), number(j), std::string(a[i])});
  };
  for (std::size_t i = 0; i < head; ++i) same(i, i);
  for (std::size_t i = 0, j = 0; i < n || j < m;) {
    if (searched && i < n && j < m && a[head + i] == b[head + j]) {
      same(head + i, head + j);
      ++i, ++j;
    } else if (i < n &&
               (j == m || !searched || length[(i + 1) * (m + 1) + j] >= length[i * (m + 1) + j + 1])) {
      out.push_back({Kind::Removed, number(head + i), 0, std::string(a[head + i])});
      ++i;
    } else {
      out.push_back({Kind::Added, 0, number(head + j), std::string(b[head + j])});
      ++j;
    }
  }
  for (std::size_t i = 0; i < tail; ++i) same(a.size() - tail + i, b.size() - tail + i);
  return out;
}

}  // namespace lab
