// SPDX-License-Identifier: MIT
// Virtual memory management: addresses without memory, memory without addresses, and the mappings between.
//
// A reservation is a range that the host cannot touch, with a second range of the same size where only this
// driver looks. Mapping puts pieces of a device's memory file into the second one; the first stays what it
// is, and kernels get the pieces there by the journal, once cuMemSetAccess has been called. Guarded by
// Driver's lock, exclusive. Does not depend on entry points.
//
// Memory that may be shared lies in a file of its own (shared_file.hpp) instead of the device's.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/assured.hpp"
#include "core/device.hpp"
#include "core/memory.hpp"
#include "core/shared_file.hpp"

namespace driver {

// The object of a CUmemGenericAllocationHandle. Alive while a handle is not released or it is mapped.
struct PhysicalMemory {
  Device* device = nullptr;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  CUmemAllocationProp properties{};
  std::shared_ptr<const SharedFile> file = nullptr;  // of memory that may be shared
  bool taken = false;                                // `offset` is a place in the device's memory
  unsigned holders = 1;
  unsigned mappings = 0;  // and uses as external memory
};

class VirtualMemory {
 public:
  static constexpr std::uint64_t kGranularity = Memory::kBlockSize;

  static VirtualMemory& get();

  CUresult create(Device& device, std::uint64_t size, const CUmemAllocationProp& properties,
                  CUmemGenericAllocationHandle& handle);
  // Memory that another call of create() has made, here or in another process.
  CUresult import(std::shared_ptr<const SharedFile> file, CUmemGenericAllocationHandle& handle);
  // Null when the memory is gone. While it is mapped, its handle is good also after the last release.
  PhysicalMemory* find(CUmemGenericAllocationHandle handle);
  void release(CUmemGenericAllocationHandle handle);
  // For memory that is mapped, even if its handle was released.
  void retain(CUmemGenericAllocationHandle handle) { ++physical_.at(handle).holders; }

  // Memory that this process has made stays as if it were mapped, from the one to the other: external memory
  // of its file. The handle; 0 where another process has made it.
  CUmemGenericAllocationHandle keep(const SharedFile& file);
  void let_go(CUmemGenericAllocationHandle handle);

  CUresult reserve(std::uint64_t size, std::uint64_t alignment, std::uint64_t wanted, CUdeviceptr& address);
  // INVALID_VALUE unless the range is a whole reservation with nothing mapped.
  CUresult unreserve(std::uint64_t address, std::uint64_t size);

  CUresult map(std::uint64_t address, std::uint64_t size, CUmemGenericAllocationHandle handle);
  // Where the mappings in a range begin.
  std::vector<std::uint64_t> mappings_in(std::uint64_t address, std::uint64_t size) const;
  // The range has to begin at a reserved address and must not cut a mapping in two. It may have addresses
  // where nothing is mapped, and end behind the reservation.
  CUresult unmap(std::uint64_t address, std::uint64_t size);
  // Like unmap(), and something has to be mapped at both ends.
  CUresult set_access(std::uint64_t address, std::uint64_t size, const Device& device,
                      CUmemAccess_flags flags);
  // False when nothing is mapped there.
  bool access(std::uint64_t address, const Device& device, CUmemAccess_flags& flags) const;
  // The handle of the memory that is mapped at an address; 0 if there is none.
  CUmemGenericAllocationHandle mapped_at(std::uint64_t address) const;
  CUmemAllocationHandleType handle_types_at(std::uint64_t address) const;

 private:
  struct Reservation {
    std::uint64_t size = 0;
    std::byte* view = nullptr;
  };
  struct Piece {
    std::uint64_t size = 0;
    CUmemGenericAllocationHandle handle = 0;
    std::array<CUmemAccess_flags, 8> access{};  // by device
  };

  const std::pair<const std::uint64_t, Reservation>* reservation_of(std::uint64_t address,
                                                                    std::uint64_t size) const;
  const std::pair<const std::uint64_t, Piece>* mapping_at(std::uint64_t address) const;
  bool has_whole_mappings(std::uint64_t address, std::uint64_t size) const;
  void tell(std::uint64_t address, const Piece& mapping);
  void drop_if_unused(CUmemGenericAllocationHandle handle);

  AssuredMap<std::uint64_t, Reservation> reservations_;
  AssuredMap<std::uint64_t, Piece> mappings_;
  AssuredMap<CUmemGenericAllocationHandle, PhysicalMemory> physical_;
  CUmemGenericAllocationHandle next_handle_ = 1;
  std::uint64_t next_address_ = 0x7ee000000000;  // after the devices' own
};

}  // namespace driver
