// SPDX-License-Identifier: MIT
// What a program prints, and its place between the calls: two files in memory that it appends to, and the
// cutting of them into Output events. Bytes are kept as they are; the viewer decides what they mean.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "file_descriptor.hpp"
#include "trace/store.hpp"

namespace lab {

class OutputFiles {
 public:
  using Sizes = std::array<std::uint64_t, 2>;  // of stdout and stderr

  // Nothing on failure, with errno. `most_bytes`: of both together; what is beyond is not kept.
  static std::optional<OutputFiles> create(std::uint64_t most_bytes);
  int descriptor(int which) const { return files_[static_cast<std::size_t>(which)].get(); }
  Sizes sizes() const;
  // Appends what was written up to these sizes and is not yet in the store, but for the beginning of a UTF-8
  // character whose end may still come: programs write when a buffer is full, wherever that is. Returns the
  // number of events.
  std::size_t append_until(const Sizes& sizes, std::uint64_t t_ns, trace::Store& store);
  // The same of all that there is, when nothing more will come.
  std::size_t append_rest(std::uint64_t t_ns, trace::Store& store);

 private:
  OutputFiles() = default;
  std::size_t append_one(std::size_t which, std::uint64_t until, std::uint64_t t_ns, trace::Store& store,
                         bool last);
  std::array<FileDescriptor, 2> files_;
  Sizes taken_{};
  std::uint64_t room_ = 0;
};

}  // namespace lab
