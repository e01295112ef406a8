// SPDX-License-Identifier: MIT
// Halves and bfloats made of any number, on the host too; bytes and halves of a word at once; mathematics
// that <cmath> lacks, on the host and in kernels; a constexpr function that calls log.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <surface_types.h>
#include <texture_types.h>
#include <cmath>
#include <cstdio>
struct S {
  __half h;
  __nv_bfloat16 b;
};
constexpr __host__ __device__ double bits_of(double x) {
  return ::log(x) / ::log(2.0);
}
__host__ __device__ void halves(float* out) {
  __half h = 1.5f;
  h = 2.25f;
  __half i = 3;
  __half d = 0.1;
  d = short(3);
  __nv_bfloat16 b = 1.5f;
  b = 0.1;
  b = 3;
  b = 7u;
  b = 9LL;
  out[0] = h;
  out[1] = float(i);
  out[2] = d;
  out[3] = b;
  out[4] = __half2float(h + i);
  out[5] = float(b * b);
  out[6] = __bfloat162float(__float2bfloat16(0.3f));
  h += 1.0f;
  out[7] = h;
  out[8] = h > i;
  out[9] = static_cast<int>(h);
}
__global__ void k(float* f, unsigned* u, unsigned a, unsigned b) {
  halves(f);
  f[10] = __bfloat162int_rz(__float2bfloat16(3.7f));
  f[11] = __int2bfloat16_rn(300);
  f[12] = __bfloat162float(__double2bfloat16(0.3));
  f[13] = __low2float(__floats2bfloat162_rn(1, 2));
  f[14] = __bfloat162float(__ull2bfloat16_rn(0x8080000000000001ull));
  f[15] = __bfloat162float(__ll2bfloat16_rn(-0x101000000000001ll));
  f[16] = __bfloat162uint_ru(__float2bfloat16_rz(2.01f));
  f[17] = __hlt(__half(1.0f), __half(2.0f));
  float s, c;
  sincos(f[18], &s, &c);
  f[18] = s;
  f[19] = c;
  f[20] = sinpi(0.25f);
  sincospi(0.25f, &s, &c);
  f[21] = c;
  f[22] = bits_of(8);
  f[23] = norm3d(1.0, 2.0, 2.0);
  u[0] = __vmins2(a, b);
  u[1] = __vadd2(a, b);
  u[2] = __vsub4(a, b);
  u[3] = __vmaxs2(a, b);
  u[4] = __vcmpgts4(a, b);
  u[5] = __vsetltu2(a, b);
  u[6] = __vavgu4(a, b);
  u[7] = __vaddss2(a, b);
  u[8] = __vsetges4(a, b);
  u[9] = __vmaxu4(a, b);
  u[10] = __vnegss2(a);
  u[11] = __vneg4(b);
  u[12] = __viaddmax_s32(1, 2, 3);
  u[13] = __vimax3_s32(1, 5, 3);
  bool p, q;
  u[14] = __vibmax_s32(1, 2, &p) + p;
  u[15] = __vibmin_s16x2(a, b, &p, &q) + p * 2 + q;
  u[16] = __viaddmax_s16x2_relu(a, b, 77);
  u[17] = __vavgs4(a, b);
  u[18] = __vavgs2(a, b);
  u[19] = __vsubus4(a, b);
  u[20] = __vhaddu4(a, b);
  u[21] = __viaddmin_u16x2(a, b, 0x10001000u);
}

int main() {
  float f[10], *there;
  halves(f);
  for (float x : f) printf("%g ", x);
  float s, c;
  double sd, cd;
  sincos(1.0f, &s, &c);
  sincospi(0.25, &sd, &cd);
  printf("%.6g %.6g %.6g %.6g %.6g\n", s, c, sd, cd, bits_of(8.0));
  printf("%g %g %g %g %g %g\n", rsqrt(4.0), rsqrtf(4.0f), sinpi(0.5), cospi(1.0f), sinpi(-1.0), rcbrt(8.0));
  unsigned* words;
  cudaMallocManaged(&there, 24 * sizeof(float));
  cudaMallocManaged(&words, 22 * sizeof(unsigned));
  there[18] = 1;
  const unsigned pairs[][2] = {
      {0x12ff80f0, 0x7f018005}, {0x80008000, 0x7fff8000}, {0x01020304, 0xfffefdfc}, {0x80ff7f00, 0x80807f01}};
  for (const auto& pair : pairs) {
    there[18] = 1;
    k<<<1, 1>>>(there, words, pair[0], pair[1]);
    cudaError_t e = cudaGetLastError();
    printf("%s", cudaGetErrorName(e ? e : cudaDeviceSynchronize()));
    for (int i = 0; i < 22; ++i) printf(" %x", words[i]);
    printf("\n");
  }
  for (int i = 0; i < 24; ++i) printf("%.6g ", there[i]);
  printf("\n");
}
