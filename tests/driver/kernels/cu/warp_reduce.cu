// The reductions that are one instruction.
extern "C" __global__ void warp_reduce(const int* in, int* out) {
  const int value = in[threadIdx.x];
  const unsigned int bits = static_cast<unsigned int>(value);
  int* row = out + 9 * threadIdx.x;
  row[0] = __reduce_add_sync(0xffffffffu, value);
  row[1] = __reduce_min_sync(0xffffffffu, value);
  row[2] = __reduce_max_sync(0xffffffffu, value);
  row[3] = static_cast<int>(__reduce_and_sync(0xffffffffu, bits));
  row[4] = static_cast<int>(__reduce_or_sync(0xffffffffu, bits));
  row[5] = static_cast<int>(__reduce_xor_sync(0xffffffffu, bits));
  row[6] = static_cast<int>(__reduce_add_sync(0xffffffffu, bits));
  row[7] = static_cast<int>(__reduce_min_sync(0xffffffffu, bits));
  row[8] = static_cast<int>(__reduce_max_sync(0xffffffffu, bits));
}
