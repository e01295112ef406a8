// Exercise NN, one way to do it: what had to change.
#include "check.hpp"

int main() {
  int count = 0;
  check(cuInit(0));
  check(cuDeviceGetCount(&count));
}
