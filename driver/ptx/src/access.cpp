// SPDX-License-Identifier: MIT
// Operands, and memory as a thread sees it: its windows, their contents, loads, stores, atomic operations.
//
// Every access to device memory asks Memory; a bad one ends the kernel. Does not depend on control flow.
#include <bit>
#include <chrono>

#include "interpreter.hpp"
#include "ptx/evaluate.hpp"
#include "ptx/texture.hpp"

namespace ptx {
namespace {

// What may be part of waiting for another thread takes more of a turn than other instructions.
constexpr u64 kCostOfLooking = 200;
// From here on an offset in shared memory is another block's.
constexpr u64 kFarOut = u64{1} << kRankShift;

// Memory is shared with other threads of this process, which may run compiled code, and with other processes:
// every access is one of the processor's, as wide as the instruction says.
template <class Word>
struct Aliasing {
  using type [[gnu::may_alias]] = Word;
};

template <class Access>
auto by_size(unsigned size, Access access) {
  switch (size) {
    case 1:
      return access(Aliasing<std::uint8_t>());
    case 2:
      return access(Aliasing<std::uint16_t>());
    case 4:
      return access(Aliasing<std::uint32_t>());
    default:
      return access(Aliasing<std::uint64_t>());
  }
}

u64 read_bytes(const std::byte* bytes, unsigned size) {
  return by_size(size, [&]<class Word>(Aliasing<Word>) -> u64 {
    return __atomic_load_n(reinterpret_cast<const typename Aliasing<Word>::type*>(bytes), __ATOMIC_ACQUIRE);
  });
}

void write_bytes(std::byte* bytes, unsigned size, u64 bits) {
  by_size(size, [&]<class Word>(Aliasing<Word>) {
    __atomic_store_n(reinterpret_cast<typename Aliasing<Word>::type*>(bytes), static_cast<Word>(bits),
                     __ATOMIC_RELEASE);
  });
}

// Whether `bits` took the place of `old`; if not, `old` becomes what is there.
bool exchange_bytes(std::byte* bytes, unsigned size, u64& old, u64 bits) {
  return by_size(size, [&]<class Word>(Aliasing<Word>) {
    auto expected = static_cast<Word>(old);
    const bool done =
        __atomic_compare_exchange_n(reinterpret_cast<typename Aliasing<Word>::type*>(bytes), &expected,
                                    static_cast<Word>(bits), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    old = expected;
    return done;
  });
}

u64 immediate(const Operand& operand, Type type) {
  if (operand.single_literal && type == Type::F64) {
    return std::bit_cast<u64>(
        static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))));
  }
  if (operand.float_literal && type == Type::F32) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
  }
  return operand.bits;
}

std::byte* window(std::vector<std::byte>& bytes, u64 offset, u64 size) {
  return offset <= bytes.size() && size <= bytes.size() - offset ? bytes.data() + offset : nullptr;
}

}  // namespace

u64 Interpreter::value_of(const Thread& thread, const Frame& frame, const Operand& operand, Type type) const {
  switch (operand.kind) {
    case Operand::Kind::Immediate:
      return immediate(operand, type);
    case Operand::Kind::Symbol:
      return symbol_address(frame, operand.name) + static_cast<u64>(operand.offset);
    case Operand::Kind::Special:
      if (operand.special == Special::Environment) return launch_.environment[operand.reg % 32];
      return special(thread, operand.special);
    default:
      return 0;
  }
}

// The address of a name in its own space: an offset for shared and local, a device address for the rest.
u64 Interpreter::symbol_address(const Frame& frame, const std::string& name) const {
  if (const auto found = frame.layout->offsets.find(name); found != frame.layout->offsets.end())
    return frame.base + found->second;
  if (const auto found = shared_layout_.offsets.find(name); found != shared_layout_.offsets.end())
    return found->second;
  if (const auto index = index_of_function(module_, name)) return kFunctionWindow + *index;
  return environment_.symbol ? environment_.symbol(name) : 0;
}

u64 Interpreter::linear(const Thread& thread) const {
  return thread.tid[0] + u64{launch_.block[0]} * (thread.tid[1] + u64{launch_.block[1]} * thread.tid[2]);
}

