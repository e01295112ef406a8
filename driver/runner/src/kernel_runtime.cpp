// SPDX-License-Identifier: MIT
// See kernel_runtime.hpp. Also finds the few functions of the C library that LLVM calls on its own.
#include "kernel_runtime.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "block_room.hpp"
#include "block_run.hpp"
#include "device_heap.hpp"
#include "kernel_abi/packed_instruction.hpp"
#include "mapped_memory.hpp"
#include "output.hpp"
#include "process.hpp"
#include "ptx/evaluate.hpp"
#include "ptx/printf.hpp"
#include "ptx/texture.hpp"

// From the compiler's own library; what LLVM calls where the processor has no such instruction.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
float __extendhfsf2(std::uint16_t);
std::uint16_t __truncsfhf2(float);
std::uint16_t __truncdfhf2(double);
// NOLINTEND(bugprone-reserved-identifier)
}

namespace runner {
namespace {

using u64 = std::uint64_t;

void fault(const Block*, std::uint32_t outcome, std::uint32_t) {
  end_with(Outcome{outcome});
}

// cvt.rn.f16x2.f32 d, a, b: a above b.
u64 convert_pair(ptx::Instruction in, u64 a, u64 b) {
  in.types[0] = in.types[0] == ptx::Type::F16x2 ? ptx::Type::F16 : ptx::Type::Bf16;
  return (ptx::convert(in, a) << 16) | ptx::convert(in, b);
}

u64 compute(const u64* packed, u64 a, u64 b, u64 c, u64 d) {
  const ptx::Instruction in = unpack(packed);
  if (in.opcode == ptx::Opcode::Cvt) {
    const bool pair = in.types[0] == ptx::Type::F16x2 || in.types[0] == ptx::Type::Bf16x2;
    return pair ? convert_pair(in, a, b) : ptx::convert(in, a);
  }
  bool carry = false;
  return ptx::evaluate(in, a, b, c, d, carry);
}

template <class Word>
u64 change_word(const ptx::Instruction& in, u64 address, u64 value, u64 swap) {
  std::atomic_ref<Word> word(*reinterpret_cast<Word*>(address));
  Word old = word.load(std::memory_order_seq_cst);
  while (!word.compare_exchange_weak(
      old, static_cast<Word>(ptx::atomic(in.atomic, in.types[0], old, value, swap)))) {
  }
  return old;
}

u64 change(const u64* packed, u64 address, u64 value, u64 swap) {
  const ptx::Instruction in = unpack(packed);
  switch (ptx::size_of(in.types[0])) {
    case 2:
      return change_word<std::uint16_t>(in, address, value, swap);
    case 8:
      return change_word<std::uint64_t>(in, address, value, swap);
    default:
      return change_word<std::uint32_t>(in, address, value, swap);
  }
}

const std::byte* read(u64 address, u64) {
  return reinterpret_cast<const std::byte*>(address);
}

std::uint32_t print_values(const Block*, u64 format, u64 arguments) {
  if (format == 0) return ~std::uint32_t{0};
  std::string text;
  unsigned count = 0;
  if (!ptx::format_printf(read, format, arguments, text, count)) end_with(Outcome::IllegalAddress);
  print(OutputKind::Stdout, text);
  return count;
}

// Arguments: message, file, line, function. Truth fault_assert, step 3.
void fail_assertion(const std::uint32_t* place, const u64* arguments) {
  const auto text = [&](unsigned index) {
    return std::string(reinterpret_cast<const char*>(arguments[index]));
  };
  const auto triple = [](const std::uint32_t* from) {
    return "[" + std::to_string(from[0]) + "," + std::to_string(from[1]) + "," + std::to_string(from[2]) +
           "]";
  };
  print(OutputKind::Stderr, text(1) + ":" + std::to_string(arguments[2] & 0xffffffff) + ": " + text(3) +
                                ": block: " + triple(place) + ", thread: " + triple(place + 3) +
                                " Assertion `" + text(0) + "` failed.\n");
  end_after_these_blocks(Outcome::Assert);
}

u64 now() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<u64>(std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
}

void rest(std::uint32_t) {
  sched_yield();
}

void arrive(const Block* block, std::uint32_t barrier) {
  arrive_at_barrier(*block, barrier);
}

std::uint32_t is_local(const Block* block, u64 address) {
  return is_local_address(*block, address) ? 1 : 0;
}

std::uint32_t cluster_rank(const Block* block, u64 address) {
  for (std::uint32_t owner = 1; owner < kOwners && block->cluster_shared[owner] != nullptr; ++owner)
    if (address - reinterpret_cast<u64>(block->cluster_shared[owner]) < kSharedWindow) return owner - 1;
  return kNoRank;
}

void texture(const u64* packed, std::uint32_t lanes, u64 object, const u64* numbers, u64* values) {
  MappedMemory memory;
  const ptx::Fault::Kind fault = ptx::access_texture(unpack(packed), lanes, object, numbers, values, memory);
  if (fault != ptx::Fault::Kind::None) end_with(outcome_of(fault));
}

struct Named {
  const char* name;
  const void* function;
};

template <class Function>
const void* pointer_to(Function* function) {
  return reinterpret_cast<const void*>(function);
}

}  // namespace

const Runtime kernel_runtime = {fault,        compute, change, print_values, fail_assertion, allocate_on_heap,
                                free_on_heap, now,     arrive, is_local,     rest,           texture,
                                cluster_rank};

const void* library_function(std::string_view name) {
  using One = float(float);
  using OneWide = double(double);
  static const Named list[] = {
      {"exp2f", pointer_to<One>(std::exp2)},
      {"exp2", pointer_to<OneWide>(std::exp2)},
      {"log2f", pointer_to<One>(std::log2)},
      {"log2", pointer_to<OneWide>(std::log2)},
      {"sinf", pointer_to<One>(std::sin)},
      {"sin", pointer_to<OneWide>(std::sin)},
      {"cosf", pointer_to<One>(std::cos)},
      {"cos", pointer_to<OneWide>(std::cos)},
      {"tanhf", pointer_to<One>(std::tanh)},
      {"tanh", pointer_to<OneWide>(std::tanh)},
      {"sincosf", pointer_to(&::sincosf)},
      {"sincos", pointer_to(&::sincos)},
      {"floorf", pointer_to<One>(std::floor)},
      {"floor", pointer_to<OneWide>(std::floor)},
      {"ceilf", pointer_to<One>(std::ceil)},
      {"ceil", pointer_to<OneWide>(std::ceil)},
      {"truncf", pointer_to<One>(std::trunc)},
      {"trunc", pointer_to<OneWide>(std::trunc)},
      {"roundevenf", pointer_to<One>(std::nearbyint)},
      {"roundeven", pointer_to<OneWide>(std::nearbyint)},
      {"ldexpf", pointer_to(&::ldexpf)},
      {"ldexp", pointer_to<double(double, int)>(::ldexp)},
      {"fmaf", pointer_to<float(float, float, float)>(std::fma)},
      {"fma", pointer_to<double(double, double, double)>(std::fma)},
      {"memcpy", pointer_to(&::memcpy)},
      {"memmove", pointer_to(&::memmove)},
      {"memset", pointer_to(&::memset)},
      {"__extendhfsf2", pointer_to(&__extendhfsf2)},
      {"__truncsfhf2", pointer_to(&__truncsfhf2)},
      {"__truncdfhf2", pointer_to(&__truncdfhf2)},
  };
  const auto* const found =
      std::find_if(std::begin(list), std::end(list), [&](const Named& each) { return name == each.name; });
  return found == std::end(list) ? nullptr : found->function;
}

}  // namespace runner
