// Barriers that count and vote.
extern "C" __global__ void barrier_votes(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int count = __syncthreads_count(in[i] > 50);
  const int all = __syncthreads_and(in[i] >= 0);
  const int any = __syncthreads_or(in[i] == 77);
  out[3 * i] = count;
  out[3 * i + 1] = all;
  out[3 * i + 2] = any;
}
