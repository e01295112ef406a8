// SPDX-License-Identifier: MIT
// Reads the words of an instruction once into its fields, and reports mistakes in them, in the assembler's
// words and order. Operands are not checked here.
#include <algorithm>
#include <array>

#include "rules.hpp"

namespace ptx {
namespace {

template <class Value, std::size_t N>
bool find(const std::pair<std::string_view, Value> (&words)[N], std::string_view word, Value& value) {
  for (const auto& [text, meaning] : words) {
    if (text != word) continue;
    value = meaning;
    return true;
  }
  return false;
}

constexpr std::pair<std::string_view, Compare> kCompares[] = {
    {"eq", Compare::Eq},   {"ne", Compare::Ne},   {"lt", Compare::Lt},   {"le", Compare::Le},
    {"gt", Compare::Gt},   {"ge", Compare::Ge},   {"lo", Compare::Lt},   {"ls", Compare::Le},
    {"hi", Compare::Gt},   {"hs", Compare::Ge},   {"equ", Compare::Equ}, {"neu", Compare::Neu},
    {"ltu", Compare::Ltu}, {"leu", Compare::Leu}, {"gtu", Compare::Gtu}, {"geu", Compare::Geu},
    {"num", Compare::Num}, {"nan", Compare::Nan}};
constexpr std::pair<std::string_view, Combine> kCombines[] = {
    {"and", Combine::And}, {"or", Combine::Or}, {"xor", Combine::Xor}};
constexpr std::pair<std::string_view, AtomicOp> kAtomics[] = {
    {"add", AtomicOp::Add}, {"min", AtomicOp::Min}, {"max", AtomicOp::Max},   {"and", AtomicOp::And},
    {"or", AtomicOp::Or},   {"xor", AtomicOp::Xor}, {"exch", AtomicOp::Exch}, {"cas", AtomicOp::Cas},
    {"inc", AtomicOp::Inc}, {"dec", AtomicOp::Dec}};
constexpr std::pair<std::string_view, Space> kSpaces[] = {
    {"global", Space::Global},      {"const", Space::Const},      {"shared", Space::Shared},
    {"shared::cta", Space::Shared}, {"local", Space::Local},      {"param", Space::Param},
    {"param::entry", Space::Param}, {"param::func", Space::Param}};
constexpr std::pair<std::string_view, Order> kOrders[] = {
    {"weak", Order::Weak},       {"volatile", Order::Volatile}, {"relaxed", Order::Relaxed},
    {"acquire", Order::Acquire}, {"release", Order::Release},   {"acq_rel", Order::AcquireRelease},
    {"sc", Order::Sequential},   {"mmio", Order::Volatile}};
constexpr std::pair<std::string_view, Scope> kScopes[] = {{"cta", Scope::Block},
                                                          {"cluster", Scope::Cluster},
                                                          {"gpu", Scope::Device},
                                                          {"gl", Scope::Device},
                                                          {"sys", Scope::System}};
constexpr std::pair<std::string_view, Shuffle> kShuffles[] = {
    {"up", Shuffle::Up}, {"down", Shuffle::Down}, {"bfly", Shuffle::Butterfly}, {"idx", Shuffle::Index}};
constexpr std::pair<std::string_view, Vote> kVotes[] = {
    {"all", Vote::All}, {"any", Vote::Any}, {"uni", Vote::Uniform}, {"ballot", Vote::Ballot}};
constexpr std::pair<std::string_view, Reduction> kReductions[] = {
    {"and", Reduction::And}, {"or", Reduction::Or}, {"popc", Reduction::Count}};
constexpr std::pair<std::string_view, Permute> kPermutes[] = {
    {"f4e", Permute::Forward4}, {"b4e", Permute::Backward4}, {"rc8", Permute::Replicate8},
    {"ecl", Permute::EdgeLeft}, {"ecr", Permute::EdgeRight}, {"rc16", Permute::Replicate16}};
constexpr std::pair<std::string_view, Property> kProperties[] = {
    {"finite", Property::Finite}, {"infinite", Property::Infinite},
    {"number", Property::Number}, {"notanumber", Property::NotANumber},
    {"normal", Property::Normal}, {"subnormal", Property::Subnormal}};
constexpr std::pair<std::string_view, Geometry> kGeometries[] = {
    {"1d", Geometry::Line},    {"2d", Geometry::Plane},  {"3d", Geometry::Volume},  {"a1d", Geometry::Lines},
    {"a2d", Geometry::Planes}, {"cube", Geometry::Cube}, {"acube", Geometry::Cubes}};
constexpr std::pair<std::string_view, Sampling> kSamplings[] = {
    {"base", Sampling::Base}, {"level", Sampling::Level}, {"grad", Sampling::Gradient}};
constexpr std::pair<std::string_view, Outside> kOutsides[] = {
    {"trap", Outside::Trap}, {"clamp", Outside::Clamp}, {"zero", Outside::Zero}};
constexpr std::pair<std::string_view, Query> kQueries[] = {
    {"width", Query::Width}, {"height", Query::Height}, {"depth", Query::Depth}};
constexpr std::pair<std::string_view, std::uint8_t> kComponents[] = {{"r", 0}, {"g", 1}, {"b", 2}, {"a", 3}};
constexpr std::pair<std::string_view, Rounding> kRoundings[] = {
    {"rn", Rounding::Nearest}, {"rz", Rounding::Zero}, {"rm", Rounding::Down}, {"rp", Rounding::Up}};
constexpr std::pair<std::string_view, bool Instruction::*> kFlags[] = {
    {"hi", &Instruction::hi},
    {"wide", &Instruction::wide},
    {"sat", &Instruction::saturate},
    {"ftz", &Instruction::flush},
    {"approx", &Instruction::approximate},
    {"to", &Instruction::to_space},
    {"cc", &Instruction::carry_out},
    {"l", &Instruction::left},
    {"clamp", &Instruction::clamp},
    {"shiftamt", &Instruction::normal_only},
    {"relu", &Instruction::relu},
    {"NaN", &Instruction::keep_nan}};
// Hints, and words that say what holds here anyway.
constexpr std::string_view kIgnored[] = {"sync",
                                         "uni",
                                         "nc",
                                         "ca",
                                         "cg",
                                         "cs",
                                         "lu",
                                         "cv",
                                         "wb",
                                         "wt",
                                         "aligned",
                                         "L1",
                                         "L2",
                                         "lo",
                                         "r",
                                         "wrap",
                                         "noftz",
                                         "noinc",
                                         "async",
                                         "proxy",
                                         "alias",
                                         "L1::no_allocate",
                                         "L1::evict_first",
                                         "L1::evict_last",
                                         "L1::evict_normal",
                                         "L1::evict_unchanged",
                                         "L2::evict_first",
                                         "L2::evict_last",
                                         "L2::evict_normal",
                                         "L2::128B",
                                         "L2::64B",
                                         "L2::256B",
                                         "L2::cache_hint",
                                         "unified",
                                         "idx",
                                         "abs",
                                         "launch_dependents",
                                         "wait",
                                         "full",
                                         "level::eviction_priority",
                                         "evict_normal",
                                         "b4",
                                         "evict_last",
                                         "mask"};
constexpr std::string_view kUnsupportedWords[] = {"b128",
                                                  "e4m3",
                                                  "e5m2",
                                                  "e4m3x2",
                                                  "e5m2x2",
                                                  "tf32",
                                                  "s2f6x2",
                                                  "e2m1x2",
                                                  "e2m3x2",
                                                  "e3m2x2",
                                                  "ue8m0x2",
                                                  "u16x2",
                                                  "s16x2",
                                                  "f32x2",
                                                  "rs",
                                                  "rna",
                                                  "v8",
                                                  "pack",
                                                  "texref",
                                                  "samplerref",
                                                  "surfref",
                                                  "2dms",
                                                  "a2dms",
                                                  "channel_data_type",
                                                  "channel_order",
                                                  "normalized_coords",
                                                  "num_samples",
                                                  "memory_layout",
                                                  "array_size",
                                                  "num_mipmap_levels"};

bool is(const Instruction& in, std::initializer_list<Opcode> list) {
  return std::find(list.begin(), list.end(), in.opcode) != list.end();
}

// Words that mean something to some instructions only.
bool own_word(Instruction& in, std::string_view word) {
  switch (in.opcode) {
    case Opcode::Setp:
    case Opcode::Set:
      return find(kCompares, word, in.compare) || find(kCombines, word, in.combine);
    case Opcode::Lop3:
      return find(kCombines, word, in.combine);
    case Opcode::Atom:
    case Opcode::Red:
    case Opcode::Redux:
      return find(kAtomics, word, in.atomic);
    case Opcode::Shfl:
      return find(kShuffles, word, in.shuffle);
    case Opcode::Vote:
      return find(kVotes, word, in.vote);
    case Opcode::Match:
      in.match_all = in.match_all || word == "all";
      return word == "all" || word == "any";
    case Opcode::Tex:
      return find(kGeometries, word, in.geometry) || find(kSamplings, word, in.sampling);
    case Opcode::Tld4:
      return find(kGeometries, word, in.geometry) || find(kComponents, word, in.component);
    case Opcode::Txq:
      return find(kQueries, word, in.query) || (word == "level" && find(kSamplings, word, in.sampling));
    case Opcode::Suq:
      return find(kQueries, word, in.query);
    case Opcode::Suld:
    case Opcode::Sust:
      in.formatted = in.formatted || word == "p";
      return word == "b" || (word == "p" && in.opcode == Opcode::Sust) ||
             find(kGeometries, word, in.geometry) || find(kOutsides, word, in.outside);
    case Opcode::Prmt:
      return find(kPermutes, word, in.permute);
    case Opcode::Testp:
      return find(kProperties, word, in.property);
    case Opcode::Min:
    case Opcode::Max:
      in.xor_sign = in.xor_sign || word == "xorsign";
      return word == "xorsign";
    case Opcode::BarRed:
      return find(kReductions, word, in.reduction);
    case Opcode::Div:
      in.approximate = in.approximate || word == "full";
      return word == "full";
    default:
      return false;
  }
}

// bar is four instructions in one.
bool barrier_word(Instruction& in, std::string_view word) {
  if (in.root != "bar" && in.root != "barrier") return false;
  if (word == "red") in.opcode = Opcode::BarRed;
  if (word == "arrive") in.opcode = Opcode::BarArrive;
  if (word == "warp") in.opcode = Opcode::BarWarp;
  if (in.root == "barrier" && in.has("cluster")) {
    if (word == "arrive") in.opcode = Opcode::ClusterArrive;
    if (word == "wait") in.opcode = Opcode::ClusterWait;
    return word == "cluster" || word == "arrive" || word == "wait";
  }
  return word == "red" || word == "arrive" || word == "warp" || word == "cta" || word == "sync";
}

bool rounding(Instruction& in, std::string_view word) {
  if (word.size() == 3 && word[2] == 'i' && find(kRoundings, word.substr(0, 2), in.rounding)) {
    in.to_integral = true;
    return true;
  }
  return find(kRoundings, word, in.rounding);
}

bool modifier(Instruction& in, std::string_view word) {
  if (word == "shared::cluster") {
    in.space = Space::Shared;
    in.of_cluster = true;
    return true;
  }
  if (barrier_word(in, word) || own_word(in, word)) return true;
  if (find(kSpaces, word, in.space) || find(kOrders, word, in.order) || find(kScopes, word, in.scope))
    return true;
  if (word == "v2" || word == "v4") {
    in.lanes = static_cast<std::uint8_t>(word[1] - '0');
    return true;
  }
  if (rounding(in, word)) return true;
  if (bool Instruction::* member = nullptr; find(kFlags, word, member)) {
    in.*member = true;
    return true;
  }
  return std::find(std::begin(kIgnored), std::end(kIgnored), word) != std::end(kIgnored);
}

class Judge {
 public:
  explicit Judge(Instruction& in) : in_(in) {}

