// report and report_struct store the arguments that they have received; an exercise launches paint.
extern "C" __global__ void report(float* out, int i, float4 v, char c, float f, float2 w) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  out[0] = i;
  out[1] = v.x, out[2] = v.y, out[3] = v.z, out[4] = v.w;
  out[5] = c;
  out[6] = f;
  out[7] = w.x, out[8] = w.y;
  out[9] = gridDim.x, out[10] = blockDim.x;
}

struct Mixed {
  float f;
  float4 v;  // at offset 16: float4 is aligned to 16 bytes
};

extern "C" __global__ void report_struct(float* out, Mixed mixed) {
  out[0] = mixed.f;
  out[1] = mixed.v.x, out[2] = mixed.v.y, out[3] = mixed.v.z, out[4] = mixed.v.w;
}

// Each thread counts itself, and adds to its element of the image a number that tells where the element is.
extern "C" __global__ void paint(int* image, int width, int height, int* threads) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  atomicAdd(threads, 1);
  if (x < width && y < height) atomicAdd(&image[y * width + x], 1000 * y + x + 1);
}
