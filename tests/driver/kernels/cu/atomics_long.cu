// Atomic functions of 64 bits.
extern "C" __global__ void atomics_long(unsigned long long* words) {
  const unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&words[0], i << 32 | 1);
  atomicMin(&words[1], ~i);
  atomicMax(&words[2], i << 40);
  atomicAnd(&words[3], ~(1ull << (i % 64)));
  atomicOr(&words[4], 1ull << (i % 64));
  atomicXor(&words[5], i << 33);
  atomicExch(&words[6], 1ull << 60);
  atomicCAS(&words[7], 0ull, 1ull << 50);
  atomicMin(reinterpret_cast<long long*>(&words[8]), -static_cast<long long>(i));
}
