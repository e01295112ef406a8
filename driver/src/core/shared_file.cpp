// SPDX-License-Identifier: MIT
// See shared_file.hpp: the last page of a file is its label.
#include "core/shared_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/arena.hpp"
#include "core/memory.hpp"

namespace driver {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kRightMagic = 0x31464853424c44;  // "DLBSHF1"

// The rest of CUmemAllocationProp is for the process that makes the memory.
struct Label {
  std::uint64_t magic = 0;
  std::uint64_t size = 0;
  std::int32_t type = 0;
  std::int32_t location_type = 0;
  std::int32_t device = 0;
};

}  // namespace

std::shared_ptr<const SharedFile> SharedFile::create(std::uint64_t size,
                                                     const CUmemAllocationProp& properties) {
  std::shared_ptr<SharedFile> made(new SharedFile);  // first, so that no open descriptor is lost
  made->descriptor_ = create_memory_file("embedded-gpu-shared", size + kPage);
  if (made->descriptor_ < 0) return nullptr;
  made->number_ = file_number(made->descriptor_);
  made->size_ = size;
  made->properties_ = properties;
  const Label label{.magic = kRightMagic,
                    .size = size,
                    .type = properties.type,
                    .location_type = properties.location.type,
                    .device = properties.location.id};
  const auto place = static_cast<off_t>(size);
  if (pwrite(made->descriptor_, &label, sizeof label, place) != static_cast<ssize_t>(sizeof label))
    return nullptr;
  return made;
}

std::shared_ptr<const SharedFile> SharedFile::import(int descriptor) {
  struct stat status = {};
  const int seals = fcntl(descriptor, F_GET_SEALS);
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || fstat(descriptor, &status) != 0) return nullptr;
  const auto bytes = static_cast<std::uint64_t>(status.st_size);
  if (bytes <= kPage) return nullptr;
  const std::uint64_t size = bytes - kPage;
  Label label;
  if (pread(descriptor, &label, sizeof label, static_cast<off_t>(size)) != static_cast<ssize_t>(sizeof label))
    return nullptr;
  const bool right = label.magic == kRightMagic && label.size == size && size % Memory::kBlockSize == 0 &&
                     label.type == CU_MEM_ALLOCATION_TYPE_PINNED &&
                     label.location_type == CU_MEM_LOCATION_TYPE_DEVICE;
  if (!right) return nullptr;
  std::shared_ptr<SharedFile> made(new SharedFile);
  made->descriptor_ = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  if (made->descriptor_ < 0) return nullptr;
  made->number_ = status.st_ino;
  made->size_ = size;
  made->properties_.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  // Measured: requestedHandleTypes of imported memory is 0.
  made->properties_.location = {CU_MEM_LOCATION_TYPE_DEVICE, label.device};
  return made;
}

SharedFile::~SharedFile() {
  if (intact()) close(descriptor_);
}

int SharedFile::share() const {
  return intact() ? fcntl(descriptor_, F_DUPFD_CLOEXEC, 3) : -1;
}

bool SharedFile::intact() const {
  return number_ != 0 && file_number(descriptor_) == number_;
}

}  // namespace driver
