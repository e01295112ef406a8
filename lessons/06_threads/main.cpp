// Lesson 06: each thread has its own context stack, which is empty at first. One context may be current on
// several threads, or one thread pops it and another pushes it. The program also shows what happens to a
// context when a thread ends, and when another thread destroys it.
#include <functional>
#include <semaphore>
#include <thread>

#include "check.hpp"

constexpr std::size_t kBytes = 64 * lesson::KiB;

// A thread that runs one function after another. run() waits, so that the calls always have the same order.
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
  CUdevice device = 0;
  CUdeviceptr memory = 0;
  unsigned char byte = 0;
  Worker worker;

  // step: start
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&a, CU_CTX_SCHED_AUTO, device));  // this thread's stack: A
  check(cuMemAlloc(&memory, kBytes));

  // step: empty_stack
  // The worker does not inherit the stack of the main thread, so it has no current context.
  worker.run([&] {
    CUcontext mine = nullptr;
    check(cuCtxGetCurrent(&mine));
    claim("the worker has no current context", mine == nullptr);
    expect(CUDA_ERROR_INVALID_CONTEXT, cuMemsetD8(memory, 1, kBytes));
  });

  // step: shared
  // A stays on the main thread's stack, and the worker pushes it on its own stack, too.
  worker.run([&] {
    check(cuCtxPushCurrent(a));  // the worker's stack: A
    check(cuMemsetD8(memory, 1, kBytes));
    check(cuCtxSynchronize());  // the fill ends before the main thread reads
  });
  check(cuCtxGetCurrent(&current));
  claim("A is current on both threads", current == a);
  check(cuMemcpyDtoH(&byte, memory, 1));
  claim("the main thread reads what the worker wrote", byte == 1);
  worker.run([&] { check(cuCtxPopCurrent(nullptr)); });

  // step: own_stack
  // What the worker creates and pushes does not change the main thread's stack.
  worker.run([&] {
    CUcontext mine = nullptr;
    check(create_context(&b, CU_CTX_SCHED_AUTO, device));  // the worker's stack: B
    check(cuCtxGetCurrent(&mine));
    claim("B is current on the worker", mine == b);
    check(cuCtxPopCurrent(nullptr));  // B floats: it is on no stack
  });
  check(cuCtxGetCurrent(&current));
  claim("A is still current on the main thread", current == a);

  // step: hand_over
  // The worker created B, and the main thread uses and destroys it. A context does not belong to the thread
  // that created it.
  check(cuCtxPushCurrent(b));  // stack: A, B
  check(cuCtxSynchronize());
  check(cuCtxDestroy(b));  // stack: A
  check(cuCtxGetCurrent(&current));
  claim("A is current again", current == a);

  // step: hand_over_and_back
  // Now the other direction: the main thread pops A, and the worker pushes it, uses it and pops it.
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
  claim("the main thread reads the 2 that the worker wrote", byte == 2);

  // step: thread_ends
  // Another thread makes A current and never pops. Its stack ends with the thread; the context does not.
  std::thread([&] { check(cuCtxSetCurrent(a)); }).join();
  check(cuMemsetD8(memory, 3, kBytes));
  check(cuMemcpyDtoH(&byte, memory, 1));
  claim("A still exists after a thread that used it has ended", byte == 3);

  // step: free_anywhere
  // cuMemFree finds the owner by the address and needs no current context: the worker's stack is empty.
  worker.run([&] { check(cuMemFree(memory)); });

  // step: destroyed_elsewhere
  // The worker destroys A, which is current on the main thread. A's entry stays on the main thread's stack.
  worker.run([&] { check(cuCtxDestroy(a)); });
  check(cuCtxGetCurrent(&current));
  claim("the destroyed A is still current here", current == a);
  expect(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemAlloc(&memory, kBytes));
  check(cuCtxPopCurrent(&popped));  // stack: empty
  claim("the entry of the destroyed A is popped", popped == a);
}
