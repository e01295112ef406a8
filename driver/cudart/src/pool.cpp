// SPDX-License-Identifier: MIT
// The manual's chapter "Stream Ordered Memory Allocator": pools. Taking memory from them is
// on_stream/memory.cpp.
//
// Attributes, properties and locations are the driver's numbers and layouts.
#include "runtime.hpp"

using namespace cudart;

// cudaDeviceGetDefaultMemPool. Errors: InvalidDevice, InvalidValue, NotSupported.
cudaError_t CUDARTAPI cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return with_driver([&] { return cuDeviceGetDefaultMemPool(pool, device); });
}

// cudaDeviceGetMemPool. Errors: InvalidValue, NotSupported.
cudaError_t CUDARTAPI cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return with_driver([&] { return cuDeviceGetMemPool(pool, device); });
}

// cudaDeviceSetMemPool. Errors: InvalidValue, InvalidDevice, NotSupported.
cudaError_t CUDARTAPI cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return with_driver([&] { return cuDeviceSetMemPool(device, pool); });
}

// cudaMemPoolCreate. Errors: InvalidValue, NotSupported.
cudaError_t CUDARTAPI cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return with_context([&] { return cuMemPoolCreate(pool, same<const CUmemPoolProps>(properties)); });
}

// cudaMemPoolDestroy. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaMemPoolDestroy(cudaMemPool_t pool) {
  return with_context([&] { return cuMemPoolDestroy(pool); });
}

// cudaMemPoolTrimTo. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep) {
  return with_context([&] { return cuMemPoolTrimTo(pool, keep); });
}

// cudaMemPoolSetAttribute. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return with_context(
      [&] { return cuMemPoolSetAttribute(pool, static_cast<CUmemPool_attribute>(attribute), value); });
}

// cudaMemPoolGetAttribute. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return with_context(
      [&] { return cuMemPoolGetAttribute(pool, static_cast<CUmemPool_attribute>(attribute), value); });
}

// cudaMemPoolSetAccess. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* descriptions,
                                           size_t count) {
  return with_context(
      [&] { return cuMemPoolSetAccess(pool, same<const CUmemAccessDesc>(descriptions), count); });
}

// cudaMemPoolGetAccess. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                           cudaMemLocation* location) {
  return with_context([&] {
    return cuMemPoolGetAccess(same<CUmemAccess_flags>(flags), pool, same<CUmemLocation>(location));
  });
}

// cudaMemGetDefaultMemPool. Errors: InvalidValue, NotSupported.
cudaError_t CUDARTAPI cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* location,
                                               cudaMemAllocationType type) {
  return with_context([&] {
    return cuMemGetDefaultMemPool(pool, same<CUmemLocation>(location),
                                  static_cast<CUmemAllocationType>(type));
  });
}

// cudaMemGetMemPool. Errors: InvalidValue, NotSupported.
cudaError_t CUDARTAPI cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* location,
                                        cudaMemAllocationType type) {
  return with_context([&] {
    return cuMemGetMemPool(pool, same<CUmemLocation>(location), static_cast<CUmemAllocationType>(type));
  });
}

// cudaMemSetMemPool. Errors: InvalidValue, NotSupported.
cudaError_t CUDARTAPI cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type,
                                        cudaMemPool_t pool) {
  return with_context([&] {
    return cuMemSetMemPool(same<CUmemLocation>(location), static_cast<CUmemAllocationType>(type), pool);
  });
}
