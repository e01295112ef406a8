// A __managed__ and a __device__ variable, and a kernel that adds 1 to both.
__managed__ int managed_count = 7;
__device__ int device_count = 5;

extern "C" __global__ void bump() {
  managed_count += 1;
  device_count += 1;
}
