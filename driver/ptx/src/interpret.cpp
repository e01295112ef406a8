// Threads of one block run in turn, each until a barrier or its end; blocks follow one another. Registers
// hold raw bits; memory goes through windows: shared, local and parameter space live at addresses that no
// device allocation has, so that generic addresses tell themselves apart.
#include "ptx/interpret.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "evaluate.hpp"
#include "layout.hpp"
#include "printf.hpp"
#include "warp.hpp"

namespace ptx {
namespace {

using u64 = std::uint64_t;

// Windows of the generic address space; far above every device and host address.
constexpr u64 kSharedBase = u64{1} << 56;
constexpr u64 kLocalBase = u64{2} << 56;
constexpr u64 kFunctionBase = u64{3} << 56;  // index of a function: what a function's address is
constexpr u64 kWindowMask = ~((u64{1} << 56) - 1);
constexpr std::size_t kMostFrames = 1024;
constexpr std::size_t kMostLocalBytes = std::size_t{512} * 1024;
constexpr u64 kTurn = 20000;         // instructions of one thread before the next has its turn
constexpr u64 kStopInterval = 4096;  // instructions between two looks at Environment::stop

std::mutex& atomics() {
  static std::mutex lock;
  return lock;
}

struct Frame {
  const Function* function = nullptr;
  const Layout* layout = nullptr;
  std::vector<u64> registers;
  std::size_t pc = 0;
  u64 base = 0;  // of its variables, in the thread's local memory
  bool carry = false;
  const Instruction* call = nullptr;  // what the caller waits at; null for the kernel
};

enum class Waiting : std::uint8_t { No, Block, Warp };

struct Thread {
  std::vector<Frame> frames;
  std::vector<std::byte> local;
  std::uint32_t tid[3] = {};
  bool done = false;
  Waiting waiting = Waiting::No;
  const Instruction* at = nullptr;  // the instruction waited at
  u64 mask = 0;                     // warp operations: who has to come
  u64 barrier = 0, expected = 0;    // block barriers: which, and how many threads (0: all)
  bool voted = false;               // bar.red
  Lane lane;
};

struct Stop {  // thrown out of a thread when the kernel ends early
  Fault fault;
};

class Kernel {
 public:
  Kernel(const Module& module, const Function& kernel, const Launch& launch, Environment& environment)
      : module_(module),
        kernel_(kernel),
        launch_(launch),
        environment_(environment),
        shared_layout_(shared_layout(module, kernel)) {
    shared_.resize(shared_layout_.bytes + launch.dynamic_shared);
  }

  void run() {
    const u64 all = u64{launch_.grid[0]} * launch_.grid[1] * launch_.grid[2];
    const u64 end = launch_.blocks == 0 ? all : std::min(all, launch_.first_block + launch_.blocks);
    for (u64 number = launch_.first_block; number < end; ++number) {
      block_[0] = static_cast<std::uint32_t>(number % launch_.grid[0]);
      block_[1] = static_cast<std::uint32_t>(number / launch_.grid[0] % launch_.grid[1]);
      block_[2] = static_cast<std::uint32_t>(number / launch_.grid[0] / launch_.grid[1]);
      run_block();
    }
  }

 private:
  const Layout& layout_of(const Function& function) {
    auto found = layouts_.find(&function);
    if (found == layouts_.end()) found = layouts_.emplace(&function, frame_layout(function)).first;
    return found->second;
  }

  void run_block() {
    std::fill(shared_.begin(), shared_.end(), std::byte{0});
    std::vector<Thread> threads(std::size_t{launch_.block[0]} * launch_.block[1] * launch_.block[2]);
    std::size_t index = 0;
    for (Thread& thread : threads) {
      thread.tid[0] = static_cast<std::uint32_t>(index % launch_.block[0]);
      thread.tid[1] = static_cast<std::uint32_t>(index / launch_.block[0] % launch_.block[1]);
      thread.tid[2] = static_cast<std::uint32_t>(index / launch_.block[0] / launch_.block[1]);
      thread.lane.number = static_cast<unsigned>(index % 32);
      ++index;
      push_frame(thread, kernel_, nullptr);
      copy_parameters(thread);
    }
    run_threads(threads);
    if (failed_assertion_) throw Stop{{Fault::Kind::Assert, *failed_assertion_}};
  }

