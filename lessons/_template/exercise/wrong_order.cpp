// Exercise NN, a wrong answer: what people think, and what they hand in for it.
#include "check.hpp"

int main() {
  int count = 0;
  check(cuDeviceGetCount(&count));
  check(cuInit(0));
}
