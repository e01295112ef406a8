# SPDX-License-Identifier: MIT
"""CuPy: a raw kernel compiled by NVRTC, streams, events, memory pool, pinned memory, a graph."""

import cupy as cp
import numpy as np

kernel = cp.RawKernel(r"""
extern "C" __global__ void scale(float* x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= a;
}""", "scale")
n = 1000
x = cp.arange(n, dtype=cp.float32)
kernel(((n + 127) // 128,), (128,), (x, np.float32(3), np.int32(n)))
assert float(x[10]) == 30.0

stream = cp.cuda.Stream(non_blocking=True)
begin, end = cp.cuda.Event(), cp.cuda.Event()
with stream:
    begin.record()
    y = cp.sqrt(cp.full(n, 16, dtype=cp.float64))
    end.record()
end.synchronize()
assert float(y.sum()) == 4000.0 and cp.cuda.get_elapsed_time(begin, end) >= 0

pinned = cp.cuda.alloc_pinned_memory(4096)
host = np.frombuffer(pinned, np.float32, 1024)
host[:] = 5
z = cp.empty(1024, dtype=cp.float32)
z.set(host, stream=stream)
stream.synchronize()
assert float(z[7]) == 5.0

total = cp.zeros(256, dtype=cp.float32)
stream.begin_capture()
with stream:
    kernel((2,), (128,), (z, np.float32(2), np.int32(256)))
graph = stream.end_capture()
for _ in range(3):
    graph.launch(stream)
stream.synchronize()
assert float(z[7]) == 40.0

pool = cp.get_default_memory_pool()
del x, y, z, total
pool.free_all_blocks()
print("cupy_kernels: good")
