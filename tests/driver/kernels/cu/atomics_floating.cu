// Atomic addition of float and double, and a maximum of floats that a loop of CAS builds.
extern "C" __global__ void atomics_floating(float* single, double* twice) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(single, 0.25f * i);
  atomicAdd(twice, 0.125 * i);
}
extern "C" __global__ void atomic_max_by_cas(const float* in, float* most, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int* word = reinterpret_cast<int*>(most);
  int seen = *word;
  while (__int_as_float(seen) < in[i]) {
    const int before = atomicCAS(word, seen, __float_as_int(in[i]));
    if (before == seen) break;
    seen = before;
  }
}
