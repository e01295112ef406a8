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
  thread.brisk = false;
}

void put(std::byte* to, std::uint64_t word) {
  std::memcpy(to, &word, sizeof word);
}

// In a loop of its own: a call of memcpy would cost more than the copy.
[[gnu::always_inline]] inline void copy_words(std::byte* to, const std::uint64_t* words, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    put(to + i * 8, words[i]);
    asm volatile("" ::: "memory");  // or the loop becomes that call
  }
}

// Reading the clock is most of what a record costs. Libraries ask for the current context or device again and
// again: of calls that take no time, and follow others in a busy program of one thread, it is not even read
// when they begin. They have the time of what the thread did before, as long as the reader has not looked
// since the clock was read for a call; so it is behind by less than what lies between two looks. Not while
// output is noted as often as it can be, which has its place between calls.
[[gnu::always_inline]] inline std::uint64_t begin_of_call(Thread& thread, Takes takes) {
  const std::uint32_t look = header->busy_look.load(std::memory_order_relaxed);
  if (takes == Takes::NoTime && look != 0 && look == thread.look &&
      header->several.load(std::memory_order_relaxed) == 0 && !mark_was_due(thread))
    return thread.last;
  thread.look = look;
  return wire::early_ticks(clock_kind);
}

}  // namespace

[[gnu::hot]] bool write_enter(Thread& thread, unsigned function, std::uintptr_t address,
                              const std::uint64_t* words, std::size_t count, const CarefulSide* side,
                              Takes takes) {
  if (thread.depth == 0) {
    // What a library calls inside one of its own calls has that call's place in the program.
    if (header->stacks.load(std::memory_order_relaxed) != 0) [[unlikely]]
      write_stack(address);
    if (!thread.knows_module(address)) [[unlikely]]
      note_module(address);
  }
  const std::uint64_t now = begin_of_call(thread, takes);
  const std::uint64_t gap = now - thread.last;
  thread.last = now;
  thread.brisk = gap < header->brisk_gap;
  const bool marks = gap >= header->mark_gap && mark_is_due(thread, now);
  const std::size_t bytes =
      sizeof(wire::EnterRecord) + (marks ? 16 : 0) + count * 8 + (side != nullptr ? side->record_bytes() : 0);
  std::byte* at = thread.producer.reserve(bytes);
  if (at == nullptr) [[unlikely]]
    return false;
  const unsigned flags = (marks ? unsigned{wire::kHasMarks} : 0u) | unsigned{thread.depth}
                                                                        << wire::kDepthShift;
  put(at, wire::head_word(bytes / 8, wire::RecordKind::Enter, count, function, flags));
  put(at + 8, now);
  put(at + 16, address);
  at += sizeof(wire::EnterRecord);
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

[[gnu::hot]] std::byte* begin_leave(Thread& thread, std::size_t most_items, Takes takes) {
  std::byte* const place = thread.producer.reserve(kLeaveHead + 8 + most_items);
  if (place == nullptr) [[unlikely]]
    return nullptr;
  if (takes == Takes::Time || !thread.brisk || header->several.load(std::memory_order_relaxed) != 0)
    thread.last = wire::leaving_ticks(*header, clock_kind);
  return place;
}

[[gnu::hot]] void finish_leave(Thread& thread, int result, std::byte* place, const std::byte* end,
                               unsigned flags) {
  const auto bytes = static_cast<std::size_t>(end - place);
  put(place, wire::head_word(bytes / 8, wire::RecordKind::Leave, 0, 0,
                             flags | unsigned{thread.depth} << wire::kDepthShift));
  put(place + 8, thread.last);
  put(place + 16, static_cast<std::uint64_t>(std::int64_t{result}));
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
  finish_leave(thread, result, place, at + side.record_bytes(), known ? unsigned{wire::kHasCurrent} : 0u);
}

}  // namespace trace::interpose
