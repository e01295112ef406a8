// Who in the warp has the same value.
extern "C" __global__ void match(const int* in, unsigned int* any, unsigned int* all, int* same) {
  any[threadIdx.x] = __match_any_sync(0xffffffffu, in[threadIdx.x]);
  int every;
  all[threadIdx.x] = __match_all_sync(0xffffffffu, in[threadIdx.x] / 1000, &every);
  same[threadIdx.x] = every;
}
extern "C" __global__ void match_wide(const long long* in, unsigned int* any) {
  any[threadIdx.x] = __match_any_sync(0xffffffffu, in[threadIdx.x]);
}