  // In turns, until all are done. Threads that wait go on as soon as those they wait for have come.
  void run_threads(std::vector<Thread>& threads) {
    arrived_.clear();
    for (;;) {
      bool moved = false, alive = false;
      for (Thread& thread : threads) {
        for (u64 turn = 0; turn < kTurn && !thread.done && thread.waiting == Waiting::No; ++turn) {
          step(thread);
          moved = true;
        }
        alive = alive || !thread.done;
      }
      if (!alive) return;
      for (std::size_t first = 0; first < threads.size(); first += 32) {
        const std::size_t last = std::min(threads.size(), first + 32);
        while (join_warp(std::span(threads).subspan(first, last - first))) moved = true;
      }
      if (release_barriers(threads)) moved = true;
      if (!moved) throw Stop{{Fault::Kind::Stopped, "threads wait for others that never come"}};
    }
  }

  // One group of a warp whose members have all arrived computes and goes on.
  bool join_warp(std::span<Thread> warp) {
    const bool running = std::any_of(warp.begin(), warp.end(), [](const Thread& thread) {
      return !thread.done && thread.waiting == Waiting::No;
    });
    for (const Thread& leader : warp) {
      if (leader.done || leader.waiting != Waiting::Warp) continue;
      const bool masked = leader.at->opcode != Opcode::Activemask && leader.at->warp_mask;
      // Without a mask those take part that are there when nobody else can come any more.
      if (!masked && running) continue;
      std::vector<Thread*> group;
      bool complete = true;
      for (Thread& thread : warp) {
        const bool here = !thread.done && thread.waiting == Waiting::Warp &&
                          thread.at->opcode == leader.at->opcode && thread.mask == leader.mask &&
                          (masked || thread.at == leader.at);
        const bool named = !masked || ((leader.mask >> thread.lane.number) & 1) != 0;
        if (here && named)
          group.push_back(&thread);
        else if (masked && named && !thread.done)
          complete = false;
      }
      if (!complete || group.empty()) continue;
      finish_together(*leader.at, group);
      return true;
    }
    return false;
  }

  void finish_together(const Instruction& in, const std::vector<Thread*>& group) {
    std::vector<Lane> lanes;
    lanes.reserve(group.size());
    for (const Thread* thread : group) lanes.push_back(thread->lane);
    compute_together(in, lanes);
    for (std::size_t i = 0; i < group.size(); ++i) {
      Thread& thread = *group[i];
      thread.waiting = Waiting::No;
      if (in.opcode == Opcode::BarWarp) continue;
      Frame& frame = thread.frames.back();
      const Operand& to = thread.at->operands[0];
      write(frame, to, lanes[i].result);
      if (to.kind == Operand::Kind::Vector && to.parts.size() > 1)
        write(frame, to.parts[1], lanes[i].predicate ? 1 : 0);
    }
  }

  // Barriers at which as many have arrived as were asked for, or all that are left.
  bool release_barriers(std::vector<Thread>& threads) {
    std::map<u64, std::vector<Thread*>> waiting;
    u64 alive = 0;
    for (Thread& thread : threads) {
      alive += thread.done ? 0 : 1;
      if (!thread.done && thread.waiting == Waiting::Block) waiting[thread.barrier].push_back(&thread);
    }
    bool released = false;
    for (const auto& [barrier, group] : waiting) {
      const u64 expected = group.front()->expected != 0 ? group.front()->expected : alive;
      if (group.size() + arrived_[barrier] < expected) continue;
      arrived_[barrier] = 0;
      finish_barrier(group);
      released = true;
    }
    return released;
  }

  void finish_barrier(const std::vector<Thread*>& group) {
    const auto voted = static_cast<u64>(
        std::count_if(group.begin(), group.end(), [](const Thread* thread) { return thread->voted; }));
    for (Thread* thread : group) {
      thread->waiting = Waiting::No;
      if (thread->at->opcode != Opcode::BarRed) continue;
      const Reduction how = thread->at->reduction;
      const u64 result = how == Reduction::Count ? voted
                         : how == Reduction::And ? (voted == group.size() ? 1 : 0)
                                                 : (voted != 0 ? 1 : 0);
      write(thread->frames.back(), thread->at->operands[0], result);
    }
  }

