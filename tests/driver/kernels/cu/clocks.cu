// Clocks go forward, sleeping takes time.
extern "C" __global__ void clocks(int* out) {
  const long long before = clock64();
  const int short_before = clock();
  __nanosleep(1000);
  const long long after = clock64();
  out[threadIdx.x] = after > before && clock() != short_before ? 1 : 0;
}