u64 Interpreter::special(const Thread& thread, Special which) const {
  const unsigned index = static_cast<unsigned>(which);
  if (which <= Special::TidZ) return thread.tid[index];
  if (which <= Special::NtidZ) return launch_.block[index - 3];
  if (which <= Special::CtaidZ) return now_->index[index - 6];
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
  if (which == Special::Nsmid) return launch_.processors;
  if (which == Special::DynamicSharedSize) return launch_.dynamic_shared;
  if (which == Special::TotalSharedSize) return now_->shared.size();
  if (which >= Special::ClusterCtaidX && which <= Special::NclusteridZ) {
    const unsigned number = index - static_cast<unsigned>(Special::ClusterCtaidX), axis = number % 3;
    const std::uint32_t size = launch_.cluster[axis], at = now_->index[axis];
    const u64 values[] = {at % size, size, at / size, launch_.grid[axis] / size};
    return values[number / 3];
  }
  if (which == Special::ClusterCtarank) return now_->rank;
  if (which == Special::ClusterNctarank) return cluster_.size();
  if (which == Special::IsExplicitCluster) return launch_.explicit_cluster ? 1 : 0;
  if (which == Special::Gridid) return launch_.number;
  if (which == Special::Smid) return launch_.processor;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const auto time = static_cast<u64>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  const bool high = which == Special::ClockHi || which == Special::GlobaltimerHi;
  return high ? time >> 32 : time;
}

// Of the block in whose shared memory an offset lies; one that does not exist gives no rank of the cluster.
u64 Interpreter::rank_of(u64 address) const {
  const u64 offset = address & ~kWindowMask, owner = offset >> kRankShift;
  return owner == 0 ? now_->rank : owner - 1;
}

// Measured: a block that the cluster does not have gives 719, and one that no cluster can have 715.
void Interpreter::check_rank(const Instruction& in, u64 rank) const {
  constexpr u64 kMostBlocks = 16;
  if (rank < cluster_.size()) return;
  throw Stop{{rank < kMostBlocks ? Fault::Kind::Trap : Fault::Kind::IllegalInstruction, place(in)}};
}

std::byte* Interpreter::generic(Thread& thread, u64 address, u64 size) {
  switch (address & kWindowMask) {
    case kSharedWindow: {
      const u64 offset = address & ~kWindowMask, rank = rank_of(offset);
      if (rank >= cluster_.size()) return nullptr;
      return window(cluster_[rank].shared, offset & ~kRankBits, size);
    }
    case kLocalWindow:
      return window(thread.local, address & ~kWindowMask, size);
    case 0:
      return environment_.memory->at(address, size);
    default:
      return nullptr;
  }
}

// A vector has to be aligned as a whole (conformance, fault: 716), and what is beside shared memory is no
// illegal address but an illegal instruction (715).
std::byte* Interpreter::resolve(Thread& thread, Frame& frame, const Instruction& in, const Operand& operand,
                                u64 size) {
  u64 address = static_cast<u64>(operand.offset);
  if (operand.has_reg)
    address += frame.registers[operand.reg];
  else if (!operand.name.empty())
    address += symbol_address(frame, operand.name);
  switch (in.space) {
    case Space::Shared:
      address = truncate(Type::U32, address) | kSharedWindow;
      break;
    case Space::Local:
    case Space::Param:  // of device functions; those of a kernel are in its first frame
      address = (address & ~kWindowMask) | kLocalWindow;
      break;
    default:
      address = named_generic(frame, operand, address);
  }
  if (address % size != 0) throw Stop{{Fault::Kind::MisalignedAddress, place(in)}};
  // The errors of an H200: an illegal address within 16 MiB, an illegal instruction beyond.
  const bool far_out = (address & kWindowMask) == kSharedWindow && (address & ~kWindowMask) >= kFarOut;
  if (in.of_cluster && far_out) check_rank(in, rank_of(address));
  const bool own_only = in.space == Space::Shared && !in.of_cluster;
  std::byte* const bytes = own_only && far_out ? nullptr : generic(thread, address, size);
  if (bytes != nullptr) return bytes;
  throw Stop{
      {far_out && !in.of_cluster ? Fault::Kind::IllegalInstruction : Fault::Kind::IllegalAddress, place(in)}};
}

// ld.f32 [symbol] without a space: a shared or local symbol's offset needs its window.
u64 Interpreter::named_generic(const Frame& frame, const Operand& operand, u64 address) const {
  if (operand.has_reg || operand.name.empty()) return address;
  if (frame.layout->offsets.count(operand.name) != 0) return address | kLocalWindow;
  return shared_layout_.offsets.count(operand.name) != 0 ? address | kSharedWindow : address;
}