  std::vector<ParseError> run() {
    const Rule* rule = find_rule(in_.root);
    if (rule == nullptr) {
      if (is_unsupported_root(in_.root))
        refuse("Instruction '" + in_.root + "' is not supported by the embedded driver");
      else
        say("Not a name of any known instruction: '" + in_.root + "'");
      return std::move(told_);
    }
    in_.opcode = rule->opcode;
    words();
    if (!told_.empty() && told_.back().unsupported) return std::move(told_);
    if (types(*rule)) needs(*rule);
    return std::move(told_);
  }

 private:
  void say(std::string message) {
    ParseError error;
    error.line = in_.line;
    error.message = std::move(message);
    told_.push_back(std::move(error));
  }
  void refuse(std::string message) {
    told_.clear();
    say(std::move(message));
    told_.back().unsupported = true;
  }
  void name_said(const char* front, const char* back = "") {
    say(front + ("'" + shown_name(in_)) + "'" + back);
  }

  void words() {
    for (const std::string& word : in_.modifiers) {
      if (std::find(std::begin(kUnsupportedWords), std::end(kUnsupportedWords), word) !=
          std::end(kUnsupportedWords)) {
        return refuse("Modifier '." + word + "' is not supported by the embedded driver");
      }
      if (modifier(in_, word)) continue;
      Compare ignored{};
      if (find(kCompares, word, ignored))
        say("Comparison qualifier is not allowed for instruction '" + shown_name(in_) + "'");
      else
        say("Unknown modifier '." + word + "'");
    }
    const bool halves = is(in_, {Opcode::Mul, Opcode::Mad, Opcode::Madc, Opcode::Mul24, Opcode::Mad24,
                                 Opcode::Setp, Opcode::Set, Opcode::Dp2a});
    if (!halves && (in_.has("lo") || in_.has("hi")))
      say("Comparison qualifier is not allowed for instruction '" + in_.root + "'");
    in_.warp_mask = in_.has("sync");
  }

