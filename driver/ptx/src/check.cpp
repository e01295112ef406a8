// SPDX-License-Identifier: MIT
// See check.hpp. Mistakes are reported in the words of NVIDIA's assembler. The letters with which rules.cpp
// describes operands are read here.
#include "check.hpp"

#include <algorithm>

#include "ptx/texture.hpp"
#include "rules.hpp"

namespace ptx {
namespace {

enum class Kind { Predicate, Bits, Integer, Float };

Kind kind_of(Type type) {
  switch (type) {
    case Type::Pred:
      return Kind::Predicate;
    case Type::None:
    case Type::B8:
    case Type::B16:
    case Type::B32:
    case Type::B64:
    case Type::F16x2:
    case Type::Bf16x2:
      return Kind::Bits;
    case Type::F16:
    case Type::F32:
    case Type::F64:
    case Type::Bf16:
      return Kind::Float;
    default:
      return Kind::Integer;
  }
}

bool compatible(Type declared, Type wanted, bool wider) {
  const Kind a = kind_of(declared), b = kind_of(wanted);
  if (a == Kind::Predicate || b == Kind::Predicate) return a == b;
  if (wider ? size_of(declared) < size_of(wanted) : size_of(declared) != size_of(wanted)) return false;
  return a == Kind::Bits || b == Kind::Bits || a == b || wider;
}

Type type_of(Special special) {
  if (special == Special::IsExplicitCluster) return Type::Pred;
  const bool wide =
      special == Special::Clock64 || special == Special::Globaltimer || special == Special::Gridid;
  return wide ? Type::U64 : Type::U32;
}

Type doubled(Type type) {
  switch (type) {
    case Type::U16:
      return Type::U32;
    case Type::S16:
      return Type::S32;
    case Type::U32:
      return Type::U64;
    default:
      return Type::S64;
  }
}

// What of an instruction has to do with clusters, as the assembler calls it.
std::vector<std::string> cluster_features(const Instruction& in) {
  std::vector<std::string> features;
  if (in.opcode == Opcode::ClusterArrive || in.opcode == Opcode::ClusterWait || in.opcode == Opcode::Mapa ||
      in.opcode == Opcode::Getctarank)
    features.push_back(shown_name(in));
  if (in.of_cluster) features.emplace_back("::cluster");
  static constexpr const char* kNames[] = {"%cluster_ctaid", "%cluster_nctaid", "%clusterid", "%nclusterid"};
  for (const Operand& operand : in.operands) {
    if (operand.kind != Operand::Kind::Special || operand.special < Special::ClusterCtaidX ||
        operand.special > Special::IsExplicitCluster)
      continue;
    const auto number =
        static_cast<unsigned>(operand.special) - static_cast<unsigned>(Special::ClusterCtaidX);
    features.emplace_back(operand.special == Special::ClusterCtarank      ? "%cluster_ctarank"
                          : operand.special == Special::ClusterNctarank   ? "%cluster_nctarank"
                          : operand.special == Special::IsExplicitCluster ? "%is_explicit_cluster"
                                                                          : kNames[number / 3]);
  }
  return features;
}

}  // namespace

bool Checks::fits(const Function& function, const Operand& operand, Type type, bool wider) const {
  switch (operand.kind) {
    case Operand::Kind::Register:
      return operand.reg < function.register_types.size() &&
             compatible(function.register_types[operand.reg], type, wider);
    case Operand::Kind::Immediate: {
      const bool real = operand.float_literal || operand.single_literal;
      const Kind kind = kind_of(type);
      return kind == Kind::Bits || real == (kind == Kind::Float);
    }
    case Operand::Kind::Special:
      return compatible(type_of(operand.special), type, wider);
    case Operand::Kind::Symbol: {
      const bool known = !unknown_.has(operand.name);
      return known && kind_of(type) != Kind::Float && kind_of(type) != Kind::Predicate && size_of(type) >= 4;
    }
    case Operand::Kind::Sink:
      return true;
    default:
      return false;
  }
}

// The parts of a vector, each of `type`.
bool Checks::fits_parts(const Function& function, const Operand& operand, Type type, unsigned lanes) const {
  return operand.kind == Operand::Kind::Vector && operand.parts.size() == lanes &&
         std::all_of(operand.parts.begin(), operand.parts.end(),
                     [&](const Operand& part) { return fits(function, part, type, true); });
}

// ld, st, atom, red: values may be wider than what is in memory; the address has to exist, and in this space.
void Checks::check_memory(const Function& function, const Instruction& in) {
  const auto mismatch = [&] { errors_.add(in.line, "Arguments mismatch for instruction '" + in.root + "'"); };
  const bool loads = in.opcode == Opcode::Ld, stores = in.opcode == Opcode::St;
  const std::size_t at = stores || in.opcode == Opcode::Red ? 0 : 1;
  if (in.operands.size() < 2 || in.operands[at].kind != Operand::Kind::Address) return mismatch();
  const Operand& address = in.operands[at];
  if (in.opcode == Opcode::Ld && in.operands[0].kind == Operand::Kind::Symbol) return mismatch();
  if (!address.has_reg && !address.name.empty()) {
    if (unknown_.has(address.name))
      return errors_.add(in.line, "Illegal operand type to instruction '" + in.root + "'");
    Space space = Space::Generic;
    if (const Variable* known = names_.find_variable(address.name); known != nullptr) space = known->space;
    for (const Variable& variable : function.locals)
      space = variable.name == address.name ? variable.space : space;
    if (space != Space::Generic && in.space != Space::Generic && space != in.space)
      return errors_.add(
          in.line, "State space mismatch between instruction and address in instruction '" + in.root + "'");
  } else if (address.has_reg) {
    const Type type = function.register_types[address.reg];
    if (kind_of(type) == Kind::Float || kind_of(type) == Kind::Predicate || size_of(type) < 4)
      return mismatch();
    if (size_of(type) == 4 && in.space != Space::Shared && in.space != Space::Local &&
        in.space != Space::Param)
      names_.use_short_addresses();
  }
  if (!loads && !stores) {
    for (std::size_t i = 0; i < in.operands.size(); ++i) {
      if (i == at || in.lanes > 1) continue;
      if (!fits(function, in.operands[i], in.types[0], false)) return mismatch();
    }
    const std::size_t values = in.atomic == AtomicOp::Cas ? 2 : 1;
    if (in.operands.size() < at + 1 + values) mismatch();
    return;
  }
  const Operand& value = in.operands[1 - at];
  const bool vector = value.kind == Operand::Kind::Vector && !value.pair;
  const auto sizes = [&] {
    errors_.add(in.line, "Argument vector size mismatch for instruction '" + in.root + "'");
  };
  if (in.lanes > 1 && !vector) {
    errors_.add(in.line, "Result vector expected");
    sizes();
    return sizes();
  }
  if (vector && value.parts.size() != in.lanes) {
    if (value.parts.size() == 3) {
      errors_.add(in.line, "Illegal vector size: 3");
      sizes();
    }
    return sizes();
  }
  if (vector ? !fits_parts(function, value, in.types[0], in.lanes)
             : !fits(function, value, in.types[0], true))
    mismatch();
}

// mov packs and unpacks, takes addresses, and reads what cannot be written.
void Checks::check_move(const Function& function, const Instruction& in) {
  const auto mismatch = [&] { errors_.add(in.line, "Arguments mismatch for instruction 'mov'"); };
  if (in.operands.size() != 2) return mismatch();
  const Operand& to = in.operands[0];
  const Operand& from = in.operands[1];
  if (to.kind == Operand::Kind::Special)
    return errors_.add(in.line, "Read-only special register cannot be destination argument");
  if (to.kind == Operand::Kind::Immediate || to.kind == Operand::Kind::Address)
    return errors_.add(in.line, "Result register required for instruction 'mov'");
  const auto whole = [&](const Operand& vector, const Operand& other) {
    unsigned bytes = 0;
    for (const Operand& part : vector.parts) {
      if (part.kind == Operand::Kind::Register)
        bytes += size_of(function.register_types[part.reg]);
      else
        return fits(function, other, in.types[0], false);  // numbers and sinks take any size
    }
    return bytes == size_of(in.types[0]) && fits(function, other, in.types[0], false);
  };
  if (to.kind == Operand::Kind::Vector && from.kind == Operand::Kind::Vector)
    return to.parts.size() == from.parts.size() ? void() : mismatch();
  if (to.kind == Operand::Kind::Vector) return whole(to, from) ? void() : mismatch();
  if (from.kind == Operand::Kind::Vector) return whole(from, to) ? void() : mismatch();
  const bool literal = in.types[0] == Type::Pred && from.kind == Operand::Kind::Immediate;
  if (!fits(function, to, in.types[0], false) || (!literal && !fits(function, from, in.types[0], false)))
    mismatch();
}

// tex, suld and their like: the object is in a register of 64 bits, and there is a value for each coordinate.
void Checks::check_texture(const Function& function, const Instruction& in) {
  const auto mismatch = [&] { errors_.add(in.line, "Arguments mismatch for instruction '" + in.root + "'"); };
  const bool stores = in.opcode == Opcode::Sust;
  const bool query = in.opcode == Opcode::Txq || in.opcode == Opcode::Suq;
  const std::size_t levels = in.sampling == Sampling::Gradient ? 2 : in.sampling == Sampling::Level ? 1 : 0;
  if (in.operands.size() != 2 + levels) return mismatch();
  const Operand& object = in.operands[stores ? 0 : 1];
  const Operand& data = in.operands[stores ? 1 : 0];
  if (object.kind != Operand::Kind::Address || object.parts.size() != (query ? 0U : 1U)) return mismatch();
  if (!object.has_reg) {
    return errors_.add(in.line, "A texture or surface by its name is not supported by the embedded driver",
                       true);
  }
  if (size_of(function.register_types[object.reg]) != 8) return mismatch();
  const auto numbers = [](const Operand& operand) {
    return operand.kind == Operand::Kind::Vector ? operand.parts.size() : std::size_t{1};
  };
  if (!query && numbers(object.parts[0]) < coordinates_of(in.geometry)) return mismatch();
  for (std::size_t i = 2; in.sampling == Sampling::Gradient && i < 4; ++i) {
    if (numbers(in.operands[i]) < gradient_of(in.geometry)) return mismatch();
  }
  const bool texture = in.opcode == Opcode::Tex || in.opcode == Opcode::Tld4;
  if (numbers(data) != in.lanes || (texture && in.lanes != 4)) return mismatch();
  const bool good = in.lanes > 1 ? fits_parts(function, data, in.types[0], in.lanes)
                                 : fits(function, data, in.types[0], true);
  if (!good) mismatch();
}

bool Checks::can_use_clusters(const Instruction& in) {
  constexpr std::pair kFirstVersion(7, 8);
  constexpr int kFirstTarget = 90;
  const Module& module = names_.module();
  const bool old_version = std::pair(module.version_major, module.version_minor) < kFirstVersion;
  const bool old_target = module.target_number < kFirstTarget;
  if (!old_version && !old_target) return true;
  const std::vector<std::string> features = cluster_features(in);
  for (const std::string& feature : features) {
    const std::string front = "Feature '" + feature + "' requires ";
    if (old_version) errors_.add(in.line, front + "PTX ISA .version 7.8 or later");
    if (old_target) errors_.add(in.line, front + ".target sm_90 or higher");
  }
  return features.empty();
}

void Checks::check(const Function& function, const Instruction& in) {
  if (!can_use_clusters(in)) return;
  if (in.opcode == Opcode::Mov) return check_move(function, in);
  const bool memory = in.opcode == Opcode::Ld || in.opcode == Opcode::St || in.opcode == Opcode::Atom ||
                      in.opcode == Opcode::Red;
  if (memory) return check_memory(function, in);
  if (in.opcode >= Opcode::Tex && in.opcode <= Opcode::Suq) return check_texture(function, in);
  if (in.opcode == Opcode::Shfl && !in.warp_mask &&
      (names_.module().version_major > 6 ||
       (names_.module().version_major == 6 && names_.module().version_minor >= 4)) &&
      names_.module().target_number >= 70) {
    return errors_.add(
        in.line,
        "Instruction 'shfl' without '.sync' is not supported on .target sm_70 and higher from PTX ISA "
        "version 6.4");
  }
  if (in.opcode == Opcode::Redux && names_.module().target_number < 80)
    return errors_.add(in.line, "Feature 'redux' requires .target sm_80 or higher");
  check_operands(function, in);
}

void Checks::check_operands(const Function& function, const Instruction& in) {
  const std::string& name = shown_name(in);
  const auto mismatch = [&] { errors_.add(in.line, "Arguments mismatch for instruction '" + name + "'"); };
  const std::string_view pattern = find_rule(in.root)->operands;
  const std::size_t slash = std::min(pattern.find('/'), pattern.size());
  std::string letters(pattern);
  std::erase(letters, '/');
  // Without .sync there is no mask; with it there has to be one.
  const bool warp = in.opcode == Opcode::Shfl || in.opcode == Opcode::Vote;
  const std::size_t least = warp && in.warp_mask ? letters.size() : slash;
  if (in.operands.size() < least || in.operands.size() > letters.size()) return mismatch();
  if ((in.opcode == Opcode::Bar || in.opcode == Opcode::BarArrive) && in.operands.empty()) return mismatch();
  if ((in.opcode == Opcode::ClusterArrive || in.opcode == Opcode::ClusterWait) && !in.operands.empty())
    return mismatch();
  if (in.opcode == Opcode::Bra && in.operands[0].kind != Operand::Kind::Label)
    return errors_.add(in.line, "Label expected for argument 0 of instruction 'bra'");
  if (in.opcode == Opcode::Bar && in.operands[0].kind == Operand::Kind::Immediate && in.operands[0].bits > 15)
    return errors_.add(in.line, "Barrier number '" + std::to_string(in.operands[0].bits) +
                                    "' out of range, expected to be in range [0..15]");
  if (in.opcode == Opcode::Bar && in.operands.size() > 1 && in.operands[1].kind == Operand::Kind::Immediate &&
      in.operands[1].bits % 32 != 0)
    return errors_.add(in.line,
                       "Number of threads participating in barrier must be in multiple of warp size");
  const Type type = in.types.empty() ? Type::B32 : in.types[0];
  for (std::size_t i = 0; i < in.operands.size(); ++i) {
    const Operand& operand = in.operands[i];
    bool good = true;
    switch (letters[i]) {
      case 'd':
        good = fits(function, operand, in.wide ? doubled(type) : type, false) &&
               operand.kind != Operand::Kind::Immediate;
        break;
      case 't':
        good = fits(function, operand, in.wide && i == 3 ? doubled(type) : type, false) ||
               (type == Type::Pred && operand.kind == Operand::Kind::Immediate);
        break;
      case 's':
        good = fits(function, operand, in.types.size() > 1 ? in.types[1] : type, false);
        break;
      case 'r':
      case 'u':
        good = fits(function, operand, Type::B32, false);
        break;
      case 'P':
      case 'p':
        good = fits(function, operand, Type::Pred, false) || operand.kind == Operand::Kind::Immediate;
        break;
      case 'a':
        good = operand.kind == Operand::Kind::Address;
        break;
      default:
        break;
    }
    if (in.opcode == Opcode::Cvt && i < 2 && operand.kind != Operand::Kind::Vector)
      good = fits(function, operand, in.types[i], true) || operand.kind == Operand::Kind::Immediate;
    if (in.opcode == Opcode::Setp && i == 0) {
      good = operand.pair ? fits_parts(function, operand, Type::Pred, 2)
                          : fits(function, operand, Type::Pred, false);
    }
    if ((in.opcode == Opcode::Bar || in.opcode == Opcode::BarArrive) &&
        operand.kind == Operand::Kind::Register)
      good = fits(function, operand, Type::B32, false);
    if (operand.negated && letters[i] != 'p' && type != Type::Pred && in.opcode != Opcode::BarRed) {
      errors_.add(in.line, "Illegal argument to predicate negation");
      good = false;
    }
    if (!good) return mismatch();
  }
}

}  // namespace ptx
