// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Green Contexts" about resources: asking for the multiprocessors of a
// device or a context, dividing them, and describing what a green context shall have.
#include "core/device_resource.hpp"
#include <algorithm>

#include "core/call.hpp"
#include "core/green_context.hpp"

using namespace driver;

namespace {

// Measured: the two exclude each other, and unknown ones are no error (green_split, steps 47 to 60).
constexpr unsigned kBothSplitFlags =
    CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING | CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE;

// What is asked for has to be multiprocessors: there is no other kind in this version.
CUresult answer_set(const Multiprocessors& set, const Device& device, CUdevResource* resource,
                    CUdevResourceType type) {
  if (resource == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (type != CU_DEV_RESOURCE_TYPE_SM) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
  *resource = resource_of(set, device);
  return CUDA_SUCCESS;
}

}  // namespace

// cuDeviceGetDevResource. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_RESOURCE_TYPE, INVALID_VALUE,
// INVALID_DEVICE.
CUresult CUDAAPI cuDeviceGetDevResource(CUdevice handle, CUdevResource* resource, CUdevResourceType type) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  const Device* const device = Driver::get().device(handle);
  if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  return answer_set(Multiprocessors::of(*device), *device, resource, type);
}

// cuCtxGetDevResource. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_RESOURCE_TYPE, INVALID_VALUE,
// INVALID_CONTEXT. A green context has its own multiprocessors, any other context all of its device.
// Measured: null is not the current context but gives 201 (green_resource_of_context, step 16).
CUresult CUDAAPI cuCtxGetDevResource(CUcontext handle, CUdevResource* resource, CUdevResourceType type) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (resource == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  if (const CUresult error = given_context(handle, context)) return error;
  return answer_set(share_of(*context), context->device(), resource, type);
}

// cuGreenCtxGetDevResource. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_RESOURCE_TYPE, INVALID_VALUE.
CUresult CUDAAPI cuGreenCtxGetDevResource(CUgreenCtx handle, CUdevResource* resource,
                                          CUdevResourceType type) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (resource == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* green = nullptr;
  if (const CUresult error = given_green(handle, green)) return error;
  return answer_set(share_of(*green), green->device(), resource, type);
}

// cuDevSmResourceSplitByCount. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_DEVICE, INVALID_VALUE,
// INVALID_RESOURCE_TYPE, INVALID_RESOURCE_CONFIGURATION. Without a place for groups it only counts those that
// would be made. Measured: more than there are is 915, and so is a resource that was split or changed by the
// program (green_split, steps 37 to 74; green_split_made_up); a group of 0 is 1 (green_split, step 17).
CUresult CUDAAPI cuDevSmResourceSplitByCount(CUdevResource* groups, unsigned int* count,
                                             const CUdevResource* input, CUdevResource* remaining,
                                             unsigned int flags, unsigned int least) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (count == nullptr || input == nullptr || (flags & kBothSplitFlags) == kBothSplitFlags)
    return CUDA_ERROR_INVALID_VALUE;
  if (groups != nullptr && *count == 0) return CUDA_ERROR_INVALID_VALUE;
  if (input->type != CU_DEV_RESOURCE_TYPE_SM) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
  std::optional<Multiprocessors> left = set_of(*input);
  if (!left.has_value() || left->part || least > left->count())
    return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
  const Device& device = *Driver::get().device(left->device);
  const bool coscheduled = (flags & CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING) == 0;
  const unsigned size = std::min(PartitionRule::of(device, coscheduled).size_for(least), left->count());
  const unsigned fitting = left->count() / size;
  *count = groups == nullptr ? fitting : std::min(*count, fitting);
  if (groups == nullptr) return CUDA_SUCCESS;
  left->part = true;
  for (unsigned i = 0; i < *count; ++i) {
    Multiprocessors group = left->take(size);
    group.part = true;
    groups[i] = resource_of(group, device);
  }
  if (remaining != nullptr) *remaining = left->count() != 0 ? resource_of(*left, device) : CUdevResource{};
  return CUDA_SUCCESS;
}

// cuDevResourceGenerateDesc. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE, INVALID_RESOURCE_TYPE,
// INVALID_RESOURCE_CONFIGURATION. Several resources have to be of one device. Measured: they may have
// multiprocessors in common; each counts, up to the whole device (green_twice_same, step 9;
// green_twice_device, step 10). Which the others are was not measured: here the first ones. No resources give
// 1 here, where the real driver crashes.
CUresult CUDAAPI cuDevResourceGenerateDesc(CUdevResourceDesc* description, CUdevResource* resources,
                                           unsigned int count) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if (description == nullptr || resources == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
  Multiprocessors all;
  unsigned counted = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (resources[i].type != CU_DEV_RESOURCE_TYPE_SM) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
    const std::optional<Multiprocessors> set = set_of(resources[i]);
    if (!set.has_value()) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    if (i == 0) all.device = set->device;
    if (set->device != all.device) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    all.numbers |= set->numbers;
    counted += set->count();
  }
  if (counted > all.count()) {
    Multiprocessors others = Multiprocessors::of(*Driver::get().device(all.device));
    others.numbers &= ~all.numbers;
    all.numbers |= others.take(counted - all.count()).numbers;
  }
  *description = ResourceDescription::make(all);
  return CUDA_SUCCESS;
}
