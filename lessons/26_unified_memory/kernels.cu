// Adds 1 to a number in memory.
extern "C" __global__ void add_one(int* number) {
  *number += 1;
}
