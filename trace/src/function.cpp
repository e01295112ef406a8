// SPDX-License-Identifier: MIT
// See trace/function.hpp. The table of described functions is made at the first use and never changes; the
// other names are added to a list under a lock.
#include "trace/function.hpp"

#include <deque>
#include <initializer_list>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/descriptions.hpp"

namespace trace {
namespace {

Purpose purpose_in(std::string_view name) {
  const auto has = [name](std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words)
      if (name.find(word) != std::string_view::npos) return true;
    return false;
  };
  if (has({"Synchronize"})) return Purpose::Waits;
  if (has({"Launch"})) return Purpose::Launches;
  return has({"Get", "Query", "CanAccess", "Occupancy"}) ? Purpose::Asks : Purpose::Other;
}

struct Described {
  std::vector<std::string_view> names;
  std::vector<Purpose> purposes;
  std::unordered_map<std::string_view, Function> numbers;
};

const Described& described() {
  static const auto* const made = [] {  // outlives every Event, also at exit
    auto* all = new Described;
    all->names.resize(api::kFunctions);
    all->purposes.resize(api::kFunctions);
    for (const api::FunctionDescription& function : api::functions()) {
      const auto number = static_cast<std::size_t>(function.function);
      all->names[number] = function.name;
      all->purposes[number] = purpose_in(function.name);
      all->numbers.emplace(function.name, function.function);
    }
    return all;
  }();
  return *made;
}

class Others {
 public:
  Function number_of(std::string_view name) {
    const std::lock_guard lock(mutex_);
    if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
    const auto number = static_cast<Function>(api::kFunctions + names_.size());
    return numbers_.emplace(names_.emplace_back(name), number).first->second;
  }
  std::string_view name_of(Function function) {
    const std::size_t place = static_cast<std::size_t>(function) - api::kFunctions;
    const std::lock_guard lock(mutex_);
    return place < names_.size() ? std::string_view(names_[place]) : std::string_view{};
  }

 private:
  std::mutex mutex_;
  std::deque<std::string> names_;  // does not move them: the keys of the map are views
  std::unordered_map<std::string_view, Function> numbers_;
};

Others& others() {
  static auto* const made = new Others;
  return *made;
}

}  // namespace

Function function_of(std::string_view name) {
  if (name.empty()) return Function::None;
  const auto found = described().numbers.find(name);
  return found == described().numbers.end() ? others().number_of(name) : found->second;
}

std::string_view name_of(Function function) {
  const auto number = static_cast<std::size_t>(function);
  return number < api::kFunctions ? described().names[number] : others().name_of(function);
}

Purpose purpose_of(Function function) {
  const auto number = static_cast<std::size_t>(function);
  return number < api::kFunctions ? described().purposes[number] : purpose_in(others().name_of(function));
}

}  // namespace trace
