// SPDX-License-Identifier: MIT
// PTX as a tree: the contents of the text, checked for form, without any decision about how it is run.
//
// Types are taken from instructions, never from register classes: compilers declare float registers as .b32.
// Does not depend on the driver, memory or a back end. Reference: NVIDIA's "Parallel Thread Execution ISA".
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ptx {

enum class Type : std::uint8_t {
  None,
  Pred,
  B8,
  B16,
  B32,
  B64,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  F32,
  F64,
  F16x2,  // two halves in 32 bits
  Bf16,   // the upper half of a float
  Bf16x2
};
unsigned size_of(Type type);  // bytes; Pred counts 1, None 0
bool is_float(Type type);
bool is_signed(Type type);

enum class Space : std::uint8_t { Generic, Global, Const, Shared, Local, Param };

enum class Special : std::uint8_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  Laneid,
  Warpid,
  Warpsize,
  Smid,
  Clock,
  Clock64,
  Globaltimer,
  Nwarpid,
  Nsmid,
  Gridid,  // has 64 bits, like Clock64 and Globaltimer; all others have 32
  LanemaskEq,
  LanemaskLe,
  LanemaskLt,
  LanemaskGe,
  LanemaskGt,
  ClockHi,
  GlobaltimerLo,
  GlobaltimerHi,
  DynamicSharedSize,
  TotalSharedSize,
  ClusterCtaidX,  // of the block in its cluster
  ClusterCtaidY,
  ClusterCtaidZ,
  ClusterNctaidX,  // blocks of a cluster
  ClusterNctaidY,
  ClusterNctaidZ,
  ClusteridX,
  ClusteridY,
  ClusteridZ,
  NclusteridX,
  NclusteridY,
  NclusteridZ,
  ClusterCtarank,
  ClusterNctarank,
  IsExplicitCluster,  // a predicate
  Environment         // %envreg<n>, n in Operand::reg
};

enum class Opcode : std::uint8_t {
  Abs,
  Activemask,
  Add,
  Addc,
  And,
  Atom,
  Bar,
  Bfe,
  Bfi,
  Bfind,
  Bra,
  Brev,
  Brkpt,
  Call,
  Clz,
  Cnot,
  Copysign,
  Cos,
  Cvt,
  Cvta,
  Div,
  Ex2,
  Exit,
  Fence,
  Fma,
  Isspacep,
  Ld,
  Lg2,
  Mad,
  Madc,
  Max,
  Min,
  Mov,
  Mul,
  Nanosleep,
  Neg,
  Not,
  Or,
  Popc,
  Prefetch,
  Prmt,
  Rcp,
  Red,
  Rem,
  Ret,
  Rsqrt,
  Sad,
  Selp,
  Setp,
  Shf,
  Shl,
  Shr,
  Sin,
  Slct,
  Sqrt,
  St,
  Sub,
  Subc,
  Tanh,
  Testp,
  Trap,
  Xor,
  // Warp and block operations. A missing mask (PTX before 6.0) is an immediate of all ones.
  BarArrive,      // a, count
  BarRed,         // result, a, [count,] predicate: Instruction::reduction
  ClusterArrive,  // barrier.cluster: the blocks of a cluster
  ClusterWait,
  BarWarp,     // mask; without one it waits for those threads of the warp that can still reach it
  Shfl,        // d or d|p, a, b, c, mask: Instruction::shuffle
  Vote,        // d, predicate, mask: Instruction::vote
  Match,       // d or d|p, a, mask: Instruction::match_all
  Redux,       // d, a, mask: Instruction::atomic
  Elect,       // d|p, mask
  Lop3,        // d, a, b, c, table [, predicate]; d may be a pair d|p: with Instruction::combine
  Dp4a,        // d, a, b, c; types: of a, of b
  Dp2a,        // as Dp4a; Instruction::hi chooses the half of b
  Brx,         // index register; Instruction::targets
  Set,         // d, a, b [, predicate]; types: result, compared
  Fns,         // d, mask, base, offset
  Bmsk,        // d, a, b; Instruction::clamp or wrap
  Szext,       // d, a, b; Instruction::clamp or wrap
  Mapa,        // d, a, rank: the same place in the shared memory of another block of the cluster
  Getctarank,  // d, a: whose shared memory it is
  Mul24,
  Mad24,
  // Textures and surfaces: an address operand's parts are what follows the object. Instruction::geometry.
  Tex,     // d, [object, coordinates] [, level | gradient by x, gradient by y]; types: result, coordinates
  Tld4,    // d, [object, coordinates]; Instruction::component
  Txq,     // d, [object]; Instruction::query
  Suld,    // d, [object, coordinates]; Instruction::outside
  Sust,    // [object, coordinates], a; Instruction::outside, formatted
  Suq,     // as Txq
  Nothing  // hints that change no value: discard, applypriority, griddepcontrol, pmevent
};
enum class Compare : std::uint8_t { Eq, Ne, Lt, Le, Gt, Ge, Equ, Neu, Ltu, Leu, Gtu, Geu, Num, Nan };
enum class Combine : std::uint8_t { None, And, Or, Xor };
enum class AtomicOp : std::uint8_t { Add, Min, Max, And, Or, Xor, Exch, Cas, Inc, Dec };
enum class Rounding : std::uint8_t { Default, Nearest, Zero, Down, Up };
enum class Order : std::uint8_t { Weak, Volatile, Relaxed, Acquire, Release, AcquireRelease, Sequential };
enum class Scope : std::uint8_t { None, Block, Cluster, Device, System };
enum class Shuffle : std::uint8_t { Up, Down, Butterfly, Index };
enum class Vote : std::uint8_t { All, Any, Uniform, Ballot };
enum class Reduction : std::uint8_t { And, Or, Count };  // bar.red
enum class Permute : std::uint8_t {
  Selector,
  Forward4,
  Backward4,
  Replicate8,
  EdgeLeft,
  EdgeRight,
  Replicate16
};
enum class Geometry : std::uint8_t { Line, Plane, Volume, Lines, Planes, Cube, Cubes };
enum class Sampling : std::uint8_t { Base, Level, Gradient };
enum class Outside : std::uint8_t { Trap, Clamp, Zero };
enum class Query : std::uint8_t { Width, Height, Depth };
enum class Property : std::uint8_t { Finite, Infinite, Number, NotANumber, Normal, Subnormal };  // testp

