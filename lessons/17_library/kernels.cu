// The library's code in lesson 17, the same as in lesson 16: a kernel that counts its calls.
__device__ int calls = 0;

extern "C" __global__ void count_call() {
  calls += 1;
}
