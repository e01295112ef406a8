// Every atomic function of int and unsigned int, each on a word of its own.
extern "C" __global__ void atomics_int(int* words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&words[0], i);
  atomicSub(&words[1], i);
  atomicMin(&words[2], 7 - i);
  atomicMax(&words[3], i - 7);
  atomicAnd(&words[4], ~(1 << (i % 31)));
  atomicOr(&words[5], 1 << (i % 31));
  atomicXor(&words[6], i);
  atomicExch(&words[7], 99);
  atomicCAS(&words[8], 0, 5);
}
extern "C" __global__ void atomics_unsigned(unsigned int* words) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&words[0], 0x80000001u);
  atomicSub(&words[1], i);
  atomicMin(&words[2], 4000000000u + i);
  atomicMax(&words[3], 4000000000u + i);
  atomicInc(&words[4], 6);
  atomicDec(&words[5], 6);
  atomicExch(&words[6], 1u);
}
