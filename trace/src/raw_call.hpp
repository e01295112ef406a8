// SPDX-License-Identifier: MIT
// A call as the tracer wrote it: words and bytes that only api's description gives a meaning.
//
// Stores keep calls in this form because it is small and quick to append; a call is decoded only when it is
// read.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "consumer.hpp"
#include "trace/event.hpp"

namespace trace {

inline constexpr std::uint32_t kNoFunction = 0xffffffffu;

struct RawCall {
  std::uint32_t function = 0;  // index into api's table
  std::uint32_t thread = 0, process = 0;
  std::uint64_t t_ns = 0, dur_ns = 0;
  std::uint64_t address = 0;
  std::uint8_t depth = 0;
  std::uint32_t around = kNoFunction;  // the function of the call around it, by the same index
  bool returned = true;
  std::int32_t result = 0;
  std::optional<std::uint64_t> current;
  std::string_view file;
  std::uint32_t line = 0;
  std::vector<std::uint64_t> words;
  std::vector<SideData> before, after;  // side data of enter and of leave
};

// Fills function, name, symbol and arguments of `event` from the call's raw part. Whatever the words and
// bytes are, the result is a well-formed event: an unknown function is called "function N".
void decode_call(const RawCall& call, Event& event);
// As above for everything else that both have.
void decode_frame(const RawCall& call, Event& event);

}  // namespace trace
