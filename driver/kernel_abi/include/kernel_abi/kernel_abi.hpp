// SPDX-License-Identifier: MIT
// The interface between compiled kernels and the runner: the state that code reads, the functions that it
// calls, and the description in each object.
//
// Compiled code has no relocations to the runner: it accesses everything outside through Block. If anything
// here changes, `kernel_abi` must change too, because it is part of the cache's key. Depends on neither the
// compiler nor queues.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace runner {

inline constexpr std::uint64_t kErnelAbi = 6;

// CUresult values with which a kernel, and so its runner, ends.
enum class Outcome : std::uint32_t {
  OutOfMemory = 2,
  IllegalAddress = 700,
  Assert = 710,
  IllegalInstruction = 715,
  MisalignedAddress = 716,
  InvalidProgramCounter = 718,
  LaunchFailed = 719,
};

struct Block;

// The thread of the block that makes the call.
struct ThreadNumber {
  std::uint32_t x, y, z;
};

struct Runtime {
  // Ends the process; does not return. `outcome` is an Outcome.
  void (*fault)(const Block*, std::uint32_t outcome, std::uint32_t line);
  // Computes an instruction by the reference semantics (packed_instruction.hpp).
  std::uint64_t (*compute)(const std::uint64_t* packed, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                           std::uint64_t d);
  std::uint64_t (*change)(const std::uint64_t* packed, std::uint64_t address, std::uint64_t value,
                          std::uint64_t swap);  // an atomic operation that the processor lacks
  std::uint32_t (*print)(const Block*, std::uint64_t format, std::uint64_t arguments);
  // The calling thread ends after it; the others of the block go on. `place`: the indices of the block, then
  // those of the thread.
  void (*fail_assertion)(const std::uint32_t* place, const std::uint64_t* arguments);
  std::uint64_t (*allocate)(std::uint64_t bytes);
  void (*release)(std::uint64_t address);
  std::uint64_t (*clock)();  // nanoseconds
  void (*arrive)(const Block*, std::uint32_t barrier);
  std::uint32_t (*is_local)(const Block*, std::uint64_t address);
  void (*rest)(std::uint32_t nanoseconds);
  // ptx::access_texture; ends the process where that is a fault.
  void (*texture)(const std::uint64_t* packed, std::uint32_t lanes, std::uint64_t object,
                  const std::uint64_t* numbers, std::uint64_t* values);
  // Of the block of the cluster in whose shared memory a generic address lies; kNoRank if there is none.
  std::uint32_t (*cluster_rank)(const Block*, std::uint64_t address);
};

inline constexpr std::uint32_t kNoRank = 0xffffffff;
// An address in .shared::cluster: an offset of 24 bits, and above it 0 for the block's own shared memory, or
// 1 more than the rank of another block.
inline constexpr unsigned kRankShift = 24;
inline constexpr std::size_t kOwners = 256;

// The running block, as its threads see it. One for each worker.
struct Block {
  const std::byte* parameters;
  std::byte* shared;
  std::byte* local;              // of all threads, local_bytes apart; of a thread that runs alone: its own
  std::byte* saved;              // registers of waiting threads
  const std::uint64_t* symbols;  // in the order of KernelDescription::symbols
  const Runtime* runtime;
  std::byte* null;  // a null pointer that the compiler does not recognise as null
  std::uint32_t grid[3];
  std::uint32_t block[3];
  std::uint32_t index[3];
  std::uint32_t dynamic_shared;
  std::uint32_t total_shared;
  std::uint32_t processor;           // %smid
  std::uint32_t processors;          // %nsmid
  std::uint64_t launch;              // %gridid
  std::uint32_t environment[32];     // %envreg
  std::uint32_t cluster[3];          // blocks of a cluster
  std::uint32_t explicit_cluster;    // %is_explicit_cluster
  std::byte* const* cluster_shared;  // kOwners of them, null where there is no block
  std::uint64_t stack_left;  // bytes; recursive functions subtract their frame, and add it when they return
  void* engine;              // the runner's own
};

// A kernel whose threads never wait for each other: runs blocks [first, first + count), counted by x, y, z.
using WholeKernel = void (*)(Block*, std::uint64_t first, std::uint64_t count);
// A part of a kernel between two places where threads wait: runs threads [first, first + count) of the block.
// Returns the stop that all of them have reached; or kMoreThanOne, and `reached` then has the stop of each.
using Region = std::uint32_t (*)(Block*, std::uint32_t first, std::uint32_t count, std::uint16_t* reached);

// What a region may return instead of the number of a stop.
inline constexpr std::uint16_t kThreadEnded = 0xffff;
inline constexpr std::uint32_t kMoreThanOne = 0xfffffffe;

// ClusterArrive: threads only tell that they have come, and go on.
enum class StopKind : std::uint32_t { Barrier, BarrierReduction, Warp, Yield, ClusterArrive, ClusterWait };

// Room before a thread's local variables, which is also the room after those of the previous thread: an array
// that is overrun by less does not overwrite the data of another thread.
inline constexpr std::uint64_t kLocalGap = 1024;

inline constexpr std::uint64_t kNoArray = ~std::uint64_t{0};

// Something that a stop passes on: a constant, or an array in Block::saved with an element for each thread.
struct StopValue {
  std::uint64_t array = kNoArray;
  std::uint64_t constant = 0;
};

// A place where threads wait, and the place where they go on.
struct Stop {
  StopKind kind = StopKind::Barrier;
  std::uint32_t region = 0;      // the region that begins after it
  std::uint64_t packed[2] = {};  // Warp, BarrierReduction: the instruction
  // 32 bits each; `a` has 64 bits if `wide`. Warp: operands and mask. Barriers: a is the number of the
  // barrier, b how many threads (0: all), c the predicate.
  StopValue a, b, c, mask;
  bool wide = false;
  std::uint64_t result = kNoArray;     // 32 bits
  std::uint64_t predicate = kNoArray;  // 8 bits
};

struct KernelDescription {
  std::uint64_t static_shared = 0;
  std::uint64_t local_bytes = 0;  // of a thread, in Block::local, which has kLocalGap more after the last
  std::uint64_t saved_bytes = 0;  // of a block, in Block::saved
  std::uint32_t regions = 0;      // 0: a WholeKernel
  std::uint32_t by_warps = 0;     // not 0: groups of 32 threads may be at different stops
  std::vector<std::string> symbols;
  std::vector<Stop> stops;
};
// Names in an object: "kernel", or "region0", "region1" and so on; and this one for the description as words.
inline constexpr const char* kDescriptionSymbol = "description";

std::vector<std::uint64_t> encode(const KernelDescription& description);
// False if the words are no description.
bool decode(const std::uint64_t* words, std::size_t count, KernelDescription& description);

}  // namespace runner
