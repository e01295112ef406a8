// SPDX-License-Identifier: MIT
// The reader's side of one ring: copies records out and checks every size before it is used.
//
// The traced program may write anything anywhere into the shared memory at any time, so each word of the
// ring is read once, into private memory, and checked there. Nothing here depends on what calls mean.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "wire.hpp"

namespace trace {

struct SideData {
  std::uint8_t parameter = 0;
  std::uint32_t true_bytes = 0;
  std::span<const std::byte> bytes;
};

// Walks a sequence of items; ends early at the first that does not fit.
class SideDataReader {
 public:
  explicit SideDataReader(std::span<const std::byte> bytes) : rest_(bytes) {}
  bool next(SideData& item);
  bool damaged() const { return damaged_; }

 private:
  std::span<const std::byte> rest_;
  bool damaged_ = false;
};

// One record, in private memory. Which members are set depends on `head.kind`.
struct Record {
  wire::RecordHead head{};
  std::uint64_t value = 0;  // Enter: return address; Leave: result; else PlainRecord::value
  std::uint64_t marks[2] = {wire::kUnknownMark, wire::kUnknownMark};
  std::uint64_t current = 0;
  std::span<const std::byte> words;  // Enter: 8 bytes each
  std::span<const std::byte> items;  // Enter and Leave
  std::string_view text;
};

// Checks one record in private memory; `bytes` is exactly the record. False if it contradicts itself.
bool parse_record(std::span<const std::byte> bytes, Record& record);

class Consumer {
 public:
  enum class Outcome { Record, Empty, Damaged };
  Consumer(wire::Slot* slot, const std::byte* ring, std::uint64_t ring_bytes)
      : slot_(slot), ring_(ring), bytes_(ring_bytes) {}

  std::uint64_t published() const { return slot_->head.load(std::memory_order_acquire); }
  // The next record before `end` (a value of published()). Its spans live until the next call. Damaged: the
  // ring has no valid record. It is reported once; after that this ring is not read any more.
  Outcome next(std::uint64_t end, Record& record);
  void release();  // gives what was read back to the producer, and wakes it where it waits
  std::uint64_t taken() const { return tail_; }
  // The slot gets a new owner: start where it starts.
  void restart() {
    tail_ = published();
    damaged_ = (tail_ & 7) != 0;
  }

 private:
  std::optional<wire::RecordKind> copy_record(std::uint64_t end);

  wire::Slot* slot_;
  const std::byte* ring_;
  std::uint64_t bytes_;
  std::uint64_t tail_ = 0;
  bool damaged_ = false;
  std::vector<std::byte> copy_;
};

}  // namespace trace
