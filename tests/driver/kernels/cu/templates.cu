// Types and numbers as parameters; one body, several kernels.
template <class T>
struct Limits;
template <>
struct Limits<int> {
  static constexpr int start = -1000000;
};
template <>
struct Limits<double> {
  static constexpr double start = -1e30;
};
template <class T, int Count>
__device__ T largest(const T* values) {
  T most = Limits<T>::start;
#pragma unroll
  for (int i = 0; i < Count; ++i) most = values[i] > most ? values[i] : most;
  return most;
}
template <class... T>
__device__ int sum_of(T... values) {
  return (0 + ... + values);
}
extern "C" __global__ void templates(const int* in, const double* real, int* out, double* out_real) {
  const int i = static_cast<int>(threadIdx.x);
  out[i] = largest<int, 5>(in + i) + sum_of(1, i, 2u, 'a');
  out_real[i] = largest<double, 3>(real + i);
}
