// SPDX-License-Identifier: MIT
// An event that several processes record and wait for: two numbers in its maker's ledger.
//
// A record takes the next number; an operation of its stream announces the number when everything before it
// has ended. A waiting call, in any process, waits for the last number at the time of the call. A process
// that has died cannot announce anything, so its records count as done: no call waits for ever. Does not
// depend on streams.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/ledger.hpp"
#include "core/operation.hpp"

namespace driver {

class SharedEvent : public std::enable_shared_from_this<SharedEvent> {
 public:
  // Null when there is no room for one.
  static std::shared_ptr<SharedEvent> make();
  // Another process's; null when there is none.
  static std::shared_ptr<SharedEvent> open(const LedgerKey& key);
  ~SharedEvent();
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;

  // The key with which other processes open it; only for an event of this process.
  std::optional<LedgerKey> key();
  // A new record, which is done when the completion is finished.
  CompletionPointer record();
  // The last record of any process; null before the first.
  CompletionPointer recorded();

 private:
  friend class Announcement;
  friend class SharedMoment;
  SharedEvent() = default;

  bool reached(std::uint32_t record) const;
  void announce(std::uint32_t record);
  void wait(std::uint32_t record) const;
  bool recorder_is_gone(std::uint32_t record) const;

  std::shared_ptr<Ledger> ledger_;       // another's
  std::optional<std::uint32_t> number_;  // in one's own
  Token token_;                          // of another's
  LedgerEntry* entry_ = nullptr;
};

// A record as an operation of a stream. In a queue it is its own completion: when the event is seen as done,
// so is the stream up to there.
class AnnounceOperation : public Operation {
 public:
  explicit AnnounceOperation(CompletionPointer record) : record_(std::move(record)) {}
  Started start() override {
    if (!queued_) record_->finish();
    return {};
  }
  // Other processes must not wait for ever.
  void skip(CUresult) override { start(); }
  CompletionPointer completion() override {
    queued_ = true;
    return record_;
  }

 private:
  CompletionPointer record_;
  bool queued_ = false;
};

}  // namespace driver