  // bar: a [, count]; bar.red: result, a [, count], predicate.
  void meet(Thread& thread, Frame& frame, const Instruction& in) {
    const bool reduces = in.opcode == Opcode::BarRed;
    const std::size_t first = reduces ? 1 : 0;
    const std::size_t end = in.operands.size() - (reduces ? 1 : 0);
    const u64 barrier =
        first < end ? truncate(Type::U32, value(thread, frame, in.operands[first], Type::U32)) : 0;
    const u64 expected =
        first + 1 < end ? truncate(Type::U32, value(thread, frame, in.operands[first + 1], Type::U32)) : 0;
    if (in.opcode == Opcode::BarArrive) {
      ++arrived_[barrier];
      return;
    }
    thread.at = &in;
    thread.waiting = Waiting::Block;
    thread.barrier = barrier;
    thread.expected = expected;
    thread.voted = reduces && (value(thread, frame, in.operands.back(), Type::Pred) & 1) != 0;
  }

  void wait_for_warp(Thread& thread, Frame& frame, const Instruction& in) {
    thread.at = &in;
    thread.waiting = Waiting::Warp;
    const std::size_t first = in.opcode == Opcode::BarWarp ? 0 : 1;
    const bool masked = in.opcode != Opcode::Activemask && in.warp_mask;
    const std::size_t end = in.operands.size() - (masked ? 1 : 0);
    for (std::size_t i = first; i < end && i - first < 4; ++i)
      thread.lane.values[i - first] =
          value(thread, frame, in.operands[i], in.opcode == Opcode::Vote ? Type::Pred : Type::B32);
    thread.mask =
        masked ? truncate(Type::U32, value(thread, frame, in.operands.back(), Type::U32)) : 0xffffffffU;
  }

  void copy_parameters(Thread& thread) {
    Frame& frame = thread.frames.back();
    for (const Parameter& parameter : kernel_.parameters) {
      const std::size_t offset = parameter.offset;
      if (offset + parameter.size > launch_.parameters.size()) continue;
      std::memcpy(thread.local.data() + frame.base + frame.layout->offsets.at(parameter.name),
                  launch_.parameters.data() + offset, parameter.size);
    }
  }

  void push_frame(Thread& thread, const Function& function, const Instruction* call) {
    if (thread.frames.size() >= kMostFrames)
      throw Stop{{Fault::Kind::IllegalAddress, "stack overflow in " + function.name}};
    Frame frame;
    frame.function = &function;
    frame.call = call;
    frame.layout = &layout_of(function);
    frame.registers.resize(function.registers.size());
    frame.base = thread.local.size();
    if (frame.base + frame.layout->bytes > kMostLocalBytes) {
      throw Stop{{Fault::Kind::IllegalAddress, "local memory exhausted in " + function.name}};
    }
    thread.local.resize(frame.base + frame.layout->bytes);
    thread.frames.push_back(std::move(frame));
  }

  // Back to the caller, with the results copied into its variables.
  void pop_frame(Thread& thread) {
    const Frame& frame = thread.frames.back();
    const Instruction* const call = frame.call;
    const Function& callee = *frame.function;
    std::vector<std::byte> results;
    for (const Parameter& result : callee.results) {
      const std::byte* from = thread.local.data() + frame.base + frame.layout->offsets.at(result.name);
      results.insert(results.end(), from, from + result.size);
    }
    thread.local.resize(frame.base);
    thread.frames.pop_back();
    thread.done = thread.frames.empty();
    if (call != nullptr && !thread.done) copy_results(thread, *call, callee, results);
  }

