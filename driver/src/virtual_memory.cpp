// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Virtual Memory Management".
//
// None of them needs a context. The order of errors, and which ranges must be complete, is measured: truth
// vmm_arguments, memory_pools_vmm. Memory can be shared by a file descriptor (core/shared_file.hpp). Memory
// of the host and multicast are not supported.
#include "core/virtual_memory.hpp"

#include "core/call.hpp"
#include "core/ledger.hpp"
#include "core/stream.hpp"

using namespace driver;

namespace {

constexpr std::uint64_t kGranularity = VirtualMemory::kGranularity;

bool whole(std::uint64_t size) {
  return size != 0 && size % kGranularity == 0;
}

// Measured: types of another system are refused when memory is created, and unknown ones are dropped (truth
// share_create).
constexpr int kOfWindows = CU_MEM_HANDLE_TYPE_WIN32 | CU_MEM_HANDLE_TYPE_WIN32_KMT;
constexpr int kKnownTypes = kOfWindows | CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR | CU_MEM_HANDLE_TYPE_FABRIC;

// What cuMemCreate can make: pinned memory of a device.
CUresult check(const CUmemAllocationProp* properties, Device*& device) {
  if (properties == nullptr || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_NOT_SUPPORTED;
  device = Driver::get().device(properties->location.id);
  return device != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult begin(const ChangingAnywhere& call) {
  return call.error ? call.error : Driver::get().sticky_error.load();
}

// What still uses a mapping in the range.
Completions users_in(CUdeviceptr address, std::size_t size) {
  Completions users;
  for (const std::uint64_t mapping : VirtualMemory::get().mappings_in(address, size)) {
    const Completions more = users_of(mapping);
    users.insert(users.end(), more.begin(), more.end());
  }
  return users;
}

}  // namespace

// cuMemGetAllocationGranularity. Errors: INVALID_VALUE, NOT_INITIALIZED, DEINITIALIZED, NOT_PERMITTED,
// NOT_SUPPORTED. Measured: 2 MiB (memory_pools_vmm, step 4).
CUresult CUDAAPI cuMemGetAllocationGranularity(size_t* size, const CUmemAllocationProp* properties,
                                               CUmemAllocationGranularity_flags option) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (size == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (option != CU_MEM_ALLOC_GRANULARITY_MINIMUM && option != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  Device* device = nullptr;
  if (const CUresult error = check(properties, device)) return error;
  *size = kGranularity;
  return CUDA_SUCCESS;
}

// cuMemCreate. Errors: INVALID_VALUE, OUT_OF_MEMORY, INVALID_DEVICE, NOT_INITIALIZED, DEINITIALIZED,
// NOT_PERMITTED, NOT_SUPPORTED. Measured: a size that is no multiple of the granularity gives 1
// (memory_pools_vmm, step 6).
CUresult CUDAAPI cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size,
                             const CUmemAllocationProp* properties, unsigned long long flags) {
  const ChangingAnywhere call;
  if (const CUresult error = begin(call)) return error;
  if (handle == nullptr || flags != 0 || !whole(size)) return CUDA_ERROR_INVALID_VALUE;
  Device* device = nullptr;
  if (const CUresult error = check(properties, device)) return error;
  const int types = properties->requestedHandleTypes & kKnownTypes;
  if ((types & kOfWindows) != 0) return CUDA_ERROR_INVALID_VALUE;
  if ((types & CU_MEM_HANDLE_TYPE_FABRIC) != 0) return CUDA_ERROR_NOT_SUPPORTED;
  CUmemAllocationProp wanted = *properties;
  wanted.requestedHandleTypes = static_cast<CUmemAllocationHandleType>(types);
  return VirtualMemory::get().create(*device, size, wanted, *handle);
}

// cuMemRelease. Errors: INVALID_VALUE, NOT_INITIALIZED, DEINITIALIZED, NOT_PERMITTED, NOT_SUPPORTED. What is
// mapped stays until it is unmapped (vmm_arguments, steps 16 to 18), and until then only this call refuses
// the handle (vmm_steps, steps 160 to 162).
CUresult CUDAAPI cuMemRelease(CUmemGenericAllocationHandle handle) {
  const ChangingAnywhere call;
  if (const CUresult error = begin(call)) return error;
  const PhysicalMemory* const physical = VirtualMemory::get().find(handle);
  if (physical == nullptr || physical->holders == 0) return CUDA_ERROR_INVALID_VALUE;
  VirtualMemory::get().release(handle);
  return CUDA_SUCCESS;
}

// cuMemExportToShareableHandle. Errors: INVALID_VALUE, NOT_INITIALIZED, DEINITIALIZED, NOT_PERMITTED,
// NOT_SUPPORTED. A new descriptor each time, which the program closes. OPERATING_SYSTEM when there is none,
// or when the program has closed the driver's. Measured: vmm_export; a handle that is a made-up number ends
// the process there. A released handle can be exported while the memory is mapped (vmm_released, step 5); an
// imported one cannot (vmm_second_process, step 2).
CUresult CUDAAPI cuMemExportToShareableHandle(void* shareable, CUmemGenericAllocationHandle handle,
                                              CUmemAllocationHandleType type, unsigned long long flags) {
  const ChangingAnywhere call;
  if (const CUresult error = begin(call)) return error;
  const PhysicalMemory* const physical = VirtualMemory::get().find(handle);
  if (shareable == nullptr || physical == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  // Imported memory has no handle types, so it cannot be exported again (truth share_importer, step 13).
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || physical->properties.requestedHandleTypes != type)
    return CUDA_ERROR_INVALID_VALUE;
  const int descriptor = physical->file->share();
  if (descriptor < 0) return CUDA_ERROR_OPERATING_SYSTEM;
  return answer_with(shareable, descriptor);
}

// cuMemImportFromShareableHandle. Errors: INVALID_VALUE, NOT_INITIALIZED, DEINITIALIZED, NOT_PERMITTED,
// NOT_SUPPORTED. The descriptor is the program's to close. Measured: each import is a handle of its own, and
// its properties name no type of handle (vmm_importer, steps 3 and 6).
CUresult CUDAAPI cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* shareable,
                                                CUmemAllocationHandleType type) {
  const ChangingAnywhere call;
  if (const CUresult error = begin(call)) return error;
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (type == CU_MEM_HANDLE_TYPE_WIN32 || type == CU_MEM_HANDLE_TYPE_WIN32_KMT)
    return CUDA_ERROR_NOT_SUPPORTED;
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return CUDA_ERROR_INVALID_VALUE;
  const auto descriptor = static_cast<int>(reinterpret_cast<std::intptr_t>(shareable));
  auto file = SharedFile::import(descriptor);
  if (file == nullptr) {
    const bool of_pool = LedgerKey::read_file(descriptor, Lent::Pool).has_value();
    return of_pool ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_UNKNOWN;
  }
  return VirtualMemory::get().import(std::move(file), *handle);
}

// cuMemRetainAllocationHandle. Errors: INVALID_VALUE, NOT_INITIALIZED, DEINITIALIZED, NOT_PERMITTED,
// NOT_SUPPORTED. Measured: the same handle, even after its release (vmm_arguments, steps 19 and 20).
CUresult CUDAAPI cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
  const ChangingAnywhere call;
  if (const CUresult error = begin(call)) return error;
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUmemGenericAllocationHandle mapped =
      VirtualMemory::get().mapped_at(reinterpret_cast<std::uint64_t>(address));
  if (mapped == 0) return CUDA_ERROR_INVALID_VALUE;
  VirtualMemory::get().retain(mapped);
  *handle = mapped;
  return CUDA_SUCCESS;
}

