// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "CUDA Checkpointing".
//
// A process can lock, checkpoint, restore and unlock itself: calls of other threads wait while it is locked.
// The memory stays where it is, because the system's checkpoint of a process takes it along. Another process
// cannot be asked here: 801 if it uses this driver, 3 if it does not. All measured: truth checkpoint_wrong,
// checkpoint_self, checkpoint_locked, restore_thread.
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <string>

#include "core/call.hpp"
#include "core/work_threads.hpp"

using namespace driver;

namespace {

// Holds Driver's lock from the lock to the unlock, in a thread of its own: whoever unlocks may be another
// thread than the one that has locked. The thread is started by the first call that needs it and stays.
class Checkpoint {
 public:
  static Checkpoint& get() {
    static auto* const only = new Checkpoint;  // leaked: the thread may outlive main()
    return *only;
  }

  CUprocessState state() {
    const std::lock_guard lock(lock_);
    return state_;
  }

  // From one state to the next; 401 from any other. Calls of several threads come one after the other, or two
  // could leave the same state.
  CUresult move(CUprocessState from, CUprocessState to) {
    std::unique_lock lock(lock_);
    if (const CUresult error = start(lock)) return error;
    changed_.wait(lock, [this] { return !moving_; });
    if (state_ != from) return CUDA_ERROR_ILLEGAL_STATE;
    moving_ = true;
    wanted_ = to != CU_PROCESS_STATE_RUNNING;
    changed_.notify_all();
    changed_.wait(lock, [this] { return held_ == wanted_; });
    moving_ = false;
    state_ = to;
    changed_.notify_all();
    return CUDA_SUCCESS;
  }

  CUresult restore_thread(int& thread) {
    std::unique_lock lock(lock_);
    if (const CUresult error = start(lock)) return error;
    thread = thread_;
    return CUDA_SUCCESS;
  }

 private:
  CUresult start(std::unique_lock<std::mutex>& lock) {
    if (!started_ && !run_on_a_thread([this] { hold(); })) return CUDA_ERROR_OPERATING_SYSTEM;
    started_ = true;
    changed_.wait(lock, [this] { return thread_ != 0; });
    return CUDA_SUCCESS;
  }

  [[noreturn]] void hold() {
    std::unique_lock lock(lock_);
    thread_ = gettid();
    changed_.notify_all();
    while (true) {
      changed_.wait(lock, [this] { return wanted_; });
      lock.unlock();
      std::unique_lock driver(Driver::get().lock());
      lock.lock();
      held_ = true;
      changed_.notify_all();
      changed_.wait(lock, [this] { return !wanted_; });
      driver.unlock();
      held_ = false;
      changed_.notify_all();
    }
  }

  std::mutex lock_;
  std::condition_variable changed_;
  CUprocessState state_ = CU_PROCESS_STATE_RUNNING;
  bool moving_ = false;  // from one state to another, in some thread
  bool started_ = false;
  bool wanted_ = false;  // that Driver's lock is held
  bool held_ = false;
  int thread_ = 0;
};

// Whether the driver is initialised in a process. Its device memory is mapped from then on, and not in a
// child of fork. A process whose mappings may not be read counts as one.
bool uses_driver(int process) {
  std::ifstream mappings("/proc/" + std::to_string(process) + "/maps");
  if (!mappings) return true;
  for (std::string line; std::getline(mappings, line);) {
    if (line.find("/memfd:embedded-gpu-") != std::string::npos) return true;
  }
  return mappings.bad();
}

// 304 for a process that is not there.
CUresult find(int process) {
  if (const CUresult error = Driver::ready()) return error;
  if (process == getpid()) return CUDA_SUCCESS;
  const bool there = process > 0 && (kill(process, 0) == 0 || errno == EPERM);
  if (!there) return CUDA_ERROR_OPERATING_SYSTEM;
  return uses_driver(process) ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_NOT_INITIALIZED;
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

// cuCheckpointProcessGetRestoreThreadId. Errors: INVALID_VALUE, NOT_INITIALIZED, OPERATING_SYSTEM,
// NOT_SUPPORTED. Measured: the same thread in every state of the process, never the calling one.
CUresult CUDAAPI cuCheckpointProcessGetRestoreThreadId(int process, int* thread) {
  if (const CUresult error = Driver::ready()) return error;
  if (thread == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = find(process);
  return error ? error : Checkpoint::get().restore_thread(*thread);
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