  // One instruction of one thread.
  void step(Thread& thread) {
    if (++executed_ % kStopInterval == 0 && environment_.stop && environment_.stop()) {
      throw Stop{{Fault::Kind::Stopped, "stopped"}};
    }
    Frame& frame = thread.frames.back();
    if (frame.pc >= frame.function->body.size()) return pop_frame(thread);
    const Instruction& in = frame.function->body[frame.pc++];
    if (in.guarded && ((frame.registers[in.guard] & 1) != 0) == in.guard_negated) return;
    switch (in.opcode) {
      case Opcode::Bra:
        frame.pc = in.target;
        return;
      case Opcode::Ret:
        return pop_frame(thread);
      case Opcode::Exit:
        thread.frames.clear();
        thread.done = true;
        return;
      case Opcode::Trap:
      case Opcode::Brkpt:
        throw Stop{{Fault::Kind::Trap, place(in)}};
      case Opcode::Brx: {
        const u64 index = truncate(Type::U32, value(thread, frame, in.operands[0], Type::U32));
        if (index >= in.targets.size()) throw Stop{{Fault::Kind::IllegalInstruction, place(in)}};
        frame.pc = in.targets[index];
        return;
      }
      case Opcode::Bar:
      case Opcode::BarArrive:
      case Opcode::BarRed:
        return meet(thread, frame, in);
      case Opcode::Shfl:
      case Opcode::Vote:
      case Opcode::Match:
      case Opcode::Redux:
      case Opcode::Elect:
      case Opcode::Activemask:
      case Opcode::BarWarp:
        return wait_for_warp(thread, frame, in);
      case Opcode::Nothing:
      case Opcode::Fence:
      case Opcode::Nanosleep:
      case Opcode::Prefetch:
        return;
      case Opcode::Call:
        return call(thread, in);
      case Opcode::Ld:
        return load(thread, frame, in);
      case Opcode::St:
        return store(thread, frame, in);
      case Opcode::Atom:
      case Opcode::Red:
        return atomic_step(thread, frame, in);
      case Opcode::Mov:
        return move(thread, frame, in);
      case Opcode::Setp:
        return set_predicate(thread, frame, in);
      case Opcode::Cvta:
        return convert_address(thread, frame, in);
      default:
        return compute(thread, frame, in);
    }
  }

  void compute(Thread& thread, Frame& frame, const Instruction& in) {
    u64 values[4] = {};
    for (std::size_t i = 1; i < in.operands.size() && i <= 4; ++i)
      values[i - 1] = value(thread, frame, in.operands[i], operand_type(in, i));
    u64 result = 0;
    if (in.opcode == Opcode::Cvt)
      result = in.operands.size() > 2 ? convert_pair(in, values) : convert(in, values[0]);
    else if (in.opcode == Opcode::Set)
      result = set_value(in, values);
    else if (in.opcode == Opcode::Selp)
      result = (values[2] & 1) != 0 ? values[0] : values[1];
    else if (in.opcode == Opcode::Slct)
      result = select_by_sign(in, values);
    else if (in.opcode == Opcode::Isspacep)
      result = space_of(values[0]) == in.space ? 1 : 0;
    else if (in.opcode == Opcode::Testp)
      result = test_property(in, values[0]);
    else
      result = evaluate(in, values[0], values[1], values[2], values[3], frame.carry);
    const Operand& to = in.operands[0];
    write(frame, to, result);
    if (in.opcode != Opcode::Lop3 || !to.pair) return;
    const bool with = in.operands.size() > 5 && (value(thread, frame, in.operands[5], Type::Pred) & 1) != 0;
    write(frame, to.parts[1], combine(in.combine, truncate(Type::U32, result) != 0, with) ? 1 : 0);
  }

  // cvt.rn.f16x2.f32 d, a, b: a above b.
  static u64 convert_pair(const Instruction& in, const u64* values) {
    Instruction each = in;
    each.types[0] = in.types[0] == Type::F16x2 ? Type::F16 : Type::Bf16;
    return (convert(each, values[0]) << 16) | convert(each, values[1]);
  }

  static u64 set_value(const Instruction& in, const u64* values) {
    bool result = compare(in.compare, in.types[1], values[0], values[1]);
    if (in.combine != Combine::None) result = combine(in.combine, result, (values[2] & 1) != 0);
    if (!result) return 0;
    return is_float(in.types[0]) ? (in.types[0] == Type::F32 ? 0x3f800000U : 0x3c00U) : 0xffffffffU;
  }

  static Type operand_type(const Instruction& in, std::size_t index) {
    if (in.types.empty()) return Type::B64;
    if (in.opcode == Opcode::Cvt && in.types.size() > 1) return in.types[1];
    if ((in.opcode == Opcode::Set || (in.opcode == Opcode::Slct && index == 3)) && in.types.size() > 1)
      return index == 3 && in.opcode == Opcode::Set ? Type::Pred : in.types[1];
    if (in.opcode == Opcode::Selp && index == 3) return Type::Pred;
    if ((in.opcode == Opcode::Shl || in.opcode == Opcode::Shr) && index == 2) return Type::U32;
    return in.types[0];
  }

