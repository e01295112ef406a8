// SPDX-License-Identifier: MIT
// See page_state.hpp. Both states are ordered by creation, so one pass over each list finds what is new,
// changed or gone.
#include "page_state.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "lab/model.hpp"

namespace lab {
namespace {

using nlohmann::json;

void put(json& to, const char* name, std::string_view text) {
  if (!text.empty()) to[name] = text;
}

void put_index(json& to, const char* name, std::uint32_t index) {
  if (index != kNone) to[name] = index;
}

json page_part(const Thread& thread) {
  json part = json::object();
  put(part, "n", thread.name);
  const std::size_t shown = std::min(thread.stack.size(), kMostStackNames);
  part["s"] =
      std::vector<std::uint32_t>(thread.stack.end() - static_cast<std::ptrdiff_t>(shown), thread.stack.end());
  if (shown < thread.stack.size()) part["below"] = thread.stack.size() - shown;
  if (!thread.alive) part["ended"] = true;
  if (!thread.agree) part["disagree"] = true;
  if (thread.driver_asked)
    part["current"] = thread.driver_current == kNone ? json(nullptr) : json(thread.driver_current);
  return part;
}

json page_part(const Device& device) {
  json part = json::object();
  put(part, "n", device.name);
  if (device.total_bytes != 0) part["bytes"] = device.total_bytes;
  put_index(part, "p", device.primary);
  return part;
}

json page_part(const Context& context) {
  if (context.hidden) return nullptr;
  json part{{"n", context.name}, {"d", context.device}};
  if (context.primary) {
    part["primary"] = true;
    part["retains"] = context.retain_count;
  }
  if (!context.alive) part["dead"] = true;
  if (!context.active) part["idle"] = true;
  if (context.use_count != 1) part["uses"] = context.use_count;
  return part;
}

json page_part(const Allocation& allocation) {
  json part{{"k", static_cast<int>(allocation.kind)}, {"size", allocation.size}};
  put_index(part, "c", allocation.context);
  put_index(part, "d", allocation.device);
  if (allocation.place == kHost)
    part["place"] = -1;
  else
    put_index(part, "place", allocation.place);
  return part;
}

json page_part(const Object& object) {
  json part{{"n", object_name(object)}, {"k", static_cast<int>(object.id.kind)}};
  put_index(part, "c", object.context);
  put_index(part, "d", object.device);
  put(part, "label", object.label_text());
  if (object.owner) part["of"] = object_name(object.owner);
  if (object.given) part["given"] = true;
  if (object.size != 0) part["size"] = object.size;
  return part;
}

std::uint32_t page_number(const Thread& thread) {
  return thread.number;
}
std::uint32_t page_number(const Device& device) {
  return device.ordinal;
}
std::uint32_t page_number(const Allocation& allocation) {
  return allocation.number;
}
std::uint32_t page_number(const Object& object) {
  return object.serial;
}

// Lists whose members come and go, ascending by number.
template <class List>
void compare(json& changes, char letter, const List& before, const List& now) {
  const auto key = [letter](const auto& member) { return letter + std::to_string(page_number(member)); };
  auto old = before.begin();
  for (const auto& member : now) {
    for (; old != before.end() && page_number(*old) < page_number(member); ++old)
      changes[key(*old)] = nullptr;
    const bool same = old != before.end() && page_number(*old) == page_number(member) && *old == member;
    if (old != before.end() && page_number(*old) == page_number(member)) ++old;
    if (!same) changes[key(member)] = page_part(member);
  }
  for (; old != before.end(); ++old) changes[key(*old)] = nullptr;
}

}  // namespace

nlohmann::json PageState::change_to(const State& now) {
  json changes = json::object();
  std::vector<Thread> threads =
      now.threads;  // in order of their first call, which need not be their numbers'
  std::sort(threads.begin(), threads.end(),
            [](const Thread& a, const Thread& b) { return a.number < b.number; });
  compare(changes, 't', before_.threads, threads);
  compare(changes, 'd', before_.devices, now.devices);
  compare(changes, 'a', before_.allocations, now.allocations);
  compare(changes, 'o', before_.objects, now.objects);
  for (std::size_t i = 0; i < now.contexts.size(); ++i)
    if (i >= before_.contexts.size() || !(before_.contexts[i] == now.contexts[i]))
      changes["c" + std::to_string(i)] = page_part(now.contexts[i]);
  // Only if another process is shown than before: within one process, contexts are never removed.
  for (std::size_t i = now.contexts.size(); i < before_.contexts.size(); ++i)
    changes["c" + std::to_string(i)] = nullptr;
  before_ = now;
  before_.threads = std::move(threads);
  return changes;
}

}  // namespace lab
