// Lesson 05: "current" is a word about one thread. Every thread begins with an empty stack; one context may
// be current to many threads, or float and be handed over; and what becomes of it when a thread ends, or when
// another thread destroys it.
#include <functional>
#include <semaphore>
#include <thread>

#include "check.hpp"

constexpr std::size_t kBytes = 64 * lesson::KiB;

// A thread that is given work and waited for, so that the calls always come in the same order.
class Worker {
 public:
  ~Worker() {
    run(nullptr);
    thread_.join();
  }
  void run(std::function<void()> work) {
    work_ = std::move(work);
    asked_.release();
    done_.acquire();
  }

 private:
  void do_what_is_asked() {
    for (bool more = true; more; done_.release()) {
      asked_.acquire();
      more = work_ != nullptr;
      if (more) work_();
    }
  }
  std::binary_semaphore asked_{0}, done_{0};
  std::function<void()> work_;
  std::thread thread_{[this] { do_what_is_asked(); }};
};

int main() {
  CUcontext a = nullptr, b = nullptr, current = nullptr, popped = nullptr;
  CUdeviceptr memory = 0;
  unsigned char byte = 0;
  Worker worker;

  // step: start
  check(cuInit(0));
  check(create_context(&a, CU_CTX_SCHED_AUTO, 0));  // this thread's stack: A
  check(cuMemAlloc(&memory, kBytes));

  // step: empty_stack
  // The worker inherits nothing: neither the stack nor what is current.
  worker.run([&] {
    CUcontext mine = nullptr;
    check(cuCtxGetCurrent(&mine));
    claim("the worker begins without a context", mine == nullptr);
    expect(CUDA_ERROR_INVALID_CONTEXT, cuMemsetD8(memory, 1, kBytes));
  });

  // step: shared
  // A stays on the main thread's stack and comes onto the worker's as well.
  worker.run([&] {
    check(cuCtxPushCurrent(a));  // the worker's stack: A
    check(cuMemsetD8(memory, 1, kBytes));
    check(cuCtxSynchronize());  // done, before anyone else looks
    check(cuCtxPopCurrent(nullptr));
  });
  check(cuMemcpyDtoH(&byte, memory, 1));
  claim("the main thread reads what the worker filled in", byte == 1);

  // step: own_stack
  // What the worker creates and pushes does not concern the main thread.
  worker.run([&] {
    CUcontext mine = nullptr;
    check(create_context(&b, CU_CTX_SCHED_AUTO, 0));  // the worker's stack: B
    check(cuCtxGetCurrent(&mine));
    claim("B is current to the worker", mine == b);
    check(cuCtxPopCurrent(nullptr));  // B floats: that is how it can be handed over
  });
  check(cuCtxGetCurrent(&current));
  claim("A is still current to the main thread", current == a);

  // step: hand_over
  // B was made over there and is used and destroyed here. A context does not belong to the thread that made
  // it.
  check(cuCtxPushCurrent(b));  // stack: A, B
  check(cuCtxSynchronize());
  check(cuCtxDestroy(b));  // stack: A
  check(cuCtxGetCurrent(&current));
  claim("A is current again", current == a);

  // step: float
  // Handing A over in the other direction: the main thread lets go, the worker takes, and gives back.
  check(cuCtxPopCurrent(&popped));  // stack: empty, A floats
  expect(CUDA_ERROR_INVALID_CONTEXT, cuMemsetD8(memory, 2, kBytes));
  worker.run([&] {
    check(cuCtxPushCurrent(a));
    check(cuMemsetD8(memory, 2, kBytes));
    check(cuCtxSynchronize());
    check(cuCtxPopCurrent(nullptr));
  });
  check(cuCtxPushCurrent(a));  // stack: A
  check(cuMemcpyDtoH(&byte, memory, 1));
  claim("the work was done over there", byte == 2);

  // step: thread_ends
  // A thread of its own, which never pops. Its stack ends with it; the context does not.
  std::thread([&] { check(cuCtxSetCurrent(a)); }).join();
  check(cuMemsetD8(memory, 3, kBytes));
  check(cuMemcpyDtoH(&byte, memory, 1));
  claim("A outlives a thread to which it was current", byte == 3);

  // step: free_anywhere
  // Freeing asks whose memory it is, not what is current: a thread with an empty stack may do it.
  worker.run([&] { check(cuMemFree(memory)); });

  // step: destroyed_elsewhere
  // The worker, whose stack is empty, destroys A, which is current here. Nobody takes it off this stack.
  worker.run([&] { check(cuCtxDestroy(a)); });
  check(cuCtxGetCurrent(&current));
  claim("the destroyed A is still current here", current == a);
  expect(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemAlloc(&memory, kBytes));
  check(cuCtxPopCurrent(&popped));  // stack: empty
  claim("the dead entry is gone", popped == a);
}
