// SPDX-License-Identifier: MIT
// What asking a question and finding its outcome have in common: the words with which choices are compared.
//
// The inside of lab/predict.hpp. Uses only the state; nothing here depends on the store or the screen.
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
