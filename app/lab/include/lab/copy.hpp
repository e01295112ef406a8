// SPDX-License-Identifier: MIT
// From where to where a call copies, as its arguments say. Pure; whether the call succeeded is not asked.
#pragma once
#include <cstdint>
#include <optional>

#include "trace/event.hpp"

namespace lab {

struct CopyEnd {
  enum class Side : std::uint8_t { Any, Host, Device, Array };
  Side side = Side::Any;      // Any: the address alone says what it is
  std::uint64_t address = 0;  // Array: the handle
  std::uint64_t span = 0;     // from the first byte to behind the last one; 0: not known

  bool operator==(const CopyEnd&) const = default;
};

struct Copied {
  CopyEnd from, to;
  std::uint64_t bytes = 0;

  bool operator==(const Copied&) const = default;
};

// Nothing for a call that copies nothing, and for the calls that take a list of copies.
std::optional<Copied> copy_of(const trace::Event& call);

}  // namespace lab
