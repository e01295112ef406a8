// SPDX-License-Identifier: MIT
// The packed form of a run: entries in blocks that never move, an index of 4 bytes an event.
//
// An entry is a fixed head, readable without decoding, and a body: either a decoded event (event_codec) or a
// call as the tracer wrote it (raw_call). One thread appends; `size` is what readers may look at.
#pragma once
#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>

#include "event_codec.hpp"
#include "raw_call.hpp"
#include "stable_vector.hpp"
#include "trace/store.hpp"

namespace trace {

// Texts that never move; numbers are given by one thread and looked up by all.
class StoreTexts final : public TextPool {
 public:
  StoreTexts();
  std::uint64_t number_of(std::string_view text) override;
  bool text_of(std::uint64_t number, std::string_view& text) const override;
  std::size_t bytes() const { return bytes_; }

 private:
  StableVector<std::string, 64> texts_;
  std::unordered_map<std::string_view, std::uint64_t> numbers_;
  std::atomic<std::size_t> count_{0};
  std::size_t bytes_ = 0;
};

struct Store::Impl {
  struct Head {
    EventKind kind;
    std::uint8_t raw;  // 1: the body is a RawCall and `shape` an index into api's table
    std::uint16_t depth;
    std::uint32_t shape;
    std::int32_t result;
    std::uint32_t thread;
    std::uint32_t t_low, t_high;  // halves, so that entries need only 4-byte alignment
    std::uint32_t body_bytes;
  };
  static_assert(sizeof(Head) == 28);

  // Calls among 64 events, and how many calls lie before them.
  struct Rank {
    std::atomic<std::uint64_t> is_call{0};
    std::uint32_t before = 0;
    Rank() = default;
    Rank& operator=(Rank&& other) noexcept {
      is_call.store(other.is_call.load(std::memory_order_relaxed), std::memory_order_relaxed);
      before = other.before;
      return *this;
    }
    Rank(Rank&& other) noexcept { *this = std::move(other); }
  };

  static constexpr std::size_t kBlock = 1 << 20;
  static constexpr std::size_t kUnit = 4;
  static constexpr std::size_t kBlocks = (std::size_t{1} << 32) * kUnit / kBlock;  // 16 GiB in all

  std::atomic<std::size_t> size{0}, calls{0}, bytes{0}, work_time_count{0};
  StableVector<WorkTime, 64> work_times;
  StableVector<std::uint32_t, 4096> index;  // place of an entry in units
  StableVector<Rank, 256> ranks;            // one for every 64 events
  StableVector<FunctionShape, 64> shapes;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> shape_numbers;
  StoreTexts texts;
  std::unique_ptr<std::atomic<std::byte*>[]> blocks = std::make_unique<std::atomic<std::byte*>[]>(kBlocks);
  std::size_t next_unit = 0;
  std::size_t arena_bytes = 0;
  ByteWriter body;  // reused

  ~Impl();
  std::size_t append(const Event& event);
  std::size_t append(const RawCall& call);
  std::size_t append(Head head);  // with `body`
  std::uint32_t shape_number(const Event& call);
  std::byte* allocate(std::size_t size_bytes, std::uint32_t& unit);

  const std::byte* entry(std::size_t event) const;
  Head head(std::size_t event) const;
  std::span<const std::uint8_t> body_of(std::size_t event, const Head& head) const;
  // The raw part of a call that is stored raw; `event` gets the rest. The spans live as long as the store.
  void read_raw(std::size_t event, const Head& head, RawCall& call) const;

  std::vector<std::byte*> owned;  // what `blocks` points into
};

}  // namespace trace