  bool unexpected() {
    name_said("Unexpected instruction types specified for ");
    return false;
  }

  // How many types there are, and which.
  bool types(const Rule& rule) {
    const std::size_t count = in_.types.size();
    if (rule.types == 0)
      return count == 0 ||
             is(in_, {Opcode::BarRed, Opcode::Elect, Opcode::Nothing, Opcode::Prefetch, Opcode::BarWarp,
                      Opcode::Isspacep}) ||
             unexpected();
    const bool two = is(
        in_, {Opcode::Cvt, Opcode::Set, Opcode::Slct, Opcode::Dp4a, Opcode::Dp2a, Opcode::Tex, Opcode::Tld4});
    const bool maybe =
        is(in_, {Opcode::Fma, Opcode::Add, Opcode::Sub, Opcode::Fns});  // mixed precision: refused
    if (count != (two ? 2U : 1U)) {
      if (maybe && count == 2 && is_float(in_.types[0]) && size_of(in_.types[0]) == 4 &&
          size_of(in_.types[1]) == 2) {
        refuse("Arithmetic of mixed types is not supported by the embedded driver");
        return false;
      }
      return unexpected();
    }
    const Type type = in_.types[0];
    if (is(in_, {Opcode::Neg, Opcode::Abs}) && !is_float(type) && !is_signed(type) &&
        (rule.types & bit(type)) != 0) {
      say("Instruction '" + in_.root + "' applies only to signed numeric types");
      return false;
    }
    if ((rule.types & bit(type)) == 0) return unexpected();
    return special_types(type) || unexpected();
  }

