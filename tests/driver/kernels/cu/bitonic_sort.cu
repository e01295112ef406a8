// A block sorts in shared memory: barriers in two nested loops.
extern "C" __global__ void bitonic_sort(int* data) {
  extern __shared__ int values[];
  values[threadIdx.x] = data[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (unsigned int size = 2; size <= blockDim.x; size *= 2)
    for (unsigned int step = size / 2; step > 0; step /= 2) {
      const unsigned int other = threadIdx.x ^ step;
      if (other > threadIdx.x) {
        const bool up = (threadIdx.x & size) == 0;
        const int a = values[threadIdx.x], b = values[other];
        if ((a > b) == up) {
          values[threadIdx.x] = b;
          values[other] = a;
        }
      }
      __syncthreads();
    }
  data[blockIdx.x * blockDim.x + threadIdx.x] = values[threadIdx.x];
}
