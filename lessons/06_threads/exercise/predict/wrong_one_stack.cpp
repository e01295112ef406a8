// Exercise 06, a wrong answer: "the process has one stack", so both threads always have the same current
// context. Each thread has a stack of its own, and the worker's is empty at first.
#include <cstring>
#include <functional>
#include <semaphore>
#include <thread>

#include "check.hpp"

// Leave what stands above main() as it is. The worker makes one step after another, and run() waits for it.
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

CUcontext a = nullptr, b = nullptr;

const char* name_of_current() {
  CUcontext current = nullptr;
  check(cuCtxGetCurrent(&current));
  if (current == nullptr) return "none";
  return current == a ? "A" : "B";
}

// Ends the program at the first prediction that is not right.
void compare(int line, const char* thread, const char* predicted, const char* real) {
  if (std::strcmp(predicted, real) == 0) return;
  std::printf("line %d, %s: predicted %s, but it is %s\n", line, thread, predicted, real);
  lesson::end_here();
}
void compare(int line, Worker& worker, const char* on_main, const char* on_worker) {
  const char* real = nullptr;
  worker.run([&] { real = name_of_current(); });
  compare(line, "main thread", on_main, name_of_current());
  compare(line, "worker thread", on_worker, real);
}
#define predict(on_main, on_worker) compare(__LINE__, worker, (on_main), (on_worker))

// After each step: which context is current on the main thread, and which on the worker? Replace each "?" by
// "A", "B" or "none". A context that was destroyed keeps its name.
int main() {
  Worker worker;
  check(cuInit(0));

  check(create_context(&a, 0, 0));
  predict("A", "A");

  worker.run([] { check(cuCtxPushCurrent(a)); });
  predict("A", "A");

  check(cuCtxPopCurrent(nullptr));
  predict("A", "A");

  worker.run([] { check(create_context(&b, 0, 0)); });
  predict("B", "B");

  check(cuCtxPushCurrent(b));
  predict("B", "B");

  worker.run([] { check(cuCtxPopCurrent(nullptr)); });
  predict("B", "B");

  check(cuCtxSetCurrent(a));
  predict("A", "A");

  worker.run([] { check(cuCtxDestroy(b)); });
  predict("A", "A");

  check(cuCtxDestroy(a));
  predict("none", "none");

  worker.run([] { check(cuCtxPopCurrent(nullptr)); });
  std::printf("all predictions are right\n");
}
