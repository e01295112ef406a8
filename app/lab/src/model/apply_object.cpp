// SPDX-License-Identifier: MIT
// Objects that a call makes or ends by a handle: modules, streams, events, graphs, pools, arrays and more.
// For most of them the description of the API is enough; what libraries do is in apply_library.cpp.
#include <unordered_set>

#include "api/descriptions.hpp"
#include "model/apply.hpp"

namespace lab {
namespace {

std::uint32_t device_of(const Step& step) {
  if (const trace::Argument* device = step.argument("dev")) return static_cast<std::uint32_t>(device->word);
  for (const std::string_view properties : {"prop", "poolProps", "location"})
    if (const trace::Argument* found = step.argument(properties)) return location_in(*found).value_or(kNone);
  return kNone;
}

// A call that creates a stream has its flags under one of two names.
bool non_blocking(const Step& step) {
  constexpr std::uint64_t kNonBlocking = 1;  // CU_STREAM_NON_BLOCKING
  return ((step.passed("Flags") | step.passed("flags")) & kNonBlocking) != 0;
}

void make(Step& step, const api::MakesDescription& made) {
  if (made.kind == ObjectKind::Allocation) return allocate(step, made);
  const std::uint64_t handle = step.value(made.handle);
  if (handle == 0) return;
  Object object;
  object.id.kind = made.kind;
  object.handle = handle;
  object.size = step.value(made.size);
  object.device = device_of(step);
  object.given = made.lifetime == api::Lifetime::Origin || made.lifetime == api::Lifetime::Driver;
  if (made.lifetime == api::Lifetime::Current)
    object.context = made.kind == ObjectKind::Stream ? step.top() : step.owner();
  if (const auto owner = step.ledger.object_of(made.origin_kind, step.passed(made.origin))) {
    object.owner = owner->id;
    if (made.lifetime == api::Lifetime::Origin) object.context = owner->context;
  }
  if (made.kind == ObjectKind::Stream && object.context != kNone) object.blocking = !non_blocking(step);
  const trace::Argument* label = made.label.empty() ? nullptr : step.argument(made.label);
  if (label && !label->text.empty()) object.label = std::make_shared<const std::string>(label->text);
  // A call that only returns an object may return it again: it is the same object until a call ends it.
  if (object.given)
    if (const auto old = step.ledger.object_of(made.kind, handle);
        old && (!object.owner || !old->owner || old->owner == object.owner))
      return;
  step.add(std::move(object));
}

void end(Step& step, const api::EndsDescription& ended) {
  if (ended.kind == ObjectKind::Allocation) return release(step, ended);
  const auto found = step.ledger.object_of(ended.kind, step.passed(ended.handle));
  if (!found) return;
  // Physical memory stays while it has a handle or is mapped (lesson 27).
  if (found->references > 1 || found->mappings > 0) {
    Object now = *found;
    if (now.references > 0) --now.references;
    step.ledger.change(now);
    step.note(Change::Kind::ObjectChanged, now);
    return;
  }
  step.end(found->id);
}

}  // namespace

ObjectId Step::add(Object object) {
  if (object.handle != 0)
    if (const auto old = ledger.object_of(object.id.kind, object.handle)) end(old->id);
  object.id.number = ++state.kinds_made[static_cast<std::size_t>(object.id.kind)];
  object.serial = ++state.objects_made;
  object.created_at = event.seq;
  ledger.add(object);
  note(Change::Kind::ObjectCreated, object);
  return object.id;
}

void Step::end(ObjectId id) {
  const auto object = ledger.object(id);
  if (!object) return;
  for (const ObjectId given : ledger.given_by(id)) end(given);
  forget_work_of(*this, *object);
  forget_graph(*this, *object);
  ledger.end(id);
  note(Change::Kind::ObjectEnded, *object);
}

std::vector<Rule> described_rules(const std::vector<Rule>& own) {
  std::unordered_set<Function> done;
  for (const Rule& rule : own) done.insert(rule.call);
  std::vector<Rule> rules;
  for (const api::FunctionDescription& function : api::functions()) {
    if (!function.makes && !function.ends && !function.writes) continue;
    if (!done.insert(function.function).second) continue;  // all versions of a function do the same
    rules.push_back({function.function, [&function](Step& step) {
                       if (function.makes) make(step, *function.makes);
                       if (function.ends) end(step, *function.ends);
                       if (function.writes) note_write(step);
                     }});
  }
  return rules;
}

}  // namespace lab
