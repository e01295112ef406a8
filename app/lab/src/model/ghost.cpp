// SPDX-License-Identifier: MIT
// See lab/ghost.hpp.
#include "lab/ghost.hpp"

#include <algorithm>
#include <optional>

#include "model/describe.hpp"

namespace lab {
namespace {

// A context that is known only by its handle, which is another one in each run.
bool has_name(const Context& context) {
  return !context.hidden && !is_bare(context.name);
}

// Memory that is drawn as a bar of its owner.
bool is_bar(const Allocation& allocation) {
  return allocation.kind == MemoryKind::Device || allocation.kind == MemoryKind::Managed;
}

}  // namespace

// How far the run before has come at the moment that is asked for: for each thread as far as its partner.
class Ghost::Place {
 public:
  Place(const Ghost& ghost, std::size_t calls, Where where)
      : ghost_(ghost), calls_(static_cast<std::uint32_t>(calls)), at_end_(where == Where::AtTheEnd) {}
  // The event of the run before has happened.
  bool has_passed(std::size_t event) const {
    if (at_end_) return true;
    return ghost_.before_.calls_before(event) < over_for(ghost_.before_.thread_at(event));
  }
  // The last call that this thread has made there: an event.
  std::optional<std::size_t> last_call(std::uint32_t thread) const {
    const auto found = ghost_.calls_before_.find(thread);
    if (found == ghost_.calls_before_.end()) return std::nullopt;
    const std::vector<std::uint32_t>& calls = found->second;
    const auto after = at_end_ ? calls.end() : std::lower_bound(calls.begin(), calls.end(), over_for(thread));
    if (after == calls.begin()) return std::nullopt;
    return ghost_.before_.event_of_call(*std::prev(after));
  }

