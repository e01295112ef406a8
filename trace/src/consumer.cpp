// SPDX-License-Identifier: MIT
// Reading one ring, see consumer.hpp. Each word of shared memory is read exactly once, into private memory,
// and checked there: between two reads of the same word the traced program may have changed it. What a record
// means is decided elsewhere (live.cpp, decode.cpp).
#include "consumer.hpp"

#include <cstring>

#include "producer.hpp"

namespace trace {
namespace {

template <class T>
T load(std::span<const std::byte> bytes, std::size_t offset = 0) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

bool parse_enter(std::span<const std::byte> bytes, Record& record) {
  if (bytes.size() < sizeof(wire::EnterRecord)) return false;
  record.value = load<wire::EnterRecord>(bytes).address;
  bytes = bytes.subspan(sizeof(wire::EnterRecord));
  if ((record.head.flags & wire::kHasMarks) != 0) {
    if (bytes.size() < sizeof record.marks) return false;
    std::memcpy(record.marks, bytes.data(), sizeof record.marks);
    bytes = bytes.subspan(sizeof record.marks);
  }
  const std::size_t words = record.head.words * std::size_t{8};
  if (bytes.size() < words) return false;
  record.words = bytes.first(words);
  record.items = bytes.subspan(words);
  return true;
}

bool parse_leave(std::span<const std::byte> bytes, Record& record) {
  if (bytes.size() < sizeof(wire::LeaveRecord)) return false;
  record.value = static_cast<std::uint64_t>(load<wire::LeaveRecord>(bytes).result);
  bytes = bytes.subspan(sizeof(wire::LeaveRecord));
  if ((record.head.flags & wire::kHasCurrent) != 0) {
    if (bytes.size() < 8) return false;
    record.current = load<std::uint64_t>(bytes);
    bytes = bytes.subspan(8);
  }
  record.items = bytes;
  return true;
}

bool parse_plain(std::span<const std::byte> bytes, Record& record) {
  if (bytes.size() < sizeof(wire::PlainRecord)) return false;
  const auto plain = load<wire::PlainRecord>(bytes);
  bytes = bytes.subspan(sizeof plain);
  if (plain.text_bytes > bytes.size()) return false;
  record.value = plain.value;
  record.text = {reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(plain.text_bytes)};
  return true;
}

}  // namespace

bool SideDataReader::next(SideData& item) {
  if (rest_.empty()) return false;
  damaged_ = true;
  if (rest_.size() < sizeof(wire::Item)) return false;
  const auto head = load<wire::Item>(rest_);
  const std::size_t padded = wire::round_up(head.stored);
  if (rest_.size() - sizeof head < padded) return false;
  item.parameter = head.parameter;
  item.true_bytes = head.true_bytes;
  item.bytes = rest_.subspan(sizeof head, head.stored);
  rest_ = rest_.subspan(sizeof head + padded);
  damaged_ = false;
  return true;
}

bool parse_record(std::span<const std::byte> bytes, Record& record) {
  record = {};
  if (bytes.size() < sizeof(wire::RecordHead)) return false;
  record.head = load<wire::RecordHead>(bytes);
  switch (record.head.kind) {
    case wire::RecordKind::Enter:
      return parse_enter(bytes, record);
    case wire::RecordKind::Leave:
      return parse_leave(bytes, record);
    case wire::RecordKind::Resume:
      return true;
    case wire::RecordKind::ThreadStart:
    case wire::RecordKind::ThreadEnd:
    case wire::RecordKind::ProcessStart:
    case wire::RecordKind::Module:
    case wire::RecordKind::Stack:
    case wire::RecordKind::WorkTimes:
      return parse_plain(bytes, record);
    case wire::RecordKind::Padding:
      break;
  }
  return false;
}

// Copies the record at the tail and moves the tail past it; nothing if it cannot be a record.
std::optional<wire::RecordKind> Consumer::copy_record(std::uint64_t end) {
  // The producer never publishes more than a ring ahead, and only whole records.
  if (end - tail_ > bytes_ || (end & 7) != 0) return std::nullopt;
  const std::size_t position = tail_ & (bytes_ - 1);
  std::uint64_t first;
  std::memcpy(&first, ring_ + position, sizeof first);
  wire::RecordHead head{};
  std::memcpy(static_cast<void*>(&head), &first, sizeof first);
  const std::size_t size = head.units * std::size_t{8};
  if (size == 0 || size > end - tail_ || size > bytes_ - position) return std::nullopt;
  tail_ += size;
  if (head.kind == wire::RecordKind::Padding) return head.kind;
  copy_.resize(size);
  std::memcpy(copy_.data(), ring_ + position, size);
  std::memcpy(copy_.data(), &first, sizeof first);  // as checked; the program may have changed it since
  return head.kind;
}

Consumer::Outcome Consumer::next(std::uint64_t end, Record& record) {
  if (damaged_) tail_ = end;
  while (tail_ != end) {
    const auto kind = copy_record(end);
    if (kind == wire::RecordKind::Padding) continue;
    if (kind && parse_record(copy_, record)) return Outcome::Record;
    tail_ = end;
    damaged_ = true;
    return Outcome::Damaged;
  }
  return Outcome::Empty;
}

void Consumer::release() {
  slot_->tail.store(tail_, std::memory_order_seq_cst);
  if (slot_->full.load(std::memory_order_seq_cst) != 0) {
    slot_->gate.fetch_add(1, std::memory_order_release);
    wire::futex_wake(slot_->gate);
  }
}

}  // namespace trace
