# SPDX-License-Identifier: MIT
"""Numba: kernels compiled here, its own context handling, shared memory, streams, a device function."""

import numpy as np

if not hasattr(np, "row_stack"):  # some versions of Numba look for it, and of NumPy have it no more
    np.row_stack = np.vstack
from numba import cuda, float32


@cuda.jit(device=True)
def square(value):
    return value * value


@cuda.jit
def block_sums(values, sums):
    shared = cuda.shared.array(64, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    shared[t] = square(values[i]) if i < values.size else 0
    cuda.syncthreads()
    step = 32
    while step > 0:
        if t < step:
            shared[t] += shared[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        sums[cuda.blockIdx.x] = shared[0]


values = np.ones(640, dtype=np.float32) * 2
stream = cuda.stream()
with cuda.pinned(values):
    on_device = cuda.to_device(values, stream=stream)
    sums = cuda.device_array(10, dtype=np.float32, stream=stream)
    block_sums[10, 64, stream](on_device, sums)
    host = sums.copy_to_host(stream=stream)
    stream.synchronize()
assert host.tolist() == [256.0] * 10
with cuda.gpus[0]:
    assert cuda.current_context().device.id == 0
    event = cuda.event()
    event.record()
    event.synchronize()
print("numba_kernels: good")
