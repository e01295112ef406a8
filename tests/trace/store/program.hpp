// SPDX-License-Identifier: MIT
// A traced program in the test's own process: maps the reader's memory as the interposed library does and
// writes records with the library's own Producer. So ring and reader are tested without a driver, under any
// sanitizer.
#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "producer.hpp"
#include "trace/live.hpp"

namespace trace::test {

class Program {
 public:
  explicit Program(const Live& live) : Program(path_of(live)) {}
  explicit Program(const std::string& path) {
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    struct stat about = {};
    if (file < 0 || fstat(file, &about) != 0) return;
    bytes_ = static_cast<std::size_t>(about.st_size);
    void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory != MAP_FAILED) header_ = static_cast<wire::Header*>(memory);
  }
  ~Program() {
    if (header_ != nullptr) munmap(header_, bytes_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  wire::Header* header() { return header_; }
  std::size_t bytes() const { return bytes_; }

 private:
  static std::string path_of(const Live& live) {
    for (const auto& [name, value] : live.environment()) {
      if (name == "DRIVERLAB_TRACE") return value;
    }
    return {};
  }

  wire::Header* header_ = nullptr;
  std::size_t bytes_ = 0;
};

// One traced thread of it.
class Thread {
 public:
  explicit Thread(Program& program, std::uint32_t id = 0) : header_(program.header()) {
    slot_ = wire::claim_slot(header_);
    if (slot_ == wire::kSlots) return;
    wire::Slot& slot = wire::slots_of(header_)[slot_];
    slot.process_number = 0;
    slot.process = static_cast<std::uint32_t>(getpid());
    slot.thread = id == 0 ? slot.process.load() : id;  // 0: the main thread
    slot.other_space = id == 0 ? 0 : 1;                // made up: nobody is to look whether it lives
    producer.attach(header_, slot_, header_->ring_bytes);
  }

  bool claimed() const { return slot_ != wire::kSlots; }

  bool plain(wire::RecordKind kind, std::uint64_t value, const std::string& text) {
    wire::PlainRecord record{head(kind), value, text.size()};
    return put(&record, sizeof record, text.data(), text.size());
  }
  bool enter(std::uint16_t function, const std::vector<std::uint64_t>& words, std::uint64_t address = 0x1000,
             unsigned depth = 0) {
    wire::EnterRecord record{head(wire::RecordKind::Enter), address};
    record.head.flags = static_cast<std::uint16_t>(depth << wire::kDepthShift);
    record.head.function = function;
    record.head.words = static_cast<std::uint8_t>(words.size());
    return put(&record, sizeof record, words.data(), words.size() * 8);
  }
  bool enter_marked(std::uint16_t function, std::uint64_t stdout_bytes, std::uint64_t stderr_bytes) {
    wire::EnterRecord record{head(wire::RecordKind::Enter), 0x1000};
    record.head.function = function;
    record.head.flags = wire::kHasMarks;
    const std::uint64_t marks[2] = {stdout_bytes, stderr_bytes};
    return put(&record, sizeof record, marks, sizeof marks);
  }
  bool leave(std::int64_t result = 0, unsigned depth = 0) {
    wire::LeaveRecord record{head(wire::RecordKind::Leave), result};
    record.head.flags = static_cast<std::uint16_t>(depth << wire::kDepthShift);
    return put(&record, sizeof record, nullptr, 0);
  }
  bool leave_current(std::int64_t result, std::uint64_t current) {
    wire::LeaveRecord record{head(wire::RecordKind::Leave), result};
    record.head.flags = wire::kHasCurrent;
    return put(&record, sizeof record, &current, sizeof current);
  }
  bool call(std::uint16_t function, const std::vector<std::uint64_t>& words) {
    return enter(function, words) && leave();
  }
  void end() {
    plain(wire::RecordKind::ThreadEnd, 0, "");
    wire::slots_of(header_)[slot_].state.store(wire::SlotState::Ended, std::memory_order_release);
  }
  wire::Slot& slot() { return wire::slots_of(header_)[slot_]; }
  std::byte* ring() { return wire::ring_of(header_, slot_, header_->ring_bytes); }

  wire::Producer producer;
  std::int64_t shift = 0;  // ticks by which this thread's clock is wrong

 private:
  wire::RecordHead head(wire::RecordKind kind) const {
    wire::RecordHead head{};
    head.kind = kind;
    head.ticks = wire::leaving_ticks(*header_, header_->clock) + static_cast<std::uint64_t>(shift);
    return head;
  }
  template <class R>
  bool put(R* record, std::size_t fixed, const void* rest, std::size_t rest_bytes) {
    const std::size_t bytes = fixed + wire::round_up(rest_bytes);
    record->head.units = static_cast<std::uint16_t>(bytes / 8);
    std::byte* at = producer.reserve(bytes);
    if (at == nullptr) return false;
    std::memcpy(at, record, fixed);
    if (rest_bytes != 0) std::memcpy(at + fixed, rest, rest_bytes);
    producer.publish(bytes);
    return true;
  }

  wire::Header* header_;
  std::size_t slot_ = wire::kSlots;
};

inline std::unique_ptr<Live> make_live(std::size_t ring_bytes = 1 << 16, bool hold = false) {
  Live::Options options;
  options.tracer = "/nowhere";
  options.backend = "/nowhere/libcuda.so.1";
  options.ring_bytes = ring_bytes;
  options.hold = hold;
  std::string error;
  return Live::create(options, &error);
}

}  // namespace trace::test
