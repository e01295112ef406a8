// SPDX-License-Identifier: MIT
// cuLaunchCooperativeKernelMultiDevice, of the manual's chapter "Execution Control [DEPRECATED]": one kernel
// in a stream of each of several devices, at the same time.
//
// Each context has a runner of its own, so the kernels run at once. The blocks of a device can wait for each
// other, as in any cooperative launch. Those of all devices cannot by multi_grid.sync(): the device runtime
// that it calls is not part of this driver, and CUDA 13 has it no more.
#include <algorithm>
#include <span>
#include <vector>

#include "core/call.hpp"
#include "core/launching.hpp"
#include "core/stream.hpp"

using namespace driver;

namespace {

Shape shape_of(const CUDA_LAUNCH_PARAMS& launch) {
  return {{launch.gridDimX, launch.gridDimY, launch.gridDimZ},
          {launch.blockDimX, launch.blockDimY, launch.blockDimZ},
          launch.sharedMemBytes};
}

bool same_shape(const CUDA_LAUNCH_PARAMS& one, const CUDA_LAUNCH_PARAMS& other) {
  const Shape a = shape_of(one), b = shape_of(other);
  return std::equal(a.grid, a.grid + 3, b.grid) && std::equal(a.block, a.block + 3, b.block) &&
         a.shared == b.shared;
}

// The streams are created by the program, and none is being captured: a graph has no node for such a launch.
// Measured: truth multi_device_launch, steps 31 to 33 and 52 to 55.
CUresult check_streams(std::span<const CUDA_LAUNCH_PARAMS> launches) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  for (const CUDA_LAUNCH_PARAMS& launch : launches) {
    if (is_default_stream(launch.hStream)) return CUDA_ERROR_INVALID_HANDLE;
    const Stream* const stream = Stream::find(launch.hStream);
    if (stream == nullptr) return no_stream(launch.hStream);
    if (stream->queue->capture != nullptr) return stream->queue->capture->forbid();
  }
  return CUDA_SUCCESS;
}

bool each_on_another_device(const std::vector<PreparedLaunch>& launches) {
  std::vector<int> devices;
  devices.reserve(launches.size());
  for (const PreparedLaunch& each : launches) devices.push_back(each.queue->home.device().ordinal());
  std::sort(devices.begin(), devices.end());
  return std::adjacent_find(devices.begin(), devices.end()) == devices.end();
}

// What each stream does from now on comes after what all have enqueued so far.
void bring_together(const std::vector<PreparedLaunch>& launches) {
  std::vector<CompletionPointer> moments;
  moments.reserve(launches.size());
  std::vector<PrecedingFrees> frees(launches.size());
  for (std::size_t i = 0; i < launches.size(); ++i) moments.push_back(launches[i].queue->moment(&frees[i]));
  for (std::size_t i = 0; i < launches.size(); ++i) {
    for (std::size_t other = 0; other < launches.size(); ++other) {
      if (other == i || moments[other] == nullptr) continue;
      launches[i].queue->come_after(moments[other]);
      launches[i].queue->come_after(frees[other]);
    }
  }
}

CUresult launch_together(std::vector<PreparedLaunch>& launches, unsigned flags) {
  if ((flags & CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC) == 0) bring_together(launches);
  for (PreparedLaunch& each : launches) {
    if (const CUresult error = post_launch(each, nullptr)) return error;
  }
  if ((flags & CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC) == 0) bring_together(launches);
  for (const PreparedLaunch& each : launches) {
    if (const CUresult error = after_launch(each.queue->home)) return error;
  }
  return CUDA_SUCCESS;
}

}  // namespace

// cuLaunchCooperativeKernelMultiDevice. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT,
// INVALID_HANDLE, INVALID_IMAGE, INVALID_VALUE, LAUNCH_FAILED, LAUNCH_OUT_OF_RESOURCES, LAUNCH_TIMEOUT,
// LAUNCH_INCOMPATIBLE_TEXTURING, COOPERATIVE_LAUNCH_TOO_LARGE, SHARED_OBJECT_INIT_FAILED.
// Measured: truth multi_device_launch, rest_multi_device; what waits for what, multi_device_before_0 to
// multi_device_after_3. The kernels may differ (step 26); which context is current does not matter.
CUresult CUDAAPI cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS* list, unsigned int count,
                                                      unsigned int flags) {
  if (const CUresult error = Driver::ready()) return error;
  constexpr unsigned kKnown = CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC |
                              CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC;
  if (list == nullptr || count == 0 || (flags & ~kKnown) != 0) return CUDA_ERROR_INVALID_VALUE;
  if (count > static_cast<unsigned>(Driver::get().device_count())) return CUDA_ERROR_INVALID_VALUE;
  const std::span<const CUDA_LAUNCH_PARAMS> launches(list, count);
  for (const CUDA_LAUNCH_PARAMS& each : launches) {
    if (!same_shape(each, launches.front())) return CUDA_ERROR_INVALID_VALUE;
  }
  if (const CUresult error = check_streams(launches)) return error;
  // All are checked before any is launched.
  std::vector<PreparedLaunch> prepared(count);
  for (unsigned i = 0; i < count; ++i) {
    const CUDA_LAUNCH_PARAMS& each = launches[i];
    if (const CUresult error =
            prepare_launch(each.function, shape_of(each), each.hStream, {each.kernelParams, nullptr},
                           Blocks::CooperativeOnSeveral, prepared[i]))
      return error;
  }
  if (!each_on_another_device(prepared)) return CUDA_ERROR_INVALID_DEVICE;
  return launch_together(prepared, flags);
}
