// The kernels of lesson 10, compiled to kernels.ptx in the folder of the program. Two are declared extern "C"
// and keep their names; the name of the third is changed by the compiler.
__device__ int launches = 5;
__constant__ float factor = 2.0F;

extern "C" __global__ void scale(float* values, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i == 0) atomicAdd(&launches, 1);
  if (i < count) values[i] *= factor;
}

extern "C" __global__ void fill(float* values, float value, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] = value;
}

// In PTX: _Z5shiftPffi, that is shift(float*, float, int).
__global__ void shift(float* values, float by, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] += by;
}
