// SPDX-License-Identifier: MIT
// See uses.hpp.
#include "model/uses.hpp"

#include <algorithm>

#include "model/describe.hpp"

namespace lab {

void Uses::add(ObjectId object, bool changed) {
  const auto found =
      std::find_if(uses_.begin(), uses_.end(), [object](const Use& use) { return use.object == object; });
  if (found == uses_.end())
    uses_.push_back({object, changed});
  else
    found->changed |= changed;
}

void Uses::handle(const trace::Argument& argument, std::uint64_t value, const RunLedger& ledger,
                  const State& core) {
  const ObjectKind kind = handle_kind(argument);
  if (kind == ObjectKind::None || value == 0) return;
  if (kind == ObjectKind::Context) {
    if (const std::uint32_t index = core.context_of(value); index != kNone) add({kind, index});
    return;
  }
  auto object = ledger.object_of(kind, value);
  if (!object && kind == ObjectKind::Function) object = ledger.object_of(ObjectKind::Kernel, value);
  if (object) add(object->id);
}

void Uses::address(std::uint64_t value, const RunLedger& ledger) {
  if (value == 0) return;
  if (const auto found = ledger.holding(value))
    add({ObjectKind::Allocation, found->number});
  else if (const Object* object = ledger.variable_at(value))
    add(object->id);
}

void Uses::before(const trace::Event& event, const RunLedger& ledger, const State& core) {
  uses_.clear();
  if (event.kind != trace::EventKind::Call || event.process != core.process) return;
  for (const trace::Argument& argument : event.arguments) {
    if (argument.role != trace::Role::In || argument.null) continue;
    switch (argument.kind) {
      case trace::ValueKind::Handle:
      case trace::ValueKind::Unsigned:
        handle(argument, argument.word, ledger, core);
        break;
      case trace::ValueKind::DevicePointer:
      case trace::ValueKind::HostPointer:
        address(argument.word, ledger);
        break;
      case trace::ValueKind::Device:
        if (argument.word < core.devices.size())
          add({ObjectKind::Device, static_cast<std::uint32_t>(argument.word)});
        break;
      default:
        break;
    }
  }
}

void Uses::after(const trace::Event& event, const RunLedger& ledger, const State& core) {
  if (event.kind != trace::EventKind::Call || event.process != core.process) return;
  for (const trace::Argument& argument : event.arguments)
    if (argument.role != trace::Role::In && argument.out) handle(argument, *argument.out, ledger, core);
  for (const Change& change : core.changes) {
    // What ends with its owner is not mentioned: there may be thousands, and the end of each is stored
    // elsewhere.
    if (change.kind == Change::Kind::Freed && change.allocation != 0) {
      const auto named = std::find_if(uses_.begin(), uses_.end(), [&change](const Use& use) {
        return use.object == ObjectId{ObjectKind::Allocation, change.allocation};
      });
      if (named != uses_.end()) named->changed = true;
      continue;
    }
    if (change.kind == Change::Kind::ObjectEnded) {
      for (Use& use : uses_) use.changed |= use.object == change.object;
      continue;
    }
    const bool changed = change.kind != Change::Kind::Launched && change.kind != Change::Kind::Failed;
    if (change.allocation != 0)
      add({ObjectKind::Allocation, change.allocation}, changed);
    else if (change.object)
      add(change.object, changed);
    else if (change.context != kNone)
      add({ObjectKind::Context, change.context}, changed);
  }
}

}  // namespace lab
