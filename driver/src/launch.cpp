// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Execution Control" that launch.
//
// An error in a kernel is returned by the next call that waits, and by every call after it (truth
// sticky_illegal_address, sticky_trap).
#include <algorithm>
#include <vector>

#include "core/call.hpp"
#include "core/code.hpp"
#include "core/launching.hpp"
#include "core/log.hpp"
#include "core/per_thread_variants.hpp"
#include "core/stream.hpp"

using namespace driver;

namespace {

// An event that other work may wait for before the kernel is over. Here it happens with the kernel's end,
// which is allowed. Measured: it must not keep time (cluster_launches, steps 70 and 71).
CUresult read_event(CUevent handle, CUevent& event) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  const Event* const found = Event::find(handle);
  if (found == nullptr) return no_event(handle);
  if ((found->flags & CU_EVENT_DISABLE_TIMING) == 0) return CUDA_ERROR_NOT_SUPPORTED;
  event = handle;
  return CUDA_SUCCESS;
}

// A preferred size is one for which the driver may make clusters larger; here they never are. Without a size,
// or with one of which it is no multiple, it is refused.
bool is_multiple(const ClusterSize& preferred, const ClusterSize& cluster, const CUlaunchConfig& config) {
  if (preferred == ClusterSize{0, 0, 0}) return true;
  const unsigned grid[] = {config.gridDimX, config.gridDimY, config.gridDimZ};
  for (std::size_t axis = 0; axis < cluster.size(); ++axis)
    if (cluster[axis] == 0 || preferred[axis] == 0 || preferred[axis] % cluster[axis] != 0 ||
        grid[axis] % preferred[axis] != 0)
      return false;
  return true;
}

// The attributes of a launch that this driver follows, and the priority, which the node of a captured launch
// has (kernel_node_captured_attributes, step 9); others that the manual knows ask for what has no effect on a
// result (overlap, how clusters are placed). Measured: cluster_launches, steps 5 to 76.
CUresult read_attributes(const CUlaunchConfig& config, Blocks& blocks, Shape& shape,
                         std::vector<CUevent>& events) {
  ClusterSize& cluster = shape.cluster;
  ClusterSize preferred = {0, 0, 0};
  if (config.numAttrs != 0 && config.attrs == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const CUlaunchAttribute& attribute = config.attrs[i];
    switch (attribute.id) {
      case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        blocks = attribute.value.cooperative != 0 ? Blocks::Cooperative : Blocks::Independent;
        break;
      case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION: {
        const auto& said = attribute.value.clusterDim;
        cluster = {said.x, said.y, said.z};
        if (const auto zeros = std::count(cluster.begin(), cluster.end(), 0U); zeros != 0 && zeros != 3)
          return CUDA_ERROR_INVALID_CLUSTER_SIZE;
        break;
      }
      case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        shape.priority = attribute.value.priority;
        break;
      case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION: {
        const auto& said = attribute.value.preferredClusterDim;
        preferred = {said.x, said.y, said.z};
        break;
      }
      case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: {
        const int policy = attribute.value.clusterSchedulingPolicyPreference;
        if (policy < CU_CLUSTER_SCHEDULING_POLICY_DEFAULT ||
            policy > CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING)
          return CUDA_ERROR_INVALID_VALUE;
        break;
      }
      case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        if (attribute.value.sharedMemCarveout > 100) return CUDA_ERROR_INVALID_VALUE;
        break;
      case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
        if (const CUresult error = read_event(attribute.value.programmaticEvent.event, events.emplace_back()))
          return error;
        break;
      case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
        if (const CUresult error =
                read_event(attribute.value.launchCompletionEvent.event, events.emplace_back()))
          return error;
        break;
      case CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING:
        break;
      case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        return CUDA_ERROR_INVALID_VALUE;
      case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
        return CUDA_ERROR_NOT_SUPPORTED;
      default:
        if (attribute.id < 0 || attribute.id > CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
          return CUDA_ERROR_INVALID_VALUE;
    }
  }
  return is_multiple(preferred, cluster, config) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CLUSTER_SIZE;
}

CUresult launch_by(const CUlaunchConfig* config, CUstream stream, CUfunction handle,
                   const Arguments& arguments) {
  if (const CUresult error = Driver::ready()) return error;
  if (config == nullptr) return refuse(CUDA_ERROR_INVALID_VALUE, "launchConfig is NULL");
  Blocks blocks = Blocks::Independent;
  Shape shape{{config->gridDimX, config->gridDimY, config->gridDimZ},
              {config->blockDimX, config->blockDimY, config->blockDimZ},
              config->sharedMemBytes};
  std::vector<CUevent> events;
  if (const CUresult error = read_attributes(*config, blocks, shape, events)) return error;
  if (const CUresult error = launch(handle, shape, stream, arguments, blocks)) return error;
  for (const CUevent event : events) {
    if (const CUresult error = cuEventRecord(event, stream)) return error;
  }
  return CUDA_SUCCESS;
}

}  // namespace

// cuLaunchKernel. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE, INVALID_IMAGE,
// INVALID_VALUE, LAUNCH_FAILED, LAUNCH_OUT_OF_RESOURCES, LAUNCH_TIMEOUT, LAUNCH_INCOMPATIBLE_TEXTURING,
// SHARED_OBJECT_INIT_FAILED, NOT_FOUND.
ON_STREAM(cuLaunchKernel,
          (CUfunction f, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,
           unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, CUstream stream,
           void** parameters, void** extra),
          launch(f, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes}, stream,
                 {parameters, extra}))

// cuLaunchCooperativeKernel. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE,
// INVALID_IMAGE, INVALID_VALUE, LAUNCH_FAILED, LAUNCH_OUT_OF_RESOURCES, LAUNCH_TIMEOUT,
// LAUNCH_INCOMPATIBLE_TEXTURING, COOPERATIVE_LAUNCH_TOO_LARGE, SHARED_OBJECT_INIT_FAILED, NOT_FOUND.
// Measured: cooperative, step 1 (more blocks than fit at once) is 720.
ON_STREAM(cuLaunchCooperativeKernel,
          (CUfunction f, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,
           unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, CUstream stream,
           void** parameters),
          launch(f, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes}, stream,
                 {parameters, nullptr}, Blocks::Cooperative))

// cuLaunchKernelEx. Errors: as cuLaunchKernel's, and COOPERATIVE_LAUNCH_TOO_LARGE.
CUresult CUDAAPI cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void** parameters,
                                  void** extra) {
  return launch_by(config, config != nullptr ? config->hStream : nullptr, f, {parameters, extra});
}

CUresult CUDAAPI cuLaunchKernelEx_ptsz(const CUlaunchConfig* config, CUfunction f, void** parameters,
                                       void** extra) {
  return launch_by(config, or_per_thread(config != nullptr ? config->hStream : nullptr), f,
                   {parameters, extra});
}
