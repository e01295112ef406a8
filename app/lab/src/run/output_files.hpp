// SPDX-License-Identifier: MIT
// The output of a program, and its place between the calls: two files in memory to which the program appends,
// and the functions that cut them into Output events. Bytes are kept as they are; the viewer decides what
// they mean. Zeros that the program did not write, because it made a file longer, are counted.
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
  // Where the bytes that come next were written: their end, at most `until`. Equal to taken_ if there is a
  // gap there: bytes that the program has not written but only made room for (ftruncate).
  std::uint64_t end_of_data(std::size_t which, std::uint64_t until);
  std::uint64_t end_of_gap(std::size_t which, std::uint64_t until) const;  // that begins at taken_
  // In what was written or is beside it in a page: the first byte in [from, to) that is not zero, or `to`;
  // and the place after the last one, or `from`.
  std::uint64_t first_not_zero(std::size_t which, std::uint64_t from, std::uint64_t to) const;
  std::uint64_t after_last_not_zero(std::size_t which, std::uint64_t from, std::uint64_t to) const;
  bool keep(const trace::Event& event, std::uint64_t bytes, trace::Store& store);
  // Gives the memory of output that is in the store back to the kernel.
  void let_go(std::size_t which);
  std::array<FileDescriptor, 2> files_;
  std::array<FileDescriptor, 2> own_;      // the same files, with a position that the program does not share
  Sizes taken_{}, let_go_{}, data_end_{};  // data_end_: of what was written, if taken_ is before it
  std::array<bool, 2> gap_behind_{};       // at data_end_; else the file ended there
  std::uint64_t room_ = 0, most_memory_ = 0, kept_ = 0, left_out_ = 0;
};

}  // namespace lab
