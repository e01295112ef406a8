// SPDX-License-Identifier: MIT
// Errors that a kernel caused: the call that returns such an error first is rarely the one that caused it,
// and after it nothing in the process works. Measured on an H200: scenarios sticky_*.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "model/explain.hpp"

namespace lab {
namespace {

constexpr std::array<std::pair<std::int32_t, Text>, 8> kSticky = {{
    {700, Text::ExplainKernelIllegalAddress},
    {702, Text::ExplainKernelTimeout},
    {710, Text::ExplainKernelAssert},
    {714, Text::ExplainKernelHardwareStack},
    {715, Text::ExplainKernelIllegalInstruction},
    {716, Text::ExplainKernelMisaligned},
    {718, Text::ExplainKernelInvalidPc},
    {719, Text::ExplainKernelFailed},
}};

bool launches(const trace::Event& event) {
  return launches_kernel(event.function);
}

// The first event of the process with this error, at or before the failed one.
std::size_t first_report(const Failure& failure) {
  std::size_t first = failure.index;
  const std::size_t end = failure.index > kMostLookedBack ? failure.index - kMostLookedBack : 0;
  for (std::size_t i = failure.index; i-- > end;)
    if (failure.store.kind_at(i) == trace::EventKind::Call &&
        failure.store.result_at(i) == failure.event.result &&
        failure.store.at(i).process == failure.event.process)
      first = i;
  return first;
}

}  // namespace

Explained explain_broken_process(const Failure& failure) {
  const auto sticky = std::find_if(kSticky.begin(), kSticky.end(), [&failure](const auto& candidate) {
    return candidate.first == failure.event.result;
  });
  if (sticky == kSticky.end()) return std::nullopt;
  const std::size_t first = first_report(failure);
  if (first != failure.index)
    return Explanation{{Text::ExplainProcessBroken,
                        {failure.call_word(first), failure.place_word(first),
                         std::string(trace::result_name(failure.event))}},
                       first};
  const auto launch = failure.latest(launches);
  if (!launch) return std::nullopt;
  return Explanation{{sticky->second, {failure.call_word(*launch), failure.place_word(*launch)}}, launch};
}

}  // namespace lab
