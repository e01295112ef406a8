// Variables of the module: scalars, arrays, initial values, a pointer to another one.
__device__ int counter = 5;
__device__ float weights[4] = {0.5f, 1.5f, 2.5f};
__device__ float* chosen = weights + 1;
__device__ const char* message = "hello";
extern "C" __global__ void globals(float* out) {
  if (threadIdx.x == 0) out[0] = static_cast<float>(atomicAdd(&counter, 10));
  if (threadIdx.x == 1) out[1] = chosen[1];
  if (threadIdx.x == 2) out[2] = weights[3];
  if (threadIdx.x == 3) out[3] = message[4];
}
