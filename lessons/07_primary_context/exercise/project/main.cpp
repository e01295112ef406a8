// Exercise 07, the project: a pool of worker threads. Every job names the context in which it has to be
// done: a context of the pool's own, or the primary context of device 0.
#include <atomic>
#include <thread>
#include <vector>

#include "check.hpp"

constexpr int kWorkers = 3;
constexpr std::size_t kBytes = 4 * lesson::KiB;

struct Job {
  CUcontext context = nullptr;  // where the job has to be done
  unsigned char value = 0;      // what its buffer has to be filled with
  CUdeviceptr buffer = 0;       // written by the worker that does the job
};

// A worker thread calls this as the last thing that it does. Leave the function as it is, and main() too.
std::atomic<int> workers_done = 0, stacks_not_empty = 0;
void worker_ends() {
  CUcontext current = nullptr;
  check(cuCtxGetCurrent(&current));
  if (current != nullptr) ++stacks_not_empty;
  ++workers_done;
}

// Write this class. Its caller has a context of its own, which stays current all the time.
class Pool {
 public:
  // Makes a context on device 0, and retains the primary context of device 0.
  Pool() {}

  // Gives both contexts back.
  ~Pool() {}

  CUcontext own() const { return nullptr; }
  CUcontext primary() const { return nullptr; }

  // Starts kWorkers threads, which share the jobs. For each job a worker allocates kBytes in the context
  // that the job names, fills them with the job's value, and puts the address into the job. Returns when all
  // jobs are done and all workers have ended; each worker calls worker_ends() at its end.
  void run([[maybe_unused]] std::vector<Job>& jobs) {}
};

int main() {
  CUcontext caller = nullptr, current = nullptr, owner = nullptr;
  unsigned flags = 0;
  int active = 0;
  check(cuInit(0));
  check(create_context(&caller, 0, 0));
  {
    Pool pool;
    claim("the pool has two contexts", pool.own() != nullptr && pool.primary() != nullptr);
    check(cuCtxGetCurrent(&current));
    claim("making the pool has not changed what is current", current == caller);

    std::vector<Job> jobs;
    for (unsigned char value = 1; value <= 12; ++value)
      jobs.push_back({value % 3 == 0 ? pool.primary() : pool.own(), value});
    pool.run(jobs);
    claim("three workers have done the jobs", workers_done == kWorkers);
    claim("every worker has left its stack empty", stacks_not_empty == 0);

    bool owned = true, filled = true;
    for (const Job& job : jobs) {
      unsigned char last = 0;
      check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, job.buffer));
      check(cuMemcpyDtoH(&last, job.buffer + kBytes - 1, 1));
      check(cuMemFree(job.buffer));
      owned = owned && owner == job.context;
      filled = filled && last == job.value;
    }
    claim("every buffer belongs to the context that its job names", owned);
    claim("every buffer is filled", filled);
  }
  check(cuCtxGetCurrent(&current));
  claim("the caller's context is current, as before", current == caller);
  check(cuDevicePrimaryCtxGetState(0, &flags, &active));
  claim("the primary context is no longer active", active == 0);
  check(cuCtxDestroy(caller));
}
