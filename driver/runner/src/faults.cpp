// SPDX-License-Identifier: MIT
// Ends of the process: signals that a kernel raised, reported to the host as errors of the driver.
//
// A kernel may have overwritten anything here, so a handler uses nothing but the shared memory and system
// calls.
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <initializer_list>
#include <new>

#include "block_room.hpp"
#include "device_memory.hpp"
#include "process.hpp"

namespace runner {
namespace {

std::atomic<std::uint32_t> asked_outcome{0};

void on_signal(int signal, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  // Of an address that is none of this machine, the kernel of the system says only that it is wrong.
  const bool is_known = info->si_code != SI_KERNEL;
  // No kernel runs in this thread. LLVM aborts only where an allocation failed, and not every library looks
  // whether one did.
  if (compiling)
    end_with(signal == SIGABRT || errno == ENOMEM ? Outcome::OutOfMemory : Outcome::LaunchFailed);
  // Sent by another process, not raised by an instruction.
  if (info->si_code <= 0) end_with(Outcome::LaunchFailed);
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
      end_with(could_not_be_mapped(address)    ? Outcome::OutOfMemory
               : is_far_out_of_shared(address) ? Outcome::IllegalInstruction
                                               : Outcome::IllegalAddress,
               is_known ? std::optional(address) : std::nullopt);
    default:
      end_with(Outcome::LaunchFailed);
  }
}

}  // namespace

void end_with(Outcome outcome, std::optional<std::uint64_t> address) {
  std::uint32_t none = 0;
  control->fault_address.store(address.value_or(0));
  control->fault_has_address.store(address ? 1 : 0);
  control->fault_ticket.store(running_ticket);
  control->fault.compare_exchange_strong(none, static_cast<std::uint32_t>(outcome));
  for (Slot& slot : control->slots) {
    if (slot.waiters.load() != 0) futex_wake(slot.done, 1 << 30);
  }
  futex_wake(control->window.full, 1 << 30);
  for (;;) _exit(1);
}

void end_after_these_blocks(Outcome outcome) {
  std::uint32_t none = 0;
  asked_outcome.compare_exchange_strong(none, static_cast<std::uint32_t>(outcome));
}

void end_if_asked() {
  if (const std::uint32_t asked = asked_outcome.load(std::memory_order_relaxed)) end_with(Outcome{asked});
}

void catch_faults() {
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT, SIGXCPU})
    sigaction(signal, &action, nullptr);
}

void end_without_memory() {
  std::set_new_handler([] { end_with(Outcome::OutOfMemory); });
}

void use_signal_stack() {
  constexpr std::size_t kSize = 64 << 10;
  void* const memory = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t stack = {};
  stack.ss_sp = memory;
  stack.ss_size = kSize;
  sigaltstack(&stack, nullptr);
}

}  // namespace runner
