// SPDX-License-Identifier: MIT
// Nodes of graphs that copy and fill.
//
// The driver needs the context of a copy or fill: it is the current one. Shapes are those of shapes.hpp.
#include "shapes.hpp"

using namespace cudart;

namespace {

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

// What makes the shape of a copy: a volume, a row, or a row that begins or ends in a variable of the program.
auto volume(const cudaMemcpy3DParms* given) {
  return [=](CUDA_MEMCPY3D& shape) { return shape_of(given, shape); };
}
auto row(void* to, const void* from, size_t size, cudaMemcpyKind kind) {
  return [=](CUDA_MEMCPY3D& shape) { return row_of(to, from, size, kind, shape); };
}
auto row_to(const void* symbol, const void* from, size_t size, size_t offset, cudaMemcpyKind kind) {
  return [=](CUDA_MEMCPY3D& shape) {
    void* part = nullptr;
    const CUresult error = find_part(symbol, size, offset, part);
    return error != CUDA_SUCCESS ? error : row_of(part, from, size, kind, shape);
  };
}
auto row_from(void* to, const void* symbol, size_t size, size_t offset, cudaMemcpyKind kind) {
  return [=](CUDA_MEMCPY3D& shape) {
    void* part = nullptr;
    const CUresult error = find_part(symbol, size, offset, part);
    return error != CUDA_SUCCESS ? error : row_of(to, part, size, kind, shape);
  };
}

template <class Make>
cudaError_t add_copy(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                     size_t count, Make make) {
  return with_context([&] {
    CUDA_MEMCPY3D shape;
    CUcontext context = nullptr;
    if (const CUresult error = make(shape)) return error;
    if (const CUresult error = cuCtxGetCurrent(&context)) return error;
    return cuGraphAddMemcpyNode(node, graph, dependencies, count, &shape, context);
  });
}

template <class Make>
cudaError_t set_copy(cudaGraphNode_t node, Make make) {
  return with_context([&] {
    CUDA_MEMCPY3D shape;
    const CUresult error = make(shape);
    return error != CUDA_SUCCESS ? error : cuGraphMemcpyNodeSetParams(node, &shape);
  });
}

template <class Make>
cudaError_t set_copy_in(cudaGraphExec_t executable, cudaGraphNode_t node, Make make) {
  return with_context([&] {
    CUDA_MEMCPY3D shape;
    CUcontext context = nullptr;
    if (const CUresult error = make(shape)) return error;
    if (const CUresult error = cuCtxGetCurrent(&context)) return error;
    return cuGraphExecMemcpyNodeSetParams(executable, node, &shape, context);
  });
}

cudaMemcpyKind kind_of(CUmemorytype from, CUmemorytype to) {
  if (from == CU_MEMORYTYPE_UNIFIED || to == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
  if (from == CU_MEMORYTYPE_HOST)
    return to == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  return to == CU_MEMORYTYPE_HOST ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

// One side of a copy as it was given: an array with a position in elements, or memory with its pitch.
CUresult side_of(CUmemorytype type, CUarray given, std::size_t x, const void* host, CUdeviceptr device,
                 cudaArray_t& array, cudaPos& position, cudaPitchedPtr& memory, std::size_t& element) {
  position.x = x;
  if (type != CU_MEMORYTYPE_ARRAY) {
    memory.ptr = type == CU_MEMORYTYPE_HOST ? const_cast<void*>(host) : reinterpret_cast<void*>(device);
    return CUDA_SUCCESS;
  }
  array = reinterpret_cast<cudaArray_t>(given);
  if (const CUresult error = element_size(array, element)) return error;
  position.x /= element;
  return CUDA_SUCCESS;
}

CUresult told(const CUDA_MEMCPY3D& shape, cudaMemcpy3DParms& parameters) {
  std::size_t element = 1;
  parameters = {};
  parameters.srcPos = {.x = 0, .y = shape.srcY, .z = shape.srcZ};
  parameters.dstPos = {.x = 0, .y = shape.dstY, .z = shape.dstZ};
  parameters.srcPtr = {
      .ptr = nullptr, .pitch = shape.srcPitch, .xsize = shape.srcPitch, .ysize = shape.srcHeight};
  parameters.dstPtr = {
      .ptr = nullptr, .pitch = shape.dstPitch, .xsize = shape.dstPitch, .ysize = shape.dstHeight};
  if (const CUresult error =
          side_of(shape.srcMemoryType, shape.srcArray, shape.srcXInBytes, shape.srcHost, shape.srcDevice,
                  parameters.srcArray, parameters.srcPos, parameters.srcPtr, element))
    return error;
  if (const CUresult error =
          side_of(shape.dstMemoryType, shape.dstArray, shape.dstXInBytes, shape.dstHost, shape.dstDevice,
                  parameters.dstArray, parameters.dstPos, parameters.dstPtr, element))
    return error;
  parameters.extent = {.width = shape.WidthInBytes / element, .height = shape.Height, .depth = shape.Depth};
  parameters.kind = kind_of(shape.srcMemoryType, shape.dstMemoryType);
  return CUDA_SUCCESS;
}

}  // namespace

// cudaGraphMemcpyNodeGetParams. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return with_context([&] {
    if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUDA_MEMCPY3D shape;
    const CUresult error = cuGraphMemcpyNodeGetParams(node, &shape);
    return error != CUDA_SUCCESS ? error : told(shape, *parameters);
  });
}