struct Operand {
  enum class Kind : std::uint8_t { Register, Immediate, Symbol, Address, Vector, Special, Label, Sink };
  Kind kind = Kind::Sink;
  std::uint32_t reg = 0;        // Register; Address with a register base
  bool has_reg = false;         // Address: base is a register; else a symbol, or absolute if name is empty
  bool negated = false;         // Register in a predicate place: !%p
  bool float_literal = false;   // Immediate: `bits` are of a double
  bool single_literal = false;  // Immediate 0f…: `bits` are of a float
  std::uint64_t bits = 0;       // Immediate
  std::int64_t offset = 0;      // Address, Symbol
  std::string name;             // Symbol, Address, Label
  std::uint64_t element = 0;    // Symbol: the size of an element if it was written name[n]
  Special special = Special::TidX;
  std::vector<Operand> parts;  // Vector; Address: what follows a comma
  bool pair = false;           // Vector: it was written d|p; either part may be a Sink
};

struct Instruction {
  std::string root;                    // "mad"
  std::vector<std::string> modifiers;  // "lo"; types are in `types`
  std::vector<Type> types;             // in order: the first is the result's
  bool guarded = false, guard_negated = false;
  std::uint32_t guard = 0;
  std::vector<Operand> operands;  // call: results, callee, arguments are in the fields below
  std::vector<std::string> call_results, call_arguments;
  std::string callee;
  int line = 0;
  std::uint32_t target = 0;  // bra: index of the instruction, resolved after the body is read

  // The meaning of the modifiers, read once.
  Opcode opcode = Opcode::Ret;
  Space space = Space::Generic;  // ld, st, atom, cvta, isspacep
  std::uint8_t lanes = 1;        // .v2, .v4
  Compare compare = Compare::Eq;
  Combine combine = Combine::None;
  AtomicOp atomic = AtomicOp::Add;
  Rounding rounding = Rounding::Default;
  bool to_integral = false;  // .rni, .rzi, …: to a whole number
  bool hi = false, wide = false, saturate = false, flush = false, approximate = false, to_space = false;
  bool carry_out = false;            // .cc
  bool left = false, clamp = false;  // shf
  bool normal_only = false;          // bfind.shiftamt
  bool relu = false;                 // .relu: negative results and NaN become zero
  bool keep_nan = false;             // min, max: .NaN
  bool xor_sign = false;             // min, max: .xorsign.abs
  bool match_all = false;            // match.all
  bool of_cluster = false;           // .shared::cluster: the shared memory of any block of the cluster
  bool warp_mask = true;             // shfl, vote: false without .sync
  Order order = Order::Weak;
  Scope scope = Scope::None;
  Shuffle shuffle = Shuffle::Index;
  Vote vote = Vote::All;
  Reduction reduction = Reduction::And;
  Permute permute = Permute::Selector;
  Property property = Property::Finite;
  Geometry geometry = Geometry::Line;
  Sampling sampling = Sampling::Base;
  Outside outside = Outside::Trap;
  Query query = Query::Width;
  std::uint8_t component = 0;          // tld4: of red, green, blue, alpha
  bool formatted = false;              // sust.p
  std::vector<std::uint32_t> targets;  // brx: indices of instructions
  std::string prototype;               // indirect call: key in Function::prototypes
  bool has(const char* modifier) const;
};

