// SPDX-License-Identifier: MIT
// See virtual_memory.hpp: the calls of mmap, and the tables of reservations, pieces of memory and mappings.
#include "core/virtual_memory.hpp"

#include <sys/mman.h>

#include <algorithm>

#include "core/driver.hpp"
#include "core/reserved_range.hpp"

namespace driver {
namespace {

// Puts nothing there again; the addresses stay taken. False, with everything as it was, only where even that
// takes memory of the kernel that it does not have.
bool empty_range(void* where, std::uint64_t size) {
  return mmap(where, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) ==
         where;
}

}  // namespace

VirtualMemory& VirtualMemory::get() {
  static auto* const only = new VirtualMemory;
  return *only;
}

CUresult VirtualMemory::create(Device& device, std::uint64_t size, const CUmemAllocationProp& properties,
                               CUmemGenericAllocationHandle& handle) {
  std::shared_ptr<const SharedFile> file;
  if (properties.requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE) {
    file = SharedFile::create(size, properties);
    if (file == nullptr) return CUDA_ERROR_OPERATING_SYSTEM;
  }
  // Also where the bytes lie in a file of their own: they count as the device's.
  const auto offset = Driver::get().memory().take_physical(device, size);
  if (!offset) return CUDA_ERROR_OUT_OF_MEMORY;
  handle = next_handle_++;
  physical_.emplace(handle, PhysicalMemory{.device = &device,
                                           .offset = *offset,
                                           .size = size,
                                           .properties = properties,
                                           .file = std::move(file),
                                           .taken = true});
  return CUDA_SUCCESS;
}

CUresult VirtualMemory::import(std::shared_ptr<const SharedFile> file, CUmemGenericAllocationHandle& handle) {
  Device* const device = Driver::get().device(file->properties().location.id);
  if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  handle = next_handle_++;
  const std::uint64_t size = file->size();
  const CUmemAllocationProp properties = file->properties();
  physical_.emplace(
      handle,
      PhysicalMemory{.device = device, .size = size, .properties = properties, .file = std::move(file)});
  return CUDA_SUCCESS;
}

PhysicalMemory* VirtualMemory::find(CUmemGenericAllocationHandle handle) {
  const auto entry = physical_.find(handle);
  return entry != physical_.end() ? &entry->second : nullptr;
}

void VirtualMemory::release(CUmemGenericAllocationHandle handle) {
  --physical_.at(handle).holders;
  drop_if_unused(handle);
}

CUmemGenericAllocationHandle VirtualMemory::keep(const SharedFile& file) {
  const auto made = std::find_if(physical_.begin(), physical_.end(), [&file](const auto& entry) {
    return entry.second.taken && entry.second.file != nullptr && entry.second.file->number() == file.number();
  });
  if (made == physical_.end()) return 0;
  ++made->second.mappings;
  return made->first;
}

void VirtualMemory::let_go(CUmemGenericAllocationHandle handle) {
  --physical_.at(handle).mappings;
  drop_if_unused(handle);
}

void VirtualMemory::drop_if_unused(CUmemGenericAllocationHandle handle) {
  const PhysicalMemory& physical = physical_.at(handle);
  if (physical.holders > 0 || physical.mappings > 0) return;
  if (physical.taken)
    Driver::get().memory().give_back_physical(*physical.device, physical.offset, physical.size);
  physical_.erase(handle);
}

CUresult VirtualMemory::reserve(std::uint64_t size, std::uint64_t alignment, std::uint64_t wanted,
                                CUdeviceptr& address) {
  void* base = wanted != 0 && wanted % alignment == 0 ? reserve_range(wanted, size) : nullptr;
  if (base == nullptr) base = reinterpret_cast<void*>(reserve_next_range(next_address_, size, alignment));
  if (base == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  void* const view = reserve_range(0, size);
  if (view == nullptr) {
    munmap(base, size);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  madvise(view, size, MADV_DONTFORK);
  address = reinterpret_cast<CUdeviceptr>(base);
  reservations_.emplace(address, Reservation{size, static_cast<std::byte*>(view)});
  Driver::get().memory().reserve(address, size);
  return CUDA_SUCCESS;
}

CUresult VirtualMemory::unreserve(std::uint64_t address, std::uint64_t size) {
  const auto entry = reservations_.find(address);
  if (entry == reservations_.end() || entry->second.size != size) return CUDA_ERROR_INVALID_VALUE;
  const auto mapped = mappings_.lower_bound(address);
  if (mapped != mappings_.end() && mapped->first - address < size) return CUDA_ERROR_INVALID_VALUE;
  munmap(reinterpret_cast<void*>(address), size);
  munmap(entry->second.view, size);
  Driver::get().memory().unreserve(address);
  reservations_.erase(entry);
  return CUDA_SUCCESS;
}

const std::pair<const std::uint64_t, VirtualMemory::Reservation>* VirtualMemory::reservation_of(
    std::uint64_t address, std::uint64_t size) const {
  const auto after = reservations_.upper_bound(address);
  if (after == reservations_.begin()) return nullptr;
  const auto& candidate = *std::prev(after);
  const std::uint64_t offset = address - candidate.first;
  return offset < candidate.second.size && size <= candidate.second.size - offset ? &candidate : nullptr;
}

const std::pair<const std::uint64_t, VirtualMemory::Piece>* VirtualMemory::mapping_at(
    std::uint64_t address) const {
  const auto after = mappings_.upper_bound(address);
  if (after == mappings_.begin()) return nullptr;
  const auto& candidate = *std::prev(after);
  return address - candidate.first < candidate.second.size ? &candidate : nullptr;
}

bool VirtualMemory::has_whole_mappings(std::uint64_t address, std::uint64_t size) const {
  if (size == 0 || address + size < address || reservation_of(address, 1) == nullptr) return false;
  const auto begins_at = [this](std::uint64_t border) {
    const auto* const mapping = mapping_at(border);
    return mapping == nullptr || mapping->first == border;
  };
  return begins_at(address) && begins_at(address + size);
}

CUresult VirtualMemory::map(std::uint64_t address, std::uint64_t size, CUmemGenericAllocationHandle handle) {
  const auto* const reservation = reservation_of(address, size);
  if (reservation == nullptr || mapping_at(address) != nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto next = mappings_.upper_bound(address);
  if (next != mappings_.end() && next->first - address < size) return CUDA_ERROR_INVALID_VALUE;
  PhysicalMemory& physical = physical_.at(handle);
  Memory& memory = Driver::get().memory();
  std::byte* const view = reservation->second.view + (address - reservation->first);
  const int descriptor =
      physical.file != nullptr ? physical.file->descriptor() : memory.arena(*physical.device).descriptor();
  // Where a limit left only anonymous memory there is nothing that could be mapped a second time.
  if (descriptor < 0) return CUDA_ERROR_NOT_SUPPORTED;
  if (physical.file != nullptr && !physical.file->intact()) return CUDA_ERROR_OPERATING_SYSTEM;
  const std::uint64_t offset = physical.file != nullptr ? 0 : physical.offset;
  if (mmap(view, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, descriptor,
           static_cast<off_t>(offset)) == MAP_FAILED) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  madvise(view, size, MADV_DONTFORK);
  ++physical.mappings;
  mappings_.emplace(address, Piece{.size = size, .handle = handle});
  memory.attach({.base = address,
                 .size = size,
                 .kind = MemoryKind::Virtual,
                 .owner = &Driver::get().primary(*physical.device),
                 .view = view,
                 .access = CU_MEM_ACCESS_FLAGS_PROT_NONE});
  return CUDA_SUCCESS;
}

std::vector<std::uint64_t> VirtualMemory::mappings_in(std::uint64_t address, std::uint64_t size) const {
  std::vector<std::uint64_t> result;
  for (auto entry = mappings_.lower_bound(address); entry != mappings_.end() && entry->first - address < size;
       ++entry)
    result.push_back(entry->first);
  return result;
}

CUresult VirtualMemory::unmap(std::uint64_t address, std::uint64_t size) {
  if (!has_whole_mappings(address, size)) return CUDA_ERROR_INVALID_VALUE;
  Memory& memory = Driver::get().memory();
  for (const std::uint64_t base : mappings_in(address, size)) {
    const auto entry = mappings_.find(base);
    const Piece mapping = entry->second;
    mappings_.erase(entry);
    const Allocation gone = memory.detach(base);
    if (gone.access != CU_MEM_ACCESS_FLAGS_PROT_NONE) memory.journal().unmap(base);
    if (!empty_range(gone.view, mapping.size)) mprotect(gone.view, mapping.size, PROT_NONE);
    let_go(mapping.handle);
  }
  return CUDA_SUCCESS;
}

CUresult VirtualMemory::set_access(std::uint64_t address, std::uint64_t size, const Device& device,
                                   CUmemAccess_flags flags) {
  if (!has_whole_mappings(address, size) || mapping_at(address) == nullptr ||
      mapping_at(address + size - 1) == nullptr)
    return CUDA_ERROR_INVALID_VALUE;
  for (auto entry = mappings_.find(address); entry != mappings_.end() && entry->first - address < size;
       ++entry) {
    entry->second.access[static_cast<std::size_t>(device.ordinal())] = flags;
    tell(entry->first, entry->second);
  }
  return CUDA_SUCCESS;
}

// Updates the access to a mapping for copies (the allocation) and for kernels (the journal). A kernel's
// process has one access for all devices: the widest. Memory that several devices may use is visible to all.
void VirtualMemory::tell(std::uint64_t address, const Piece& mapping) {
  Memory& memory = Driver::get().memory();
  Allocation& allocation = *memory.find(address);
  const CUmemAccess_flags widest = *std::max_element(mapping.access.begin(), mapping.access.end());
  if (allocation.access != CU_MEM_ACCESS_FLAGS_PROT_NONE) memory.journal().unmap(address);
  allocation.access = widest;
  if (widest == CU_MEM_ACCESS_FLAGS_PROT_NONE) return;
  const PhysicalMemory& physical = physical_.at(mapping.handle);
  const auto none = std::count(mapping.access.begin(), mapping.access.end(), CU_MEM_ACCESS_FLAGS_PROT_NONE);
  const bool one_device = none == static_cast<std::ptrdiff_t>(mapping.access.size()) - 1;
  const auto first = std::find_if(mapping.access.begin(), mapping.access.end(), [](CUmemAccess_flags flags) {
    return flags != CU_MEM_ACCESS_FLAGS_PROT_NONE;
  });
  Driver& driver = Driver::get();
  Device* const user = driver.device(static_cast<int>(first - mapping.access.begin()));
  const bool apart = physical.file != nullptr;
  memory.journal().map(
      {.source = static_cast<unsigned>(apart ? physical.file->descriptor() : physical.device->ordinal()),
       .file = apart ? physical.file->number() : 0,
       .offset = apart ? 0 : physical.offset,
       .address = address,
       .size = mapping.size,
       .owner = one_device ? &driver.primary(*user) : nullptr,
       .access =
           widest == CU_MEM_ACCESS_FLAGS_PROT_READ ? Mapping::Access::ReadOnly : Mapping::Access::ReadWrite});
}

bool VirtualMemory::access(std::uint64_t address, const Device& device, CUmemAccess_flags& flags) const {
  const auto* const mapping = mapping_at(address);
  if (mapping == nullptr) return false;
  flags = mapping->second.access[static_cast<std::size_t>(device.ordinal())];
  return true;
}

CUmemGenericAllocationHandle VirtualMemory::mapped_at(std::uint64_t address) const {
  const auto* const mapping = mapping_at(address);
  return mapping != nullptr ? mapping->second.handle : 0;
}

CUmemAllocationHandleType VirtualMemory::handle_types_at(std::uint64_t address) const {
  const auto* const mapping = mapping_at(address);
  return mapping != nullptr ? physical_.at(mapping->second.handle).properties.requestedHandleTypes
                            : CU_MEM_HANDLE_TYPE_NONE;
}

}  // namespace driver
