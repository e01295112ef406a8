// The library's code in lesson 16: a kernel that counts in a variable of its module how often it was called.
__device__ int calls = 0;

extern "C" __global__ void count_call() {
  calls += 1;
}
