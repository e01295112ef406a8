// SPDX-License-Identifier: MIT
// See external_memory.hpp: what keeps the memory, and how a buffer becomes an allocation.
#include "core/external_memory.hpp"

#include <algorithm>

#include "core/driver.hpp"
#include "core/virtual_memory.hpp"

namespace driver {
namespace {

AssuredSet<const void*>& external_memories() {
  static auto* const all = new AssuredSet<const void*>;
  return *all;
}

}  // namespace

class ExternalMemory::Source {
 public:
  explicit Source(std::shared_ptr<const SharedFile> shared)
      : file(std::move(shared)), kept_(VirtualMemory::get().keep(*file)) {}
  ~Source() {
    if (kept_ != 0) VirtualMemory::get().let_go(kept_);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  const std::shared_ptr<const SharedFile> file;

 private:
  const CUmemGenericAllocationHandle kept_;
};

ExternalMemory::ExternalMemory(Context& home, std::shared_ptr<const SharedFile> file, std::uint64_t size)
    : context(home), source_(std::make_shared<const Source>(std::move(file))), size_(size) {
  external_memories().insert(this);
}

ExternalMemory::~ExternalMemory() {
  external_memories().erase(this);
}

ExternalMemory* ExternalMemory::find(CUexternalMemory handle) {
  auto* const memory = reinterpret_cast<ExternalMemory*>(handle);
  return external_memories().contains(memory) ? memory : nullptr;
}

// Measured: the size of the import is not compared with the memory's own before a buffer is asked for (truth
// external_import, steps 23 to 33), and a buffer may begin at any byte (external_buffer, step 29).
CUresult ExternalMemory::map(std::uint64_t offset, std::uint64_t size, CUdeviceptr& address) const {
  const std::uint64_t there = std::min(size_, source_->file->size());
  if (size == 0 || offset > there || size > there - offset) return CUDA_ERROR_INVALID_VALUE;
  if (!source_->file->intact()) return CUDA_ERROR_OPERATING_SYSTEM;
  const auto buffer = std::make_shared<ExternalBuffer>(source_, offset, size, context);
  if (!buffer->open()) return CUDA_ERROR_MAP_FAILED;
  Memory& memory = Driver::get().memory();
  memory.journal().map(buffer->mapping());
  address = buffer->window().address();
  memory.attach({.base = address,
                 .size = size,
                 .kind = MemoryKind::Device,
                 .owner = &context,
                 .view = buffer->window().view(),
                 .external = buffer});
  return CUDA_SUCCESS;
}

ExternalBuffer::ExternalBuffer(std::shared_ptr<const ExternalMemory::Source> source, std::uint64_t offset,
                               std::uint64_t size, const Context& owner)
    : source_(std::move(source)), window_(offset, size), owner_(owner) {}

bool ExternalBuffer::open() {
  return window_.open(source_->file->descriptor());
}

Mapping ExternalBuffer::mapping() const {
  return window_.mapping(source_->file->descriptor(), source_->file->number(), owner_);
}

}  // namespace driver
