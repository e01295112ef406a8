// Each thread takes a number that nobody else has, by what an atomic returns.
extern "C" __global__ void ticket(int* next, int* taken) {
  taken[atomicAdd(next, 1)] = blockIdx.x * blockDim.x + threadIdx.x;
}
