// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Unified Addressing" that advise on managed memory, and attaching it
// to streams.
//
// Host and devices share one memory here, so nothing moves and nothing gets faster: advice is checked, kept
// for each page, and returned when asked for. Measured: the place of a prefetch is known as soon as the call
// returns, also while the stream waits (truth managed_gate/10).
#include <cstring>

#include "core/call.hpp"
#include "core/per_thread_variants.hpp"

using namespace driver;

namespace {

constexpr unsigned kHostBit = 31;

Allocation* find_managed(CUdeviceptr address, std::size_t size) {
  Allocation* const allocation = Driver::get().memory().find(address);
  if (size == 0 || allocation == nullptr || allocation->kind != MemoryKind::Managed) return nullptr;
  return allocation->holds(address, size) ? allocation : nullptr;
}

// The older functions name a device, or the host by the number -1.
CUmemLocation location_of(CUdevice device) {
  return device == CU_DEVICE_CPU ? CUmemLocation{CU_MEM_LOCATION_TYPE_HOST, 0}
                                 : CUmemLocation{CU_MEM_LOCATION_TYPE_DEVICE, device};
}

// Measured: a preferred node of the host has no number among the devices, not even the host's (truth
// managed_places/4). After a prefetch to a node the host's is returned (prefetch_batch/24 and 26).
CUdevice device_of(const CUmemLocation& location) {
  switch (location.type) {
    case CU_MEM_LOCATION_TYPE_DEVICE:
      return location.id;
    case CU_MEM_LOCATION_TYPE_HOST:
      return CU_DEVICE_CPU;
    default:
      return CU_DEVICE_INVALID;
  }
}

CUdevice last_prefetch_of(const CUmemLocation& location) {
  const bool node = location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA ||
                    location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
  return node ? CU_DEVICE_CPU : device_of(location);
}

// Measured: 101 for a device that is not there, and 1 for a node of the host (truth managed_refused/19 and
// managed_places/12). The number of the host itself is ignored (managed_places/14). There is one node here.
CUresult check(const CUmemLocation& location) {
  switch (location.type) {
    case CU_MEM_LOCATION_TYPE_DEVICE:
      return Driver::get().device(location.id) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
    case CU_MEM_LOCATION_TYPE_HOST:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
      return CUDA_SUCCESS;
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
      return location.id == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

void keep_prefetched(Allocation& allocation, CUdeviceptr address, std::size_t size,
                     const CUmemLocation& place) {
  allocation.advice.change(address - allocation.base, size,
                           [&place](Advice& advice) { advice.prefetched = place; });
}

CUresult prefetch(CUdeviceptr address, std::size_t size, const CUmemLocation& location, unsigned flags,
                  CUstream stream) {
  const Changing call;
  if (call.error) return call.error;
  Allocation* const allocation = find_managed(address, size);
  if (allocation == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult error = check(location)) return error;
  const Queue* const queue = find_queue(stream, *call.context);
  if (queue == nullptr) return no_stream(stream);
  allocation->advice.prepare(1);
  keep_prefetched(*allocation, address, size, location);
  return CUDA_SUCCESS;
}

// Which ranges go where: the first goes to the first place, and each place serves the ranges from its index
// up to the next one's.
struct Ranges {
  const CUdeviceptr* addresses;
  const std::size_t* sizes;
  std::size_t count;
};
struct Destinations {
  const CUmemLocation* places;
  const std::size_t* first_ranges;
  std::size_t count;
};

CUresult check(const Ranges& ranges, CUstream stream, unsigned long long flags) {
  if (ranges.addresses == nullptr || ranges.sizes == nullptr || ranges.count == 0 || flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  // The manual: not the legacy stream.
  if (stream == nullptr || stream == CU_STREAM_LEGACY) return CUDA_ERROR_INVALID_VALUE;
  for (std::size_t i = 0; i < ranges.count; ++i) {
    if (find_managed(ranges.addresses[i], ranges.sizes[i]) == nullptr) return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

CUresult check(const Destinations& to, std::size_t ranges) {
  if (to.places == nullptr || to.first_ranges == nullptr || to.count == 0 || to.count > ranges)
    return CUDA_ERROR_INVALID_VALUE;
  for (std::size_t i = 0; i < to.count; ++i) {
    const bool ascending = i == 0 ? to.first_ranges[0] == 0 : to.first_ranges[i] >= to.first_ranges[i - 1];
    if (!ascending || to.first_ranges[i] >= ranges) return CUDA_ERROR_INVALID_VALUE;
    if (check(to.places[i]) != CUDA_SUCCESS) return CUDA_ERROR_INVALID_VALUE;  // measured: of any device
  }
  return CUDA_SUCCESS;
}

// Measured: it breaks a capture of its stream.
CUresult may_move_in(CUstream stream, Context& context) {
  Queue* const queue = find_queue(stream, context);
  if (queue == nullptr) return no_stream(stream);
  return queue->capture != nullptr ? queue->capture->forbid() : CUDA_SUCCESS;
}

CUresult prefetch_batch(const Ranges& ranges, const Destinations& to, unsigned long long flags,
                        CUstream stream) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  Context* context = nullptr;
  if (const CUresult error = context_of_call(stream, context)) return error;
  if (const CUresult error = check(ranges, stream, flags)) return error;
  if (const CUresult error = check(to, ranges.count)) return error;
  if (const CUresult error = may_move_in(stream, *context)) return error;
  for (std::size_t i = 0; i < ranges.count; ++i)
    find_managed(ranges.addresses[i], ranges.sizes[i])->advice.prepare(ranges.count);
  std::size_t place = 0;
  for (std::size_t i = 0; i < ranges.count; ++i) {
    while (place + 1 < to.count && to.first_ranges[place + 1] == i) ++place;
    Allocation* const allocation = find_managed(ranges.addresses[i], ranges.sizes[i]);
    keep_prefetched(*allocation, ranges.addresses[i], ranges.sizes[i], to.places[place]);
  }
  return CUDA_SUCCESS;
}

// The bytes of discarded memory are undefined until they are written, so they may as well stay.
CUresult discard_batch(const Ranges& ranges, unsigned long long flags, CUstream stream) {
  const ReadingFor call(stream);
  if (call.error) return call.error;
  if (const CUresult error = check(ranges, stream, flags)) return error;
  return may_move_in(stream, *call.context);
}

// Measured: for some advice the place is not looked at, and of the host's places only the host itself can be
// one that uses the memory (truth managed_refused/26 and 27, managed_places/7 to 11, managed_without_v2/6). A
// place that cannot be is `wrong_place`.
CUresult check(CUmem_advise advice, const CUmemLocation& location, CUresult wrong_place) {
  switch (advice) {
    case CU_MEM_ADVISE_SET_READ_MOSTLY:
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
      return CUDA_SUCCESS;
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
      return check(location) == CUDA_SUCCESS ? CUDA_SUCCESS : wrong_place;
    case CU_MEM_ADVISE_SET_ACCESSED_BY:
    case CU_MEM_ADVISE_UNSET_ACCESSED_BY: {
      const bool host = location.type == CU_MEM_LOCATION_TYPE_HOST;
      const bool device = location.type == CU_MEM_LOCATION_TYPE_DEVICE && check(location) == CUDA_SUCCESS;
      return host || device ? CUDA_SUCCESS : wrong_place;
    }
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

void follow(CUmem_advise advice, const CUmemLocation& location, Advice& kept) {
  const bool device = location.type == CU_MEM_LOCATION_TYPE_DEVICE;
  const auto user = [&] {
    return std::uint32_t{1} << (device ? static_cast<unsigned>(location.id) : kHostBit);
  };
  switch (advice) {
    case CU_MEM_ADVISE_SET_READ_MOSTLY:
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
      kept.read_mostly = advice == CU_MEM_ADVISE_SET_READ_MOSTLY;
      break;
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
      kept.preferred = location;
      break;
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
      kept.preferred = Advice{}.preferred;
      break;
    case CU_MEM_ADVISE_SET_ACCESSED_BY:
      kept.accessed_by |= user();
      break;
    case CU_MEM_ADVISE_UNSET_ACCESSED_BY:
      kept.accessed_by &= ~user();
      break;
    default:
      break;
  }
}

CUresult advise(CUdeviceptr address, std::size_t size, CUmem_advise advice, const CUmemLocation& location,
                CUresult wrong_place) {
  const Changing call;
  if (call.error) return call.error;
  Allocation* const allocation = find_managed(address, size);
  if (allocation == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult error = check(advice, location, wrong_place)) return error;
  allocation->advice.prepare(1);
  allocation->advice.change(address - allocation->base, size,
                            [&](Advice& kept) { follow(advice, location, kept); });
  return CUDA_SUCCESS;
}

CUresult give(void* data, std::size_t size, int value) {
  if (size != sizeof value) return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(data, &value, sizeof value);
  return CUDA_SUCCESS;
}

// As many devices as there is room for; the rest is "no device".
CUresult give_devices(void* data, std::size_t size, std::uint32_t bits) {
  if (size == 0 || size % sizeof(CUdevice) != 0) return CUDA_ERROR_INVALID_VALUE;
  auto* next = static_cast<std::byte*>(data);
  const auto put = [&](CUdevice device) {
    if (size == 0) return;
    std::memcpy(next, &device, sizeof device);
    next += sizeof device;
    size -= sizeof device;
  };
  for (int device = 0; device < Driver::get().device_count(); ++device) {
    if ((bits >> device & 1U) != 0) put(device);
  }
  if ((bits >> kHostBit & 1U) != 0) put(CU_DEVICE_CPU);
  while (size != 0) put(CU_DEVICE_INVALID);
  return CUDA_SUCCESS;
}

CUresult ask(const Advice& advice, CUmem_range_attribute attribute, void* data, std::size_t size) {
  switch (attribute) {
    case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
      return give(data, size, advice.read_mostly ? 1 : 0);
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
      return give(data, size, device_of(advice.preferred));
    case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
      return give_devices(data, size, advice.accessed_by);
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
      return give(data, size, last_prefetch_of(advice.prefetched));
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
      return give(data, size, advice.preferred.type);
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
      return give(data, size, advice.preferred.id);
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
      return give(data, size, advice.prefetched.type);
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
      return give(data, size, advice.prefetched.id);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult attach(CUstream stream, CUdeviceptr address, std::size_t length, unsigned flags) {
  const Reading call;
  if (call.error) return call.error;
  const Queue* const queue = find_queue(stream, *call.context);
  if (queue == nullptr) return no_stream(stream);
  if (queue->capture != nullptr) return queue->capture->forbid();  // measured
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST && flags != CU_MEM_ATTACH_SINGLE) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  // The manual: not the null stream, because it is no specific stream. Measured: CU_STREAM_LEGACY, which
  // names the same one, is accepted (truth managed_attach/5 and 6).
  if (flags == CU_MEM_ATTACH_SINGLE && stream == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Allocation* const allocation = Driver::get().memory().find(address);
  if (allocation == nullptr || allocation->kind != MemoryKind::Managed) return CUDA_ERROR_INVALID_VALUE;
  const bool whole = allocation->base == address && (length == 0 || length == allocation->size);
  return whole ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace

// cuMemPrefetchAsync. Errors: INVALID_VALUE, INVALID_DEVICE.
ON_STREAM(cuMemPrefetchAsync, (CUdeviceptr address, size_t size, CUdevice device, CUstream stream),
          prefetch(address, size, location_of(device), 0, stream))
ON_STREAM(cuMemPrefetchAsync_v2,
          (CUdeviceptr address, size_t size, CUmemLocation location, unsigned int flags, CUstream stream),
          prefetch(address, size, location, flags, stream))

// cuMemPrefetchBatchAsync, cuMemDiscardBatchAsync, cuMemDiscardAndPrefetchBatchAsync. Errors: INVALID_VALUE,
// INVALID_DEVICE.
ON_STREAM(cuMemPrefetchBatchAsync,
          (CUdeviceptr * addresses, size_t* sizes, size_t count, CUmemLocation* places, size_t* first_ranges,
           size_t place_count, unsigned long long flags, CUstream stream),
          prefetch_batch({addresses, sizes, count}, {places, first_ranges, place_count}, flags, stream))
ON_STREAM(cuMemDiscardBatchAsync,
          (CUdeviceptr * addresses, size_t* sizes, size_t count, unsigned long long flags, CUstream stream),
          discard_batch({addresses, sizes, count}, flags, stream))
ON_STREAM(cuMemDiscardAndPrefetchBatchAsync,
          (CUdeviceptr * addresses, size_t* sizes, size_t count, CUmemLocation* places, size_t* first_ranges,
           size_t place_count, unsigned long long flags, CUstream stream),
          prefetch_batch({addresses, sizes, count}, {places, first_ranges, place_count}, flags, stream))

// cuMemAdvise. Errors: INVALID_VALUE, INVALID_DEVICE. Measured: for a device that is not there, 101 without
// _v2, as of a prefetch, and 1 with it (truth managed_without_v2/3 and 5, managed_refused/22 and 25).
CUresult CUDAAPI cuMemAdvise(CUdeviceptr address, size_t size, CUmem_advise advice, CUdevice device) {
  return advise(address, size, advice, location_of(device), CUDA_ERROR_INVALID_DEVICE);
}
CUresult CUDAAPI cuMemAdvise_v2(CUdeviceptr address, size_t size, CUmem_advise advice,
                                CUmemLocation location) {
  return advise(address, size, advice, location, CUDA_ERROR_INVALID_VALUE);
}

// cuMemRangeGetAttribute. Errors: INVALID_VALUE, INVALID_DEVICE. Measured: of a range whose pages differ it
// returns 0, CU_DEVICE_INVALID and the users of all pages (truth managed_advice_of_a_part).
CUresult CUDAAPI cuMemRangeGetAttribute(void* data, size_t data_size, CUmem_range_attribute attribute,
                                        CUdeviceptr address, size_t size) {
  const Reading call;
  if (call.error) return call.error;
  const Allocation* const allocation = find_managed(address, size);
  if (allocation == nullptr || data == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return ask(allocation->advice.common(address - allocation->base, size), attribute, data, data_size);
}

// cuMemRangeGetAttributes. Errors: DEINITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_DEVICE.
CUresult CUDAAPI cuMemRangeGetAttributes(void** data, size_t* data_sizes, CUmem_range_attribute* attributes,
                                         size_t count, CUdeviceptr address, size_t size) {
  const Reading call;
  if (call.error) return call.error;
  const Allocation* const allocation = find_managed(address, size);
  if (allocation == nullptr || data == nullptr || data_sizes == nullptr || attributes == nullptr ||
      count == 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const Advice advice = allocation->advice.common(address - allocation->base, size);
  for (std::size_t i = 0; i < count; ++i) {
    if (data[i] == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = ask(advice, attributes[i], data[i], data_sizes[i])) return error;
  }
  return CUDA_SUCCESS;
}

// cuStreamAttachMemAsync. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE,
// NOT_SUPPORTED. Host and devices can use managed memory at the same time here, whatever it is attached to.
// Measured: the same of an H200, also when the stream is gone (truth managed_attached/12 to 18); 1 for memory
// that is not managed (managed_attach_device_memory and the scenarios after it). For flags 0 the drivers of
// an H100 and an H200 end the process with signal 11 (managed_attach_flags_0); here they are 1, as other
// wrong flags are there (managed_attach_flags_3, _7 and _8).
ON_STREAM(cuStreamAttachMemAsync, (CUstream stream, CUdeviceptr address, size_t length, unsigned int flags),
          attach(stream, address, length, flags))
