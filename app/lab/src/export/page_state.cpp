// SPDX-License-Identifier: MIT
// See page_state.hpp. What is listed as touched is looked up in both states, and written if it differs.
#include "export/page_state.hpp"

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

// What has this number, or nullptr. Lists are ascending by number.
template <class Part>
const Part* numbered(const AliveList<Part>& parts, std::uint32_t number, std::uint32_t Part::* member) {
  const auto found = std::partition_point(parts.begin(), parts.end(),
                                          [&](const Part& part) { return part.*member < number; });
  return found == parts.end() || (*found).*member != number ? nullptr : &*found;
}

template <class Part>
const Part* at_index(const std::vector<Part>& parts, std::uint32_t index) {
  return index < parts.size() ? &parts[index] : nullptr;
}

std::string key_of(char letter, std::uint32_t number) {
  return letter + std::to_string(number);
}

}  // namespace

template <class Part>
void PageState::update(json& changes, char letter, Parts<Part>& before, std::uint32_t number,
                       const Part* now) {
  const auto old = before.find(number);
  if (now == nullptr) {
    if (old == before.end()) return;
    before.erase(old);
    changes[key_of(letter, number)] = nullptr;
  } else if (old == before.end() || !(old->second == *now)) {
    changes[key_of(letter, number)] = page_part(*now);
    before.insert_or_assign(number, *now);
  }
}

// A stack may be as deep as the run has calls: of it only the top is compared and copied.
void PageState::update_thread(json& changes, const State& state, Touched::OfThread touched) {
  const Thread* const now = state.thread(touched.number);
  const auto old = threads_.find(touched.number);
  if (now == nullptr || old == threads_.end()) return update(changes, 't', threads_, touched.number, now);
  Thread& before = old->second;
  const auto same =
      static_cast<std::ptrdiff_t>(std::min({touched.same, before.stack.size(), now->stack.size()}));
  ThreadFacts& old_facts = before;
  const ThreadFacts& facts = *now;
  const bool equal = old_facts == facts && std::equal(before.stack.begin() + same, before.stack.end(),
                                                      now->stack.begin() + same, now->stack.end());
  if (equal) return;
  changes[key_of('t', touched.number)] = page_part(*now);
  old_facts = facts;
  before.stack.erase(before.stack.begin() + same, before.stack.end());
  before.stack.insert(before.stack.end(), now->stack.begin() + same, now->stack.end());
}

Touched PageState::everything(const State& now) const {
  Touched all;
  for (const auto& [number, part] : contexts_) all.contexts.push_back(number);
  for (std::size_t i = 0; i < now.contexts.size(); ++i) all.contexts.push_back(static_cast<std::uint32_t>(i));
  for (const auto& [number, part] : allocations_) all.allocations.push_back(number);
  for (const Allocation& part : now.allocations) all.allocations.push_back(part.number);
  for (const auto& [number, part] : objects_) all.objects.push_back(number);
  for (const Object& part : now.objects) all.objects.push_back(part.serial);
  for (const auto& [number, part] : threads_) all.threads.push_back({number, 0});
  for (const Thread& part : now.threads) all.threads.push_back({part.number, 0});
  return all;
}

json PageState::change_to(const State& now, const Touched& touched) {
  json changes = json::object();
  const bool a_step = !touched.all && touched.since == moment_ && now.process == process_;
  const Touched all = a_step ? Touched() : everything(now);
  const Touched& listed = a_step ? touched : all;
  for (const Touched::OfThread& thread : listed.threads) update_thread(changes, now, thread);
  const std::size_t devices = std::max(devices_.size(), now.devices.size());
  for (std::uint32_t ordinal = 0; ordinal < devices; ++ordinal)
    update(changes, 'd', devices_, ordinal, at_index(now.devices, ordinal));
  for (const std::uint32_t index : listed.contexts)
    update(changes, 'c', contexts_, index, at_index(now.contexts, index));
  for (const std::uint32_t number : listed.allocations)
    update(changes, 'a', allocations_, number, numbered(now.allocations, number, &Allocation::number));
  for (const std::uint32_t serial : listed.objects)
    update(changes, 'o', objects_, serial, numbered(now.objects, serial, &Object::serial));
  moment_ = now.events;
  process_ = now.process;
  return changes;
}

}  // namespace lab
