// A variable that both sides read and write by one address.
__managed__ int shared_by_both = 7;
__managed__ double pair_of_both[2];
extern "C" __global__ void managed() {
  atomicAdd(&shared_by_both, static_cast<int>(threadIdx.x));
  if (threadIdx.x < 2) pair_of_both[threadIdx.x] = 0.5 + threadIdx.x;
}
