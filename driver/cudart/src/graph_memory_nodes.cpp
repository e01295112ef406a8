// Nodes of graphs that copy, fill, allocate and free.
//
// The driver wants to know the context of a copy or fill; it is the current one. Shapes are those of
// shapes.hpp.
#include "shapes.hpp"

using namespace cudart;

namespace {

CUresult current(CUcontext& context) {
  return cuCtxGetCurrent(&context);
}

// One row, as a volume that is one high and one deep.
CUresult row_of(void* to, const void* from, size_t size, cudaMemcpyKind kind, CUDA_MEMCPY3D& shape) {
  const cudaMemcpy3DParms row = {
      .srcArray = nullptr,
      .srcPos = {},
      .srcPtr = {.ptr = const_cast<void*>(from), .pitch = size, .xsize = size, .ysize = 1},
      .dstArray = nullptr,
      .dstPos = {},
      .dstPtr = {.ptr = to, .pitch = size, .xsize = size, .ysize = 1},
      .extent = {.width = size, .height = 1, .depth = 1},
      .kind = kind};
  return shape_of(&row, shape);
}

template <class Use>
cudaError_t with_shape(const cudaMemcpy3DParms* given, Use use) {
  return with_context([&] {
    CUDA_MEMCPY3D shape;
    CUcontext context = nullptr;
    if (const CUresult error = shape_of(given, shape)) return error;
    const CUresult error = current(context);
    return error != CUDA_SUCCESS ? error : use(shape, context);
  });
}

template <class Use>
cudaError_t with_row(void* to, const void* from, size_t size, cudaMemcpyKind kind, Use use) {
  return with_context([&] {
    CUDA_MEMCPY3D shape;
    CUcontext context = nullptr;
    if (const CUresult error = row_of(to, from, size, kind, shape)) return error;
    const CUresult error = current(context);
    return error != CUDA_SUCCESS ? error : use(shape, context);
  });
}

}  // namespace

// cudaGraphAddMemcpyNode. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             const cudaMemcpy3DParms* given) {
  return with_shape(given, [&](const CUDA_MEMCPY3D& shape, CUcontext context) {
    return cuGraphAddMemcpyNode(node, graph, dependencies, count, &shape, context);
  });
}

// cudaGraphMemcpyNodeSetParams. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* given) {
  return with_shape(given, [&](const CUDA_MEMCPY3D& shape, CUcontext /*context*/) {
    return cuGraphMemcpyNodeSetParams(node, &shape);
  });
}

// cudaGraphExecMemcpyNodeSetParams. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                       const cudaMemcpy3DParms* given) {
  return with_shape(given, [&](const CUDA_MEMCPY3D& shape, CUcontext context) {
    return cuGraphExecMemcpyNodeSetParams(executable, node, &shape, context);
  });
}

// cudaGraphAddMemcpyNode1D. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* dependencies, size_t count, void* to,
                                               const void* from, size_t size, cudaMemcpyKind kind) {
  return with_row(to, from, size, kind, [&](const CUDA_MEMCPY3D& shape, CUcontext context) {
    return cuGraphAddMemcpyNode(node, graph, dependencies, count, &shape, context);
  });
}

// cudaGraphMemcpyNodeSetParams1D. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                                     size_t size, cudaMemcpyKind kind) {
  return with_row(to, from, size, kind, [&](const CUDA_MEMCPY3D& shape, CUcontext /*context*/) {
    return cuGraphMemcpyNodeSetParams(node, &shape);
  });
}

// cudaGraphExecMemcpyNodeSetParams1D. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                         void* to, const void* from, size_t size,
                                                         cudaMemcpyKind kind) {
  return with_row(to, from, size, kind, [&](const CUDA_MEMCPY3D& shape, CUcontext context) {
    return cuGraphExecMemcpyNodeSetParams(executable, node, &shape, context);
  });
}

// cudaGraphAddMemsetNode. Errors: InvalidValue, InvalidDevice.
cudaError_t CUDARTAPI cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             const cudaMemsetParams* given) {
  return with_context([&] {
    CUcontext context = nullptr;
    if (const CUresult error = current(context)) return error;
    return cuGraphAddMemsetNode(node, graph, dependencies, count, same<const CUDA_MEMSET_NODE_PARAMS>(given),
                                context);
  });
}

// cudaGraphMemsetNodeGetParams. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* answer_to) {
  return with_context(
      [&] { return cuGraphMemsetNodeGetParams(node, same<CUDA_MEMSET_NODE_PARAMS>(answer_to)); });
}

// cudaGraphMemsetNodeSetParams. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* given) {
  return with_context(
      [&] { return cuGraphMemsetNodeSetParams(node, same<const CUDA_MEMSET_NODE_PARAMS>(given)); });
}

// cudaGraphExecMemsetNodeSetParams. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                       const cudaMemsetParams* given) {
  return with_context([&] {
    CUcontext context = nullptr;
    if (const CUresult error = current(context)) return error;
    return cuGraphExecMemsetNodeSetParams(executable, node, same<const CUDA_MEMSET_NODE_PARAMS>(given),
                                          context);
  });
}

// cudaGraphAddMemAllocNode. Errors: CudartUnloading, InitializationError, NotSupported, InvalidValue,
// OutOfMemory.
cudaError_t CUDARTAPI cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* dependencies, size_t count,
                                               cudaMemAllocNodeParams* parameters) {
  return with_context([&] {
    return cuGraphAddMemAllocNode(node, graph, dependencies, count,
                                  same<CUDA_MEM_ALLOC_NODE_PARAMS>(parameters));
  });
}

// cudaGraphMemAllocNodeGetParams. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                                     cudaMemAllocNodeParams* answer_to) {
  return with_context(
      [&] { return cuGraphMemAllocNodeGetParams(node, same<CUDA_MEM_ALLOC_NODE_PARAMS>(answer_to)); });
}

// cudaGraphAddMemFreeNode. Errors: CudartUnloading, InitializationError, NotSupported, InvalidValue,
// OutOfMemory.
cudaError_t CUDARTAPI cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                              const cudaGraphNode_t* dependencies, size_t count,
                                              void* pointer) {
  return with_context(
      [&] { return cuGraphAddMemFreeNode(node, graph, dependencies, count, address_of(pointer)); });
}

// cudaGraphMemFreeNodeGetParams. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* answer_to) {
  return with_context(
      [&] { return cuGraphMemFreeNodeGetParams(node, static_cast<CUdeviceptr*>(answer_to)); });
}
