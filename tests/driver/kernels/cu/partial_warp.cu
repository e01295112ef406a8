// Warp functions of some lanes only, under a branch.
extern "C" __global__ void partial_warp(int* out) {
  const unsigned int odd = 0xaaaaaaaau;
  int sum = 0;
  if (threadIdx.x % 2 == 1) {
    sum = static_cast<int>(__ballot_sync(odd, threadIdx.x > 15));
    sum += __shfl_sync(odd, static_cast<int>(threadIdx.x), 31);
    __syncwarp(odd);
  } else {
    sum = -__shfl_xor_sync(~odd, static_cast<int>(threadIdx.x), 2);
  }
  out[threadIdx.x] = sum;
}
