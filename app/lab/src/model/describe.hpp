// SPDX-License-Identifier: MIT
// Words for one event, and for one argument of it. Shared by the model's describe(), by the lines of --events
// and by the comparison of two runs, so that all say the same.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "lab/model.hpp"
#include "trace/event.hpp"

namespace lab {

// What was passed, in the model's names: "A", "null", "#3+16", "0x7f…", "64", "CU_LIMIT_STACK_SIZE".
std::string passed_word(const Model& model, std::size_t event, const trace::Argument& argument);
// What an output received; only for arguments with `out`.
std::string written_word(const Model& model, std::size_t event, const trace::Argument& argument);
// The object of this argument's handle; None if it is no handle, or a handle that is not followed.
ObjectKind handle_kind(const trace::Argument& argument);
bool is_output(const trace::Argument& argument);  // Out or InOut

// A number in place of a name: it is another one in each run, so comparisons show kBareName for it.
inline bool is_bare(std::string_view word) {
  return word.starts_with("0x");
}
inline constexpr const char* kBareName = "0x…";

std::string describe_event(const Model& model, std::size_t index, const trace::Event& event);

}  // namespace lab
