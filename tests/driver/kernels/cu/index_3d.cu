// All twelve index registers in one number.
extern "C" __global__ void index_3d(unsigned int* out) {
  const unsigned int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] =
      ((threadIdx.x * 7 + threadIdx.y) * 7 + threadIdx.z) * 1000 + (blockIdx.x * 7 + blockIdx.y) * 7 + blockIdx.z;
}