 private:
  std::uint32_t over_for(std::uint32_t thread) const {
    const auto found = ghost_.threads_.find(thread);
    if (found == ghost_.threads_.end()) return 0;
    const Thread& of = found->second;
    const auto made = std::lower_bound(of.calls.begin(), of.calls.end(), calls_) - of.calls.begin();
    return made == 0 ? 0 : of.there[static_cast<std::size_t>(made) - 1];
  }
  const Ghost& ghost_;
  std::uint32_t calls_;
  bool at_end_;
};

Ghost::Ghost(const RunPair& pair, const ComparedRun& shown, const ComparedRun& before)
    : pair_(pair), shown_(shown.store), before_(before.store) {
  for (std::size_t call = 0; call < shown_.calls(); ++call) {
    Thread& thread = threads_[shown_.thread_at(shown_.event_of_call(call))];
    const std::uint32_t known = thread.there.empty() ? 0 : thread.there.back();
    const auto partner = pair.partner(Side::First, call);
    thread.calls.push_back(static_cast<std::uint32_t>(call));
    thread.there.push_back(partner ? static_cast<std::uint32_t>(*partner) + 1 : known);
  }
  for (std::size_t call = 0; call < before_.calls(); ++call)
    calls_before_[before_.thread_at(before_.event_of_call(call))].push_back(static_cast<std::uint32_t>(call));
  std::unordered_map<std::uint64_t, const Context*> made_here;  // by event
  for (const Context& context : shown.model.latest().contexts)
    if (!context.primary && has_name(context)) made_here[context.created_at] = &context;
  for (const Context& context : before.model.latest().contexts) {
    if (context.primary || !has_name(context)) continue;
    const auto partner = pair.partner(Side::Second, before_.calls_before(context.created_at));
    if (!partner) continue;
    const auto here = made_here.find(shown_.event_of_call(*partner));
    if (here != made_here.end() && here->second->name != context.name)
      names_[context.name] = here->second->name;
  }
}

std::string Ghost::name_here(const std::string& name) const {
  if (is_bare(name)) return kBareName;
  const auto found = names_.find(name);
  return found == names_.end() ? name : found->second;
}

// What both have at the bottom and at the top is the same; what is between is of one of the two.
void Ghost::compare_stacks(const State& shown, const Model& before, const Place& place,
                           GhostMoment& found) const {
  for (const lab::Thread& thread : shown.threads) {
    std::vector<std::string> there;
    if (const auto call = place.last_call(thread.number)) {
      if (thread.stack.size() > kMostStackNames || before.stack_below(*call) > 0) continue;
      for (const StackEntry& entry : before.stack_after(*call)) there.push_back(name_here(entry.name));
    }
    std::vector<std::string> here;
    for (const std::uint32_t context : thread.stack) {
      const std::string& name = shown.contexts[context].name;
      here.push_back(is_bare(name) ? kBareName : name);
    }
    if (here == there) continue;
    const std::size_t least = std::min(here.size(), there.size());
    std::size_t below = 0, above = 0;
    while (below < least && here[below] == there[below]) ++below;
    while (above < least - below && here[here.size() - 1 - above] == there[there.size() - 1 - above]) ++above;
    GhostMoment::Stack stack;
    stack.thread = thread.number;
    stack.from = below, stack.to = here.size() - above;
    stack.above = stack.to;
    stack.before.assign(there.begin() + static_cast<std::ptrdiff_t>(below),
                        there.end() - static_cast<std::ptrdiff_t>(above));
    found.stacks.push_back(std::move(stack));
  }
}

void Ghost::compare_memory(const State& shown, const Model& before, const Place& place,
                           GhostMoment& found) const {
  std::unordered_multimap<std::uint64_t, const Allocation*> here;  // by the event that made them
  for (const Allocation& allocation : shown.allocations)
    if (is_bar(allocation)) here.emplace(allocation.created_at, &allocation);
  const State& latest = before.latest();
  for (std::uint32_t number = 1; number < latest.next_allocation; ++number) {
    const auto lifetime = before.lifetime({ObjectKind::Allocation, number});
    const Allocation* const allocation = before.allocation(number);
    if (!lifetime || allocation == nullptr || !is_bar(*allocation) || !place.has_passed(lifetime->made) ||
        (lifetime->gone && place.has_passed(*lifetime->gone)))
      continue;
    const auto partner = pair_.partner(Side::Second, before_.calls_before(lifetime->made));
    const auto same = partner ? here.find(shown_.event_of_call(*partner)) : here.end();
    if (same != here.end()) {
      if (same->second->size != allocation->size) found.other_sizes[same->second->number] = allocation->size;
      here.erase(same);
      continue;
    }
    const bool owned =
        allocation->kind != MemoryKind::Managed && allocation->context < latest.contexts.size();
    found.memory.push_back({number,
                            owned ? name_here(latest.contexts[allocation->context].name) : std::string(),
                            allocation->size, allocation->kind});
  }
  for (const auto& [event, allocation] : here) found.new_memory.insert(allocation->number);
}

void Ghost::compare_contexts(const State& shown, const Model& before, const Place& place,
                             GhostMoment& found) const {
  std::set<std::string> known, alive;  // known: in the shown run, alive or not
  for (const Context& context : shown.contexts)
    if (!context.hidden) known.insert(context.name);
  for (const Context& context : before.latest().contexts) {
    if (context.primary || !has_name(context) || !place.has_passed(context.created_at) ||
        (context.destroyed_at && place.has_passed(*context.destroyed_at)))
      continue;
    const std::string name = name_here(context.name);
    alive.insert(name);
    if (!known.contains(name)) found.contexts.push_back({name, context.device});
  }
  for (std::uint32_t i = 0; i < shown.contexts.size(); ++i) {
    const Context& context = shown.contexts[i];
    if (context.alive && !context.primary && has_name(context) && !alive.contains(context.name))
      found.new_contexts.insert(i);
  }
}

GhostMoment Ghost::at(const State& shown, const Model& before, std::size_t calls, Where where) const {
  const Place place(*this, calls, where);
  GhostMoment found;
  compare_stacks(shown, before, place, found);
  compare_memory(shown, before, place, found);
  compare_contexts(shown, before, place, found);
  return found;
}

}  // namespace lab