struct Parameter {
  std::string name;
  Type type = Type::B64;
  std::uint32_t align = 8;
  std::uint32_t size = 8;    // bytes
  std::uint32_t offset = 0;  // in the parameter buffer of a kernel
};

struct Initialiser {  // one word of a variable's initial value
  std::uint64_t bits = 0;
  std::string symbol;      // its address is added when not empty; may be a function
  std::uint64_t mask = 0;  // not 0: only these bits of the address, shifted down (0xff00(symbol))
};

struct Variable {
  std::string name;
  Space space = Space::Global;
  Type type = Type::B8;
  std::uint32_t align = 1;
  std::uint64_t size = 0;  // bytes; 0 for an extern array (dynamic shared memory)
  bool array = false;      // an array or a vector: its elements have numbers
  bool managed = false, external = false, visible = false, weak = false, common = false;
  std::vector<Initialiser> values;  // of `type` each; missing ones are zero
};

struct Prototype {  // .callprototype
  std::vector<Parameter> results, parameters;
};

// The parser rewrites parameters in registers, scoped names, and operands of calls that are registers or
// numbers: in the tree, every parameter is in .param space, every call names .param variables of the caller's
// frame, and names are unique within a function.
struct Function {
  std::string name;
  bool kernel = false, visible = false, external = false, weak = false, no_return = false;
  std::vector<Parameter> results, parameters;
  std::vector<std::string> registers;  // names by index
  std::vector<Type> register_types;
  std::vector<Variable> locals;  // .local, .shared and .param declared inside
  std::vector<Instruction> body;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t max_threads = 0;                  // product of .maxntid; 0 if not given
  std::uint32_t required_threads[3] = {0, 0, 0};  // .reqntid; zeros if not given
  std::uint32_t min_blocks = 0;                   // .minnctapersm
  std::uint32_t max_registers = 0;                // .maxnreg
  std::uint32_t required_cluster[3] = {0, 0, 0};  // .reqnctapercluster, in blocks; zeros if not given
  std::uint32_t max_cluster = 0;                  // .maxclusterrank, in blocks; 0 if not given
  bool explicit_cluster = false;                  // .explicitcluster: it cannot be launched without clusters
  bool blocks_are_clusters = false;               // .blocksareclusters: a launch gives its grid in clusters
  std::map<std::string, Prototype> prototypes;    // by the label of .callprototype
  int line = 0;
};

struct Module {
  int version_major = 0, version_minor = 0;
  std::string target;     // "sm_75"
  int target_number = 0;  // 75
  int address_size = 64;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::map<std::string, std::string> aliases;  // .alias: find() follows them
  const Function* find(const std::string& name) const;
  const Variable* find_variable(const std::string& name) const;
};

// Functions of a module by name, to look up many of them: Module::find compares all names. The module must
// outlive this object and not change.
class FunctionNames {
 public:
  explicit FunctionNames(const Module& module);
  const Function* find(const std::string& name) const;  // as Module::find
  // In kFunctionWindow; nothing if no function of this name is defined.
  std::optional<std::uint64_t> address(const std::string& name) const;

 private:
  const Module& module_;
  std::unordered_map<std::string_view, const Function*> named_;
};

// The address of a function is this plus its index in Module::functions: in registers, in initial values of
// variables, and as the target of a call. No device or host address is as high. Every parse of the same text
// gives the same indices; declarations are counted too, but only defined functions have an address.
inline constexpr std::uint64_t kFunctionWindow = std::uint64_t{3} << 56;
// Functions whose addresses are used in instructions or in initial values. The set may also contain other
// names.
std::set<std::string> functions_with_addresses(const Module& module);
// Functions that may be called again before they return, directly or through addresses. How much of a
// thread's stack they need is not known before they run, so it counts against CU_LIMIT_STACK_SIZE.
std::set<std::string> recursive_functions(const Module& module);
// The stack that one such call needs: measured on an H200 by the deepest recursion under six limits, with
// frames of 0, 64 and 1024 bytes of local memory.
std::uint64_t call_bytes(const Function& function);
std::optional<std::size_t> index_of_function(const Module& module, const std::string& name);
// The function at an address; nullptr if there is none.
const Function* function_at(const Module& module, std::uint64_t address);

}  // namespace ptx
