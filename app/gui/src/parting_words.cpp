// SPDX-License-Identifier: MIT
// See parting_words.hpp.
#include "parting_words.hpp"

#include <optional>
#include <string>

namespace gui {

using lab::Divergence;
using lab::Text;

lab::Problem parting_words(const lab::Workbench& bench, const lab::Workbench::Other& other,
                           const lab::Comparison& found, lab::Language language) {
  const bool before = !other.recording;
  const std::string equal = std::to_string(found.calls);
  if (!found.first) return {Text::CompareSame, {equal}};
  const Divergence& first = *found.first;
  const std::size_t calls = first.event_a ? bench.store().calls_before(*first.event_a) : found.calls;
  const std::string place = before ? std::to_string(calls + 1) : equal;
  const std::string_view nothing = lab::text(Text::PictureSinceEmpty, language);
  const std::string here = first.a.empty() ? std::string(nothing) : first.a,
                    there = first.b.empty() ? std::string(nothing) : first.b;
  const std::string name = first.event_a   ? std::string(bench.store().at(*first.event_a).name)
                           : first.event_b ? std::string(other.store->at(*first.event_b).name)
                                           : std::string();
  const auto side = [&](const std::optional<std::size_t>& event, const std::string& words) {
    return event ? lab::text(Text::CompareIsCalled, language, {words})
                 : lab::text(Text::CompareNoCall, language, {std::to_string(first.thread)});
  };
  switch (first.what) {
    case Divergence::What::Call:
    case Divergence::What::Ends:
      return {before ? Text::RunPartsCall : Text::ComparePartsCall,
              {place, side(first.event_a, first.a), side(first.event_b, first.b)}};
    case Divergence::What::Result:
      return {before ? Text::RunPartsResult : Text::ComparePartsResult, {place, name, here, there}};
    case Divergence::What::Arguments:
      return {before ? Text::RunPartsArguments : Text::ComparePartsArguments, {place, name, here, there}};
    case Divergence::What::Stack:
      return {before ? Text::RunPartsStack : Text::ComparePartsStack, {place, name, here, there}};
    case Divergence::What::Objects:
      break;
  }
  return {before ? Text::RunPartsObjects : Text::ComparePartsObjects, {place, name, here, there}};
}

}  // namespace gui
