// SPDX-License-Identifier: MIT
// The ring between a traced thread and its reader: wrapping, waiting, losing, and nonsense in it.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <thread>

#include "consumer.hpp"
#include "program.hpp"

namespace trace::test {
namespace {

struct Memory {
  explicit Memory(std::uint64_t ring_bytes = 1 << 16) : bytes(wire::kRingsOffset + ring_bytes) {
    void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    header = new (at) wire::Header{};
    header->ring_bytes = ring_bytes;
    header->reader_pid = static_cast<std::uint32_t>(getpid());
    header->reader_start = wire::process_start_time(header->reader_pid);
    producer.attach(header, 0, ring_bytes);
  }
  ~Memory() { munmap(header, bytes); }
  wire::Slot& slot() { return *wire::slots_of(header); }
  std::byte* ring() { return wire::ring_of(header, 0, header->ring_bytes); }
  Consumer consumer() { return Consumer(&slot(), ring(), header->ring_bytes); }

  bool put(std::uint64_t value, std::size_t text_bytes) {
    const std::size_t size = sizeof(wire::PlainRecord) + wire::round_up(text_bytes);
    std::byte* at = producer.reserve(size);
    if (at == nullptr) return false;
    const wire::PlainRecord record{
        {static_cast<std::uint16_t>(size / 8), wire::RecordKind::Module, 0, 0, 0, value}, value, text_bytes};
    std::memcpy(at, &record, sizeof record);
    std::memset(at + sizeof record, static_cast<int>('a' + value % 26), text_bytes);
    producer.publish(size);
    return true;
  }

