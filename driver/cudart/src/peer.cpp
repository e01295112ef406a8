// SPDX-License-Identifier: MIT
// The manual's chapter "Peer Device Memory Access", and copies between devices.
//
// Devices of the runtime are primary contexts of the driver.
#include "runtime.hpp"

using namespace cudart;

// cudaDeviceEnablePeerAccess. Errors: InvalidDevice, PeerAccessAlreadyEnabled, InvalidValue.
cudaError_t CUDARTAPI cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return with_context([&] {
    CUcontext context = nullptr;
    const CUresult error = primary_context(peer, context);
    return error != CUDA_SUCCESS ? error : cuCtxEnablePeerAccess(context, flags);
  });
}

// cudaDeviceDisablePeerAccess. Errors: PeerAccessNotEnabled, InvalidDevice.
cudaError_t CUDARTAPI cudaDeviceDisablePeerAccess(int peer) {
  return with_context([&] {
    CUcontext context = nullptr;
    const CUresult error = primary_context(peer, context);
    return error != CUDA_SUCCESS ? error : cuCtxDisablePeerAccess(context);
  });
}

// cudaMemcpyPeer. Errors: InvalidValue, InvalidDevice.
cudaError_t CUDARTAPI cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                                     size_t size) {
  return with_context([&] {
    CUcontext to_context = nullptr;
    CUcontext from_context = nullptr;
    if (const CUresult error = primary_context(to_device, to_context)) return error;
    if (const CUresult error = primary_context(from_device, from_context)) return error;
    return cuMemcpyPeer(address_of(to), to_context, address_of(from), from_context, size);
  });
}

// cudaMemcpyPeerAsync. Errors: InvalidValue, InvalidDevice.
cudaError_t CUDARTAPI cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                          size_t size, cudaStream_t stream) {
  return with_context([&] {
    CUcontext to_context = nullptr;
    CUcontext from_context = nullptr;
    if (const CUresult error = primary_context(to_device, to_context)) return error;
    if (const CUresult error = primary_context(from_device, from_context)) return error;
    return cuMemcpyPeerAsync(address_of(to), to_context, address_of(from), from_context, size, stream);
  });
}