// cuMemGetAllocationPropertiesFromHandle. Errors: INVALID_VALUE, NOT_INITIALIZED, DEINITIALIZED,
// NOT_PERMITTED, NOT_SUPPORTED.
CUresult CUDAAPI cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                        CUmemGenericAllocationHandle handle) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  const PhysicalMemory* const physical = VirtualMemory::get().find(handle);
  if (properties == nullptr || physical == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *properties = physical->properties;
  return CUDA_SUCCESS;
}

// cuMemAddressReserve. Errors: INVALID_VALUE, OUT_OF_MEMORY, NOT_INITIALIZED, DEINITIALIZED, NOT_PERMITTED,
// NOT_SUPPORTED. Measured: sizes that are no multiple of the granularity and alignments that are no power of
// two give 1 (vmm_arguments, steps 27 and 28). The wanted address is a hint.
CUresult CUDAAPI cuMemAddressReserve(CUdeviceptr* address, size_t size, size_t alignment, CUdeviceptr wanted,
                                     unsigned long long flags) {
  const ChangingAnywhere call;
  if (const CUresult error = begin(call)) return error;
  if (address == nullptr || flags != 0 || !whole(size)) return CUDA_ERROR_INVALID_VALUE;
  if ((alignment & (alignment - 1)) != 0) return CUDA_ERROR_INVALID_VALUE;
  return VirtualMemory::get().reserve(size, alignment > kGranularity ? alignment : kGranularity, wanted,
                                      *address);
}

// cuMemAddressFree. Errors: INVALID_VALUE, NOT_INITIALIZED, DEINITIALIZED, NOT_PERMITTED, NOT_SUPPORTED. Only
// a whole reservation, with nothing mapped (vmm_arguments, step 25).
CUresult CUDAAPI cuMemAddressFree(CUdeviceptr address, size_t size) {
  const ChangingAnywhere call;
  if (const CUresult error = begin(call)) return error;
  return VirtualMemory::get().unreserve(address, size);
}

