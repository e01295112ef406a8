// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Graphics Interoperability".
//
// OpenGL, Direct3D, EGL and VDPAU register resources, and none of them works with this driver. So there is no
// resource, and every handle is one that does not exist. Measured on a machine without graphics: truth
// rest_graphics. No context is needed.
#include "core/call.hpp"

using namespace driver;

namespace {

CUresult no_resource() {
  const ReadingAnywhere call;
  return call.error ? call.error : CUDA_ERROR_INVALID_HANDLE;
}

CUresult no_resources(unsigned count, const CUgraphicsResource* resources) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  return count == 0 || resources == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
}

}  // namespace

// cuGraphicsUnregisterResource. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE,
// UNKNOWN.
CUresult CUDAAPI cuGraphicsUnregisterResource(CUgraphicsResource) {
  return no_resource();
}

// cuGraphicsSubResourceGetMappedArray. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT,
// INVALID_VALUE, INVALID_HANDLE, NOT_MAPPED, NOT_MAPPED_AS_ARRAY.
CUresult CUDAAPI cuGraphicsSubResourceGetMappedArray(CUarray*, CUgraphicsResource, unsigned int,
                                                     unsigned int) {
  return no_resource();
}

// cuGraphicsResourceGetMappedMipmappedArray. Errors: as cuGraphicsSubResourceGetMappedArray.
CUresult CUDAAPI cuGraphicsResourceGetMappedMipmappedArray(CUmipmappedArray*, CUgraphicsResource) {
  return no_resource();
}

// cuGraphicsResourceGetMappedPointer. Errors: as cuGraphicsSubResourceGetMappedArray, NOT_MAPPED_AS_POINTER.
CUresult CUDAAPI cuGraphicsResourceGetMappedPointer_v2(CUdeviceptr*, size_t*, CUgraphicsResource) {
  return no_resource();
}

// cuGraphicsResourceSetMapFlags. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE,
// INVALID_HANDLE, ALREADY_MAPPED.
CUresult CUDAAPI cuGraphicsResourceSetMapFlags_v2(CUgraphicsResource, unsigned int) {
  return no_resource();
}

// cuGraphicsMapResources. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE,
// ALREADY_MAPPED, UNKNOWN. Measured: none, or no list, gives 1.
CUresult CUDAAPI cuGraphicsMapResources(unsigned int count, CUgraphicsResource* resources, CUstream) {
  return no_resources(count, resources);
}
CUresult CUDAAPI cuGraphicsMapResources_ptsz(unsigned int count, CUgraphicsResource* resources, CUstream) {
  return no_resources(count, resources);
}

// cuGraphicsUnmapResources. Errors: as cuGraphicsMapResources, NOT_MAPPED.
CUresult CUDAAPI cuGraphicsUnmapResources(unsigned int count, CUgraphicsResource* resources, CUstream) {
  return no_resources(count, resources);
}
CUresult CUDAAPI cuGraphicsUnmapResources_ptsz(unsigned int count, CUgraphicsResource* resources, CUstream) {
  return no_resources(count, resources);
}
