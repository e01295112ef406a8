// Exercise NN: what the program should do, and what is wrong with it now.
#include "check.hpp"

int main() {
  int count = 0;
  check(cuDeviceGetCount(&count));
}
