// SPDX-License-Identifier: MIT
// The state of the driver in this process, and the checks with which every entry point begins.
//
// Entry points hold `lock()`: shared to look up and copy, exclusive to change. Two things need no lock:
// whether the driver is initialised, and the thread's own stack of contexts.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <shared_mutex>

#include "core/api.hpp"
#include "core/context.hpp"
#include "core/context_stack.hpp"
#include "core/device.hpp"
#include "core/memory.hpp"

namespace driver {

class Driver {
 public:
  static constexpr int kVersion = 13000;

  // Only after ready() has said CUDA_SUCCESS.
  static Driver& get() { return *instance; }

  // cuInit. Safe to call from several threads at once.
  static CUresult initialize();
  // CUDA_SUCCESS, or why no call can succeed: 3 before cuInit and in a child of fork, 4 at the end of the
  // process. Inside a host function nothing is permitted (truth host_functions, steps 7 and 11).
  static CUresult ready() {
    return in_host_function ? CUDA_ERROR_NOT_PERMITTED : phase.load(std::memory_order_acquire);
  }
  static inline constinit thread_local bool in_host_function = false;

  std::shared_mutex& lock() { return lock_; }
  Memory& memory() { return memory_; }
  ContextRegistry& contexts() { return contexts_; }
  int device_count() const { return static_cast<int>(devices_.size()); }
  Device* device(CUdevice handle);
  Context& primary(const Device& device) { return *primaries_[static_cast<std::size_t>(device.ordinal())]; }

  // After a kernel has failed, nothing that needs the GPU works any more in this process: every such call
  // returns this error.
  std::atomic<CUresult> sticky_error{CUDA_SUCCESS};
  // True for the first error, which is the one that stays.
  bool note_error(CUresult error) {
    CUresult none = CUDA_SUCCESS;
    return sticky_error.compare_exchange_strong(none, error);
  }

  // Whether CUDA_MODULE_LOADING asked for it in cuInit; later changes have no effect (truth loading_late,
  // step 6).
  bool loads_eagerly() const { return loads_eagerly_; }

  // The rest holds the lock, exclusive.
  Context* create_context(Device& device, unsigned flags);
  void revive(Context& primary);
  void end(Context& context);
  // The context of a green context, which retains the primary context of its device while it lives.
  Context* create_green(Device& device);
  // With its streams; without the last retain the primary context ends.
  void end_green(Context& green);

 private:
  Driver() = default;
  CUresult open();

  static inline constinit std::atomic<CUresult> phase{CUDA_ERROR_NOT_INITIALIZED};
  static inline constinit Driver* instance = nullptr;

  std::shared_mutex lock_;
  std::deque<Device> devices_;
  std::deque<Context*> primaries_;
  ContextRegistry contexts_;
  Memory memory_;
  bool loads_eagerly_ = false;
  std::uint64_t next_context_id_ = 1;
};

// The context that a call works in: the current one, or for a green context that of its memory and code.
// Errors in the order in which the real driver finds them: 3 or 4, then 201 without one, 709 for a destroyed
// one, and last a sticky error (truth sticky_trap, step 11).
CUresult current_context(Context*& context);

// The current context itself, where current_context() has said `context`.
Context& current_of(Context& context);

// The error of a kernel that a call has returned before, with its reason for the log; CUDA_SUCCESS without.
CUresult known_fault();

// Whether memory may be freed now: without a context and with another than the owner's, but not with a
// destroyed one current or after a kernel has failed (truth no_context step 4, threads_floating steps 8 and
// 23, sticky_illegal_address step 11).
CUresult may_free();

// A handle passed by the caller: 201 for an invalid one, 709 for a destroyed one.
CUresult given_context(CUcontext handle, Context*& context);

// The flags of a context: at most one way of scheduling, and nothing unknown.
bool valid_context_flags(unsigned flags);

}  // namespace driver
