// printf with all kinds of arguments, by one thread.
#ifndef __CUDACC_RTC__
#include <cstdio>
#endif
extern "C" __global__ void print(int number, double real, const char* word) {
  if (threadIdx.x == 0) printf("%d|%5.2f|%s|%c|%x|%lld|%%|%-4u|\n", number, real, "word", 'z', 255, 1234567890123ll, 7u);
  if (threadIdx.x == 1 && word == nullptr) printf("no arguments\n");
}
