// One block passes data to another by a flag, fences and volatile.
extern "C" __global__ void flags(int* data, int* flag, int* out) {
  volatile int* seen = flag;
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 100 + static_cast<int>(threadIdx.x);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(flag, 1);
  } else {
    if (threadIdx.x == 0)
      while (*seen == 0) {
      }
    __syncthreads();
    __threadfence();
    out[threadIdx.x] = static_cast<volatile int*>(data)[blockDim.x - 1 - threadIdx.x];
  }
}
