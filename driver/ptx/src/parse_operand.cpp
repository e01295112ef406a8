// SPDX-License-Identifier: MIT
// See parse_operand.hpp.
#include "parse_operand.hpp"

#include <algorithm>
#include <cstdlib>

#include "constants.hpp"

namespace ptx {
namespace {

struct SpecialName {
  std::string_view text;
  Special special;
};
constexpr SpecialName kSpecials[] = {{"%laneid", Special::Laneid},
                                     {"%warpid", Special::Warpid},
                                     {"%nwarpid", Special::Nwarpid},
                                     {"WARP_SZ", Special::Warpsize},
                                     {"%smid", Special::Smid},
                                     {"%nsmid", Special::Nsmid},
                                     {"%gridid", Special::Gridid},
                                     {"%lanemask_eq", Special::LanemaskEq},
                                     {"%lanemask_le", Special::LanemaskLe},
                                     {"%lanemask_lt", Special::LanemaskLt},
                                     {"%lanemask_ge", Special::LanemaskGe},
                                     {"%lanemask_gt", Special::LanemaskGt},
                                     {"%clock", Special::Clock},
                                     {"%clock_hi", Special::ClockHi},
                                     {"%clock64", Special::Clock64},
                                     {"%globaltimer", Special::Globaltimer},
                                     {"%globaltimer_lo", Special::GlobaltimerLo},
                                     {"%globaltimer_hi", Special::GlobaltimerHi},
                                     {"%dynamic_smem_size", Special::DynamicSharedSize},
                                     {"%total_smem_size", Special::TotalSharedSize},
                                     {"%aggr_smem_size", Special::TotalSharedSize},
                                     {"%cluster_ctarank", Special::ClusterCtarank},
                                     {"%cluster_nctarank", Special::ClusterNctarank},
                                     {"%is_explicit_cluster", Special::IsExplicitCluster}};
// With fields .x, .y, .z.
constexpr SpecialName kVectors[] = {{"%tid", Special::TidX},
                                    {"%ntid", Special::NtidX},
                                    {"%ctaid", Special::CtaidX},
                                    {"%nctaid", Special::NctaidX},
                                    {"%cluster_ctaid", Special::ClusterCtaidX},
                                    {"%cluster_nctaid", Special::ClusterNctaidX},
                                    {"%clusterid", Special::ClusteridX},
                                    {"%nclusterid", Special::NclusteridX}};

}  // namespace

// [base], [base+offset], [number]
Operand OperandReader::address() {
  Operand operand;
  operand.kind = Operand::Kind::Address;
  const int line = text_.expect("[").line;
  if (text_.peek().kind != Token::Kind::Name) {
    operand.offset = constant(text_, errors_);
  } else {
    const Token base = text_.take();
    operand.has_reg = scopes_.find_register(base.text, operand.reg);
    if (!operand.has_reg) {
      const Symbol* symbol = scopes_.find_symbol(base.text);
      if (symbol == nullptr) unknown_.add(base.text);
      operand.name = symbol != nullptr ? symbol->name : std::string(base.text);
    }
    if (text_.accept("+") || text_.at("-")) operand.offset = constant(text_, errors_);
  }
  while (text_.at(",") && text_.peek().line == line) {
    text_.take();
    operand.parts.push_back(read());
  }
  text_.expect("]");
  return operand;
}

Operand OperandReader::special_operand(const Token& word) {
  Operand operand;
  const std::size_t dot = word.text.find('.');
  const std::string_view base = word.text.substr(0, dot);
  for (const SpecialName& known : kVectors) {
    if (base != known.text) continue;
    operand.kind = Operand::Kind::Special;
    const std::size_t field =
        dot == std::string_view::npos ? 4 : std::string_view("xyzw").find(word.text.substr(dot + 1));
    if (field == 3) return immediate(base[1] == 'n' ? 1 : 0);
    operand.special = static_cast<Special>(static_cast<unsigned>(known.special) + (field < 3 ? field : 0));
    if (field < 3) return operand;
    errors_.add(word.line, "Argument vector size mismatch for instruction 'mov'");
    return operand;
  }
  for (const SpecialName& known : kSpecials) {
    if (word.text != known.text) continue;
    operand.kind = Operand::Kind::Special;
    operand.special = known.special;
    return operand;
  }
  if (base.substr(0, 7) == "%envreg" && base.size() > 7) {
    operand.kind = Operand::Kind::Special;
    operand.special = Special::Environment;
    operand.reg =
        static_cast<std::uint32_t>(std::min(31, std::max(0, std::atoi(std::string(base.substr(7)).c_str()))));
  }
  return operand;
}

// A register declared with .v2 or .v4, used as a whole.
Operand OperandReader::vector_register(const Token& word) {
  Operand operand;
  for (const std::uint32_t reg : scopes_.find_vector(word.text)) {
    Operand part;
    part.kind = Operand::Kind::Register;
    part.reg = reg;
    operand.kind = Operand::Kind::Vector;
    operand.parts.push_back(part);
  }
  return operand;
}

Operand OperandReader::pair_operand(Operand first) {
  if (!text_.accept("|")) return first;
  Operand pair;
  pair.kind = Operand::Kind::Vector;
  pair.pair = true;
  pair.parts.push_back(std::move(first));
  pair.parts.push_back(read());
  return pair;
}

// name[n], name[register], name[register+n]: the place of an element, counted in elements.
Operand OperandReader::element_operand(Operand array, std::uint64_t size) {
  const int line = text_.expect("[").line;
  if (size == 0) errors_.add(line, "Array indexing on non-array");
  array.element = size != 0 ? size : kNotAnArray;
  std::uint64_t index = 0;
  if (text_.peek().kind == Token::Kind::Name && scopes_.find_register(text_.peek().text, array.reg)) {
    text_.take();
    array.has_reg = true;
    if (text_.accept("+")) index = static_cast<std::uint64_t>(constant(text_, errors_));
  } else if (text_.peek().float_literal || text_.peek().single_literal) {
    errors_.add(text_.take().line, "Integer constant expression expected");
  } else {
    index = static_cast<std::uint64_t>(constant(text_, errors_));
  }
  text_.expect("]");
  if (size != 0) array.offset = static_cast<std::int64_t>(index * size);
  return array;
}

Operand OperandReader::named_operand(const Token& word, bool negated) {
  Operand operand;
  if (word.text == "_") return pair_operand(operand);
  if (scopes_.find_register(word.text, operand.reg)) {
    operand.kind = Operand::Kind::Register;
    if (text_.at("[")) return element_operand(operand, 0);
    operand.negated = negated;
    return pair_operand(operand);
  }
  if (Operand special = special_operand(word); special.kind != Operand::Kind::Sink) return special;
  if (Operand vector = vector_register(word); vector.kind == Operand::Kind::Vector) return vector;
  operand.kind = Operand::Kind::Symbol;
  if (const Symbol* symbol = scopes_.find_symbol(word.text)) {
    operand.name = symbol->name;
    if (text_.at("[")) return element_operand(operand, symbol->element);
    if (text_.accept("+") || text_.at("-")) operand.offset = constant(text_, errors_);
    return operand;
  }
  const std::size_t dot = word.text.find('.');
  if (dot != std::string_view::npos)
    errors_.add(word.line, "Unknown field '" + std::string(word.text.substr(dot)) + "'");
  operand.name = word.text.substr(0, dot);
  unknown_.add(operand.name);
  return pair_operand(operand);
}

Operand OperandReader::read() {
  const Cursor::Nested nested(text_);
  if (text_.at("[")) return address();
  if (text_.accept("{")) {
    Operand operand;
    operand.kind = Operand::Kind::Vector;
    do operand.parts.push_back(read());
    while (text_.accept(","));
    text_.expect("}");
    return operand;
  }
  const bool negated = text_.at("!") && text_.peek(1).kind == Token::Kind::Name;
  if (negated) text_.take();
  if (text_.peek().kind == Token::Kind::Name && text_.peek().text != "WARP_SZ")
    return named_operand(text_.take(), negated);
  return literal(text_, errors_);
}

}  // namespace ptx
