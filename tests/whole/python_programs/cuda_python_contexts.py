# SPDX-License-Identifier: MIT
"""cuda-python (cuda.bindings): contexts pushed and popped, NVRTC, a module, a launch, streams, a graph, errors."""

import ctypes

from cuda.bindings import driver, nvrtc


def check(result, *values):
    error, *rest = result if isinstance(result, tuple) else (result,)
    assert int(error) == 0, error
    return rest[0] if len(rest) == 1 else rest


check(driver.cuInit(0))
device = check(driver.cuDeviceGet(0))
primary = check(driver.cuDevicePrimaryCtxRetain(device))
try:  # CUDA 13's has a first parameter more
    own = check(driver.cuCtxCreate(None, 0, device))
except TypeError:
    own = check(driver.cuCtxCreate(0, device))
check(driver.cuCtxPushCurrent(primary))
assert int(check(driver.cuCtxGetCurrent())) == int(primary)
check(driver.cuCtxPopCurrent())
assert int(check(driver.cuCtxGetCurrent())) == int(own)

source = b'extern "C" __global__ void add(int* x, int n) { int i = threadIdx.x; if (i < n) x[i] += i; }'
program = check(nvrtc.nvrtcCreateProgram(source, b"add.cu", 0, [], []))
major = check(driver.cuDeviceGetAttribute(driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device))
minor = check(driver.cuDeviceGetAttribute(driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device))
options = [f"--gpu-architecture=compute_{major}{minor}".encode()]
check(nvrtc.nvrtcCompileProgram(program, len(options), options))
ptx = b" " * check(nvrtc.nvrtcGetPTXSize(program))
check(nvrtc.nvrtcGetPTX(program, ptx))
module = check(driver.cuModuleLoadData(ptx))
function = check(driver.cuModuleGetFunction(module, b"add"))

n = 32
memory = check(driver.cuMemAlloc(n * 4))
stream = check(driver.cuStreamCreate(driver.CUstream_flags.CU_STREAM_NON_BLOCKING))
check(driver.cuMemsetD32Async(memory, 7, n, stream))
arguments = ((memory, n), (None, ctypes.c_int))
check(driver.cuLaunchKernel(function, 1, 1, 1, n, 1, 1, 0, stream, arguments, 0))
host = (ctypes.c_int * n)()
check(driver.cuMemcpyDtoHAsync(ctypes.addressof(host), memory, n * 4, stream))
check(driver.cuStreamSynchronize(stream))
assert list(host) == [7 + i for i in range(n)]

check(driver.cuStreamBeginCapture(stream, driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL))
check(driver.cuLaunchKernel(function, 1, 1, 1, n, 1, 1, 0, stream, arguments, 0))
graph = check(driver.cuStreamEndCapture(stream))
executable = check(driver.cuGraphInstantiate(graph, 0))
check(driver.cuGraphLaunch(executable, stream))
check(driver.cuStreamSynchronize(stream))
check(driver.cuGraphExecDestroy(executable))
check(driver.cuGraphDestroy(graph))

assert int(driver.cuMemFree(int(memory) + 8)[0]) == 1  # refused, and traced as refused
check(driver.cuMemFree(memory))
check(driver.cuStreamDestroy(stream))
check(driver.cuModuleUnload(module))
check(driver.cuCtxDestroy(own))
check(driver.cuDevicePrimaryCtxRelease(device))
print("cuda_python_contexts: good")
