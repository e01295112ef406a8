// Exercise NN, a wrong solution: what people believe, and the program that they write because of it.
#include "check.hpp"

int main() {
  int count = 0;
  check(cuDeviceGetCount(&count));
  check(cuInit(0));
}
