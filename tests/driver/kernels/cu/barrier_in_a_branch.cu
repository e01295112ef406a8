// Half of the block leaves; the other half computes on through shared memory by named barrier.
extern "C" __global__ void barrier_in_a_branch(int* out) {
  __shared__ int values[64];
  if (threadIdx.x < 64) {
    values[threadIdx.x] = static_cast<int>(threadIdx.x * threadIdx.x);
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = values[63 - threadIdx.x];
  } else {
    out[threadIdx.x] = -1;
  }
}
