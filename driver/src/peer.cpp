// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Peer Context Memory Access".
//
// Any two embedded GPUs can be peers. Access is from the current context to another's memory, one way.
#include <algorithm>
#include <new>

#include "core/call.hpp"
#include "core/log.hpp"
#include "core/runner.hpp"

using namespace driver;

namespace {

CUresult find_pair(const void* result, CUdevice first, CUdevice second) {
  if (const CUresult error = Driver::ready()) return error;
  if (result == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Driver& driver = Driver::get();
  const bool both = driver.device(first) != nullptr && driver.device(second) != nullptr;
  return both ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

}  // namespace

// cuDeviceCanAccessPeer. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_DEVICE. Measured: a device is no
// peer of itself (device_rest, step 12).
CUresult CUDAAPI cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  if (const CUresult error = find_pair(can, device, peer)) {
    if (error != CUDA_ERROR_INVALID_DEVICE) return error;
    Driver& driver = Driver::get();
    return no_such_device(driver.device(device) == nullptr ? "dev" : "peerDev", driver.device_count());
  }
  *can = device != peer ? 1 : 0;
  return CUDA_SUCCESS;
}

// cuDeviceGetP2PAttribute. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_DEVICE, INVALID_VALUE. The manual
// has INVALID_DEVICE for a device and itself.
CUresult CUDAAPI cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice from,
                                         CUdevice to) {
  if (const CUresult error = find_pair(value, from, to)) return error;
  if (from == to) return CUDA_ERROR_INVALID_DEVICE;
  switch (attribute) {
    case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
      *value = 1;
      return CUDA_SUCCESS;
    case CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK:
    case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED:
      *value = 0;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

// cuDeviceGetP2PAtomicCapabilities. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_DEVICE, INVALID_VALUE. No
// operation is native between embedded GPUs, as CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED says.
// Measured: atomics_peer, steps 4 to 11.
CUresult CUDAAPI cuDeviceGetP2PAtomicCapabilities(unsigned int* capabilities,
                                                  const CUatomicOperation* operations, unsigned int count,
                                                  CUdevice from, CUdevice to) {
  if (const CUresult error = Driver::ready()) return error;
  if (operations == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult error = find_pair(capabilities, from, to)) return error;
  if (from == to) return CUDA_ERROR_INVALID_DEVICE;
  std::fill_n(capabilities, count, 0);
  return std::all_of(operations, operations + count, is_atomic_operation) ? CUDA_SUCCESS
                                                                          : CUDA_ERROR_INVALID_VALUE;
}

// cuCtxEnablePeerAccess. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_DEVICE, PEER_ACCESS_ALREADY_ENABLED,
// TOO_MANY_PEERS, INVALID_CONTEXT, PEER_ACCESS_UNSUPPORTED, INVALID_VALUE. Measured: two contexts of one
// device give 217, and so does a context with itself (memory_peer_same_device).
CUresult CUDAAPI cuCtxEnablePeerAccess(CUcontext handle, unsigned int flags) {
  const Changing call;
  if (call.error) return call.error;
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  Context* peer = nullptr;
  if (const CUresult error = given_context(handle, peer)) return error;
  peer = &peer->home();
  if (&peer->device() == &call.context->device()) return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
  std::set<const Context*> peers = call.context->peers;
  if (!peers.insert(peer).second) return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  peer->seen_by.insert(call.context);
  try {
    call.context->runner->see_peers(peers);
  } catch (const std::bad_alloc&) {
    peer->seen_by.erase(call.context);
    throw;
  }
  call.context->peers.swap(peers);
  return CUDA_SUCCESS;
}

// cuCtxDisablePeerAccess. Errors: DEINITIALIZED, NOT_INITIALIZED, PEER_ACCESS_NOT_ENABLED, INVALID_CONTEXT.
// Measured: memory_peer_same_device, step 8.
CUresult CUDAAPI cuCtxDisablePeerAccess(CUcontext handle) {
  const Changing call;
  if (call.error) return call.error;
  Context* peer = nullptr;
  if (const CUresult error = given_context(handle, peer)) return error;
  peer = &peer->home();
  std::set<const Context*> peers = call.context->peers;
  if (peers.erase(peer) == 0) return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
  call.context->runner->see_peers(peers);
  call.context->peers.swap(peers);
  peer->seen_by.erase(call.context);
  return CUDA_SUCCESS;
}
