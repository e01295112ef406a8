// SPDX-License-Identifier: MIT
// Look-ups in the generated tables.
//
// Functions are sorted by symbol, so they are found by halving; there are few enough enumerations and structs
// to go through. Results are found through a map built on first use: every line a lesson prints asks for one.
#include "api/descriptions.hpp"

#include <algorithm>
#include <unordered_map>

namespace api {
namespace {

const EnumeratorDescription* find_result(int result) {
  static const auto by_value = [] {
    std::unordered_map<std::int64_t, const EnumeratorDescription*> map;
    for (const EnumeratorDescription& one : find_enum("CUresult")->enumerators) map.emplace(one.value, &one);
    return map;
  }();
  const auto found = by_value.find(result);
  return found == by_value.end() ? nullptr : found->second;
}

}  // namespace

const FunctionDescription* find_function(std::string_view symbol) {
  const std::span<const FunctionDescription> all = functions();
  const auto found =
      std::lower_bound(all.begin(), all.end(), symbol,
                       [](const auto& one, std::string_view name) { return one.symbol < name; });
  return found == all.end() || found->symbol != symbol ? nullptr : &*found;
}

const EnumDescription* find_enum(std::string_view name) {
  const std::span<const EnumDescription> all = enums();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

// The tables are string literals, so the views end with a zero byte.
const char* result_name(int result) {
  const EnumeratorDescription* const found = find_result(result);
  return found == nullptr ? nullptr : found->name.data();
}

const char* result_text(int result) {
  const EnumeratorDescription* const found = find_result(result);
  return found == nullptr || found->text.empty() ? nullptr : found->text.data();
}

std::string_view enumerator_name(const EnumDescription& description, std::int64_t value) {
  const auto found = std::find_if(description.enumerators.begin(), description.enumerators.end(),
                                  [&](const auto& one) { return one.value == value; });
  return found == description.enumerators.end() ? std::string_view() : found->name;
}

}  // namespace api
