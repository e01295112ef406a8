// SPDX-License-Identifier: MIT
// Fuses products and sums that name no rounding into one operation, as NVIDIA's compiler does.
//
// Compared with the output of ptxas 13.0 for the same text: mul and add or sub without .rn, with the same
// type and .ftz, become fma.rn if every use of the product is such a sum; of two products, the first one is
// fused.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "passes.hpp"

namespace ptx {
namespace {

constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

bool contracts(const Instruction& in, std::size_t operands) {
  return in.rounding == Rounding::Default && in.types.size() == 1 && in.operands.size() == operands &&
         in.operands[0].kind == Operand::Kind::Register && !in.relu && !in.approximate &&
         (in.types[0] == Type::F16 || in.types[0] == Type::F16x2 || in.types[0] == Type::F32 ||
          in.types[0] == Type::F64);
}
bool is_product(const Instruction& in) {
  return in.opcode == Opcode::Mul && !in.guarded && !in.saturate && contracts(in, 3);
}
bool is_sum(const Instruction& in) {
  return (in.opcode == Opcode::Add || in.opcode == Opcode::Sub) && contracts(in, 3);
}

template <class Visit>
void each_register(const Operand& operand, Visit visit) {
  if (operand.kind == Operand::Kind::Register || operand.has_reg) visit(operand.reg);
  for (const Operand& part : operand.parts) each_register(part, visit);
}

class Contraction {
 public:
  explicit Contraction(Function& function) : function_(function) {}

  void run() {
    find_products();
    if (!any_) return;
    last_write_.assign(function_.registers.size(), 0);
    for (std::uint32_t i = 0; i < function_.body.size(); ++i) look_at_uses(i);
    for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
      Instruction& in = function_.body[i];
      if (const std::optional<unsigned> which = product_in(in)) contract(i, in, *which);
    }
    put_before(function_, std::move(before_));
  }

 private:
  // Registers that are written once, by a product.
  void find_products() {
    product_.assign(function_.registers.size(), kNowhere);
    std::vector<bool> written(function_.registers.size());
    is_target_.assign(function_.body.size() + 1, false);
    for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
      const Instruction& in = function_.body[i];
      if (in.opcode == Opcode::Bra) is_target_[in.target] = true;
      for (const std::uint32_t target : in.targets) is_target_[target] = true;
      if (in.operands.empty()) continue;
      each_register(in.operands[0], [&](std::uint32_t reg) {
        product_[reg] = !written[reg] && is_product(in) ? i : kNowhere;
        written[reg] = true;
        any_ = any_ || product_[reg] != kNowhere;
      });
    }
  }

  // Only a product that goes into sums alone is taken apart, and only where nothing can come between.
  void look_at_uses(std::uint32_t i) {
    if (is_target_[i]) last_target_ = i;
    const Instruction& in = function_.body[i];
    for (std::size_t each = 1; each < in.operands.size(); ++each) {
      each_register(in.operands[each], [&](std::uint32_t reg) {
        if (product_[reg] != kNowhere && !fits(in, each, reg)) product_[reg] = kNowhere;
      });
    }
    if (!in.operands.empty()) each_register(in.operands[0], [&](std::uint32_t reg) { last_write_[reg] = i; });
  }

  bool fits(const Instruction& in, std::size_t operand, std::uint32_t reg) const {
    const std::uint32_t at = product_[reg];
    const Instruction& product = function_.body[at];
    const Operand& as = in.operands[operand];
    if (!is_sum(in) || as.kind != Operand::Kind::Register || as.negated) return false;
    const Operand& other = in.operands[3 - operand];
    if (other.kind == Operand::Kind::Register && other.reg == reg) return false;
    if (in.types[0] != product.types[0] || in.flush != product.flush) return false;
    if (last_write_[reg] != at || last_target_ > at) return false;
    for (const std::size_t factor : {1U, 2U}) {
      bool changed = false;
      each_register(product.operands[factor],
                    [&](std::uint32_t used) { changed = changed || last_write_[used] > at || used == reg; });
      if (changed) return false;
    }
    return true;
  }

  std::optional<unsigned> product_in(const Instruction& in) const {
    if (!is_sum(in)) return std::nullopt;
    for (const unsigned each : {1U, 2U}) {
      const Operand& operand = in.operands[each];
      if (operand.kind == Operand::Kind::Register && product_[operand.reg] != kNowhere) return each;
    }
    return std::nullopt;
  }

  // The other sign of an operand, in a register of its own.
  Operand negative(std::uint32_t index, const Instruction& in, const Operand& operand) {
    Instruction made;
    made.root = "neg";
    made.opcode = Opcode::Neg;
    made.types = in.types;
    made.flush = in.flush;
    made.line = in.line;
    Operand result;
    result.kind = Operand::Kind::Register;
    result.reg = static_cast<std::uint32_t>(function_.registers.size());
    function_.registers.push_back("negative " + std::to_string(result.reg));  // no name of a text has a blank
    const Type type = function_.register_types[in.operands[0].reg];
    function_.register_types.push_back(type);
    product_.push_back(kNowhere);
    made.operands = {result, operand};
    before_[index].push_back(std::move(made));
    return result;
  }

  void contract(std::uint32_t index, Instruction& in, unsigned which) {
    const Instruction& product = function_.body[product_[in.operands[which].reg]];
    Operand a = product.operands[1], b = product.operands[2], c = in.operands[3 - which];
    if (in.opcode == Opcode::Sub && which == 1) c = negative(index, in, c);
    if (in.opcode == Opcode::Sub && which == 2) a = negative(index, in, a);
    in.root = "fma";
    in.opcode = Opcode::Fma;
    in.rounding = Rounding::Nearest;
    in.operands = {in.operands[0], std::move(a), std::move(b), std::move(c)};
  }

  Function& function_;
  bool any_ = false;
  std::vector<std::uint32_t> product_;  // by register: the instruction, if it may be taken apart
  std::vector<std::uint32_t> last_write_;
  std::uint32_t last_target_ = 0;
  std::vector<bool> is_target_;
  std::map<std::uint32_t, std::vector<Instruction>> before_;
};

}  // namespace

void contract_products(Module& module) {
  for (Function& function : module.functions) Contraction(function).run();
}

}  // namespace ptx
