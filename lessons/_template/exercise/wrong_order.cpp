// Exercise NN, a wrong answer: what people believe, and what they hand in because of it.
#include "check.hpp"

int main() {
  int count = 0;
  check(cuDeviceGetCount(&count));
  check(cuInit(0));
}
