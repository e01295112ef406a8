// SPDX-License-Identifier: MIT
// The instructions of PTX and how each is written: a table for classify.cpp and check.cpp.
//
// Letters of operands: d result and t source of the first type; D result and T source of twice its width
// (.wide); s source of the second type; r result and u source of 32 bits; P result and p source predicate; a
// address; '*' anything. What follows '/' may be missing.
#include <algorithm>

#include "rules.hpp"

namespace ptx {
namespace {

constexpr std::uint32_t kBits = bit(Type::B16) | bit(Type::B32) | bit(Type::B64);
constexpr std::uint32_t kInt =
    bit(Type::U16) | bit(Type::U32) | bit(Type::U64) | bit(Type::S16) | bit(Type::S32) | bit(Type::S64);
constexpr std::uint32_t kLarge = bit(Type::U32) | bit(Type::U64) | bit(Type::S32) | bit(Type::S64);
constexpr std::uint32_t kFloat = bit(Type::F32) | bit(Type::F64);
constexpr std::uint32_t kHalf = bit(Type::F16) | bit(Type::F16x2) | bit(Type::Bf16) | bit(Type::Bf16x2);
constexpr std::uint32_t kWords = bit(Type::B32) | bit(Type::B64);
constexpr std::uint32_t k32 = bit(Type::B32) | bit(Type::U32) | bit(Type::S32);
constexpr std::uint32_t kTexture = bit(Type::F32) | bit(Type::U32) | bit(Type::S32);
constexpr std::uint32_t kTexels = kBits | bit(Type::B8);
constexpr std::uint32_t kAny = ~std::uint32_t{0};
constexpr Rule::Need kN = Rule::Nothing;
constexpr Rule::Need kR = Rule::Rounding;
constexpr Rule::Need kRa = Rule::RoundingOrApproximate;
constexpr Rule::Need kA = Rule::Approximate;

constexpr Rule kRules[] = {
    {"abs", Opcode::Abs, kInt | kFloat | kHalf, "dt", kN},
    {"activemask", Opcode::Activemask, bit(Type::B32), "d", kN},
    {"add", Opcode::Add, kInt | kFloat | kHalf, "dtt", kN},
    {"addc", Opcode::Addc, kLarge, "dtt", kN},
    {"and", Opcode::And, kBits | bit(Type::Pred), "dtt", kN},
    {"applypriority", Opcode::Nothing, 0, "a*", kN},
    {"atom", Opcode::Atom, kAny, "dat/t*", kN},
    {"bar", Opcode::Bar, 0, "/****", kN},
    {"barrier", Opcode::Bar, 0, "/****", kN},
    {"bfe", Opcode::Bfe, kLarge, "dtuu", kN},
    {"bfi", Opcode::Bfi, kWords, "dttuu", kN},
    {"bfind", Opcode::Bfind, kLarge, "rt", kN},
    {"bmsk", Opcode::Bmsk, bit(Type::B32), "dtt", kN},
    {"bra", Opcode::Bra, 0, "*", kN},
    {"brev", Opcode::Brev, kWords, "dt", kN},
    {"brkpt", Opcode::Brkpt, 0, "", kN},
    {"brx", Opcode::Brx, 0, "u*/****************", kN},
    {"call", Opcode::Call, 0, "/*", kN},
    {"clz", Opcode::Clz, kWords, "rt", kN},
    {"cnot", Opcode::Cnot, kBits, "dt", kN},
    {"copysign", Opcode::Copysign, kFloat, "dtt", kN},
    {"cos", Opcode::Cos, bit(Type::F32), "dt", kA},
    {"cvt", Opcode::Cvt, kAny, "**/*", kN},
    {"cvta", Opcode::Cvta, bit(Type::U32) | bit(Type::U64), "dt", kN},
    {"discard", Opcode::Nothing, 0, "a*", kN},
    {"div", Opcode::Div, kInt | kFloat, "dtt", kRa},
    {"dp2a", Opcode::Dp2a, bit(Type::U32) | bit(Type::S32), "ruuu", kN},
    {"dp4a", Opcode::Dp4a, bit(Type::U32) | bit(Type::S32), "ruuu", kN},
    {"elect", Opcode::Elect, 0, "**", kN},
    {"ex2", Opcode::Ex2, bit(Type::F32) | kHalf, "dt", kA},
    {"exit", Opcode::Exit, 0, "", kN},
    {"fence", Opcode::Fence, 0, "", kN},
    {"fma", Opcode::Fma, kFloat | kHalf, "dttt", kR},
    {"fns", Opcode::Fns, bit(Type::B32), "ruuu", kN},
    {"getctarank", Opcode::Getctarank, bit(Type::U32) | bit(Type::U64), "rt", kN},
    {"griddepcontrol", Opcode::Nothing, 0, "", kN},
    {"isspacep", Opcode::Isspacep, 0, "P*", kN},
    {"ld", Opcode::Ld, kAny, "**/*", kN},
    {"ldu", Opcode::Ld, kAny, "**", kN},
    {"lg2", Opcode::Lg2, bit(Type::F32), "dt", kA},
    {"lop3", Opcode::Lop3, bit(Type::B32), "*tttu/p", kN},
    {"mad", Opcode::Mad, kInt | kFloat, "dttt", kN},
    {"mad24", Opcode::Mad24, bit(Type::U32) | bit(Type::S32), "dttt", kN},
    {"madc", Opcode::Madc, kLarge, "dttt", kN},
    {"mapa", Opcode::Mapa, bit(Type::U32) | bit(Type::U64), "dtu", kN},
    {"match", Opcode::Match, kWords, "*tu", kN},
    {"max", Opcode::Max, kInt | kFloat | kHalf, "dtt", kN},
    {"membar", Opcode::Fence, 0, "", kN},
    {"min", Opcode::Min, kInt | kFloat | kHalf, "dtt", kN},
    {"mov", Opcode::Mov, kAny, "**", kN},
    {"mul", Opcode::Mul, kInt | kFloat | kHalf, "dtt", kN},
    {"mul24", Opcode::Mul24, bit(Type::U32) | bit(Type::S32), "dtt", kN},
    {"nanosleep", Opcode::Nanosleep, bit(Type::U32), "t", kN},
    {"neg", Opcode::Neg, kInt | kFloat | kHalf, "dt", kN},
    {"not", Opcode::Not, kBits | bit(Type::Pred), "dt", kN},
    {"or", Opcode::Or, kBits | bit(Type::Pred), "dtt", kN},
    {"pmevent", Opcode::Nothing, 0, "*", kN},
    {"popc", Opcode::Popc, kWords, "rt", kN},
    {"prefetch", Opcode::Prefetch, 0, "a", kN},
    {"prefetchu", Opcode::Prefetch, 0, "a", kN},
    {"prmt", Opcode::Prmt, bit(Type::B32), "dttt", kN},
    {"rcp", Opcode::Rcp, kFloat, "dt", kRa},
    {"red", Opcode::Red, kAny, "at/*", kN},
    {"redux", Opcode::Redux, k32, "dtu", kN},
    {"rem", Opcode::Rem, kInt, "dtt", kN},
    {"ret", Opcode::Ret, 0, "", kN},
    {"rsqrt", Opcode::Rsqrt, kFloat, "dt", kA},
    {"sad", Opcode::Sad, kInt, "dttt", kN},
    {"selp", Opcode::Selp, kBits | kInt | kFloat, "dttp", kN},
    {"set", Opcode::Set, bit(Type::U32) | bit(Type::S32) | bit(Type::F32) | kHalf | bit(Type::U16), "dss/p",
     kN},
    {"setp", Opcode::Setp, kBits | kInt | kFloat | kHalf, "*tt/p", kN},
    {"shf", Opcode::Shf, bit(Type::B32), "dttu", kN},
    {"shfl", Opcode::Shfl, bit(Type::B32), "*tuu/u", kN},
    {"shl", Opcode::Shl, kBits, "dtu", kN},
    {"shr", Opcode::Shr, kBits | kInt, "dtu", kN},
    {"sin", Opcode::Sin, bit(Type::F32), "dt", kA},
    {"slct", Opcode::Slct, kBits | kInt | kFloat, "dtts", kN},
    {"sqrt", Opcode::Sqrt, kFloat, "dt", kRa},
    {"st", Opcode::St, kAny, "**/*", kN},
    {"sub", Opcode::Sub, kInt | kFloat | kHalf, "dtt", kN},
    {"subc", Opcode::Subc, kLarge, "dtt", kN},
    {"suld", Opcode::Suld, kTexels, "*a", kN},
    {"suq", Opcode::Suq, bit(Type::B32), "da", kN},
    {"sust", Opcode::Sust, kTexels, "a*", kN},
    {"szext", Opcode::Szext, bit(Type::U32) | bit(Type::S32), "dtt", kN},
    {"tanh", Opcode::Tanh, bit(Type::F32) | kHalf, "dt", kA},
    {"testp", Opcode::Testp, kFloat, "Pt", kN},
    {"tex", Opcode::Tex, kTexture, "*a/**", kN},
    {"tld4", Opcode::Tld4, kTexture, "*a", kN},
    {"trap", Opcode::Trap, 0, "", kN},
    {"txq", Opcode::Txq, bit(Type::B32), "da/u", kN},
    {"vote", Opcode::Vote, bit(Type::Pred) | bit(Type::B32), "dp/u", kN},
    {"xor", Opcode::Xor, kBits | bit(Type::Pred), "dtt", kN}};

// Roots that PTX has and this driver does not support, to distinguish them from misspellings in messages.
constexpr std::string_view kUnsupported[] = {
    "sured",     "istypep",   "wmma",      "mma",          "wgmma",        "ldmatrix",
    "stmatrix",  "movmatrix", "cp",        "mbarrier",     "createpolicy", "setmaxnreg",
    "tcgen05",   "multimem",  "tensormap", "stackrestore", "stacksave",    "alloca",
    "vadd",      "vsub",      "vabsdiff",  "vmin",         "vmax",         "vshl",
    "vshr",      "vmad",      "vset",      "vadd2",        "vsub2",        "vavrg2",
    "vabsdiff2", "vmin2",     "vmax2",     "vset2",        "vadd4",        "vsub4",
    "vavrg4",    "vabsdiff4", "vmin4",     "vmax4",        "vset4",        "clusterlaunchcontrol"};

}  // namespace

const Rule* find_rule(std::string_view root) {
  const auto found =
      std::lower_bound(std::begin(kRules), std::end(kRules), root,
                       [](const Rule& rule, std::string_view text) { return rule.root < text; });
  return found != std::end(kRules) && found->root == root ? found : nullptr;
}

bool is_unsupported_root(std::string_view root) {
  return std::find(std::begin(kUnsupported), std::end(kUnsupported), root) != std::end(kUnsupported);
}

}  // namespace ptx
