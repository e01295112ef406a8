// SPDX-License-Identifier: MIT
// What asking a question and reading its outcome share: the words that choices are compared by.
//
// The inside of lab/predict.hpp. Knows the state; neither the store nor what is on the screen.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/state.hpp"

namespace lab::predict {

inline constexpr const char* kSuccess = "CUDA_SUCCESS";
inline constexpr const char* kGone = "gone";
inline constexpr const char* kStays = "stays";
inline constexpr const char* kProcess = "process";

// "[A, P0]", bottom first.
std::string stack_value(const State& state, const std::vector<std::uint32_t>& stack);
// How many allocations and objects a context owns.
std::size_t owned(const State& state, std::uint32_t context);

}  // namespace lab::predict
