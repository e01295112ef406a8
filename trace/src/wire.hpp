// SPDX-License-Identifier: MIT
// The shared memory between a traced program and its reader: one header, a slot for each thread that is
// traced at one time, one ring a slot.
//
// Both sides include this file and nothing else of each other. The traced program can scribble over all of
// it at any moment, so the reader copies what it needs out and checks every size before using it; see
// consumer.hpp. Words are native: both sides run on one machine, from one build (`kWireVersion`).
#pragma once
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace trace::wire {

inline constexpr std::uint64_t kMagic = 0x4543'4152'5456'5244;  // "DRVTRACE"
inline constexpr std::uint32_t kWireVersion = 8;
// Threads traced at one time, in all processes together; freed slots are used again. Those that a program
// with few threads has are large. Pages come into being where they are touched.
inline constexpr std::size_t kSlots = 8192, kLargeRings = 128;
inline constexpr std::uint64_t kSmallRing = 32 << 10;  // bytes, or less
inline constexpr std::size_t kSideBytes = 4096;        // most of one string, struct or array that is kept
inline constexpr std::size_t kSideTotal = 12288;       // most of all of them together, per record
inline constexpr std::size_t kWorkTimesInRecord = 32;
inline constexpr std::uint64_t kUnknownMark = ~std::uint64_t{0};
// A function that api does not describe: the record has no words, and one item, of parameter kNameItem, that
// holds its name.
inline constexpr std::uint16_t kNamedFunction = 0xffff;
inline constexpr std::uint8_t kNameItem = 0xff;

enum class Clock : std::uint32_t { TimeStampCounter, Monotonic };
enum class SlotState : std::uint32_t { Free, Claimed, Ended };  // Ended: the reader drains it, then frees it

// The first bytes of the file. Control words are written by the reader, counters by the program.
struct Header {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t slots;        // at most kSlots
  std::uint64_t ring_bytes;   // of the first kLargeRings; a power of two
  std::uint64_t ring_offset;  // of the first ring
  std::uint64_t total_bytes;
  std::uint64_t clock_start;  // ticks when the reader made this memory
  Clock clock;
  std::uint32_t reader_pid;
  std::uint64_t reader_start;  // start time of that process (/proc/PID/stat), against reuse of its id
  std::uint64_t pid_space;     // inode of its /proc/self/ns/pid: whose process ids it can look up
  // When sizes of stdout and stderr are noted, in ticks: never where the thread left its last call less than
  // `mark_gap` before, in which time nothing can have been written; else once in `mark_interval`, and up to
  // `mark_burst` / `mark_interval` times before that counts.
  std::uint64_t mark_interval, mark_burst;
  // If a living reader reads nothing from a full ring for this time, the program does not wait for it any
  // more.
  std::uint64_t standstill_ns = 10'000'000'000;

  alignas(64) std::atomic<std::uint32_t> hold;  // 1: every thread waits before its next call
  std::atomic<std::uint32_t> mark_output;       // 1: note the sizes of stdout and stderr on enter
  std::atomic<std::uint32_t> stacks;            // 1: a Stack before each call of the program itself
  // 1: there were two traced threads at one time, or may have been; see leaving_ticks(). Set by the program.
  std::atomic<std::uint32_t> several;
  std::uint64_t mark_gap;  // see above; the greatest number where `mark_output` is 0
  // If a call that takes no time begins less than so many ticks after the thread's last one ended, the clock
  // is read only once for it; see begin_leave().
  std::uint64_t back_to_back_gap;
  // Changes at every look of the reader that finds the program busy, at most every 100 us; else 0. As long as
  // it stays the same, the clock is not read for calls that take no time; see time_of_enter().
  std::atomic<std::uint32_t> busy_look;
  alignas(64) std::atomic<std::uint32_t> processes;  // next process number; see Slot::process_number
  std::atomic<std::uint32_t> slots_used;             // slots at and above were never claimed
  std::atomic<std::uint32_t> first_free;             // where to begin to look for a free one
  std::atomic<std::uint32_t> slots_freed;            // times that the reader freed one
  std::atomic<std::uint32_t> slots_wanted;           // times that a thread found none
  std::atomic<std::uint32_t> slots_looked;           // how many of these times the reader has reacted to
  std::atomic<std::uint64_t> lost;                   // calls of threads that found no slot
  std::atomic<std::uint64_t> output_device[2], output_inode[2];  // stdout and stderr of process 0
};

// One thread's slot. `head` and `tail` count bytes since the beginning; ring position is their remainder.
struct Slot {
  alignas(64) std::atomic<std::uint64_t> head;  // producer: published
  std::atomic<std::uint64_t> lost;              // producer: calls dropped because the reader is gone
  std::atomic<std::uint32_t> held;              // producer: waits before a call
  std::atomic<std::uint32_t> full;              // producer: waits for room
  std::atomic<SlotState> state;
  // Below: written before the slot's first record.
  // Of two processes with one id (exec) it differs. The events' numbers are the reader's own.
  std::atomic<std::uint32_t> process_number;
  std::atomic<std::uint32_t> process, thread;  // ids; 0 if not known yet
  std::atomic<std::uint32_t> other_space;      // 1: the reader cannot look these ids up
  std::atomic<std::uint64_t> image;  // of the program that runs in the process; another one after exec

  alignas(64) std::atomic<std::uint64_t> tail;  // reader: taken
  std::atomic<std::uint32_t> gate;              // reader: futex; changes whenever a waiter should look again
  std::atomic<std::uint32_t> permits;           // reader gives, producer takes: calls that may run while held
};

enum class RecordKind : std::uint8_t {
  Padding = 1,   // to the end of the ring, so that records never wrap
  Enter,         // EnterRecord, [MarkWords], words, items
  Leave,         // LeaveRecord, [current], items
  ThreadStart,   // PlainRecord, text
  ThreadEnd,     // PlainRecord
  ProcessStart,  // PlainRecord, text; value: process id
  Module,        // PlainRecord, text; value: load bias
  Resume,        // RecordHead: the call entered last was held and runs now
  Stack,  // PlainRecord, text; of the call entered next. value: return addresses that the text begins with
  WorkTimes,  // PlainRecord, text: api::WorkTime one after another; value: CLOCK_MONOTONIC at `ticks`
};

enum RecordFlag : std::uint16_t {
  kHasMarks = 1,    // Enter: two words, sizes of stdout and stderr
  kHasCurrent = 2,  // Leave: one word, the context current after the call
};
// The upper byte of the flags of Enter and Leave: how many calls of the same thread the call is inside of.
inline constexpr unsigned kDepthShift = 8;
inline constexpr unsigned kDeepest = 16;

struct RecordHead {
  std::uint16_t units;  // of 8 bytes, with this head
  RecordKind kind;
  std::uint8_t words;      // Enter: argument words
  std::uint16_t function;  // Enter: index into api's table
  std::uint16_t flags;
  std::uint64_t ticks;
};
static_assert(std::endian::native == std::endian::little);
// The first eight bytes of a RecordHead as one word: stored byte by byte and loaded as a whole they would
// hold up the processor.
constexpr std::uint64_t head_word(std::size_t units, RecordKind kind, std::size_t words, unsigned function,
                                  unsigned flags) {
  return (units & 0xffff) | std::uint64_t{static_cast<std::uint8_t>(kind)} << 16 |
         std::uint64_t{words & 0xff} << 24 | std::uint64_t{function & 0xffff} << 32 |
         std::uint64_t{flags & 0xffff} << 48;
}
struct EnterRecord {
  RecordHead head;
  std::uint64_t address;  // return address in the program
};
struct LeaveRecord {
  RecordHead head;
  std::int64_t result;
};
struct PlainRecord {
  RecordHead head;
  std::uint64_t value;
  std::uint64_t text_bytes;
};
// Side data of one argument, bytes after it, padded to 8.
struct Item {
  std::uint8_t parameter;
  std::uint8_t reserved;
  std::uint16_t stored;      // bytes kept, at most kSideBytes
  std::uint32_t true_bytes;  // bytes there were
};

// An Item as one word, for the same reason as head_word().
constexpr std::uint64_t item_word(unsigned parameter, std::size_t stored, std::size_t true_bytes) {
  return std::uint64_t{parameter & 0xff} | std::uint64_t{stored & 0xffff} << 16 |
         std::uint64_t{true_bytes < 0xffffffffu ? true_bytes : 0xffffffffu} << 32;
}

inline constexpr std::size_t round_up(std::size_t bytes) {
  return (bytes + 7) & ~std::size_t{7};
}
inline constexpr std::size_t kLongestRecord =
    sizeof(EnterRecord) + 16 + std::size_t{255} * 8 + kSideTotal + 64 * sizeof(Item);

static_assert(sizeof(RecordHead) == 16 && sizeof(EnterRecord) == 24 && sizeof(LeaveRecord) == 24);
static_assert(sizeof(PlainRecord) == 32 && sizeof(Item) == 8);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

// A call reads the header and writes its slot: the first slots lie in the header's page.
inline constexpr std::size_t kSlotsOffset = 512;
inline constexpr std::size_t kRingsOffset = (kSlotsOffset + kSlots * sizeof(Slot) + 4095) / 4096 * 4096;
static_assert(sizeof(Header) <= kSlotsOffset && kSlotsOffset % alignof(Slot) == 0);

inline Slot* slots_of(Header* header) {
  return reinterpret_cast<Slot*>(reinterpret_cast<std::byte*>(header) + kSlotsOffset);
}
inline constexpr std::uint64_t ring_bytes_of(std::size_t slot, std::uint64_t ring_bytes) {
  return slot < kLargeRings || ring_bytes < kSmallRing ? ring_bytes : kSmallRing;
}
// Where the ring of a slot begins; for the slot after the last one, where the memory ends.
inline constexpr std::uint64_t ring_offset(std::size_t slot, std::uint64_t ring_bytes) {
  const std::size_t large = slot < kLargeRings ? slot : kLargeRings;
  return kRingsOffset + large * ring_bytes + (slot - large) * ring_bytes_of(kLargeRings, ring_bytes);
}
static_assert(2 * kLongestRecord < kSmallRing);  // one that does not wrap always finds room
inline std::byte* ring_of(Header* header, std::size_t slot, std::uint64_t ring_bytes) {
  return reinterpret_cast<std::byte*>(header) + ring_offset(slot, ring_bytes);
}

}  // namespace trace::wire