  static u64 select_by_sign(const Instruction& in, const u64* values) {
    const Type type = in.types.size() > 1 ? in.types[1] : Type::S32;
    return compare(Compare::Ge, type, values[2], 0) ? values[0] : values[1];
  }

  static u64 test_property(const Instruction& in, u64 bits) {
    const bool single = in.types[0] == Type::F32;
    const u64 exponent = single ? (bits >> 23) & 0xff : (bits >> 52) & 0x7ff;
    const u64 fraction = single ? bits & 0x7fffff : bits & ((u64{1} << 52) - 1);
    const bool top = exponent == (single ? 0xffu : 0x7ffu);
    switch (in.property) {
      case Property::Finite:
        return top ? 0 : 1;
      case Property::Infinite:
        return top && fraction == 0 ? 1 : 0;
      case Property::Number:
        return top && fraction != 0 ? 0 : 1;
      case Property::NotANumber:
        return top && fraction != 0 ? 1 : 0;
      case Property::Normal:
        return !top && exponent != 0 ? 1 : 0;
      case Property::Subnormal:
        return exponent == 0 ? 1 : 0;
    }
    return 0;
  }

  void set_predicate(Thread& thread, Frame& frame, const Instruction& in) {
    const Type type = in.types[0];
    bool result = compare(in.compare, type, value(thread, frame, in.operands[1], type),
                          value(thread, frame, in.operands[2], type));
    bool other = !result;
    if (in.combine != Combine::None && in.operands.size() > 3) {
      const bool with = (value(thread, frame, in.operands[3], Type::Pred) & 1) != 0;
      result = combine(in.combine, result, with);
      other = combine(in.combine, other, with);
    }
    const Operand& target = in.operands[0];
    if (target.kind != Operand::Kind::Vector) return write(frame, target, result ? 1 : 0);
    write(frame, target.parts[0], result ? 1 : 0);
    write(frame, target.parts[1], other ? 1 : 0);
  }

  static bool combine(Combine how, bool a, bool b) {
    if (how == Combine::None) return a;
    return how == Combine::And ? a && b : how == Combine::Or ? a || b : a != b;
  }

  // mov, with packing and unpacking of vectors.
  void move(Thread& thread, Frame& frame, const Instruction& in) {
    const Type type = in.types[0];
    const Operand& to = in.operands[0];
    const Operand& from = in.operands[1];
    u64 bits = 0;
    if (from.kind == Operand::Kind::Vector) {
      const unsigned each = size_of(type) * 8 / static_cast<unsigned>(from.parts.size());
      for (std::size_t i = from.parts.size(); i-- > 0;) {
        const u64 part = value(thread, frame, from.parts[i], Type::B64);
        bits = (bits << each) | (part & ((u64{1} << each) - 1));
      }
    } else {
      bits = value(thread, frame, from, type);
    }
    if (to.kind != Operand::Kind::Vector) return write(frame, to, truncate(type, bits));
    const unsigned each = size_of(type) * 8 / static_cast<unsigned>(to.parts.size());
    for (std::size_t i = 0; i < to.parts.size(); ++i)
      write(frame, to.parts[i], (bits >> (i * each)) & ((u64{1} << each) - 1));
  }

  void convert_address(Thread& thread, Frame& frame, const Instruction& in) {
    const u64 address = value(thread, frame, in.operands[1], Type::B64);
    const u64 base = in.space == Space::Shared ? kSharedBase : in.space == Space::Local ? kLocalBase : 0;
    write(frame, in.operands[0],
          in.to_space ? (base == 0 ? address : address & ~kWindowMask) : address | base);
  }

  static Space space_of(u64 address) {
    const u64 window = address & kWindowMask;
    return window == kSharedBase ? Space::Shared : window == kLocalBase ? Space::Local : Space::Global;
  }

  // ---- operands

  u64 value(Thread& thread, Frame& frame, const Operand& operand, Type type) {
    switch (operand.kind) {
      case Operand::Kind::Register:
        return operand.negated ? (frame.registers[operand.reg] & 1) ^ 1 : frame.registers[operand.reg];
      case Operand::Kind::Immediate:
        return immediate(operand, type);
      case Operand::Kind::Symbol:
        return symbol_address(frame, operand.name) + static_cast<u64>(operand.offset);
      case Operand::Kind::Special:
        return special(thread, operand.special);
      default:
        return 0;
    }
  }