// cuMemMap. Errors: INVALID_VALUE, INVALID_DEVICE, OUT_OF_MEMORY, NOT_INITIALIZED, DEINITIALIZED,
// NOT_PERMITTED, NOT_SUPPORTED, ILLEGAL_STATE. Measured: anything but the whole memory gives 801, whatever
// the size and the offset, before the address is looked at; addresses that are taken give 1 (vmm_arguments,
// steps 3 to 6).
CUresult CUDAAPI cuMemMap(CUdeviceptr address, size_t size, size_t offset,
                          CUmemGenericAllocationHandle handle, unsigned long long flags) {
  const ChangingAnywhere call;
  if (const CUresult error = begin(call)) return error;
  const PhysicalMemory* const physical = VirtualMemory::get().find(handle);
  if (physical == nullptr || flags != 0 || size == 0) return CUDA_ERROR_INVALID_VALUE;
  if (offset != 0 || size != physical->size) return CUDA_ERROR_NOT_SUPPORTED;
  if (address % kGranularity != 0) return CUDA_ERROR_INVALID_VALUE;
  return VirtualMemory::get().map(address, size, handle);
}

// cuMemUnmap. Errors: INVALID_VALUE, NOT_INITIALIZED, DEINITIALIZED, NOT_PERMITTED, NOT_SUPPORTED. Whole
// mappings only (vmm_arguments, step 22); where nothing is mapped there is nothing to do, whatever the size,
// if the address is reserved (vmm_steps, steps 173 to 175; vmm_unmap_ranges). Waits for what still uses them,
// as freeing does. On an H200 a fill of the process's own memory arrived as well (vmm_fill_then_unmap). On an
// H100 a fill of imported memory did not: the context returned 719 from then on (vmm_importer, steps 14 to
// 25); with a wait in between nothing failed on an H200 (vmm_second_process).
CUresult CUDAAPI cuMemUnmap(CUdeviceptr address, size_t size) {
  if (const CUresult error = Driver::ready()) return error;
  const auto lock = lock_when_done([address, size] { return users_in(address, size); });
  if (const CUresult error = Driver::get().sticky_error) return error;
  return VirtualMemory::get().unmap(address, size);
}

// cuMemSetAccess. Errors: INVALID_VALUE, INVALID_DEVICE, NOT_SUPPORTED. The manual wants a range that is
// mapped completely. Measured: 1 where it is not mapped at its end (vmm_arguments, step 7), and success with
// a gap in the middle (vmm_unmap_ranges, step 19).
CUresult CUDAAPI cuMemSetAccess(CUdeviceptr address, size_t size, const CUmemAccessDesc* access,
                                size_t count) {
  if (const CUresult error = Driver::ready()) return error;
  const auto lock = lock_when_done([address, size] { return users_in(address, size); });
  Driver& driver = Driver::get();
  if (const CUresult error = driver.sticky_error) return error;
  if (access == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
  for (std::size_t i = 0; i < count; ++i) {
    if (access[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_NOT_SUPPORTED;
    if (driver.device(access[i].location.id) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    const int flags = access[i].flags;
    if (flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
        flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
      return CUDA_ERROR_INVALID_VALUE;
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Device& device = *driver.device(access[i].location.id);
    if (const CUresult error = VirtualMemory::get().set_access(address, size, device, access[i].flags)) {
      return error;
    }
  }
  return CUDA_SUCCESS;
}

// cuMemGetAccess. Errors: INVALID_VALUE, INVALID_DEVICE, NOT_INITIALIZED, DEINITIALIZED. Measured: where
// nothing is mapped 1, and the result says none (vmm_arguments, steps 11 and 12).
CUresult CUDAAPI cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location,
                                CUdeviceptr address) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (flags == nullptr || location == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (location->type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_NOT_SUPPORTED;
  const Device* const device = Driver::get().device(location->id);
  if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  CUmemAccess_flags found = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  const bool mapped = VirtualMemory::get().access(address, *device, found);
  *flags = found;
  return mapped ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// cuMemMapArrayAsync. Errors: INVALID_VALUE, INVALID_HANDLE, DEINITIALIZED, NOT_INITIALIZED. Only for sparse
// arrays, and there are none (CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED is 0). Measured: an array that
// is not sparse gives 1, as do an empty list and no array, before cuInit too (truth rest_map_array,
// rest_before_init).
CUresult CUDAAPI cuMemMapArrayAsync(CUarrayMapInfo*, unsigned int, CUstream) {
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuMemMapArrayAsync_ptsz(CUarrayMapInfo*, unsigned int, CUstream) {
  return CUDA_ERROR_INVALID_VALUE;
}