  std::size_t bytes;
  wire::Header* header;
  wire::Producer producer;
};

TEST(Ring, every_record_arrives_whole_and_in_order_while_the_ring_wraps) {
  Memory memory;
  constexpr std::uint64_t count = 100'000;
  std::thread writer([&] {
    for (std::uint64_t i = 0; i < count; ++i) ASSERT_TRUE(memory.put(i, i * 37 % 5000));
  });
  Consumer consumer = memory.consumer();
  Record record;
  for (std::uint64_t expected = 0; expected < count;) {
    const std::uint64_t end = consumer.published();
    while (consumer.next(end, record) == Consumer::Outcome::Record) {
      ASSERT_EQ(record.value, expected);
      ASSERT_EQ(record.text, std::string(expected * 37 % 5000, static_cast<char>('a' + expected % 26)));
      ++expected;
    }
    consumer.release();
  }
  writer.join();
  EXPECT_EQ(memory.slot().lost.load(), 0u);
}

TEST(Ring, a_full_ring_makes_the_program_wait_for_a_reader_that_lives) {
  Memory memory;
  std::atomic<int> written{0};
  std::thread writer([&] {
    for (int i = 0; i < 40; ++i) {
      ASSERT_TRUE(memory.put(static_cast<std::uint64_t>(i), 4000));
      ++written;
    }
  });
  while (memory.slot().full.load() == 0) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // longer than its patience between looks
  const int before = written;
  EXPECT_LT(before, 17);
  Consumer consumer = memory.consumer();
  Record record;
  for (int got = 0; got < 40;) {
    const std::uint64_t end = consumer.published();
    while (consumer.next(end, record) == Consumer::Outcome::Record) ++got;
    consumer.release();
  }
  writer.join();
  EXPECT_EQ(memory.slot().lost.load(), 0u);
}

TEST(Ring, with_the_reader_gone_the_program_runs_on_and_counts_what_is_lost) {
  Memory memory;
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  memory.header->reader_pid = static_cast<std::uint32_t>(child);
  int lost = 0;
  for (int i = 0; i < 40; ++i) lost += memory.put(static_cast<std::uint64_t>(i), 4000) ? 0 : 1;
  EXPECT_GT(lost, 20);
  EXPECT_EQ(memory.slot().lost.load(), static_cast<std::uint64_t>(lost));
}

TEST(Ring, a_reader_that_stands_still_costs_records_and_once_it_moves_they_are_kept_again) {
  Memory memory;
  memory.header->standstill_ns = 50'000'000;
  int lost = 0;
  for (int i = 0; i < 40; ++i) lost += memory.put(static_cast<std::uint64_t>(i), 4000) ? 0 : 1;
  EXPECT_GT(lost, 20);
  EXPECT_EQ(memory.slot().lost.load(), static_cast<std::uint64_t>(lost));
  Consumer consumer = memory.consumer();
  Record record;
  int got = 0;
  while (consumer.next(consumer.published(), record) == Consumer::Outcome::Record) ++got;
  consumer.release();
  EXPECT_EQ(got + lost, 40);
  EXPECT_TRUE(memory.put(40, 4000));
  EXPECT_EQ(memory.slot().lost.load(), static_cast<std::uint64_t>(lost));
}

TEST(Ring, a_reader_whose_process_id_was_given_to_another_process_is_gone) {
  Memory memory;
  EXPECT_TRUE(wire::reader_alive(*memory.header));
  ASSERT_NE(memory.header->reader_start, 0u);
  memory.header->reader_start += 1;
  EXPECT_FALSE(wire::reader_alive(*memory.header));
}

TEST(Ring, a_record_longer_than_what_was_published_is_damage_and_said_once) {
  Memory memory;
  ASSERT_TRUE(memory.put(1, 100));
  const std::uint16_t units = 60000;
  std::memcpy(memory.ring(), &units, sizeof units);
  Consumer consumer = memory.consumer();
  Record record;
  EXPECT_EQ(consumer.next(consumer.published(), record), Consumer::Outcome::Damaged);
  ASSERT_TRUE(memory.put(2, 100));
  EXPECT_EQ(consumer.next(consumer.published(), record), Consumer::Outcome::Empty);
}

TEST(Ring, a_made_up_head_is_damage_and_does_not_stop_the_program) {
  for (const std::uint64_t head : {~std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{1} << 40}) {
    Memory memory;
    ASSERT_TRUE(memory.put(1, 100));
    memory.slot().head.store(head);
    Consumer consumer = memory.consumer();
    Record record;
    EXPECT_EQ(consumer.next(consumer.published(), record), Consumer::Outcome::Damaged);
    consumer.release();
    EXPECT_EQ(consumer.next(consumer.published(), record), Consumer::Outcome::Empty);
  }
}

TEST(Ring, records_that_contradict_themselves_are_refused) {
  std::vector<std::byte> bytes(sizeof(wire::PlainRecord));
  wire::PlainRecord plain{{4, wire::RecordKind::Module, 0, 0, 0, 0}, 0, 1};  // a text that is not there
  std::memcpy(bytes.data(), &plain, sizeof plain);
  Record record;
  EXPECT_FALSE(parse_record(bytes, record));
  wire::EnterRecord enter{{3, wire::RecordKind::Enter, 2, 0, 0, 0}, 0};  // words that are not there
  bytes.resize(sizeof enter);
  std::memcpy(bytes.data(), &enter, sizeof enter);
  EXPECT_FALSE(parse_record(bytes, record));
  enter.head.words = 0;
  std::memcpy(bytes.data(), &enter, sizeof enter);
  EXPECT_TRUE(parse_record(bytes, record));
  enter.head.kind = static_cast<wire::RecordKind>(99);
  std::memcpy(bytes.data(), &enter, sizeof enter);
  EXPECT_FALSE(parse_record(bytes, record));
}

TEST(Ring, side_data_ends_at_the_first_item_that_does_not_fit) {
  std::vector<std::byte> bytes(2 * sizeof(wire::Item) + 8);
  const wire::Item good{1, 0, 5, 5}, bad{2, 0, 9, 9};
  std::memcpy(bytes.data(), &good, sizeof good);
  std::memcpy(bytes.data() + sizeof good + 8, &bad, sizeof bad);
  SideDataReader reader(bytes);
  SideData item;
  ASSERT_TRUE(reader.next(item));
  EXPECT_EQ(item.parameter, 1);
  EXPECT_EQ(item.bytes.size(), 5u);
  EXPECT_FALSE(reader.next(item));
  EXPECT_TRUE(reader.damaged());
}

}  // namespace
}  // namespace trace::test
