// What an instruction word says: root and modifiers into fields, and what cannot be run is refused by name.
#include <algorithm>
#include <string_view>

#include "parser.hpp"

namespace ptx {
namespace {

struct Root {
  std::string_view text;
  Opcode opcode;
  std::uint8_t least_operands, most_operands;
};
constexpr Root kRoots[] = {{"abs", Opcode::Abs, 2, 2},
                           {"activemask", Opcode::Activemask, 1, 1},
                           {"add", Opcode::Add, 3, 3},
                           {"addc", Opcode::Addc, 3, 3},
                           {"and", Opcode::And, 3, 3},
                           {"atom", Opcode::Atom, 3, 4},
                           {"bar", Opcode::Bar, 1, 3},
                           {"barrier", Opcode::Bar, 1, 3},
                           {"bfe", Opcode::Bfe, 4, 4},
                           {"bfi", Opcode::Bfi, 5, 5},
                           {"bfind", Opcode::Bfind, 2, 2},
                           {"bra", Opcode::Bra, 1, 1},
                           {"brev", Opcode::Brev, 2, 2},
                           {"brkpt", Opcode::Brkpt, 0, 0},
                           {"call", Opcode::Call, 0, 1},
                           {"clz", Opcode::Clz, 2, 2},
                           {"cnot", Opcode::Cnot, 2, 2},
                           {"copysign", Opcode::Copysign, 3, 3},
                           {"cos", Opcode::Cos, 2, 2},
                           {"cvt", Opcode::Cvt, 2, 2},
                           {"cvta", Opcode::Cvta, 2, 2},
                           {"div", Opcode::Div, 3, 3},
                           {"ex2", Opcode::Ex2, 2, 2},
                           {"exit", Opcode::Exit, 0, 0},
                           {"fence", Opcode::Fence, 0, 0},
                           {"fma", Opcode::Fma, 4, 4},
                           {"isspacep", Opcode::Isspacep, 2, 2},
                           {"ld", Opcode::Ld, 2, 2},
                           {"ldu", Opcode::Ld, 2, 2},
                           {"lg2", Opcode::Lg2, 2, 2},
                           {"mad", Opcode::Mad, 4, 4},
                           {"madc", Opcode::Madc, 4, 4},
                           {"max", Opcode::Max, 3, 3},
                           {"membar", Opcode::Fence, 0, 0},
                           {"min", Opcode::Min, 3, 3},
                           {"mov", Opcode::Mov, 2, 2},
                           {"mul", Opcode::Mul, 3, 3},
                           {"nanosleep", Opcode::Nanosleep, 1, 1},
                           {"neg", Opcode::Neg, 2, 2},
                           {"not", Opcode::Not, 2, 2},
                           {"or", Opcode::Or, 3, 3},
                           {"popc", Opcode::Popc, 2, 2},
                           {"prefetch", Opcode::Prefetch, 1, 1},
                           {"prmt", Opcode::Prmt, 4, 4},
                           {"rcp", Opcode::Rcp, 2, 2},
                           {"red", Opcode::Red, 2, 2},
                           {"rem", Opcode::Rem, 3, 3},
                           {"ret", Opcode::Ret, 0, 0},
                           {"rsqrt", Opcode::Rsqrt, 2, 2},
                           {"sad", Opcode::Sad, 4, 4},
                           {"selp", Opcode::Selp, 4, 4},
                           {"setp", Opcode::Setp, 3, 4},
                           {"shf", Opcode::Shf, 4, 4},
                           {"shl", Opcode::Shl, 3, 3},
                           {"shr", Opcode::Shr, 3, 3},
                           {"sin", Opcode::Sin, 2, 2},
                           {"slct", Opcode::Slct, 4, 4},
                           {"sqrt", Opcode::Sqrt, 2, 2},
                           {"st", Opcode::St, 2, 2},
                           {"sub", Opcode::Sub, 3, 3},
                           {"subc", Opcode::Subc, 3, 3},
                           {"tanh", Opcode::Tanh, 2, 2},
                           {"testp", Opcode::Testp, 2, 2},
                           {"trap", Opcode::Trap, 0, 0},
                           {"xor", Opcode::Xor, 3, 3}};

// Roots that PTX has and this driver refuses, so that the message can tell them from misspellings.
constexpr std::string_view kUnsupported[] = {"tex",
                                             "tld4",
                                             "txq",
                                             "suld",
                                             "sust",
                                             "sured",
                                             "suq",
                                             "wmma",
                                             "mma",
                                             "wgmma",
                                             "ldmatrix",
                                             "stmatrix",
                                             "shfl",
                                             "vote",
                                             "match",
                                             "redux",
                                             "elect",
                                             "cp",
                                             "mbarrier",
                                             "dp4a",
                                             "dp2a",
                                             "mapa",
                                             "brx",
                                             "createpolicy",
                                             "griddepcontrol",
                                             "lop3",
                                             "discard",
                                             "applypriority",
                                             "getctarank",
                                             "setmaxnreg",
                                             "tcgen05",
                                             "clusterlaunchcontrol",
                                             "multimem",
                                             "stackrestore",
                                             "stacksave",
                                             "alloca",
                                             "vadd",
                                             "vsub",
                                             "vabsdiff",
                                             "vmin",
                                             "vmax",
                                             "vshl",
                                             "vshr",
                                             "vmad",
                                             "vset",
                                             "set",
                                             "pmevent",
                                             "szext",
                                             "bmsk",
                                             "mul24",
                                             "mad24",
                                             "fns"};

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
// Order, scope and caching: blocks run one after another here, so all of these hold already.
constexpr std::string_view kIgnored[] = {"sync",
                                         "uni",
                                         "cta",
                                         "gpu",
                                         "gl",
                                         "sys",
                                         "cluster",
                                         "relaxed",
                                         "acquire",
                                         "release",
                                         "acq_rel",
                                         "sc",
                                         "weak",
                                         "volatile",
                                         "nc",
                                         "ca",
                                         "cg",
                                         "cs",
                                         "lu",
                                         "cv",
                                         "wb",
                                         "wt",
                                         "warp",
                                         "aligned",
                                         "full",
                                         "L1",
                                         "L2",
                                         "mmio",
                                         "L1::no_allocate",
                                         "L1::evict_first",
                                         "L1::evict_last",
                                         "L2::128B",
                                         "L2::64B",
                                         "L2::256B",
                                         "lo"};

bool rounding(Instruction& instruction, std::string_view word) {
  static constexpr std::pair<std::string_view, Rounding> words[] = {
      {"rn", Rounding::Nearest}, {"rz", Rounding::Zero}, {"rm", Rounding::Down}, {"rp", Rounding::Up}};
  if (word.size() == 3 && word[2] == 'i' && find(words, word.substr(0, 2), instruction.rounding)) {
    instruction.to_integral = true;
    return true;
  }
  return find(words, word, instruction.rounding);
}

bool flag(Instruction& instruction, std::string_view word) {
  static constexpr std::pair<std::string_view, bool Instruction::*> words[] = {
      {"hi", &Instruction::hi},
      {"wide", &Instruction::wide},
      {"sat", &Instruction::saturate},
      {"ftz", &Instruction::flush},
      {"approx", &Instruction::approximate},
      {"full", &Instruction::approximate},
      {"to", &Instruction::to_space},
      {"cc", &Instruction::carry_out},
      {"l", &Instruction::left},
      {"clamp", &Instruction::clamp},
      {"shiftamt", &Instruction::normal_only}};
  bool Instruction::* member = nullptr;
  if (!find(words, word, member)) return false;
  instruction.*member = true;
  return true;
}

bool modifier(Instruction& instruction, std::string_view word) {
  const Opcode op = instruction.opcode;
  if (op == Opcode::Setp &&
      (find(kCompares, word, instruction.compare) || find(kCombines, word, instruction.combine))) {
    return true;
  }
  if ((op == Opcode::Atom || op == Opcode::Red) && find(kAtomics, word, instruction.atomic)) return true;
  if (find(kSpaces, word, instruction.space)) return true;
  if (word == "v2" || word == "v4") {
    instruction.lanes = static_cast<std::uint8_t>(word[1] - '0');
    return true;
  }
  if (rounding(instruction, word) || flag(instruction, word)) return true;
  if (op == Opcode::Shf && (word == "r" || word == "wrap")) return true;
  if (op == Opcode::Testp)
    return word == "finite" || word == "infinite" || word == "number" || word == "notanumber";
  return std::find(std::begin(kIgnored), std::end(kIgnored), word) != std::end(kIgnored);
}

[[noreturn]] void refuse(const Instruction& instruction, std::string message, bool unsupported) {
  throw Failure{ParseError{instruction.line, std::move(message), unsupported}};
}

}  // namespace

void classify(Instruction& instruction) {
  const auto root = std::find_if(std::begin(kRoots), std::end(kRoots),
                                 [&](const Root& known) { return known.text == instruction.root; });
  if (root == std::end(kRoots)) {
    const bool known = std::find(std::begin(kUnsupported), std::end(kUnsupported), instruction.root) !=
                       std::end(kUnsupported);
    if (known)
      refuse(instruction, "Instruction '" + instruction.root + "' is not supported by the embedded driver",
             true);
    refuse(instruction, "Unknown instruction '" + instruction.root + "'", false);
  }
  instruction.opcode = root->opcode;
  if (instruction.operands.size() < root->least_operands ||
      instruction.operands.size() > root->most_operands) {
    refuse(instruction, "Arguments mismatch for instruction '" + instruction.root + "'", false);
  }
  for (const std::string& word : instruction.modifiers) {
    if (word == "red")
      refuse(instruction, "Instruction 'bar.red' is not supported by the embedded driver", true);
    if (!modifier(instruction, word)) {
      refuse(instruction, "Illegal modifier '." + word + "' for instruction '" + instruction.root + "'",
             false);
    }
  }
  const bool typed = instruction.opcode != Opcode::Bra && instruction.opcode != Opcode::Call &&
                     instruction.opcode != Opcode::Ret && instruction.opcode != Opcode::Exit &&
                     instruction.opcode != Opcode::Bar && instruction.opcode != Opcode::Fence &&
                     instruction.opcode != Opcode::Trap && instruction.opcode != Opcode::Brkpt &&
                     instruction.opcode != Opcode::Isspacep && instruction.opcode != Opcode::Prefetch;
  if (typed && instruction.types.empty()) {
    refuse(instruction, "Type required for instruction '" + instruction.root + "'", false);
  }
  for (const Type type : instruction.types) {
    if (type == Type::F16) refuse(instruction, "Type '.f16' is not supported by the embedded driver", true);
  }
  const bool float_arithmetic = !instruction.types.empty() && is_float(instruction.types[0]);
  const bool directed =
      instruction.rounding != Rounding::Default && instruction.rounding != Rounding::Nearest;
  if (directed && float_arithmetic && !instruction.to_integral && instruction.opcode != Opcode::Cvt) {
    refuse(instruction, "Directed rounding is not supported by the embedded driver", true);
  }
}

}  // namespace ptx
