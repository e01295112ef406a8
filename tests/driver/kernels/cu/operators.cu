// A class of one's own with constructors, operators and a destructor that has an effect.
struct Complex {
  float re, im;
  __device__ Complex(float re, float im) : re(re), im(im) {}
  __device__ Complex operator*(const Complex& o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
  __device__ Complex operator+(const Complex& o) const { return {re + o.re, im + o.im}; }
  __device__ float norm() const { return re * re + im * im; }
};
struct Count {
  int* where;
  __device__ ~Count() { atomicAdd(where, 1); }
};
extern "C" __global__ void mandelbrot(int* out, int width, int height, int* leaving) {
  const Count count{leaving};
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const Complex c(-2 + 0.125f * x, -1 + 0.125f * y);
  Complex z(0, 0);
  int steps = 0;
  while (steps < 50 && z.norm() < 4) {
    z = z * z + c;
    ++steps;
  }
  out[y * width + x] = steps;
}