  bool special_types(Type type) const {
    const bool floats = is_float(type);
    if (is(in_, {Opcode::Mul, Opcode::Mad, Opcode::Madc})) {
      const bool part = in_.hi || in_.wide || in_.has("lo");
      if (part == floats) return false;
      if (in_.wide && size_of(type) == 8) return false;
    }
    if (is(in_, {Opcode::Ld, Opcode::St}))
      return type != Type::Pred && (!floats || type == Type::F32 || type == Type::F64);
    if (in_.opcode == Opcode::Atom || in_.opcode == Opcode::Red)
      return type != Type::Pred && size_of(type) > 1;
    if (in_.opcode == Opcode::Cvt) {
      const auto fits = [](Type t) {
        return t != Type::Pred && t != Type::B8 && t != Type::B16 && t != Type::B32 && t != Type::B64;
      };
      return fits(type) && fits(in_.types[1]);
    }
    if (in_.opcode == Opcode::Mov) return type != Type::B8 && type != Type::U8 && type != Type::S8;
    return true;
  }

  // Modifiers that are missing or at a wrong place.
  void needs(const Rule& rule) {
    const Type type = in_.types.empty() ? Type::None : in_.types[0];
    const bool full = type == Type::F32 || type == Type::F64;
    const bool rounded = in_.rounding != Rounding::Default;
    const std::string quoted = "'" + in_.root + "'";
    if (rule.need == Rule::Rounding && !rounded) say("Rounding modifier required for instruction " + quoted);
    if (rule.need == Rule::RoundingOrApproximate && full && !rounded && !in_.approximate)
      say("Rounding modifier or '.approx' modifier required for instruction " + quoted);
    if (in_.opcode == Opcode::Rcp && type == Type::F64 && !rounded && !in_.approximate)
      say("Rounding modifier required for instruction " + quoted);
    if (rule.need == Rule::Approximate && !in_.approximate)
      say(".approx modifier required for instruction " + quoted);
    if (in_.opcode == Opcode::Mad && full && !rounded && type == Type::F64)
      say("Rounding modifier required for instruction " + quoted);
    if (in_.opcode == Opcode::Cvt) conversion();
    if (is(in_, {Opcode::Add, Opcode::Sub, Opcode::Mul, Opcode::Mad}) && !is_float(type)) {
      if (rounded) say("Illegal rounding modifier for instruction " + quoted);
      if (in_.saturate && type != Type::S32 && in_.opcode != Opcode::Mad)
        say("Modifier '.sat' does not apply to '" + shown_type() + "' type");
    }
    const bool reciprocal = is(in_, {Opcode::Rcp, Opcode::Rsqrt}) && in_.approximate;
    const bool mixed = is(in_, {Opcode::Cvt, Opcode::Set, Opcode::Slct});
    if (in_.flush && !mixed && ((type == Type::F64 && !reciprocal) || !is_float(type)))
      say("Illegal modifier '.ftz' for instruction " + quoted);
    if (is(in_, {Opcode::Setp, Opcode::Set})) comparison();
    if (is(in_, {Opcode::Atom, Opcode::Red, Opcode::Redux})) atomic(type);
    if (in_.opcode == Opcode::Shfl && !one_of("up", "down", "bfly", "idx"))
      say("Shuffle modifier required for instruction 'shfl'");
    if (in_.opcode == Opcode::Vote && in_.vote == Vote::Ballot && type != Type::B32)
      say("Instruction 'vote' requires '.b32' type with '.ballot' modifier.");
    if (in_.opcode == Opcode::Cvta && in_.space == Space::Generic) {
      say("State space modifier required for instruction 'cvta'");
      say("State space incorrect for instruction 'cvta'");
    }
    if (in_.opcode == Opcode::St && in_.space == Space::Const)
      say("State space incorrect for instruction 'st'");
    if (in_.root == "membar" && in_.scope == Scope::None && in_.modifiers.empty())
      say("Membar level required for instruction 'membar'");
    if (in_.root == "fence" && in_.scope == Scope::None && !in_.has("proxy") && !in_.has("mbarrier_init")) {
      say("Scope modifier required for instruction 'fence'");
      say("Modifier '.acq_rel' requires scope with 'fence' instruction");
    }
    if (in_.root == "bar" && in_.opcode == Opcode::Bar && !in_.has("sync"))
      say("Barrier modifier required for instruction 'bar'");
    if (in_.opcode == Opcode::Bar && in_.has("cluster"))
      say("Not a name of any known instruction: 'barrier.cluster'");
    if (is(in_, {Opcode::ClusterArrive, Opcode::ClusterWait})) cluster_order();
    if (is(in_, {Opcode::Mapa, Opcode::Getctarank}) && in_.space != Space::Generic && !in_.of_cluster)
      name_said("State space incorrect for instruction ",
                in_.space == Space::Shared ? ", expected '::cluster'" : "");
  }

