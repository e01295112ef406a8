// SPDX-License-Identifier: MIT
// A process that locks and checkpoints itself: the thread that does it, calls of several threads at once, and
// other processes. What an H200 returned is in truth/; here is what needs many threads or a second process.
//
// The programs are children of fork, each with a driver of its own.
#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <mutex>

#include "support.hpp"

namespace {

// All threads at the same moment; their results.
template <std::size_t kThreads>
std::array<CUresult, kThreads> at_once(const std::function<CUresult()>& call) {
  std::array<CUresult, kThreads> results{};
  std::atomic<std::size_t> ready{0};
  std::vector<std::thread> threads;
  for (CUresult& result : results) {
    threads.emplace_back([&] {
      ++ready;
      while (ready < kThreads) {
      }
      result = call();
    });
  }
  for (std::thread& thread : threads) thread.join();
  return results;
}

template <std::size_t kThreads>
bool exactly_one_succeeds(const std::array<CUresult, kThreads>& results) {
  return std::count(results.begin(), results.end(), CUDA_SUCCESS) == 1 &&
         std::count(results.begin(), results.end(), CUDA_ERROR_ILLEGAL_STATE) + 1 == kThreads;
}

TEST(Checkpoint, of_several_threads_that_lock_at_once_one_does) {
  EXPECT_EQ(
      0, status_in_child([] {
        constexpr int kRounds = 200;
        for (int round = 0; round < kRounds; ++round) {
          if (!exactly_one_succeeds(at_once<4>([] { return cuCheckpointProcessLock(getpid(), nullptr); })))
            return 1;
          if (!exactly_one_succeeds(at_once<4>([] { return cuCheckpointProcessUnlock(getpid(), nullptr); })))
            return 2;
          CUprocessState state = CU_PROCESS_STATE_FAILED;
          if (cuCheckpointProcessGetState(getpid(), &state) != CUDA_SUCCESS) return 3;
          if (state != CU_PROCESS_STATE_RUNNING) return 4;
          CUcontext context = nullptr;
          if (cuDevicePrimaryCtxRetain(&context, 0) != CUDA_SUCCESS) return 5;  // nobody holds the lock
          if (cuDevicePrimaryCtxRelease(0) != CUDA_SUCCESS) return 6;
        }
        return 0;
      }));
}

// A lock that sets the state late would undo the checkpoint, for which another thread waits.
TEST(Checkpoint, a_checkpoint_that_comes_as_soon_as_it_can_stays) {
  EXPECT_EQ(0, status_in_child([] {
              constexpr int kRounds = 300;
              for (int round = 0; round < kRounds; ++round) {
                std::thread next([] {
                  while (cuCheckpointProcessCheckpoint(getpid(), nullptr) != CUDA_SUCCESS) {
                  }
                });
                const CUresult locked = cuCheckpointProcessLock(getpid(), nullptr);
                next.join();
                CUprocessState state = CU_PROCESS_STATE_FAILED;
                if (locked != CUDA_SUCCESS) return 1;
                if (cuCheckpointProcessGetState(getpid(), &state) != CUDA_SUCCESS) return 2;
                if (state != CU_PROCESS_STATE_CHECKPOINTED) return 3;
                if (cuCheckpointProcessRestore(getpid(), nullptr) != CUDA_SUCCESS) return 4;
                if (cuCheckpointProcessUnlock(getpid(), nullptr) != CUDA_SUCCESS) return 5;
              }
              return 0;
            }));
}

TEST(Checkpoint, threads_that_ask_at_once_are_told_one_thread_that_is_none_of_them) {
  EXPECT_EQ(0, status_in_child([] {
              std::mutex lock;
              std::vector<int> told;
              const auto results = at_once<4>([&] {
                int thread = 0;
                const CUresult result = cuCheckpointProcessGetRestoreThreadId(getpid(), &thread);
                const std::lock_guard held(lock);
                told.push_back(thread);
                told.push_back(gettid() == thread ? -1 : thread);
                return result;
              });
              if (std::count(results.begin(), results.end(), CUDA_SUCCESS) != 4) return 1;
              if (std::count(told.begin(), told.end(), told.front()) != 8) return 2;
              const std::string folder = "/proc/self/task/" + std::to_string(told.front());
              return access(folder.c_str(), F_OK) == 0 && told.front() != getpid() ? 0 : 3;
            }));
}

// The other process: one that has initialised the driver, its child by fork, and one that never has.
TEST(Checkpoint, another_process_is_told_apart_by_whether_it_uses_the_driver) {
  EXPECT_EQ(0, status_in_child([] {
              const pid_t without = fork();  // of a process with the driver: it has none itself
              if (without == 0) {
                pause();
                _exit(0);
              }
              CUprocessState state = CU_PROCESS_STATE_FAILED;
              int thread = 0;
              const CUresult states = cuCheckpointProcessGetState(without, &state);
              const CUresult threads = cuCheckpointProcessGetRestoreThreadId(without, &thread);
              const CUresult locks = cuCheckpointProcessLock(without, nullptr);
              kill(without, SIGKILL);
              waitpid(without, nullptr, 0);
              if (states != CUDA_ERROR_NOT_INITIALIZED) return 1;
              if (threads != CUDA_ERROR_NOT_INITIALIZED) return 2;
              if (locks != CUDA_ERROR_NOT_INITIALIZED) return 3;
              return cuCheckpointProcessGetState(without, &state) == CUDA_ERROR_OPERATING_SYSTEM ? 0 : 4;
            }));
  int ends[2] = {};
  ASSERT_EQ(0, pipe(ends));
  const pid_t user = fork();
  if (user == 0) {
    const char ready = cuInit(0) == CUDA_SUCCESS ? 'y' : 'n';
    if (write(ends[1], &ready, 1) != 1) _exit(1);
    alarm(120);
    pause();
    _exit(0);
  }
  char ready = 0;
  ASSERT_EQ(1, read(ends[0], &ready, 1));
  EXPECT_EQ('y', ready);
  EXPECT_EQ(0, status_in_child([user] {
              CUprocessState state = CU_PROCESS_STATE_FAILED;
              int thread = 0;
              if (cuCheckpointProcessGetState(user, &state) != CUDA_ERROR_NOT_SUPPORTED) return 1;
              return cuCheckpointProcessGetRestoreThreadId(user, &thread) == CUDA_ERROR_NOT_SUPPORTED ? 0 : 2;
            }));
  kill(user, SIGKILL);
  waitpid(user, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
