// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "CUDA Checkpointing".
//
// A process can lock, checkpoint, restore and unlock itself: calls of other threads wait while it is locked.
// The memory stays where it is, because the system's checkpoint of a process takes it along. Another process
// cannot be asked here: 801 if it is there. All measured: truth checkpoint_wrong, checkpoint_self,
// checkpoint_locked.
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/call.hpp"

using namespace driver;

namespace {

// Holds Driver's lock from the lock to the unlock, in a thread of its own: whoever unlocks may be another
// thread than the one that has locked.
class Checkpoint {
 public:
  static Checkpoint& get() {
    static auto* const only = new Checkpoint;  // leaked: the holding thread may outlive main()
    return *only;
  }

  CUprocessState state() {
    const std::lock_guard lock(lock_);
    return state_;
  }

  // From one state to the next; 401 from any other.
  CUresult move(CUprocessState from, CUprocessState to) {
    std::unique_lock lock(lock_);
    if (state_ != from) return CUDA_ERROR_ILLEGAL_STATE;
    if (from == CU_PROCESS_STATE_RUNNING) {
      std::thread([this] { hold(); }).detach();
      changed_.wait(lock, [this] { return held_; });
    }
    state_ = to;
    if (to == CU_PROCESS_STATE_RUNNING) {
      changed_.notify_all();
      changed_.wait(lock, [this] { return !held_; });
    }
    return CUDA_SUCCESS;
  }

 private:
  void hold() {
    const std::unique_lock driver(Driver::get().lock());
    std::unique_lock lock(lock_);
    held_ = true;
    state_ = CU_PROCESS_STATE_LOCKED;
    changed_.notify_all();
    changed_.wait(lock, [this] { return state_ == CU_PROCESS_STATE_RUNNING; });
    held_ = false;
    changed_.notify_all();
  }

  std::mutex lock_;
  std::condition_variable changed_;
  CUprocessState state_ = CU_PROCESS_STATE_RUNNING;
  bool held_ = false;
};

// 304 for a process that is not there.
CUresult find(int process) {
  if (const CUresult error = Driver::ready()) return error;
  if (process == getpid()) return CUDA_SUCCESS;
  const bool there = process > 0 && (kill(process, 0) == 0 || errno == EPERM);
  return there ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_OPERATING_SYSTEM;
}

CUresult move(int process, CUprocessState from, CUprocessState to) {
  const CUresult error = find(process);
  return error ? error : Checkpoint::get().move(from, to);
}

}  // namespace

// cuCheckpointProcessGetState. Errors: INVALID_VALUE, NOT_INITIALIZED, NOT_SUPPORTED.
CUresult CUDAAPI cuCheckpointProcessGetState(int process, CUprocessState* state) {
  if (const CUresult error = Driver::ready()) return error;
  if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult error = find(process)) return error;
  *state = Checkpoint::get().state();
  return CUDA_SUCCESS;
}

// cuCheckpointProcessLock. Errors: INVALID_VALUE, NOT_INITIALIZED, ILLEGAL_STATE, NOT_SUPPORTED, NOT_READY.
CUresult CUDAAPI cuCheckpointProcessLock(int process, CUcheckpointLockArgs* arguments) {
  if (const CUresult error = Driver::ready()) return error;
  if (arguments != nullptr && arguments->reserved0 != 0) return CUDA_ERROR_INVALID_VALUE;
  return move(process, CU_PROCESS_STATE_RUNNING, CU_PROCESS_STATE_LOCKED);
}

// cuCheckpointProcessCheckpoint. Errors: INVALID_VALUE, NOT_INITIALIZED, ILLEGAL_STATE, NOT_SUPPORTED.
CUresult CUDAAPI cuCheckpointProcessCheckpoint(int process, CUcheckpointCheckpointArgs*) {
  return move(process, CU_PROCESS_STATE_LOCKED, CU_PROCESS_STATE_CHECKPOINTED);
}

// cuCheckpointProcessRestore. Errors: INVALID_VALUE, NOT_INITIALIZED, ILLEGAL_STATE, NOT_SUPPORTED.
CUresult CUDAAPI cuCheckpointProcessRestore(int process, CUcheckpointRestoreArgs*) {
  return move(process, CU_PROCESS_STATE_CHECKPOINTED, CU_PROCESS_STATE_LOCKED);
}

// cuCheckpointProcessUnlock. Errors: INVALID_VALUE, NOT_INITIALIZED, ILLEGAL_STATE, NOT_SUPPORTED.
CUresult CUDAAPI cuCheckpointProcessUnlock(int process, CUcheckpointUnlockArgs*) {
  return move(process, CU_PROCESS_STATE_LOCKED, CU_PROCESS_STATE_RUNNING);
}
