// SPDX-License-Identifier: MIT
// See runner.hpp: writes launches into shared memory, and waits for them.
#include "core/runner.hpp"

#include <sched.h>

#include <chrono>
#include <climits>
#include <cstdio>
#include <cstring>
#include <thread>

#include "core/core_dump.hpp"
#include "core/driver.hpp"
#include "core/runner_process.hpp"
#include "core/work_times.hpp"
#include "runner/backoff.hpp"

namespace driver {
namespace {

using runner::Control;
using runner::Slot;

constexpr auto kSpinTime = std::chrono::microseconds(40);  // longer kernels are worth a sleep
constexpr int kLooksBetweenYields = 64;
constexpr int kLooksAtWide = 8;  // it needs this core, too
constexpr timespec kLookInterval{0, 50'000'000};

bool reached(const Slot& slot, Runner::Ticket ticket) {
  const std::uint32_t done = slot.done.load(std::memory_order_seq_cst);
  return static_cast<std::int32_t>(done - static_cast<std::uint32_t>(ticket)) >= 0;
}

void append(std::string& message, std::uint64_t number) {
  message.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void append(std::string& message, const std::string& text) {
  append(message, text.size());
  message += text;
}

std::uint64_t next_program_id() {
  static std::atomic<std::uint64_t> next{1};
  return next++;
}

// Wakes no worker while one spins, because that one wakes others if they are needed. Otherwise it wakes two
// for work that needs several, and one of them wakes more. A launch that waits for another is found by the
// worker that ends the other.
void ring(Control& control, const Slot& slot) {
  const Runner::Ticket after = slot.after;
  if (after != 0 && !reached(control.slots[after % runner::kSlotCount], after)) return;
  control.bell.fetch_add(1, std::memory_order_seq_cst);
  if (control.spinners.load(std::memory_order_seq_cst) != 0 ||
      control.sleepers.load(std::memory_order_seq_cst) == 0)
    return;
  const int wanted = runner::is_wide(slot) ? 2 : 1;
  if (runner::futex_wake(control.bell, wanted) == 2)
    control.woken_for.store(slot.ticket, std::memory_order_relaxed);
}

// With one core a wait that spins only keeps the kernel from running.
bool spinning_helps() {
  static const bool helps = std::thread::hardware_concurrency() > 1;
  return helps;
}

}  // namespace

Program::Program(std::string text, Symbols symbols)
    : text_(std::move(text)), symbols_(std::move(symbols)), id_(next_program_id()) {}

Runner::Runner(Context& context) : context_(context) {
  memory_.context = &context;
}

Runner::~Runner() {
  if (running_) flush_output();
}

CUresult Runner::start() {
  process_ = RunnerProcess::start(context_);
  if (!process_) return CUDA_ERROR_OPERATING_SYSTEM;
  running_.store(true, std::memory_order_release);
  return CUDA_SUCCESS;
}

// Sends a message in pieces. If the runner has died, they are not read, and not needed.
void Runner::send(const std::string& message) {
  runner::Window& window = process_->control().window;
  for (std::size_t at = 0; at < message.size();) {
    while (window.full.load(std::memory_order_acquire) != 0) {
      runner::futex_wait(window.full, 1, &kLookInterval);
      if (!process_->alive()) return;
    }
    const std::size_t piece = std::min(message.size() - at, runner::kWindowBytes);
    std::memcpy(window.data, message.data() + at, piece);
    at += piece;
    window.bytes = static_cast<std::uint32_t>(piece);
    window.last = at == message.size() ? 1 : 0;
    window.full.store(1, std::memory_order_release);
    runner::futex_wake(window.full, 1);
  }
}

bool Runner::all_done() const {
  const Control& control = process_->control();
  const Ticket last = last_.load(std::memory_order_relaxed);
  for (Ticket ticket = last; ticket > 0 && ticket + runner::kSlotCount > last; --ticket) {
    if (!reached(control.slots[ticket % runner::kSlotCount], ticket)) return false;
  }
  return true;
}

// Of modules that are unloaded, and in no graph and no queue any more, the runner need not keep the code: a
// program may load and unload for ever. Looked for when there are twice as many as were left the last time,
// at a moment when nothing runs.
void Runner::forget_unloaded() {
  if (sent_programs_.size() < next_look_ || !all_done()) return;
  std::string message;
  append(message, static_cast<std::uint64_t>(runner::Message::Forget));
  std::vector<std::uint64_t> gone;
  for (const auto& [id, program] : sent_programs_) {
    if (program.expired()) gone.push_back(id);
  }
  append(message, gone.size());
  for (const std::uint64_t id : gone) append(message, id);
  // Nothing that follows needs memory.
  const std::lock_guard lock(naming_);
  for (const std::uint64_t id : gone) {
    sent_programs_.erase(id);
    const auto first = kernels_.lower_bound({id, std::string()});
    kernels_.erase(first, kernels_.lower_bound({id + 1, std::string()}));
  }
  next_look_ = std::max<std::size_t>(16, 2 * sent_programs_.size());
  if (!gone.empty()) send(message);
}

std::uint64_t Runner::kernel_number(const KernelLaunch& launch) {
  const std::pair wanted{launch.program->id(), launch.kernel};
  const auto known = kernels_.find(wanted);
  if (known != kernels_.end()) return known->second;
  if (!sent_programs_.contains(launch.program->id())) {
    forget_unloaded();
    std::string message;
    append(message, static_cast<std::uint64_t>(runner::Message::Module));
    append(message, launch.program->id());
    append(message, launch.program->text());
    append(message, launch.program->symbols().size());
    for (const auto& [name, address] : launch.program->symbols()) {
      append(message, name);
      append(message, address);
    }
    {
      const std::lock_guard lock(naming_);
      sent_programs_.emplace(launch.program->id(), launch.program);
    }
    send(message);
  }
  std::string message;
  append(message, static_cast<std::uint64_t>(runner::Message::Kernel));
  append(message, next_kernel_);
  append(message, launch.program->id());
  append(message, launch.kernel);
  const std::uint64_t number = next_kernel_++;
  {
    const std::lock_guard lock(naming_);
    kernels_.emplace(wanted, number);
  }
  send(message);
  return number;
}

void Runner::post_changes() {
  Journal& journal = Driver::get().memory().journal();
  if (!journal.news(memory_)) return;
  Control& control = process_->control();
  std::vector<MappingChange> changes;
  const bool complete = journal.read(memory_, changes);
  std::uint64_t posted = control.changes_posted.load(std::memory_order_relaxed);
  for (const MappingChange& change : changes) {
    if (posted - control.changes_applied.load(std::memory_order_acquire) >= runner::kChangeCount) {
      control.changes_posted.store(posted, std::memory_order_release);
      std::string message;
      append(message, static_cast<std::uint64_t>(runner::Message::Changes));
      send(message);
      while (posted - control.changes_applied.load(std::memory_order_acquire) >= runner::kChangeCount) {
        if (!process_->alive()) return;
        std::this_thread::yield();
      }
    }
    runner::Change& entry = control.changes[posted % runner::kChangeCount];
    entry.address = change.address;
    entry.size = change.size;
    entry.offset = change.now.offset;
    entry.file = change.now.file;
    entry.source = change.now.source;
    entry.kind = change.now.size == 0                             ? runner::ChangeKind::Unmap
                 : change.now.access == Mapping::Access::ReadOnly ? runner::ChangeKind::MapReadOnly
                                                                  : runner::ChangeKind::Map;
    ++posted;
  }
  control.changes_posted.store(posted, std::memory_order_release);
  if (!complete) throw std::bad_alloc();
}

CUresult Runner::post(const KernelLaunch& launch, Ticket& ticket) {
  const std::lock_guard lock(posting_);
  if (!process_) {
    if (const CUresult error = start()) return error;
  }
  if (launch.parameters.size() > runner::kMostParameterBytes) return CUDA_ERROR_INVALID_VALUE;
  Control& control = process_->control();
  const std::uint64_t kernel = kernel_number(launch);
  post_changes();
  ticket = last_.load(std::memory_order_relaxed) + 1;
  Slot& slot = control.slots[ticket % runner::kSlotCount];
  if (ticket > runner::kSlotCount) wait(ticket - runner::kSlotCount);
  const bool timed = WorkTimes::wanted();
  if (timed && ticket > runner::kSlotCount) WorkTimes::get().keep(*this, ticket - runner::kSlotCount);
  slot.timed = timed ? 1 : 0;
  slot.ticket = ticket;
  slot.after = launch.after;
  slot.changes = control.changes_posted.load(std::memory_order_relaxed);
  slot.kernel = kernel;
  std::copy(launch.grid, launch.grid + 3, slot.grid);
  std::copy(launch.block, launch.block + 3, slot.block);
  std::copy(launch.cluster.begin(), launch.cluster.end(), slot.cluster);
  slot.explicit_cluster = launch.explicit_cluster ? 1 : 0;
  slot.dynamic_shared = launch.dynamic_shared;
  slot.stack_bytes = context_.limit(CU_LIMIT_STACK_SIZE);
  slot.cooperative = launch.cooperative ? 1 : 0;
  slot.processors = launch.processors;
  slot.restricted = launch.own_processors ? 1 : 0;
  if (launch.own_processors) slot.own_processors = *launch.own_processors;
  // Each cache line that is written has to be fetched from the runner's core.
  if (launch.cooperative) std::fill(std::begin(slot.workspace), std::end(slot.workspace), std::byte{0});
  slot.parameter_bytes = static_cast<std::uint32_t>(launch.parameters.size());
  std::copy(launch.parameters.begin(), launch.parameters.end(), slot.parameters);
  last_.store(ticket, std::memory_order_release);
  control.posted.store(ticket, std::memory_order_seq_cst);
  ring(control, slot);
  return CUDA_SUCCESS;
}

void Runner::follow_changes() {
  const std::lock_guard lock(posting_);
  if (!running_ || all_done() || !process_->alive()) return;
  try {
    post_changes();
    std::string message;
    append(message, static_cast<std::uint64_t>(runner::Message::Changes));
    send(message);
  } catch (const std::bad_alloc&) {
    return;  // they come with the next launch
  }
}

void Runner::see_peers(std::set<const Context*> peers) {
  const std::lock_guard lock(posting_);
  memory_.peers.swap(peers);
  memory_.position = 0;
}

void Runner::note_fault() {
  const std::uint32_t fault = process_->control().fault.load(std::memory_order_acquire);
  if (fault == 0) return;
  if (Driver::get().note_error(static_cast<CUresult>(fault))) dump_core();
}

void Runner::dump_core() {
  const Control& control = process_->control();
  KernelFault fault;
  fault.error = static_cast<CUresult>(control.fault.load(std::memory_order_acquire));
  if (control.fault_has_address.load() != 0) fault.address = control.fault_address.load();
  const Ticket ticket = control.fault_ticket.load();
  const Slot& slot = control.slots[ticket % runner::kSlotCount];
  if (ticket != 0 && slot.ticket == ticket) {
    const std::lock_guard lock(naming_);
    for (const auto& [name, number] : kernels_) {
      if (number != slot.kernel) continue;
      fault.kernel = name.second;
      const auto sent = sent_programs_.find(name.first);
      const auto program = sent != sent_programs_.end() ? sent->second.lock() : nullptr;
      if (program != nullptr) fault.ptx = program->text();
    }
    std::copy(slot.grid, slot.grid + 3, fault.grid);
    std::copy(slot.block, slot.block + 3, fault.block);
    fault.dynamic_shared = slot.dynamic_shared;
    fault.parameters.assign(reinterpret_cast<const char*>(slot.parameters),
                            std::min<std::size_t>(slot.parameter_bytes, runner::kMostParameterBytes));
  }
  CoreDumps::get().write(context_, fault);
}

bool Runner::finished(Ticket ticket) {
  if (!running_.load(std::memory_order_acquire)) return true;
  Control& control = process_->control();
  if (control.fault.load(std::memory_order_acquire) != 0) {
    note_fault();
    return true;
  }
  return reached(control.slots[ticket % runner::kSlotCount], ticket);
}

Runner::Times Runner::times_of(Ticket ticket, std::uint64_t& began, std::uint64_t& ended) const {
  if (!running_.load(std::memory_order_acquire)) return Times::Never;
  const Control& control = process_->control();
  const Slot& slot = control.slots[ticket % runner::kSlotCount];
  if (!reached(slot, ticket))
    return control.fault.load(std::memory_order_acquire) != 0 ? Times::Never : Times::NotYet;
  if (slot.ticket != ticket || slot.timed == 0) return Times::Never;
  began = slot.began, ended = slot.ended;
  return Times::Known;
}

void Runner::look_after_process() {
  if (!running_.load(std::memory_order_acquire) || process_->alive()) return;
  std::uint32_t none = 0;
  process_->control().fault.compare_exchange_strong(none, CUDA_ERROR_LAUNCH_FAILED);
}

// Yields again and again: for a launch that uses all cores, the kernel also needs the core that spins here,
// and the worker that would run there is notified.
void Runner::spin_until_finished(const Slot& slot, Ticket ticket) {
  thread_local runner::Backoff backoff;
  std::atomic<std::int32_t>& core = process_->control().waiting_core;
  const int looks = runner::is_wide(slot) ? kLooksAtWide : kLooksBetweenYields;
  const auto end = std::chrono::steady_clock::now() + kSpinTime;
  core.store(sched_getcpu() + 1, std::memory_order_relaxed);
  do {
    for (int i = 0; i < looks && !finished(ticket); ++i) __builtin_ia32_pause();
  } while (!finished(ticket) && backoff() && std::chrono::steady_clock::now() < end);
  core.store(0, std::memory_order_relaxed);
}

CUresult Runner::wait(Ticket ticket) {
  if (!running_.load(std::memory_order_acquire)) return Driver::get().sticky_error;
  Control& control = process_->control();
  Slot& slot = control.slots[ticket % runner::kSlotCount];
  if (spinning_helps()) spin_until_finished(slot, ticket);
  while (!finished(ticket)) {
    slot.waiters.fetch_add(1, std::memory_order_seq_cst);
    const std::uint32_t done = slot.done.load(std::memory_order_seq_cst);
    if (!finished(ticket)) {
      const int result = runner::futex_wait(slot.done, done, &kLookInterval);
      if (result != 0 && !finished(ticket)) look_after_process();
    }
    slot.waiters.fetch_sub(1, std::memory_order_seq_cst);
  }
  note_fault();
  return Driver::get().sticky_error;
}

void Runner::flush_output() {
  if (!running_.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(flushing_);
  runner::Output& output = process_->control().output;
  if (output.head == output.tail) return;
  // A runner that died while it held the lock never releases it.
  const auto take_lock = [&] {
    for (int round = 0; output.lock.exchange(1, std::memory_order_acquire) != 0; ++round) {
      if (round % 1000 == 999 && !process_->alive()) return;
      std::this_thread::yield();
    }
  };
  const std::uint64_t size = process_->output_size();
  const std::byte* const ring = process_->output_ring();
  std::string bytes;
  take_lock();
  // Whatever the kernel has made of these numbers, not more than the ring holds is read.
  const std::uint64_t length = std::min(output.tail - output.head, size);
  try {
    bytes.reserve(length);
  } catch (const std::bad_alloc&) {
    output.lock.store(0, std::memory_order_release);
    return;  // it is all there the next time
  }
  for (std::uint64_t i = 0; i < length; ++i) bytes += static_cast<char>(ring[(output.head + i) % size]);
  output.head = output.tail;
  output.lock.store(0, std::memory_order_release);

  for (std::size_t at = 0; at + sizeof(runner::OutputRecord) <= bytes.size();) {
    runner::OutputRecord record;
    std::memcpy(&record, bytes.data() + at, sizeof record);
    at += sizeof record;
    const std::size_t text = std::min<std::size_t>(record.bytes, bytes.size() - at);
    std::FILE* const stream = record.kind == runner::OutputKind::Stderr ? stderr : stdout;
    std::fwrite(bytes.data() + at, 1, text, stream);
    std::fflush(stream);
    at += text;
  }
}

}  // namespace driver