void Interpreter::load(Thread& thread, Frame& frame, const Instruction& in) {
  const Type type = in.types[0];
  const unsigned each = size_of(type);
  const std::byte* bytes = resolve(thread, frame, in, in.operands[1], u64{each} * in.lanes);
  if (in.order != Order::Weak) turn_ += kCostOfLooking;
  for (unsigned lane = 0; lane < in.lanes; ++lane) {
    u64 bits = read_bytes(bytes + std::size_t{lane} * each, each);
    if (is_signed(type)) bits = static_cast<u64>(sign_extend(type, bits));
    const Operand& to = in.operands[0];
    write(frame, in.lanes > 1 && lane < to.parts.size() ? to.parts[lane] : to, bits);
  }
}

void Interpreter::store(Thread& thread, Frame& frame, const Instruction& in) {
  const unsigned each = size_of(in.types[0]);
  std::byte* bytes = resolve(thread, frame, in, in.operands[0], u64{each} * in.lanes);
  const Operand& from = in.operands[1];
  for (unsigned lane = 0; lane < in.lanes; ++lane) {
    const bool vector = from.kind == Operand::Kind::Vector && lane < from.parts.size();
    const u64 bits = value(thread, frame, vector ? from.parts[lane] : from, in.types[0]);
    write_bytes(bytes + std::size_t{lane} * each, each, bits);
  }
}

void Interpreter::atomic_step(Thread& thread, Frame& frame, const Instruction& in) {
  const Type type = in.types[0];
  const std::size_t first = in.opcode == Opcode::Atom ? 1 : 0;
  std::byte* bytes = resolve(thread, frame, in, in.operands[first], size_of(type));
  const u64 operand = value(thread, frame, in.operands[first + 1], type);
  const u64 swap = in.operands.size() > first + 2 ? value(thread, frame, in.operands[first + 2], type) : 0;
  u64 old = read_bytes(bytes, size_of(type));
  while (!exchange_bytes(bytes, size_of(type), old, atomic(in.atomic, type, old, operand, swap))) {
  }
  turn_ += kCostOfLooking;
  if (first == 1)
    write(frame, in.operands[0], is_signed(type) ? static_cast<u64>(sign_extend(type, old)) : old);
}

void Interpreter::texture(Thread& thread, Frame& frame, const Instruction& in) {
  const bool stores = in.opcode == Opcode::Sust;
  const Operand& place_of = in.operands[stores ? 0 : 1];
  const Operand& data = in.operands[stores ? 1 : 0];
  const u64 object =
      (place_of.has_reg ? frame.registers[place_of.reg] : 0) + static_cast<u64>(place_of.offset);
  std::vector<u64> numbers;
  const auto add = [&](const Operand& operand) {
    const Type type = in.types.size() > 1 ? in.types[1] : Type::B32;
    if (operand.kind != Operand::Kind::Vector) return numbers.push_back(value(thread, frame, operand, type));
    for (const Operand& part : operand.parts) numbers.push_back(value(thread, frame, part, type));
  };
  if (!place_of.parts.empty()) add(place_of.parts[0]);
  if (in.opcode != Opcode::Txq && in.opcode != Opcode::Suq) numbers.resize(coordinates_of(in.geometry));
  for (std::size_t i = 2; i < in.operands.size(); ++i) {
    const std::size_t before = numbers.size();
    add(in.operands[i]);
    if (in.sampling == Sampling::Gradient) numbers.resize(before + gradient_of(in.geometry));
  }
  std::array<u64, 4> values = {};
  const bool vector = data.kind == Operand::Kind::Vector;
  const auto lane = [&](unsigned i) -> const Operand& { return vector ? data.parts[i] : data; };
  const unsigned lanes = vector ? static_cast<unsigned>(data.parts.size()) : 1;
  if (stores) {
    for (unsigned i = 0; i < lanes; ++i) values.at(i) = value(thread, frame, lane(i), in.types[0]);
  }
  const Fault::Kind fault =
      access_texture(in, lanes, object, numbers.data(), values.data(), *environment_.memory);
  if (fault != Fault::Kind::None) throw Stop{{fault, place(in)}};
  for (unsigned i = 0; !stores && i < lanes; ++i) write(frame, lane(i), values.at(i));
}

}  // namespace ptx
