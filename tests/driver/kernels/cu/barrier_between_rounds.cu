// A loop of rounds in which everybody reads what everybody wrote.
extern "C" __global__ void barrier_between_rounds(int* out, int rounds) {
  extern __shared__ int ring[];
  ring[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    const int next = ring[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    ring[threadIdx.x] = next + 1;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = ring[threadIdx.x];
}
