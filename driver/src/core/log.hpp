// SPDX-License-Identifier: MIT
// The driver's own log: what every failed call says, kept in memory for the program, told to its callbacks
// and written to the file that CUDA_LOG_FILE names.
//
// The boundary reports each result that is an error (boundary.hpp). A check that knows more says so before,
// with refuse(), and its words come first. Does not depend on the rest of the driver; needs none of its
// locks.
#pragma once

#include <cstddef>
#include <deque>
#include <list>
#include <mutex>
#include <string>
#include <string_view>

#include "core/api.hpp"

namespace driver {

// Returns the error, and keeps the reason for the log until the call that this thread is in has failed. A
// reason of several lines has a newline between them.
CUresult refuse(CUresult error, std::string_view reason) noexcept;

// The refusals that many calls have in common.
CUresult no_current_context();
CUresult no_such_device(std::string_view parameter, int device_count);

class Log {
 public:
  static constexpr std::size_t kMostLines = 100;  // that are kept (truth logs_many)

  static Log& get();

  // The lines of a call that has failed: the reason if there is one, and the result.
  void failed(CUresult error, std::string_view function);

  CUlogsCallbackHandle listen(CUlogsCallback callback, void* data);
  // False for a handle that is not one.
  bool unlisten(CUlogsCallbackHandle handle);

  // Behind the last line. A place counts lines, from the beginning of the process.
  CUlogIterator end() const;
  // The lines from a place on that are kept, and at most `room` bytes of them, after a notice where older
  // ones are gone. The place moves behind the last one that was read. False for a place behind the end.
  bool read(CUlogIterator& from, std::size_t room, std::string& text) const;

 private:
  Log();
  struct Listener {
    CUlogsCallback callback;
    void* data;
  };
  void add_lines(std::string_view reason);
  void add(const std::string& message);
  void write_to_file(const std::string& line);

  mutable std::mutex lock_;
  std::deque<std::string> lines_;
  CUlogIterator dropped_ = 0;  // lines that are no longer kept
  std::list<Listener> listeners_;
};

}  // namespace driver
