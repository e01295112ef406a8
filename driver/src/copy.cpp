// Entry points of the manual's chapter "Memory Management": copies of one dimension, in every form.
//
// One function does them all. The Async forms are done when they return, in the order of their calls, which
// is one of the orders that a stream allows. Bounds are measured: truth memory_errors, steps 14 to 26.
#include <cstring>

#include "core/call.hpp"
#include "core/place.hpp"
#include "core/stream.hpp"

using namespace driver;

namespace {

struct Place {
  Side side;
  std::uint64_t address;
};

Place on_device(CUdeviceptr address) {
  return {Side::Device, address};
}
Place on_host(const void* address) {
  return {Side::Host, reinterpret_cast<std::uint64_t>(address)};
}
Place anywhere(CUdeviceptr address) {
  return {Side::Either, address};
}

// Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE; and of a stream that is none
// INVALID_HANDLE. Nothing to copy is a success, whatever the addresses (memory_errors, step 20).
CUresult copy(Place to, Place from, std::size_t size, CUstream stream = nullptr) {
  const Reading call;
  if (call.error) return call.error;
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (size == 0) return CUDA_SUCCESS;
  Memory& memory = Driver::get().memory();
  std::byte* const target = find_bytes(memory, to.side, to.address, size);
  const std::byte* const source = find_bytes(memory, from.side, from.address, size);
  if (target == nullptr || source == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::memmove(target, source, size);
  return CUDA_SUCCESS;
}

// Between contexts, which may be of different devices. No peer access is needed for it.
CUresult copy_between(CUdeviceptr to, CUcontext to_handle, CUdeviceptr from, CUcontext from_handle,
                      std::size_t size, CUstream stream = nullptr) {
  if (const CUresult error = Driver::ready()) return error;
  Context* context = nullptr;
  if (const CUresult error = given_context(to_handle, context)) return error;
  if (const CUresult error = given_context(from_handle, context)) return error;
  return copy(on_device(to), on_device(from), size, stream);
}

}  // namespace

// cuMemcpy: host or device on either side, told apart by their addresses.
CUresult CUDAAPI cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return copy(anywhere(to), anywhere(from), size);
}

CUresult CUDAAPI cuMemcpy_ptds(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return copy(anywhere(to), anywhere(from), size);
}

CUresult CUDAAPI cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  return copy(anywhere(to), anywhere(from), size, stream);
}

CUresult CUDAAPI cuMemcpyAsync_ptsz(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  return copy(anywhere(to), anywhere(from), size, stream);
}

// cuMemcpyPeer.
CUresult CUDAAPI cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                              size_t size) {
  return copy_between(to, to_context, from, from_context, size);
}

CUresult CUDAAPI cuMemcpyPeer_ptds(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                                   CUcontext from_context, size_t size) {
  return copy_between(to, to_context, from, from_context, size);
}

CUresult CUDAAPI cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                                   CUcontext from_context, size_t size, CUstream stream) {
  return copy_between(to, to_context, from, from_context, size, stream);
}

CUresult CUDAAPI cuMemcpyPeerAsync_ptsz(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                                        CUcontext from_context, size_t size, CUstream stream) {
  return copy_between(to, to_context, from, from_context, size, stream);
}

// cuMemcpyHtoD.
CUresult CUDAAPI cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, size_t size) {
  return copy(on_device(to), on_host(from), size);
}

CUresult CUDAAPI cuMemcpyHtoD_v2_ptds(CUdeviceptr to, const void* from, size_t size) {
  return copy(on_device(to), on_host(from), size);
}

CUresult CUDAAPI cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t size, CUstream stream) {
  return copy(on_device(to), on_host(from), size, stream);
}

CUresult CUDAAPI cuMemcpyHtoDAsync_v2_ptsz(CUdeviceptr to, const void* from, size_t size, CUstream stream) {
  return copy(on_device(to), on_host(from), size, stream);
}

// cuMemcpyDtoH.
CUresult CUDAAPI cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t size) {
  return copy(on_host(to), on_device(from), size);
}

CUresult CUDAAPI cuMemcpyDtoH_v2_ptds(void* to, CUdeviceptr from, size_t size) {
  return copy(on_host(to), on_device(from), size);
}

CUresult CUDAAPI cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t size, CUstream stream) {
  return copy(on_host(to), on_device(from), size, stream);
}

CUresult CUDAAPI cuMemcpyDtoHAsync_v2_ptsz(void* to, CUdeviceptr from, size_t size, CUstream stream) {
  return copy(on_host(to), on_device(from), size, stream);
}

// cuMemcpyDtoD. Contexts and devices do not matter: pitfall 4, truth memory_across_contexts and two_pointer.
CUresult CUDAAPI cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return copy(on_device(to), on_device(from), size);
}

CUresult CUDAAPI cuMemcpyDtoD_v2_ptds(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return copy(on_device(to), on_device(from), size);
}

CUresult CUDAAPI cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  return copy(on_device(to), on_device(from), size, stream);
}

CUresult CUDAAPI cuMemcpyDtoDAsync_v2_ptsz(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  return copy(on_device(to), on_device(from), size, stream);
}
