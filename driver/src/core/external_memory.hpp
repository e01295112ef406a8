// SPDX-License-Identifier: MIT
// External memory: a file of memory that cuMemCreate has made, here or in another process, and its buffers.
//
// A buffer is an allocation of the context that has imported the memory, at addresses of its own
// (file_window.hpp). It stays when the external memory is destroyed. Both keep the memory: where this process
// has made it, it counts as the device's as long. Guarded by Driver's lock, exclusive. Does not depend on
// entry points.
#pragma once

#include <cstdint>
#include <memory>

#include "core/context.hpp"
#include "core/file_window.hpp"
#include "core/shared_file.hpp"

namespace driver {

class ExternalMemory : public OwnedObject {
 public:
  // `size` is what the program says; the memory's own may be another.
  ExternalMemory(Context& home, std::shared_ptr<const SharedFile> file, std::uint64_t size);
  ~ExternalMemory() override;

  CUexternalMemory handle() { return reinterpret_cast<CUexternalMemory>(this); }
  // Null for a handle that is none.
  static ExternalMemory* find(CUexternalMemory handle);
  // INVALID_VALUE for what it does not have, MAP_FAILED if there is no place for a buffer, OPERATING_SYSTEM
  // if the program has closed the driver's file.
  CUresult map(std::uint64_t offset, std::uint64_t size, CUdeviceptr& address) const;

  Context& context;

 private:
  friend class ExternalBuffer;
  class Source;

  const std::shared_ptr<const Source> source_;
  const std::uint64_t size_;
};

class ExternalBuffer {
 public:
  ExternalBuffer(std::shared_ptr<const ExternalMemory::Source> source, std::uint64_t offset,
                 std::uint64_t size, const Context& owner);
  bool open();
  const FileWindow& window() const { return window_; }
  Mapping mapping() const;

 private:
  const std::shared_ptr<const ExternalMemory::Source> source_;
  FileWindow window_;
  const Context& owner_;
};

}  // namespace driver
