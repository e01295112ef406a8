// A dense switch with falling through, loops with break and continue, goto.
extern "C" __global__ void control_flow(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int value = in[i], result = 0;
  switch (value % 11) {
    case 0: result = 5; break;
    case 1: result = value * 3; break;
    case 2: result -= 4;  // and on
    case 3: result += value; break;
    case 4: result = value ^ 0x55; break;
    case 5: result = -value; break;
    case 6: result = value / 3; break;
    case 7: result = value % 7; break;
    case 8: result = value << 2; break;
    case 9: result = ~value; break;
    default: result = 1;
  }
  for (int k = 0;; ++k) {
    if (k % 2 == 1) continue;
    if (k > value % 20) break;
    result += k;
  }
  int steps = 0;
again:
  if (value > 1 && steps < 60) {
    value = value % 2 == 0 ? value / 2 : 3 * value + 1;
    ++steps;
    goto again;
  }
  out[i] = result * 100 + steps;
}
