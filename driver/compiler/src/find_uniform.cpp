// SPDX-License-Identifier: MIT
// Uniformity: the numbers of the threads vary, and so do values that are computed from them, and values that
// depend on a branch that only some threads take.

// An example:
//   before:
//     ld.param.u32 %r1, [n];
//     setp.eq.u32 %p1, %r1, 0;
//     @%p1 bra done;
//     bar.sync 0;
//     done:
//     ret;
//   after:
//     define internal i32 @slice0(…
//     …
//     br i1 %p1, label %done, label %next

#include "uniform.hpp"

#include <algorithm>

namespace compiler {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Special;

bool warps_in_rows(const std::array<std::uint32_t, 3>& shape) {
  return shape[0] % 32 == 0 || shape[1] * shape[2] == 1;
}

Uniformity::Uniformity(const Program& program, const std::array<std::uint32_t, 3>& shape)
    : program_(program),
      shape_(shape),
      warps_in_rows_(warps_in_rows(shape)),
      varies_(program.kernel.registers.size()),
      parted_(program.kernel.body.size() + 1),
      thread_x_(program.kernel.registers.size()) {
  std::vector<unsigned> writes(varies_.size());
  for (const Instruction& in : program.kernel.body)
    for (const std::uint32_t reg : effects_of(in).writes) ++writes[reg];
  for (const Instruction& in : program.kernel.body) {
    if (in.opcode != Opcode::Mov || in.guarded || in.operands[0].kind != Operand::Kind::Register) continue;
    const Operand& from = in.operands[1];
    if (from.kind == Operand::Kind::Special && from.special == Special::TidX &&
        writes[in.operands[0].reg] == 1)
      thread_x_[in.operands[0].reg] = true;
  }
  find_blocks();
  find_meeting_points();
  while (follow()) {
  }
  for (std::uint32_t i = 0; i < program.kernel.body.size(); ++i)
    if (program.stops[i] && (parted_[i] || parts(i))) together_ = false;
}

void Uniformity::find_blocks() {
  const ptx::Function& kernel = program_.kernel;
  const auto size = static_cast<std::uint32_t>(kernel.body.size());
  std::set<std::uint32_t> starts{0};
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::vector<std::uint32_t> next = successors(kernel, i);
    if (next.size() == 1 && next[0] == i + 1 && !kernel.body[i].guarded) continue;
    starts.insert(next.begin(), next.end());
    starts.insert(i + 1);
  }
  starts.erase(size);
  starts_.assign(starts.begin(), starts.end());
  for (std::uint32_t i = 0; i < starts_.size(); ++i) number_[starts_[i]] = i;
  const auto end = static_cast<std::uint32_t>(starts_.size());
  number_[size] = end;
  for (std::uint32_t i = 0; i < end; ++i) {
    const std::uint32_t last = (i + 1 < end ? starts_[i + 1] : size) - 1;
    std::vector<std::uint32_t> next;
    for (const std::uint32_t to : successors(kernel, last)) next.push_back(number_.at(to));
    const Opcode opcode = kernel.body[last].opcode;
    const bool ends = opcode == Opcode::Ret || opcode == Opcode::Exit || opcode == Opcode::Trap ||
                      opcode == Opcode::Brkpt || kernel.body[last].callee == "__assertfail";
    if (ends || next.empty()) next.push_back(end);
    next_.push_back(std::move(next));
  }
}

