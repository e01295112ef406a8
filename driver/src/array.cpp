// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Memory Management" for arrays and mipmapped arrays: making,
// describing and destroying them. Copies from and to arrays are with the other copies (copy_shaped.cpp).
#include "core/array.hpp"

#include "core/call.hpp"
#include "core/capture.hpp"
#include "core/stream.hpp"

using namespace driver;

namespace {

CUresult create(CUarray* handle, const CUDA_ARRAY3D_DESCRIPTOR* description) {
  if (const CUresult error = unsafe_call()) return error;
  const Changing call;
  if (call.error) return call.error;
  if (handle == nullptr || description == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::unique_ptr<Array> array;
  if (const CUresult error = Array::create(*call.context, *description, array)) return error;
  *handle = array->handle();
  call.context->own(std::move(array));
  return CUDA_SUCCESS;
}

CUresult describe(CUarray handle, CUDA_ARRAY3D_DESCRIPTOR* description) {
  const Reading call;
  if (call.error) return call.error;
  if (description == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Array* const array = Array::find(handle);
  if (array == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *description = array->description();
  return CUDA_SUCCESS;
}

// What may still use an array, a mipmapped one too.
template <typename Kind, typename Handle>
Completions users_of_array(Handle handle) {
  const Kind* const array = Kind::find(handle);
  if (array == nullptr) return {};
  Completions result = array->context().streams().unfinished();
  Context* const current = ContextStack::of_this_thread().top();
  if (current != nullptr && current->alive() && &current->home() != &array->context()) {
    const Completions more = current->home().streams().unfinished();
    result.insert(result.end(), more.begin(), more.end());
  }
  return result;
}

// For a property that only arrays have which this driver does not make. Measured: a null handle is told
// before the state of the driver, and no context has to be current (truth mipmapped_not_initialised,
// mipmapped_no_context).
template <typename Kind, typename Handle>
CUresult no_such_property(Handle handle, CUresult of_null) {
  if (handle == nullptr) return of_null;
  const ReadingAnywhere call;
  if (call.error) return call.error;
  return Kind::find(handle) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace

// cuArrayCreate. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, OUT_OF_MEMORY,
// UNKNOWN.
CUresult CUDAAPI cuArrayCreate_v2(CUarray* handle, const CUDA_ARRAY_DESCRIPTOR* description) {
  if (description == nullptr) return create(handle, nullptr);
  const CUDA_ARRAY3D_DESCRIPTOR full{.Width = description->Width,
                                     .Height = description->Height,
                                     .Depth = 0,
                                     .Format = description->Format,
                                     .NumChannels = description->NumChannels,
                                     .Flags = 0};
  return create(handle, &full);
}

// cuArray3DCreate. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, OUT_OF_MEMORY,
// UNKNOWN; NOT_SUPPORTED for compressed and planar formats and for sparse arrays, which this driver lacks.
// Measured: planes with one to three channels give 1.
CUresult CUDAAPI cuArray3DCreate_v2(CUarray* handle, const CUDA_ARRAY3D_DESCRIPTOR* description) {
  return create(handle, description);
}

// cuArrayGetDescriptor. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE,
// INVALID_HANDLE.
CUresult CUDAAPI cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* description, CUarray handle) {
  CUDA_ARRAY3D_DESCRIPTOR full{};
  if (const CUresult error = describe(handle, description != nullptr ? &full : nullptr)) return error;
  *description = {
      .Width = full.Width, .Height = full.Height, .Format = full.Format, .NumChannels = full.NumChannels};
  return CUDA_SUCCESS;
}

// cuArray3DGetDescriptor. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE,
// INVALID_HANDLE, CONTEXT_IS_DESTROYED.
CUresult CUDAAPI cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* description, CUarray handle) {
  return describe(handle, description);
}

// cuArrayDestroy. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_HANDLE, ARRAY_IS_MAPPED,
// CONTEXT_IS_DESTROYED.
CUresult CUDAAPI cuArrayDestroy(CUarray handle) {
  if (const CUresult error = Driver::ready()) return error;
  if (const CUresult error = unsafe_call()) return error;
  const auto lock = lock_when_done([handle] { return users_of_array<Array>(handle); });
  if (const CUresult error = may_free()) return error;
  Array* const array = Array::find(handle);
  if (array == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (array->is_level()) return CUDA_SUCCESS;  // and it stays (truth mipmapped_level_destroy)
  array->context().disown(array);
  return CUDA_SUCCESS;
}

// cuArrayGetMemoryRequirements. Errors: NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_HANDLE. Only
// of an array with CUDA_ARRAY3D_DEFERRED_MAPPING, of which this driver makes none.
CUresult CUDAAPI cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS*, CUarray handle, CUdevice) {
  return no_such_property<Array>(handle, CUDA_ERROR_INVALID_VALUE);
}

// cuMipmappedArrayGetMemoryRequirements. Errors as of cuArrayGetMemoryRequirements.
CUresult CUDAAPI cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS*,
                                                       CUmipmappedArray handle, CUdevice) {
  return no_such_property<MipmappedArray>(handle, CUDA_ERROR_INVALID_VALUE);
}

// cuArrayGetSparseProperties. Errors: INVALID_VALUE, INVALID_HANDLE. Only of an array with
// CUDA_ARRAY3D_SPARSE, of which this driver makes none.
CUresult CUDAAPI cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES*, CUarray handle) {
  return no_such_property<Array>(handle, CUDA_ERROR_INVALID_VALUE);
}

// cuMipmappedArrayGetSparseProperties. Errors as of cuArrayGetSparseProperties.
CUresult CUDAAPI cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES*, CUmipmappedArray handle) {
  return no_such_property<MipmappedArray>(handle, CUDA_ERROR_INVALID_VALUE);
}