  bool one_of(const char* a, const char* b, const char* c, const char* d) const {
    return in_.has(a) || in_.has(b) || in_.has(c) || in_.has(d);
  }

  std::string shown_type() const {
    static constexpr std::array<const char*, 20> kNames = {
        "",    ".pred", ".b8",  ".b16", ".b32", ".b64", ".u8",  ".u16",   ".u32",  ".u64",
        ".s8", ".s16",  ".s32", ".s64", ".f16", ".f32", ".f64", ".f16x2", ".bf16", ".bf16x2"};
    return kNames.at(static_cast<unsigned>(in_.types[0]));
  }

  void conversion() {
    const Type to = in_.types[0], from = in_.types[1];
    const bool rounded = in_.rounding != Rounding::Default;
    const bool needed = (is_float(to) && !is_float(from)) || (!is_float(to) && is_float(from)) ||
                        (is_float(to) && is_float(from) && size_of(to) < size_of(from)) ||
                        to == Type::F16x2 || to == Type::Bf16x2;
    if (needed && !rounded) say("Rounding modifier required for instruction 'cvt'");
    const bool whole = is_float(to) && is_float(from);
    if (rounded && !needed && !(whole && in_.to_integral) && !(to == Type::Bf16 || from == Type::Bf16))
      say("Illegal rounding modifier for instruction 'cvt'");
  }

