// Exercise 06, a wrong answer: both threads change to the new context, but the old one is never destroyed.
#include <functional>
#include <semaphore>
#include <thread>

#include "check.hpp"

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

CUcontext context = nullptr;

// Runs on the main thread. The context is current on it and on the worker. Change this function only.
void replace_context(Worker& worker) {
  check(cuCtxPopCurrent(nullptr));
  check(create_context(&context, 0, 0));
  worker.run([] { check(cuCtxSetCurrent(context)); });
}

// One job of the worker, in its current context.
void do_job() {
  CUdeviceptr buffer = 0;
  check(cuMemAlloc(&buffer, lesson::KiB));
  check(cuMemsetD8(buffer, 7, lesson::KiB));
  check(cuMemFree(buffer));
}

int main() {
  CUcontext on_main = nullptr, on_worker = nullptr;
  Worker worker;
  check(cuInit(0));
  check(create_context(&context, 0, 0));
  worker.run([] { check(cuCtxPushCurrent(context)); });  // the worker's stack has one entry
  worker.run(do_job);

  for (int i = 0; i < 2; ++i) {
    replace_context(worker);
    worker.run(do_job);
    check(cuCtxGetCurrent(&on_main));
    worker.run([&] { check(cuCtxGetCurrent(&on_worker)); });
    claim("the new context is current on both threads", on_main == context && on_worker == context);
  }

  worker.run([&] {
    check(cuCtxPopCurrent(nullptr));
    check(cuCtxGetCurrent(&on_worker));
  });
  claim("one pop empties the worker's stack", on_worker == nullptr);
  check(cuCtxDestroy(context));
}
