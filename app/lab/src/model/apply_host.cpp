// SPDX-License-Identifier: MIT
// Host memory that copies name. An address that belongs to nothing known is the program's own memory: what
// the driver made or pinned is followed from the call that made it.
#include "lab/copy.hpp"
#include "model/apply.hpp"

namespace lab {

void name_host_memory(Step& step) {
  const auto copy = copy_of(step.event);
  if (!copy) return;
  for (const CopyEnd& end : {copy->from, copy->to}) {
    if (end.side != CopyEnd::Side::Host && end.side != CopyEnd::Side::Any) continue;
    if (end.address == 0 || end.span == 0 || end.address + end.span < end.address) continue;
    if (step.ledger.host().holds(end.address, end.span)) continue;
    if (step.ledger.holding(end.address)) continue;
    if (end.side == CopyEnd::Side::Any && step.ledger.variable_holding(end.address)) continue;
    step.ledger.change(HostChange{end.address, end.span, step.event.seq});
  }
}

void note_host_memory(Step& step) {
  if (!step.ledger.host().named) step.ledger.change(HostChange{0, 0, step.event.seq});
}

}  // namespace lab
