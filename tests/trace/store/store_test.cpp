// SPDX-License-Identifier: MIT
// The store: nothing changes on the way through it, nothing moves under a reader, and it stays small.
#include "trace/store.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "events.hpp"
#include "store_impl.hpp"

namespace trace::test {
namespace {

TEST(Store, gives_back_every_event_as_it_was) {
  RandomEvents random(1);
  Store store;
  std::vector<std::string> expected;
  for (int i = 0; i < 5000; ++i) {
    Event event = random.next();
    event.seq = static_cast<std::uint64_t>(i);
    expected.push_back(spell(event));
    EXPECT_EQ(store.append(event), static_cast<std::size_t>(i));
    EXPECT_EQ(store.kind_at(store.size() - 1), event.kind);
    EXPECT_EQ(store.thread_at(store.size() - 1), event.thread);
    EXPECT_EQ(store.time_at(store.size() - 1), event.t_ns);
    EXPECT_EQ(store.result_at(store.size() - 1), event.result);
  }
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(spell(store.at(i)), expected[i]);
}

TEST(Store, finds_calls_among_other_events) {
  RandomEvents random(2);
  Store store;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < 3000; ++i) {
    EXPECT_EQ(store.calls_before(i), places.size());
    const Event event = random.next();
    if (event.kind == EventKind::Call) places.push_back(i);
    store.append(event);
  }
  EXPECT_EQ(store.calls(), places.size());
  EXPECT_EQ(store.calls_before(store.size()), places.size());
  for (std::size_t n = 0; n < places.size(); ++n) ASSERT_EQ(store.event_of_call(n), places[n]);
}

TEST(Store, an_empty_store_has_no_calls) {
  const Store store;
  EXPECT_EQ(store.size(), 0u);
  EXPECT_EQ(store.calls(), 0u);
  EXPECT_EQ(store.calls_before(0), 0u);
}

TEST(Store, keeps_a_text_that_is_longer_than_a_block) {
  Store store;
  Event event;
  event.kind = EventKind::Output;
  event.text = std::string(5'000'000, 'x');
  store.append(Event{});
  store.append(event);
  store.append(Event{});
  EXPECT_EQ(store.at(1).text, event.text);
  EXPECT_EQ(store.at(2).kind, EventKind::Call);
}

TEST(Store, readers_see_whole_events_while_the_writer_appends) {
  Store store;
  constexpr std::size_t count = 60'000;
  std::thread writer([&store] {
    RandomEvents random(3);
    for (std::size_t i = 0; i < count; ++i) {
      Event event = random.next();
      event.t_ns = i;
      event.address = i;
      store.append(event);
    }
  });
  const auto read = [&store](unsigned seed) {
    std::mt19937 random(seed);
    for (std::size_t size = 0; size < count;) {
      size = store.size();
      if (size == 0) continue;
      const std::size_t index = random() % 4 == 0 ? random() % size : size - 1;
      const Event event = store.at(index);
      ASSERT_EQ(event.seq, index);
      ASSERT_EQ(event.t_ns, index);
      const std::size_t calls = store.calls_before(index);
      if (event.kind == EventKind::Call) {
        ASSERT_EQ(store.event_of_call(calls), index);
      }
    }
  };
  std::thread one(read, 4), two(read, 5);
  writer.join();
  one.join();
  two.join();
  EXPECT_EQ(store.size(), count);
}

TEST(Store, a_typical_call_takes_at_most_110_bytes) {
  Store store;
  constexpr std::size_t count = 200'000;
  RawCall call;
  std::uint64_t written = 0;
  for (std::size_t i = 0; i < count; ++i) {
    call.function = 1;
    call.t_ns = i * 900;
    call.dur_ns = 250 + i % 1000;
    call.address = 0x5555'5555'0000 + i % 100;
    call.current = 0x7fff'1234'5600;
    call.file = "main.cpp";
    call.line = static_cast<std::uint32_t>(i % 200);
    call.words = {0x7ffc'1234'5678, 1 << 20};  // cuMemAlloc(&pointer, size)
    written = 0x7000'0000'0000 + i * 256;
    call.after = {{0, 8, std::as_bytes(std::span(&written, 1))}};
    store.impl().append(call);
  }
  EXPECT_LE(static_cast<double>(store.bytes()) / count, 110);
  EXPECT_GE(static_cast<double>(store.bytes()) / count, 40);  // else bytes() does not count
}

}  // namespace
}  // namespace trace::test
