// SPDX-License-Identifier: MIT
// What a .cu file has without an #include, on the host and in kernels (mathematics, <stdlib.h>, <string.h>,
// <limits.h>, <time.h>), and min and max of all types. nvcc does not bring printf along.
#include <cstdio>

template <class T, class U>
__host__ __device__ double pair(T a, U b) {
  return static_cast<double>(min(a, b)) * 1000 + static_cast<double>(max(a, b));
}
template <class T>
__host__ __device__ double one(T a, T b) {
  return pair(a, b);
}
__host__ __device__ void all(double* out) {
  int i = 0;
  out[i++] = one<short>(3, 4);
  out[i++] = one<int>(-3, 4);
  out[i++] = one<unsigned>(3, 4);
  out[i++] = one<long>(-3, 4);
  out[i++] = one<unsigned long>(3, 4);
  out[i++] = one<long long>(-3, 4);
  out[i++] = one<unsigned long long>(3, 4);
  out[i++] = one<float>(-3, 4);
  out[i++] = one<double>(-3, 4);
  out[i++] = pair(5, 6u);
  out[i++] = pair(5u, 6);
  out[i++] = pair(5L, 6UL);
  out[i++] = pair(5UL, 6L);
  out[i++] = pair(5LL, 6ULL);
  out[i++] = pair(5ULL, 6LL);
  out[i++] = pair(5.5f, 6.0);
  out[i++] = pair(5.5, 6.0f);
  out[i++] = fabs(-1.5f) + sqrt(4.0) + pow(2.0f, 3.0f) + floor(2.5) + abs(-3) + INT_MAX;
}
__global__ void kernel(double* out) {
  all(out);
}
int main() {
  double *there, back[18], here[18];
  cudaMalloc(&there, sizeof back);
  kernel<<<1, 1>>>(there);
  memset(back, 0, sizeof back);
  cudaMemcpy(back, there, sizeof back, cudaMemcpyDeviceToHost);
  all(here);
  for (int i = 0; i < 18; ++i) printf("%.1f %.1f\n", here[i], back[i]);
  char* text = static_cast<char*>(malloc(4));
  strcpy(text, "abc");
  printf("%s %d %d %d\n", text, strlen(text) == 3, UINT_MAX > 0 && clock() >= 0, time(nullptr) > 0);
  free(text);
  return EXIT_SUCCESS;
}
