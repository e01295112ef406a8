// All, any, ballot; and a ballot that packs what passes, in order.
extern "C" __global__ void vote(const int* in, int* out) {
  const int p = in[threadIdx.x];
  const int all = __all_sync(0xffffffffu, p > 0), any = __any_sync(0xffffffffu, p > 90);
  const unsigned int ballot = __ballot_sync(0xffffffffu, p % 2);
  out[3 * threadIdx.x] = all;
  out[3 * threadIdx.x + 1] = any;
  out[3 * threadIdx.x + 2] = static_cast<int>(ballot);
}
extern "C" __global__ void pack_passing(const int* in, int* out, int* count) {
  const int value = in[threadIdx.x];
  const unsigned int passing = __ballot_sync(0xffffffffu, value % 3 == 0);
  const unsigned int below = passing & ((1u << threadIdx.x) - 1);
  if (value % 3 == 0) out[__popc(below)] = value;
  if (threadIdx.x == 0) *count = __popc(passing);
}