// Immediate postdominators, by the iteration of Cooper, Harvey and Kennedy on the reversed graph. What cannot
// reach the end meets there.
void Uniformity::find_meeting_points() {
  const auto end = static_cast<std::uint32_t>(starts_.size());
  std::vector<std::vector<std::uint32_t>> before(end + 1);
  for (std::uint32_t i = 0; i < end; ++i)
    for (const std::uint32_t to : next_[i]) before[to].push_back(i);
  std::vector<std::uint32_t> order, rank(end + 1, 0);  // postorder of the reversed graph
  std::vector<std::pair<std::uint32_t, std::size_t>> open{{end, 0}};
  std::vector<bool> seen(end + 1);
  seen[end] = true;
  while (!open.empty()) {
    auto& [node, edge] = open.back();
    if (edge == before[node].size()) {
      rank[node] = static_cast<std::uint32_t>(order.size());
      order.push_back(node);
      open.pop_back();
      continue;
    }
    const std::uint32_t to = before[node][edge++];
    if (seen[to]) continue;
    seen[to] = true;
    open.emplace_back(to, 0);
  }
  constexpr std::uint32_t kUnknown = 0xffffffff;
  meets_.assign(end + 1, kUnknown);
  meets_[end] = end;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
      if (*node == end) continue;
      std::uint32_t best = kUnknown;
      for (std::uint32_t to : next_[*node]) {
        if (meets_[to] == kUnknown) continue;
        if (best == kUnknown) {
          best = to;
          continue;
        }
        std::uint32_t a = to, b = best;
        while (a != b) {
          while (rank[a] < rank[b]) a = meets_[a];
          while (rank[b] < rank[a]) b = meets_[b];
        }
        best = a;
      }
      if (best != meets_[*node]) {
        meets_[*node] = best;
        changed = true;
      }
    }
  }
  for (std::uint32_t& meets : meets_)
    if (meets == kUnknown) meets = end;
}

std::uint32_t Uniformity::meeting_point(std::uint32_t branch) const {
  const auto block = std::prev(number_.upper_bound(branch))->second;
  const std::uint32_t meets = meets_[block];
  return meets < starts_.size() ? starts_[meets] : static_cast<std::uint32_t>(program_.kernel.body.size());
}

bool Uniformity::is_thread_x(const Operand& operand) const {
  if (operand.kind == Operand::Kind::Special) return operand.special == Special::TidX;
  return operand.kind == Operand::Kind::Register && !operand.negated && thread_x_[operand.reg];
}

// Of a warp that lies in a row: x divided by 32 or more, and comparisons at its edges.
bool Uniformity::is_same_for_a_warp(const Instruction& in) const {
  if (!program_.by_warps || !warps_in_rows_ || in.operands.size() < 3 || in.types.empty()) return false;
  const Operand& by = in.operands[2];
  if (!is_thread_x(in.operands[1]) || by.kind != Operand::Kind::Immediate || ptx::size_of(in.types[0]) != 4)
    return false;
  switch (in.opcode) {
    case Opcode::Shr:
      return by.bits >= 5;
    case Opcode::Div:
      return by.bits != 0 && by.bits % 32 == 0;
    case Opcode::Setp:
      if (in.operands.size() > 3 || in.operands[0].kind != Operand::Kind::Register) return false;
      if (in.compare == ptx::Compare::Lt || in.compare == ptx::Compare::Ge) return by.bits % 32 == 0;
      if (in.compare == ptx::Compare::Le || in.compare == ptx::Compare::Gt) return by.bits % 32 == 31;
      return false;
    default:
      return false;
  }
}

bool Uniformity::special_varies(Special special) const {
  switch (special) {
    case Special::TidX:
      return shape_[0] > 1;
    case Special::TidY:
      return shape_[1] > 1 && !(program_.by_warps && shape_[0] % 32 == 0);
    case Special::TidZ:
      return shape_[2] > 1 && !(program_.by_warps && shape_[0] % 32 == 0);
    case Special::Warpid:
      return !program_.by_warps;
    case Special::NtidX:
    case Special::NtidY:
    case Special::NtidZ:
    case Special::CtaidX:
    case Special::CtaidY:
    case Special::CtaidZ:
    case Special::NctaidX:
    case Special::NctaidY:
    case Special::NctaidZ:
    case Special::Warpsize:
    case Special::Environment:
    case Special::DynamicSharedSize:
    case Special::TotalSharedSize:
      return false;
    default:
      return special < Special::ClusterCtaidX || special > Special::IsExplicitCluster;
  }
}

