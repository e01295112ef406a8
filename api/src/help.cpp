// SPDX-License-Identifier: MIT
// See help.hpp: the look-ups.
#include "api/help.hpp"

#include <algorithm>

namespace api {
namespace {

template <class Row>
const Row* find_by_name(std::span<const Row> rows, std::string_view name) {
  const auto at = std::ranges::lower_bound(rows, name, {}, &Row::name);
  return at != rows.end() && at->name == name ? &*at : nullptr;
}

}  // namespace

const FunctionHelp* find_function_help(std::string_view name) {
  return find_by_name(functions_explained(), name);
}

const NamedHelp* find_result_help(std::string_view name) {
  return find_by_name(results_explained(), name);
}

const TypeHelp* find_type_help(std::string_view name) {
  return find_by_name(types_explained(), name);
}

const EnumeratorHelp* find_enumerator_help(std::string_view name) {
  return find_by_name(enumerators_explained(), name);
}

}  // namespace api
