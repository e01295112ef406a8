// Exercise 05, a wrong answer: the destroyed B is believed to stay on top of the stack.
#include "check.hpp"

enum Name { unanswered, none, A, B };
constexpr const char* kNames[] = {"unanswered", "none", "A", "B"};

// The current context after each call that is numbered in main(). A destroyed context keeps its name.
constexpr Name after[12] = {
    A,     // 1
    B,     // 2
    A,     // 3
    B,     // 4
    B,     // 5
    A,     // 6
    B,     // 7
    B,     // 8
    A,     // 9
    none,  // 10
    B,     // 11
    B,     // 12
};

CUcontext a = nullptr, b = nullptr;
int number = 0;

void compare() {
  CUcontext current = nullptr;
  check(cuCtxGetCurrent(&current));
  const Name is = current == nullptr ? none : current == a ? A : B;
  const Name answer = after[number++];
  if (answer == is) return;
  std::printf("After call %d, your answer %s is wrong.\n", number, kNames[answer]);
  std::exit(EXIT_FAILURE);
}

int main() {
  check(cuInit(0));
  check(create_context(&a, 0, 0));
  check(cuCtxPopCurrent(nullptr));
  check(create_context(&b, 0, 0));
  check(cuCtxPopCurrent(nullptr));

  // The stack is empty now.
  check(cuCtxPushCurrent(a));  // 1
  compare();
  check(cuCtxPushCurrent(b));  // 2
  compare();
  check(cuCtxPushCurrent(a));  // 3
  compare();
  check(cuCtxSetCurrent(b));  // 4
  compare();
  check(cuCtxPopCurrent(nullptr));  // 5
  compare();
  check(cuCtxPopCurrent(nullptr));  // 6
  compare();
  check(cuCtxPushCurrent(b));  // 7
  compare();
  check(cuCtxDestroy(a));  // 8
  compare();
  check(cuCtxPopCurrent(nullptr));  // 9
  compare();
  check(cuCtxPopCurrent(nullptr));  // 10
  compare();
  check(cuCtxSetCurrent(b));  // 11
  compare();
  check(cuCtxDestroy(b));  // 12
  compare();
}
