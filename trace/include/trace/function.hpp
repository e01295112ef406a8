// SPDX-License-Identifier: MIT
// Which function a call is of, as a number: compared, switched over and used as an index instead of its name.
//
// A name becomes a number once, where a call is decoded or a recording is opened. A function that api/ does
// not describe gets a number above those of api/, in order of appearance, so that two calls are of one
// function exactly if their numbers are equal. Numbers are never stored: they are valid as long as the
// process runs.
#pragma once
#include <cstdint>
#include <string_view>

#include "api/generated/function.hpp"

namespace trace {

using api::Function;

// What a function is for, as far as its name says it.
enum class Purpose : std::uint8_t { Other, Asks, Waits, Launches };

Function function_of(std::string_view name);  // the name in the manual; None for ""
std::string_view name_of(Function function);  // "" for None; valid as long as the process runs
Purpose purpose_of(Function function);

}  // namespace trace
