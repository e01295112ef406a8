// SPDX-License-Identifier: MIT
// Two moments of one run, side by side. Lists are walked together: contexts by index, allocations by number,
// objects by serial, each in ascending order in every state.
#include "lab/difference.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace lab {
namespace {

struct Comparer {
  const State& before;
  const State& after;
  Difference result;

  void change(ObjectId object, Aspect aspect, std::string from, std::string to) {
    if (from != to) result.changed.push_back({object, aspect, std::move(from), std::move(to)});
  }
  template <class Number>
  void number(ObjectId object, Aspect aspect, Number from, Number to) {
    if (from != to) change(object, aspect, fmt::format("{}", from), fmt::format("{}", to));
  }
  static std::string owner(const State& state, std::uint32_t context) {
    return context < state.contexts.size() ? state.contexts[context].name : "";
  }
  static std::string place(std::uint32_t where) {
    return where == kNone ? "" : where == kHost ? "host" : fmt::format("{}", where);
  }

  void contexts() {
    Context none;
    none.alive = none.active = false;
    none.use_count = 0;
    const std::size_t count = std::max(before.contexts.size(), after.contexts.size());
    for (std::size_t i = 0; i < count; ++i) {
      const Context& from = i < before.contexts.size() ? before.contexts[i] : none;
      const Context& to = i < after.contexts.size() ? after.contexts[i] : none;
      const ObjectId id{ObjectKind::Context, static_cast<std::uint32_t>(i)};
      const bool primary = from.primary || to.primary;
      if (!primary && !from.alive && to.alive) result.created.push_back(id);
      if (!primary && from.alive && !to.alive) result.ended.push_back(id);
      if (primary) {
        const bool was = from.primary && from.active, is = to.primary && to.active;
        if (was != is) change(id, Aspect::Active, was ? "true" : "false", is ? "true" : "false");
        number(id, Aspect::RetainCount, from.retain_count, to.retain_count);
      } else if (from.alive && to.alive) {
        number(id, Aspect::UseCount, from.use_count, to.use_count);
      }
      if (from.alive && to.alive) number(id, Aspect::Flags, from.flags, to.flags);
    }
  }

  void changed(const Allocation& from, const Allocation& to) {
    const ObjectId id{ObjectKind::Allocation, to.number};
    change(id, Aspect::Owner, owner(before, from.context), owner(after, to.context));
    change(id, Aspect::Place, place(from.place), place(to.place));
  }
  void changed(const Object& from, const Object& to) {
    change(to.id, Aspect::Owner, owner(before, from.context), owner(after, to.context));
    number(to.id, Aspect::References, from.references, to.references);
    if (from.handle != to.handle)
      change(to.id, Aspect::Handle, fmt::format("{:#x}", from.handle), fmt::format("{:#x}", to.handle));
  }

  template <class List, class Order, class Name>
  void merge(const List& from, const List& to, Order order, Name name) {
    auto a = from.begin();
    auto b = to.begin();
    while (a != from.end() || b != to.end()) {
      if (b == to.end() || (a != from.end() && order(*a) < order(*b)))
        result.ended.push_back(name(*a++));
      else if (a == from.end() || order(*b) < order(*a))
        result.created.push_back(name(*b++));
      else
        changed(*a++, *b++);
    }
  }

  void threads() {
    const auto look = [this](const Thread& thread) {
      const ObjectId id{ObjectKind::Thread, thread.number};
      const Thread *was = before.thread(thread.number), *is = after.thread(thread.number);
      const bool lived = was != nullptr && was->alive, lives = is != nullptr && is->alive;
      if (!lived && lives) result.created.push_back(id);
      if (lived && !lives) result.ended.push_back(id);
      Difference::Stack both{thread.number, before.stack_names(thread.number),
                             after.stack_names(thread.number)};
      if (both.before != both.after) result.stacks.push_back(std::move(both));
    };
    for (const Thread& thread : before.threads) look(thread);
    for (const Thread& thread : after.threads)
      if (before.thread(thread.number) == nullptr) look(thread);
  }
};

}  // namespace

Difference difference(const State& before, const State& after) {
  Comparer comparer{before, after, {}};
  comparer.contexts();
  comparer.merge(
      before.allocations, after.allocations, [](const Allocation& a) { return a.number; },
      [](const Allocation& a) { return ObjectId{ObjectKind::Allocation, a.number}; });
  comparer.merge(
      before.objects, after.objects, [](const Object& o) { return o.serial; },
      [](const Object& o) { return o.id; });
  comparer.threads();
  return std::move(comparer.result);
}

}  // namespace lab
