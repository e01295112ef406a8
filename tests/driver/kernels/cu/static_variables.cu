// Variables that only the host writes or reads, static ones: each is there under its plain name.
static __constant__ int factors[4];
static __constant__ int offsets[2] = {100, 200};
static __device__ int added[4];
static __device__ int written;
static __device__ int unused[3];
static __constant__ int never_read[5] = {1};
extern "C" __global__ void static_variables(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  out[i] = factors[i] * added[i] + offsets[i % 2];
  if (i == 0) written = 7;
}
