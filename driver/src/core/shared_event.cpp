// SPDX-License-Identifier: MIT
// See shared_event.hpp: the two numbers, and waiting for them by a futex that lies in both processes' memory.
#include "core/shared_event.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "runner/control.hpp"

namespace driver {
namespace {

constexpr timespec kEventLookInterval{0, 50'000'000};

// Numbers may run over: what counts is which of two is ahead.
bool at_least(std::uint32_t done, std::uint32_t record) {
  return static_cast<std::int32_t>(done - record) >= 0;
}

}  // namespace

// The end of a record of this process: of its own work, whatever later records say.
class Announcement : public Completion {
 public:
  explicit Announcement(std::shared_ptr<SharedEvent> event) : event_(std::move(event)) {}

  void of(std::uint32_t record) { record_ = record; }
  void finish() override {
    Completion::finish();
    event_->announce(record_);
  }

 private:
  const std::shared_ptr<SharedEvent> event_;
  std::uint32_t record_ = 0;
};

// One record of a shared event, for who waits for it.
class SharedMoment : public Completion {
 public:
  SharedMoment(std::shared_ptr<SharedEvent> event, std::uint32_t record)
      : event_(std::move(event)), record_(record) {}

  bool over() override {
    if (!Completion::over() && event_->reached(record_)) Completion::finish();
    return Completion::over();
  }
  void wait() override {
    event_->wait(record_);
    Completion::finish();
  }

 private:
  const std::shared_ptr<SharedEvent> event_;
  const std::uint32_t record_;
};

std::shared_ptr<SharedEvent> SharedEvent::make() {
  Ledger* const ledger = Ledger::own();
  if (ledger == nullptr) return nullptr;
  const auto number = ledger->take();
  if (!number) return nullptr;
  std::shared_ptr<SharedEvent> event(new SharedEvent);
  event->number_ = number;
  event->entry_ = &ledger->entry(*number);
  event->entry_->event.recorded.store(0);
  event->entry_->event.done.store(0);
  return event;
}

std::shared_ptr<SharedEvent> SharedEvent::open(const LedgerKey& key) {
  auto ledger = Ledger::of(key);
  if (ledger == nullptr) return nullptr;
  LedgerEntry& entry = ledger->entry(key.entry);
  if (entry.lent.load() != Lent::Event || entry.key() != key.token) return nullptr;
  std::shared_ptr<SharedEvent> event(new SharedEvent);
  event->ledger_ = std::move(ledger);
  event->token_ = key.token;
  event->entry_ = &entry;
  return event;
}

SharedEvent::~SharedEvent() {
  if (number_) Ledger::own()->give_back(*number_);
}

std::optional<LedgerKey> SharedEvent::key() {
  if (!number_) return std::nullopt;
  if (entry_->key() == Token{}) Ledger::own()->lend(*number_, Lent::Event);
  return Ledger::own()->key(*number_);
}

CompletionPointer SharedEvent::record() {
  auto announcement = std::make_shared<Announcement>(shared_from_this());  // before other processes see it
  const std::uint32_t record = entry_->event.recorded.fetch_add(1) + 1;
  entry_->event.recorders[record % LentEvent::kRemembered].store(static_cast<std::uint32_t>(getpid()));
  announcement->of(record);
  return announcement;
}

CompletionPointer SharedEvent::recorded() {
  const std::uint32_t last = entry_->event.recorded.load();
  return last != 0 ? std::make_shared<SharedMoment>(shared_from_this(), last) : nullptr;
}

bool SharedEvent::reached(std::uint32_t record) const {
  // An event that its maker has destroyed has nothing left to wait for.
  if (ledger_ != nullptr && entry_->key() != token_) return true;
  return at_least(entry_->event.done.load(), record);
}

void SharedEvent::announce(std::uint32_t record) {
  if (ledger_ != nullptr && entry_->key() != token_) return;
  std::atomic<std::uint32_t>& done = entry_->event.done;
  std::uint32_t before = done.load();
  while (!at_least(before, record) && !done.compare_exchange_weak(before, record)) continue;
  runner::futex_wake(done, 1 << 30);
}

void SharedEvent::wait(std::uint32_t record) const {
  while (!reached(record)) {
    std::atomic<std::uint32_t>& done = entry_->event.done;
    const std::uint32_t before = done.load();
    if (at_least(before, record)) return;
    const int result = runner::futex_wait(done, before, &kEventLookInterval);
    if (result != 0 && !reached(record) && recorder_is_gone(record)) return;
  }
}

// Also if no parent has waited for the dead process yet: its descriptor shows that, its number does not.
bool SharedEvent::recorder_is_gone(std::uint32_t record) const {
  const auto process = static_cast<pid_t>(entry_->event.recorders[record % LentEvent::kRemembered].load());
  if (process <= 0) return false;
  const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  if (descriptor < 0) return errno == ESRCH;
  pollfd ends{descriptor, POLLIN, 0};
  const bool gone = poll(&ends, 1, 0) > 0;
  close(descriptor);
  return gone;
}

}  // namespace driver
