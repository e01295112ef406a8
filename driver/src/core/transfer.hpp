// SPDX-License-Identifier: MIT
// Copies and fills as operations: boxes of bytes in any memory, and which call waits for what.
//
// A row of bytes is a box of height 1. Addresses are checked and resolved when the call is made: all bytes at
// a device address must be in one allocation; a host address is not checked, unless it is one that this
// driver returned. Does not depend on entry points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/memory.hpp"
#include "core/operation.hpp"
#include "core/stream.hpp"

namespace driver {

// Only copies of boxes use arrays; the code that makes the place has checked its bounds.
enum class Side { Device, Host, Either, Array };
enum class Use { Read, Write };
enum class Residence { Device, Pinned, Pageable };

struct Extent {
  std::uint64_t width = 0;  // bytes
  std::uint64_t height = 1;
  std::uint64_t depth = 1;
  std::uint64_t bytes() const { return width * height * depth; }
};

// One side of a copy: as the caller describes it, and what it turned out to be.
struct Place {
  Side side = Side::Either;
  std::uint64_t address = 0;  // of the first byte
  std::uint64_t pitch = 0;    // from row to row
  std::uint64_t slice = 0;    // from layer to layer
  CUarray array = nullptr;    // Side::Array; `address` is of its memory then, `bytes` are known

  // Whose device has to have access to a pool's memory: the context that the call names for this side, else
  // its own. Null: that is not asked. Other memory of a device is copied by any context. Measured: truth
  // peer_pool_copies, steps 4 to 13, and peer_pool_copies_shaped, steps 8 to 19.
  const Context* user = nullptr;

  std::byte* bytes = nullptr;
  Residence residence = Residence::Device;
  bool sync_memops = false;
};

// Whether memory that a graph's node will allocate counts as existing: for copies that become nodes
// themselves.
enum class Dormant { Refused, Taken };

// False if the box does not fit into the place, or the place must not be used so. Driver's lock has to be
// held.
bool resolve(Place& place, const Extent& extent, Use use, Dormant dormant = Dormant::Refused);

class CopyOperation : public Operation {
 public:
  CopyOperation(const Place& to, const Place& from, Extent extent) : to_(to), from_(from), extent_(extent) {}
  Started start() override;
  Weight weight() const override;
  // Keeps a copy of the source's bytes, so that the caller may change them as soon as the call returns.
  void stage();
  const Place& to() const { return to_; }
  const Place& from() const { return from_; }
  const Extent& extent() const { return extent_; }

 private:
  Place to_;
  Place from_;
  Extent extent_;
  std::vector<std::byte> staged_;
};

class FillOperation : public Operation {
 public:
  // `value` is repeated every `value_size` bytes: 1, 2 or 4.
  FillOperation(const Place& to, Extent extent, std::uint32_t value, unsigned value_size)
      : to_(to), extent_(extent), value_(value), value_size_(value_size) {}
  Started start() override;
  Weight weight() const override;
  const Place& to() const { return to_; }
  const Extent& extent() const { return extent_; }
  std::uint32_t value() const { return value_; }
  unsigned value_size() const { return value_size_; }

 private:
  Place to_;
  Extent extent_;
  std::uint32_t value_;
  unsigned value_size_;
};

enum class Form { Synchronous, Asynchronous };
inline constexpr Form kSynchronous = Form::Synchronous;
inline constexpr Form kAsynchronous = Form::Asynchronous;

// The whole of a call: context, stream, bounds, order, waiting. Errors: DEINITIALIZED, NOT_INITIALIZED,
// INVALID_CONTEXT, INVALID_VALUE; of a stream that is none INVALID_HANDLE. Nothing to do is a success,
// whatever the addresses (truth memory_errors, step 20).
CUresult copy(Place to, Place from, Extent extent, CUstream stream, Form form);
CUresult fill(Place to, Extent extent, std::uint32_t value, unsigned value_size, CUstream stream, Form form);

}  // namespace driver