// cudaGraphAddMemcpyNodeToSymbol. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                     const cudaGraphNode_t* dependencies, size_t count,
                                                     const void* symbol, const void* from, size_t size,
                                                     size_t offset, cudaMemcpyKind kind) {
  return add_copy(node, graph, dependencies, count, row_to(symbol, from, size, offset, kind));
}

// cudaGraphAddMemcpyNodeFromSymbol. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                       const cudaGraphNode_t* dependencies, size_t count,
                                                       void* to, const void* symbol, size_t size,
                                                       size_t offset, cudaMemcpyKind kind) {
  return add_copy(node, graph, dependencies, count, row_from(to, symbol, size, offset, kind));
}

// cudaGraphMemcpyNodeSetParamsToSymbol. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                                           const void* from, size_t size, size_t offset,
                                                           cudaMemcpyKind kind) {
  return set_copy(node, row_to(symbol, from, size, offset, kind));
}

// cudaGraphMemcpyNodeSetParamsFromSymbol. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to,
                                                             const void* symbol, size_t size, size_t offset,
                                                             cudaMemcpyKind kind) {
  return set_copy(node, row_from(to, symbol, size, offset, kind));
}

// cudaGraphExecMemcpyNodeSetParamsToSymbol. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable,
                                                               cudaGraphNode_t node, const void* symbol,
                                                               const void* from, size_t size, size_t offset,
                                                               cudaMemcpyKind kind) {
  return set_copy_in(executable, node, row_to(symbol, from, size, offset, kind));
}

// cudaGraphExecMemcpyNodeSetParamsFromSymbol. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable,
                                                                 cudaGraphNode_t node, void* to,
                                                                 const void* symbol, size_t size,
                                                                 size_t offset, cudaMemcpyKind kind) {
  return set_copy_in(executable, node, row_from(to, symbol, size, offset, kind));
}

// cudaGraphAddMemcpyNode. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             const cudaMemcpy3DParms* given) {
  return add_copy(node, graph, dependencies, count, volume(given));
}

// cudaGraphMemcpyNodeSetParams. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* given) {
  return set_copy(node, volume(given));
}

// cudaGraphExecMemcpyNodeSetParams. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                       const cudaMemcpy3DParms* given) {
  return set_copy_in(executable, node, volume(given));
}

// cudaGraphAddMemcpyNode1D. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* dependencies, size_t count, void* to,
                                               const void* from, size_t size, cudaMemcpyKind kind) {
  return add_copy(node, graph, dependencies, count, row(to, from, size, kind));
}

// cudaGraphMemcpyNodeSetParams1D. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                                     size_t size, cudaMemcpyKind kind) {
  return set_copy(node, row(to, from, size, kind));
}

// cudaGraphExecMemcpyNodeSetParams1D. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                         void* to, const void* from, size_t size,
                                                         cudaMemcpyKind kind) {
  return set_copy_in(executable, node, row(to, from, size, kind));
}

// cudaGraphAddMemsetNode. Errors: InvalidValue, InvalidDevice.
cudaError_t CUDARTAPI cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             const cudaMemsetParams* given) {
  return with_context([&] {
    CUcontext context = nullptr;
    if (const CUresult error = cuCtxGetCurrent(&context)) return error;
    return cuGraphAddMemsetNode(node, graph, dependencies, count, same<const CUDA_MEMSET_NODE_PARAMS>(given),
                                context);
  });
}

// cudaGraphExecMemsetNodeSetParams. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                       const cudaMemsetParams* given) {
  return with_context([&] {
    CUcontext context = nullptr;
    if (const CUresult error = cuCtxGetCurrent(&context)) return error;
    return cuGraphExecMemsetNodeSetParams(executable, node, same<const CUDA_MEMSET_NODE_PARAMS>(given),
                                          context);
  });
}
