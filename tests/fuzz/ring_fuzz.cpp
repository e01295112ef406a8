// SPDX-License-Identifier: MIT
// Shared memory that the traced program scribbled over: the reader judges every record, the decoder every
// word.
#include <cstring>
#include <vector>

#include "consumer.hpp"
#include "store_impl.hpp"

namespace {

constexpr std::uint64_t kRing = 1 << 16;

struct Ring {
  trace::wire::Slot slot{};
  std::vector<std::byte> bytes = std::vector<std::byte>(kRing);
};

void copy_items(std::span<const std::byte> bytes, std::vector<trace::SideData>& items) {
  trace::SideDataReader reader(bytes);
  for (trace::SideData item; reader.next(item);) items.push_back(item);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Ring ring;
  if (size < 8 || size > kRing) return 0;
  std::uint64_t head = 0;
  std::memcpy(&head, data, 8);
  if (data[7] % 2 == 0) head = (size - 8) & ~std::uint64_t{7};  // mostly as long as there is something
  std::memcpy(ring.bytes.data(), data + 8, size - 8);
  ring.slot.head.store(head);
  trace::Consumer consumer(&ring.slot, ring.bytes.data(), kRing);
  trace::Record record;
  trace::Store store;
  while (consumer.next(consumer.published(), record) == trace::Consumer::Outcome::Record) {
    trace::RawCall call;
    call.function = record.head.function;
    call.words.resize(record.words.size() / 8);
    if (!record.words.empty()) std::memcpy(call.words.data(), record.words.data(), record.words.size());
    copy_items(record.items, call.before);
    copy_items(record.items, call.after);
    store.impl().append(call);
    if (store.at(store.size() - 1).kind != trace::EventKind::Call) __builtin_trap();
  }
  consumer.release();
  return 0;
}
