// What all recorders share; see call.hpp. It knows nothing of single driver functions.
#include "call.hpp"

namespace trace::interpose {
namespace {

// Waits while the reader holds the program, and says when the call really began.
[[gnu::cold, gnu::noinline]] void hold_before_call(Thread& thread) {
  thread.producer.wait_while_held();
  std::byte* at = thread.producer.reserve(sizeof(wire::RecordHead));
  if (at == nullptr) return;
  const wire::RecordHead head{sizeof(wire::RecordHead) / 8, wire::RecordKind::Resume, 0, 0, 0,
                              wire::ticks(clock_kind)};
  std::memcpy(at, &head, sizeof head);
  thread.producer.publish(sizeof head);
}

// Words are copied in pairs: a call of memcpy would cost more than the copy.
[[gnu::always_inline]] inline void copy_words(std::byte* to, const std::uint64_t* words, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t word = words[i];
    std::memcpy(to + i * 8, &word, 8);
    asm volatile("" ::: "memory");  // or the loop becomes that call
  }
}

}  // namespace

[[gnu::hot]] bool write_enter(Thread& thread, unsigned function, std::uintptr_t address,
                              const std::uint64_t* words, std::size_t count, const CarefulSide* side) {
  if (thread.depth == 0) {
    // What a library calls inside one of its own calls has that call's place in the program.
    if (header->stacks.load(std::memory_order_relaxed) != 0) [[unlikely]]
      write_stack(address);
    if (address - thread.module_low >= thread.module_bytes) [[unlikely]]
      note_module(address);
  }
  const std::uint64_t now = wire::early_ticks(clock_kind);
  const bool marks = mark_is_due(thread, now);
  const std::size_t bytes =
      sizeof(wire::EnterRecord) + (marks ? 16 : 0) + count * 8 + (side != nullptr ? side->record_bytes() : 0);
  std::byte* at = thread.producer.reserve(bytes);
  if (at == nullptr) [[unlikely]]
    return false;
  const wire::EnterRecord record{
      {static_cast<std::uint16_t>(bytes / 8), wire::RecordKind::Enter, static_cast<std::uint8_t>(count),
       static_cast<std::uint16_t>(function),
       static_cast<std::uint16_t>((marks ? wire::kHasMarks : 0) | thread.depth << wire::kDepthShift), now},
      address};
  std::memcpy(at, &record, sizeof record);
  at += sizeof record;
  if (marks) [[unlikely]] {
    std::uint64_t sizes[2];
    read_marks(thread, sizes);
    std::memcpy(at, sizes, sizeof sizes);
    at += sizeof sizes;
  }
  copy_words(at, words, count);
  if (side != nullptr) [[unlikely]]
    side->write(at + count * 8);
  thread.producer.publish(bytes);
  if (header->hold.load(std::memory_order_relaxed) != 0) [[unlikely]]
    hold_before_call(thread);
  return true;
}

[[gnu::hot]] std::byte* begin_leave(Thread& thread, std::size_t most_items) {
  std::byte* const place = thread.producer.reserve(kLeaveHead + 8 + most_items);
  if (place != nullptr) [[likely]]
    thread.left = wire::leaving_ticks(*header, clock_kind);
  return place;
}

[[gnu::hot]] void finish_leave(Thread& thread, int result, std::byte* place, const std::byte* end,
                               unsigned flags) {
  const auto bytes = static_cast<std::size_t>(end - place);
  const wire::LeaveRecord record{
      {static_cast<std::uint16_t>(bytes / 8), wire::RecordKind::Leave, 0, 0,
       static_cast<std::uint16_t>(flags | static_cast<unsigned>(thread.depth) << wire::kDepthShift),
       thread.left},
      result};
  std::memcpy(place, &record, sizeof record);
  thread.producer.publish(bytes);
}

void write_leave(Thread& thread, int result, bool ask, const Side& side) {
  std::byte* const place = begin_leave(thread, side.record_bytes());
  if (place == nullptr) return;
  std::byte* at = place + kLeaveHead;
  std::uint64_t current = 0;
  const bool known = ask && ask_current(&current);
  if (known) {
    std::memcpy(at, &current, sizeof current);
    at += sizeof current;
  }
  side.write(at);
  finish_leave(thread, result, place, at + side.record_bytes(), known ? wire::kHasCurrent : 0);
}

}  // namespace trace::interpose