// cuArrayGetPlane. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_HANDLE.
// INVALID_VALUE for an array without planes, and this driver makes none that has some.
CUresult CUDAAPI cuArrayGetPlane(CUarray*, CUarray handle, unsigned) {
  return no_such_property<Array>(handle, CUDA_ERROR_INVALID_HANDLE);
}

// cuMipmappedArrayCreate. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE,
// OUT_OF_MEMORY, UNKNOWN; NOT_SUPPORTED as of cuArray3DCreate.
CUresult CUDAAPI cuMipmappedArrayCreate(CUmipmappedArray* handle, const CUDA_ARRAY3D_DESCRIPTOR* description,
                                        unsigned levels) {
  if (const CUresult error = unsafe_call()) return error;
  const Changing call;
  if (call.error) return call.error;
  if (handle == nullptr || description == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::unique_ptr<MipmappedArray> array;
  if (const CUresult error = MipmappedArray::create(*call.context, *description, levels, array)) return error;
  *handle = array->handle();
  call.context->own(std::move(array));
  return CUDA_SUCCESS;
}

// cuMipmappedArrayGetLevel. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE,
// INVALID_HANDLE. Measured: no context has to be current, and the handle is looked at first (truth
// mipmapped_no_context, mipmapped_nulls). Of a destroyed context 709 (mipmapped_other_context, step 6).
CUresult CUDAAPI cuMipmappedArrayGetLevel(CUarray* level_array, CUmipmappedArray handle, unsigned level) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const ReadingAnywhere call;
  if (call.error) return call.error;
  const MipmappedArray* const array = MipmappedArray::find(handle);
  if (array == nullptr) return MipmappedArray::none(handle);
  if (level_array == nullptr || level >= array->levels().size()) return CUDA_ERROR_INVALID_VALUE;
  *level_array = array->levels()[level]->handle();
  return CUDA_SUCCESS;
}

// cuMipmappedArrayDestroy. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE,
// ARRAY_IS_MAPPED, CONTEXT_IS_DESTROYED.
CUresult CUDAAPI cuMipmappedArrayDestroy(CUmipmappedArray handle) {
  if (const CUresult error = Driver::ready()) return error;
  if (const CUresult error = unsafe_call()) return error;
  const auto lock = lock_when_done([handle] { return users_of_array<MipmappedArray>(handle); });
  if (const CUresult error = may_free()) return error;
  MipmappedArray* const array = MipmappedArray::find(handle);
  if (array == nullptr) return MipmappedArray::none(handle);
  array->context().disown(array);
  return CUDA_SUCCESS;
}
