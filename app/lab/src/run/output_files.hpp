// SPDX-License-Identifier: MIT
// The output of a program, and its place between the calls: two files in memory to which the program appends,
// and the functions that cut them into Output events. Bytes are kept as they are; the viewer decides what
// they mean.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "base/file_descriptor.hpp"
#include "trace/store.hpp"

namespace lab {

class OutputFiles {
 public:
  using Sizes = std::array<std::uint64_t, 2>;  // of stdout and stderr

  // Nothing on failure, with errno. `most_bytes`: of both files together; what is beyond is not kept.
  // `most_memory`: for the calls; output may use half as much in addition. Output without room is left out,
  // and counted in a Lost event at the end. 0: no limit.
  static std::optional<OutputFiles> create(std::uint64_t most_bytes, std::size_t most_memory = 0);
  int descriptor(int which) const { return files_[static_cast<std::size_t>(which)].get(); }
  Sizes sizes();
  std::uint64_t left_out() const { return left_out_; }  // bytes
  // Appends what was written up to these sizes and is not yet in the store, except an incomplete UTF-8
  // character at the end: programs write when a buffer is full, which may be inside a character. Returns the
  // number of events.
  std::size_t append_until(const Sizes& sizes, std::uint64_t t_ns, trace::Store& store);
  // The same for everything that is left, when the program has ended.
  std::size_t append_rest(std::uint64_t t_ns, trace::Store& store);

 private:
  OutputFiles() = default;
  std::size_t append_one(std::size_t which, std::uint64_t until, std::uint64_t t_ns, trace::Store& store,
                         bool last);
  // Skips bytes that the program has not written but only made room for (ftruncate): returns where the next
  // written bytes end.
  std::uint64_t pass_hole(std::size_t which, std::uint64_t until);
  // Gives the memory of output that is in the store back to the kernel.
  void let_go(std::size_t which);
  std::array<FileDescriptor, 2> files_;
  std::array<FileDescriptor, 2> own_;      // the same files, with a position that the program does not share
  Sizes taken_{}, let_go_{}, data_end_{};  // data_end_: where the next hole begins, if taken_ is before it
  std::uint64_t room_ = 0, most_memory_ = 0, kept_ = 0, left_out_ = 0;
};

}  // namespace lab