  // Arriving releases or is relaxed, waiting acquires.
  void cluster_order() {
    const bool arrives = in_.opcode == Opcode::ClusterArrive;
    for (const char* const word : {"acquire", "release", "relaxed"}) {
      const bool acquires = word == std::string_view("acquire");
      if (in_.has(word) && acquires == arrives)
        name_said(("Illegal modifier '." + std::string(word) + "' for instruction ").c_str());
    }
  }

  void comparison() {
    const Type type = in_.opcode == Opcode::Set ? in_.types[1] : in_.types[0];
    bool found = false;
    bool mismatch = false;
    for (const std::string& word : in_.modifiers) {
      Compare compare{};
      if (!find(kCompares, word, compare)) continue;
      found = true;
      const bool equality = compare == Compare::Eq || compare == Compare::Ne;
      const bool unordered = compare >= Compare::Equ;
      const bool bits = type == Type::B16 || type == Type::B32 || type == Type::B64;
      mismatch = (bits && !equality) || (unordered && !is_float(type));
    }
    if (!found) say("Comparison modifier required for instruction '" + in_.root + "'");
    if (mismatch) say("Mismatch between instruction type and comparison qualifier");
  }

  void atomic(Type type) {
    AtomicOp op{};
    const bool found = std::any_of(in_.modifiers.begin(), in_.modifiers.end(),
                                   [&](const std::string& word) { return find(kAtomics, word, op); });
    if (!found) {
      if (in_.opcode == Opcode::Redux) return say("Reduction operation is required for instruction 'redux'");
      say("Illegal operation '' for instruction '" + in_.root + "'");
      say("Operation  requires  type for instruction '" + in_.root + "'");
      return say("Reduction operation is required for instruction '" + in_.root + "'");
    }
    if (in_.opcode == Opcode::Redux) return;
    const bool bits = type == Type::B16 || type == Type::B32 || type == Type::B64;
    if (in_.atomic == AtomicOp::Cas && !bits) {
      unexpected();
    } else if (in_.atomic == AtomicOp::Add && (bits || type == Type::S64)) {
      say("Operation .add requires .u32 or .s32 or .u64 or .f64 or f16 or f16x2 or .f32 or .bf16 or .bf16x2 "
          "type "
          "for instruction '" +
          in_.root + "'");
    }
  }

  Instruction& in_;
  std::vector<ParseError> told_;
};

}  // namespace

std::string shown_name(const Instruction& in) {
  if (in.opcode == Opcode::Brx) return "brx.idx";
  if (in.opcode == Opcode::Cvta) return in.to_space ? "cvta.to" : "cvta";
  if (in.opcode == Opcode::ClusterArrive) return "barrier.cluster.arrive";
  if (in.opcode == Opcode::ClusterWait) return "barrier.cluster.wait";
  if (is(in, {Opcode::Mul, Opcode::Mad, Opcode::Madc, Opcode::Mul24, Opcode::Mad24})) {
    if (in.wide) return in.root + ".wide";
    if (in.hi) return in.root + ".hi";
    if (in.has("lo")) return in.root + ".lo";
  }
  return in.root;
}

std::vector<ParseError> classify(Instruction& instruction) {
  return Judge(instruction).run();
}

}  // namespace ptx