bool Uniformity::operand_varies(const Operand& operand) const {
  switch (operand.kind) {
    case Operand::Kind::Register:
      return varies_[operand.reg];
    case Operand::Kind::Special:
      return special_varies(operand.special);
    case Operand::Kind::Address:
      if (operand.has_reg && varies_[operand.reg]) return true;
      [[fallthrough]];
    case Operand::Kind::Vector:
      return std::any_of(operand.parts.begin(), operand.parts.end(),
                         [&](const Operand& part) { return operand_varies(part); });
    default:
      return false;
  }
}

bool Uniformity::result_varies(const Instruction& in) const {
  if (in.guarded && varies_[in.guard]) return true;
  if (is_warp_stop(in.opcode) || is_barrier(in.opcode) || in.opcode == Opcode::Atom || in.carry_out ||
      in.opcode == Opcode::Addc || in.opcode == Opcode::Subc || in.opcode == Opcode::Madc ||
      in.opcode == Opcode::Suld)
    return true;
  if (in.opcode == Opcode::Ld) {
    if (in.space != ptx::Space::Param || in.operands[1].has_reg) return true;
    const auto& parameters = program_.kernel.parameters;
    return std::none_of(parameters.begin(), parameters.end(), [&](const ptx::Parameter& parameter) {
      return parameter.name == in.operands[1].name;
    });
  }
  if (is_same_for_a_warp(in)) return false;
  for (std::size_t i = 1; i < in.operands.size(); ++i) {
    // A variable's address is the thread's own for .local and .param.
    const Operand& operand = in.operands[i];
    if (operand.kind == Operand::Kind::Symbol) {
      for (const ptx::Variable& variable : program_.kernel.locals)
        if (variable.name == operand.name && variable.space != ptx::Space::Shared) return true;
    }
    if (operand_varies(operand)) return true;
  }
  return false;
}

bool Uniformity::parts(std::uint32_t branch) const {
  const Instruction& in = program_.kernel.body[branch];
  if (in.opcode == Opcode::Brx) return operand_varies(in.operands[0]);
  return in.guarded && varies_[in.guard];
}

// Everything between a branch that some take and the place where all are again.
bool Uniformity::part(std::uint32_t branch) {
  const ptx::Function& kernel = program_.kernel;
  const auto size = static_cast<std::uint32_t>(kernel.body.size());
  const std::uint32_t meets = meeting_point(branch);
  std::vector<std::uint32_t> open = successors(kernel, branch);
  std::set<std::uint32_t> seen;
  bool changed = false;
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    if (at >= size || at == meets || !seen.insert(at).second) continue;
    changed = changed || !parted_[at];
    parted_[at] = true;
    const std::vector<std::uint32_t> next = successors(kernel, at);
    open.insert(open.end(), next.begin(), next.end());
  }
  return changed;
}

bool Uniformity::follow() {
  bool changed = false;
  const ptx::Function& kernel = program_.kernel;
  for (std::uint32_t i = 0; i < kernel.body.size(); ++i) {
    const Instruction& in = kernel.body[i];
    const bool varies = parted_[i] || result_varies(in);
    for (const std::uint32_t reg : effects_of(in).writes) {
      if (!varies || varies_[reg]) continue;
      varies_[reg] = true;
      changed = true;
    }
    const bool is_branch = in.opcode == Opcode::Bra || in.opcode == Opcode::Brx || in.opcode == Opcode::Ret ||
                           in.opcode == Opcode::Exit || in.opcode == Opcode::Trap ||
                           in.callee == "__assertfail";
    if (is_branch && parts(i)) changed = part(i) || changed;
  }
  return changed;
}

std::optional<Uniformity> find_uniform(const Program& program, const std::array<std::uint32_t, 3>& shape) {
  std::optional<Uniformity> uniform;
  uniform.emplace(program, shape);
  if (!uniform->keeps_groups_together() || (program.by_warps && !warps_in_rows(shape))) uniform.reset();
  return uniform;
}

}  // namespace compiler
