// The part of call.hpp that is not hot: waiting while held, and entering calls of the libraries above the
// driver. It knows nothing of single driver functions.
#include "call.hpp"

namespace trace::interpose {

bool write_outer_enter(Thread& thread, unsigned function, std::uintptr_t address, const std::uint64_t* words,
                       std::size_t count, const CarefulSide* side) {
  if (address - thread.module_low >= thread.module_bytes && thread.depth == 0) note_module(address);
  const std::uint64_t now = wire::early_ticks(clock_kind);
  const bool marks = mark_is_due(thread, now);
  const std::size_t bytes =
      sizeof(wire::EnterRecord) + (marks ? 16 : 0) + count * 8 + (side != nullptr ? side->record_bytes() : 0);
  std::byte* at = thread.producer.reserve(bytes);
  if (at == nullptr) return false;
  const wire::EnterRecord record{
      {static_cast<std::uint16_t>(bytes / 8), wire::RecordKind::Enter, static_cast<std::uint8_t>(count),
       static_cast<std::uint16_t>(function),
       static_cast<std::uint16_t>((marks ? wire::kHasMarks : 0) | thread.depth << wire::kDepthShift), now},
      address};
  std::memcpy(at, &record, sizeof record);
  at += sizeof record;
  if (marks) {
    std::uint64_t sizes[2];
    read_marks(sizes);
    std::memcpy(at, sizes, sizeof sizes);
    at += sizeof sizes;
  }
  std::memcpy(at, words, count * 8);
  if (side != nullptr) side->write(at + count * 8);
  thread.producer.publish(bytes);
  return true;
}

void hold_before_call(Thread& thread) {
  thread.producer.wait_while_held();
  std::byte* at = thread.producer.reserve(sizeof(wire::RecordHead));
  if (at == nullptr) return;
  const wire::RecordHead head{sizeof(wire::RecordHead) / 8, wire::RecordKind::Resume, 0, 0, 0,
                              wire::ticks(clock_kind)};
  std::memcpy(at, &head, sizeof head);
  thread.producer.publish(sizeof head);
}

}  // namespace trace::interpose
