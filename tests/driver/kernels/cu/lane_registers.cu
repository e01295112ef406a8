// Lane and warp number by PTX's registers, which CUDA C++ has no name for.
extern "C" __global__ void lane_registers(unsigned int* lanes, unsigned int* masks) {
  unsigned int lane, below;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  lanes[i] = lane;
  masks[i] = below;
}
