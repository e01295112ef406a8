// The kernels of bench_kernels, as a textbook writes them.
constexpr int tile = 16;

extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float as[tile][tile];
  __shared__ float bs[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y;
  const int column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n / tile; ++t) {
    as[threadIdx.y][threadIdx.x] = a[row * n + t * tile + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(t * tile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

extern "C" __global__ void reduce(const float* in, float* out, int n) {
  __shared__ float part[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

extern "C" __global__ void reduce_warp(const float* in, float* out, int n) {
  __shared__ float part[8];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? in[i] : 0;
  for (int down = 16; down > 0; down /= 2) sum += __shfl_down_sync(0xffffffff, sum, down);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
  for (int down = 4; down > 0; down /= 2) sum += __shfl_down_sync(0xffffffff, sum, down);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
