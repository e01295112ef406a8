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
constexpr Rule::Need N = Rule::Nothing;
constexpr Rule::Need R = Rule::Rounding;
constexpr Rule::Need RA = Rule::RoundingOrApproximate;
constexpr Rule::Need A = Rule::Approximate;

constexpr Rule kRules[] = {
    {"abs", Opcode::Abs, kInt | kFloat | kHalf, "dt", N},
    {"activemask", Opcode::Activemask, bit(Type::B32), "d", N},
    {"add", Opcode::Add, kInt | kFloat | kHalf, "dtt", N},
    {"addc", Opcode::Addc, kLarge, "dtt", N},
    {"and", Opcode::And, kBits | bit(Type::Pred), "dtt", N},
    {"applypriority", Opcode::Nothing, 0, "a*", N},
    {"atom", Opcode::Atom, kAny, "dat/t*", N},
    {"bar", Opcode::Bar, 0, "/****", N},
    {"barrier", Opcode::Bar, 0, "/****", N},
    {"bfe", Opcode::Bfe, kLarge, "dtuu", N},
    {"bfi", Opcode::Bfi, kWords, "dttuu", N},
    {"bfind", Opcode::Bfind, kLarge, "rt", N},
    {"bmsk", Opcode::Bmsk, bit(Type::B32), "dtt", N},
    {"bra", Opcode::Bra, 0, "*", N},
    {"brev", Opcode::Brev, kWords, "dt", N},
    {"brkpt", Opcode::Brkpt, 0, "", N},
    {"brx", Opcode::Brx, 0, "u*/****************", N},
    {"call", Opcode::Call, 0, "/*", N},
    {"clz", Opcode::Clz, kWords, "rt", N},
    {"cnot", Opcode::Cnot, kBits, "dt", N},
    {"copysign", Opcode::Copysign, kFloat, "dtt", N},
    {"cos", Opcode::Cos, bit(Type::F32), "dt", A},
    {"cvt", Opcode::Cvt, kAny, "**/*", N},
    {"cvta", Opcode::Cvta, bit(Type::U32) | bit(Type::U64), "dt", N},
    {"discard", Opcode::Nothing, 0, "a*", N},
    {"div", Opcode::Div, kInt | kFloat, "dtt", RA},
    {"dp2a", Opcode::Dp2a, bit(Type::U32) | bit(Type::S32), "ruuu", N},
    {"dp4a", Opcode::Dp4a, bit(Type::U32) | bit(Type::S32), "ruuu", N},
    {"elect", Opcode::Elect, 0, "**", N},
    {"ex2", Opcode::Ex2, bit(Type::F32) | kHalf, "dt", A},
    {"exit", Opcode::Exit, 0, "", N},
    {"fence", Opcode::Fence, 0, "", N},
    {"fma", Opcode::Fma, kFloat | kHalf, "dttt", R},
    {"fns", Opcode::Fns, bit(Type::B32), "ruuu", N},
    {"griddepcontrol", Opcode::Nothing, 0, "", N},
    {"isspacep", Opcode::Isspacep, 0, "P*", N},
    {"ld", Opcode::Ld, kAny, "**/*", N},
    {"ldu", Opcode::Ld, kAny, "**", N},
    {"lg2", Opcode::Lg2, bit(Type::F32), "dt", A},
    {"lop3", Opcode::Lop3, bit(Type::B32), "*tttu/p", N},
    {"mad", Opcode::Mad, kInt | kFloat, "dttt", N},
    {"mad24", Opcode::Mad24, bit(Type::U32) | bit(Type::S32), "dttt", N},
    {"madc", Opcode::Madc, kLarge, "dttt", N},
    {"match", Opcode::Match, kWords, "*tu", N},
    {"max", Opcode::Max, kInt | kFloat | kHalf, "dtt", N},
    {"membar", Opcode::Fence, 0, "", N},
    {"min", Opcode::Min, kInt | kFloat | kHalf, "dtt", N},
    {"mov", Opcode::Mov, kAny, "**", N},
    {"mul", Opcode::Mul, kInt | kFloat | kHalf, "dtt", N},
    {"mul24", Opcode::Mul24, bit(Type::U32) | bit(Type::S32), "dtt", N},
    {"nanosleep", Opcode::Nanosleep, bit(Type::U32), "t", N},
    {"neg", Opcode::Neg, kInt | kFloat | kHalf, "dt", N},
    {"not", Opcode::Not, kBits | bit(Type::Pred), "dt", N},
    {"or", Opcode::Or, kBits | bit(Type::Pred), "dtt", N},
    {"pmevent", Opcode::Nothing, 0, "*", N},
    {"popc", Opcode::Popc, kWords, "rt", N},
    {"prefetch", Opcode::Prefetch, 0, "a", N},
    {"prefetchu", Opcode::Prefetch, 0, "a", N},
    {"prmt", Opcode::Prmt, bit(Type::B32), "dttt", N},
    {"rcp", Opcode::Rcp, kFloat, "dt", RA},
    {"red", Opcode::Red, kAny, "at/*", N},
    {"redux", Opcode::Redux, k32, "dtu", N},
    {"rem", Opcode::Rem, kInt, "dtt", N},
    {"ret", Opcode::Ret, 0, "", N},
    {"rsqrt", Opcode::Rsqrt, kFloat, "dt", A},
    {"sad", Opcode::Sad, kInt, "dttt", N},
    {"selp", Opcode::Selp, kBits | kInt | kFloat, "dttp", N},
    {"set", Opcode::Set, bit(Type::U32) | bit(Type::S32) | bit(Type::F32) | kHalf | bit(Type::U16), "dss/p",
     N},
    {"setp", Opcode::Setp, kBits | kInt | kFloat | kHalf, "*tt/p", N},
    {"shf", Opcode::Shf, bit(Type::B32), "dttu", N},
    {"shfl", Opcode::Shfl, bit(Type::B32), "*tuu/u", N},
    {"shl", Opcode::Shl, kBits, "dtu", N},
    {"shr", Opcode::Shr, kBits | kInt, "dtu", N},
    {"sin", Opcode::Sin, bit(Type::F32), "dt", A},
    {"slct", Opcode::Slct, kBits | kInt | kFloat, "dtts", N},
    {"sqrt", Opcode::Sqrt, kFloat, "dt", RA},
    {"st", Opcode::St, kAny, "**/*", N},
    {"sub", Opcode::Sub, kInt | kFloat | kHalf, "dtt", N},
    {"subc", Opcode::Subc, kLarge, "dtt", N},
    {"suld", Opcode::Suld, kTexels, "*a", N},
    {"suq", Opcode::Suq, bit(Type::B32), "da", N},
    {"sust", Opcode::Sust, kTexels, "a*", N},
    {"szext", Opcode::Szext, bit(Type::U32) | bit(Type::S32), "dtt", N},
    {"tanh", Opcode::Tanh, bit(Type::F32) | kHalf, "dt", A},
    {"testp", Opcode::Testp, kFloat, "Pt", N},
    {"tex", Opcode::Tex, kTexture, "*a/**", N},
    {"tld4", Opcode::Tld4, kTexture, "*a", N},
    {"trap", Opcode::Trap, 0, "", N},
    {"txq", Opcode::Txq, bit(Type::B32), "da/u", N},
    {"vote", Opcode::Vote, bit(Type::Pred) | bit(Type::B32), "dp/u", N},
    {"xor", Opcode::Xor, kBits | bit(Type::Pred), "dtt", N}};

// Roots that PTX has and this driver does not support, to distinguish them from misspellings in messages.
constexpr std::string_view kUnsupported[] = {
    "sured",      "istypep",      "wmma",      "mma",
    "wgmma",      "ldmatrix",     "stmatrix",  "movmatrix",
    "cp",         "mbarrier",     "mapa",      "createpolicy",
    "getctarank", "setmaxnreg",   "tcgen05",   "multimem",
    "tensormap",  "stackrestore", "stacksave", "alloca",
    "vadd",       "vsub",         "vabsdiff",  "vmin",
    "vmax",       "vshl",         "vshr",      "vmad",
    "vset",       "vadd2",        "vsub2",     "vavrg2",
    "vabsdiff2",  "vmin2",        "vmax2",     "vset2",
    "vadd4",      "vsub4",        "vavrg4",    "vabsdiff4",
    "vmin4",      "vmax4",        "vset4",     "clusterlaunchcontrol"};

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
