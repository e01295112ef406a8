// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Graph Management": attributes of kernel nodes. Errors of all:
// DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE. All of it is measured (truth kernel_node_attributes).
//
// A node keeps what a launch would be given; here, only whether it is cooperative and its clusters have an
// effect.
#include "core/cluster.hpp"
#include "core/graph_call.hpp"
#include "core/graph_node.hpp"

using namespace driver;

namespace {

template <typename Call>
KernelWork* kernel_of(const Call& call, CUgraphNode handle) {
  Node* const node = call.graphs.node(handle);
  return node != nullptr ? std::get_if<KernelWork>(&node->work) : nullptr;
}

CUresult get(const KernelWork& kernel, CUkernelNodeAttrID attribute, CUkernelNodeAttrValue& value) {
  const KernelAttributes& kept = kernel.attributes;
  switch (attribute) {
    case CU_KERNEL_NODE_ATTRIBUTE_ACCESS_POLICY_WINDOW:
      value.accessPolicyWindow = kept.window;
      return CUDA_SUCCESS;
    case CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE:
      value.cooperative = kernel.launch.cooperative ? 1 : 0;
      return CUDA_SUCCESS;
    case CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION:
      value.clusterDim = {kept.cluster[0], kept.cluster[1], kept.cluster[2]};
      return CUDA_SUCCESS;
    case CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      value.clusterSchedulingPolicyPreference = kept.policy;
      return CUDA_SUCCESS;
    case CU_KERNEL_NODE_ATTRIBUTE_PRIORITY:
      value.priority = kept.priority;
      return CUDA_SUCCESS;
    case CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
      value.memSyncDomainMap = kept.domain_map;
      return CUDA_SUCCESS;
    case CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN:
      value.memSyncDomain = kept.domain;
      return CUDA_SUCCESS;
    case CU_KERNEL_NODE_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
      value.deviceUpdatableKernelNode.deviceUpdatable = 0;
      value.deviceUpdatableKernelNode.devNode = nullptr;
      return CUDA_SUCCESS;
    case CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      value.sharedMemCarveout = kept.carveout;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult set_cluster(KernelWork& kernel, const ClusterSize& wish) {
  const Function* const function = Code::get().function(find_function(kernel.launch));
  if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return cluster_of_launch(*function, wish, kernel.launch.grid, kernel.launch.cluster,
                           kernel.launch.explicit_cluster);
}

CUresult set(KernelWork& kernel, CUkernelNodeAttrID attribute, const CUkernelNodeAttrValue& value) {
  KernelAttributes& kept = kernel.attributes;
  switch (attribute) {
    case CU_KERNEL_NODE_ATTRIBUTE_ACCESS_POLICY_WINDOW:
      kept.window = value.accessPolicyWindow;
      return CUDA_SUCCESS;
    case CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE:
      kernel.launch.cooperative = value.cooperative != 0;
      return CUDA_SUCCESS;
    case CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION: {
      const auto& cluster = value.clusterDim;
      const CUresult error = set_cluster(kernel, {cluster.x, cluster.y, cluster.z});
      if (error) return error;
      kept.cluster[0] = cluster.x;
      kept.cluster[1] = cluster.y;
      kept.cluster[2] = cluster.z;
      return CUDA_SUCCESS;
    }
    case CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      kept.policy = value.clusterSchedulingPolicyPreference;
      return CUDA_SUCCESS;
    case CU_KERNEL_NODE_ATTRIBUTE_PRIORITY:
      kept.priority = value.priority;
      return CUDA_SUCCESS;
    case CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
      kept.domain_map = value.memSyncDomainMap;
      return CUDA_SUCCESS;
    case CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN:
      kept.domain = value.memSyncDomain;
      return CUDA_SUCCESS;
    // Kernels that change nodes are not supported here.
    case CU_KERNEL_NODE_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
      return value.deviceUpdatableKernelNode.deviceUpdatable == 0 ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED;
    case CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      kept.carveout = value.sharedMemCarveout;
      return CUDA_SUCCESS;
    // It can be set, but not asked for.
    case CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING:
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace

// cuGraphKernelNodeGetAttribute. A null value, which crashes the real driver, gives 1.
CUresult CUDAAPI cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                               CUkernelNodeAttrValue* value) {
  const OnGraphs call;
  if (call.error) return call.error;
  const KernelWork* const kernel = kernel_of(call, node);
  return kernel != nullptr && value != nullptr ? get(*kernel, attribute, *value) : CUDA_ERROR_INVALID_VALUE;
}

// cuGraphKernelNodeSetAttribute.
CUresult CUDAAPI cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                               const CUkernelNodeAttrValue* value) {
  const ChangingGraphs call;
  if (call.error) return call.error;
  KernelWork* const kernel = kernel_of(call, node);
  return kernel != nullptr && value != nullptr ? set(*kernel, attribute, *value) : CUDA_ERROR_INVALID_VALUE;
}

// cuGraphKernelNodeCopyAttributes.
CUresult CUDAAPI cuGraphKernelNodeCopyAttributes(CUgraphNode to_handle, CUgraphNode from_handle) {
  const ChangingGraphs call;
  if (call.error) return call.error;
  KernelWork* const to = kernel_of(call, to_handle);
  const KernelWork* const from = kernel_of(call, from_handle);
  if (to == nullptr || from == nullptr) return CUDA_ERROR_INVALID_VALUE;
  to->attributes = from->attributes;
  to->launch.cooperative = from->launch.cooperative;
  to->launch.cluster = from->launch.cluster;
  to->launch.explicit_cluster = from->launch.explicit_cluster;
  return CUDA_SUCCESS;
}
