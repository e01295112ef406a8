// A warp that is not full, and the lanes that are active in it.
extern "C" __global__ void active_mask(unsigned int* out) {
  const unsigned int mask = __activemask();
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = mask;
}