  static u64 immediate(const Operand& operand, Type type) {
    if (operand.single_literal && type == Type::F64) {
      return std::bit_cast<u64>(
          static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))));
    }
    if (operand.float_literal && type == Type::F32) {
      return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
    }
    return operand.bits;
  }

  // The address of a name in its own space: an offset for shared and local, a device address for the rest.
  u64 symbol_address(const Frame& frame, const std::string& name) {
    if (const auto found = frame.layout->offsets.find(name); found != frame.layout->offsets.end())
      return frame.base + found->second;
    if (const auto found = shared_layout_.offsets.find(name); found != shared_layout_.offsets.end())
      return found->second;
    for (std::size_t i = 0; i < module_.functions.size(); ++i) {
      if (module_.functions[i].name == name && !module_.functions[i].external) return kFunctionBase + i;
    }
    return environment_.symbol ? environment_.symbol(name) : 0;
  }

  u64 linear(const Thread& thread) const {
    return thread.tid[0] + u64{launch_.block[0]} * (thread.tid[1] + u64{launch_.block[1]} * thread.tid[2]);
  }

  u64 special(const Thread& thread, Special which) const {
    const unsigned index = static_cast<unsigned>(which);
    if (which <= Special::TidZ) return thread.tid[index];
    if (which <= Special::NtidZ) return launch_.block[index - 3];
    if (which <= Special::CtaidZ) return block_[index - 6];
    if (which <= Special::NctaidZ) return launch_.grid[index - 9];
    if (which == Special::Laneid) return linear(thread) % 32;
    if (which == Special::Warpid) return linear(thread) / 32;
    if (which == Special::Warpsize) return 32;
    if (which >= Special::LanemaskEq && which <= Special::LanemaskGt) {
      const u64 own = u64{1} << (linear(thread) % 32);
      const u64 masks[] = {own, own * 2 - 1, own - 1, ~(own - 1), ~(own * 2 - 1)};
      return truncate(Type::U32,
                      masks[static_cast<unsigned>(which) - static_cast<unsigned>(Special::LanemaskEq)]);
    }
    if (which == Special::Nwarpid) return 48;
    if (which == Special::Nsmid) return 1;
    if (which == Special::DynamicSharedSize) return launch_.dynamic_shared;
    if (which == Special::TotalSharedSize) return shared_.size();
    if (which == Special::Smid || which == Special::Gridid || which == Special::Environment) return 0;
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const auto time = static_cast<u64>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
    const bool high = which == Special::ClockHi || which == Special::GlobaltimerHi;
    return high ? time >> 32 : time;
  }

  static void write(Frame& frame, const Operand& operand, u64 bits) {
    if (operand.kind == Operand::Kind::Register)
      frame.registers[operand.reg] = bits;
    else if (operand.kind == Operand::Kind::Vector && !operand.parts.empty())
      write(frame, operand.parts[0], bits);
  }

  // ---- memory

  std::string place(const Instruction& in) const { return in.root + " at line " + std::to_string(in.line); }

  std::byte* window(std::vector<std::byte>& bytes, u64 offset, u64 size) {
    return offset <= bytes.size() && size <= bytes.size() - offset ? bytes.data() + offset : nullptr;
  }

  std::byte* generic(Thread& thread, u64 address, u64 size) {
    switch (address & kWindowMask) {
      case kSharedBase:
        return window(shared_, address & ~kWindowMask, size);
      case kLocalBase:
        return window(thread.local, address & ~kWindowMask, size);
      case 0:
        return environment_.memory->at(address, size);
      default:
        return nullptr;
    }
  }

  std::byte* resolve(Thread& thread, Frame& frame, const Instruction& in, const Operand& operand, u64 size) {
    u64 address = static_cast<u64>(operand.offset);
    if (operand.has_reg)
      address += frame.registers[operand.reg];
    else if (!operand.name.empty())
      address += symbol_address(frame, operand.name);
    Space space = in.space;
    // A parameter read through a register base is a generic pointer only in device functions' .param arrays.
    if (space == Space::Param) space = Space::Local;
    if (space == Space::Shared) address = truncate(Type::U32, address);
    if (address % size_of(in.types[0]) != 0) throw Stop{{Fault::Kind::MisalignedAddress, place(in)}};
    std::byte* bytes = space == Space::Shared ? window(shared_, address, size)
                       : space == Space::Local
                           ? window(thread.local, address & ~kWindowMask, size)
                           : generic(thread, named_generic(frame, operand, address), size);
    if (bytes == nullptr) throw Stop{{Fault::Kind::IllegalAddress, place(in)}};
    return bytes;
  }

  // ld.f32 [symbol] without a space: a shared or local symbol's offset needs its window.
  u64 named_generic(const Frame& frame, const Operand& operand, u64 address) const {
    if (operand.has_reg || operand.name.empty()) return address;
    if (frame.layout->offsets.count(operand.name) != 0) return address | kLocalBase;
    return shared_layout_.offsets.count(operand.name) != 0 ? address | kSharedBase : address;
  }

  void load(Thread& thread, Frame& frame, const Instruction& in) {
    const Type type = in.types[0];
    const unsigned each = size_of(type);
    const std::byte* bytes = resolve(thread, frame, in, in.operands[1], u64{each} * in.lanes);
    for (unsigned lane = 0; lane < in.lanes; ++lane) {
      u64 bits = 0;
      std::memcpy(&bytes_of(bits), bytes + std::size_t{lane} * each, each);
      if (is_signed(type)) bits = static_cast<u64>(sign_extend(type, bits));
      const Operand& to = in.operands[0];
      write(frame, in.lanes > 1 && lane < to.parts.size() ? to.parts[lane] : to, bits);
    }
  }

  void store(Thread& thread, Frame& frame, const Instruction& in) {
    const unsigned each = size_of(in.types[0]);
    std::byte* bytes = resolve(thread, frame, in, in.operands[0], u64{each} * in.lanes);
    const Operand& from = in.operands[1];
    for (unsigned lane = 0; lane < in.lanes; ++lane) {
      const bool vector = from.kind == Operand::Kind::Vector && lane < from.parts.size();
      u64 bits = value(thread, frame, vector ? from.parts[lane] : from, in.types[0]);
      std::memcpy(bytes + std::size_t{lane} * each, &bytes_of(bits), each);
    }
  }

  void atomic_step(Thread& thread, Frame& frame, const Instruction& in) {
    const std::lock_guard lock(atomics());  // other threads may interpret other blocks
    const Type type = in.types[0];
    const std::size_t first = in.opcode == Opcode::Atom ? 1 : 0;
    std::byte* bytes = resolve(thread, frame, in, in.operands[first], size_of(type));
    u64 old = 0;
    std::memcpy(&bytes_of(old), bytes, size_of(type));
    const u64 operand = value(thread, frame, in.operands[first + 1], type);
    const u64 swap = in.operands.size() > first + 2 ? value(thread, frame, in.operands[first + 2], type) : 0;
    u64 result = atomic(in.atomic, type, old, operand, swap);
    std::memcpy(bytes, &bytes_of(result), size_of(type));
    if (first == 1)
      write(frame, in.operands[0], is_signed(type) ? static_cast<u64>(sign_extend(type, old)) : old);
  }

  static std::byte& bytes_of(u64& bits) { return *reinterpret_cast<std::byte*>(&bits); }

  // ---- calls

  void call(Thread& thread, const Instruction& in) {
    Frame& caller = thread.frames.back();
    const Function* callee = nullptr;
    if (in.callee.empty()) {
      const u64 target = caller.registers[in.operands[0].reg];
      if ((target & kWindowMask) == kFunctionBase && (target & ~kWindowMask) < module_.functions.size()) {
        callee = &module_.functions[target & ~kWindowMask];
      }
      if (callee == nullptr) throw Stop{{Fault::Kind::IllegalInstruction, place(in)}};
    } else {
      callee = module_.find(in.callee);
    }
    if (callee == nullptr || callee->external) return builtin(thread, in);
    // Arguments: variables of the caller's frame, copied into the callee's before it runs.
    const std::size_t caller_index = thread.frames.size() - 1;
    push_frame(thread, *callee, &in);
    copy_arguments(thread, in, *callee, caller_index);
  }

  void copy_arguments(Thread& thread, const Instruction& in, const Function& callee,
                      std::size_t caller_index) {
    const Frame& caller = thread.frames[caller_index];
    const Frame& frame = thread.frames.back();
    for (std::size_t i = 0; i < in.call_arguments.size() && i < callee.parameters.size(); ++i) {
      const auto from = caller.layout->offsets.find(in.call_arguments[i]);
      if (from == caller.layout->offsets.end()) continue;
      const u64 size =
          std::min<u64>(callee.parameters[i].size, thread.local.size() - caller.base - from->second);
      std::memcpy(thread.local.data() + frame.base + frame.layout->offsets.at(callee.parameters[i].name),
                  thread.local.data() + caller.base + from->second, size);
    }
  }

  void copy_results(Thread& thread, const Instruction& in, const Function& callee,
                    const std::vector<std::byte>& results) {
    if (thread.done) return;
    const Frame& caller = thread.frames.back();
    std::size_t offset = 0;
    for (std::size_t i = 0; i < in.call_results.size() && i < callee.results.size(); ++i) {
      const auto to = caller.layout->offsets.find(in.call_results[i]);
      const std::size_t size = callee.results[i].size;
      if (to != caller.layout->offsets.end() && offset + size <= results.size()) {
        std::memcpy(thread.local.data() + caller.base + to->second, results.data() + offset, size);
      }
      offset += size;
    }
  }

  u64 argument(Thread& thread, const Instruction& in, std::size_t index) {
    const Frame& caller = thread.frames.back();
    u64 bits = 0;
    if (index >= in.call_arguments.size()) return 0;
    const auto from = caller.layout->offsets.find(in.call_arguments[index]);
    if (from == caller.layout->offsets.end()) return 0;
    const std::size_t offset = caller.base + from->second;
    std::memcpy(&bytes_of(bits), thread.local.data() + offset,
                std::min<std::size_t>(8, thread.local.size() - offset));
    return bits;
  }

  // What a module may call without defining it.
  void builtin(Thread& thread, const Instruction& in) {
    const ReadGeneric read = [&](u64 address, u64 size) { return generic(thread, address, size); };
    if (in.callee == "vprintf") {
      std::string text;
      if (!format_printf(read, argument(thread, in, 0), argument(thread, in, 1), text)) {
        throw Stop{{Fault::Kind::IllegalAddress, place(in)}};
      }
      if (environment_.print) environment_.print(text);
      return;
    }
    if (in.callee == "__assertfail") {
      // Only this thread ends here: the others of its block may have something to say too.
      if (environment_.complain) environment_.complain(assertion(thread, in, read));
      failed_assertion_ = place(in);
      thread.frames.clear();
      thread.done = true;
      return;
    }
    throw Stop{{Fault::Kind::IllegalInstruction, "call of undefined function " + in.callee}};
  }

  // Arguments: message, file, line, function. Truth fault_assert, step 3.
  std::string assertion(Thread& thread, const Instruction& in, const ReadGeneric& read) {
    const auto text = [&](std::size_t index) {
      std::string result;
      for (u64 address = argument(thread, in, index);; ++address) {
        const std::byte* const character = read(address, 1);
        if (character == nullptr || *character == std::byte{0}) return result;
        result += static_cast<char>(*character);
      }
    };
    const auto triple = [](const std::uint32_t(&values)[3]) {
      return "[" + std::to_string(values[0]) + "," + std::to_string(values[1]) + "," +
             std::to_string(values[2]) + "]";
    };
    return text(1) + ":" + std::to_string(argument(thread, in, 2) & 0xffffffff) + ": " + text(3) +
           ": block: " + triple(block_) + ", thread: " + triple(thread.tid) + " Assertion `" + text(0) +
           "` failed.\n";
  }

  const Module& module_;
  const Function& kernel_;
  const Launch& launch_;
  Environment& environment_;
  std::optional<std::string> failed_assertion_;
  Layout shared_layout_;
  std::map<const Function*, Layout> layouts_;
  std::vector<std::byte> shared_;
  std::uint32_t block_[3] = {};
  std::map<u64, u64> arrived_;  // by barrier: threads that did not wait
  u64 executed_ = 0;
};

}  // namespace

Fault interpret(const Module& module, const Function& kernel, const Launch& launch,
                Environment& environment) {
  try {
    Kernel(module, kernel, launch, environment).run();
  } catch (const Stop& stop) {
    return stop.fault;
  }
  return {};
}

}  // namespace ptx
